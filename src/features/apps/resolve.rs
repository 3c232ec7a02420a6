//! The question of an app that was opened by a short link, or was just installed by one, where it leads.

use url::Url;

use super::types::{ResolveLinkInput, ResolvedLink};
use crate::{
    app::App,
    base::{
        error::{ApiError, Code},
        ids::AccountId,
    },
    platform::auth::caller::Call,
    records::{apps::key_repo, links::repo},
    redirect::{
        app_link::{Opened, link_of, open},
        head::Head,
        resolve,
    },
};

/// Tells an app where a link leads it, as a click.
pub(super) async fn resolve(app: &App, call: &Call, input: ResolveLinkInput) -> Result<ResolvedLink, ApiError> {
    let ResolveLinkInput { publishable_key, url, token, user_agent, accept_language } = input;
    let asked = match (url, token) {
        (Some(url), None) => {
            Asked::Url(Url::parse(&url).map_err(|_| ApiError::invalid_field("url", "must be a short URL"))?)
        }
        (None, Some(token)) => Asked::Token(token),
        _ => return Err(ApiError::invalid_field("url", "or the token must be there, and one alone")),
    };
    let db = app.db.read();
    let found = key_repo::of_text(db, &publishable_key).await?;
    let key = found.ok_or_else(|| ApiError::invalid_field("publishableKey", "is no publishable key"))?;
    let account = AccountId(key.account_id);
    let (place, query) = match asked {
        Asked::Url(url) => (app.config.short_link(&url), url.query().unwrap_or_default().to_owned()),
        Asked::Token(token) => {
            let link = match link_of(&token) {
                Some(id) => repo::link(db, account, id).await?,
                None => None,
            };
            (link.map(|link| (link.host, link.slug)), String::new())
        }
    };
    let place = place.filter(|(host, _)| key.hosts.split(',').any(|known| known == host));
    let (host, slug) = place.ok_or(Code::NotFound)?;
    let served = match host.as_str() {
        "" => None,
        name => Some((name, resolve::host(&app.redirects, name).await?.ok_or(Code::NotFound)?)),
    };
    let path = format!("/{slug}");
    let mut head = Head::new("GET", &path, &query);
    head.user_agent = user_agent.as_deref().unwrap_or_default().as_bytes();
    head.accept_language = accept_language.as_deref().unwrap_or_default().as_bytes();
    let served = served.as_ref().map(|(name, host)| (*name, host));
    let Opened { location, data } = open(&app.redirects, call.client, &head, account, served, &slug).await?;
    Ok(ResolvedLink { short_url: app.config.short_url(&host, &slug), destination_url: location, data })
}

/// The link that an app asks about.
enum Asked {
    Url(Url),
    Token(String),
}
