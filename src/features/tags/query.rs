//! Queries on tags.

use async_graphql::{Context, ID, Object};

use crate::{
    base::{
        error::{ApiError, Code},
        page::PageArgs,
    },
    features::tags::{
        ops::{self, MAX_SEARCH},
        types::Tag,
    },
    graphql::{
        context::ContextExt,
        directives::{example, length},
        page::{Page, selected},
        shorthands::{Get, Scoped},
    },
    platform::auth::{access::Depth, scope::Scope},
    records::tags::TagId,
};

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct TagQuery;

#[Object]
impl TagQuery {
    /// One page of the account's tags, by name.
    #[graphql(
        directive = Scoped::apply(Scope::LinksRead, Depth::Signature),
        directive = Get::apply("/tags")
    )]
    async fn tags(
        &self,
        ctx: &Context<'_>,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Tags a page has at most, from 1 to 100.")] page_size: i32,
        #[graphql(
            desc = "Only tags whose name contains this text, in any case. Absent or empty: all.",
            directive = length::apply(0, MAX_SEARCH),
            directive = example::apply("spring".into())
        )]
        search: Option<String>,
    ) -> Result<Page<Tag>, ApiError> {
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let (app, account) = (ctx.app()?, ctx.call()?.account()?);
        let (tags, total) = ops::list(app, account, &search.unwrap_or_default(), args, selected(ctx)).await?;
        Ok(Page::new(args, tags.into_iter().map(Tag::from).collect(), total))
    }

    /// One tag. Fails with NOT_FOUND when the account has no such tag.
    #[graphql(
        directive = Scoped::apply(Scope::LinksRead, Depth::Signature),
        directive = Get::apply("/tags/{tagId}")
    )]
    async fn tag(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The tag's id.",
            directive = example::apply("019aa1c6-3d4e-7f50-8a1b-2c3d4e5f6071".into())
        )]
        id: ID,
    ) -> Result<Tag, ApiError> {
        Ok(ops::tag(ctx.app()?, ctx.call()?.account()?, tag_id(&id)?).await?.into())
    }
}

/// Parses the id of a tag. Fails with NOT_FOUND when the text is no valid id.
pub(super) fn tag_id(id: &ID) -> Result<TagId, ApiError> {
    id.parse().map_err(|_| Code::NotFound.into())
}
