//! Live events, published to the subscribers of this node. Limits for each account keep one account from taking all of the memory.

pub(crate) mod permit;
pub(crate) mod topics;

use std::{
    any::{Any, TypeId},
    collections::{HashMap, HashSet, VecDeque, hash_map::Entry},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use entity::click;
use futures_util::stream::{self, Stream};
use parking_lot::Mutex;
use tokio::sync::broadcast::{self, error::RecvError};
use uuid::Uuid;

use self::{
    permit::SubscriptionPermit,
    topics::{Subject, Topics},
};
use crate::{
    base::{
        clock::UnixMillis,
        concurrency::{ConcurrencyLimit, Permit},
        error::ApiError,
        ids::{AccountId, LinkId},
        metrics::Metrics,
    },
    platform::auth::client::ClientNet,
};

/// Clicks of one link that wait to be sent. Its listeners share them; a listener that is too slow misses the oldest.
const WAITING_CLICKS: usize = 256;
/// Ids of published clicks that are kept for one link, so that none is published twice: more than [`follower`] reads at once.
const TOLD_CLICKS: usize = 256;
/// Subscriptions of one account at once.
const MAX_SUBSCRIPTIONS_EACH: usize = 100;
/// Subscriptions of this node at once: each may be to a link, domain or webhook of its own, for which 10 KiB are reserved.
const MAX_SUBSCRIPTIONS: usize = 5_000;
/// Sockets of one account at once, or of one client that has not authenticated.
const MAX_SOCKETS_EACH: usize = 100;
/// Sockets of one IPv6 network (/48) at once, of clients that have not authenticated.
const MAX_SOCKETS_OF_NETWORK: usize = 1_000;
/// Sockets of this node at once.
const MAX_SOCKETS: usize = 5_000;

/// The owner of a socket, whose limit the socket counts against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    /// A client without a credential, or before it has sent one.
    Client(ClientNet),
    Account(AccountId),
}

/// The subscribers of this node, and the limits of subscriptions and sockets.
pub struct Live {
    /// Number of topics: publishing takes no lock if there are none.
    count: AtomicUsize,
    topics: Mutex<HashMap<Uuid, Topic>>,
    /// The topics of each kind of subject, an `Arc<Topics<_>>` of it.
    kinds: Mutex<HashMap<TypeId, Box<dyn Any + Send>>>,
    subscriptions: Arc<ConcurrencyLimit<AccountId>>,
    all_subscriptions: Arc<ConcurrencyLimit<()>>,
    sockets: Arc<ConcurrencyLimit<Owner>>,
    network_sockets: Arc<ConcurrencyLimit<ClientNet>>,
    all_sockets: Arc<ConcurrencyLimit<()>>,
    metrics: Arc<Metrics>,
}

struct Topic {
    sender: broadcast::Sender<Arc<click::Model>>,
    listeners: usize,
    /// When the first of them subscribed, in Unix milliseconds.
    since: UnixMillis,
    told: Told,
}

impl Topic {
    fn publish(&mut self, click: click::Model) {
        if self.told.add(&click) {
            // Fails if the last listener has just left.
            let _ = self.sender.send(Arc::new(click));
        }
    }
}

/// The last published clicks, so that none is published twice: [`follower`] also reads clicks that this node has stored and published.
#[derive(Default)]
struct Told {
    ids: HashSet<Uuid>,
    in_turn: VecDeque<(Uuid, UnixMillis)>,
    /// Published clicks that were made up to this time (Unix milliseconds) may be missing from `ids`. `None`: none is missing.
    forgotten: Option<UnixMillis>,
}

impl Told {
    fn add(&mut self, click: &click::Model) -> bool {
        if !self.ids.insert(click.id) {
            return false;
        }
        self.in_turn.push_back((click.id, click.clicked_at));
        if self.in_turn.len() > TOLD_CLICKS
            && let Some((id, clicked_at)) = self.in_turn.pop_front()
        {
            self.ids.remove(&id);
            self.forgotten = self.forgotten.max(Some(clicked_at));
        }
        true
    }
}

impl Live {
    pub(crate) fn new(metrics: Arc<Metrics>) -> Arc<Self> {
        Arc::new(Live {
            count: AtomicUsize::new(0),
            topics: Mutex::default(),
            kinds: Mutex::default(),
            subscriptions: ConcurrencyLimit::new(MAX_SUBSCRIPTIONS_EACH, "subscriptions of the account"),
            all_subscriptions: ConcurrencyLimit::new(MAX_SUBSCRIPTIONS, "subscriptions"),
            sockets: ConcurrencyLimit::new(MAX_SOCKETS_EACH, "sockets of the caller"),
            network_sockets: ConcurrencyLimit::new(MAX_SOCKETS_OF_NETWORK, "sockets of the network"),
            all_sockets: ConcurrencyLimit::new(MAX_SOCKETS, "sockets"),
            metrics,
        })
    }

