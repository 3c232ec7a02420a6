//! Threads that API requests run on, so that those that answer redirects are never held by one: an executor with two lanes.
//!
//! Most of a request runs in the usual lane. A document that costs much goes to the idle lane ([`when_idle`]), whose threads
//! have what everything else leaves of the processors (`SCHED_IDLE`, `sched(7)`): niceness is not enough, since a nice thread
//! that got the processor keeps it for its time slice, whoever wakes up meanwhile. Only the compute runs there: statements
//! wait in the usual lane ([`at_usual_priority`]), because a thread that SQLite starts has the priority of the one that
//! started it, and because locks that redirects take as well must not be held by a thread that gets no processor.
//!
//! On a machine whose processors are all busy, the kernel runs no idle thread. So one more thread of the usual priority, the relief
//! thread, polls tasks that have waited in the idle lane for too long. While redirects arrive, it sleeps after each poll, 19 times as
//! long as the poll took and at most a second: the API is slow then, but not blocked. Without redirects it does not sleep.
//!
//! Timers, sockets and tasks that requests spawn belong to the runtime in which the threads were started.

mod queue;
mod task;

use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use anyhow::Context;
use tokio::{
    runtime::{Builder, Handle, Runtime},
    sync::oneshot,
    task::yield_now,
};

pub(crate) use self::task::{at_usual_priority, when_idle};
use self::{
    queue::Queue,
    task::{Lane, Lanes, Task, poll, spawn},
};
use crate::base::{machine, priority};

/// Bytes of a thread's stack, of which only what was used takes memory. Debug builds, which keep apart what optimised ones share, used more than 1.9 MB of
/// the usual 2 MiB for a login.
const STACK: usize = 4 << 20;
/// While redirects arrive: how long a task waits in the idle lane before the relief thread polls it.
const PATIENCE: Duration = Duration::from_millis(100);
/// How long a task waits in the idle lane before the relief thread considers it, and how long until it does so again. If no redirect
/// was counted since the last time, the task is polled.
const QUIET: Duration = Duration::from_millis(20);
/// While redirects arrive, the relief thread works for one part in `REST` of its time, and sleeps for the others.
const REST: u32 = 20;
/// Longest sleep of the relief thread after a poll.
const MAX_REST: Duration = Duration::from_secs(1);

/// The threads that run API requests. Dropping this ends them, and drops the queued requests.
pub struct ApiThreads(Arc<Lanes>);

impl ApiThreads {
    /// Starts a thread for each core in the usual lane and half as many in the idle one, at least one. `redirects` counts
    /// redirects. Must be called in the runtime that timers and sockets are to belong to.
    pub(crate) fn start(redirects: impl Fn() -> u64 + Send + 'static) -> anyhow::Result<Self> {
        let cores = machine::cores();
        Self::of(cores, (cores / 2).max(1), redirects)
    }

    fn of(usual: u32, idle: u32, redirects: impl Fn() -> u64 + Send + 'static) -> anyhow::Result<Self> {
        let threads = ApiThreads(Arc::default());
        for _ in 0..usual {
            threads.thread("api", |lanes, poller| work(&lanes.usual, poller, Lane::Usual))?;
        }
        for _ in 0..idle {
            threads.thread("api-idle", |lanes, poller| {
                if let Err(error) = priority::only_when_idle() {
                    tracing::warn!(%error, "Costly documents are executed at the priority of everything else");
                }
                work(&lanes.idle, poller, Lane::Idle);
            })?;
        }
        threads.thread("api-relief", move |lanes, poller| relieve(&lanes.idle, poller, &redirects))?;
        Ok(threads)
    }

    fn thread(&self, name: &str, work: impl FnOnce(&Lanes, &Poller) + Send + 'static) -> anyhow::Result<()> {
        let lanes = Arc::clone(&self.0);
        let scheduler = Builder::new_current_thread().build().context("can't start a scheduler")?;
        let poller = Poller { runtime: Handle::current(), scheduler };
        let body = move || work(&lanes, &poller);
        let builder = thread::Builder::new().name(name.to_owned()).stack_size(STACK);
        builder.spawn(body).context("can't start a thread")?;
        Ok(())
    }

    /// Runs work on these threads and waits for its output. `None`: the work panicked, or the threads have ended. When the caller
    /// stops waiting, the work is dropped.
    pub async fn run<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> Option<T> {
        let (mut sender, receiver) = oneshot::channel();
        let lanes = &self.0;
        spawn(lanes, async move {
            let output = tokio::select! {
                biased;
                () = sender.closed() => None,
                output = work => Some(output),
            };
            // All that the work held is dropped by now.
            if let Some(output) = output {
                let _ = sender.send(output);
            }
        });
        receiver.await.ok()
    }
}

impl Drop for ApiThreads {
    fn drop(&mut self) {
        self.0.usual.close();
        self.0.idle.close();
    }
}

struct Poller {
    /// The runtime of timers and sockets.
    runtime: Handle,
    /// Defers the wake-ups of `yield_now` until the poll is over. If they came at once, a `FuturesUnordered` would end its poll
    /// after two of them, and batches of loads would become small.
    scheduler: Runtime,
}

