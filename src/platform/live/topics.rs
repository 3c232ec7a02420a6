//! Topics that are polled in the database while they have listeners: what has changed since the poll before is published. So it does
//! not matter which node makes a change.

use std::{
    collections::{HashMap, hash_map::Entry},
    future::Future,
    sync::Arc,
    time::Duration,
};

use futures_util::stream::{self, Stream};
use parking_lot::Mutex;
use sea_orm::DbErr;
use tokio::{
    sync::{
        Notify, OnceCell,
        broadcast::{self, error::RecvError},
    },
    time::sleep,
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::permit::SubscriptionPermit;
use crate::{
    base::clock::{Clock, UnixMillis},
    platform::db::{Db, Polling},
};

/// Messages of one topic that wait to be sent. Its listeners share them; one that is too slow misses the oldest.
const WAITING: usize = 256;

/// Sends messages to the listeners of a topic. `None`: the topic has ended.
type Sender<T> = broadcast::Sender<Option<Arc<<T as Subject>::Told>>>;

/// A kind of topics.
pub trait Subject: Sized + Send + Sync + 'static {
    /// The state of a topic at the last poll.
    type Seen: Send;
    /// A message.
    type Told: Send + Sync;
    /// How often to look.
    const INTERVAL: Duration;

    /// Polls a topic: returns the messages to publish, and updates `seen`. `None`: the topic has ended.
    fn look(
        db: &Db,
        now: UnixMillis,
        key: Uuid,
        seen: &mut Self::Seen,
    ) -> impl Future<Output = Result<Option<Vec<Self::Told>>, DbErr>> + Send;
}

/// The topics of one kind that have listeners.
pub struct Topics<T: Subject> {
    topics: Mutex<HashMap<Uuid, Topic<T>>>,
    /// Notified when a topic begins: it is then polled once, even if nothing is committed any more.
    has_begun: Notify,
}

struct Topic<T: Subject> {
    sender: Sender<T>,
    listeners: usize,
    /// Set once the first state of the topic is read. It is polled from then on.
    begun: Arc<OnceCell<()>>,
    /// The state at the last poll. `None`: before the first state is read, and during a poll.
    seen: Option<T::Seen>,
}

/// A topic that is being polled.
struct Look<T: Subject> {
    key: Uuid,
    sender: Sender<T>,
    seen: T::Seen,
}

impl<T: Subject> Default for Topics<T> {
    fn default() -> Self {
        Topics { topics: Mutex::default(), has_begun: Notify::new() }
    }
}

impl<T: Subject> Topics<T> {
    /// Listens to a topic. Every change that is committed after this returns is published to the listener.
    ///
    /// The listener is added before anything is read. `read` reads the first state of the topic, and is called only if no other listener
    /// has read it: polls compare with one state for all listeners. A second state, of another time, would lose or repeat changes.
    pub(crate) async fn listen(
        self: &Arc<Self>,
        key: Uuid,
        place: SubscriptionPermit,
        read: impl Future<Output = Result<T::Seen, DbErr>>,
    ) -> Result<Listener<T>, DbErr> {
        let (listener, begun) = self.enter(key, place);
        let sender = listener.sender.clone();
        // Listeners that come meanwhile wait. If the first one fails or is cancelled, the next one reads.
        let begin = || async move {
            let seen = read.await?;
            self.looked_at(Look { key, sender, seen });
            // SQLite is polled after commits only. The poll after a commit during this read has skipped the topic.
            self.has_begun.notify_one();
            Ok::<(), DbErr>(())
        };
        begun.get_or_try_init(begin).await?;
        Ok(listener)
    }

    /// Adds a listener to a topic, whose first state may not have been read yet.
    fn enter(self: &Arc<Self>, key: Uuid, place: SubscriptionPermit) -> (Listener<T>, Arc<OnceCell<()>>) {
        let mut topics = self.topics.lock();
        let topic = topics.entry(key).or_insert_with(|| Topic {
            sender: broadcast::Sender::new(WAITING),
            listeners: 0,
            begun: Arc::default(),
            seen: None,
        });
        topic.listeners += 1;
        let (told, sender, begun) = (topic.sender.subscribe(), topic.sender.clone(), Arc::clone(&topic.begun));
        drop(topics);
        (Listener { topics: Arc::clone(self), key, told, sender, _place: place }, begun)
    }

