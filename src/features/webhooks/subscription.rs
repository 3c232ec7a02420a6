//! The subscription to deliveries of a webhook.

use async_graphql::{Context, ID, Subscription};
use futures_util::stream::{Stream, StreamExt};

use crate::{
    base::error::ApiError,
    features::webhooks::{
        delivery_changes::{DeliveryChanges, Listed},
        ops,
        query::webhook_id,
        types::Delivery,
    },
    graphql::{context::ContextExt, load::renewed, shorthands::Scoped},
    platform::auth::{access::Depth, scope::Scope},
};

#[derive(Default)]
pub(crate) struct DeliverySubscription;

#[Subscription]
impl DeliverySubscription {
    /// Deliveries of a webhook, each as it is when it was made, attempted or asked for again. Two changes within a quarter of a
    /// second may be told as one, and of hundreds a second not all are told: `deliveries` has them all. It ends when the webhook is
    /// deleted. Fails with NOT_FOUND when the account has no such webhook.
    #[graphql(directive = Scoped::apply(Scope::WebhooksRead, Depth::UserContext))]
    async fn delivery_changed(
        &self,
        ctx: &Context<'_>,
        #[graphql(name = "webhookId", desc = "A webhook's id.")] webhook: ID,
    ) -> Result<impl Stream<Item = Delivery> + use<>, ApiError> {
        let (app, account, webhook) = (ctx.app()?, ctx.call()?.account()?, webhook_id(&webhook)?);
        let place = app.live.subscribe(account)?;
        let listener = app
            .live
            .topics::<DeliveryChanges>()
            .listen(webhook.0, place, Listed::begin(app.db.read(), webhook))
            .await?;
        // Checked after the subscription has begun, as above.
        ops::webhook(app, account, webhook).await?;
        let renewed = renewed(ctx);
        Ok(listener.news().map(move |delivery| {
            renewed();
            Delivery::from((*delivery).clone())
        }))
    }
}
