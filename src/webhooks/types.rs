//! GraphQL types of webhooks and their deliveries.

use std::sync::Arc;

use async_graphql::{ComplexObject, Context, Enum, ID, InputObject, MaybeUndefined, SimpleObject};
use entity::{delivery, delivery_attempt, outbox_event, webhook};
use serde::{Deserialize, Serialize};

use crate::{
    auth::{
        access::{Credential, access},
        scope::Scope,
    },
    delivery::{Status, worker::message_id},
    error::{ApiError, Code},
    event_kind::EventKind,
    graphql::{
        directives::{Format, example, format, items, length, range, values},
        load::load,
        page::{Page, Paged, wanted, wanted_of},
        scalars::{Timestamp, count},
    },
    ids::{DeliveryId, WebhookId},
    outbox,
    page::{MAX_PAGE_SIZE, PageArgs},
    text::{MAX_NAME, MAX_URL},
    webhooks::payload::EventPayload,
    webhooks::{
        delivery_repo::DeliveryFilter,
        loader::{BatchPageKey, DeliveryPageKey, EventKey},
        ops,
    },
};

/// Attempts of one delivery that are kept: those of the schedule, of the one before, and one that was on its way in between.
const MAX_ATTEMPTS: i32 = 31;
/// Links that a webhook is for at most.
const MAX_LINKS: i32 = 100;

/// Why the service disabled a webhook.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum WebhookDisabledReason {
    /// Its receiver answered 410 Gone.
    Gone,
    /// Nothing but failures for 5 days, and at least 20 of them.
    Failing,
}

impl From<ops::DisabledReason> for WebhookDisabledReason {
    fn from(reason: ops::DisabledReason) -> Self {
        match reason {
            ops::DisabledReason::Gone => WebhookDisabledReason::Gone,
            ops::DisabledReason::Failing => WebhookDisabledReason::Failing,
        }
    }
}

/// Where the account wants its events sent. Each event, or batch of events, is POSTed as JSON, signed as Standard Webhooks says, at
/// least once and in no promised order: the header `webhook-id` tells doubles. Any 2xx answer within 15 seconds is a success;
/// anything else is tried again after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14 and 20 hours, and then daily, 15 times in
/// all, later if `Retry-After` asks for it.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[graphql(complex)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Identifies the webhook.
    #[graphql(directive = example::apply("019aa1c4-2b3c-7d4e-8f50-819203a4b5c6".into()))]
    pub id: ID,
    /// Display name.
    #[graphql(directive = example::apply("CRM".into()))]
    pub name: String,
    /// Where events are sent.
    #[graphql(directive = example::apply("https://hooks.example.com/linkgraph".into()))]
    pub url: String,
    /// Names of the events that are sent.
    #[graphql(directive = example::apply("[\"link.created\", \"link.clicked\"]".into()))]
    pub events: Vec<String>,
    /// Whether events are sent in batches: up to 100 of one kind in one body, at most 256 KiB long, as soon as it is full or a
    /// second old. The body of a batch is `{type, timestamp, data}` too: `type` is the name of its events, `timestamp` the time of
    /// the first, and `data` a list of the events, each as it would be sent by itself. A batch may have one event.
    #[graphql(directive = example::apply("false".into()))]
    #[serde(default)]
    pub batch: bool,
    /// Ids of the links that it is for: of the events about links (`link.…`) only those about these are sent; other events are
    /// sent nevertheless. Null: all links. A link that is deleted stays in the list.
    #[graphql(directive = items::apply(1, MAX_LINKS), directive = example::apply("null".into()))]
    #[serde(default)]
    pub link_ids: Option<Vec<ID>>,
    /// Whether clicks of bots are left out of `link.clicked`.
    #[graphql(directive = example::apply("false".into()))]
    #[serde(default)]
    pub exclude_bots: bool,
    /// Whether events are sent. While it is false none are added, and deliveries that were not finished wait.
    #[graphql(directive = example::apply("true".into()))]
    pub is_active: bool,
    /// When it was created.
    #[graphql(directive = example::apply("2026-11-20T14:33:38.125Z".into()))]
    pub created_at: Timestamp,
    /// When it was last changed.
    #[graphql(directive = example::apply("2026-11-20T14:33:38.125Z".into()))]
    pub updated_at: Timestamp,
    /// When the first of the attempts failed that were nothing but failures since; null when the last one succeeded.
    #[graphql(directive = example::apply("2026-11-20T15:00:00.000Z".into()))]
    pub failing_since: Option<Timestamp>,
    /// When the service disabled it; null unless it did.
    #[graphql(directive = example::apply("2026-11-25T15:00:00.000Z".into()))]
    pub disabled_at: Option<Timestamp>,
    /// Why the service disabled it; null unless it did.
    #[graphql(directive = example::apply("\"FAILING\"".into()))]
    pub disabled_reason: Option<WebhookDisabledReason>,
}

