//! GraphQL types of links.

use async_graphql::{InputObject, SimpleObject};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{
    base::{
        error::{ApiError, Code, Violation},
        validate::{MAX_SLUG, MAX_URL},
    },
    features::links::utm_types::UtmInput,
    graphql::{
        directives::{Format, example, format, items, length, range},
        scalars::{Timestamp, count},
    },
    records::{
        links::{
            creations::NewLink,
            if_exists::IfExists,
            life::{Life, MAX_CLICKS},
            state::LinkField,
            texts::{MAX_EXTERNAL_ID, MAX_NOTES, MAX_TITLE, Texts},
            utm::UtmValues,
        },
        tags::name::{MAX_LINK_TAGS, MAX_TAG},
    },
};

/// A link to create.
#[derive(InputObject, Debug)]
pub(crate) struct CreateLinkInput {
    /// Where it redirects to: an absolute http or https URL of at most 2,048 characters, with a host, without
    /// credentials, and not where this service serves links. Hosts in other scripts are stored in their ASCII form.
    #[graphql(
        directive = length::apply(1, MAX_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/spring-sale".into())
    )]
    pub(crate) destination_url: String,
    /// Path of the short link: 1–64 of A–Z, a–z, 0–9, `_` and `-`; case matters, unless the host ignores it. On the service's own
    /// host those are reserved, in any case, that its paths begin with or may begin with later, such as `links`, `app` and `report`; a
    /// link that had one before keeps it. Absent or null: 7 random characters.
    #[graphql(
        directive = length::apply(1, MAX_SLUG),
        directive = format::apply(Format::Slug),
        directive = example::apply("spring-sale".into())
    )]
    pub(crate) slug: Option<String>,
    /// Whether it redirects. Absent or null: true.
    pub(crate) is_active: Option<bool>,
    /// Host of the short link: the service's own, or an account's domain or subdomain that links are served on, else
    /// NOT_FOUND. Absent or null: the service's own host.
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
    #[graphql(
        directive = length::apply(1, MAX_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/sales".into()))]
    pub(crate) expired_url: Option<String>,
    /// How often it redirects at most, from 1 to 1,000,000. `HEAD` requests, pages that browsers fetch ahead and known bots use none
    /// of them. With 1, a visitor gets a page with a button that opens the link. Absent or null: there is no limit.
    #[graphql(directive = range::apply(1, MAX_CLICKS), directive = example::apply("500".into()))]
    pub(crate) max_clicks: Option<i32>,
    /// One line that names it, 1 to 200 characters. Absent or null: it has no title.
    #[graphql(
        directive = length::apply(1, MAX_TITLE),
        directive = format::apply(Format::Line),
        directive = example::apply("Spring sale, poster".into())
    )]
    pub(crate) title: Option<String>,
    /// Text for people, 1 to 1,000 characters. Visitors do not see it. Absent or null: it has no notes.
    #[graphql(
        directive = length::apply(1, MAX_NOTES),
        directive = format::apply(Format::Text),
        directive = example::apply("Poster in the windows of all shops.".into())
    )]
    pub(crate) notes: Option<String>,
    /// Its id in another system, 1 to 128 characters, unique in the account, else CONFLICT. Absent or null: it has none.
    #[graphql(
        directive = length::apply(1, MAX_EXTERNAL_ID),
        directive = format::apply(Format::Line),
        directive = example::apply("crm-4711".into())
    )]
    pub(crate) external_id: Option<String>,
    /// Names of its tags, at most 20, each of 1 to 50 characters without commas; case does not matter. The account gets the tags that it
    /// does not have. Absent or null: none.
    #[graphql(
        directive = items::apply(0, MAX_LINK_TAGS),
        directive = length::apply(1, MAX_TAG),
        directive = format::apply(Format::Tag),
        directive = example::apply("[\"spring\"]".into())
    )]
    pub(crate) tags: Option<Vec<String>>,
    /// What to do when the account has a link to this destination on this host. Absent or null: create another one.
    #[graphql(directive = example::apply("\"CREATE\"".into()))]
    pub(crate) if_exists: Option<IfExists>,
    /// Whether it forwards the query of a visit: its parameters are added to the destination, except those that the destination has, and
    /// `qr`. Absent or null: as its host's settings say; the service's own host forwards none.
    pub(crate) forwards_query: Option<bool>,
    /// UTM parameters to write into `destinationUrl`. Absent or null: it stays as it is.
    pub(crate) utm: Option<UtmInput>,
}

