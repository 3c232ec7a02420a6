//! What happens, told to those who listen on this node. Bounded for each account, so that one can't take the memory of
//! all.

pub mod subscription;

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use entity::click;
use futures_util::stream::{self, Stream};
use tokio::sync::broadcast::{self, error::RecvError};
use uuid::Uuid;

use crate::{
    auth::client::ClientNet,
    error::{ApiError, Code},
    ids::{AccountId, LinkId},
    metrics::Metrics,
};

/// Clicks of one link that wait to be sent. Its listeners share them; who is too slow misses the oldest.
const WAITING_CLICKS: usize = 1_024;
/// Subscriptions of one account at once.
pub const MAX_SUBSCRIPTIONS: usize = 100;
/// Sockets of one account at once, or of one client that has not said who it is.
pub const MAX_SOCKETS_EACH: usize = 100;
/// Sockets of this node at once.
const MAX_SOCKETS: usize = 5_000;

/// Who has a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A client without a credential, or before it has sent one.
    Client(ClientNet),
    /// An account.
    Account(AccountId),
}

/// Those who listen.
pub struct Live {
    /// Topics there are: publishing to nobody takes no lock.
    topics: AtomicUsize,
    state: Mutex<State>,
    metrics: Arc<Metrics>,
}

#[derive(Default)]
struct State {
    /// By link.
    topics: HashMap<Uuid, Topic>,
    subscriptions: HashMap<AccountId, usize>,
    sockets: HashMap<Owner, usize>,
    all_sockets: usize,
}

struct Topic {
    sender: broadcast::Sender<Arc<click::Model>>,
    listeners: usize,
}

impl Live {
    /// Nobody listens yet.
    pub fn new(metrics: Arc<Metrics>) -> Arc<Self> {
        Arc::new(Live { topics: AtomicUsize::new(0), state: Mutex::default(), metrics })
    }

    /// Tells of clicks that were stored.
    pub fn publish(&self, clicks: &[click::Model]) {
        if self.topics.load(Ordering::Relaxed) == 0 {
            return;
        }
        let state = self.state();
        for click in clicks {
            if let Some(topic) = state.topics.get(&click.link_id) {
                // Nobody listens any more, but has not left yet.
                let _ = topic.sender.send(Arc::new(click.clone()));
            }
        }
    }

    /// The clicks of a link from now on.
    pub fn clicks(
        self: &Arc<Self>,
        account: AccountId,
        link: LinkId,
    ) -> Result<impl Stream<Item = Arc<click::Model>> + Send + use<>, ApiError> {
        let mut state = self.state();
        take(&mut state.subscriptions, account, MAX_SUBSCRIPTIONS, "live subscriptions of an account")?;
        let topic = state
            .topics
            .entry(link.0)
            .or_insert_with(|| Topic { sender: broadcast::Sender::new(WAITING_CLICKS), listeners: 0 });
        topic.listeners += 1;
        let clicks = topic.sender.subscribe();
        self.topics.store(state.topics.len(), Ordering::Relaxed);
        drop(state);
        let listener = Listener { clicks, place: Listening { live: Arc::clone(self), account, link } };
        Ok(stream::unfold(listener, async |mut listener| {
            loop {
                match listener.clicks.recv().await {
                    Ok(click) => return Some((click, listener)),
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return None,
                }
            }
        }))
    }

    /// How many listen to a link.
    pub fn listeners(&self, link: LinkId) -> usize {
        self.state().topics.get(&link.0).map_or(0, |topic| topic.listeners)
    }

