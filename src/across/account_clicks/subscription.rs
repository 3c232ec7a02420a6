//! The subscription to clicks of an account.

use async_graphql::{Context, Subscription};
use futures_util::stream::{Stream, StreamExt};

use crate::{
    across::account_clicks::{
        counts::{AccountClicks, Counts},
        types::AccountClicksResult,
    },
    base::error::ApiError,
    graphql::{context::ContextExt, load::renewed, shorthands::Scoped},
    platform::auth::{access::Depth, scope::Scope},
};

#[derive(Default)]
pub(crate) struct AccountClicksSubscription;

#[Subscription]
impl AccountClicksSubscription {
    /// Clicks of the account, counted: at most one message a second, and none while nobody follows a link. Each click is counted
    /// once, when it is stored, a moment after it was made.
    #[graphql(directive = Scoped::apply(Scope::AnalyticsRead, Depth::UserContext))]
    async fn account_clicks(
        &self,
        ctx: &Context<'_>,
    ) -> Result<impl Stream<Item = AccountClicksResult> + use<>, ApiError> {
        let (app, account) = (ctx.app()?, ctx.call()?.account()?);
        let place = app.live.subscribe(account)?;
        let counts = Counts::begin(app.db.read(), account, app.clock.now());
        let listener = app.live.topics::<AccountClicks>().listen(account.0, place, counts).await?;
        let renewed = renewed(ctx);
        Ok(listener.news().map(move |counted| {
            renewed();
            AccountClicksResult::from(&*counted)
        }))
    }
}
