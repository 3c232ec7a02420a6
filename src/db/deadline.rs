//! Limits on how long work may wait for the database, and the number of statements that it executes.

use std::{sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::time::{Instant, timeout};

use super::options::STATEMENT_TIMEOUT;

/// How long a request may wait for the database in all, so that it is answered within 5 seconds. What else it waits for,
/// such as a payment provider, has limits of its own.
pub const REQUEST: Duration = Duration::from_millis(4_500);
/// How long any other statement may take: PostgreSQL itself ends it first.
pub(crate) const STATEMENT: Duration = STATEMENT_TIMEOUT.saturating_add(Duration::from_secs(5));

tokio::task_local! {
    static RUNNING: Arc<Mutex<Work>>;
}

/// How long work may wait for the database.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// For all statements together.
    InAll(Duration),
    /// For each statement.
    Each(Duration),
}

/// Work that runs within a limit.
#[derive(Debug)]
struct Work {
    limit: Limit,
    statements: u64,
    /// Number of waits under way. Several parts of a request may wait at once: overlapping times count once.
    waits: usize,
    /// When the first of these waits began.
    since: Instant,
    /// Total time of the waits before.
    waited: Duration,
}

/// Runs work with a limit on how long it may wait for PostgreSQL.
pub async fn within<T>(limit: Limit, work: impl Future<Output = T>) -> T {
    let (output, statements) = counting(limit, work).await;
    count_statements(statements);
    output
}

/// Runs work with a limit on how long it may wait for PostgreSQL, and returns the number of statements that it executed.
pub async fn counting<T>(limit: Limit, work: impl Future<Output = T>) -> (T, u64) {
    let running = Work { limit, statements: 0, waits: 0, since: Instant::now(), waited: Duration::ZERO };
    let running = Arc::new(Mutex::new(running));
    let output = RUNNING.scope(Arc::clone(&running), work).await;
    let statements = running.lock().statements;
    (output, statements)
}

/// Counts statements that were executed for the running work in another task. Without such work, nothing is counted.
pub(crate) fn count_statements(statements: u64) {
    let _ = RUNNING.try_with(|running| running.lock().statements += statements);
}

/// Waits for an answer of the database until the deadline of the running work. `None`: the deadline has passed.
pub(crate) async fn wait_for<T>(answer: impl Future<Output = T>) -> Option<T> {
    let Ok(running) = RUNNING.try_with(Arc::clone) else { return timeout(STATEMENT, answer).await.ok() };
    let wait = Wait::begin(&running);
    timeout(wait.rest, answer).await.ok()
}

/// A wait under way.
struct Wait<'a> {
    running: &'a Mutex<Work>,
    rest: Duration,
}

impl<'a> Wait<'a> {
    fn begin(running: &'a Mutex<Work>) -> Self {
        let mut work = running.lock();
        if work.waits == 0 {
            work.since = Instant::now();
        }
        work.waits += 1;
        let rest = match work.limit {
            Limit::Each(limit) => limit,
            Limit::InAll(limit) => limit.saturating_sub(work.waited + work.since.elapsed()),
        };
        Wait { running, rest }
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        let mut work = self.running.lock();
        work.waits -= 1;
        if work.waits == 0 {
            let waited = work.since.elapsed();
            work.waited += waited;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use tokio::time::sleep;

    use super::*;

    const UNIT: Duration = Duration::from_millis(200);

    #[tokio::test]
    async fn earlier_waits_shorten_the_limit_of_all_statements() {
        let began = Instant::now();
        let work = async {
            assert_eq!(wait_for(sleep(UNIT)).await, Some(()));
            // Not for the database.
            sleep(4 * UNIT).await;
            // At once, and so for one unit.
            let (one, other) = tokio::join!(wait_for(sleep(UNIT)), async {
                sleep(UNIT / 2).await;
                wait_for(sleep(UNIT / 2)).await
            });
            assert_eq!((one, other), (Some(()), Some(())));
            assert_eq!(wait_for(pending::<()>()).await, None);
            let used_up = Instant::now();
            assert_eq!(wait_for(pending::<()>()).await, None);
            assert!(used_up.elapsed() < UNIT);
        };
        within(Limit::InAll(4 * UNIT), work).await;
        assert!((8 * UNIT..11 * UNIT).contains(&began.elapsed()), "{:?}", began.elapsed());
    }

    #[tokio::test]
    async fn earlier_waits_do_not_shorten_the_limit_of_each_statement() {
        let began = Instant::now();
        let work = async {
            for _ in 0..3 {
                assert_eq!(wait_for(pending::<()>()).await, None);
            }
            count_statements(3);
        };
        let ((), counted) = counting(Limit::InAll(UNIT), within(Limit::Each(UNIT), work)).await;
        assert_eq!(counted, 3);
        assert!(began.elapsed() >= 3 * UNIT);
    }
}
