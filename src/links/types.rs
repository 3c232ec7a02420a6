//! GraphQL types of links.

use async_graphql::{ComplexObject, Context, ID, InputObject, SimpleObject};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{
    analytics::{
        loader::ClickPageKey,
        series::{MAX_DAYS, SeriesKey},
        summary_types::SeriesPoint,
        types::ClickEvent,
    },
    app::App,
    auth::{
        access::{Credential, access},
        scope::Scope,
    },
    error::{ApiError, Code, Violation},
    graphql::{
        directives::{Format, example, format, items, length, range},
        page::Paged,
        page::{Page, wanted},
        scalars::{Timestamp, count},
    },
    ids::LinkId,
    links::{place, repo::ShownLink},
    page::{MAX_PAGE_SIZE, PageArgs},
    text::{MAX_SLUG, MAX_URL},
};

/// A short link: followed, it redirects to its destination.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[graphql(complex)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// Identifies the link.
    #[graphql(directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into()))]
    pub id: ID,
    /// Where it redirects to: an absolute http or https URL, in its ASCII form.
    #[graphql(directive = example::apply("https://example.com/spring-sale".into()))]
    pub destination_url: String,
    /// Path of the short link; unique per host, and case matters.
    #[graphql(directive = example::apply("spring-sale".into()))]
    pub slug: String,
    /// Host of the short link.
    #[graphql(directive = example::apply("localhost".into()))]
    pub domain: String,
    /// The short link itself.
    #[graphql(directive = example::apply("http://localhost:8080/spring-sale".into()))]
    pub short_url: String,
    /// Whether it redirects; an inactive link answers 404.
    #[graphql(directive = example::apply("true".into()))]
    pub is_active: bool,
    /// Since when the operator of the service has it blocked: it answers 410, whatever else is changed. Null: the link is
    /// not blocked.
    #[graphql(directive = example::apply("2026-11-21T09:00:00.000Z".into()))]
    pub blocked_at: Option<Timestamp>,
    /// Times it was followed, bots included. Behind by less than a second. 2147483647 means that or more.
    #[graphql(directive = example::apply("0".into()))]
    pub click_count: i32,
    /// When it was last followed, bots included; null when it never was. As far behind as `clickCount`.
    #[graphql(directive = example::apply("2026-11-20T14:35:02.481Z".into()))]
    pub last_clicked_at: Option<Timestamp>,
    /// When it was created.
    #[graphql(directive = example::apply("2026-11-20T14:33:38.125Z".into()))]
    pub created_at: Timestamp,
    /// When it was last changed.
    #[graphql(directive = example::apply("2026-11-20T14:33:38.125Z".into()))]
    pub updated_at: Timestamp,
}

impl Paged for Link {
    const PAGE: &str = "LinkPageResult";
}

#[ComplexObject]
impl Link {
    /// One page of its clicks, newest first.
    #[graphql(directive = access::apply(Credential::Any, None, Some(Scope::AnalyticsRead), None))]
    async fn clicks(
        &self,
        ctx: &Context<'_>,
        #[graphql(default = 1, desc = "Number of the page, from 1.", directive = range::apply(1, i32::MAX))] page: i32,
        #[graphql(default = 50, desc = "Clicks a page has at most.", directive = range::apply(1, MAX_PAGE_SIZE))]
        limit: i32,
    ) -> Result<Page<ClickEvent>, ApiError> {
        let args = PageArgs::new(page, limit, "limit")?;
        let link = self.id.parse::<LinkId>().map_err(ApiError::internal)?;
        let (data, total) = wanted(ctx);
        ClickPageKey { link, args, data, total }.load(ctx).await
    }

    /// Its clicks on each of the last days, oldest first, today and days without clicks included. Days are those of UTC.
    #[graphql(
        directive = access::apply(Credential::Any, None, Some(Scope::AnalyticsRead), None),
        directive = items::apply(1, MAX_DAYS)
    )]
    async fn click_series(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            default = 30,
            desc = "Number of days, from 1 to 365. The last one is today.",
            directive = range::apply(1, MAX_DAYS)
        )]
        days: i32,
    ) -> Result<Vec<SeriesPoint>, ApiError> {
        let link = self.id.parse::<LinkId>().map_err(ApiError::internal)?;
        SeriesKey::new(link, days)?.load(ctx).await
    }
}

impl Link {
    /// The link as the API shows it.
    pub fn new(ShownLink { link, last_clicked_at }: ShownLink, app: &App) -> Self {
        let (domain, short_url) = place::address(&link, &app.config);
        let blocked_at = app.redirects.restrictions.blocked_at(place::site(&link), &link.slug).map(Timestamp);
        Link {
            id: link.id.into(),
            destination_url: link.destination_url,
            slug: link.slug,
            domain,
            short_url,
            is_active: link.is_active,
            blocked_at,
            click_count: count(link.click_count),
            last_clicked_at: last_clicked_at.map(Timestamp),
            created_at: Timestamp(link.created_at),
            updated_at: Timestamp(link.updated_at),
        }
    }
}

