//! How subscriptions stand.

use async_graphql::Enum;
use serde::{Deserialize, Serialize};

/// How a subscription stands with the payment provider.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum SubscriptionStatus {
    /// Paid.
    Active,
    /// Not to be paid yet.
    Trialing,
    /// A payment failed. The plan stays in force for 14 days; a payment restores it at any time.
    PastDue,
    /// Over. Seen in events alone: the account has no subscription then.
    Canceled,
}
