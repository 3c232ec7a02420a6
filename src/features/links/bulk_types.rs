//! GraphQL types of operations on several links.

use async_graphql::{ID, InputObject, SimpleObject};
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    base::{error::ApiError, validate::MAX_URL},
    features::links::{
        change_ops::{LinkChange, TagChange},
        link::Link,
        types::{ErrorPayload, life},
        utm_types::{UtmInput, UtmItemInput},
    },
    graphql::{
        directives::{Format, example, format, items, length, range},
        scalars::Timestamp,
    },
    records::{
        links::{
            creations::{Answered, NewLink},
            if_exists::IfExists,
            life::MAX_CLICKS,
            state::LinkField,
            texts::{MAX_NOTES, MAX_TITLE, Texts},
            utm::UtmValues,
        },
        tags::name::{MAX_LINK_TAGS, MAX_TAG},
    },
};

/// Links that one request may create, change or delete.
pub(crate) const MAX_BULK: i32 = 100;

/// Up to 100 links to create.
#[derive(InputObject, Debug)]
pub(crate) struct CreateLinksInput {
    /// The links; each succeeds or fails alone.
    #[graphql(directive = items::apply(1, MAX_BULK))]
    pub(crate) links: Vec<CreateLinksItemInput>,
}

/// One of several links to create; the rules are those of `CreateLinkInput`, and breaking one fails this link alone.
#[derive(InputObject, Debug)]
pub(crate) struct CreateLinksItemInput {
    /// Where it redirects to; a link without it fails.
    #[graphql(directive = example::apply("https://example.com/summer-sale".into()))]
    pub(crate) destination_url: Option<String>,
    /// Path of the short link. Absent or null: 7 random characters.
    #[graphql(directive = example::apply("summer-sale".into()))]
    pub(crate) slug: Option<String>,
    /// Whether it redirects. Absent or null: true.
    pub(crate) is_active: Option<bool>,
    /// Host of the short link. Absent or null: the service's own host.
    #[graphql(directive = example::apply("localhost".into()))]
    pub(crate) domain: Option<String>,
    /// When it begins to redirect; before, it answers 404. Absent or null: at once.
    #[graphql(directive = example::apply("2026-11-27T08:00:00.000Z".into()))]
    pub(crate) starts_at: Option<Timestamp>,
    /// When it ceases to redirect; from then on it redirects to `expiredUrl`, or else answers 410. Must be later than `startsAt`.
    /// Absent or null: never.
    #[graphql(directive = example::apply("2026-12-24T18:00:00.000Z".into()))]
    pub(crate) expires_at: Option<Timestamp>,
    /// Where it redirects to after its end; the rules are those of `destinationUrl`. Absent or null: it answers 410 then.
    #[graphql(directive = example::apply("https://example.com/sales".into()))]
    pub(crate) expired_url: Option<String>,
    /// How often it redirects at most, from 1 to 1,000,000. `HEAD` requests, pages that browsers fetch ahead and known bots use none
    /// of them. With 1, a visitor gets a page with a button that opens the link. Absent or null: there is no limit.
    #[graphql(directive = example::apply("500".into()))]
    pub(crate) max_clicks: Option<i32>,
    /// One line that names it, 1 to 200 characters. Absent or null: it has no title.
    #[graphql(directive = example::apply("Summer sale, poster".into()))]
    pub(crate) title: Option<String>,
    /// Text for people, 1 to 1,000 characters. Absent or null: it has no notes.
    #[graphql(directive = example::apply("Poster in the windows of all shops.".into()))]
    pub(crate) notes: Option<String>,
    /// Its id in another system, 1 to 128 characters, unique in the account. Absent or null: it has none.
    #[graphql(directive = example::apply("crm-4712".into()))]
    pub(crate) external_id: Option<String>,
    /// Names of its tags, at most 20. The account gets the tags that it does not have. Absent or null: none.
    #[graphql(directive = items::apply(0, 100), directive = example::apply("[\"summer\"]".into()))]
    pub(crate) tags: Option<Vec<String>>,
    /// What to do when the account has a link to this destination on this host. Absent or null: create another one.
    #[graphql(directive = example::apply("\"CREATE\"".into()))]
    pub(crate) if_exists: Option<IfExists>,
    /// Whether it forwards the query of a visit. Absent or null: as its host's settings say; the service's own host forwards none.
    pub(crate) forwards_query: Option<bool>,
    /// UTM parameters to write into `destinationUrl`. Absent or null: it stays as it is.
    pub(crate) utm: Option<UtmItemInput>,
}

