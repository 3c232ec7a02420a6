//! The subscription to clicks of a link.

use async_graphql::{Context, ID, Subscription};
use futures_util::stream::{Stream, StreamExt};

use crate::{
    base::error::ApiError,
    features::{
        analytics::types::ClickEvent,
        links::{lookup, query::link_id},
    },
    graphql::{context::ContextExt, load::renewed, shorthands::Scoped},
    platform::auth::{access::Depth, scope::Scope},
};

#[derive(Default)]
pub(crate) struct ClickSubscription;

#[Subscription]
impl ClickSubscription {
    /// Clicks of a link, each when it is stored, a moment after it was made, and told once. A client that reads too slowly
    /// misses the oldest, and of hundreds a second that other nodes store not all are told: `clicks` has them all. Fails
    /// with NOT_FOUND when the account has no such link.
    #[graphql(directive = Scoped::apply(Scope::AnalyticsRead, Depth::UserContext))]
    async fn click_recorded(
        &self,
        ctx: &Context<'_>,
        #[graphql(name = "linkId", desc = "Whose clicks: a link's id.")] link: ID,
    ) -> Result<impl Stream<Item = ClickEvent> + use<>, ApiError> {
        let (app, account, link) = (ctx.app()?, ctx.call()?.account()?, link_id(&link)?);
        lookup::link(app, account, link).await?;
        let renewed = renewed(ctx);
        Ok(app.live.clicks(account, link, app.clock.now())?.map(move |click| {
            renewed();
            ClickEvent::from((*click).clone())
        }))
    }
}