    /// The topics of a kind. [`topics::run`] polls them.
    pub fn topics<S: Subject>(&self) -> Arc<Topics<S>> {
        let mut kinds = self.kinds.lock();
        let topics = kinds.entry(TypeId::of::<S>()).or_insert_with(|| Box::new(Arc::<Topics<S>>::default()));
        topics.downcast_ref().map(Arc::clone).unwrap_or_default()
    }

    /// Selects the clicks on links that have a subscriber on this node.
    pub(crate) fn watched(&self, clicks: &[click::Model]) -> Vec<click::Model> {
        if self.count.load(Ordering::Relaxed) == 0 {
            return Vec::new();
        }
        let topics = self.topics.lock();
        clicks.iter().filter(|click| topics.contains_key(&click.link_id)).cloned().collect()
    }

    /// Publishes clicks that this node has stored.
    pub(crate) fn publish(&self, clicks: Vec<click::Model>) {
        if clicks.is_empty() {
            return;
        }
        let mut topics = self.topics.lock();
        for click in clicks {
            if let Some(topic) = topics.get_mut(&click.link_id) {
                topic.publish(click);
            }
        }
    }

    /// Publishes clicks that any node has stored, unless they may have been published already or were made before the topic had listeners.
    pub(crate) fn publish_found(&self, clicks: Vec<click::Model>) {
        let mut topics = self.topics.lock();
        for click in clicks {
            if let Some(topic) = topics.get_mut(&click.link_id)
                && click.clicked_at >= topic.since
                && topic.told.forgotten.is_none_or(|forgotten| click.clicked_at > forgotten)
            {
                topic.publish(click);
            }
        }
    }

    /// The links that have a listener on this node.
    pub(crate) fn links(&self) -> Vec<Uuid> {
        if self.count.load(Ordering::Relaxed) == 0 { Vec::new() } else { self.topics.lock().keys().copied().collect() }
    }

