//! API keys that callers present, looked for together.

use std::sync::Arc;

use entity::{account, api_key};

use crate::platform::{auth::api_key::KeyHash, db::batch::Batches};

/// Keys looked for by one query.
const MAX_TOGETHER: usize = 64;

/// Keys presented at the same time, which share a query.
pub(crate) type PresentedKeys = Batches<KeyHash, Option<(api_key::Model, account::Model)>>;

/// Creates the batches of key lookups, empty at first.
pub(crate) fn presented_keys() -> Arc<PresentedKeys> {
    Batches::new(MAX_TOGETHER)
}
