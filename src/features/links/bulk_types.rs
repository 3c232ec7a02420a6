//! GraphQL types of operations on several links.

use async_graphql::{ID, InputObject, SimpleObject};
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    base::error::ApiError,
    features::links::{
        inputs::{ChangeLinksInput, CreateLinksItemInput},
        link::Link,
        types::ErrorPayload,
    },
    graphql::directives::{example, items, separate},
    records::links::creations::Answered,
};

/// Links that one request may create, change or delete.
pub(crate) const MAX_BULK: i32 = 100;

/// Up to 100 links to create.
#[derive(InputObject, Debug)]
pub(crate) struct CreateLinksInput {
    /// The links; each succeeds or fails alone.
    #[graphql(directive = items::apply(1, MAX_BULK), directive = separate::apply())]
    pub(crate) links: Vec<CreateLinksItemInput>,
}

/// What became of several links that were to be created.
#[derive(SimpleObject, Debug, Serialize, Deserialize)]
pub(crate) struct CreateLinksPayload {
    /// One for each link, in the order sent.
    #[graphql(directive = items::apply(0, MAX_BULK))]
    pub(crate) results: Vec<CreateLinkResult>,
}

impl CreateLinksPayload {
    pub(crate) fn new(created: Vec<Result<Answered, ApiError>>, app: &App) -> Self {
        let result = |created: Result<Answered, ApiError>| match created {
            Ok(answered) => CreateLinkResult { link: Some(Link::new(answered.shown, app)), error: None },
            Err(error) => CreateLinkResult { link: None, error: Some(ErrorPayload::from(error)) },
        };
        CreateLinksPayload { results: created.into_iter().map(result).collect() }
    }
}

/// What became of one link of several: one of the two is null.
#[derive(SimpleObject, Debug, Serialize, Deserialize)]
pub(crate) struct CreateLinkResult {
    /// The new link, or with `ifExists` perhaps one that existed; null when it failed.
    pub(crate) link: Option<Link>,
    /// Why it failed; null when it was created.
    #[graphql(directive = example::apply("null".into()))]
    pub(crate) error: Option<ErrorPayload>,
}

/// Links to change, and what to change of each.
#[derive(InputObject, Debug)]
pub(crate) struct UpdateLinksInput {
    /// Ids of the links, from 1 to 100.
    #[graphql(
        directive = items::apply(1, MAX_BULK),
        directive = example::apply("[\"019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b\"]".into())
    )]
    pub(crate) ids: Vec<ID>,
    /// What to change of each of them.
    pub(crate) change: ChangeLinksInput,
}

/// What became of several links that were to be changed.
#[derive(SimpleObject, Debug)]
pub(crate) struct UpdateLinksPayload {
    /// One for each id, in the order sent.
    #[graphql(directive = items::apply(0, MAX_BULK))]
    pub(crate) results: Vec<UpdateLinkResult>,
}

/// What became of one link of several that were to be changed: one of `link` and `error` is null.
#[derive(SimpleObject, Debug)]
pub(crate) struct UpdateLinkResult {
    /// The id that was sent.
    #[graphql(directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into()))]
    pub(crate) link_id: ID,
    /// The link as it is now; null when it was not changed.
    pub(crate) link: Option<Link>,
    /// Why it was not changed; null when it was.
    #[graphql(directive = example::apply("null".into()))]
    pub(crate) error: Option<ErrorPayload>,
}

/// Links to delete.
#[derive(InputObject, Debug)]
pub(crate) struct DeleteLinksInput {
    /// Ids of the links, from 1 to 100.
    #[graphql(
        directive = items::apply(1, MAX_BULK),
        directive = example::apply("[\"019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b\"]".into())
    )]
    pub(crate) ids: Vec<ID>,
}

/// What became of several links that were to be deleted.
#[derive(SimpleObject, Debug)]
pub(crate) struct DeleteLinksPayload {
    /// One for each id, in the order sent.
    #[graphql(directive = items::apply(0, MAX_BULK))]
    pub(crate) results: Vec<DeleteLinkResult>,
}

/// What became of one link of several that were to be deleted.
#[derive(SimpleObject, Debug)]
pub(crate) struct DeleteLinkResult {
    /// The id that was sent.
    #[graphql(directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into()))]
    pub(crate) link_id: ID,
    /// Why it was not deleted; null when it was.
    #[graphql(directive = example::apply("null".into()))]
    pub(crate) error: Option<ErrorPayload>,
}
