//! The limit on concurrent exchanges of a node, over all webhooks that it serves.

use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{Instant, timeout_at},
};

/// Permits for exchanges. Only lanes without an exchange wait for a permit, first come, first served. A lane with exchanges gets another
/// permit only while no lane waits, so that receivers that hang can't fill the queue. The queue is at most as long as there are lanes.
pub(crate) struct Exchanges(Semaphore);

impl Exchanges {
    /// `number`: the limit.
    pub(crate) fn new(number: usize) -> Self {
        Exchanges(Semaphore::new(number))
    }

    /// Waits for a permit for a lane without an exchange. `None`: no permit was free until `until`.
    pub(crate) async fn first(&self, until: Instant) -> Option<SemaphorePermit<'_>> {
        timeout_at(until, self.0.acquire()).await.ok()?.ok()
    }

    /// A permit for one more exchange of a lane. `None`: all permits are taken, or lanes wait for them.
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
    async fn lanes_without_an_exchange_get_permits_first() {
        let (exchanges, until) = (Exchanges::new(2), Instant::now() + Duration::from_secs(60));
        let one = exchanges.first(until).await.unwrap();
        let more = exchanges.another().unwrap();
        assert!(exchanges.another().is_none());
        let mut waiting = pin!(exchanges.first(until));
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(one);
        assert!(exchanges.another().is_none(), "the permit is for the lane that waits");
        let other = waiting.await.unwrap();
        drop(more);
        assert!(exchanges.another().is_some());
        drop(other);
    }

    #[tokio::test]
    async fn an_abandoned_wait_keeps_no_permit() {
        let exchanges = Exchanges::new(1);
        let one = exchanges.another().unwrap();
        let began = Instant::now();
        assert!(exchanges.first(began + Duration::from_millis(50)).await.is_none());
        assert!(began.elapsed() >= Duration::from_millis(50));
        // The wait is cancelled after it was assigned the permit.
        let mut waiting = Box::pin(exchanges.first(began + Duration::from_secs(60)));
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(one);
        drop(waiting);
        assert!(exchanges.another().is_some());
    }
}
