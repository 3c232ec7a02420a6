//! Rules of the pages that visitors see on hosts.

use std::collections::HashSet;

use async_graphql::ID;
use entity::host_page;
use link_rules::language_tag;

use super::own_host;
use crate::{
    app::{App, change::Change},
    base::{
        error::{ApiError, Violations},
        ids::AccountId,
        validate::color,
        version::{self, Expected},
    },
    features::accounts::change,
    platform::{
        http::pages::visitor::OwnText,
        work::audit::{Act, Fact},
    },
    records::{domains::hosts::page_repo as repo, images},
    redirect::stale::Stale,
};

/// Texts of a host: all pages in eight languages.
pub(crate) const MAX_TEXTS: i32 = 40;
/// Longest title, in characters.
pub(crate) const MAX_TITLE: i32 = 100;
/// Longest text, in characters, as that of a link's notice.
pub(crate) const MAX_TEXT: i32 = 500;
/// Longest language tag, in characters (RFC 5646 §4.4.1).
pub(crate) const MAX_LANGUAGE: i32 = 35;
/// Bytes that all texts of a host may have together: each node keeps them in memory with the host.
const MAX_BYTES: usize = 8 * 1_024;

/// Look and texts that a request asks for, in the place of all that a host has.
#[derive(Clone, Debug)]
pub(crate) struct HostPagesChange {
    /// Colours as written; `None`: the service's.
    pub(crate) accent_color: Option<String>,
    pub(crate) background_color: Option<String>,
    /// The image of the logo; `None`: there is none.
    pub(crate) logo: Option<ID>,
    pub(crate) texts: Vec<OwnText>,
}

impl HostPagesChange {
    /// The change in the form that is stored.
    fn checked(mut self) -> Result<Self, ApiError> {
        let mut violations = Violations::default();
        let colors = [("accentColor", &mut self.accent_color), ("backgroundColor", &mut self.background_color)];
        for (field, written) in colors {
            *written = written.take().and_then(|text| violations.take(field, color(&text)).map(hex::encode));
        }
        let mut known = HashSet::new();
        for (place, text) in self.texts.iter_mut().enumerate() {
            let field = format!("texts.{place}.language");
            let tag = language_tag(&text.language).map_err(|expected| format!("must be {expected}"));
            let Some(tag) = violations.take(&field, tag) else { continue };
            if !known.insert((text.page, tag.clone())) {
                violations.add(&field, "must not be that of another text of the page");
            }
            text.language = tag;
        }
        if self.texts.iter().map(|text| text.title.len() + text.text.as_ref().map_or(0, String::len)).sum::<usize>()
            > MAX_BYTES
        {
            violations.add("texts", format!("must have at most {MAX_BYTES} bytes in UTF-8, all together"));
        }
        violations.finish()?;
        Ok(self)
    }
}

/// Look and texts of the account's host; those of a host without any were never changed. Fails with NOT_FOUND when the account has no such
/// domain or subdomain.
pub(crate) async fn pages(app: &App, account: AccountId, host: &str) -> Result<host_page::Model, ApiError> {
    let db = app.db.read();
    let host = own_host(app, db, account, host).await?;
    Ok(repo::pages(db, account, &host).await?.unwrap_or_else(|| nothing(account, host)))
}

/// Gives the account's host this look and these texts in the place of those that it has. The next visit sees them, on other nodes after a
/// moment.
pub(crate) async fn set(
    app: &App,
    act: &Act,
    host: &str,
    change: HostPagesChange,
    expected: &Expected,
) -> Result<host_page::Model, ApiError> {
    let HostPagesChange { accent_color, background_color, logo, texts } = change.checked()?;
    let account = act.account;
    let tx = change::begin(app, act).await?;
    let host = own_host(app, &*tx, account, host).await?;
    let before = repo::pages(&*tx, account, &host).await?.unwrap_or_else(|| nothing(account, host.clone()));
    expected.check(before.updated_at)?;
    let logo = match logo {
        Some(id) => Some(logo_path(&tx, account, &id).await?),
        None => None,
    };
    let after = host_page::Model {
        accent_color,
        background_color,
        logo,
        texts: serde_json::to_string(&texts).map_err(ApiError::internal)?,
        updated_at: version::next(before.updated_at, app.clock.now()),
        ..before.clone()
    };
    repo::store(&*tx, after.clone()).await?;
    tx.evict([Stale::Host(host)]);
    tx.commit([Fact::changed(&before, &after)]).await?;
    Ok(after)
}

/// The path of an image of the account. Fails when it has no such image.
async fn logo_path(tx: &Change<'_>, account: AccountId, id: &ID) -> Result<String, ApiError> {
    let image = match id.parse() {
        Ok(id) => images::repo::of_id(tx, account, id).await?,
        Err(_) => None,
    };
    let image = image.ok_or_else(|| ApiError::invalid_field("logoImageId", "must be an image of the account"))?;
    Ok(images::path(image.id, &image.media_type))
}

fn nothing(account: AccountId, host: String) -> host_page::Model {
    host_page::Model {
        host,
        account_id: account.0,
        accent_color: None,
        background_color: None,
        logo: None,
        texts: "[]".to_owned(),
        updated_at: 0,
    }
}
