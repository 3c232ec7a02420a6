//! A webhook as the API shows it.

use async_graphql::{Enum, ID, SimpleObject};
use entity::webhook;
use serde::{Deserialize, Serialize};

use crate::{
    graphql::{
        directives::{example, flattened, items},
        page::Paged,
        scalars::Timestamp,
    },
    platform::auth::{
        access::{resource, shown_once},
        scope::Scope,
    },
    records::webhooks::disabled::DisabledReason,
};

/// Links that a webhook is for at most.
pub(crate) const MAX_LINKS: i32 = 100;

/// Why the service disabled a webhook.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum WebhookDisabledReason {
    /// Its receiver answered 410 Gone.
    Gone,
    /// Nothing but failures for 5 days, and at least 20 of them.
    Failing,
}

impl From<DisabledReason> for WebhookDisabledReason {
    fn from(reason: DisabledReason) -> Self {
        match reason {
            DisabledReason::Gone => WebhookDisabledReason::Gone,
            DisabledReason::Failing => WebhookDisabledReason::Failing,
        }
    }
}

/// Where the account wants its events sent. Each event, or batch of events, is POSTed as JSON, signed as Standard Webhooks says, at
/// least once and in no promised order: the header `webhook-id` tells doubles. Any 2xx answer within 15 seconds is a success;
/// anything else is tried again after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14 and 20 hours, and then daily, 15 times in
/// all, later if `Retry-After` asks for it.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[graphql(complex, directive = resource::apply(Scope::WebhooksRead))]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Identifies the webhook.
    #[graphql(directive = example::apply("019aa1c4-2b3c-7d4e-8f50-819203a4b5c6".into()))]
    pub(crate) id: ID,
    /// Display name.
    #[graphql(directive = example::apply("CRM".into()))]
    pub(crate) name: String,
    /// Where events are sent.
    #[graphql(directive = example::apply("https://hooks.example.com/linkgraph".into()))]
    pub(crate) url: String,
    /// Names of the events that are sent.
    #[graphql(directive = example::apply("[\"link.created\", \"link.clicked\"]".into()))]
    pub(crate) events: Vec<String>,
    /// Whether events are sent in batches: up to 100 of one kind in one body, at most 256 KiB long, as soon as it is full or a
    /// second old. The body of a batch is `{type, timestamp, data}` too: `type` is the name of its events, `timestamp` the time of
    /// the first, and `data` a list of the events, each as it would be sent by itself. A batch may have one event.
    #[graphql(directive = example::apply("false".into()))]
    #[serde(default)]
    pub(crate) batch: bool,
    /// Ids of the links that it is for: of the events about links (`link.…`) only those about these are sent; other events are
    /// sent nevertheless. Null: all links. A link that is deleted stays in the list.
    #[graphql(directive = items::apply(1, MAX_LINKS), directive = example::apply("null".into()))]
    #[serde(default)]
    pub(crate) link_ids: Option<Vec<ID>>,
    /// Whether clicks of bots are left out of `link.clicked`.
    #[graphql(directive = example::apply("false".into()))]
    #[serde(default)]
    pub(crate) exclude_bots: bool,
    /// Whether events are sent. While it is false none are added, and deliveries that were not finished wait.
    pub(crate) is_active: bool,
    /// When it was created.
    pub(crate) created_at: Timestamp,
    /// When it was last changed.
    pub(crate) updated_at: Timestamp,
    /// When the first of the attempts failed that were nothing but failures since; null when the last one succeeded.
    #[graphql(directive = example::apply("2026-11-20T15:00:00.000Z".into()))]
    pub(crate) failing_since: Option<Timestamp>,
    /// When the service disabled it; null unless it did.
    #[graphql(directive = example::apply("2026-11-25T15:00:00.000Z".into()))]
    pub(crate) disabled_at: Option<Timestamp>,
    /// Why the service disabled it; null unless it did.
    #[graphql(directive = example::apply("\"FAILING\"".into()))]
    pub(crate) disabled_reason: Option<WebhookDisabledReason>,
}

impl Paged for Webhook {
    const PAGE: &str = "WebhookPageResult";
}

impl From<webhook::Model> for Webhook {
    fn from(webhook: webhook::Model) -> Self {
        let reason = webhook.disabled_reason.as_deref().and_then(DisabledReason::parse);
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

/// A webhook and its signing secret, which is not shown again.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
pub(crate) struct WebhookSecretPayload {
    /// The webhook.
    #[graphql(directive = flattened::apply())]
    #[serde(flatten)]
    pub(crate) webhook: Webhook,
    /// Signs what is sent: `whsec_` and base64. Give it to the receiver's Standard Webhooks library.
    #[graphql(
        directive = shown_once::apply(),
        directive = example::apply("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfTYf3tQUY=".into())
    )]
    pub(crate) secret: String,
}

impl From<webhook::Model> for WebhookSecretPayload {
    fn from(webhook: webhook::Model) -> Self {
        WebhookSecretPayload { secret: webhook.secret.clone(), webhook: webhook.into() }
    }
}
