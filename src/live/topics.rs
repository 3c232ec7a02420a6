//! Topics that are looked at in the database while somebody listens: what is told of one is how it differs from the look before. So
//! it does not matter which node changes it.

use std::{
    collections::{HashMap, hash_map::Entry},
    future::Future,
    sync::Arc,
    time::Duration,
};

use futures_util::stream::{self, Stream};
use parking_lot::Mutex;
use sea_orm::DbErr;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::permit::SubscriptionPermit;
use crate::{
    clock::{Clock, UnixMillis},
    db::{Db, Polling},
};

/// Messages of one topic that wait to be sent. Its listeners share them; one that is too slow misses the oldest.
const WAITING: usize = 256;

/// Sends messages to the listeners of a topic; none says that the topic is no more.
type Sender<T> = broadcast::Sender<Option<Arc<<T as Subject>::Told>>>;

/// A kind of topics.
pub trait Subject: Sized + Send + Sync + 'static {
    /// How a topic stood at the last look.
    type Seen: Send;
    /// A message.
    type Told: Send + Sync;
    /// How often to look.
    const INTERVAL: Duration;

    /// Looks at a topic. Answers what is to be told, and changes how it was seen. `None`: the topic is no more.
    fn look(
        db: &Db,
        now: UnixMillis,
        key: Uuid,
        seen: &mut Self::Seen,
    ) -> impl Future<Output = Result<Option<Vec<Self::Told>>, DbErr>> + Send;
}

/// The topics of one kind that somebody listens to.
pub struct Topics<T: Subject>(Mutex<HashMap<Uuid, Topic<T>>>);

struct Topic<T: Subject> {
    sender: Sender<T>,
    listeners: usize,
    /// The state at the last look; None during a look.
    seen: Option<T::Seen>,
}

/// A topic that is looked at.
struct Look<T: Subject> {
    key: Uuid,
    sender: Sender<T>,
    seen: T::Seen,
}

impl<T: Subject> Default for Topics<T> {
    fn default() -> Self {
        Topics(Mutex::default())
    }
}

impl<T: Subject> Topics<T> {
    /// News of a topic from now on, if it is as it was `seen`. The stream ends when the topic is no more.
    pub(crate) fn listen(
        self: &Arc<Self>,
        key: Uuid,
        seen: T::Seen,
        place: SubscriptionPermit,
    ) -> impl Stream<Item = Arc<T::Told>> + Send + use<T> {
        let mut topics = self.0.lock();
        let topic = topics.entry(key).or_insert_with(|| Topic {
            sender: broadcast::Sender::new(WAITING),
            listeners: 0,
            seen: Some(seen),
        });
        topic.listeners += 1;
        let (told, sender) = (topic.sender.subscribe(), topic.sender.clone());
        drop(topics);
        let listener = Listener { topics: Arc::clone(self), key, told, sender, _place: place };
        stream::unfold(listener, async |mut listener| {
            loop {
                match listener.told.recv().await {
                    Ok(Some(message)) => return Some((message, listener)),
                    Err(RecvError::Lagged(_)) => {}
                    Ok(None) | Err(RecvError::Closed) => return None,
                }
            }
        })
    }

    /// How many listen to a topic.
    pub fn listeners(&self, key: Uuid) -> usize {
        self.0.lock().get(&key).map_or(0, |topic| topic.listeners)
    }

    fn looks(&self) -> Vec<Look<T>> {
        let mut topics = self.0.lock();
        let look = |(key, topic): (&Uuid, &mut Topic<T>)| {
            Some(Look { key: *key, sender: topic.sender.clone(), seen: topic.seen.take()? })
        };
        topics.iter_mut().filter_map(look).collect()
    }

    fn looked_at(&self, Look { key, sender, seen }: Look<T>) {
        if let Some(topic) = self.0.lock().get_mut(&key).filter(|topic| topic.sender.same_channel(&sender)) {
            topic.seen = Some(seen);
        }
    }

    fn end(&self, key: Uuid, sender: &Sender<T>) {
        if let Entry::Occupied(topic) = self.0.lock().entry(key)
            && topic.get().sender.same_channel(sender)
        {
            topic.remove();
        }
    }
}

struct Listener<T: Subject> {
    topics: Arc<Topics<T>>,
    key: Uuid,
    told: broadcast::Receiver<Option<Arc<T::Told>>>,
    /// Tells its topic from a later one of the same key.
    sender: Sender<T>,
    _place: SubscriptionPermit,
}

impl<T: Subject> Drop for Listener<T> {
    fn drop(&mut self) {
        if let Entry::Occupied(mut topic) = self.topics.0.lock().entry(self.key)
            && topic.get().sender.same_channel(&self.sender)
        {
            topic.get_mut().listeners -= 1;
            if topic.get().listeners == 0 {
                topic.remove();
            }
        }
    }
}

/// Looks at the topics of one kind until told to stop.
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
                        // Nobody hears it who is just leaving.
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
                        tracing::warn!(%error, "Changes can't be read, nor told to who listens");
                    }
                }
            }
            topics.looked_at(look);
        }
        stop.run_until_cancelled(polling.wait(due)).await;
    }
}
