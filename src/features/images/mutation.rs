//! Mutations of images.

use async_graphql::{Context, ID, Object};
use base64::{Engine, engine::general_purpose::STANDARD};

use crate::{
    base::error::ApiError,
    features::images::{
        ops,
        query::image_id,
        types::{Image, UploadImageInput},
    },
    graphql::{
        context::ContextExt,
        directives::example,
        shorthands::{Create, Delete, Scoped},
    },
    platform::auth::{
        access::{Depth, creates},
        scope::Scope,
    },
};

/// See [`crate::api::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct ImageMutation;

#[Object]
impl ImageMutation {
    /// Uploads an image. It is written anew with nothing but its pixels: upright, at most 2,400 pixels at a side, without what a camera or
    /// an editor adds, such as the place. A JPEG stays one; PNG and WebP become PNG, or JPEG where PNG would have more than 1 MiB and nothing is
    /// transparent. Of an animation the first frame is kept. The same file again is answered with the image that it became. Fails with
    /// VALIDATION_ERROR when the file is no such image, is damaged, or has more than 4,096 pixels at a side, and with PLAN_LIMIT_REACHED
    /// when the account has 500 images (`details.resource` is `images`) or 100 MiB of them (`imageBytes`).
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = creates::apply(Some(true)),
        directive = Create::apply("/images", "{url}")
    )]
    async fn upload_image(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The image.")] input: UploadImageInput,
    ) -> Result<Image, ApiError> {
        let app = ctx.app()?;
        let file = STANDARD.decode(input.content);
        let file = file.map_err(|_| ApiError::invalid_field("content", "must be base64, as RFC 4648 §4 has it"))?;
        let may_read = ctx.call()?.caller.has(Scope::LinksRead);
        let (image, is_new) = ops::upload(app, &ctx.act()?, file, may_read).await?;
        if !is_new {
            ctx.note_existing();
        }
        Ok(Image::new(image, &app.config.base_url))
    }

    /// Deletes an image, and answers its id. Its URL leads nowhere within a minute, also in cards and for QR codes that have it; whoever has
    /// fetched it may keep it. Pages of hosts with this logo have none from then on. Fails with NOT_FOUND when the account has no such image.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = Delete::apply("/images/{imageId}")
    )]
    async fn delete_image(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The image's id.",
            directive = example::apply("019aa1c8-5f6a-7b8c-9d0e-1f2a3b4c5d6e".into())
        )]
        id: ID,
    ) -> Result<ID, ApiError> {
        ops::delete(ctx.app()?, &ctx.act()?, image_id(&id)?).await?;
        Ok(id)
    }
}
