//! Places of subscriptions, which are counted.

use crate::{ids::AccountId, places::Place};

/// One open subscription, held while it is open.
#[derive(Debug)]
pub struct SubscriptionPlace {
    _of_account: Place<AccountId>,
    _among_all: Place<()>,
}

impl SubscriptionPlace {
    /// Of the account, and among all of this node.
    pub(super) fn new(of_account: Place<AccountId>, among_all: Place<()>) -> Self {
        SubscriptionPlace { _of_account: of_account, _among_all: among_all }
    }
}
