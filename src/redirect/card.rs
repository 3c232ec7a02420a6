//! Cards of links: what messengers and social networks get in place of the redirect. Browsers, and other bots, are redirected.

use axum::response::Response;
use serde::{Deserialize, Serialize};

use super::{Redirects, head::Head, target::Target};
use crate::{clicks::texts::user_agent, platform::http::pages::visitor};

/// A card, as `links` and redirect caches have it: in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Card {
    pub(crate) title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    /// URL of the image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) image_url: Option<String>,
}

impl Card {
    /// Reads a stored card. `None`: it is unreadable.
    pub(crate) fn read(stored: &[u8]) -> Option<Self> {
        serde_json::from_slice(stored).ok()
    }

    /// The text that is stored. No card fails to become one.
    pub(crate) fn stored(&self) -> Option<String> {
        serde_json::to_string(self).ok()
    }
}

/// The card of the link, if the request is one for a card. `host` is the account's host at which it came; `None`: the service's own.
pub(super) fn answer(
    redirects: &Redirects,
    head: &Head<'_>,
    host: Option<&str>,
    slug: &str,
    target: &Target,
) -> Option<Response> {
    let stored = target.card().filter(|_| head.is_reading())?;
    if !redirects.clicks.agents.read(&user_agent(head.user_agent)).is_unfurler {
        return None;
    }
    let Card { title, description, image_url } = Card::read(stored)?;
    redirects.metrics.redirects_shown_as_card.inc();
    Some(visitor::card(visitor::Card {
        title: &title,
        description: description.as_deref(),
        image_url: image_url.as_deref(),
        short_url: &redirects.config.short_url(host.unwrap_or_default(), slug),
    }))
}
