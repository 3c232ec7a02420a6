//! The question of an app that was opened by a short link, or was just installed by one, where it leads.

use url::Url;

use super::types::{ResolveLinkInput, ResolvedLink};
use crate::{
    app::App,
    base::{
        error::{ApiError, Code},
        ids::AccountId,
        validate::without_rest,
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
    let (host, path, query) = match asked {
        Asked::Url(url) => {
            let host = app.config.host_of_link(&url).ok_or(Code::NotFound)?;
            (host, url.path().to_owned(), url.query().unwrap_or_default().to_owned())
        }
        Asked::Token(token) => {
            let id = link_of(&token).ok_or(Code::NotFound)?;
            let link = repo::link(db, account, id).await?.ok_or(Code::NotFound)?;
            (link.host, format!("/{}", without_rest(&link.slug)), String::new())
        }
    };
    if !key.hosts.split(',').any(|known| known == host) {
        return Err(Code::NotFound.into());
    }
    let served = match host.as_str() {
        "" => None,
        name => Some((name, resolve::host(&app.redirects, name).await?.ok_or(Code::NotFound)?)),
    };
    let mut head = Head::new("GET", &path, &query);
    head.user_agent = user_agent.as_deref().unwrap_or_default().as_bytes();
    head.accept_language = accept_language.as_deref().unwrap_or_default().as_bytes();
    let served = served.as_ref().map(|(name, host)| (*name, host));
    let Opened { slug, location, data } = open(&app.redirects, call.client, &head, account, served).await?;
    let short_url = app.config.short_url(&host, without_rest(&slug));
    Ok(ResolvedLink { short_url, destination_url: location, data })
}

/// The link that an app asks about.
enum Asked {
    Url(Url),
    Token(String),
}