impl From<CreateLinksItemInput> for NewLink {
    fn from(item: CreateLinksItemInput) -> Self {
        let CreateLinksItemInput {
            destination_url,
            slug,
            is_active,
            domain,
            starts_at,
            expires_at,
            expired_url,
            max_clicks,
            title,
            notes,
            external_id,
            tags,
            if_exists,
            forwards_query,
            utm,
        } = item;
        let life = life(starts_at, expires_at, expired_url, max_clicks);
        NewLink {
            destination_url,
            slug,
            is_active: is_active.unwrap_or(true),
            domain,
            life,
            texts: Texts { title, notes, external_id },
            tags: tags.unwrap_or_default(),
            if_exists: if_exists.unwrap_or_default(),
            may_read: false,
            forwards_query,
            utm: utm.map(UtmValues::from).unwrap_or_default(),
        }
    }
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

/// What to change of several links. Fields that are absent or null stay as they are.
#[derive(InputObject, Debug)]
pub(crate) struct ChangeLinksInput {
    /// Where they redirect to from now on.
    #[graphql(
        directive = length::apply(1, MAX_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/autumn-sale".into())
    )]
    pub(crate) destination_url: Option<String>,
    /// Whether they redirect.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) is_active: Option<bool>,
    /// When they begin to redirect.
    #[graphql(directive = example::apply("2026-11-27T08:00:00.000Z".into()))]
    pub(crate) starts_at: Option<Timestamp>,
    /// When they cease to redirect. Must be later than `startsAt`.
    #[graphql(directive = example::apply("2026-12-24T18:00:00.000Z".into()))]
    pub(crate) expires_at: Option<Timestamp>,
    /// Where they redirect to after their end.
    #[graphql(
        directive = length::apply(1, MAX_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/sales".into())
    )]
    pub(crate) expired_url: Option<String>,
    /// How often each redirects at most, from 1 to 1,000,000. Redirects that another limit has counted count for this one too.
    #[graphql(directive = range::apply(1, MAX_CLICKS), directive = example::apply("1000".into()))]
    pub(crate) max_clicks: Option<i32>,
    /// One line that names each of them, 1 to 200 characters.
    #[graphql(
        directive = length::apply(1, MAX_TITLE),
        directive = format::apply(Format::Line),
        directive = example::apply("Spring sale".into())
    )]
    pub(crate) title: Option<String>,
    /// Text for people, 1 to 1,000 characters.
    #[graphql(
        directive = length::apply(1, MAX_NOTES),
        directive = format::apply(Format::Text),
        directive = example::apply("Poster in the windows of all shops.".into())
    )]
    pub(crate) notes: Option<String>,
    /// Names of tags that each of them gets, if it lacks them. A link that would have more than 20 fails.
    #[graphql(
        directive = items::apply(0, MAX_LINK_TAGS),
        directive = length::apply(1, MAX_TAG),
        directive = format::apply(Format::Tag),
        directive = example::apply("[\"autumn\"]".into())
    )]
    pub(crate) add_tags: Option<Vec<String>>,
    /// Names of tags that each of them loses, if it has them.
    #[graphql(
        directive = items::apply(0, MAX_LINK_TAGS),
        directive = length::apply(1, MAX_TAG),
        directive = format::apply(Format::Tag),
        directive = example::apply("[\"spring\"]".into())
    )]
    pub(crate) remove_tags: Option<Vec<String>>,
    /// Whether lists leave them out. They redirect as before.
    pub(crate) is_archived: Option<bool>,
    /// Whether they forward the query of a visit to their destination.
    pub(crate) forwards_query: Option<bool>,
    /// UTM parameters to write into the destination of each, the new one if there is one.
    pub(crate) utm: Option<UtmInput>,
    /// Fields to take away from them, since null changes nothing. The same request can't set them. Absent, null or empty: none.
    #[graphql(directive = items::apply(0, LinkField::ALL), directive = example::apply("[\"EXPIRES_AT\"]".into()))]
    pub(crate) clear: Option<Vec<LinkField>>,
}

impl From<ChangeLinksInput> for LinkChange {
    fn from(input: ChangeLinksInput) -> Self {
        let ChangeLinksInput {
            destination_url,
            is_active,
            starts_at,
            expires_at,
            expired_url,
            max_clicks,
            title,
            notes,
            add_tags,
            remove_tags,
            is_archived,
            forwards_query,
            utm,
            clear,
        } = input;
        LinkChange {
            destination_url,
            slug: None,
            domain: None,
            is_active,
            life: life(starts_at, expires_at, expired_url, max_clicks),
            texts: Texts { title, notes, external_id: None },
            tags: TagChange { set: None, add: add_tags.unwrap_or_default(), remove: remove_tags.unwrap_or_default() },
            is_archived,
            forwards_query,
            utm: utm.map(UtmValues::from).unwrap_or_default(),
            clear: clear.unwrap_or_default(),
        }
    }
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