    /// A socket's place; left when dropped.
    pub fn open_socket(self: &Arc<Self>, owner: Owner) -> Result<SocketPlace, ApiError> {
        let mut state = self.state();
        if state.all_sockets >= MAX_SOCKETS {
            return Err(ApiError::unavailable());
        }
        take(&mut state.sockets, owner, MAX_SOCKETS_EACH, "sockets of a client")?;
        state.all_sockets += 1;
        self.metrics.graphql_sockets.increment(1);
        Ok(SocketPlace { live: Arc::clone(self), owner })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Listener {
    clicks: broadcast::Receiver<Arc<click::Model>>,
    #[expect(dead_code, reason = "it leaves when dropped")]
    place: Listening,
}

struct Listening {
    live: Arc<Live>,
    account: AccountId,
    link: LinkId,
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut state = self.live.state();
        give_back(&mut state.subscriptions, self.account);
        if let Entry::Occupied(mut topic) = state.topics.entry(self.link.0) {
            topic.get_mut().listeners -= 1;
            if topic.get().listeners == 0 {
                topic.remove();
            }
        }
        self.live.topics.store(state.topics.len(), Ordering::Relaxed);
    }
}

/// One open socket.
pub struct SocketPlace {
    live: Arc<Live>,
    owner: Owner,
}

impl SocketPlace {
    /// Now that it is known whose it is.
    pub fn belongs_to(&mut self, owner: Owner) -> Result<(), ApiError> {
        let mut state = self.live.state();
        take(&mut state.sockets, owner, MAX_SOCKETS_EACH, "sockets of an account")?;
        give_back(&mut state.sockets, self.owner);
        drop(state);
        self.owner = owner;
        Ok(())
    }
}

impl Drop for SocketPlace {
    fn drop(&mut self) {
        let mut state = self.live.state();
        give_back(&mut state.sockets, self.owner);
        state.all_sockets -= 1;
        self.live.metrics.graphql_sockets.decrement(1);
    }
}

fn take<K: std::hash::Hash + Eq>(
    counts: &mut HashMap<K, usize>,
    key: K,
    max: usize,
    what: &str,
) -> Result<(), ApiError> {
    match counts.entry(key) {
        Entry::Occupied(count) if *count.get() >= max => Err(ApiError {
            retry_after: Some(60),
            ..ApiError::new(Code::RateLimited, format!("There are already {max} {what}."))
        }),
        count => {
            *count.or_default() += 1;
            Ok(())
        }
    }
}

fn give_back<K: std::hash::Hash + Eq>(counts: &mut HashMap<K, usize>, key: K) {
    if let Entry::Occupied(mut count) = counts.entry(key) {
        *count.get_mut() -= 1;
        if *count.get() == 0 {
            count.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;

    use super::*;

    fn live() -> Arc<Live> {
        Live::new(Arc::new(Metrics::new().unwrap()))
    }

    fn click(link: LinkId, clicked_at: i64) -> click::Model {
        click::Model {
            id: Uuid::now_v7(),
            link_id: link.0,
            clicked_at,
            visitor: Vec::new(),
            is_bot: false,
            browser: None,
            os: None,
            device: None,
            referrer_host: None,
            country: None,
            language: None,
            utm_source: None,
            utm_medium: None,
            utm_campaign: None,
        }
    }

    #[tokio::test]
    async fn a_slow_listener_misses_the_oldest_and_others_nothing() {
        let (live, account, link) = (live(), AccountId::new(), LinkId::new());
        live.publish(&[click(link, 0)]);
        let clicks: Vec<_> = (1..=3 * i64::try_from(WAITING_CLICKS).unwrap()).map(|at| click(link, at)).collect();
        let mut slow = Box::pin(live.clicks(account, link).unwrap());
        let mut other = Box::pin(live.clicks(account, LinkId::new()).unwrap());
        live.publish(&clicks);
        let first = slow.next().await.unwrap().clicked_at;
        assert_eq!(first, i64::try_from(2 * WAITING_CLICKS + 1).unwrap());
        assert!(futures_util::poll!(other.next()).is_pending());
        drop((slow, other));
        assert!(live.state().topics.is_empty() && live.state().subscriptions.is_empty());
    }

    #[test]
    fn places_are_limited_and_given_back() {
        let (live, owner) = (live(), Owner::Account(AccountId::new()));
        let client = |number: u8| Owner::Client(ClientNet::from(std::net::IpAddr::from([192, 0, 2, number])));
        let mut places: Vec<_> = (0..MAX_SOCKETS_EACH)
            .map(|_| {
                let mut place = live.open_socket(client(1)).unwrap();
                place.belongs_to(owner).unwrap();
                place
            })
            .collect();
        let mut one_more = live.open_socket(client(1)).unwrap();
        assert_eq!(one_more.belongs_to(owner).unwrap_err().code, Code::RateLimited);
        places.pop();
        one_more.belongs_to(owner).unwrap();
        drop((places, one_more));
        assert!(live.state().sockets.is_empty() && live.state().all_sockets == 0);
    }
}
