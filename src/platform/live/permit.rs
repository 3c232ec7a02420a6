//! The permits of a subscription, which counts against the limits of its account and of the node.

use crate::base::{concurrency::Permit, ids::AccountId};

/// One open subscription, held while it is open.
#[derive(Debug)]
pub(crate) struct SubscriptionPermit {
    _of_account: Permit<AccountId>,
    _among_all: Permit<()>,
}

impl SubscriptionPermit {
    /// Combines the permits of the account's limit and of the node's limit.
    pub(super) fn new(of_account: Permit<AccountId>, among_all: Permit<()>) -> Self {
        SubscriptionPermit { _of_account: of_account, _among_all: among_all }
    }
}
