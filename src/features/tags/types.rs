//! GraphQL types of tags.

use async_graphql::{ID, InputObject, SimpleObject};
use entity::tag;
use serde::{Deserialize, Serialize};

use crate::{
    graphql::{
        directives::{Format, example, format, length, precondition},
        page::Paged,
        scalars::{Timestamp, count},
    },
    platform::auth::{access::resource, scope::Scope},
    records::tags::name::MAX_TAG,
};

/// A word by which an account groups its links.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[graphql(directive = resource::apply(Scope::LinksRead))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tag {
    /// Identifies the tag.
    #[graphql(directive = example::apply("019aa1c6-3d4e-7f50-8a1b-2c3d4e5f6071".into()))]
    pub(crate) id: ID,
    /// Its name, unique in the account in any case.
    #[graphql(directive = example::apply("spring".into()))]
    pub(crate) name: String,
    /// Number of links that have it, archived links included.
    #[graphql(directive = example::apply("12".into()))]
    pub(crate) link_count: i32,
    /// When it was created.
    #[graphql(directive = example::apply("2026-11-24T14:33:38.125Z".into()))]
    pub(crate) created_at: Timestamp,
    /// When it was last changed; the number of its links does not count.
    #[graphql(directive = example::apply("2026-11-24T14:33:38.125Z".into()))]
    #[serde(default)]
    pub(crate) updated_at: Timestamp,
}

impl Paged for Tag {
    const PAGE: &str = "TagPageResult";
}

impl From<tag::Model> for Tag {
    fn from(tag: tag::Model) -> Self {
        Tag {
            id: tag.id.into(),
            name: tag.name,
            link_count: count(tag.link_count),
            created_at: Timestamp(tag.created_at),
            updated_at: Timestamp(tag.updated_at),
        }
    }
}

/// A tag to create.
#[derive(InputObject, Debug)]
pub(crate) struct CreateTagInput {
    /// Its name of 1 to 50 characters without commas, unique in the account in any case, else CONFLICT.
    #[graphql(
        directive = length::apply(1, MAX_TAG),
        directive = format::apply(Format::Tag),
        directive = example::apply("spring".into())
    )]
    pub(crate) name: String,
}

/// What to change of a tag. Fields that are absent stay as they are.
#[derive(InputObject, Debug)]
pub(crate) struct UpdateTagInput {
    /// Its name from now on; the rules are those of a new tag.
    #[graphql(
        directive = length::apply(1, MAX_TAG),
        directive = format::apply(Format::Tag),
        directive = example::apply("Spring 2027".into())
    )]
    pub(crate) name: Option<String>,
    /// `updatedAt` of the tag as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
    /// PRECONDITION_FAILED. Absent: the tag is changed whoever changed it meanwhile.
    #[graphql(directive = precondition::apply())]
    pub(crate) expected_updated_at: Option<Timestamp>,
}

/// The tag that takes the place of another one.
#[derive(InputObject, Debug)]
pub(crate) struct MergeTagInput {
    /// Id of the tag that stays.
    #[graphql(directive = example::apply("019aa1c6-3d4e-7f50-8a1b-2c3d4e5f6072".into()))]
    pub(crate) into: ID,
}
