//! The batched reads of one execution. They live as long as it: nothing loaded for one caller is seen by another.

use std::{fmt::Debug, hash::Hash, sync::Arc};

use ::dataloader::{BatchFn, cached::Loader};
use arc_swap::ArcSwap;
use uuid::Uuid;

use crate::{
    analytics::{
        loader::{ClickPageBatch, ClickPageKey, Clicks},
        series::{Days, SeriesBatch, SeriesKey},
    },
    app::App,
    error::ApiError,
    ids::{AccountId, DeliveryId, LinkId, WebhookId},
    links::{loader::LinkBatch, repo::ShownLink},
    webhooks::loader::{BatchPageKey, Deliveries, DeliveryPageKey, Events, WebhookBatch},
};

/// A batch's answer for one key. Every key is answered: the crate treats a missing one as a fault.
pub type Loaded<T> = Result<T, ApiError>;

/// How often a value is asked for.
const MAX_TRIES: usize = 20;

/// All loaders.
pub struct Loaders {
    /// Links by id.
    pub links: Loader<LinkId, Loaded<Option<Arc<ShownLink>>>, LinkBatch>,
    /// Pages of clicks by link.
    pub clicks: Loader<ClickPageKey, Loaded<Clicks>, ClickPageBatch>,
    /// Clicks by day of links.
    pub series: Loader<SeriesKey, Loaded<Days>, SeriesBatch>,
    /// Webhooks by id.
    pub webhooks: Loader<WebhookId, Loaded<Option<Arc<entity::webhook::Model>>>, WebhookBatch>,
    /// Pages of deliveries by webhook.
    pub deliveries: Loader<DeliveryPageKey, Loaded<Deliveries>, WebhookBatch>,
    /// Attempts by delivery.
    pub attempts: Loader<DeliveryId, Loaded<Arc<Vec<entity::delivery_attempt::Model>>>, WebhookBatch>,
    /// Events by id.
    pub events: Loader<Uuid, Loaded<Option<Arc<entity::outbox_event::Model>>>, WebhookBatch>,
    /// Pages of events by the delivery of their batch.
    pub batches: Loader<BatchPageKey, Loaded<Events>, WebhookBatch>,
}

impl Loaders {
    fn new(app: &Arc<App>, account: AccountId) -> Self {
        let webhooks = WebhookBatch { app: Arc::clone(app), account };
        Loaders {
            webhooks: Loader::new(webhooks.clone()),
            deliveries: Loader::new(webhooks.clone()),
            attempts: Loader::new(webhooks.clone()),
            events: Loader::new(webhooks.clone()),
            batches: Loader::new(webhooks),
            links: Loader::new(LinkBatch { app: Arc::clone(app), account }),
            clicks: Loader::new(ClickPageBatch { app: Arc::clone(app), account }),
            series: Loader::new(SeriesBatch { app: Arc::clone(app) }),
        }
    }
}

/// The loaders of one execution. A subscription is executed for each of its events, and each is to see the rows of its
/// time.
pub struct CurrentLoaders {
    app: Arc<App>,
    account: AccountId,
    loaders: ArcSwap<Loaders>,
}

impl CurrentLoaders {
    /// For a caller of this account.
    pub fn new(app: &Arc<App>, account: AccountId) -> Arc<Self> {
        let loaders = ArcSwap::from_pointee(Loaders::new(app, account));
        Arc::new(CurrentLoaders { app: Arc::clone(app), account, loaders })
    }

    /// Those of the execution that is under way.
    pub fn get(&self) -> Arc<Loaders> {
        self.loaders.load_full()
    }

    /// Forgets what was loaded.
    pub fn renew(&self) {
        self.loaders.store(Arc::new(Loaders::new(&self.app, self.account)));
    }
}

/// Loads a value. When a field fails, its siblings are dropped, and with them the batch that one of them was loading for
/// all: the crate then has nothing for the others, and they ask again.
pub async fn load<K, V, F>(loader: &Loader<K, Loaded<V>, F>, key: K) -> Loaded<V>
where
    K: Eq + Hash + Clone + Debug,
    V: Clone,
    F: BatchFn<K, Loaded<V>>,
{
    let mut failure = String::new();
    // Each time somebody else must have been dropped: of one request's fields, not often.
    for _ in 0..MAX_TRIES {
        match loader.try_load(key.clone()).await {
            Ok(loaded) => return loaded,
            Err(error) => failure = error.to_string(),
        }
    }
    Err(ApiError::internal(failure))
}
