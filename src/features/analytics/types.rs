//! GraphQL types of analytics.

use async_graphql::{ComplexObject, Context, Enum, ID, SimpleObject};
use click_sources::Channel;
use entity::click;
use serde::{Deserialize, Serialize};

use crate::{
    base::error::{ApiError, Code},
    click_store::ShownClick,
    clicks::source::source,
    features::links::{link::Link, query::link_id},
    graphql::{directives::example, page::Paged, scalars::Timestamp, shorthands::Reads},
    platform::auth::scope::Scope,
};

/// Kinds of addresses that visitors follow.
#[derive(Enum, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum ClickTrigger {
    /// The short URL.
    #[default]
    Link,
    /// A code of the short URL that was scanned: one that has the query `qr`.
    Qr,
    /// The short URL, by a messenger or a social network that shows the link's `card`: always a bot.
    Card,
    /// The short URL, by an app that the link opens, which asked where it leads: never a bot.
    App,
}

impl ClickTrigger {
    /// The trigger with the name that [`Trigger::stored`](crate::clicks::click::Trigger::stored) gives.
    fn of(stored: Option<&str>) -> Self {
        match stored {
            Some("QR") => ClickTrigger::Qr,
            Some("CARD") => ClickTrigger::Card,
            Some("APP") => ClickTrigger::App,
            _ => ClickTrigger::Link,
        }
    }
}

/// How visitors came: by the rules of the default channel group of Google Analytics 4, with channels of its own for messengers, assistants
/// and scanned codes.
#[derive(Enum, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[graphql(remote = "Channel")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum ClickChannel {
    /// Without a referrer, UTM parameters or an ad click: the address was typed, or followed in an app that tells nothing.
    Direct,
    /// A search engine.
    Search,
    /// An ad of a search engine: by `utm_medium`, such as `cpc`, or by `gclid`, `gbraid`, `wbraid` or `msclkid` in the visit's query.
    PaidSearch,
    /// A social network or a forum.
    Social,
    /// An ad of a social network.
    PaidSocial,
    /// A site of videos.
    Video,
    /// A shop.
    Shopping,
    /// E-mail.
    Email,
    /// A messenger, SMS or a push notification.
    Messaging,
    /// An assistant that answers by artificial intelligence.
    Ai,
    /// A banner.
    Display,
    /// A partner's link: `utm_medium` is `affiliate`.
    Affiliates,
    /// An ad of another kind.
    PaidOther,
    /// A link on another site.
    Referral,
    /// A code that was scanned.
    Qr,
    /// UTM parameters that no rule knows.
    #[default]
    Other,
}

/// One time that a link was followed. No client address is stored, here or elsewhere.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[graphql(complex)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClickEvent {
    /// Identifies the click.
    #[graphql(directive = example::apply("019aa1c3-1a2b-7c3d-9e4f-7f3041526374".into()))]
    pub(crate) id: ID,
    /// When the link was followed.
    #[graphql(directive = example::apply("2026-11-20T14:35:02.481Z".into()))]
    pub(crate) clicked_at: Timestamp,
    /// Browser family, such as `Firefox`, or the app that showed the page in itself, such as `Facebook`, `Instagram`, `TikTok`,
    /// `LinkedIn`, `X`, `WeChat` or `Pinterest`; `WebView` is an app that does not tell its name. Null when it can't be told, and of
    /// a bot.
    #[graphql(directive = example::apply("Firefox".into()))]
    pub(crate) browser: Option<String>,
    /// Operating system family: `Windows`, `macOS`, `iOS` (iPads, too), `Android`, `Linux`, `ChromeOS` or another; null when it can't
    /// be told, and of a bot. Clicks that were stored by earlier versions keep the names that these gave, such as `Windows 10`.
    #[graphql(directive = example::apply("Linux".into()))]
    pub(crate) os: Option<String>,
    /// Kind of device: `desktop`, `mobile`, `tablet`, `tv` or `console`; null when it can't be told, and of a bot. An iPad whose
    /// browser asks for pages of computers is a `desktop`. Clicks on tablets that were stored by earlier versions are `mobile`.
    #[graphql(directive = example::apply("desktop".into()))]
    pub(crate) device: Option<String>,
    /// Whether a bot, a preview or a prefetch followed it.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) is_bot: bool,
    /// Host of the page that referred to it; null when none was told.
    #[graphql(directive = example::apply("news.example.org".into()))]
    pub(crate) referrer_host: Option<String>,
    /// Country of the visitor, ISO 3166-1 alpha-2; null when it is unknown.
    #[graphql(directive = example::apply("CH".into()))]
    pub(crate) country: Option<String>,
    /// Language that the visitor's browser prefers: the first of `Accept-Language`, in lower case; null when none was told.
    #[graphql(directive = example::apply("de-ch".into()))]
    pub(crate) language: Option<String>,
    /// `utm_source` in the query of the short URL or, if that has no UTM parameter, in the destination's. Of each UTM parameter 255
    /// bytes are kept; null when there was none.
    #[graphql(directive = example::apply("newsletter".into()))]
    pub(crate) utm_source: Option<String>,
    /// `utm_medium`, from where `utmSource` is; null when there was none.
    #[graphql(directive = example::apply("email".into()))]
    pub(crate) utm_medium: Option<String>,
    /// `utm_campaign`, from where `utmSource` is; null when there was none.
    #[graphql(directive = example::apply("spring-sale".into()))]
    pub(crate) utm_campaign: Option<String>,
    /// `utm_term`, from where `utmSource` is; null when there was none, and for clicks that were stored before it was kept.
    #[graphql(directive = example::apply("running shoes".into()))]
    pub(crate) utm_term: Option<String>,
    /// `utm_content`, from where `utmSource` is; null when there was none, and for clicks that were stored before it was kept.
    #[graphql(directive = example::apply("header".into()))]
    pub(crate) utm_content: Option<String>,
    /// The kind of address that the visitor followed.
    #[graphql(directive = example::apply("\"LINK\"".into()))]
    #[serde(default)]
    pub(crate) trigger: ClickTrigger,
    /// Number of the destination to which the visitor was led, among those of the link (`LinkRules.destinations`); 0: the link's own
    /// `destinationUrl` at the time.
    #[graphql(directive = example::apply("0".into()))]
    #[serde(default)]
    pub(crate) destination: i32,
    /// The place, from 1 on, that the rule had which led there. Null: none did.
    #[graphql(directive = example::apply("null".into()))]
    #[serde(default)]
    pub(crate) rule: Option<i32>,
    /// Source of the visit: the name of the search engine, network, app or site that `utmSource` or else `referrerHost` belongs to, such as
    /// `Google`, otherwise that text itself. Null: none was told. A later version may know it by another name.
    #[graphql(directive = example::apply("Google".into()))]
    pub(crate) source: Option<String>,
    /// How the visitor came, by source, `utmMedium`, `trigger` and the kind of an ad click in the visit's query.
    #[graphql(directive = example::apply("\"SEARCH\"".into()))]
    #[serde(default)]
    pub(crate) channel: ClickChannel,
    /// Id of the link that was followed.
    #[graphql(directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into()))]
    #[serde(default)]
    pub(crate) link_id: ID,
}

