//! Mutations of webhooks.

use async_graphql::{Context, ID, Object};

use crate::{
    app::idempotent::execute,
    base::error::{ApiError, Code},
    features::webhooks::{
        delivery_ops,
        ops::{self, WebhookChange},
        query::webhook_id,
        types::{CreateWebhookInput, Delivery, UpdateWebhookInput},
        webhook::{Webhook, WebhookSecretPayload},
    },
    graphql::{
        context::ContextExt,
        directives::{example, idempotent},
        shorthands::{Create, Delete, Patch, Post, Scoped},
    },
    platform::auth::{
        access::{Depth, creates},
        scope::Scope,
    },
};

/// See [`crate::api::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct WebhookMutation;

#[Object]
impl WebhookMutation {
    /// Creates a webhook and shows its signing secret, this once. It gets the events that happen from now on. Fails with
    /// FORBIDDEN when the caller lacks a permission that the data of an event needs, as `@access` says in the event's payload,
    /// with NOT_FOUND when the account lacks a link of `linkIds`, and with PLAN_LIMIT_REACHED when the plan allows no more webhooks.
    #[graphql(
        directive = Scoped::apply(Scope::WebhooksManage, Depth::UserContext),
        directive = creates::apply(None),
        directive = idempotent::apply(),
        directive = Create::apply("/webhooks", "/webhooks/{id}")
    )]
    async fn create_webhook(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The new webhook.")] input: CreateWebhookInput,
    ) -> Result<WebhookSecretPayload, ApiError> {
        let CreateWebhookInput { name, url, events, batch, link_ids, exclude_bots } = input;
        let new = WebhookChange {
            name: Some(name),
            url: Some(url),
            events: Some(events),
            batch: Some(batch),
            link_ids: Some(link_ids.map(texts)),
            exclude_bots: Some(exclude_bots),
            is_active: None,
        };
        let (app, act) = (ctx.app()?, ctx.act()?);
        let create = async { Ok(ops::create(app, &act, new).await?.map(WebhookSecretPayload::from)) };
        execute(app, &act, create).await
    }

    /// Changes a webhook. Fails with NOT_FOUND when the account has no such webhook or lacks a link of `linkIds`, and with FORBIDDEN
    /// when the caller lacks a permission that the data of an event needs which is added, or which goes to another URL, or which is
    /// about links when other links or clicks than before are sent.
    #[graphql(
        directive = Scoped::apply(Scope::WebhooksManage, Depth::UserContext),
        directive = Patch::apply("/webhooks/{webhookId}")
    )]
    async fn update_webhook(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The webhook's id.",
            directive = example::apply("019aa1c4-2b3c-7d4e-8f50-819203a4b5c6".into())
        )]
        id: ID,
        #[graphql(desc = "What to change.")] input: UpdateWebhookInput,
    ) -> Result<Webhook, ApiError> {
        let UpdateWebhookInput { name, url, events, batch, link_ids, exclude_bots, is_active, expected_updated_at } =
            input;
        let expected = ctx.expected(expected_updated_at);
        let link_ids = Option::<Option<Vec<ID>>>::from(link_ids).map(|ids| ids.map(texts));
        let change = WebhookChange { name, url, events, batch, link_ids, exclude_bots, is_active };
        Ok(ops::update(ctx.app()?, &ctx.act()?, webhook_id(&id)?, change, &expected).await?.into())
    }

    /// Deletes a webhook and its deliveries, and answers its id. Nothing more is sent to it, but for what is on its way.
    /// Fails with NOT_FOUND when the account has no such webhook.
    #[graphql(
        directive = Scoped::apply(Scope::WebhooksManage, Depth::UserContext),
        directive = Delete::apply("/webhooks/{webhookId}")
    )]
    async fn delete_webhook(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The webhook's id.",
            directive = example::apply("019aa1c4-2b3c-7d4e-8f50-819203a4b5c6".into())
        )]
        id: ID,
    ) -> Result<ID, ApiError> {
        ops::delete(ctx.app()?, &ctx.act()?, webhook_id(&id)?).await?;
        Ok(id)
    }

    /// Sends the event `webhook.test` to this webhook, whatever events it asks for, and answers the delivery; in a batch of one, if
    /// it asks for batches. Fails with NOT_FOUND when the account has no such webhook, and with CONFLICT when it is not active.
    #[graphql(
        directive = Scoped::apply(Scope::WebhooksManage, Depth::UserContext),
        directive = creates::apply(None),
        directive = Post::apply("/webhooks/{webhookId}/test")
    )]
    async fn test_webhook(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The webhook's id.",
            directive = example::apply("019aa1c4-2b3c-7d4e-8f50-819203a4b5c6".into())
        )]
        id: ID,
    ) -> Result<Delivery, ApiError> {
        Ok(delivery_ops::test(ctx.app()?, &ctx.act()?, webhook_id(&id)?).await?.into())
    }

    /// Gives a webhook a new signing secret and shows it, this once. For 24 hours, or until the next rotation, the old
    /// secret signs too, so that the receiver can be changed at leisure. Fails with NOT_FOUND when the account has no such webhook.
    #[graphql(
        directive = Scoped::apply(Scope::WebhooksManage, Depth::UserContext),
        directive = Post::apply("/webhooks/{webhookId}/rotate-secret")
    )]
    async fn rotate_webhook_secret(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The webhook's id.",
            directive = example::apply("019aa1c4-2b3c-7d4e-8f50-819203a4b5c6".into())
        )]
        id: ID,
    ) -> Result<WebhookSecretPayload, ApiError> {
        Ok(ops::rotate_secret(ctx.app()?, &ctx.act()?, webhook_id(&id)?).await?.into())
    }

    /// Delivers an event again, or a batch, now and then by the whole schedule, whatever became of it before; `webhook-id` and body
    /// stay the same. Fails with NOT_FOUND when the account has no such webhook, or the webhook no such delivery, and with CONFLICT
    /// when the webhook is not active.
    #[graphql(
        directive = Scoped::apply(Scope::WebhooksManage, Depth::UserContext),
        directive = Post::apply("/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver")
    )]
    async fn redeliver(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The webhook's id.",
            directive = example::apply("019aa1c4-2b3c-7d4e-8f50-819203a4b5c6".into())
        )]
        webhook_id: ID,
        #[graphql(
            desc = "The delivery's id.",
            directive = example::apply("019aa1c5-3c4d-7e5f-9061-92a3b4c5d6e7".into())
        )]
        delivery_id: ID,
    ) -> Result<Delivery, ApiError> {
        let webhook = self::webhook_id(&webhook_id)?;
        let delivery = delivery_id.parse().map_err(|_| ApiError::from(Code::NotFound))?;
        Ok(delivery_ops::redeliver(ctx.app()?, &ctx.act()?, webhook, delivery).await?.into())
    }
}

fn texts(ids: Vec<ID>) -> Vec<String> {
    ids.into_iter().map(|id| id.0).collect()
}
