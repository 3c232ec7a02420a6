//! Webhooks, deliveries, attempts, events and batches of them, each in one query for all that a request needs.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use ::dataloader::BatchFn;
use async_graphql::Context;
use entity::{delivery, delivery_attempt, outbox_event, webhook};
use uuid::Uuid;

use crate::{
    app::App,
    base::{
        error::ApiError,
        ids::{AccountId, DeliveryId, WebhookId},
        page::{PageArgs, Selected},
    },
    features::webhooks::types::{Delivery, DeliveryPageResult},
    graphql::load::{Loaded, answer, load, load_keys},
    platform::work::outbox,
    records::webhooks::{
        delivery::batch_repo,
        delivery_repo::{self as deliveries, DeliveryFilter},
        repo,
    },
};

/// One page of one webhook's deliveries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DeliveryPageKey {
    pub(crate) webhook: WebhookId,
    pub(crate) filter: DeliveryFilter,
    pub(crate) args: PageArgs,
    /// The parts of the page to load.
    pub(crate) selected: Selected,
}

/// One page of the events of one batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BatchPageKey {
    /// The delivery of the batch.
    pub(crate) delivery: DeliveryId,
    pub(crate) args: PageArgs,
}

/// An event, by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EventKey(pub(crate) Uuid);

/// Events of a page.
pub(crate) type Events = Arc<[Arc<outbox_event::Model>]>;

/// Deliveries of a page, and the number on all pages.
pub(crate) type Deliveries = (Arc<Vec<delivery::Model>>, i64);

impl DeliveryPageKey {
    /// Loads the page as a nested field.
    pub(crate) async fn load(self, ctx: &Context<'_>) -> Result<DeliveryPageResult, ApiError> {
        let (found, total) = load(ctx, self).await?;
        Ok(DeliveryPageResult::new(self.args, found.iter().cloned().map(Delivery::from).collect(), total))
    }
}

load_keys! {
    WebhookBatch:
    WebhookId => Option<Arc<webhook::Model>>
    DeliveryPageKey => Deliveries
    DeliveryId => Arc<Vec<delivery_attempt::Model>>
    EventKey => Option<Arc<outbox_event::Model>>
    BatchPageKey => Events
}

/// Loads what belongs to webhooks of one account.
#[derive(Clone)]
pub(crate) struct WebhookBatch {
    /// The application state that all components share.
    pub(crate) app: Arc<App>,
    /// The account whose webhooks are loaded.
    pub(crate) account: AccountId,
}

impl WebhookBatch {
    async fn pages(&self, keys: &[DeliveryPageKey]) -> Result<HashMap<DeliveryPageKey, Deliveries>, ApiError> {
        let db = self.app.db.read();
        let asked: Vec<WebhookId> = keys.iter().map(|key| key.webhook).collect::<HashSet<_>>().into_iter().collect();
        let own = repo::webhooks(db, self.account, &asked).await?;
        let own: HashSet<WebhookId> = own.into_iter().map(|webhook| WebhookId(webhook.id)).collect();
        let mut by_page: HashMap<(PageArgs, DeliveryFilter), Vec<&DeliveryPageKey>> = HashMap::new();
        for key in keys {
            by_page.entry((key.args, key.filter)).or_default().push(key);
        }
        let mut loaded = HashMap::new();
        for ((args, filter), group) in by_page {
            let chosen = |wants: fn(&DeliveryPageKey) -> bool| -> Vec<WebhookId> {
                let wanted = group.iter().filter(|key| wants(key) && own.contains(&key.webhook));
                wanted.map(|key| key.webhook).collect::<HashSet<_>>().into_iter().collect()
            };
            let pages = deliveries::pages(db, &chosen(|key| key.selected.items), filter, args).await?;
            let totals = deliveries::counts(db, &chosen(|key| key.selected.total), filter).await?;
            let pages: HashMap<Uuid, Arc<Vec<_>>> = pages.into_iter().map(|(id, page)| (id, Arc::new(page))).collect();
            for key in group {
                let page = pages.get(&key.webhook.0).filter(|_| key.selected.items).cloned().unwrap_or_default();
                let total = totals.get(&key.webhook.0).filter(|_| key.selected.total).copied().unwrap_or_default();
                loaded.insert(*key, (page, total));
            }
        }
        Ok(loaded)
    }

    async fn batches(&self, keys: &[BatchPageKey]) -> Result<HashMap<BatchPageKey, Events>, ApiError> {
        let mut by_page: HashMap<PageArgs, Vec<Uuid>> = HashMap::new();
        for key in keys {
            by_page.entry(key.args).or_default().push(key.delivery.0);
        }
        let mut loaded = HashMap::new();
        for (args, batches) in by_page {
            let found = batch_repo::events(self.app.db.read(), &batches, args.offset(), args.limit()).await?;
            loaded.extend(found.into_iter().map(|(id, events)| {
                let events: Vec<_> = events.into_iter().map(Arc::new).collect();
                (BatchPageKey { delivery: DeliveryId(id), args }, Arc::from(events))
            }));
        }
        Ok(loaded)
    }
}

impl BatchFn<DeliveryPageKey, Loaded<Deliveries>> for WebhookBatch {
    async fn load(&mut self, keys: &[DeliveryPageKey]) -> HashMap<DeliveryPageKey, Loaded<Deliveries>> {
        answer(keys, self.pages(keys).await, &Deliveries::default())
    }
}

impl BatchFn<BatchPageKey, Loaded<Events>> for WebhookBatch {
    async fn load(&mut self, keys: &[BatchPageKey]) -> HashMap<BatchPageKey, Loaded<Events>> {
        answer(keys, self.batches(keys).await, &Arc::from([]))
    }
}

impl BatchFn<WebhookId, Loaded<Option<Arc<webhook::Model>>>> for WebhookBatch {
    async fn load(&mut self, keys: &[WebhookId]) -> HashMap<WebhookId, Loaded<Option<Arc<webhook::Model>>>> {
        let found = repo::webhooks(self.app.db.read(), self.account, keys).await.map_err(ApiError::from);
        let by_id = |webhook: webhook::Model| (WebhookId(webhook.id), Some(Arc::new(webhook)));
        answer(keys, found.map(|found| found.into_iter().map(by_id).collect()), &None)
    }
}

impl BatchFn<DeliveryId, Loaded<Arc<Vec<delivery_attempt::Model>>>> for WebhookBatch {
    async fn load(&mut self, keys: &[DeliveryId]) -> HashMap<DeliveryId, Loaded<Arc<Vec<delivery_attempt::Model>>>> {
        let found = deliveries::attempts(self.app.db.read(), keys).await.map_err(ApiError::from);
        let by_id = |(id, attempts)| (DeliveryId(id), Arc::new(attempts));
        answer(keys, found.map(|found| found.into_iter().map(by_id).collect()), &Arc::default())
    }
}

impl BatchFn<EventKey, Loaded<Option<Arc<outbox_event::Model>>>> for WebhookBatch {
    async fn load(&mut self, keys: &[EventKey]) -> HashMap<EventKey, Loaded<Option<Arc<outbox_event::Model>>>> {
        let found = outbox::events(self.app.db.read(), keys.iter().map(|key| key.0)).await.map_err(ApiError::from);
        let by_id = |(id, event)| (EventKey(id), Some(Arc::new(event)));
        answer(keys, found.map(|found| found.into_iter().map(by_id).collect()), &None)
    }
}
