//! The time that a piece of work takes of processors and of the database, measured while it runs.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use parking_lot::Mutex;
use rustix::{
    thread::gettid,
    time::{ClockId, clock_gettime},
};
use tokio::task::{JoinError, spawn_blocking};

tokio::task_local! {
    static RUNNING: Arc<Meter>;
}

type Ended = Box<dyn FnOnce(Duration) + Send>;

/// The time that a piece of work has taken so far.
pub(crate) struct Meter {
    nanoseconds: AtomicU64,
    ended: Mutex<Option<Ended>>,
}

impl Meter {
    /// The meter of the running work. `None`: it is not measured.
    pub(crate) fn of_running_work() -> Option<Arc<Meter>> {
        RUNNING.try_with(Arc::clone).ok()
    }

    /// Has `ended` told what the work took in all when the last holder of the meter lets go, also if the work is dropped before its end:
    /// it may leave a statement behind, which counts until it has ended.
    pub(crate) fn tell(&self, ended: impl FnOnce(Duration) + Send + 'static) {
        *self.ended.lock() = Some(Box::new(ended));
    }

    /// Adds time that was taken elsewhere, such as by a database.
    pub(crate) fn add(&self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if let Some(ended) = self.ended.get_mut().take() {
            ended(Duration::from_nanos(*self.nanoseconds.get_mut()));
        }
    }
}

/// The number by which the kernel knows this thread.
pub(crate) fn thread() -> i32 {
    gettid().as_raw_nonzero().get()
}

/// Processor time that a thread of this process has taken since it began. `None`: there is no such thread.
#[expect(unsafe_code, reason = "libraries ask only for the clock of the calling thread")]
pub(crate) fn of(thread: i32) -> Option<Duration> {
    // As pthread_getcpuclockid(3) makes it: per thread, in nanoseconds.
    let clock = (!thread << 3) | 4 | 2;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the kernel writes the time, and refuses a clock that there is not.
    let told = unsafe { libc::clock_gettime(clock, &raw mut time) };
    (told == 0).then(|| duration(time.tv_sec, time.tv_nsec))
}

/// Processor time that this thread has taken since it began.
pub(crate) fn of_thread() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    duration(time.tv_sec, time.tv_nsec)
}

fn duration(seconds: i64, nanoseconds: i64) -> Duration {
    Duration::new(u64::try_from(seconds).unwrap_or_default(), u32::try_from(nanoseconds).unwrap_or_default())
}

/// Runs work and measures it: processor time of the threads that poll it, and what [`Meter::add`] adds.
pub(crate) async fn metered<T>(work: impl Future<Output = T>) -> T {
    let meter = Arc::new(Meter { nanoseconds: AtomicU64::new(0), ended: Mutex::default() });
    let polled = Polled { work: Box::pin(work), meter: Arc::clone(&meter) };
    RUNNING.scope(meter, polled).await
}

/// Runs work on a thread that serves no requests, and counts its processor time as that of the running work. Fails if it panics.
pub(crate) async fn elsewhere<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, JoinError> {
    let meter = Meter::of_running_work();
    let measured = move || {
        let before = of_thread();
        let outcome = work();
        if let Some(meter) = meter {
            meter.add(of_thread().saturating_sub(before));
        }
        outcome
    };
    spawn_blocking(measured).await
}

/// Measures the polls of work.
struct Polled<F> {
    work: Pin<Box<F>>,
    meter: Arc<Meter>,
}

impl<F: Future> Future for Polled<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let before = of_thread();
        let polled = self.work.as_mut().poll(context);
        self.meter.add(of_thread().saturating_sub(before));
        polled
    }
}

#[cfg(test)]
mod tests {
    use std::{future::pending, time::Instant};

    use futures_util::FutureExt;

    use super::*;

    fn compute(time: Duration) {
        let before = of_thread();
        while of_thread() - before < time {}
    }

    #[test]
    fn a_thread_is_measured_from_another() {
        let (told, this) = std::sync::mpsc::channel();
        let (end, ends) = std::sync::mpsc::channel::<()>();
        let other = std::thread::spawn(move || {
            compute(Duration::from_millis(20));
            told.send((thread(), of_thread())).unwrap();
            ends.recv().unwrap();
        });
        let (thread, own) = this.recv().unwrap();
        let seen = of(thread).unwrap();
        assert!(seen >= own && seen < 2 * own, "{own:?}, {seen:?}");
        end.send(()).unwrap();
        other.join().unwrap();
        // Linux has no thread of such a number (proc(5), pid_max).
        assert_eq!(of(5_000_000), None);
    }

    #[tokio::test]
    async fn polls_and_what_is_added_count_and_waits_do_not() {
        const UNIT: Duration = Duration::from_millis(20);
        let (told, took) = tokio::sync::oneshot::channel();
        let work = async {
            Meter::of_running_work().unwrap().tell(|time| told.send(time).unwrap());
            compute(UNIT);
            tokio::time::sleep(3 * UNIT).await;
            compute(UNIT);
            Meter::of_running_work().unwrap().add(UNIT);
        };
        metered(work).await;
        let took = took.await.unwrap();
        assert!((3 * UNIT..5 * UNIT).contains(&took), "{took:?}");
        assert!(Meter::of_running_work().is_none());
    }

    #[tokio::test]
    async fn dropped_work_is_told_once_all_that_it_began_has_ended() {
        let (told, mut took) = tokio::sync::oneshot::channel();
        let (leave, left) = tokio::sync::oneshot::channel();
        let work = async {
            let meter = Meter::of_running_work().unwrap();
            meter.tell(|time| told.send(time).unwrap());
            leave.send(meter).ok().unwrap();
            pending::<()>().await;
        };
        assert!(metered(work).now_or_never().is_none());
        let statement = left.await.unwrap();
        assert!(took.try_recv().is_err());
        statement.add(Duration::from_secs(3));
        drop(statement);
        let began = Instant::now();
        assert!((3..5).contains(&took.await.unwrap().as_secs()) && began.elapsed().as_secs() < 1);
    }
}
