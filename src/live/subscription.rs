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
    error::ApiError,
    graphql::{context::ContextExt, loaders::CurrentLoaders},
    links::{self, query::link_id},
};

/// See [`crate::graphql::schema::ApiSchema`].
#[derive(Default)]
pub struct LiveEvents;

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
        let loaders = ctx.data_opt::<Arc<CurrentLoaders>>().map(Arc::clone);
        Ok(app.live.clicks(account, link, app.clock.now())?.map(move |click| {
            if let Some(loaders) = &loaders {
                loaders.renew();
            }
            ClickEvent::from((*click).clone())
        }))
    }
}
