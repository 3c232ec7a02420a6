//! Queries on images.

use async_graphql::{Context, ID, Object};

use crate::{
    base::{
        error::{ApiError, Code},
        page::PageArgs,
    },
    features::images::{ops, types::Image},
    graphql::{
        context::ContextExt,
        page::{Page, selected},
        shorthands::{Get, Scoped},
    },
    platform::auth::{access::Depth, scope::Scope},
    records::images::ImageId,
};

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct ImageQuery;

#[Object]
impl ImageQuery {
    /// One page of the account's images, newest first.
    #[graphql(
        directive = Scoped::apply(Scope::LinksRead, Depth::Signature),
        directive = Get::apply("/images")
    )]
    async fn images(
        &self,
        ctx: &Context<'_>,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Images a page has at most, from 1 to 100.")] page_size: i32,
    ) -> Result<Page<Image>, ApiError> {
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let (app, account) = (ctx.app()?, ctx.call()?.account()?);
        let (images, total) = ops::list(app, account, args, selected(ctx)).await?;
        let images = images.into_iter().map(|image| Image::new(image, &app.config.base_url));
        Ok(Page::new(args, images.collect(), total))
    }
}

/// Parses the id of an image. Fails with NOT_FOUND when the text is no valid id.
pub(super) fn image_id(id: &ID) -> Result<ImageId, ApiError> {
    id.parse().map_err(|_| Code::NotFound.into())
}