impl Paged for Webhook {
    const PAGE: &str = "WebhookPageResult";
}

#[ComplexObject]
impl Webhook {
    /// One page of its deliveries, those of the newest events first.
    #[graphql(directive = access::apply(Credential::Any, None, Some(Scope::WebhooksRead), None))]
    async fn deliveries(
        &self,
        ctx: &Context<'_>,
        #[graphql(default = 1, desc = "Number of the page, from 1.", directive = range::apply(1, i32::MAX))] page: i32,
        #[graphql(default = 20, desc = "Deliveries a page has at most.", directive = range::apply(1, MAX_PAGE_SIZE))]
        page_size: i32,
        #[graphql(desc = "Only deliveries that stand so. Absent: all.")] status: Option<Status>,
        #[graphql(
            desc = "Only deliveries of this event. Absent: all.",
            directive = values::apply(event_names())
        )]
        event: Option<String>,
    ) -> Result<DeliveryPageResult, ApiError> {
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let webhook = self.id.parse::<WebhookId>().map_err(ApiError::internal)?;
        let filter = DeliveryFilter { status, event: event_kind(event.as_deref())? };
        let (data, total) = wanted_of(ctx, "deliveries");
        DeliveryPageKey { webhook, filter, args, data, total }.load(ctx).await
    }
}

impl From<webhook::Model> for Webhook {
    fn from(webhook: webhook::Model) -> Self {
        let reason = webhook.disabled_reason.as_deref().and_then(ops::DisabledReason::parse);
        Webhook {
            id: webhook.id.into(),
            name: webhook.name,
            url: webhook.url,
            events: webhook.events.split_whitespace().map(str::to_owned).collect(),
            batch: webhook.batch,
            link_ids: webhook.link_ids.map(|ids| ids.split_whitespace().map(ID::from).collect()),
            exclude_bots: webhook.exclude_bots,
            is_active: webhook.is_active,
            created_at: Timestamp(webhook.created_at),
            updated_at: Timestamp(webhook.updated_at),
            failing_since: webhook.failing_since.map(Timestamp),
            disabled_at: webhook.disabled_at.map(Timestamp),
            disabled_reason: reason.map(Into::into),
        }
    }
}

/// A webhook with its signing secret, which is not shown again.
#[derive(SimpleObject, Clone, Debug)]
pub struct WebhookWithSecret {
    /// The webhook.
    #[graphql(flatten)]
    pub webhook: Webhook,
    /// Signs what is sent: `whsec_` and base64. Give it to the receiver's Standard Webhooks library.
    #[graphql(directive = example::apply("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfTYf3tQUY=".into()))]
    pub secret: String,
}

impl From<webhook::Model> for WebhookWithSecret {
    fn from(webhook: webhook::Model) -> Self {
        WebhookWithSecret { secret: webhook.secret.clone(), webhook: webhook.into() }
    }
}

/// The names of all events.
pub fn event_names() -> Vec<String> {
    EventKind::ALL.iter().map(|kind| kind.as_str().to_owned()).collect()
}

