//! A link as the API shows it.

use async_graphql::{Context, ID, SimpleObject};
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    base::{error::ApiError, ids::LinkId},
    features::links::{app_types::LinkApp, card_types::LinkCard, place, utm_types::Utm},
    graphql::{
        context::ContextExt,
        directives::{example, items},
        load::load,
        page::Paged,
        scalars::{Timestamp, count},
    },
    platform::auth::{access::resource, scope::Scope},
    records::{
        links::{repo::ShownLink, state::LinkState, utm::UtmValues},
        tags::name::MAX_LINK_TAGS,
    },
};

/// A short link: followed, it redirects to its destination.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[graphql(complex, directive = resource::apply(Scope::LinksRead))]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// Identifies the link.
    #[graphql(directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into()))]
    pub(crate) id: ID,
    /// Where it redirects to: an absolute http or https URL, in its ASCII form.
    #[graphql(directive = example::apply("https://example.com/spring-sale".into()))]
    pub(crate) destination_url: String,
    /// UTM parameters of `destinationUrl`. Null: it has none.
    #[serde(default)]
    pub(crate) utm: Option<Utm>,
    /// Path of the short link, as it is read; unique per host. Case matters, unless the host ignores that of A–Z.
    #[graphql(directive = example::apply("spring-sale".into()))]
    pub(crate) slug: String,
    /// Host of the short link.
    #[graphql(directive = example::apply("localhost".into()))]
    pub(crate) domain: String,
    /// The short link itself: a URI, in which characters of the slug beyond ASCII are percent-encoded (RFC 3986).
    #[graphql(directive = example::apply("http://localhost:8080/spring-sale".into()))]
    pub(crate) short_url: String,
    /// Whether it redirects; an inactive link answers 404.
    pub(crate) is_active: bool,
    /// What becomes of a visitor who follows it now.
    #[graphql(directive = example::apply("\"ACTIVE\"".into()))]
    pub(crate) state: LinkState,
    /// One line that names it. Null: it has no title.
    #[graphql(directive = example::apply("Spring sale, poster".into()))]
    pub(crate) title: Option<String>,
    /// Text for people. Visitors do not see it. Null: it has no notes.
    #[graphql(directive = example::apply("Poster in the windows of all shops.".into()))]
    pub(crate) notes: Option<String>,
    /// Names of its tags, in their order.
    #[graphql(directive = items::apply(0, MAX_LINK_TAGS), directive = example::apply("[\"spring\"]".into()))]
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    /// Its id in another system, unique in the account. Null: it has none.
    #[graphql(directive = example::apply("crm-4711".into()))]
    pub(crate) external_id: Option<String>,
    /// When it begins to redirect; before, it answers 404. Null: it always has.
    #[graphql(directive = example::apply("2026-11-27T08:00:00.000Z".into()))]
    pub(crate) starts_at: Option<Timestamp>,
    /// When it ceases to redirect; from then on it redirects to `expiredUrl`, or else answers 410. Null: it does not expire.
    #[graphql(directive = example::apply("2026-12-24T18:00:00.000Z".into()))]
    pub(crate) expires_at: Option<Timestamp>,
    /// Where it redirects to after it has expired, or was followed `maxClicks` times. Null: it answers 410 then.
    #[graphql(directive = example::apply("https://example.com/sales".into()))]
    pub(crate) expired_url: Option<String>,
    /// How often it redirects at most; after that it redirects to `expiredUrl`, or else answers 410. Null: there is no limit.
    #[graphql(directive = example::apply("500".into()))]
    pub(crate) max_clicks: Option<i32>,
    /// How many of its `maxClicks` are used. `HEAD` requests, pages that browsers fetch ahead and known bots use none. Null: there
    /// is no limit.
    #[graphql(directive = example::apply("0".into()))]
    pub(crate) used_clicks: Option<i32>,
    /// Whether it is archived: lists leave it out unless they are asked for archived links. It redirects as before.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) is_archived: bool,
    /// Whether it forwards the query of a visit to its destination. Null: as its host's settings say; the service's own host forwards
    /// none.
    #[graphql(directive = example::apply("null".into()))]
    #[serde(default)]
    pub(crate) forwards_query: Option<bool>,
    /// Whether a visitor has to enter a password before being redirected.
    #[graphql(directive = example::apply("false".into()))]
    #[serde(default)]
    pub(crate) has_password: bool,
    /// Whether a visitor is asked to continue before being redirected.
    #[graphql(directive = example::apply("false".into()))]
    #[serde(default)]
    pub(crate) asks_first: bool,
    /// Text that a visitor confirms before being redirected. Null: there is none.
    #[graphql(directive = example::apply("For adults only.".into()))]
    #[serde(default)]
    pub(crate) notice: Option<String>,
    /// Card that messengers and social networks show when somebody posts the link. Null: none, and they show the destination's page.
    #[serde(default)]
    pub(crate) card: Option<LinkCard>,
    /// Apps that it opens on phones in place of its destination, and data for them. Null: it opens none.
    #[serde(default)]
    pub(crate) app: Option<LinkApp>,
    /// Since when the operator of the service has it blocked: it answers 410, whatever else is changed. Null: the link is
    /// not blocked.
    #[graphql(directive = example::apply("2026-11-21T09:00:00.000Z".into()))]
    pub(crate) blocked_at: Option<Timestamp>,
    /// Times it was followed, bots included. Behind by less than a second. 2147483647 means that or more.
    #[graphql(directive = example::apply("0".into()))]
    pub(crate) click_count: i32,
    /// How often it was followed before it was imported from another service; `clickCount` does not have these. Null: it was not
    /// imported, or the service did not tell.
    #[graphql(directive = example::apply("1284".into()))]
    #[serde(default)]
    pub(crate) imported_clicks: Option<i32>,
    /// When it was last followed, bots included; null when it never was. As far behind as `clickCount`.
    #[graphql(directive = example::apply("2026-11-20T14:35:02.481Z".into()))]
    pub(crate) last_clicked_at: Option<Timestamp>,
    /// When it was created.
    pub(crate) created_at: Timestamp,
    /// When it was last changed.
    pub(crate) updated_at: Timestamp,
}

