//! Fields of deliveries: attempts, the webhook, and what is sent of resources of all features.

use std::sync::Arc;

use async_graphql::{ComplexObject, Context};
use entity::outbox_event;

use crate::{
    across::payload::EventPayload,
    base::{
        error::{ApiError, Code},
        ids::{DeliveryId, WebhookId},
        page::PageArgs,
    },
    features::webhooks::{
        loader::{BatchPageKey, EventKey},
        types::{AttemptResult, Delivery},
        webhook::Webhook,
    },
    graphql::{
        directives::items,
        load::load,
        page::{Page, selected},
        shorthands::Reads,
    },
    platform::{
        auth::scope::Scope,
        work::{event_kind::EventKind, outbox},
    },
};

/// Attempts of one delivery that are kept: those of the schedule, of the one before, and one that was on its way in between.
const MAX_ATTEMPTS: i32 = 31;

#[ComplexObject]
impl Delivery {
    /// The attempts, oldest first. Of a delivery that was asked for again and again, the last ones. Over REST they are left out
    /// for an API key that lacks the scope.
    #[graphql(
        directive = Reads::apply(Scope::WebhooksRead),
        directive = items::apply(0, MAX_ATTEMPTS)
    )]
    async fn attempts(&self, ctx: &Context<'_>) -> Result<Vec<AttemptResult>, ApiError> {
        let attempts = load(ctx, DeliveryId(self.stored.id)).await?;
        Ok(attempts.iter().cloned().map(AttemptResult::from).collect())
    }

    /// The event as it is sent; of a batch the first one: `payloads` has all. Its data needs the permissions of the event.
    #[graphql(directive = Reads::apply(Scope::WebhooksRead))]
    async fn payload(&self, ctx: &Context<'_>) -> Result<EventPayload, ApiError> {
        let first = self.events(ctx, PageArgs::first(1)).await?.into_iter().next();
        // Swept since the delivery was read.
        read(first.ok_or_else(|| ApiError::from(Code::NotFound))?.as_ref())
    }

    /// One page of the events that are sent, in the order of the body: one, or those of a batch. Their data needs the permissions
    /// of the event.
    #[graphql(directive = Reads::apply(Scope::WebhooksRead))]
    async fn payloads(
        &self,
        ctx: &Context<'_>,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Events a page has at most.")] page_size: i32,
    ) -> Result<Page<EventPayload>, ApiError> {
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let events = if selected(ctx).items { self.events(ctx, args).await? } else { Vec::new() };
        let payloads = events.iter().map(|event| read(event)).collect::<Result<_, _>>()?;
        Ok(Page::new(args, payloads, self.stored.batch_size.unwrap_or(1).into()))
    }

    /// Where it is sent.
    #[graphql(directive = Reads::apply(Scope::WebhooksRead))]
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