    /// The clicks of a link from now on. Fails with RATE_LIMITED like [`subscribe`](Self::subscribe).
    pub(crate) fn clicks(
        self: &Arc<Self>,
        account: AccountId,
        link: LinkId,
        now: UnixMillis,
    ) -> Result<impl Stream<Item = Arc<click::Model>> + Send + use<>, ApiError> {
        let place = self.subscribe(account)?;
        let mut topics = self.topics.lock();
        let topic = topics.entry(link.0).or_insert_with(|| Topic {
            sender: broadcast::Sender::new(WAITING_CLICKS),
            listeners: 0,
            since: now,
            told: Told::default(),
        });
        topic.listeners += 1;
        let clicks = topic.sender.subscribe();
        self.count.store(topics.len(), Ordering::Relaxed);
        drop(topics);
        let listener = Listener { live: Arc::clone(self), link, clicks, _place: place };
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

    /// Takes a permit for a subscription, which is released when dropped. Fails with RATE_LIMITED at the limit of the account or the node.
    pub(crate) fn subscribe(&self, account: AccountId) -> Result<SubscriptionPermit, ApiError> {
        Ok(SubscriptionPermit::new(self.subscriptions.take(account)?, self.all_subscriptions.take(())?))
    }

    /// Number of listeners of a link.
    pub fn listeners(&self, link: LinkId) -> usize {
        self.topics.lock().get(&link.0).map_or(0, |topic| topic.listeners)
    }

    /// Takes a permit for a socket, which is released when dropped. Fails as unavailable at the limit of the node, with RATE_LIMITED
    /// at that of the owner or its network.
    pub(crate) fn open_socket(self: &Arc<Self>, owner: Owner) -> Result<SocketPermit, ApiError> {
        let among_all = self.all_sockets.take(()).map_err(|_| ApiError::unavailable())?;
        let of_owner = self.sockets.take(owner)?;
        let network = match owner {
            Owner::Client(client) => client.site(),
            Owner::Account(_) => None,
        };
        let of_network = network.map(|network| self.network_sockets.take(network)).transpose()?;
        self.metrics.graphql_sockets.inc();
        Ok(SocketPermit { live: Arc::clone(self), of_owner, of_network, _among_all: among_all })
    }
}

struct Listener {
    live: Arc<Live>,
    link: LinkId,
    clicks: broadcast::Receiver<Arc<click::Model>>,
    _place: SubscriptionPermit,
}

impl Drop for Listener {
    fn drop(&mut self) {
        let mut topics = self.live.topics.lock();
        if let Entry::Occupied(mut topic) = topics.entry(self.link.0) {
            topic.get_mut().listeners -= 1;
            if topic.get().listeners == 0 {
                topic.remove();
            }
        }
        self.live.count.store(topics.len(), Ordering::Relaxed);
    }
}

pub(crate) struct SocketPermit {
    live: Arc<Live>,
    of_owner: Permit<Owner>,
    of_network: Option<Permit<ClientNet>>,
    _among_all: Permit<()>,
}

impl SocketPermit {
    /// Counts the socket against the limit of this owner instead of the client's, once the client has authenticated. Fails with
    /// RATE_LIMITED when the owner has too many sockets.
    pub(crate) fn belongs_to(&mut self, owner: Owner) -> Result<(), ApiError> {
        self.of_owner = self.live.sockets.take(owner)?;
        self.of_network = None;
        Ok(())
    }
}

impl Drop for SocketPermit {
    fn drop(&mut self) {
        self.live.metrics.graphql_sockets.dec();
    }
}

#[cfg(test)]
mod tests {
    use std::task::Poll;

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
            utm_term: None,
            utm_content: None,
            trigger: None,
            destination: None,
            rule: None,
            ad_click: None,
            region: None,
            city: None,
            new_to_link: None,
            new_to_account: None,
        }
    }

    #[tokio::test]
    async fn a_slow_listener_misses_the_oldest_and_others_nothing() {
        let (live, account, link) = (live(), AccountId::new(), LinkId::new());
        assert!(live.watched(&[click(link, 0)]).is_empty());
        live.publish(vec![click(link, 0)]);
        let clicks: Vec<_> = (1..=3 * i64::try_from(WAITING_CLICKS).unwrap()).map(|at| click(link, at)).collect();
        let mut slow = Box::pin(live.clicks(account, link, 0).unwrap());
        let mut other = Box::pin(live.clicks(account, LinkId::new(), 0).unwrap());
        let unheard = click(LinkId::new(), 0);
        assert_eq!(live.watched(&[&clicks[..], &[unheard]].concat()).len(), clicks.len());
        live.publish(clicks);
        let first = slow.next().await.unwrap().clicked_at;
        assert_eq!(first, i64::try_from(2 * WAITING_CLICKS + 1).unwrap());
        assert!(futures_util::poll!(other.next()).is_pending());
        drop((slow, other));
        assert!(live.topics.lock().is_empty() && live.subscriptions.is_empty());
    }

    #[test]
    fn sockets_of_a_network_are_ten_times_those_of_a_client() {
        let live = live();
        let open = |client: u128| {
            let client = std::net::Ipv6Addr::from_bits(0x2001 << 112 | client << 64);
            live.open_socket(Owner::Client(ClientNet::from(std::net::IpAddr::V6(client))))
        };
        let one: Vec<_> = (0..100).map(|_| open(0).unwrap_or_else(|_| panic!("its own"))).collect();
        assert!(open(0).is_err());
        let mut others: Vec<_> = (1..=900).map(|client| open(client).unwrap_or_else(|_| panic!("others'"))).collect();
        assert!(open(901).is_err());
        assert!(open(1 << 16).is_ok(), "another network's");
        let Some(known) = others.last_mut() else { return };
        assert!(known.belongs_to(Owner::Account(AccountId::new())).is_ok());
        assert!(open(901).is_ok());
        drop((one, others));
        assert!(live.network_sockets.is_empty() && live.sockets.is_empty());
    }

    #[tokio::test]
    async fn a_published_click_is_not_published_again() {
        let (live, account, link) = (live(), AccountId::new(), LinkId::new());
        let mut listener = Box::pin(live.clicks(account, link, 10).unwrap());
        let clicks: Vec<_> = (0..=1_000).map(|at| click(link, at)).collect();
        let mut times = Vec::new();
        for part in clicks[..500].chunks(100) {
            live.publish(part.to_vec());
            while let Poll::Ready(Some(told)) = futures_util::poll!(listener.next()) {
                times.push(told.clicked_at);
            }
            // Tokio lets a task hear so many without a pause.
            tokio::task::yield_now().await;
        }
        // Half of the clicks are published already, of which `told` has only the last ones; and some were made before the listener
        // subscribed.
        for part in clicks.chunks(100).chain(clicks.chunks(100)) {
            live.publish_found(part.to_vec());
            while let Poll::Ready(Some(told)) = futures_util::poll!(listener.next()) {
                times.push(told.clicked_at);
            }
            // Tokio lets a task hear so many without a pause.
            tokio::task::yield_now().await;
        }
        assert!(times.into_iter().eq(0..=1_000));
        live.publish_found(vec![click(link, 9)]);
        assert!(futures_util::poll!(listener.next()).is_pending(), "it was made before");
    }
}
