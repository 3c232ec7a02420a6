//! GraphQL types of images.

use async_graphql::{ID, InputObject, SimpleObject};

use super::ops::MAX_FILE;
use crate::{
    base::config::BaseUrl,
    graphql::{
        directives::{body, example, length},
        page::Paged,
        scalars::Timestamp,
    },
    platform::auth::{access::resource, scope::Scope},
    records::images::{self, repo::ImageFacts},
};

/// Characters of the longest file in base64 (RFC 4648 §4).
const MAX_BASE64: i32 = (MAX_FILE + 2) / 3 * 4;

/// An image that the account has uploaded, for cards and QR codes of its links.
#[derive(SimpleObject, Clone, Debug)]
#[graphql(directive = resource::apply(Scope::LinksRead))]
pub(crate) struct Image {
    /// Identifies the image.
    #[graphql(directive = example::apply("019aa1c8-5f6a-7b8c-9d0e-1f2a3b4c5d6e".into()))]
    id: ID,
    /// Where everybody who knows the URL gets the image.
    #[graphql(directive = example::apply("http://localhost:8080/images/019aa1c8-5f6a-7b8c-9d0e-1f2a3b4c5d6e.jpg".into()))]
    url: String,
    /// Width in pixels.
    #[graphql(directive = example::apply("1200".into()))]
    width: i32,
    /// Height in pixels.
    #[graphql(directive = example::apply("630".into()))]
    height: i32,
    /// Length in bytes.
    #[graphql(directive = example::apply("84213".into()))]
    size: i32,
    /// `image/png` or `image/jpeg`.
    #[graphql(directive = example::apply("image/jpeg".into()))]
    media_type: String,
    /// When it was uploaded.
    #[graphql(directive = example::apply("2026-11-28T14:33:38.125Z".into()))]
    created_at: Timestamp,
}

impl Image {
    pub(super) fn new(image: ImageFacts, base_url: &BaseUrl) -> Self {
        Image {
            id: image.id.into(),
            url: images::url(base_url, image.id, &image.media_type),
            width: image.width,
            height: image.height,
            size: image.size,
            media_type: image.media_type,
            created_at: Timestamp(image.created_at),
        }
    }
}

impl Paged for Image {
    const PAGE: &str = "ImagePageResult";
}

/// An image to upload.
#[derive(InputObject, Debug)]
pub(crate) struct UploadImageInput {
    /// A PNG, JPEG or WebP file of at most 1 MiB, in base64 (RFC 4648 §4). A request has at most 256 KiB, so that a file of more than about
    /// 190 KB comes as the body itself, over REST.
    #[graphql(
        directive = length::apply(1, MAX_BASE64),
        directive = body::apply(["image/png", "image/jpeg", "image/webp"].map(String::from).to_vec(), MAX_FILE),
        directive = example::apply(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==".into()
        )
    )]
    pub(super) content: String,
}
