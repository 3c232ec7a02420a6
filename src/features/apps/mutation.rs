//! Mutations of links into apps.

use async_graphql::{Context, ID, Object};

use super::{
    hosts, keys,
    query::key_id,
    resolve,
    types::{
        CreatePublishableKeyInput, HostApps, PublishableKey, ResolveLinkInput, ResolvedLink, SetHostAppsInput,
        UpdatePublishableKeyInput,
    },
};
use crate::{
    app::idempotent::execute,
    base::{error::ApiError, validate::MAX_DOMAIN},
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, example, idempotent, length, rest},
        shorthands::{Create, Delete, Patch, Put, Scoped},
    },
    platform::auth::{
        access::{Credential, Depth, RateLimit, access, creates},
        scope::Scope,
    },
};

/// See [`crate::api::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct AppMutation;

#[Object]
impl AppMutation {
    /// Names the apps that open the links of a host, in the place of those that it has; its files follow at once, and phones read them when an
    /// app is installed or updated, Apple within a day. Fails with NOT_FOUND when the account has no such domain or
    /// subdomain.
    #[graphql(
        directive = Scoped::apply(Scope::DomainsManage, Depth::UserContext),
        directive = Put::apply("/apps/hosts/{host}")
    )]
    async fn set_host_apps(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "A domain or subdomain of the account.",
            directive = length::apply(1, MAX_DOMAIN),
            directive = example::apply("go.example.com".into())
        )]
        host: String,
        #[graphql(desc = "The apps.")] input: SetHostAppsInput,
    ) -> Result<HostApps, ApiError> {
        let expected = ctx.expected(input.expected_updated_at);
        Ok(hosts::set(ctx.app()?, &ctx.act()?, &host, input.into(), &expected).await?.into())
    }

    /// Creates a publishable key. Fails with PLAN_LIMIT_REACHED when the account has 20 keys.
    #[graphql(
        directive = Scoped::apply(Scope::DomainsManage, Depth::UserContext),
        directive = creates::apply(None),
        directive = idempotent::apply(),
        directive = Create::apply("/apps/keys", "/apps/keys/{id}")
    )]
    async fn create_publishable_key(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The new key.")] input: CreatePublishableKeyInput,
    ) -> Result<PublishableKey, ApiError> {
        let (app, act) = (ctx.app()?, ctx.act()?);
        let create = async {
            let created = keys::create(app, &act, &input.name, &input.hosts).await?;
            Ok(created.map(|key| PublishableKey::new(key, &app.config)))
        };
        execute(app, &act, create).await
    }

    /// Changes a publishable key; apps that ship with it go on with it. Fails with NOT_FOUND when the account has no such key.
    #[graphql(
        directive = Scoped::apply(Scope::DomainsManage, Depth::UserContext),
        directive = Patch::apply("/apps/keys/{publishableKeyId}")
    )]
    async fn update_publishable_key(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The key's id.",
            directive = example::apply("019aa1c9-2c3d-7e4f-8a5b-6c7d8e9f0a1b".into())
        )]
        id: ID,
        #[graphql(desc = "What to change.")] input: UpdatePublishableKeyInput,
    ) -> Result<PublishableKey, ApiError> {
        let (app, expected) = (ctx.app()?, ctx.expected(input.expected_updated_at));
        let key = keys::update(app, &ctx.act()?, key_id(&id)?, input.name, input.hosts, &expected).await?;
        Ok(PublishableKey::new(key, &app.config))
    }

    /// Deletes a publishable key, and answers its id; apps that ship with it are told nothing any more. Fails with NOT_FOUND when the
    /// account has no such key.
    #[graphql(
        directive = Scoped::apply(Scope::DomainsManage, Depth::UserContext),
        directive = Delete::apply("/apps/keys/{publishableKeyId}")
    )]
    async fn delete_publishable_key(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The key's id.",
            directive = example::apply("019aa1c9-2c3d-7e4f-8a5b-6c7d8e9f0a1b".into())
        )]
        id: ID,
    ) -> Result<ID, ApiError> {
        keys::delete(ctx.app()?, &ctx.act()?, key_id(&id)?).await?;
        Ok(id)
    }

    /// Tells an app that was opened by a short link, or was just installed by one, where the link leads. This counts as a click with the trigger
    /// `APP`. Six hundred times a minute per client address. Fails with NOT_FOUND when the key opens no such link, or the link does not redirect
    /// now, and with FORBIDDEN when the link asks its visitors for something.
    #[graphql(
        directive = access::apply(Credential::Public, None, None, Some(RateLimit::OfApps)),
        directive = rest::apply(HttpMethod::Post, "/api/v1/resolve".into(), 200, None)
    )]
    async fn resolve_link(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The question.")] input: ResolveLinkInput,
    ) -> Result<ResolvedLink, ApiError> {
        resolve::resolve(ctx.app()?, ctx.call()?, input).await
    }
}
