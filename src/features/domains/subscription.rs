//! The subscription to changes of a domain.

use std::sync::Arc;

use async_graphql::{Context, ID, Subscription};
use futures_util::stream::{Stream, StreamExt};

use crate::{
    base::error::ApiError,
    features::domains::{changes::DomainChanges, ops, query::domain_id, types::CustomDomain},
    graphql::{context::ContextExt, shorthands::Scoped},
    platform::auth::{access::Depth, scope::Scope},
    records::domains::repo,
};

#[derive(Default)]
pub(crate) struct DomainSubscription;

#[Subscription]
impl DomainSubscription {
    /// A custom domain as it is after each change: a check of its DNS and what follows from it, or other settings. Two changes within a quarter of a
    /// second may be told as one. It ends when the domain is deleted. Fails with NOT_FOUND when the account has no such domain.
    #[graphql(directive = Scoped::apply(Scope::DomainsRead, Depth::UserContext))]
    async fn domain_changed(
        &self,
        ctx: &Context<'_>,
        #[graphql(name = "domainId", desc = "A domain's id.")] domain: ID,
    ) -> Result<impl Stream<Item = CustomDomain> + use<>, ApiError> {
        let (app, account, id) = (Arc::clone(ctx.app()?), ctx.call()?.account()?, domain_id(&domain)?);
        let place = app.live.subscribe(account)?;
        let listener =
            app.live.topics::<DomainChanges>().listen(id.0, place, repo::of_any_account(app.db.read(), id)).await?;
        // Checked after the subscription has begun, so that no later change is missed.
        ops::domain(&app, account, id).await?;
        Ok(listener.news().map(move |domain| CustomDomain::new((*domain).clone(), &app.config)))
    }
}
