//! Mutations of API keys.

use async_graphql::{Context, ID, Object};

use crate::{
    app::idempotent::execute,
    base::error::ApiError,
    features::api_keys::{
        ops::{self, NewApiKey},
        query::key_id,
        types::{CreateApiKeyInput, CreateApiKeyPayload},
    },
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, example, idempotent, rest},
        shorthands::Scoped,
    },
    platform::auth::{
        access::{Depth, creates},
        scope::Scope,
    },
};

/// See [`crate::api::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct ApiKeyMutation;

#[Object]
impl ApiKeyMutation {
    /// Creates an API key and shows it, this once. Fails with FORBIDDEN when a scope is asked that the caller does not have, and with PLAN_LIMIT_REACHED when the plan allows no more live keys.
    #[graphql(
        directive = Scoped::apply(Scope::ApiKeysManage, Depth::UserContext),
        directive = creates::apply(None),
        directive = idempotent::apply(),
        directive = rest::apply(HttpMethod::Post, "/api-keys".into(), 201, Some("/api-keys/{apiKey.id}".into()))
    )]
    async fn create_api_key(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The new key.")] input: CreateApiKeyInput,
    ) -> Result<CreateApiKeyPayload, ApiError> {
        let CreateApiKeyInput { name, scopes, expires_at, is_personal, allowed_networks } = input;
        let allowed_networks = allowed_networks.unwrap_or_default();
        let new = NewApiKey { name, scopes, expires_at: expires_at.map(|time| time.0), is_personal, allowed_networks };
        let (app, act) = (ctx.app()?, ctx.act()?);
        let create = async {
            let created = ops::create(app, &act, new).await?;
            Ok(created.map(|(key, text)| CreateApiKeyPayload { api_key: key.into(), key: text }))
        };
        execute(app, &act, create).await
    }

    /// Revokes an API key and answers its id: from then on it is refused. Fails with NOT_FOUND when the account has no
    /// such key; revoking a revoked one succeeds.
    #[graphql(
        directive = Scoped::apply(Scope::ApiKeysManage, Depth::UserContext),
        directive = rest::apply(HttpMethod::Delete, "/api-keys/{apiKeyId}".into(), 204, None)
    )]
    async fn revoke_api_key(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The key's id.",
            directive = example::apply("019aa1c2-9f3c-7e55-8d20-6e2d3f405162".into())
        )]
        id: ID,
    ) -> Result<ID, ApiError> {
        ops::revoke(ctx.app()?, &ctx.act()?, key_id(&id)?).await?;
        Ok(id)
    }
}