/// A link to create.
#[derive(InputObject, Debug)]
pub struct CreateLinkInput {
    /// Where it redirects to: an absolute http or https URL of at most 2,048 characters, with a host, without
    /// credentials, and not where this service serves links. Hosts in other scripts are stored in their ASCII form.
    #[graphql(
        directive = length::apply(1, MAX_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/spring-sale".into())
    )]
    pub destination_url: String,
    /// Path of the short link: 1–64 of A–Z, a–z, 0–9, `_` and `-`; case matters. On the service's own host those are
    /// reserved, in any case, that its paths begin with or may begin with later, such as `links`, `app` and `report`; a
    /// link that had one before keeps it. Absent or null: 7 random characters.
    #[graphql(
        directive = length::apply(1, MAX_SLUG),
        directive = format::apply(Format::Slug),
        directive = example::apply("spring-sale".into())
    )]
    pub slug: Option<String>,
    /// Whether it redirects. Absent or null: true.
    #[graphql(directive = example::apply("true".into()))]
    pub is_active: Option<bool>,
    /// Host of the short link: the service's own, or an account's domain or subdomain that links are served on, else
    /// NOT_FOUND. Absent or null: the service's own host.
    #[graphql(directive = example::apply("localhost".into()))]
    pub domain: Option<String>,
}

/// Up to 100 links to create.
#[derive(InputObject, Debug)]
pub struct CreateLinksInput {
    /// The links; each succeeds or fails alone.
    #[graphql(directive = items::apply(1, 100))]
    pub links: Vec<CreateLinksItemInput>,
}

/// One of several links to create; the rules are those of `CreateLinkInput`, and breaking one fails this link alone.
#[derive(InputObject, Debug)]
pub struct CreateLinksItemInput {
    /// Where it redirects to; a link without it fails.
    #[graphql(directive = example::apply("https://example.com/summer-sale".into()))]
    pub destination_url: Option<String>,
    /// Path of the short link. Absent or null: 7 random characters.
    #[graphql(directive = example::apply("summer-sale".into()))]
    pub slug: Option<String>,
    /// Whether it redirects. Absent or null: true.
    #[graphql(directive = example::apply("true".into()))]
    pub is_active: Option<bool>,
    /// Host of the short link. Absent or null: the service's own host.
    #[graphql(directive = example::apply("localhost".into()))]
    pub domain: Option<String>,
}

/// What to change of a link. Fields that are absent or null stay as they are.
#[derive(InputObject, Debug)]
pub struct UpdateLinkInput {
    /// Where it redirects to from now on.
    #[graphql(
        directive = length::apply(1, MAX_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/autumn-sale".into())
    )]
    pub destination_url: Option<String>,
    /// New path of the short link; the old one answers 404 from now on. The rules are those of `CreateLinkInput`, but the
    /// slug that the link has is never refused.
    #[graphql(
        directive = length::apply(1, MAX_SLUG),
        directive = format::apply(Format::Slug),
        directive = example::apply("autumn-sale".into())
    )]
    pub slug: Option<String>,
    /// Whether it redirects.
    #[graphql(directive = example::apply("false".into()))]
    pub is_active: Option<bool>,
}

/// What became of several links.
#[derive(SimpleObject, Debug)]
pub struct CreateLinksPayload {
    /// One for each link, in the order sent.
    #[graphql(directive = items::apply(0, 100))]
    pub results: Vec<CreateLinkResult>,
}

/// What became of one link of several: one of the two is null.
#[derive(SimpleObject, Debug)]
pub struct CreateLinkResult {
    /// The new link; null when it failed.
    pub link: Option<Link>,
    /// Why it failed; null when it was created.
    #[graphql(directive = example::apply("null".into()))]
    pub error: Option<ErrorPayload>,
}

/// Why one of several operations failed.
#[derive(SimpleObject, Debug)]
pub struct ErrorPayload {
    /// Kind of the error.
    #[graphql(directive = example::apply("\"VALIDATION_ERROR\"".into()))]
    pub code: Code,
    /// For a person.
    #[graphql(directive = example::apply("Invalid request payload".into()))]
    pub message: String,
    /// The broken rules; empty for any other code than `VALIDATION_ERROR`.
    pub validation_errors: Vec<ViolationPayload>,
    /// More for a program, as in the `details` of a single call; null when the code documents nothing more.
    pub details: Option<ErrorDetailsPayload>,
}

/// Details of an error beside its message, as its code documents them. A field that the code does not have is null.
#[derive(SimpleObject, Debug)]
pub struct ErrorDetailsPayload {
    /// With `CONFLICT` and `NOT_FOUND`: the field whose value is taken or unknown.
    #[graphql(directive = example::apply("slug".into()))]
    pub path: Option<String>,
    /// With `PLAN_LIMIT_REACHED`: how many the plan allows.
    #[graphql(directive = example::apply("1000".into()))]
    pub limit: Option<i32>,
    /// With `PLAN_LIMIT_REACHED`: how many the account has.
    #[graphql(directive = example::apply("1000".into()))]
    pub used: Option<i32>,
    /// With `PLAN_LIMIT_REACHED`: what is limited.
    #[graphql(directive = example::apply("links".into()))]
    pub resource: Option<String>,
}

/// One broken rule.
#[derive(SimpleObject, Debug)]
pub struct ViolationPayload {
    /// The field, as the caller wrote it.
    #[graphql(directive = example::apply("destinationUrl".into()))]
    pub path: String,
    /// Why it is refused.
    #[graphql(directive = example::apply("is not a valid URL".into()))]
    pub message: String,
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
