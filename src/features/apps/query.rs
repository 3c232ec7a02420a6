//! Queries on links into apps.

use async_graphql::{Context, ID, Object};

use super::{
    hosts, keys,
    types::{HostApps, PublishableKey},
};
use crate::{
    base::{
        error::{ApiError, Code},
        page::PageArgs,
        validate::MAX_DOMAIN,
    },
    graphql::{
        context::ContextExt,
        directives::{example, length},
        page::{Page, selected},
        shorthands::{Get, Scoped},
    },
    platform::auth::{access::Depth, scope::Scope},
    records::apps::PublishableKeyId,
};

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct AppQuery;

#[Object]
impl AppQuery {
    /// Apps that open the links of a host. Fails with NOT_FOUND when the account has no such domain or subdomain.
    #[graphql(
        directive = Scoped::apply(Scope::DomainsRead, Depth::Signature),
        directive = Get::apply("/apps/hosts/{host}")
    )]
    async fn host_apps(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "A domain or subdomain of the account.",
            directive = length::apply(1, MAX_DOMAIN),
            directive = example::apply("go.example.com".into())
        )]
        host: String,
    ) -> Result<HostApps, ApiError> {
        Ok(hosts::apps(ctx.app()?, ctx.call()?.account()?, &host).await?.into())
    }

    /// One page of the account's publishable keys, newest first.
    #[graphql(
        directive = Scoped::apply(Scope::DomainsRead, Depth::Signature),
        directive = Get::apply("/apps/keys")
    )]
    async fn publishable_keys(
        &self,
        ctx: &Context<'_>,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Keys a page has at most, from 1 to 100.")] page_size: i32,
    ) -> Result<Page<PublishableKey>, ApiError> {
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let (app, account) = (ctx.app()?, ctx.call()?.account()?);
        let (keys, total) = keys::list(app, account, args, selected(ctx)).await?;
        let keys = keys.into_iter().map(|key| PublishableKey::new(key, &app.config));
        Ok(Page::new(args, keys.collect(), total))
    }

    /// One publishable key. Fails with NOT_FOUND when the account has no such key.
    #[graphql(
        directive = Scoped::apply(Scope::DomainsRead, Depth::Signature),
        directive = Get::apply("/apps/keys/{publishableKeyId}")
    )]
    async fn publishable_key(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The key's id.",
            directive = example::apply("019aa1c9-2c3d-7e4f-8a5b-6c7d8e9f0a1b".into())
        )]
        id: ID,
    ) -> Result<PublishableKey, ApiError> {
        let app = ctx.app()?;
        Ok(PublishableKey::new(keys::key(app, ctx.call()?.account()?, key_id(&id)?).await?, &app.config))
    }
}

/// Parses the id of a key. Fails with NOT_FOUND when the text is no valid id.
pub(super) fn key_id(id: &ID) -> Result<PublishableKeyId, ApiError> {
    id.parse().map_err(|_| Code::NotFound.into())
}
