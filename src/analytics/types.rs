//! GraphQL types of analytics.

use async_graphql::{ComplexObject, Context, ID, SimpleObject};
use entity::click;
use serde::{Deserialize, Serialize};

use crate::{
    analytics::repo::ShownClick,
    auth::{
        access::{Credential, access},
        scope::Scope,
    },
    error::{ApiError, Code},
    graphql::{context::ContextExt, directives::example, loaders::load, scalars::Timestamp},
    ids::LinkId,
    links::types::Link,
};

/// One time that a link was followed. No client address is stored, here or elsewhere.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[graphql(complex)]
#[serde(rename_all = "camelCase")]
pub struct ClickEvent {
    /// Identifies the click.
    #[graphql(directive = example::apply("019aa1c3-1a2b-7c3d-9e4f-7f3041526374".into()))]
    pub id: ID,
    /// When the link was followed.
    #[graphql(directive = example::apply("2026-11-20T14:35:02.481Z".into()))]
    pub clicked_at: Timestamp,
    /// Browser family, such as `Firefox`; null when it can't be told.
    #[graphql(directive = example::apply("Firefox".into()))]
    pub browser: Option<String>,
    /// Operating system family, such as `Windows`; null when it can't be told.
    #[graphql(directive = example::apply("Linux".into()))]
    pub os: Option<String>,
    /// Kind of device: `desktop`, `mobile`, `tv` or `console`; null when it can't be told.
    #[graphql(directive = example::apply("desktop".into()))]
    pub device: Option<String>,
    /// Whether a bot, a preview or a prefetch followed it.
    #[graphql(directive = example::apply("false".into()))]
    pub is_bot: bool,
    /// Host of the page that referred to it; null when none was told.
    #[graphql(directive = example::apply("news.example.org".into()))]
    pub referrer_host: Option<String>,
    /// Country of the visitor, ISO 3166-1 alpha-2; null when it is unknown.
    #[graphql(directive = example::apply("CH".into()))]
    pub country: Option<String>,
    #[graphql(skip)]
    #[serde(skip)]
    link_id: LinkId,
}

#[ComplexObject]
impl ClickEvent {
    /// The link that was followed.
    #[graphql(directive = access::apply(Credential::Any, None, Some(Scope::LinksRead), None))]
    async fn link(&self, ctx: &Context<'_>) -> Result<Link, ApiError> {
        let link = load(&ctx.loaders()?.links, self.link_id).await?;
        // Deleted since the click was read.
        let link = link.ok_or_else(|| ApiError::from(Code::NotFound))?;
        Ok(Link::new((*link).clone(), ctx.app()?))
    }
}

impl From<ShownClick> for ClickEvent {
    fn from(click: ShownClick) -> Self {
        ClickEvent {
            id: click.id.into(),
            clicked_at: Timestamp(click.clicked_at),
            browser: click.browser,
            os: click.os,
            device: click.device,
            is_bot: click.is_bot,
            referrer_host: click.referrer_host,
            country: click.country,
            link_id: LinkId(click.link_id),
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
    pub click: ClickEvent,
    /// The link.
    pub link: Link,
}

#[derive(Deserialize)]
struct StoredLinkClick {
    click: ClickEvent,
    link: Link,
}

impl From<StoredLinkClick> for LinkClickPayload {
    fn from(StoredLinkClick { mut click, link }: StoredLinkClick) -> Self {
        click.link_id = link.id.parse().unwrap_or_default();
        LinkClickPayload { click, link }
    }
}