/// The event that a filter names.
pub fn event_kind(name: Option<&str>) -> Result<Option<EventKind>, ApiError> {
    name.map(|name| EventKind::parse(name).ok_or_else(|| ApiError::invalid_field("event", "is not an event")))
        .transpose()
}

/// A webhook to create.
#[derive(InputObject, Debug)]
pub struct CreateWebhookInput {
    /// Display name of 1 to 100 characters.
    #[graphql(
        directive = length::apply(1, MAX_NAME),
        directive = format::apply(Format::Name),
        directive = example::apply("CRM".into())
    )]
    pub name: String,
    /// Where events are sent: an absolute http or https URL whose host has public addresses only.
    #[graphql(
        directive = length::apply(1, MAX_URL),
        directive = format::apply(Format::WebhookUrl),
        directive = example::apply("https://hooks.example.com/linkgraph".into())
    )]
    pub url: String,
    /// Names of the events to send; a name that stands twice counts once.
    #[graphql(
        directive = items::apply(1, 100),
        directive = values::apply(event_names()),
        directive = example::apply("[\"link.created\", \"link.clicked\"]".into())
    )]
    pub events: Vec<String>,
    /// Whether events are sent in batches, as `Webhook.batch` says.
    #[graphql(default, directive = example::apply("false".into()))]
    pub batch: bool,
    /// Ids of links of the account: of the events about links only those about these are sent. Null: all links. An id that stands
    /// twice counts once.
    #[graphql(directive = items::apply(1, MAX_LINKS), directive = example::apply("null".into()))]
    pub link_ids: Option<Vec<ID>>,
    /// Whether clicks of bots are left out of `link.clicked`.
    #[graphql(default, directive = example::apply("false".into()))]
    pub exclude_bots: bool,
}

/// What to change of a webhook. Fields that are absent stay as they are, and so do those that are null, but for `linkIds`.
#[derive(InputObject, Debug)]
pub struct UpdateWebhookInput {
    /// Display name.
    #[graphql(
        directive = length::apply(1, MAX_NAME),
        directive = format::apply(Format::Name),
        directive = example::apply("CRM".into())
    )]
    pub name: Option<String>,
    /// Where events are sent from now on, those that wait included.
    #[graphql(
        directive = length::apply(1, MAX_URL),
        directive = format::apply(Format::WebhookUrl),
        directive = example::apply("https://hooks.example.com/linkgraph".into())
    )]
    pub url: Option<String>,
    /// Names of the events to send from now on.
    #[graphql(
        directive = items::apply(1, 100),
        directive = values::apply(event_names()),
        directive = example::apply("[\"link.created\"]".into())
    )]
    pub events: Option<Vec<String>>,
    /// Whether events are sent in batches from now on, as `Webhook.batch` says.
    #[graphql(directive = example::apply("true".into()))]
    pub batch: Option<bool>,
    /// Ids of the links that it is for from now on, those that it has and links of the account: of the events about links only
    /// those about these are sent. Null: all links.
    #[graphql(directive = items::apply(1, MAX_LINKS), directive = example::apply("null".into()))]
    pub link_ids: MaybeUndefined<Vec<ID>>,
    /// Whether clicks of bots are left out of `link.clicked` from now on.
    #[graphql(directive = example::apply("true".into()))]
    pub exclude_bots: Option<bool>,
    /// Whether events are sent. True also takes back that the service disabled it, and deliveries that wait go on.
    #[graphql(directive = example::apply("true".into()))]
    pub is_active: Option<bool>,
}

