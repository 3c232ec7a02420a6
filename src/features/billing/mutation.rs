//! Mutations of payment.

use async_graphql::{Context, Object};

use super::{
    ops,
    types::{CreateBillingPortalPayload, CreateCheckoutInput, CreateCheckoutPayload},
};
use crate::{
    base::error::ApiError,
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, rest},
        shorthands::Scoped,
    },
    platform::auth::{access::Depth, scope::Scope},
};

/// See [`crate::api::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct BillingMutation;

#[Object]
impl BillingMutation {
    /// Opens a page of the payment provider where the plan can be bought. The plan is in force once the provider says that
    /// it is paid: by an event to `POST /webhooks/stripe`, seconds later. Fails with CONFLICT when the account has a
    /// subscription, which is changed in the billing portal, and with UNAVAILABLE when the provider does not answer or none
    /// is set up.
    ///
    /// An event is believed only if its `stripe-signature` header has a `v1` signature of the raw body by a configured
    /// secret, made less than 300 seconds ago or ahead: anything else is refused with 401 UNAUTHENTICATED. An event of the other
    /// mode (live or test) is refused with 400 VALIDATION_ERROR. What is refused changes nothing.
    #[graphql(
        directive = Scoped::apply(Scope::BillingManage, Depth::UserContext),
        directive = rest::apply(HttpMethod::Post, "/billing/checkout".into(), 201, Some("{checkoutUrl}".into()))
    )]
    async fn create_checkout(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to buy.")] input: CreateCheckoutInput,
    ) -> Result<CreateCheckoutPayload, ApiError> {
        let checkout = ops::checkout(ctx.app()?, &ctx.act()?, &input.plan_id, &input.interval).await?;
        Ok(CreateCheckoutPayload { checkout_url: checkout.url, session_id: checkout.id })
    }

    /// Opens a page of the payment provider where the account's subscription, means of payment and address can be changed.
    /// Fails with UNAVAILABLE when the provider does not answer or none is set up.
    #[graphql(
        directive = Scoped::apply(Scope::BillingManage, Depth::UserContext),
        directive = rest::apply(HttpMethod::Post, "/billing/portal".into(), 201, Some("{portalUrl}".into()))
    )]
    async fn create_billing_portal(&self, ctx: &Context<'_>) -> Result<CreateBillingPortalPayload, ApiError> {
        Ok(CreateBillingPortalPayload { portal_url: ops::portal(ctx.app()?, &ctx.act()?).await? })
    }
}
