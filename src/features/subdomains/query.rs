//! Queries on subdomains.

use async_graphql::{Context, Object};

use crate::{
    base::error::ApiError,
    features::subdomains::{ops, types::SubdomainClaim},
    graphql::{context::ContextExt, shorthands::Get},
    platform::auth::{
        access::{Credential, Depth, RateLimit, access},
        scope::Scope,
    },
};

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct SubdomainQuery;

#[Object]
impl SubdomainQuery {
    /// The account's subdomain; null when it has none.
    #[graphql(
        directive = access::apply(Credential::Any, Some(Depth::UserContext), Some(Scope::SubdomainRead), Some(RateLimit::Subdomain)),
        directive = Get::apply("/subdomain")
    )]
    async fn subdomain(&self, ctx: &Context<'_>) -> Option<Result<SubdomainClaim, ApiError>> {
        // This way round, an error makes the field null, and not what is around it.
        subdomain(ctx).await.transpose()
    }
}

async fn subdomain(ctx: &Context<'_>) -> Result<Option<SubdomainClaim>, ApiError> {
    let app = ctx.app()?;
    let subdomain = ops::subdomain(app, ctx.call()?.account()?).await?;
    Ok(subdomain.map(|subdomain| SubdomainClaim::new(subdomain, &app.config)))
}