impl Poller {
    fn poll(&self, task: Task, lane: Lane) {
        self.scheduler.block_on(async {
            let runtime = self.runtime.enter();
            poll(task, lane);
            drop(runtime);
            yield_now().await;
        });
    }
}

fn work(queue: &Queue<Task>, poller: &Poller, lane: Lane) {
    while let Some(task) = queue.next() {
        poller.poll(task, lane);
    }
}

/// The loop of the relief thread: polls tasks that have waited too long, until the queue is closed.
fn relieve(queue: &Queue<Task>, poller: &Poller, redirects: &dyn Fn() -> u64) {
    let mut seen = redirects();
    let mut none_came = || {
        let now = redirects();
        std::mem::replace(&mut seen, now) == now
    };
    while let Some(task) = queue.next_late(QUIET, |waited| none_came() || waited >= PATIENCE) {
        let began = Instant::now();
        poller.poll(task, Lane::Idle);
        if !none_came() {
            queue.rest((began.elapsed() * (REST - 1)).min(MAX_REST));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Barrier,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    };

    use tokio::time::{sleep, timeout};

    use super::*;

    fn name() -> String {
        thread::current().name().unwrap_or_default().to_owned()
    }

    #[tokio::test]
    async fn work_runs_on_other_threads_and_goes_from_lane_to_lane() {
        let threads = ApiThreads::of(2, 1, || 0).unwrap();
        let names = threads.run(async {
            let first = name();
            let (idle, statement, again) = when_idle(async {
                let idle = name();
                let statement = at_usual_priority(async {
                    sleep(Duration::from_millis(5)).await;
                    name()
                });
                (idle, statement.await, name())
            })
            .await;
            [first, idle, statement, again, name()]
        });
        let relieved = |name: &String| if name == "api-relief" { "api-idle".to_owned() } else { name.clone() };
        let names: Vec<String> = names.await.unwrap().iter().map(relieved).collect();
        assert_eq!(names, ["api", "api-idle", "api", "api-idle", "api"]);
        // Outside of them nothing changes.
        assert_eq!(when_idle(at_usual_priority(async { 1 })).await, 1);
    }

    #[tokio::test]
    async fn a_task_woken_by_itself_or_by_many_others_is_polled_to_its_end() {
        let threads = Arc::new(ApiThreads::of(3, 1, || 0).unwrap());
        let done = Arc::new(AtomicUsize::new(0));
        let many = (0..200).map(|number| {
            let (threads, done) = (Arc::clone(&threads), Arc::clone(&done));
            async move {
                let count = async move {
                    for _ in 0..50 {
                        yield_now().await;
                        tokio::join!(yield_now(), tokio::spawn(yield_now()), sleep(Duration::from_micros(number)))
                            .1
                            .unwrap();
                    }
                    done.fetch_add(1, Ordering::Relaxed)
                };
                let run = async move { if number % 2 == 0 { when_idle(count).await } else { count.await } };
                threads.run(run).await.unwrap();
            }
        });
        timeout(Duration::from_secs(50), futures_util::future::join_all(many)).await.unwrap();
        assert_eq!(done.load(Ordering::Relaxed), 200);
    }

    #[tokio::test]
    async fn a_panic_or_a_caller_that_leaves_ends_one_request_alone() {
        let threads = ApiThreads::of(1, 1, || 0).unwrap();
        assert!(threads.run(async { panic!("a test") }).await.is_none());
        let held = Arc::new(());
        let holds = Arc::clone(&held);
        let endless = threads.run(async move {
            std::future::pending::<()>().await;
            drop(holds);
        });
        assert!(timeout(Duration::from_millis(20), endless).await.is_err());
        // The one thread drops it before it comes to the next.
        assert_eq!(threads.run(async { 7 }).await, Some(7));
        assert_eq!(Arc::strong_count(&held), 1);
    }

    #[tokio::test]
    async fn a_busy_machine_does_not_stop_costly_documents() {
        // Counts one more redirect at each call.
        let count = AtomicU64::new(0);
        let redirects = move || count.fetch_add(1, Ordering::Relaxed);
        let threads = Arc::new(ApiThreads::of(1, 1, redirects).unwrap());
        // Blocks the idle thread, as a busy machine does.
        let released = Arc::new(Barrier::new(2));
        let held = Arc::clone(&released);
        let holder = Arc::clone(&threads);
        let holding = tokio::spawn(async move { holder.run(when_idle(async move { held.wait() })).await });
        // If the relief thread took that task, it is blocked instead, and the idle thread polls the tasks below.
        sleep(Duration::from_millis(20)).await;
        for _ in 0..2 {
            assert_eq!(timeout(Duration::from_secs(20), threads.run(when_idle(async { 1 }))).await, Ok(Some(1)));
        }
        released.wait();
        assert!(holding.await.unwrap().is_some());
    }

    #[tokio::test]
    async fn threads_end_with_their_owner_and_drop_what_waits() {
        let threads = ApiThreads::of(1, 1, || 0).unwrap();
        let lanes = Arc::downgrade(&threads.0);
        assert_eq!(threads.run(async { 1 }).await, Some(1));
        drop(threads);
        timeout(Duration::from_secs(20), async {
            while lanes.strong_count() > 0 {
                sleep(Duration::from_millis(5)).await;
            }
        })
        .await
        .unwrap();
    }
}
