//! Accounts of links.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use uuid::Uuid;

/// Accounts by link.
pub(super) type Owners = HashMap<Uuid, Uuid, RandomState>;
