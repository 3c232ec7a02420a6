//! GraphQL types of billing.

use async_graphql::{Context, ID, InputObject, Object, SimpleObject};

use super::{
    ops::{self, Frame},
    subscription::Invoice,
};
use crate::{
    app::App,
    base::{
        error::ApiError,
        ids::AccountId,
        tier::{CURRENCY, Interval, Offer, Plan},
    },
    graphql::{
        context::ContextExt,
        directives::{example, items, values},
        scalars::{Timestamp, count},
    },
    records::{api_keys, domains, webhooks},
};

/// The account's newest invoices.
#[derive(SimpleObject, Debug)]
pub(crate) struct InvoiceListResult {
    /// The invoices, newest first.
    #[graphql(directive = items::apply(0, 24))]
    pub(crate) invoices: Vec<Invoice>,
}

/// What an account may use, and what that costs.
#[derive(SimpleObject, Debug)]
#[graphql(name = "Plan")]
pub(crate) struct PlanInfo {
    /// Identifies the plan: `free`, `pro`, `business` or `unlimited`.
    #[graphql(directive = example::apply("pro".into()))]
    pub(crate) id: ID,
    /// Display name.
    #[graphql(directive = example::apply("Pro".into()))]
    pub(crate) name: String,
    /// Currency of the prices, ISO 4217 in lower case.
    #[graphql(directive = example::apply("eur".into()))]
    pub(crate) currency: String,
    /// Price of a month, in the currency's minor unit; null when the plan has none.
    #[graphql(directive = example::apply("900".into()))]
    pub(crate) monthly_price: Option<i32>,
    /// Price of a year, in the currency's minor unit; null when the plan has none.
    #[graphql(directive = example::apply("9000".into()))]
    pub(crate) yearly_price: Option<i32>,
    /// At which intervals it can be bought here: `month`, `year`, both or neither.
    #[graphql(directive = items::apply(0, 2), directive = example::apply("[\"month\",\"year\"]".into()))]
    pub(crate) intervals: Vec<String>,
    /// What an account on it may use.
    pub(crate) limits: PlanLimitsResult,
}

/// What an account may use. Null is no limit.
#[derive(SimpleObject, Debug)]
pub(crate) struct PlanLimitsResult {
    /// Links.
    #[graphql(directive = example::apply("50000".into()))]
    pub(crate) links: Option<i32>,
    /// Custom domains.
    #[graphql(directive = example::apply("10".into()))]
    pub(crate) domains: Option<i32>,
    /// Webhooks.
    #[graphql(directive = example::apply("10".into()))]
    pub(crate) webhooks: Option<i32>,
    /// API keys that are live.
    #[graphql(directive = example::apply("25".into()))]
    pub(crate) api_keys: Option<i32>,
    /// Requests a minute by one API key; in GraphQL each root field counts.
    #[graphql(directive = example::apply("600".into()))]
    pub(crate) requests_per_minute: Option<i32>,
    /// For how many days each click is kept; then it is deleted, within a day. What was counted of it stays: `clickCount`
    /// and the summaries. After a change to a plan that keeps less, the one before counts for 30 more days.
    #[graphql(directive = example::apply("365".into()))]
    pub(crate) retention_days: Option<i32>,
}

/// The plans of this service.
#[derive(SimpleObject, Debug)]
pub(crate) struct PlanListResult {
    /// The plans, smallest first.
    #[graphql(directive = items::apply(0, 4))]
    pub(crate) plans: Vec<PlanInfo>,
}

impl PlanInfo {
    /// The plan as the API shows it.
    pub(crate) fn new(app: &App, plan: Plan) -> Self {
        let price = |interval| Offer { plan, interval }.price().map(count);
        PlanInfo {
            id: plan.as_str().into(),
            name: plan.name().to_owned(),
            currency: CURRENCY.to_owned(),
            monthly_price: price(Interval::Month),
            yearly_price: price(Interval::Year),
            intervals: ops::intervals(app, plan).into_iter().map(|it| it.as_str().to_owned()).collect(),
            limits: PlanLimitsResult {
                links: limit(plan.max_links()),
                domains: limit(plan.max_domains()),
                webhooks: limit(plan.max_webhooks()),
                api_keys: limit(plan.max_api_keys()),
                requests_per_minute: plan.requests_per_minute().map(|number| count(number.into())),
                retention_days: plan.retention_days().map(|number| count(number.into())),
            },
        }
    }
}

