//! Redirects of links that have a limit, on their way to being counted.

use std::sync::Arc;

use crate::{
    base::ids::{AccountId, LinkId},
    platform::db::batch::Batches,
};

/// Redirects counted by one transaction.
const MAX_COUNTED: usize = 256;

/// A redirect to count.
#[derive(Debug)]
pub(crate) struct Use {
    pub(super) link: LinkId,
    pub(super) account: AccountId,
    /// The host; empty for the service's own.
    pub(super) host: String,
    pub(super) slug: String,
}

/// The answer to a [`Use`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Used {
    /// It is counted: the visitor may be redirected.
    Granted,
    /// As many as are allowed were counted before.
    Refused,
    /// The link has no limit any longer, or is gone.
    Unlimited,
}

/// Redirects that wait to be counted.
pub(crate) type Uses = Batches<Use, Used>;

/// Creates the batches, with nothing to count yet.
pub(crate) fn uses() -> Arc<Uses> {
    Batches::new(MAX_COUNTED)
}
