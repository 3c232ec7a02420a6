//! GraphQL types of annotations.

use async_graphql::{ID, InputObject, SimpleObject};
use entity::annotation;
use serde::{Deserialize, Serialize};

use crate::{
    features::annotations::ops::MAX_TEXT,
    graphql::{
        directives::{Format, example, format, length, precondition},
        page::Paged,
        scalars::Timestamp,
    },
    platform::auth::{access::resource, scope::Scope},
};

/// A note on what happened at a time, which explains the clicks around it: a newsletter was sent, a poster was hung up.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[graphql(directive = resource::apply(Scope::AnalyticsRead))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Annotation {
    /// Identifies the annotation.
    #[graphql(directive = example::apply("019aa1c8-2b3c-7d4e-8f5a-6b7c8d9e0f12".into()))]
    pub(crate) id: ID,
    /// When it happened.
    #[graphql(directive = example::apply("2026-11-24T07:00:00.000Z".into()))]
    pub(crate) occurred_at: Timestamp,
    /// A line that says what happened.
    #[graphql(directive = example::apply("Newsletter sent".into()))]
    pub(crate) text: String,
    /// Id of the link whose clicks it explains. Null: it is about all links of the account.
    #[graphql(directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into()))]
    pub(crate) link_id: Option<ID>,
    /// When it was created.
    #[graphql(directive = example::apply("2026-11-24T14:33:38.125Z".into()))]
    pub(crate) created_at: Timestamp,
    /// When it was last changed.
    #[graphql(directive = example::apply("2026-11-24T14:33:38.125Z".into()))]
    pub(crate) updated_at: Timestamp,
}

impl Paged for Annotation {
    const PAGE: &str = "AnnotationPageResult";
}

impl From<annotation::Model> for Annotation {
    fn from(annotation: annotation::Model) -> Self {
        Annotation {
            id: annotation.id.into(),
            occurred_at: Timestamp(annotation.occurred_at),
            text: annotation.text,
            link_id: annotation.link_id.map(ID::from),
            created_at: Timestamp(annotation.created_at),
            updated_at: Timestamp(annotation.updated_at),
        }
    }
}

/// An annotation to create.
#[derive(InputObject, Debug)]
pub(crate) struct CreateAnnotationInput {
    /// When it happened, or will happen.
    #[graphql(directive = example::apply("2026-11-24T07:00:00.000Z".into()))]
    pub(crate) occurred_at: Timestamp,
    /// A line of 1 to 200 characters that says what happened.
    #[graphql(
        directive = length::apply(1, MAX_TEXT),
        directive = format::apply(Format::Line),
        directive = example::apply("Newsletter sent".into())
    )]
    pub(crate) text: String,
    /// Id of the link whose clicks it explains; the annotation goes with the link. Absent or null: it is about all links of the account.
    #[graphql(directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into()))]
    pub(crate) link_id: Option<ID>,
}

/// The fields of an annotation that change; fields that are absent stay as they are.
#[derive(InputObject, Debug)]
pub(crate) struct UpdateAnnotationInput {
    /// When it happened.
    #[graphql(directive = example::apply("2026-11-24T08:30:00.000Z".into()))]
    pub(crate) occurred_at: Option<Timestamp>,
    /// A line of 1 to 200 characters that says what happened.
    #[graphql(
        directive = length::apply(1, MAX_TEXT),
        directive = format::apply(Format::Line),
        directive = example::apply("Second newsletter sent".into())
    )]
    pub(crate) text: Option<String>,
    /// `updatedAt` of the annotation as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
    /// PRECONDITION_FAILED. Absent: the annotation is changed whoever changed it meanwhile.
    #[graphql(directive = precondition::apply())]
    pub(crate) expected_updated_at: Option<Timestamp>,
}
