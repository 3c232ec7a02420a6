//! GraphQL types of webhooks and their deliveries.

use async_graphql::{ID, InputObject, MaybeUndefined, SimpleObject};
use entity::{delivery, delivery_attempt};

use crate::{
    base::{
        error::ApiError,
        page::PageArgs,
        validate::{MAX_NAME, MAX_URL},
    },
    features::webhooks::webhook::MAX_LINKS,
    graphql::{
        directives::{Format, clearable, example, format, items, length, precondition, values},
        scalars::{Timestamp, count},
    },
    platform::{
        auth::{access::resource, scope::Scope},
        work::event_kind::EventKind,
    },
    records::webhooks::delivery::{Status, message::message_id},
};

pub(crate) fn event_names() -> Vec<String> {
    EventKind::ALL.iter().map(|kind| kind.as_str().to_owned()).collect()
}

/// The event that a filter names.
pub(crate) fn event_kind(name: Option<&str>) -> Result<Option<EventKind>, ApiError> {
    name.map(|name| EventKind::parse(name).ok_or_else(|| ApiError::invalid_field("event", "is not an event")))
        .transpose()
}

/// A webhook to create.
#[derive(InputObject, Debug)]
pub(crate) struct CreateWebhookInput {
    /// Display name of 1 to 100 characters.
    #[graphql(
        directive = length::apply(1, MAX_NAME),
        directive = format::apply(Format::Name),
        directive = example::apply("CRM".into())
    )]
    pub(crate) name: String,
    /// Where events are sent: an absolute http or https URL whose host has public addresses only.
    #[graphql(
        directive = length::apply(1, MAX_URL),
        directive = format::apply(Format::WebhookUrl),
        directive = example::apply("https://hooks.example.com/linkgraph".into())
    )]
    pub(crate) url: String,
    /// Names of the events to send; a name that stands twice counts once.
    #[graphql(
        directive = items::apply(1, 100),
        directive = values::apply(event_names()),
        directive = example::apply("[\"link.created\", \"link.clicked\"]".into())
    )]
    pub(crate) events: Vec<String>,
    /// Whether events are sent in batches, as `Webhook.batch` says.
    #[graphql(default, directive = example::apply("false".into()))]
    pub(crate) batch: bool,
    /// Ids of links of the account: of the events about links only those about these are sent. Null: all links. An id that stands
    /// twice counts once.
    #[graphql(directive = items::apply(1, MAX_LINKS), directive = example::apply("null".into()))]
    pub(crate) link_ids: Option<Vec<ID>>,
    /// Whether clicks of bots are left out of `link.clicked`.
    #[graphql(default, directive = example::apply("false".into()))]
    pub(crate) exclude_bots: bool,
}

/// What to change of a webhook, as JSON merge patch (RFC 7396): fields that are absent stay as they are, and null takes a value away.
#[derive(InputObject, Debug)]
pub(crate) struct UpdateWebhookInput {
    /// Display name.
    #[graphql(
        directive = length::apply(1, MAX_NAME),
        directive = format::apply(Format::Name),
        directive = example::apply("CRM".into())
    )]
    pub(crate) name: Option<String>,
    /// Where events are sent from now on, those that wait included.
    #[graphql(
        directive = length::apply(1, MAX_URL),
        directive = format::apply(Format::WebhookUrl),
        directive = example::apply("https://hooks.example.com/linkgraph".into())
    )]
    pub(crate) url: Option<String>,
    /// Names of the events to send from now on.
    #[graphql(
        directive = items::apply(1, 100),
        directive = values::apply(event_names()),
        directive = example::apply("[\"link.created\"]".into())
    )]
    pub(crate) events: Option<Vec<String>>,
    /// Whether events are sent in batches from now on, as `Webhook.batch` says.
    pub(crate) batch: Option<bool>,
    /// Ids of the links that it is for from now on, those that it has and links of the account: of the events about links only
    /// those about these are sent. Null: all links.
    #[graphql(
        directive = clearable::apply(),
        directive = items::apply(1, MAX_LINKS),
        directive = example::apply("null".into())
    )]
    pub(crate) link_ids: MaybeUndefined<Vec<ID>>,
    /// Whether clicks of bots are left out of `link.clicked` from now on.
    pub(crate) exclude_bots: Option<bool>,
    /// Whether events are sent. True also takes back that the service disabled it, and deliveries that wait go on.
    pub(crate) is_active: Option<bool>,
    /// `updatedAt` of the webhook as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
    /// PRECONDITION_FAILED. Absent: the webhook is changed whoever changed it meanwhile.
    #[graphql(directive = precondition::apply())]
    pub(crate) expected_updated_at: Option<Timestamp>,
}

