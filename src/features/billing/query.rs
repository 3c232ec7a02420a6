//! Queries on plans and payment.

use async_graphql::{Context, Object};

use super::{
    ops,
    subscription::Subscription,
    types::{InvoiceListResult, PlanInfo, PlanListResult, Usage},
};
use crate::{
    base::error::ApiError,
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, rest},
        shorthands::Scoped,
    },
    platform::auth::{
        access::{Credential, Depth, access},
        scope::Scope,
    },
};

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct BillingQuery;

#[Object]
impl BillingQuery {
    /// The plans of this service, smallest first. The account's own is `me.account.plan`.
    #[graphql(
        directive = Scoped::apply(Scope::BillingRead, Depth::UserContext),
        directive = rest::apply(HttpMethod::Get, "/billing/plans".into(), 200, None)
    )]
    async fn plans(&self, ctx: &Context<'_>) -> Result<PlanListResult, ApiError> {
        let app = ctx.app()?;
        Ok(PlanListResult { plans: ops::plans(app).map(|plan| PlanInfo::new(app, plan)).collect() })
    }

    /// What the account uses, and how much it may use.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Get, "/billing/usage".into(), 200, None)
    )]
    async fn usage(&self, ctx: &Context<'_>) -> Result<Usage, ApiError> {
        let account = ctx.call()?.account()?;
        Ok(Usage { account, frame: ops::frame(ctx.app()?, account).await? })
    }

    /// The account's newest 24 invoices, as the payment provider showed them last.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), Some(Scope::BillingRead), None),
        directive = rest::apply(HttpMethod::Get, "/billing/invoices".into(), 200, None)
    )]
    async fn invoices(&self, ctx: &Context<'_>) -> Result<InvoiceListResult, ApiError> {
        let invoices = ops::invoices(ctx.app()?, ctx.call()?.account()?).await?;
        Ok(InvoiceListResult { invoices: invoices.into_iter().map(Into::into).collect() })
    }

    /// The account's subscription, as the payment provider showed it last. Null when it has none, or none any more: its
    /// plan is then the one of accounts without a subscription.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), Some(Scope::BillingRead), None),
        directive = rest::apply(HttpMethod::Get, "/billing/subscription".into(), 200, None)
    )]
    async fn subscription(&self, ctx: &Context<'_>) -> Result<Option<Subscription>, ApiError> {
        Ok(ops::subscription(ctx.app()?, ctx.call()?.account()?).await?.map(Into::into))
    }
}
