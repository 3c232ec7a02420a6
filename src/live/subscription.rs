//! Subscriptions.

use std::sync::Arc;

use async_graphql::{Context, ID, Subscription};
use futures_util::stream::{Stream, StreamExt};

use crate::{
    analytics::types::ClickEvent,
    auth::{
        access::{Credential, Depth, access},
        scope::Scope,
    },
    domains::{self, query::domain_id, types::CustomDomain},
    error::ApiError,
    graphql::{context::ContextExt, load::Loaders},
    links::{self, query::link_id},
    live::{account_clicks::Counts, delivery_changes::Listed, types::AccountClicksResult},
    webhooks::{self, query::webhook_id, types::Delivery},
};

/// See [`crate::graphql::schema::ApiSchema`].
#[derive(Default)]
pub(crate) struct LiveEvents;

/// What happens, told when it happens: over a WebSocket at `/graphql/ws` that speaks `graphql-transport-ws`, with the
/// credential as `authorization` in the payload of `connection_init`, or in the header `Authorization`.
#[Subscription]
impl LiveEvents {
    /// Clicks of a link, each when it is stored, a moment after it was made, and told once. A client that reads too slowly
    /// misses the oldest, and of hundreds a second that other nodes store not all are told: `clicks` has them all. Fails
    /// with NOT_FOUND when the account has no such link.
    #[graphql(directive = access::apply(Credential::Any, Some(Depth::UserContext), Some(Scope::AnalyticsRead), None))]
    async fn click_recorded(
        &self,
        ctx: &Context<'_>,
        #[graphql(name = "linkId", desc = "Whose clicks: a link's id.")] link: ID,
    ) -> Result<impl Stream<Item = ClickEvent> + use<>, ApiError> {
        let (app, account, link) = (ctx.app()?, ctx.call()?.account()?, link_id(&link)?);
        links::ops::link(app, account, link).await?;
        let renewed = renewed(ctx);
        Ok(app.live.clicks(account, link, app.clock.now())?.map(move |click| {
            renewed();
            ClickEvent::from((*click).clone())
        }))
    }

    /// Clicks of the account, counted: at most one message a second, and none while nobody follows a link. Each click is counted
    /// once, when it is stored, a moment after it was made.
    #[graphql(directive = access::apply(Credential::Any, Some(Depth::UserContext), Some(Scope::AnalyticsRead), None))]
    async fn account_clicks(
        &self,
        ctx: &Context<'_>,
    ) -> Result<impl Stream<Item = AccountClicksResult> + use<>, ApiError> {
        let (app, account) = (ctx.app()?, ctx.call()?.account()?);
        let place = app.live.subscribe(account)?;
        let counts = Counts::begin(app.db.read(), account, app.clock.now());
        let listener = app.live.account_clicks.listen(account.0, place, counts).await?;
        let renewed = renewed(ctx);
        Ok(listener.news().map(move |counted| {
            renewed();
            AccountClicksResult::from(&*counted)
        }))
    }

    /// A custom domain as it is after each change: a check of its DNS and what follows from it, or other settings. Two changes within a quarter of a
    /// second may be told as one. It ends when the domain is deleted. Fails with NOT_FOUND when the account has no such domain.
    #[graphql(directive = access::apply(Credential::Any, Some(Depth::UserContext), Some(Scope::DomainsRead), None))]
    async fn domain_changed(
        &self,
        ctx: &Context<'_>,
        #[graphql(name = "domainId", desc = "A domain's id.")] domain: ID,
    ) -> Result<impl Stream<Item = CustomDomain> + use<>, ApiError> {
        let (app, account, id) = (Arc::clone(ctx.app()?), ctx.call()?.account()?, domain_id(&domain)?);
        let place = app.live.subscribe(account)?;
        let listener = app.live.domains.listen(id.0, place, domains::repo::of_any_account(app.db.read(), id)).await?;
        // Checked after the subscription has begun, so that no later change is missed.
        domains::ops::domain(&app, account, id).await?;
        Ok(listener.news().map(move |domain| CustomDomain::new((*domain).clone(), &app.config)))
    }

    /// Deliveries of a webhook, each as it is when it was made, attempted or asked for again. Two changes within a quarter of a
    /// second may be told as one, and of hundreds a second not all are told: `deliveries` has them all. It ends when the webhook is
    /// deleted. Fails with NOT_FOUND when the account has no such webhook.
    #[graphql(directive = access::apply(Credential::Any, Some(Depth::UserContext), Some(Scope::WebhooksRead), None))]
    async fn delivery_changed(
        &self,
        ctx: &Context<'_>,
        #[graphql(name = "webhookId", desc = "A webhook's id.")] webhook: ID,
    ) -> Result<impl Stream<Item = Delivery> + use<>, ApiError> {
        let (app, account, webhook) = (ctx.app()?, ctx.call()?.account()?, webhook_id(&webhook)?);
        let place = app.live.subscribe(account)?;
        let listener = app.live.deliveries.listen(webhook.0, place, Listed::begin(app.db.read(), webhook)).await?;
        // Checked after the subscription has begun, as above.
        webhooks::ops::webhook(app, account, webhook).await?;
        let renewed = renewed(ctx);
        Ok(listener.news().map(move |delivery| {
            renewed();
            Delivery::from((*delivery).clone())
        }))
    }
}

/// Forgets what was loaded: each message shows the rows of its time.
fn renewed(ctx: &Context<'_>) -> impl Fn() + Send + use<> {
    let loaders = ctx.data_opt::<Arc<Loaders>>().map(Arc::clone);
    move || {
        if let Some(loaders) = &loaders {
            loaders.renew();
        }
    }
}