impl From<CreateLinkInput> for NewLink {
    fn from(input: CreateLinkInput) -> Self {
        let CreateLinkInput {
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
        } = input;
        let life = life(starts_at, expires_at, expired_url, max_clicks);
        NewLink {
            destination_url: Some(destination_url),
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

pub(super) fn life(
    starts_at: Option<Timestamp>,
    expires_at: Option<Timestamp>,
    expired_url: Option<String>,
    max_clicks: Option<i32>,
) -> Life {
    let millis = |time: Option<Timestamp>| time.map(|time| time.0);
    Life { starts_at: millis(starts_at), expires_at: millis(expires_at), expired_url, max_clicks }
}

/// What to change of a link. Fields that are absent or null stay as they are.
#[derive(InputObject, Debug)]
pub(crate) struct UpdateLinkInput {
    /// Where it redirects to from now on.
    #[graphql(
        directive = length::apply(1, MAX_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/autumn-sale".into())
    )]
    pub(crate) destination_url: Option<String>,
    /// New path of the short link; the old one answers 404 from now on. The rules are those of `CreateLinkInput`, but the
    /// slug that the link has is never refused.
    #[graphql(
        directive = length::apply(1, MAX_SLUG),
        directive = format::apply(Format::Slug),
        directive = example::apply("autumn-sale".into())
    )]
    pub(crate) slug: Option<String>,
    /// Host to move to: the service's own, or an account's domain or subdomain that links are served on, else NOT_FOUND. The short
    /// link on the old host answers 404 from now on. The link keeps its clicks and, unless `slug` is given, its slug, which must be
    /// free on the new host.
    #[graphql(directive = example::apply("go.example.com".into()))]
    pub(crate) domain: Option<String>,
    /// Whether it redirects.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) is_active: Option<bool>,
    /// When it begins to redirect.
    #[graphql(directive = example::apply("2026-11-27T08:00:00.000Z".into()))]
    pub(crate) starts_at: Option<Timestamp>,
    /// When it ceases to redirect. Must be later than `startsAt`.
    #[graphql(directive = example::apply("2026-12-24T18:00:00.000Z".into()))]
    pub(crate) expires_at: Option<Timestamp>,
    /// Where it redirects to after its end.
    #[graphql(
        directive = length::apply(1, MAX_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/sales".into())
    )]
    pub(crate) expired_url: Option<String>,
    /// How often it redirects at most, from 1 to 1,000,000. Redirects that another limit has counted count for this one too.
    #[graphql(directive = range::apply(1, MAX_CLICKS), directive = example::apply("1000".into()))]
    pub(crate) max_clicks: Option<i32>,
    /// One line that names it, 1 to 200 characters.
    #[graphql(
        directive = length::apply(1, MAX_TITLE),
        directive = format::apply(Format::Line),
        directive = example::apply("Spring sale, poster".into())
    )]
    pub(crate) title: Option<String>,
    /// Text for people, 1 to 1,000 characters. Visitors do not see it.
    #[graphql(
        directive = length::apply(1, MAX_NOTES),
        directive = format::apply(Format::Text),
        directive = example::apply("Poster in the windows of all shops.".into())
    )]
    pub(crate) notes: Option<String>,
    /// Its id in another system, 1 to 128 characters, unique in the account, else CONFLICT.
    #[graphql(
        directive = length::apply(1, MAX_EXTERNAL_ID),
        directive = format::apply(Format::Line),
        directive = example::apply("crm-4711".into())
    )]
    pub(crate) external_id: Option<String>,
    /// Names of its tags, at most 20, each of 1 to 50 characters without commas; case does not matter. The account gets the tags that it
    /// does not have. They take the place of all tags that it has; an empty
    /// list takes them away.
    #[graphql(
        directive = items::apply(0, MAX_LINK_TAGS),
        directive = length::apply(1, MAX_TAG),
        directive = format::apply(Format::Tag),
        directive = example::apply("[\"spring\"]".into())
    )]
    pub(crate) tags: Option<Vec<String>>,
    /// Whether lists leave it out. It redirects as before.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) is_archived: Option<bool>,
    /// Whether it forwards the query of a visit to its destination.
    pub(crate) forwards_query: Option<bool>,
    /// UTM parameters to write into the destination, the new one if there is one.
    pub(crate) utm: Option<UtmInput>,
    /// Fields to take away from it, since null changes nothing. The same request can't set them. Absent, null or empty: none.
    #[graphql(directive = items::apply(0, LinkField::ALL), directive = example::apply("[\"STARTS_AT\"]".into()))]
    pub(crate) clear: Option<Vec<LinkField>>,
}