/// The link that a request to create one gets, as it is stored for an idempotency key.
#[derive(Serialize, Deserialize)]
pub(crate) struct AnsweredLink {
    #[serde(flatten)]
    pub(crate) link: Link,
    /// Whether it existed before.
    #[serde(default)]
    pub(crate) is_old: bool,
}

impl Paged for Link {
    const PAGE: &str = "LinkPageResult";
}

impl Link {
    /// The link with this id, read together with others that the request asks for. `None`: the account has none, or none any more.
    pub(crate) async fn load(ctx: &Context<'_>, id: LinkId) -> Result<Option<Self>, ApiError> {
        let link = load(ctx, id).await?;
        let app = ctx.app()?;
        Ok(link.map(|link| Link::new((*link).clone(), app)))
    }

    /// The link as the API shows it.
    pub(crate) fn new(shown: ShownLink, app: &App) -> Self {
        let blocked_at = app.redirects.restrictions.blocked_at(place::site(&shown.link), &shown.link.slug);
        let state = LinkState::of(&shown.link, shown.limit(), blocked_at.is_some(), app.clock.now());
        let tags = shown.tag_names();
        let ShownLink { link, last_clicked_at, max_clicks, used_clicks, .. } = shown;
        let (domain, short_url) = place::address(&link, &app.config);
        Link {
            id: link.id.into(),
            utm: UtmValues::of(&link.destination_url).map(Utm::from),
            destination_url: link.destination_url,
            slug: link.slug,
            domain,
            short_url,
            is_active: link.is_active,
            state,
            title: link.title,
            notes: link.notes,
            tags,
            external_id: link.external_id,
            starts_at: link.starts_at.map(Timestamp),
            expires_at: link.expires_at.map(Timestamp),
            expired_url: link.expired_url,
            max_clicks: max_clicks.map(count),
            used_clicks: used_clicks.map(count),
            is_archived: link.archived_at.is_some(),
            forwards_query: link.forwards_query,
            has_password: link.password_hash.is_some(),
            asks_first: link.asks_first,
            notice: link.notice,
            card: link.card.as_deref().and_then(LinkCard::of),
            app: link.app.as_deref().and_then(LinkApp::of),
            blocked_at: blocked_at.map(Timestamp),
            click_count: count(link.click_count),
            imported_clicks: link.imported_clicks.map(count),
            last_clicked_at: last_clicked_at.map(Timestamp),
            created_at: Timestamp(link.created_at),
            updated_at: Timestamp(link.updated_at),
        }
    }
}