    /// Number of listeners of a topic. 0 until its first state is read.
    pub fn listeners(&self, key: Uuid) -> usize {
        let topics = self.topics.lock();
        topics.get(&key).filter(|topic| topic.begun.initialized()).map_or(0, |topic| topic.listeners)
    }

    fn looks(&self) -> Vec<Look<T>> {
        let mut topics = self.topics.lock();
        let look = |(key, topic): (&Uuid, &mut Topic<T>)| {
            Some(Look { key: *key, sender: topic.sender.clone(), seen: topic.seen.take()? })
        };
        topics.iter_mut().filter_map(look).collect()
    }

    fn looked_at(&self, Look { key, sender, seen }: Look<T>) {
        if let Some(topic) = self.topics.lock().get_mut(&key).filter(|topic| topic.sender.same_channel(&sender)) {
            topic.seen = Some(seen);
        }
    }

    fn end(&self, key: Uuid, sender: &Sender<T>) {
        if let Entry::Occupied(topic) = self.topics.lock().entry(key)
            && topic.get().sender.same_channel(sender)
        {
            topic.remove();
        }
    }
}

/// A listener of a topic, removed when dropped.
pub(crate) struct Listener<T: Subject> {
    topics: Arc<Topics<T>>,
    key: Uuid,
    told: broadcast::Receiver<Option<Arc<T::Told>>>,
    /// Tells its topic from a later one of the same key.
    sender: Sender<T>,
    _place: SubscriptionPermit,
}

impl<T: Subject> Listener<T> {
    /// The messages since the listener was added. The stream ends when the topic does.
    pub(crate) fn news(self) -> impl Stream<Item = Arc<T::Told>> + Send + use<T> {
        stream::unfold(self, async |mut listener| {
            loop {
                match listener.told.recv().await {
                    Ok(Some(message)) => return Some((message, listener)),
                    Err(RecvError::Lagged(_)) => {}
                    Ok(None) | Err(RecvError::Closed) => return None,
                }
            }
        })
    }
}

impl<T: Subject> Drop for Listener<T> {
    fn drop(&mut self) {
        if let Entry::Occupied(mut topic) = self.topics.topics.lock().entry(self.key)
            && topic.get().sender.same_channel(&self.sender)
        {
            topic.get_mut().listeners -= 1;
            if topic.get().listeners == 0 {
                topic.remove();
            }
        }
    }
}

