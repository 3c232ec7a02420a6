//! Mutations of subdomains.

use async_graphql::{Context, ID, Object};

use crate::{
    app::idempotent::execute,
    base::error::ApiError,
    features::{
        domains::hosts::{settings::SettingsChange, types::UpdateHostInput},
        subdomains::{
            ops,
            types::{ClaimSubdomainInput, SubdomainClaim},
        },
    },
    graphql::{
        context::ContextExt,
        directives::idempotent,
        shorthands::{Create, Delete, Patch, Post},
    },
    platform::auth::{
        access::{Credential, Depth, RateLimit, access, creates},
        scope::Scope,
    },
};

/// See [`crate::api::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct SubdomainMutation;

#[Object]
impl SubdomainMutation {
    /// Claims a subdomain of the service's host; `activateSubdomain` lets it serve links. Fails with CONFLICT when the
    /// subdomain is taken, or was released less than 30 days ago, by whomever, after an hour or more of serving links, and
    /// when the account has one already. Fails with RATE_LIMITED, which says when to come back, after 3 claims of the
    /// account in 24 hours.
    #[graphql(
        directive = access::apply(Credential::Any, Some(Depth::UserContext), Some(Scope::SubdomainManage), Some(RateLimit::Subdomain)),
        directive = creates::apply(None),
        directive = idempotent::apply(),
        directive = Create::apply("/subdomain", "/subdomain")
    )]
    async fn claim_subdomain(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The subdomain.")] input: ClaimSubdomainInput,
    ) -> Result<SubdomainClaim, ApiError> {
        let (app, act) = (ctx.app()?, ctx.act()?);
        let claim = async {
            let claimed = ops::claim(app, &act, &input.subdomain).await?;
            Ok(claimed.map(|claim| SubdomainClaim::new(claim, &app.config)))
        };
        execute(app, &act, claim).await
    }

    /// Serves the account's links on its subdomain from now on; an active one stays as it is. Fails with NOT_FOUND when
    /// the account has none.
    #[graphql(
        directive = access::apply(Credential::Any, Some(Depth::UserContext), Some(Scope::SubdomainManage), Some(RateLimit::Subdomain)),
        directive = Post::apply("/subdomain/activate")
    )]
    async fn activate_subdomain(&self, ctx: &Context<'_>) -> Result<SubdomainClaim, ApiError> {
        let app = ctx.app()?;
        Ok(SubdomainClaim::new(ops::activate(app, &ctx.act()?).await?, &app.config))
    }

    /// Changes the settings of the account's subdomain; the next request to it follows them. Fails with NOT_FOUND when the account
    /// has none, and with CONFLICT when case is to be ignored and slugs differ in case alone.
    #[graphql(
        directive = access::apply(Credential::Any, Some(Depth::UserContext), Some(Scope::SubdomainManage), Some(RateLimit::Subdomain)),
        directive = Patch::apply("/subdomain")
    )]
    async fn update_subdomain(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to change.")] input: UpdateHostInput,
    ) -> Result<SubdomainClaim, ApiError> {
        let app = ctx.app()?;
        let change = SettingsChange { expected: ctx.expected(input.expected_updated_at), ..input.into() };
        Ok(SubdomainClaim::new(ops::update(app, &ctx.act()?, change).await?, &app.config))
    }

    /// Releases the account's subdomain with its settings, and answers the claim's id. Its links stay, but answer 404. Anybody can claim the
    /// subdomain again: in 30 days if it was active for an hour or more, else at once. Fails with NOT_FOUND when the account
    /// has none.
    #[graphql(
        directive = access::apply(Credential::Any, Some(Depth::UserContext), Some(Scope::SubdomainManage), Some(RateLimit::Subdomain)),
        directive = Delete::apply("/subdomain")
    )]
    async fn release_subdomain(&self, ctx: &Context<'_>) -> Result<ID, ApiError> {
        Ok(ops::release(ctx.app()?, &ctx.act()?).await?.id.into())
    }
}
