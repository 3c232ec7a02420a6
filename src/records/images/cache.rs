//! Images in memory, so that a flood of requests for one asks the database once a minute.

use bytes::Bytes;

use super::ImageId;
use crate::base::{
    clock::MINUTE,
    ids::AccountId,
    shared_cache::{Cached, SharedCache},
};

/// Bytes of images held at most.
const MAX_BYTES: u64 = 16 << 20;

/// An image as it is served.
#[derive(Clone, Debug)]
pub(crate) struct ServedImage {
    pub(crate) account: AccountId,
    pub(crate) media_type: String,
    pub(crate) content: Bytes,
}

/// `None`: there is no image with the id.
impl Cached for Option<ServedImage> {
    fn weight(&self) -> u64 {
        self.as_ref().map_or(0, |image| image.content.len() as u64)
    }
}

/// Images that were asked for lately, and ids without one.
pub(crate) type ImageCache = SharedCache<ImageId, Option<ServedImage>>;

/// An image is served from memory for a minute: for so long, other nodes serve one that was deleted on one.
pub(crate) fn image_cache() -> ImageCache {
    SharedCache::new(MAX_BYTES, MINUTE)
}
