//! GraphQL types of billing.

use async_graphql::{Enum, ID, SimpleObject};
use serde::{Deserialize, Serialize};

use crate::graphql::{directives::example, scalars::Timestamp};

/// How a subscription stands with the payment provider.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SubscriptionStatus {
    /// Paid.
    Active,
    /// Not to be paid yet.
    Trialing,
    /// A payment failed.
    PastDue,
    /// Over.
    Canceled,
}

/// A paid plan of the account. Without one it is on the plan of accounts without a subscription.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subscription {
    /// Identifies the subscription.
    #[graphql(directive = example::apply("019aa1c6-4d5e-7f60-a172-a3b4c5d6e7f8".into()))]
    pub id: ID,
    /// The plan that is paid for: `pro` or `business`.
    #[graphql(directive = example::apply("pro".into()))]
    pub plan_id: String,
    /// How it stands with the payment provider.
    #[graphql(directive = example::apply("\"ACTIVE\"".into()))]
    pub status: SubscriptionStatus,
    /// How often it is paid: `month` or `year`.
    #[graphql(directive = example::apply("month".into()))]
    pub interval: String,
    /// When what is paid ends, and the next payment is due unless it is canceled.
    #[graphql(directive = example::apply("2026-12-20T14:33:38.000Z".into()))]
    pub current_period_end: Timestamp,
    /// Whether it ends then.
    #[graphql(directive = example::apply("false".into()))]
    pub cancel_at_period_end: bool,
}

/// An invoice of the payment provider.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Invoice {
    /// Identifies the invoice.
    #[graphql(directive = example::apply("in_1PgafyLkdIwHu7ixN7sT2x9V".into()))]
    pub id: ID,
    /// The number on the invoice; null until it is final.
    #[graphql(directive = example::apply("LG-2026-0042".into()))]
    pub number: Option<String>,
    /// `draft`, `open`, `paid`, `uncollectible` or `void`.
    #[graphql(directive = example::apply("paid".into()))]
    pub status: String,
    /// Currency of the amounts, ISO 4217 in lower case.
    #[graphql(directive = example::apply("eur".into()))]
    pub currency: String,
    /// What is to be paid, in the currency's minor unit.
    #[graphql(directive = example::apply("900".into()))]
    pub amount_due: i32,
    /// What was paid, in the currency's minor unit.
    #[graphql(directive = example::apply("900".into()))]
    pub amount_paid: i32,
    /// When it was made.
    #[graphql(directive = example::apply("2026-11-20T14:33:38.000Z".into()))]
    pub created_at: Timestamp,
    /// The provider's page, where it can be paid; null until it is final.
    #[graphql(directive = example::apply("https://invoice.stripe.com/i/acct_1/test_1".into()))]
    pub hosted_url: Option<String>,
    /// The provider's PDF; null until it is final.
    #[graphql(directive = example::apply("https://pay.stripe.com/invoice/acct_1/test_1/pdf".into()))]
    pub pdf_url: Option<String>,
}
