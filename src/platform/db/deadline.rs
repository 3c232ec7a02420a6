//! Limits on how long work may wait for the database, and the number of statements that it executes.

use std::{sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::time::{Instant, timeout};

use super::{
    options::STATEMENT_TIMEOUT,
    purpose::{Owner, Purpose},
};

/// How long a request may wait for the database in all, so that it is answered within 5 seconds. What else it waits for,
/// such as a payment provider, has limits of its own.
pub const REQUEST: Duration = Duration::from_millis(4_500);
/// How long any other statement may take: PostgreSQL itself ends it first.
pub(crate) const STATEMENT: Duration = STATEMENT_TIMEOUT.saturating_add(Duration::from_secs(5));

tokio::task_local! {
    static RUNNING: Arc<Mutex<Work>>;
    /// Set within the work of a snapshot.
    static IN_SNAPSHOT: ();
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
    /// The connections that it takes.
    purpose: Purpose,
    owner: Owner,
    /// Changes that it has begun and not ended.
    changes: usize,
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

/// Runs work with a limit on how long it may wait for PostgreSQL, and returns the number of statements that it executed. It takes
/// connections as the enclosing work does; without any, those of background work.
pub fn counting<T>(limit: Limit, work: impl Future<Output = T>) -> impl Future<Output = (T, u64)> {
    counting_as(limit, (purpose(), owner()), work)
}

/// Runs a request of an owner, who is told by [`act_for`] once it is known better.
pub(crate) fn request<T>(limit: Limit, owner: Owner, work: impl Future<Output = T>) -> impl Future<Output = (T, u64)> {
    counting_as(limit, (Purpose::Requests, owner), work)
}

/// Runs a part of an answer that is sent while more is read.
pub(crate) async fn export<T>(owner: Owner, work: impl Future<Output = T>) -> T {
    counting_as(Limit::InAll(REQUEST), (Purpose::Scans, owner), work).await.0
}

/// Runs work that several requests have asked for, on the connections that these take.
pub(super) fn batch<T>(purpose: Purpose, work: impl Future<Output = T>) -> impl Future<Output = (T, u64)> {
    counting_as(Limit::InAll(REQUEST), (purpose, Owner::Service), work)
}

/// Runs work of the service itself, on the connections of a purpose.
pub(crate) fn service<T>(purpose: Purpose, work: impl Future<Output = T>) -> impl Future<Output = T> {
    // Boxed, since it is long.
    let work = Box::pin(work);
    async move { counting_as(Limit::Each(STATEMENT), (purpose, Owner::Service), work).await.0 }
}

fn counting_as<T>(
    limit: Limit,
    (purpose, owner): (Purpose, Owner),
    work: impl Future<Output = T>,
) -> impl Future<Output = (T, u64)> {
    let (waits, waited) = (0, Duration::ZERO);
    let running = Work { limit, purpose, owner, changes: 0, statements: 0, waits, since: Instant::now(), waited };
    let running = Arc::new(Mutex::new(running));
    let scope = RUNNING.scope(Arc::clone(&running), work);
    async move {
        let output = scope.await;
        let statements = running.lock().statements;
        (output, statements)
    }
}

/// Tells for whom the running work is done from now on.
pub(crate) fn act_for(owner: Owner) {
    let _ = RUNNING.try_with(|running| running.lock().owner = owner);
}

/// For whom the running work is done.
pub(super) fn owner() -> Owner {
    RUNNING.try_with(|running| running.lock().owner).unwrap_or(Owner::Service)
}

/// The connections that the running work takes.
pub(super) fn purpose() -> Purpose {
    RUNNING.try_with(|running| running.lock().purpose).unwrap_or(Purpose::Work)
}

/// Whether a request is being answered.
pub(super) fn is_request() -> bool {
    matches!(purpose(), Purpose::Requests | Purpose::Scans)
}

/// Marks work that reads in a snapshot.
pub(super) async fn in_snapshot<T>(work: impl Future<Output = T>) -> T {
    IN_SNAPSHOT.scope((), work).await
}

/// Whether the running work reads in a snapshot.
pub(super) fn is_in_snapshot() -> bool {
    IN_SNAPSHOT.try_with(|()| ()).is_ok()
}

/// A change of the running work that has begun, until it is dropped.
#[derive(Debug)]
pub(super) struct Changing(Option<Arc<Mutex<Work>>>);

impl Changing {
    /// Notes that a change has begun.
    pub(super) fn begin() -> Self {
        let running = RUNNING.try_with(Arc::clone).ok();
        running.iter().for_each(|running| running.lock().changes += 1);
        Changing(running)
    }
}

impl Drop for Changing {
    fn drop(&mut self) {
        self.0.iter().for_each(|running| running.lock().changes -= 1);
    }
}

/// Fails in tests and debug builds if the running work asks for a connection while it holds one: as many that do so as there are
/// connections would wait for each other.
pub(super) fn must_hold_nothing() {
    let holds = is_in_snapshot() || RUNNING.try_with(|running| running.lock().changes > 0).unwrap_or(false);
    if holds {
        debug_assert!(false, "a connection is asked for while one is held");
        tracing::error!("A connection to the database is asked for while one is held");
    }
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
