//! Mutations of custom domains.

use async_graphql::{Context, ID, Object};

use crate::{
    app::idempotent::execute,
    base::{error::ApiError, validate::MAX_DOMAIN},
    features::domains::{
        hosts::{
            page_types::{HostPages, SetHostPagesInput},
            pages,
            settings::SettingsChange,
            types::UpdateHostInput,
        },
        ops,
        query::domain_id,
        types::{CreateDomainInput, CustomDomain},
    },
    graphql::{
        context::ContextExt,
        directives::{example, idempotent, length},
        shorthands::{Create, Delete, Patch, Post, Put, Scoped},
    },
    platform::auth::{
        access::{Depth, creates},
        scope::Scope,
    },
};

/// See [`crate::api::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct DomainMutation;

#[Object]
impl DomainMutation {
    /// Adds a custom domain, and answers which DNS records prove it. It is checked every hour, later every day, and by
    /// `verifyDomain` at once. Several accounts may add a name; the one that proves it gets it. Fails with CONFLICT when
    /// the account has the domain already, or another account has proved it, and with PLAN_LIMIT_REACHED when the plan
    /// allows no more domains.
    #[graphql(
        directive = Scoped::apply(Scope::DomainsManage, Depth::UserContext),
        directive = creates::apply(None),
        directive = idempotent::apply(),
        directive = Create::apply("/domains", "/domains/{id}")
    )]
    async fn create_domain(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The new domain.")] input: CreateDomainInput,
    ) -> Result<CustomDomain, ApiError> {
        let (app, act) = (ctx.app()?, ctx.act()?);
        let create = async {
            let created = ops::create(app, &act, &input.domain).await?;
            Ok(created.map(|domain| CustomDomain::new(domain, &app.config)))
        };
        execute(app, &act, create).await
    }

    /// Checks a domain's DNS records now, and answers the domain, whatever was found. Fails with NOT_FOUND when the
    /// account has no such domain, and with CONFLICT when another account has proved the name.
    #[graphql(
        directive = Scoped::apply(Scope::DomainsManage, Depth::UserContext),
        directive = Post::apply("/domains/{domainId}/verify")
    )]
    async fn verify_domain(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The domain's id.",
            directive = example::apply("019aa1c2-a1b2-7c3d-9e4f-5a6b7c8d9e0f".into())
        )]
        id: ID,
    ) -> Result<CustomDomain, ApiError> {
        let app = ctx.app()?;
        Ok(CustomDomain::new(ops::verify(app, &ctx.act()?, domain_id(&id)?).await?, &app.config))
    }

    /// Changes the settings of a custom domain; the next request to it follows them. Fails with NOT_FOUND when the account has no
    /// such domain, and with CONFLICT when case is to be ignored and slugs differ in case alone.
    #[graphql(
        directive = Scoped::apply(Scope::DomainsManage, Depth::UserContext),
        directive = Patch::apply("/domains/{domainId}")
    )]
    async fn update_domain(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The domain's id.",
            directive = example::apply("019aa1c2-a1b2-7c3d-9e4f-5a6b7c8d9e0f".into())
        )]
        id: ID,
        #[graphql(desc = "What to change.")] input: UpdateHostInput,
    ) -> Result<CustomDomain, ApiError> {
        let app = ctx.app()?;
        let change = SettingsChange { expected: ctx.expected(input.expected_updated_at), ..input.into() };
        let domain = ops::update(app, &ctx.act()?, domain_id(&id)?, change).await?;
        Ok(CustomDomain::new(domain, &app.config))
    }

    /// Deletes a custom domain with its settings, and answers its id. Its links stay, but answer 404 until the account has the
    /// domain again. Fails with NOT_FOUND when the account has no such domain.
    #[graphql(
        directive = Scoped::apply(Scope::DomainsManage, Depth::UserContext),
        directive = Delete::apply("/domains/{domainId}")
    )]
    async fn delete_domain(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The domain's id.",
            directive = example::apply("019aa1c2-a1b2-7c3d-9e4f-5a6b7c8d9e0f".into())
        )]
        id: ID,
    ) -> Result<ID, ApiError> {
        ops::delete(ctx.app()?, &ctx.act()?, domain_id(&id)?).await?;
        Ok(id)
    }

    /// Gives the pages that visitors see on a host a look and texts, in the place of those that it has: where no link leads on at once. The next
    /// visit sees them. What a link says itself, its notice and the URLs it leads to after its end, goes first. Pages of links that the operator has disabled
    /// stay the service's. Fails with NOT_FOUND when the account has no such domain or subdomain.
    #[graphql(
        directive = Scoped::apply(Scope::DomainsManage, Depth::UserContext),
        directive = Put::apply("/domains/hosts/{host}/pages")
    )]
    async fn set_host_pages(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "A domain or subdomain of the account.",
            directive = length::apply(1, MAX_DOMAIN),
            directive = example::apply("go.example.com".into())
        )]
        host: String,
        #[graphql(desc = "Look and texts.")] input: SetHostPagesInput,
    ) -> Result<HostPages, ApiError> {
        let expected = ctx.expected(input.expected_updated_at);
        let app = ctx.app()?;
        let pages = pages::set(app, &ctx.act()?, &host, input.into(), &expected).await?;
        Ok(HostPages::new(pages, &app.config.base_url))
    }
}
