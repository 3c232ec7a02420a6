//! Merges the features into one schema.

use std::sync::Arc;

use async_graphql::{MergedObject, MergedSubscription, SDLExportOptions, Schema, SchemaBuilder, ValidationMode};

use crate::{
    across,
    api::graphql::{field_errors::SettleError, printer::printed},
    app::App,
    features,
};

/// Everything that can be read.
#[derive(MergedObject, Default)]
pub(crate) struct Query(
    features::instance::InstanceQuery,
    features::accounts::query::AccountQuery,
    features::members::query::MemberQuery,
    across::transfers::query::TransferQuery,
    features::second_factor::query::SecondFactorQuery,
    features::second_factor::passkeys::query::PasskeyQuery,
    features::sessions::query::SessionQuery,
    features::sign_in::query::IdentityQuery,
    features::links::query::LinkQuery,
    features::links::rules::query::RuleQuery,
    features::tags::query::TagQuery,
    features::apps::query::AppQuery,
    features::utm_templates::query::UtmTemplateQuery,
    features::images::query::ImageQuery,
    features::imports::query::ImportQuery,
    features::domains::query::DomainQuery,
    features::subdomains::query::SubdomainQuery,
    features::analytics::query::AnalyticsQuery,
    features::analytics::reports::query::ReportQuery,
    features::annotations::query::AnnotationQuery,
    features::webhooks::query::WebhookQuery,
    features::api_keys::query::ApiKeyQuery,
    features::billing::query::BillingQuery,
);

/// Everything that can be changed.
#[derive(MergedObject, Default)]
pub(crate) struct Mutation(
    features::accounts::mutation::AccountMutation,
    across::account_deletion::mutation::DeletionMutation,
    features::members::mutation::MemberMutation,
    across::transfers::mutation::TransferMutation,
    features::second_factor::mutation::SecondFactorMutation,
    features::second_factor::passkeys::mutation::PasskeyMutation,
    features::sessions::mutation::SessionMutation,
    features::sign_in::mutation::IdentityMutation,
    features::links::mutation::LinkMutation,
    features::links::rules::mutation::RuleMutation,
    features::tags::mutation::TagMutation,
    features::apps::mutation::AppMutation,
    features::utm_templates::mutation::UtmTemplateMutation,
    features::images::mutation::ImageMutation,
    features::imports::mutation::ImportMutation,
    features::domains::mutation::DomainMutation,
    features::subdomains::mutation::SubdomainMutation,
    features::analytics::reports::mutation::ReportMutation,
    features::annotations::mutation::AnnotationMutation,
    features::webhooks::mutation::WebhookMutation,
    features::api_keys::mutation::ApiKeyMutation,
    features::billing::mutation::BillingMutation,
);

/// What happens, told when it happens: over a WebSocket at `/graphql/ws` that speaks `graphql-transport-ws`, with the
/// credential as `authorization` in the payload of `connection_init`, or in the header `Authorization`.
#[derive(MergedSubscription, Default)]
pub(crate) struct LiveEvents(
    features::analytics::subscription::ClickSubscription,
    across::account_clicks::subscription::AccountClicksSubscription,
    features::domains::subscription::DomainSubscription,
    features::webhooks::subscription::DeliverySubscription,
);

pub(crate) type ApiSchema = Schema<Query, Mutation, LiveEvents>;

fn builder() -> SchemaBuilder<Query, Mutation, LiveEvents> {
    // Suggestions would reveal names of fields that the caller may not see.
    Schema::build(Query::default(), Mutation::default(), LiveEvents::default())
        .disable_suggestions()
        .directive(SettleError)
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
