//! Fields of webhooks that lead to their deliveries.

use async_graphql::{ComplexObject, Context};

use crate::{
    base::{error::ApiError, ids::WebhookId, page::PageArgs},
    features::webhooks::{
        loader::DeliveryPageKey,
        types::{DeliveryPageResult, event_kind, event_names},
        webhook::Webhook,
    },
    graphql::{directives::values, page::selected_of, shorthands::Reads},
    platform::auth::scope::Scope,
    records::webhooks::{delivery::Status, delivery_repo::DeliveryFilter},
};

#[ComplexObject]
impl Webhook {
    /// One page of its deliveries, those of the newest events first.
    #[graphql(directive = Reads::apply(Scope::WebhooksRead))]
    async fn deliveries(
        &self,
        ctx: &Context<'_>,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Deliveries a page has at most.")] page_size: i32,
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
        let selected = selected_of(ctx, "deliveries");
        DeliveryPageKey { webhook, filter, args, selected }.load(ctx).await
    }
}
