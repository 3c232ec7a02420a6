//! Images in memory, so that a flood of requests for one asks the database once a minute.

use bytes::Bytes;
use quick_cache::{Weighter, sync::Cache};

use super::ImageId;
use crate::base::{
    clock::{MINUTE, UnixMillis},
    ids::AccountId,
    weight::ENTRY,
};

/// Bytes of images held at most.
const MAX_BYTES: u64 = 16 << 20;
/// Entries that are expected: few, so that the cache is divided into few parts, each of which has room for the longest image.
const EXPECTED: usize = 64;
/// How long an image is served from memory, or known to be none: for so long, other nodes serve an image that was deleted on one.
const LIFETIME: UnixMillis = MINUTE;

/// An image as it is served.
#[derive(Clone, Debug)]
pub(crate) struct ServedImage {
    pub(crate) account: AccountId,
    pub(crate) media_type: String,
    pub(crate) content: Bytes,
}

/// An image, or that there is none with the id, and until when this is believed.
type Known = (Option<ServedImage>, UnixMillis);

/// Weighs contents.
#[derive(Clone)]
struct ByContent;

impl Weighter<ImageId, Known> for ByContent {
    fn weight(&self, _: &ImageId, (image, _): &Known) -> u64 {
        ENTRY + image.as_ref().map_or(0, |image| image.content.len() as u64)
    }
}

/// Images that were asked for lately, and ids without one.
pub(crate) struct ImageCache {
    known: Cache<ImageId, Known, ByContent>,
    /// Ids whose images are being read.
    reading: Cache<ImageId, ()>,
}

impl Default for ImageCache {
    fn default() -> Self {
        ImageCache { known: Cache::with_weighter(EXPECTED, MAX_BYTES, ByContent), reading: Cache::new(EXPECTED) }
    }
}

impl ImageCache {
    /// The image with this id. `load` reads it if it is not known: once for concurrent requests. `Ok(None)`: there is none.
    pub(crate) async fn get<E>(
        &self,
        id: ImageId,
        now: UnixMillis,
        load: impl AsyncFnOnce() -> Result<Option<ServedImage>, E>,
    ) -> Result<Option<ServedImage>, E> {
        if let Some(known) = self.known(id, now) {
            return Ok(known);
        }
        // No value is ever put there: whoever has the place reads, and the next one looks again.
        let _place = self.reading.get_value_or_guard_async(&id).await;
        if let Some(known) = self.known(id, now) {
            return Ok(known);
        }
        let found = load().await?;
        self.known.insert(id, (found.clone(), now + LIFETIME));
        Ok(found)
    }

    /// Forgets an image that was deleted.
    pub(crate) fn evict(&self, id: ImageId) {
        self.known.remove(&id);
    }

    fn known(&self, id: ImageId, now: UnixMillis) -> Option<Option<ServedImage>> {
        self.known.get(&id).filter(|(_, until)| *until > now).map(|(image, _)| image)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::future::join_all;
    use tokio::task::yield_now;

    use super::*;

    fn image(length: usize) -> ServedImage {
        ServedImage { account: AccountId::new(), media_type: "image/png".to_owned(), content: vec![0; length].into() }
    }

    #[tokio::test]
    async fn an_image_is_read_again_after_a_minute() {
        let (cache, id) = (ImageCache::default(), ImageId::new());
        let length = async |now, found: Result<Option<usize>, ()>| {
            cache
                .get(id, now, async || found.map(|found| found.map(image)))
                .await
                .map(|it| it.map(|it| it.content.len()))
        };
        assert_eq!(length(0, Ok(None)).await, Ok(None));
        assert_eq!(length(LIFETIME - 1, Err(())).await, Ok(None));
        assert_eq!(length(LIFETIME, Ok(Some(7))).await, Ok(Some(7)));
        assert_eq!(length(2 * LIFETIME - 1, Err(())).await, Ok(Some(7)));
        cache.evict(id);
        assert_eq!(length(LIFETIME, Err(())).await, Err(()));
    }

    #[tokio::test]
    async fn an_image_is_read_once_for_all_who_ask_at_once() {
        let (cache, id, reads) = (ImageCache::default(), ImageId::new(), AtomicUsize::new(0));
        let read = async || {
            reads.fetch_add(1, Ordering::SeqCst);
            yield_now().await;
            Ok::<_, ()>(Some(image(7)))
        };
        for now in [0, LIFETIME] {
            let found = join_all((0..64).map(|_| cache.get(id, now, read))).await;
            assert!(found.iter().all(|found| matches!(found, Ok(Some(_)))));
        }
        assert_eq!(reads.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn the_longest_images_are_kept_and_all_together_have_a_bound() {
        let cache = ImageCache::default();
        let ids: Vec<ImageId> = (0..100).map(|_| ImageId::new()).collect();
        for id in &ids {
            let known = cache.get(*id, 0, async || Ok::<_, ()>(Some(image(1 << 20)))).await;
            assert!(known.is_ok_and(|known| known.is_some()));
            assert!(cache.known.peek(id).is_some());
        }
        assert!(cache.known.weight() <= MAX_BYTES);
    }
}
