//! Queries on custom domains.

use async_graphql::{Context, ID, Object};

use crate::{
    base::{
        error::{ApiError, Code},
        ids::DomainId,
        page::PageArgs,
        validate::MAX_DOMAIN,
    },
    features::domains::{
        hosts::{page_types::HostPages, pages},
        ops,
        types::CustomDomain,
    },
    graphql::{
        context::ContextExt,
        directives::{example, length},
        page::{Page, selected},
        shorthands::{Get, Scoped},
    },
    platform::auth::{access::Depth, scope::Scope},
};

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct DomainQuery;

#[Object]
impl DomainQuery {
    /// One page of the account's custom domains, newest first.
    #[graphql(
        directive = Scoped::apply(Scope::DomainsRead, Depth::UserContext),
        directive = Get::apply("/domains")
    )]
    async fn domains(
        &self,
        ctx: &Context<'_>,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Domains a page has at most, from 1 to 100.")] page_size: i32,
    ) -> Result<Page<CustomDomain>, ApiError> {
        let app = ctx.app()?;
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let (domains, total) = ops::list(app, ctx.call()?.account()?, args, selected(ctx)).await?;
        let domains = domains.into_iter().map(|domain| CustomDomain::new(domain, &app.config)).collect();
        Ok(Page::new(args, domains, total))
    }

    /// One custom domain. Fails with NOT_FOUND when the account has no such domain.
    #[graphql(
        directive = Scoped::apply(Scope::DomainsRead, Depth::UserContext),
        directive = Get::apply("/domains/{domainId}")
    )]
    async fn domain(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The domain's id.",
            directive = example::apply("019aa1c2-a1b2-7c3d-9e4f-5a6b7c8d9e0f".into())
        )]
        id: ID,
    ) -> Result<CustomDomain, ApiError> {
        let app = ctx.app()?;
        let domain = ops::domain(app, ctx.call()?.account()?, domain_id(&id)?).await?;
        Ok(CustomDomain::new(domain, &app.config))
    }

    /// Look and texts of the pages that visitors see on a host. Fails with NOT_FOUND when the account has no such domain or subdomain.
    #[graphql(
        directive = Scoped::apply(Scope::DomainsRead, Depth::Signature),
        directive = Get::apply("/domains/hosts/{host}/pages")
    )]
    async fn host_pages(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "A domain or subdomain of the account.",
            directive = length::apply(1, MAX_DOMAIN),
            directive = example::apply("go.example.com".into())
        )]
        host: String,
    ) -> Result<HostPages, ApiError> {
        let app = ctx.app()?;
        let pages = pages::pages(app, ctx.call()?.account()?, &host).await?;
        Ok(HostPages::new(pages, &app.config.base_url))
    }
}

/// Parses a domain's id; a malformed one is the error `NotFound`, like an unknown one.
pub(crate) fn domain_id(id: &ID) -> Result<DomainId, ApiError> {
    id.parse().map_err(|_| Code::NotFound.into())
}