/// One event, or one batch of events, on its way to one webhook.
#[derive(SimpleObject, Clone, Debug)]
#[graphql(complex)]
pub struct Delivery {
    /// Identifies the delivery.
    #[graphql(directive = example::apply("019aa1c5-3c4d-7e5f-9061-92a3b4c5d6e7".into()))]
    pub id: ID,
    /// The header `webhook-id` of each attempt: it tells the event, and is the same for all webhooks that get it by itself. A batch
    /// has one of its own.
    #[graphql(directive = example::apply("msg_019aa1c53c4d7e5f906192a3b4c5d6e6".into()))]
    pub message_id: String,
    /// Name of the event, or of the batch's events.
    #[graphql(directive = example::apply("link.created".into()))]
    pub event: String,
    /// Events of the batch, so far while it takes more; null for an event that is sent by itself.
    #[graphql(directive = example::apply("null".into()))]
    pub batch_size: Option<i32>,
    /// How far it is.
    #[graphql(directive = example::apply("\"SUCCEEDED\"".into()))]
    pub status: Status,
    /// Attempts made so far.
    #[graphql(directive = example::apply("1".into()))]
    pub attempt_count: i32,
    /// When the next attempt is due; null when none will be made, and while a batch takes more events.
    #[graphql(directive = example::apply("2026-11-20T14:38:38.125Z".into()))]
    pub next_attempt_at: Option<Timestamp>,
    /// When the event happened, or the first of the batch.
    #[graphql(directive = example::apply("2026-11-20T14:33:38.125Z".into()))]
    pub created_at: Timestamp,
    /// When it succeeded or was given up; null while it goes on.
    #[graphql(directive = example::apply("2026-11-20T14:33:38.342Z".into()))]
    pub completed_at: Option<Timestamp>,
    #[graphql(skip)]
    stored: delivery::Model,
}

#[ComplexObject]
impl Delivery {
    /// The attempts, oldest first. Of a delivery that was asked for again and again, the last ones. Over REST they are left out
    /// for an API key that lacks the scope.
    #[graphql(
        directive = access::apply(Credential::Any, None, Some(Scope::WebhooksRead), None),
        directive = items::apply(0, MAX_ATTEMPTS)
    )]
    async fn attempts(&self, ctx: &Context<'_>) -> Result<Vec<AttemptResult>, ApiError> {
        let attempts = load(ctx, DeliveryId(self.stored.id)).await?;
        Ok(attempts.iter().cloned().map(AttemptResult::from).collect())
    }

    /// The event as it is sent; of a batch the first one: `payloads` has all. Its data needs the permissions of the event.
    #[graphql(directive = access::apply(Credential::Any, None, Some(Scope::WebhooksRead), None))]
    async fn payload(&self, ctx: &Context<'_>) -> Result<EventPayload, ApiError> {
        let first = self.events(ctx, PageArgs::first(1)).await?.into_iter().next();
        // Swept since the delivery was read.
        read(first.ok_or_else(|| ApiError::from(Code::NotFound))?.as_ref())
    }

    /// One page of the events that are sent, in the order of the body: one, or those of a batch. Their data needs the permissions
    /// of the event.
    #[graphql(directive = access::apply(Credential::Any, None, Some(Scope::WebhooksRead), None))]
    async fn payloads(
        &self,
        ctx: &Context<'_>,
        #[graphql(default = 1, desc = "Number of the page, from 1.", directive = range::apply(1, i32::MAX))] page: i32,
        #[graphql(default = 20, desc = "Events a page has at most.", directive = range::apply(1, MAX_PAGE_SIZE))]
        page_size: i32,
    ) -> Result<Page<EventPayload>, ApiError> {
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let events = if wanted(ctx).0 { self.events(ctx, args).await? } else { Vec::new() };
        let payloads = events.iter().map(|event| read(event)).collect::<Result<_, _>>()?;
        Ok(Page::new(args, payloads, self.stored.batch_size.unwrap_or(1).into()))
    }

    /// Where it is sent.
    #[graphql(directive = access::apply(Credential::Any, None, Some(Scope::WebhooksRead), None))]
    async fn webhook(&self, ctx: &Context<'_>) -> Result<Webhook, ApiError> {
        let webhook = load(ctx, WebhookId(self.stored.webhook_id)).await?;
        // Deleted since the delivery was read.
        let webhook = webhook.ok_or_else(|| ApiError::from(Code::NotFound))?;
        Ok((*webhook).clone().into())
    }
}

