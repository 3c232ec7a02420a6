//! Subscriptions as the sandbox holds them.

use crate::{billing::provider::ProviderSubscription, clock::Millis};

/// A subscription, and the moment that its periods are counted from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// As the service sees it.
    pub subscription: ProviderSubscription,
    /// `billing_cycle_anchor`: the 31st stays the 31st after a shorter month.
    pub anchor: Millis,
}
