//! How many exchanges a node may have at once, over all webhooks that it serves.

use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{Instant, timeout_at},
};

/// Permits for exchanges. Only a lane without an exchange waits for one, in turn; those that have exchanges get more only
/// while nobody waits. So receivers that hang cannot fill a queue before others, and there are no more waiting than lanes.
pub(crate) struct Exchanges(Semaphore);

impl Exchanges {
    /// So many at once.
    pub(crate) fn new(number: usize) -> Self {
        Exchanges(Semaphore::new(number))
    }

    /// A permit for a lane that has no exchange. `None`: there was none until then.
    pub(crate) async fn first(&self, until: Instant) -> Option<SemaphorePermit<'_>> {
        timeout_at(until, self.0.acquire()).await.ok()?.ok()
    }

    /// A permit for one more exchange of a lane. `None`: all are taken, or others wait.
    pub(crate) fn another(&self) -> Option<SemaphorePermit<'_>> {
        self.0.try_acquire().ok()
    }
}

#[cfg(test)]
mod tests {
    use std::{pin::pin, time::Duration};

    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn who_has_none_is_before_those_who_want_more() {
        let (exchanges, until) = (Exchanges::new(2), Instant::now() + Duration::from_secs(60));
        let one = exchanges.first(until).await.unwrap();
        let more = exchanges.another().unwrap();
        assert!(exchanges.another().is_none());
        let mut waiting = pin!(exchanges.first(until));
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(one);
        assert!(exchanges.another().is_none(), "it is for the one that waits");
        let other = waiting.await.unwrap();
        drop(more);
        assert!(exchanges.another().is_some());
        drop(other);
    }

    #[tokio::test]
    async fn who_waits_in_vain_keeps_nothing() {
        let exchanges = Exchanges::new(1);
        let one = exchanges.another().unwrap();
        let began = Instant::now();
        assert!(exchanges.first(began + Duration::from_millis(50)).await.is_none());
        assert!(began.elapsed() >= Duration::from_millis(50));
        // Interrupted when the permit was given to it already.
        let mut waiting = Box::pin(exchanges.first(began + Duration::from_secs(60)));
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(one);
        drop(waiting);
        assert!(exchanges.another().is_some());
    }
}
