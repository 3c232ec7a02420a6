//! Mutations of tags.

use async_graphql::{Context, ID, Object};

use crate::{
    app::idempotent::execute,
    base::error::ApiError,
    features::tags::{
        ops,
        query::tag_id,
        types::{CreateTagInput, MergeTagInput, Tag, UpdateTagInput},
    },
    graphql::{
        context::ContextExt,
        directives::{example, idempotent},
        shorthands::{Create, Delete, Patch, Post, Scoped},
    },
    platform::auth::{
        access::{Depth, creates},
        scope::Scope,
    },
};

/// See [`crate::api::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct TagMutation;

#[Object]
impl TagMutation {
    /// Creates a tag that no link has yet. Links also make the tags that they are given. Fails with CONFLICT when a tag has the name,
    /// and with PLAN_LIMIT_REACHED when the account has 10,000 tags.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = creates::apply(None),
        directive = idempotent::apply(),
        directive = Create::apply("/tags", "/tags/{id}")
    )]
    async fn create_tag(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The new tag.")] input: CreateTagInput,
    ) -> Result<Tag, ApiError> {
        let (app, act) = (ctx.app()?, ctx.act()?);
        let create = async { Ok(ops::create(app, &act, &input.name).await?.map(Tag::from)) };
        execute(app, &act, create).await
    }

    /// Gives a tag another name, which all its links show from now on, without an event for each. Fails with NOT_FOUND when the account
    /// has no such tag, and with CONFLICT when another tag has the name: `mergeTag` makes one of two.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = Patch::apply("/tags/{tagId}")
    )]
    async fn update_tag(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The tag's id.",
            directive = example::apply("019aa1c6-3d4e-7f50-8a1b-2c3d4e5f6071".into())
        )]
        id: ID,
        #[graphql(desc = "What to change.")] input: UpdateTagInput,
    ) -> Result<Tag, ApiError> {
        let expected = ctx.expected(input.expected_updated_at);
        Ok(ops::rename(ctx.app()?, &ctx.act()?, tag_id(&id)?, input.name.as_deref(), &expected).await?.into())
    }

    /// Gives the links of a tag another tag in its place, deletes the first, and answers the other one. Links that have both keep one.
    /// There is no event for each link. Fails with NOT_FOUND when the account lacks one of the two tags.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = Post::apply("/tags/{tagId}/merge")
    )]
    async fn merge_tag(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The id of the tag that goes.",
            directive = example::apply("019aa1c6-3d4e-7f50-8a1b-2c3d4e5f6071".into())
        )]
        id: ID,
        #[graphql(desc = "The tag that stays.")] input: MergeTagInput,
    ) -> Result<Tag, ApiError> {
        let into = tag_id(&input.into)?;
        Ok(ops::merge(ctx.app()?, &ctx.act()?, tag_id(&id)?, into).await?.into())
    }

    /// Deletes a tag, takes it from its links, without an event for each, and answers its id. Fails with NOT_FOUND when the account has
    /// no such tag.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = Delete::apply("/tags/{tagId}")
    )]
    async fn delete_tag(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The tag's id.",
            directive = example::apply("019aa1c6-3d4e-7f50-8a1b-2c3d4e5f6071".into())
        )]
        id: ID,
    ) -> Result<ID, ApiError> {
        ops::delete(ctx.app()?, &ctx.act()?, tag_id(&id)?).await?;
        Ok(id)
    }
}
