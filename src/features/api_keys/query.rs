//! Queries on API keys.

use async_graphql::{Context, ID, Object};

use crate::{
    base::{
        error::{ApiError, Code},
        ids::ApiKeyId,
        page::PageArgs,
    },
    features::api_keys::{ops, types::ApiKey},
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, example, rest},
        page::{Page, selected},
        shorthands::Scoped,
    },
    platform::auth::{access::Depth, scope::Scope},
};

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct ApiKeyQuery;

#[Object]
impl ApiKeyQuery {
    /// One page of the account's API keys, newest first, revoked ones included. Members who may not manage members see their own alone.
    #[graphql(
        directive = Scoped::apply(Scope::ApiKeysManage, Depth::UserContext),
        directive = rest::apply(HttpMethod::Get, "/api-keys".into(), 200, None)
    )]
    async fn api_keys(
        &self,
        ctx: &Context<'_>,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Keys a page has at most, from 1 to 100.")] page_size: i32,
    ) -> Result<Page<ApiKey>, ApiError> {
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let (keys, total) = ops::list(ctx.app()?, ctx.call()?, args, selected(ctx)).await?;
        Ok(Page::new(args, keys.into_iter().map(ApiKey::from).collect(), total))
    }

    /// One API key, live or not. Fails with NOT_FOUND when the account has no such key.
    #[graphql(
        directive = Scoped::apply(Scope::ApiKeysManage, Depth::UserContext),
        directive = rest::apply(HttpMethod::Get, "/api-keys/{apiKeyId}".into(), 200, None)
    )]
    async fn api_key(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The key's id.",
            directive = example::apply("019aa1c2-9f3c-7e55-8d20-6e2d3f405162".into())
        )]
        id: ID,
    ) -> Result<ApiKey, ApiError> {
        Ok(ops::key(ctx.app()?, ctx.call()?, key_id(&id)?).await?.into())
    }
}

/// Parses a key's id; a malformed one is the error `NotFound`, like an unknown one.
pub(crate) fn key_id(id: &ID) -> Result<ApiKeyId, ApiError> {
    id.parse().map_err(|_| Code::NotFound.into())
}