impl Delivery {
    /// A page of what is sent, as far as it is kept.
    async fn events(&self, ctx: &Context<'_>, args: PageArgs) -> Result<Vec<Arc<outbox_event::Model>>, ApiError> {
        if self.stored.batch_size.is_some() {
            let batch = BatchPageKey { delivery: DeliveryId(self.stored.id), args };
            return Ok(load(ctx, batch).await?.to_vec());
        }
        if args.number() > 1 {
            return Ok(Vec::new());
        }
        Ok(load(ctx, EventKey(self.stored.event_id)).await?.into_iter().collect())
    }
}

fn read(event: &outbox_event::Model) -> Result<EventPayload, ApiError> {
    let kind = EventKind::parse(&event.kind).ok_or_else(|| ApiError::internal("an unknown event is stored"))?;
    EventPayload::read(kind, &outbox::body(event)).map_err(ApiError::internal)
}

impl From<delivery::Model> for Delivery {
    fn from(delivery: delivery::Model) -> Self {
        Delivery {
            id: delivery.id.into(),
            message_id: message_id(delivery.event_id),
            event: delivery.event.clone(),
            batch_size: delivery.batch_size,
            status: Status::parse(&delivery.status).unwrap_or(Status::Pending),
            attempt_count: delivery.attempts,
            next_attempt_at: delivery.due_at.map(Timestamp),
            created_at: Timestamp(delivery.created_at),
            completed_at: delivery.completed_at.map(Timestamp),
            stored: delivery,
        }
    }
}

/// One attempt of a delivery.
#[derive(SimpleObject, Clone, Debug)]
pub struct AttemptResult {
    /// When it began.
    #[graphql(directive = example::apply("2026-11-20T14:33:38.229Z".into()))]
    pub attempted_at: Timestamp,
    /// HTTP status of the answer; null when there was none.
    #[graphql(directive = example::apply("200".into()))]
    pub status_code: Option<i32>,
    /// How long it took, in milliseconds.
    #[graphql(directive = example::apply("113".into()))]
    pub duration_ms: i32,
    /// The first 1,000 characters of the answer's body; null when it was empty.
    #[graphql(directive = example::apply("ok".into()))]
    pub response_start: Option<String>,
    /// Why there was no answer, or not all of it; null otherwise.
    #[graphql(directive = example::apply("The connection was refused.".into()))]
    pub error: Option<String>,
}

impl From<delivery_attempt::Model> for AttemptResult {
    fn from(attempt: delivery_attempt::Model) -> Self {
        AttemptResult {
            attempted_at: Timestamp(attempt.attempted_at),
            status_code: attempt.status_code,
            duration_ms: attempt.duration_ms,
            response_start: attempt.response_start,
            error: attempt.error,
        }
    }
}

/// One page of a webhook's deliveries.
#[derive(SimpleObject, Debug)]
pub struct DeliveryPageResult {
    /// The deliveries of this page; empty past the end.
    pub deliveries: Vec<Delivery>,
    /// Number of deliveries on all pages.
    #[graphql(directive = example::apply("1".into()))]
    pub total: i32,
    /// Number of this page, from 1.
    #[graphql(directive = example::apply("1".into()))]
    pub page: i32,
    /// Deliveries a page has at most, as requested.
    #[graphql(directive = example::apply("20".into()))]
    pub page_size: i32,
    /// `total / pageSize`, rounded up.
    #[graphql(directive = example::apply("1".into()))]
    pub total_pages: i32,
}

impl DeliveryPageResult {
    /// Puts a page together.
    pub fn new(args: PageArgs, deliveries: Vec<Delivery>, total: i64) -> Self {
        DeliveryPageResult {
            deliveries,
            total: count(total),
            page: args.number(),
            page_size: args.size(),
            total_pages: count(args.pages(total)),
        }
    }
}