fn limit(number: i64) -> Option<i32> {
    (number < i64::MAX).then(|| count(number))
}

/// What is used of something, and how much of it there may be.
#[derive(SimpleObject, Clone, Copy, Debug)]
pub(crate) struct UsedResult {
    /// How much is used.
    #[graphql(directive = example::apply("42".into()))]
    pub(crate) used: i32,
    /// How much may be used; null is no limit.
    #[graphql(directive = example::apply("50000".into()))]
    pub(crate) limit: Option<i32>,
}

/// The account's usage, within its plan.
pub(crate) struct Usage {
    pub(super) account: AccountId,
    pub(super) frame: Frame,
}

fn stored(rows: u64) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}

fn used(used: i64, max: i64) -> UsedResult {
    UsedResult { used: count(used), limit: limit(max) }
}

/// What the account uses, within the plan in force. Days and months are those of UTC.
#[Object(name = "UsageResult")]
impl Usage {
    /// When the period began that clicks are counted in: the one that is paid for, or the calendar month for an account
    /// without a subscription.
    #[graphql(directive = example::apply("2026-11-01T00:00:00.000Z".into()))]
    async fn period_start(&self) -> Timestamp {
        Timestamp(self.frame.period.0)
    }

    /// When the period ends.
    #[graphql(directive = example::apply("2026-12-01T00:00:00.000Z".into()))]
    async fn period_end(&self) -> Timestamp {
        Timestamp(self.frame.period.1)
    }

    /// Links.
    async fn links(&self) -> UsedResult {
        used(self.frame.links, self.frame.plan.max_links())
    }

    /// Clicks on the days of the period, bots included, also on links deleted since. No plan limits them.
    async fn clicks(&self, ctx: &Context<'_>) -> Result<UsedResult, ApiError> {
        Ok(used(ops::clicks(ctx.app()?, self.account, self.frame.period).await?, i64::MAX))
    }

    /// Custom domains.
    async fn domains(&self, ctx: &Context<'_>) -> Result<UsedResult, ApiError> {
        Ok(used(stored(domains::repo::count(ctx.app()?.db.read(), self.account).await?), self.frame.plan.max_domains()))
    }

    /// Webhooks.
    async fn webhooks(&self, ctx: &Context<'_>) -> Result<UsedResult, ApiError> {
        Ok(used(
            stored(webhooks::repo::count(ctx.app()?.db.read(), self.account).await?),
            self.frame.plan.max_webhooks(),
        ))
    }

    /// API keys that are live.
    async fn api_keys(&self, ctx: &Context<'_>) -> Result<UsedResult, ApiError> {
        let app = ctx.app()?;
        Ok(used(
            stored(api_keys::repo::count_live(app.db.read(), self.account, app.clock.now()).await?),
            self.frame.plan.max_api_keys(),
        ))
    }

    /// Calls by API keys today; a GraphQL request counts each of its root fields. The plan limits them by the minute, not
    /// by the day.
    async fn api_calls(&self, ctx: &Context<'_>) -> Result<UsedResult, ApiError> {
        Ok(used(ops::api_calls(ctx.app()?, self.account).await?, i64::MAX))
    }
}

/// What to buy.
#[derive(InputObject, Debug)]
pub(crate) struct CreateCheckoutInput {
    /// The plan.
    #[graphql(
        directive = values::apply(vec!["pro".into(), "business".into()]),
        directive = example::apply("pro".into())
    )]
    pub(crate) plan_id: String,
    /// How often it is paid.
    #[graphql(
        directive = values::apply(vec!["month".into(), "year".into()]),
        directive = example::apply("month".into())
    )]
    pub(crate) interval: String,
}

/// A page of the payment provider where a plan can be bought.
#[derive(SimpleObject, Debug)]
pub(crate) struct CreateCheckoutPayload {
    /// The page, to open in a browser.
    #[graphql(directive = example::apply("https://checkout.stripe.com/c/pay/cs_test_a1b2c3".into()))]
    pub(crate) checkout_url: String,
    /// The payment provider's id of it.
    #[graphql(directive = example::apply("cs_test_a1b2c3".into()))]
    pub(crate) session_id: String,
}

/// A page of the payment provider where the subscription can be changed.
#[derive(SimpleObject, Debug)]
pub(crate) struct CreateBillingPortalPayload {
    /// The page, to open in a browser soon: it is for this visit.
    #[graphql(directive = example::apply("https://billing.stripe.com/p/session/test_a1b2c3".into()))]
    pub(crate) portal_url: String,
}
