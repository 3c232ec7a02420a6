//! Subscriptions as the sandbox holds them.

use crate::{base::clock::UnixMillis, payments::provider::ProviderSubscription};

/// A subscription, and the moment that its periods are counted from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    /// As the service sees it.
    pub(crate) subscription: ProviderSubscription,
    /// `billing_cycle_anchor`: the 31st stays the 31st after a shorter month.
    pub(crate) anchor: UnixMillis,
}
