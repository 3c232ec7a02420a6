//! Subscriptions and invoices as the API shows them.

use async_graphql::{ID, SimpleObject};
use entity::{invoice, subscription};
use serde::{Deserialize, Serialize};

use crate::{
    graphql::{
        directives::example,
        scalars::{Timestamp, count},
    },
    records::billing::{state::GRACE, status::SubscriptionStatus},
};

/// A paid plan of the account. Without one it is on the plan of accounts without a subscription.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subscription {
    /// Identifies the subscription.
    #[graphql(directive = example::apply("019aa1c6-4d5e-7f60-a172-a3b4c5d6e7f8".into()))]
    pub(crate) id: ID,
    /// The plan that is paid for: `pro` or `business`.
    #[graphql(directive = example::apply("pro".into()))]
    pub(crate) plan_id: String,
    /// How it stands with the payment provider.
    #[graphql(directive = example::apply("\"ACTIVE\"".into()))]
    pub(crate) status: SubscriptionStatus,
    /// How often it is paid: `month` or `year`.
    #[graphql(directive = example::apply("month".into()))]
    pub(crate) interval: String,
    /// When what is paid began.
    #[graphql(directive = example::apply("2026-11-20T14:33:38.000Z".into()))]
    pub(crate) current_period_start: Timestamp,
    /// When what is paid ends, and the next payment is due unless it is canceled.
    #[graphql(directive = example::apply("2026-12-20T14:33:38.000Z".into()))]
    pub(crate) current_period_end: Timestamp,
    /// Whether it ends then.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) cancel_at_period_end: bool,
    /// While it is `PAST_DUE`: from when on the limits are those of an account without a subscription. Null otherwise.
    #[graphql(directive = example::apply("2026-12-04T14:33:38.000Z".into()))]
    pub(crate) grace_period_end: Option<Timestamp>,
    /// When it was made.
    #[graphql(directive = example::apply("2026-11-20T14:33:38.000Z".into()))]
    pub(crate) created_at: Timestamp,
}

impl From<subscription::Model> for Subscription {
    fn from(row: subscription::Model) -> Self {
        Subscription {
            id: row.id.into(),
            plan_id: row.plan,
            status: SubscriptionStatus::from_stored(&row.status),
            interval: row.interval,
            current_period_start: Timestamp(row.current_period_start),
            current_period_end: Timestamp(row.current_period_end),
            cancel_at_period_end: row.cancel_at_period_end,
            grace_period_end: row.past_due_since.map(|since| Timestamp(since + GRACE)),
            created_at: Timestamp(row.created_at),
        }
    }
}

/// An invoice of the payment provider.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Invoice {
    /// Identifies the invoice.
    #[graphql(directive = example::apply("019aa1c6-5e6f-7a71-b283-b4c5d6e7f809".into()))]
    pub(crate) id: ID,
    /// The number on the invoice; null until it is final.
    #[graphql(directive = example::apply("LG-2026-0042".into()))]
    pub(crate) number: Option<String>,
    /// `draft`, `open`, `paid`, `uncollectible` or `void`.
    #[graphql(directive = example::apply("paid".into()))]
    pub(crate) status: String,
    /// Currency of the amounts, ISO 4217 in lower case.
    #[graphql(directive = example::apply("eur".into()))]
    pub(crate) currency: String,
    /// What is to be paid, in the currency's minor unit.
    #[graphql(directive = example::apply("900".into()))]
    pub(crate) amount_due: i32,
    /// What was paid, in the currency's minor unit.
    #[graphql(directive = example::apply("900".into()))]
    pub(crate) amount_paid: i32,
    /// When it was made.
    #[graphql(directive = example::apply("2026-11-20T14:33:38.000Z".into()))]
    pub(crate) created_at: Timestamp,
    /// The provider's page, where it can be paid; null until it is final.
    #[graphql(directive = example::apply("https://invoice.stripe.com/i/acct_1/test_1".into()))]
    pub(crate) hosted_url: Option<String>,
    /// The provider's PDF; null until it is final.
    #[graphql(directive = example::apply("https://pay.stripe.com/invoice/acct_1/test_1/pdf".into()))]
    pub(crate) pdf_url: Option<String>,
}

impl From<invoice::Model> for Invoice {
    fn from(row: invoice::Model) -> Self {
        Invoice {
            id: row.id.into(),
            number: row.number,
            status: row.status,
            currency: row.currency,
            amount_due: count(row.amount_due),
            amount_paid: count(row.amount_paid),
            created_at: Timestamp(row.created_at),
            hosted_url: row.hosted_url,
            pdf_url: row.pdf_url,
        }
    }
}
