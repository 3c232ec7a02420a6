//! Queries on webhooks.

use async_graphql::{Context, ID, Object};

use crate::{
    base::{
        error::{ApiError, Code},
        ids::WebhookId,
        page::PageArgs,
    },
    features::webhooks::{
        delivery_ops, ops,
        types::{Delivery, DeliveryPageResult, event_kind, event_names},
        webhook::Webhook,
    },
    graphql::{
        context::ContextExt,
        directives::{example, values},
        page::{Page, selected, selected_of},
        shorthands::{Get, Scoped},
    },
    platform::auth::{access::Depth, scope::Scope},
    records::webhooks::{delivery::Status, delivery_repo::DeliveryFilter},
};

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct WebhookQuery;

#[Object]
impl WebhookQuery {
    /// One page of the account's webhooks, newest first.
    #[graphql(
        directive = Scoped::apply(Scope::WebhooksRead, Depth::UserContext),
        directive = Get::apply("/webhooks")
    )]
    async fn webhooks(
        &self,
        ctx: &Context<'_>,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Webhooks a page has at most, from 1 to 100.")] page_size: i32,
    ) -> Result<Page<Webhook>, ApiError> {
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let (webhooks, total) = ops::list(ctx.app()?, ctx.call()?.account()?, args, selected(ctx)).await?;
        Ok(Page::new(args, webhooks.into_iter().map(Webhook::from).collect(), total))
    }

    /// One webhook. Fails with NOT_FOUND when the account has no such webhook.
    #[graphql(
        directive = Scoped::apply(Scope::WebhooksRead, Depth::UserContext),
        directive = Get::apply("/webhooks/{webhookId}")
    )]
    async fn webhook(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The webhook's id.",
            directive = example::apply("019aa1c4-2b3c-7d4e-8f50-819203a4b5c6".into())
        )]
        id: ID,
    ) -> Result<Webhook, ApiError> {
        Ok(ops::webhook(ctx.app()?, ctx.call()?.account()?, webhook_id(&id)?).await?.into())
    }

    /// One page of a webhook's deliveries of the last 30 days, those of the newest events first. Fails with NOT_FOUND
    /// when the account has no such webhook.
    #[graphql(
        directive = Scoped::apply(Scope::WebhooksRead, Depth::UserContext),
        directive = Get::apply("/webhooks/{webhookId}/deliveries")
    )]
    async fn webhook_deliveries(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The webhook's id.",
            directive = example::apply("019aa1c4-2b3c-7d4e-8f50-819203a4b5c6".into())
        )]
        webhook_id: ID,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Deliveries a page has at most, from 1 to 100.")] page_size: i32,
        #[graphql(
            desc = "Only deliveries that stand so. Absent: all.",
            directive = example::apply("\"FAILED\"".into())
        )]
        status: Option<Status>,
        #[graphql(
            desc = "Only deliveries of this event. Absent: all.",
            directive = values::apply(event_names()),
            directive = example::apply("link.created".into())
        )]
        event: Option<String>,
    ) -> Result<DeliveryPageResult, ApiError> {
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let filter = DeliveryFilter { status, event: event_kind(event.as_deref())? };
        let webhook = self::webhook_id(&webhook_id)?;
        let selected = selected_of(ctx, "deliveries");
        let (found, total) =
            delivery_ops::list(ctx.app()?, ctx.call()?.account()?, webhook, filter, args, selected).await?;
        Ok(DeliveryPageResult::new(args, found.into_iter().map(Delivery::from).collect(), total))
    }
}

/// Parses the id of a webhook. Fails with NOT_FOUND when the text is no valid id.
pub(crate) fn webhook_id(id: &ID) -> Result<WebhookId, ApiError> {
    id.parse().map_err(|_| Code::NotFound.into())
}