/// One event, or one batch of events, on its way to one webhook.
#[derive(SimpleObject, Clone, Debug)]
#[graphql(complex, directive = resource::apply(Scope::WebhooksRead))]
pub(crate) struct Delivery {
    /// Identifies the delivery.
    #[graphql(directive = example::apply("019aa1c5-3c4d-7e5f-9061-92a3b4c5d6e7".into()))]
    pub(crate) id: ID,
    /// The header `webhook-id` of each attempt: it tells the event, and is the same for all webhooks that get it by itself. A batch
    /// has one of its own.
    #[graphql(directive = example::apply("msg_019aa1c53c4d7e5f906192a3b4c5d6e6".into()))]
    pub(crate) message_id: String,
    /// Name of the event, or of the batch's events.
    #[graphql(directive = example::apply("link.created".into()))]
    pub(crate) event: String,
    /// Events of the batch, so far while it takes more; null for an event that is sent by itself.
    #[graphql(directive = example::apply("null".into()))]
    pub(crate) batch_size: Option<i32>,
    /// How far it is.
    #[graphql(directive = example::apply("\"SUCCEEDED\"".into()))]
    pub(crate) status: Status,
    /// Attempts made so far.
    #[graphql(directive = example::apply("1".into()))]
    pub(crate) attempt_count: i32,
    /// When the next attempt is due; null when none will be made, and while a batch takes more events.
    #[graphql(directive = example::apply("2026-11-20T14:38:38.125Z".into()))]
    pub(crate) next_attempt_at: Option<Timestamp>,
    /// When the event happened, or the first of the batch.
    pub(crate) created_at: Timestamp,
    /// When it succeeded or was given up; null while it goes on.
    #[graphql(directive = example::apply("2026-11-20T14:33:38.342Z".into()))]
    pub(crate) completed_at: Option<Timestamp>,
    #[graphql(skip)]
    pub(crate) stored: delivery::Model,
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
pub(crate) struct AttemptResult {
    /// When it began.
    #[graphql(directive = example::apply("2026-11-20T14:33:38.229Z".into()))]
    pub(crate) attempted_at: Timestamp,
    /// HTTP status of the answer; null when there was none.
    #[graphql(directive = example::apply("200".into()))]
    pub(crate) status_code: Option<i32>,
    /// How long it took, in milliseconds.
    #[graphql(directive = example::apply("113".into()))]
    pub(crate) duration_ms: i32,
    /// The first 1,000 characters of the answer's body; null when it was empty.
    #[graphql(directive = example::apply("ok".into()))]
    pub(crate) response_start: Option<String>,
    /// Why there was no answer, or not all of it; null otherwise.
    #[graphql(directive = example::apply("The connection was refused.".into()))]
    pub(crate) error: Option<String>,
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
pub(crate) struct DeliveryPageResult {
    /// The deliveries of this page; empty past the end.
    pub(crate) deliveries: Vec<Delivery>,
    /// Number of deliveries on all pages.
    #[graphql(directive = example::apply("1".into()))]
    pub(crate) total: i32,
    /// Number of this page, from 1.
    #[graphql(directive = example::apply("1".into()))]
    pub(crate) page: i32,
    /// Deliveries a page has at most, as requested.
    #[graphql(directive = example::apply("20".into()))]
    pub(crate) page_size: i32,
    /// `total / pageSize`, rounded up.
    #[graphql(directive = example::apply("1".into()))]
    pub(crate) total_pages: i32,
}

impl DeliveryPageResult {
    /// Puts a page together.
    pub(crate) fn new(args: PageArgs, deliveries: Vec<Delivery>, total: i64) -> Self {
        DeliveryPageResult {
            deliveries,
            total: count(total),
            page: args.number(),
            page_size: args.size(),
            total_pages: count(args.pages(total)),
        }
    }
}