/// Polls the topics of one kind until `stop` is cancelled.
pub(crate) async fn run<T: Subject>(topics: Arc<Topics<T>>, db: Db, clock: Clock, stop: CancellationToken) {
    let mut polling = Polling::new(&db, &clock, T::INTERVAL);
    let mut is_behind = false;
    while !stop.is_cancelled() {
        polling.begin();
        let mut due = None;
        for mut look in topics.looks() {
            match T::look(&db, clock.now(), look.key, &mut look.seen).await {
                Ok(Some(told)) => {
                    is_behind = false;
                    for message in told {
                        // Fails if the last listener has just left.
                        let _ = look.sender.send(Some(Arc::new(message)));
                    }
                }
                Ok(None) => {
                    let _ = look.sender.send(None);
                    topics.end(look.key, &look.sender);
                }
                Err(error) => {
                    due = Some(clock.now());
                    if !is_behind {
                        is_behind = true;
                        tracing::warn!(%error, "Changes can't be read from the database: subscribers get them later");
                    }
                }
            }
            topics.looked_at(look);
        }
        let begun = async {
            sleep(T::INTERVAL).await;
            topics.has_begun.notified().await;
        };
        tokio::select! {
            () = stop.cancelled() => {}
            () = polling.wait(due) => {}
            () = begun => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        future::{pending, ready},
        task::Poll,
    };

    use futures_util::{StreamExt, poll};
    use tokio::sync::oneshot;

    use super::*;
    use crate::base::{concurrency::ConcurrencyLimit, ids::AccountId};

    /// A topic whose state is a number.
    struct Numbers;

    impl Subject for Numbers {
        type Seen = i64;
        type Told = i64;
        const INTERVAL: Duration = Duration::from_millis(1);

        async fn look(_: &Db, _: UnixMillis, _: Uuid, _: &mut i64) -> Result<Option<Vec<i64>>, DbErr> {
            Ok(None)
        }
    }

    /// Polls all topics, whose state is `number` now.
    fn look(topics: &Topics<Numbers>, number: i64) {
        for mut look in topics.looks() {
            if look.seen != number {
                look.seen = number;
                look.sender.send(Some(Arc::new(number))).unwrap();
            }
            topics.looked_at(look);
        }
    }

    fn place() -> SubscriptionPermit {
        let (of_account, among_all) = (ConcurrencyLimit::new(1, "places"), ConcurrencyLimit::new(1, "places"));
        SubscriptionPermit::new(of_account.take(AccountId::new()).unwrap(), among_all.take(()).unwrap())
    }

    /// All messages that wait for the listener.
    async fn heard(listener: Listener<Numbers>) -> Vec<i64> {
        let (mut news, mut heard) = (Box::pin(listener.news()), Vec::new());
        while let Poll::Ready(Some(number)) = poll!(news.next()) {
            heard.push(*number);
        }
        heard
    }

    /// A change is published between the start of a second subscription and the check of its caller's rights.
    #[tokio::test]
    async fn a_second_listener_gets_all_later_changes() {
        let (topics, key) = (Arc::new(Topics::<Numbers>::default()), Uuid::now_v7());
        let first = topics.listen(key, place(), ready(Ok(1))).await.unwrap();
        assert!(poll!(Box::pin(topics.has_begun.notified())).is_ready(), "the topic is polled without a commit");
        look(&topics, 1);
        // The second listener does not read a state: its `read` would never end.
        let second = topics.listen(key, place(), pending()).await.unwrap();
        assert_eq!(topics.listeners(key), 2);
        for _ in 0..2 {
            look(&topics, 2);
        }
        assert_eq!((heard(first).await, heard(second).await), (vec![2], vec![2]));
        assert!(topics.topics.lock().is_empty());
    }

    /// The topic changes after the first of two concurrent listeners has read it. Both get the change.
    #[tokio::test]
    async fn concurrent_listeners_begin_with_one_state() {
        let (topics, key) = (Arc::new(Topics::<Numbers>::default()), Uuid::now_v7());
        let (answer, reading) = oneshot::channel();
        let mut first = Box::pin(topics.listen(key, place(), async move { Ok(reading.await.unwrap()) }));
        assert!(poll!(&mut first).is_pending());
        let mut second = Box::pin(topics.listen(key, place(), ready(Ok(2))));
        assert!(poll!(&mut second).is_pending(), "the first listener reads");
        look(&topics, 2);
        assert_eq!(topics.listeners(key), 0, "the topic has not begun");
        answer.send(1).unwrap();
        let (first, second) = (first.await.unwrap(), second.await.unwrap());
        assert_eq!(topics.listeners(key), 2);
        look(&topics, 2);
        assert_eq!((heard(first).await, heard(second).await), (vec![2], vec![2]));
        assert!(topics.topics.lock().is_empty());
    }

    #[tokio::test]
    async fn the_next_listener_reads_when_the_first_fails_or_is_cancelled() {
        let (topics, key) = (Arc::new(Topics::<Numbers>::default()), Uuid::now_v7());
        let failed = topics.listen(key, place(), ready(Err(DbErr::Custom("away".to_owned())))).await;
        assert!(failed.is_err() && topics.topics.lock().is_empty());
        let mut first = Box::pin(topics.listen(key, place(), pending()));
        assert!(poll!(&mut first).is_pending());
        let mut second = Box::pin(topics.listen(key, place(), ready(Ok(1))));
        assert!(poll!(&mut second).is_pending(), "the first listener reads");
        drop(first);
        let second = second.await.unwrap();
        assert_eq!(topics.listeners(key), 1);
        look(&topics, 2);
        assert_eq!(heard(second).await, [2]);
    }
}