/// Why one of several operations failed.
#[derive(SimpleObject, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ErrorPayload {
    /// Kind of the error.
    #[graphql(directive = example::apply("\"VALIDATION_ERROR\"".into()))]
    pub(crate) code: Code,
    /// For a person.
    #[graphql(directive = example::apply("Invalid request payload".into()))]
    pub(crate) message: String,
    /// The broken rules; empty for any other code than `VALIDATION_ERROR`.
    pub(crate) validation_errors: Vec<ViolationPayload>,
    /// More for a program, as in the `details` of a single call; null when the code documents nothing more.
    pub(crate) details: Option<ErrorDetailsPayload>,
}

/// Details of an error beside its message, as its code documents them. A field that the code does not have is null.
#[derive(SimpleObject, Debug, Serialize, Deserialize)]
pub(crate) struct ErrorDetailsPayload {
    /// With `CONFLICT` and `NOT_FOUND`: the field whose value is taken or unknown.
    #[graphql(directive = example::apply("slug".into()))]
    pub(crate) path: Option<String>,
    /// With `PLAN_LIMIT_REACHED`: how many the plan allows.
    #[graphql(directive = example::apply("1000".into()))]
    pub(crate) limit: Option<i32>,
    /// With `PLAN_LIMIT_REACHED`: how many the account has.
    #[graphql(directive = example::apply("1000".into()))]
    pub(crate) used: Option<i32>,
    /// With `PLAN_LIMIT_REACHED`: what is limited.
    #[graphql(directive = example::apply("links".into()))]
    pub(crate) resource: Option<String>,
}

/// One broken rule.
#[derive(SimpleObject, Debug, Serialize, Deserialize)]
pub(crate) struct ViolationPayload {
    /// The field, as the caller wrote it.
    #[graphql(directive = example::apply("destinationUrl".into()))]
    pub(crate) path: String,
    /// Why it is refused.
    #[graphql(directive = example::apply("is not a valid URL".into()))]
    pub(crate) message: String,
}

impl From<ApiError> for ErrorPayload {
    fn from(error: ApiError) -> Self {
        ErrorPayload {
            code: error.code,
            message: error.message.into_owned(),
            validation_errors: error
                .violations
                .into_iter()
                .map(|Violation { path, message }| ViolationPayload { path, message })
                .collect(),
            details: error.details.map(|details| ErrorDetailsPayload::from(&*details)),
        }
    }
}

impl From<&Json> for ErrorDetailsPayload {
    fn from(details: &Json) -> Self {
        let text = |name: &str| details[name].as_str().map(str::to_owned);
        let number = |name: &str| details[name].as_i64().map(count);
        ErrorDetailsPayload {
            path: text("path"),
            limit: number("limit"),
            used: number("used"),
            resource: text("resource"),
        }
    }
}
