//! Mutations of links.

use async_graphql::{Context, ID, Object};

use crate::{
    auth::{
        access::{Credential, Depth, access},
        scope::Scope,
    },
    error::ApiError,
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, example, rest},
    },
    links::{
        change_ops::{self, LinkChange},
        create_ops,
        creations::NewLink,
        link::Link,
        query::link_id,
        types::{CreateLinkInput, CreateLinkResult, CreateLinksInput, CreateLinksPayload, UpdateLinkInput, life},
    },
};

/// Links that one request may create.
const MAX_BULK: usize = 100;

/// See [`crate::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct LinkMutation;

#[Object]
impl LinkMutation {
    /// Creates a link. Fails with CONFLICT when the slug is taken or blocked on the domain, with NOT_FOUND when the account has
    /// no such domain, and with PLAN_LIMIT_REACHED when the plan allows no more links.
    #[graphql(
        directive = access::apply(Credential::Any, Some(Depth::Signature), Some(Scope::LinksWrite), None),
        directive = rest::apply(HttpMethod::Post, "/links".into(), 201, Some("/links/{id}".into())),
        directive = rest::apply(HttpMethod::Post, "/api/v1/links".into(), 201, Some("/links/{id}".into()))
    )]
    async fn create_link(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The new link.")] input: CreateLinkInput,
    ) -> Result<Link, ApiError> {
        let app = ctx.app()?;
        Ok(Link::new(create_ops::create(app, ctx.call()?.account()?, input.into()).await?, app))
    }

    /// Creates up to 100 links. Each has its own result; one that fails does not keep the others from being created.
    #[graphql(
        directive = access::apply(Credential::Any, Some(Depth::Signature), Some(Scope::LinksWrite), None),
        directive = rest::apply(HttpMethod::Post, "/links/bulk".into(), 200, None),
        directive = rest::apply(HttpMethod::Post, "/api/v1/links/bulk".into(), 200, None)
    )]
    async fn create_links(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The new links.")] input: CreateLinksInput,
    ) -> Result<CreateLinksPayload, ApiError> {
        let app = ctx.app()?;
        if !(1..=MAX_BULK).contains(&input.links.len()) {
            return Err(ApiError::invalid_field("links", format!("must have 1 to {MAX_BULK} items")));
        }
        let new = input.links.into_iter().map(NewLink::from).collect();
        let results = create_ops::create_many(app, ctx.call()?.account()?, new).await?;
        let results = results
            .into_iter()
            .map(|result| match result {
                Ok(link) => CreateLinkResult { link: Some(Link::new(link, app)), error: None },
                Err(error) => CreateLinkResult { link: None, error: Some(error.into()) },
            })
            .collect();
        Ok(CreateLinksPayload { results })
    }

    /// Changes a link; the next redirect follows. Fails with NOT_FOUND when the account has no such link, and with
    /// CONFLICT when the slug is taken or blocked on its domain, or the link itself is blocked and gets another one.
    #[graphql(
        directive = access::apply(Credential::Any, Some(Depth::Signature), Some(Scope::LinksWrite), None),
        directive = rest::apply(HttpMethod::Patch, "/links/{linkId}".into(), 200, None),
        directive = rest::apply(HttpMethod::Patch, "/api/v1/links/{linkId}".into(), 200, None)
    )]
    async fn update_link(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The link's id.",
            directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into())
        )]
        id: ID,
        #[graphql(desc = "What to change.")] input: UpdateLinkInput,
    ) -> Result<Link, ApiError> {
        let app = ctx.app()?;
        let UpdateLinkInput {
            destination_url,
            slug,
            is_active,
            starts_at,
            expires_at,
            expired_url,
            max_clicks,
            is_archived,
            clear,
        } = input;
        let life = life(starts_at, expires_at, expired_url, max_clicks);
        let change =
            LinkChange { destination_url, slug, is_active, life, is_archived, clear: clear.unwrap_or_default() };
        let link = change_ops::update(app, ctx.call()?.account()?, link_id(&id)?, change).await?;
        Ok(Link::new(link, app))
    }

    /// Deletes a link and its clicks, and answers its id. It stops redirecting at once, and its slug is free again.
    /// Fails with NOT_FOUND when the account has no such link.
    #[graphql(
        directive = access::apply(Credential::Any, Some(Depth::Signature), Some(Scope::LinksWrite), None),
        directive = rest::apply(HttpMethod::Delete, "/links/{linkId}".into(), 204, None),
        directive = rest::apply(HttpMethod::Delete, "/api/v1/links/{linkId}".into(), 204, None)
    )]
    async fn delete_link(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The link's id.",
            directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into())
        )]
        id: ID,
    ) -> Result<ID, ApiError> {
        change_ops::delete(ctx.app()?, ctx.call()?.account()?, link_id(&id)?).await?;
        Ok(id)
    }
}
