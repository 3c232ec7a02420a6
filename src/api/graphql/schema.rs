//! Merges the features into one schema.

use std::sync::Arc;

use async_graphql::{MergedObject, MergedSubscription, SDLExportOptions, Schema, SchemaBuilder, ValidationMode};

use crate::{
    across::{account_clicks::subscription::AccountClicksSubscription, account_deletion::mutation::DeletionMutation},
    api::graphql::{error_path::RememberErrorPath, printer::printed},
    app::App,
    features::{
        accounts::{mutation::AccountMutation, query::AccountQuery},
        analytics::{query::AnalyticsQuery, subscription::ClickSubscription},
        api_keys::{mutation::ApiKeyMutation, query::ApiKeyQuery},
        billing::{mutation::BillingMutation, query::BillingQuery},
        domains::{mutation::DomainMutation, query::DomainQuery, subscription::DomainSubscription},
        imports::{mutation::ImportMutation, query::ImportQuery},
        instance::InstanceQuery,
        links::{mutation::LinkMutation, query::LinkQuery},
        sessions::{mutation::SessionMutation, query::SessionQuery},
        subdomains::{mutation::SubdomainMutation, query::SubdomainQuery},
        tags::{mutation::TagMutation, query::TagQuery},
        utm_templates::{mutation::UtmTemplateMutation, query::UtmTemplateQuery},
        webhooks::{mutation::WebhookMutation, query::WebhookQuery, subscription::DeliverySubscription},
    },
};

/// Everything that can be read.
#[derive(MergedObject, Default)]
pub(crate) struct Query(
    InstanceQuery,
    AccountQuery,
    SessionQuery,
    LinkQuery,
    TagQuery,
    UtmTemplateQuery,
    ImportQuery,
    DomainQuery,
    SubdomainQuery,
    AnalyticsQuery,
    WebhookQuery,
    ApiKeyQuery,
    BillingQuery,
);

/// Everything that can be changed.
#[derive(MergedObject, Default)]
pub(crate) struct Mutation(
    AccountMutation,
    DeletionMutation,
    SessionMutation,
    LinkMutation,
    TagMutation,
    UtmTemplateMutation,
    ImportMutation,
    DomainMutation,
    SubdomainMutation,
    WebhookMutation,
    ApiKeyMutation,
    BillingMutation,
);

/// What happens, told when it happens: over a WebSocket at `/graphql/ws` that speaks `graphql-transport-ws`, with the
/// credential as `authorization` in the payload of `connection_init`, or in the header `Authorization`.
#[derive(MergedSubscription, Default)]
pub(crate) struct LiveEvents(ClickSubscription, AccountClicksSubscription, DomainSubscription, DeliverySubscription);

pub(crate) type ApiSchema = Schema<Query, Mutation, LiveEvents>;

fn builder() -> SchemaBuilder<Query, Mutation, LiveEvents> {
    // Suggestions would reveal names of fields that the caller may not see.
    Schema::build(Query::default(), Mutation::default(), LiveEvents::default())
        .disable_suggestions()
        .directive(RememberErrorPath)
}

/// The schema whose resolvers work on this app. It executes what its caller knows to be valid: the
/// [`Validator`](super::validator::Validator) has seen what a client sent.
pub(crate) fn build(app: Arc<App>) -> ApiSchema {
    builder().data(app).validation_mode(ValidationMode::Fast).finish()
}

/// The contract: the text of `schema.graphql`. It needs no app.
pub(crate) fn sdl() -> String {
    // In the order of the code: it is stable, and it is the order of the REST answers' fields.
    let options = SDLExportOptions::new().use_space_ident();
    printed(&builder().finish().sdl_with_options(options))
}
