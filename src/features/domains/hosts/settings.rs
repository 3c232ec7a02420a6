//! Rules of what accounts set for their hosts.

use entity::host_setting;

use crate::{
    app::{App, change::Change},
    base::{
        clock::UnixMillis,
        error::{ApiError, Violations},
        ids::AccountId,
        patch::Patch,
        validate::check_contact,
        version::{self, Expected},
    },
    features::links::checks::{destination, hosts_of, served},
    platform::work::audit::Fact,
    records::{
        domains::{self, hosts::settings_repo as repo},
        links::slug_repo,
        tags,
    },
};

/// Longest URL of a host, in characters: an event has four of them, beside what DNS says of a domain.
pub(crate) const MAX_HOST_URL: i32 = 1_024;
/// Longest `robots.txt` of a host, in characters: an event has it, and each node keeps it in memory with the host.
pub(crate) const MAX_ROBOTS: i32 = 500;
/// Longest contact of a host, in characters.
pub(crate) const MAX_CONTACT: i32 = 300;

/// Conflicting slugs that an error names.
const NAMED_CLASHES: u64 = 10;

/// The fields with URLs, in the order of [`SettingsChange::urls`].
const URLS: [&str; 4] = ["rootUrl", "notFoundUrl", "expiredUrl", "faviconUrl"];

/// A request's changes of a host's settings. `None`: the setting stays as it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct SettingsChange {
    /// The new values of [`URLS`], as written.
    pub(crate) urls: [Patch<String>; 4],
    /// The file `/robots.txt`.
    pub(crate) robots_text: Patch<String>,
    /// Whom to tell of a vulnerability.
    pub(crate) security_contact: Patch<String>,
    /// Whether slugs are found in any case.
    pub(crate) ignores_case: Option<bool>,
    /// All names of tags that new links get.
    pub(crate) default_tags: Option<Vec<String>>,
    /// Whether links that do not say so themselves forward the query of a visit.
    pub(crate) forwards_query: Option<bool>,
    /// The version of the host that it is made from.
    pub(crate) expected: Expected,
}

/// A change that has passed [`check`].
#[derive(Clone, Debug)]
pub(crate) struct CheckedChange(SettingsChange);

/// Checks a change, except for what [`apply`] checks in its transaction.
pub(crate) async fn check(app: &App, account: AccountId, change: SettingsChange) -> Result<CheckedChange, ApiError> {
    let texts = || change.urls.iter().flatten().filter_map(Option::as_deref);
    let mut hosts = served(app, texts()).await?;
    // Domains that are not proved count, too: later they might redirect in circles.
    hosts.extend(domains::repo::names(app.db.read(), account, hosts_of(texts())).await?);
    let mut violations = Violations::default();
    let mut urls = [const { None }; 4];
    for ((field, text), url) in URLS.into_iter().zip(&change.urls).zip(&mut urls) {
        *url = match text {
            Some(Some(text)) => {
                let parsed = destination(app, text, &hosts).and_then(fitting);
                violations.take(field, parsed).map(Some)
            }
            Some(None) => Some(None),
            None => None,
        };
    }
    if let Some(Some(robots)) = &change.robots_text
        && !robots.is_ascii()
    {
        violations.add("robotsText", "must be ASCII: other characters of a URL are percent-encoded");
    }
    if let Some(Some(contact)) = &change.security_contact {
        violations.take("securityContact", check_contact(contact));
    }
    tags::name::check_all("defaultTags", change.default_tags.as_deref().unwrap_or_default(), &mut violations);
    violations.finish()?;
    Ok(CheckedChange(SettingsChange { urls, ..change }))
}

/// Returns the URL if it is short enough for events: there, JSON escapes a backslash with another one.
fn fitting(url: String) -> Result<String, &'static str> {
    // The parser adds a slash to a bare host.
    let max = MAX_HOST_URL.unsigned_abs() as usize + 1;
    if url.len() + url.matches('\\').count() <= max {
        Ok(url)
    } else {
        Err("must have at most 1024 characters in its ASCII form, where a backslash counts as two")
    }
}

/// Changes the settings of the account's host, which was created at this time, and returns them with what was done. The account's row
/// must be locked. Fails with PRECONDITION_FAILED when they are not what the change expects, and with CONFLICT when case is to be ignored and slugs of links differ in case alone.
pub(crate) async fn apply(
    tx: &Change<'_>,
    account: AccountId,
    host: &str,
    created_at: UnixMillis,
    now: UnixMillis,
    CheckedChange(change): CheckedChange,
) -> Result<(host_setting::Model, [Fact; 1]), ApiError> {
    let nothing = host_setting::Model {
        host: host.to_owned(),
        account_id: account.0,
        root_url: None,
        not_found_url: None,
        expired_url: None,
        favicon_url: None,
        robots_text: None,
        security_contact: None,
        ignores_case: false,
        default_tags: None,
        forwards_query: false,
        updated_at: 0,
    };
    let before = repo::settings(tx, account, host).await?.unwrap_or(nothing);
    let version = updated_at(created_at, Some(&before));
    change.expected.check(version)?;
    let stored = before.clone();
    let [root_url, not_found_url, expired_url, favicon_url] = change.urls;
    let after = host_setting::Model {
        root_url: root_url.unwrap_or(before.root_url),
        not_found_url: not_found_url.unwrap_or(before.not_found_url),
        expired_url: expired_url.unwrap_or(before.expired_url),
        favicon_url: favicon_url.unwrap_or(before.favicon_url),
        robots_text: change.robots_text.unwrap_or(before.robots_text),
        security_contact: change.security_contact.unwrap_or(before.security_contact),
        ignores_case: change.ignores_case.unwrap_or(before.ignores_case),
        default_tags: match &change.default_tags {
            Some(names) => repo::stored_tags(names),
            None => before.default_tags,
        },
        forwards_query: change.forwards_query.unwrap_or(before.forwards_query),
        updated_at: version::next(version, now),
        ..before
    };
    if after.ignores_case && !before.ignores_case {
        // Transactions that create or move links of the account wait for its row.
        let clashes = slug_repo::clashes(tx, account, host, NAMED_CLASHES).await?;
        if !clashes.is_empty() {
            return Err(clash(&clashes));
        }
    }
    let fact = [Fact::changed(&stored, &after)];
    repo::store(tx, after.clone()).await?;
    Ok((after, fact))
}

/// When a host that was created at this time, or its settings, were last changed by the account.
pub(crate) fn updated_at(created_at: UnixMillis, settings: Option<&host_setting::Model>) -> UnixMillis {
    settings.map_or(created_at, |settings| settings.updated_at.max(created_at))
}

fn clash(slugs: &[String]) -> ApiError {
    let message = format!(
        "Slugs on this host differ in case alone, or from one that the operator of the service has blocked: {}.",
        slugs.join(", ")
    );
    ApiError { message: message.into(), ..ApiError::conflict("ignoresCase", "") }
}