impl Paged for ClickEvent {
    const PAGE: &str = "ClickPageResult";
}

#[ComplexObject]
impl ClickEvent {
    /// The link that was followed.
    #[graphql(directive = Reads::apply(Scope::LinksRead))]
    async fn link(&self, ctx: &Context<'_>) -> Result<Link, ApiError> {
        // Deleted since the click was read.
        Link::load(ctx, link_id(&self.link_id)?).await?.ok_or_else(|| Code::NotFound.into())
    }
}

/// A number that is stored in decimal digits.
fn number(digits: Option<String>) -> Option<i32> {
    digits?.parse().ok()
}

impl From<ShownClick> for ClickEvent {
    fn from(click: ShownClick) -> Self {
        let utm = [&click.utm_source, &click.utm_medium, &click.utm_campaign].map(Option::as_deref);
        let (trigger, ad_click) = (click.trigger.as_deref(), click.ad_click.as_deref());
        let (source, channel) = source(click.referrer_host.as_deref(), utm, trigger, ad_click);
        let (source, channel) = (source.map(str::to_owned), channel.into());
        ClickEvent {
            id: click.id.into(),
            clicked_at: Timestamp(click.clicked_at),
            browser: click.browser,
            os: click.os,
            device: click.device,
            is_bot: click.is_bot,
            referrer_host: click.referrer_host,
            country: click.country,
            language: click.language,
            utm_source: click.utm_source,
            utm_medium: click.utm_medium,
            utm_campaign: click.utm_campaign,
            utm_term: click.utm_term,
            utm_content: click.utm_content,
            trigger: ClickTrigger::of(click.trigger.as_deref()),
            destination: number(click.destination).unwrap_or_default(),
            rule: number(click.rule),
            source,
            channel,
            link_id: click.link_id.into(),
        }
    }
}

impl From<click::Model> for ClickEvent {
    fn from(click: click::Model) -> Self {
        ShownClick::from(click).into()
    }
}

/// A link that was followed, and how.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[serde(from = "StoredLinkClick")]
pub struct LinkClickPayload {
    /// How it was followed.
    pub(crate) click: Box<ClickEvent>,
    /// The link.
    pub(crate) link: Link,
}

#[derive(Deserialize)]
struct StoredLinkClick {
    click: Box<ClickEvent>,
    link: Link,
}

impl From<StoredLinkClick> for LinkClickPayload {
    fn from(StoredLinkClick { mut click, link }: StoredLinkClick) -> Self {
        click.link_id = link.id.clone();
        LinkClickPayload { click, link }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_event_that_was_recorded_with_fewer_fields_is_read() {
        let click = json!({
            "id": "019aa1c3-1a2b-7c3d-9e4f-7f3041526374", "clickedAt": "2026-11-20T14:35:02.481Z", "browser": "Firefox",
            "os": "Linux", "device": "desktop", "isBot": false, "referrerHost": null, "country": "CH",
        });
        let click: ClickEvent = serde_json::from_value(click).unwrap();
        assert_eq!((click.country.as_deref(), click.language, click.utm_content), (Some("CH"), None, None));
    }
}
