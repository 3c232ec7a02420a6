//! A link as a file tells of it.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::{
    RowError,
    cells::{Cell, Cells, Value},
    guess::{has_host, is_url},
    lists::{read_list, split},
    source::{Field, Source},
    time::{Times, is_unset},
};

/// A link as a file tells of it. `None`: the file does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Path of the short link.
    pub slug: Option<String>,
    /// Host of the short link, in lower case.
    pub host: Option<String>,
    /// Where it leads.
    pub destination_url: String,
    /// Its title.
    pub title: Option<String>,
    /// Notes about it.
    pub notes: Option<String>,
    /// Names of its tags, each once.
    pub tags: Vec<String>,
    /// When it was created, in Unix milliseconds.
    pub created_at: Option<i64>,
    /// When it begins to redirect, in Unix milliseconds.
    pub starts_at: Option<i64>,
    /// When it ceases to redirect, in Unix milliseconds.
    pub expires_at: Option<i64>,
    /// Where it leads after its end.
    pub expired_url: Option<String>,
    /// How often it redirects at most.
    pub max_clicks: Option<i64>,
    /// How many of these are used.
    pub used_clicks: Option<i64>,
    /// How often it was followed until the file was written.
    pub clicks: Option<i64>,
    /// Whether it redirects. `None`: it does.
    pub is_active: Option<bool>,
    /// Whether it is archived. `None`: it is not.
    pub is_archived: Option<bool>,
    /// Whether the query of a visit is forwarded to the destination. `None`: as its host has it.
    pub forwards_query: Option<bool>,
    /// Whether visitors have to enter a password. The password itself is not kept: services tell it rarely, and as a hash.
    pub has_password: bool,
    /// Whether visitors are asked to continue before they are redirected. `None`: they are not.
    pub asks_first: Option<bool>,
    /// Text that visitors confirm before they are redirected.
    pub notice: Option<String>,
    /// Title of what messengers show of it. `None`: they show the destination's page.
    pub card_title: Option<String>,
    /// Text below that title.
    pub card_description: Option<String>,
    /// URL of the image that messengers show.
    pub card_image_url: Option<String>,
    /// URI that opens an app on iOS.
    pub app_ios_uri: Option<String>,
    /// Page of the app in the App Store.
    pub app_ios_store_url: Option<String>,
    /// URI that opens an app on Android.
    pub app_android_uri: Option<String>,
    /// Name of the app's package on Android.
    pub app_android_package: Option<String>,
    /// Data for the app, in JSON.
    pub app_data: Option<String>,
    /// Its rules, in JSON. `None` in files of other services.
    pub rules: Option<String>,
    /// Its split, in JSON. `None` in files of other services.
    pub split: Option<String>,
    /// Its id in the service that the file is of. `None` in linkgraph's own files, and in tables of people.
    pub source_id: Option<String>,
    /// Its id in a system that it was made from. `None` in files of other services.
    pub external_id: Option<String>,
}

impl Record {
    pub(crate) fn of(source: Source, cells: &Cells<'_>, times: &mut Times) -> Result<Self, RowError> {
        let (is_own, is_table) = (source == Source::Linkgraph, source == Source::Table);
        // Texts of linkgraph's own files are not changed: leading and trailing spaces are kept.
        let text = |field: Field| -> Result<Option<String>, RowError> {
            let Some(cell) = cells.get(field)? else { return Ok(None) };
            let text = cells.unmarked(cell.text());
            Ok(Some(if is_own { text } else { text.trim() }.to_owned()))
        };
        let destination_url = text(Field::Destination)?.ok_or_else(|| RowError {
            column: cells.name(Field::Destination).map(str::to_owned),
            message: "is empty: the link leads nowhere".to_owned(),
        })?;
        let destination_url = if is_table { with_scheme(destination_url) } else { destination_url };
        let (mut host, mut slug) = (text(Field::Host)?, text(Field::Slug)?.map(|slug| trim_slashes(&slug).to_owned()));
        // People write the whole short link, too.
        if is_table && let Some(whole) = slug.take_if(|slug| is_url(slug)) {
            let (of_url, path) = short_link(&whole);
            host = host.or_else(|| of_url.map(str::to_owned));
            slug = Some(path).filter(|path| !path.is_empty());
        }
        if (host.is_none() || slug.is_none())
            && let Some(cell) = cells.get(Field::ShortUrl)?
        {
            let (of_url, path) = short_link(cell.text());
            if slug.is_none() && path.is_empty() {
                return Err(cell.error("has no path: it is the link of a whole domain"));
            }
            host = host.or_else(|| of_url.map(str::to_owned));
            slug = slug.or(Some(path));
        }
        let max_clicks = number(cells, Field::MaxClicks)?;
        let clicks = number(cells, Field::Clicks)?;
        let earlier = number(cells, Field::ImportedClicks)?;
        // In other services all clicks of a link count for its limit.
        let used_clicks = if source.has_own_ids() { number(cells, Field::UsedClicks)? } else { max_clicks.and(clicks) };
        Ok(Record {
            slug,
            host: host.map(|host| host.trim().to_lowercase()).filter(|host| !host.is_empty()),
            destination_url,
            title: text(Field::Title)?,
            notes: text(Field::Notes)?,
            tags: cells.get(Field::Tags)?.map(|cell| tags(source, cells, &cell)).unwrap_or_default(),
            created_at: time(cells, Field::Created, times)?,
            starts_at: time(cells, Field::Starts, times)?,
            expires_at: time(cells, Field::Expires, times)?,
            expired_url: text(Field::ExpiredUrl)?,
            max_clicks,
            used_clicks,
            clicks: clicks.map(|clicks| clicks.saturating_add(earlier.unwrap_or(0))).or(earlier),
            is_active: match (flag(cells, Field::IsActive)?, flag(cells, Field::IsBanned)?) {
                (is_active, None) => is_active,
                (is_active, Some(is_banned)) => Some(is_active != Some(false) && !is_banned),
            },
            is_archived: flag(cells, Field::IsArchived)?,
            forwards_query: flag(cells, Field::ForwardsQuery)?,
            has_password: match is_own {
                true => flag(cells, Field::Password)?.unwrap_or(false),
                // A password may stand there, and be a word for no in some language.
                false => filled(cells, Field::Password)?
                    .is_some_and(|cell| !matches!(cell.text().trim(), "false" | "FALSE" | "False" | "0" | "No" | "no")),
            },
            asks_first: flag(cells, Field::AsksFirst)?,
            notice: text(Field::Notice)?,
            card_title: text(Field::CardTitle)?,
            card_description: text(Field::CardDescription)?,
            card_image_url: text(Field::CardImageUrl)?,
            app_ios_uri: text(Field::AppIosUri)?,
            app_ios_store_url: text(Field::AppIosStoreUrl)?,
            app_android_uri: text(Field::AppAndroidUri)?,
            app_android_package: text(Field::AppAndroidPackage)?,
            app_data: text(Field::AppData)?,
            rules: text(Field::Rules)?,
            split: text(Field::Split)?,
            source_id: if source.has_own_ids() { None } else { text(Field::Id)? },
            external_id: if source.has_own_ids() { text(Field::ExternalId)? } else { None },
        })
    }

    /// The id by which a link that came from the source is known again: that of the service, or its short link there. `None`: the
    /// file has neither, or it is linkgraph's own, or a person's, without such an id.
    pub fn origin(&self, source: Source) -> Option<String> {
        if source.has_own_ids() {
            return self.external_id.clone();
        }
        let in_source = match (&self.source_id, &self.host, &self.slug) {
            (Some(id), ..) => Cow::Borrowed(id),
            (None, Some(host), Some(slug)) => Cow::Owned(format!("{host}/{slug}")),
            (None, None, Some(slug)) => Cow::Borrowed(slug),
            (None, _, None) => return None,
        };
        Some(format!("{}:{in_source}", source.id()))
    }
}

/// The destination with the scheme that people leave out.
fn with_scheme(url: String) -> String {
    if has_host(&url) && !url.contains("://") { format!("https://{url}") } else { url }
}

/// Host and path of a short link, which may lack its scheme. Percent-encoded characters of the path are the characters.
fn short_link(text: &str) -> (Option<&str>, String) {
    let text = text.trim();
    let text = text.split_once("://").map_or(text, |(_, rest)| rest);
    let text = text.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = text.split_once('/').unwrap_or((text, ""));
    let path = percent_decode_str(trim_slashes(path)).decode_utf8_lossy().into_owned();
    (Some(host).filter(|host| !host.is_empty()), path)
}

/// YOURLS' plugin writes slugs as `/slug/`.
fn trim_slashes(text: &str) -> &str {
    text.trim().trim_matches('/')
}

fn tags(source: Source, cells: &Cells<'_>, cell: &Cell<'_>) -> Vec<String> {
    let names = match &cell.value {
        Value::List(names) => names.clone(),
        Value::Text(text) if text.trim_start().starts_with('[') && source != Source::Linkgraph => {
            serde_json::from_str(text).unwrap_or_else(|_| split(text.trim_matches(['[', ']']), source.tag_separators()))
        }
        Value::Text(text) if source == Source::Linkgraph => read_list(cells.unmarked(text)),
        Value::Text(text) => split(text, source.tag_separators()),
    };
    let mut once: Vec<String> = Vec::with_capacity(names.len());
    for name in names {
        let name = if source == Source::Linkgraph { name } else { name.trim().to_owned() };
        if !name.is_empty() && !once.contains(&name) {
            once.push(name);
        }
    }
    once
}

fn time(cells: &Cells<'_>, field: Field, times: &mut Times) -> Result<Option<i64>, RowError> {
    let Some(cell) = filled(cells, field)? else { return Ok(None) };
    // Some services write zeros or a dash for none.
    if is_unset(cell.text()) || matches!(cell.text().trim(), "-" | "null" | "NULL" | "Never" | "never") {
        return Ok(None);
    }
    times.read(cell.text()).map(Some).map_err(|message| cell.error(message))
}

/// The value, if it is more than spaces.
fn filled<'a>(cells: &'a Cells<'a>, field: Field) -> Result<Option<Cell<'a>>, RowError> {
    Ok(cells.get(field)?.filter(|cell| !cell.text().trim().is_empty()))
}

fn number(cells: &Cells<'_>, field: Field) -> Result<Option<i64>, RowError> {
    let Some(cell) = filled(cells, field)? else { return Ok(None) };
    let text = cell.text().trim();
    // A spreadsheet may have made a decimal of it.
    let whole = text.strip_suffix(".0").unwrap_or(text);
    let digits = !whole.is_empty() && whole.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| whole.parse().ok()).flatten();
    number.map(Some).ok_or_else(|| cell.error("is not a whole number"))
}

fn flag(cells: &Cells<'_>, field: Field) -> Result<Option<bool>, RowError> {
    let Some(cell) = filled(cells, field)? else { return Ok(None) };
    match cell.text().trim().to_lowercase().as_str() {
        // Excel writes the words of its language.
        "true" | "yes" | "1" | "wahr" | "ja" | "vrai" | "oui" | "verdadero" | "sí" | "vero" | "sì" | "verdadeiro"
        | "sim" | "waar" | "prawda" | "tak" | "sant" => Ok(Some(true)),
        "false" | "no" | "0" | "falsch" | "nein" | "faux" | "non" | "falso" | "não" | "onwaar" | "nee" | "fałsz"
        | "nie" | "falskt" | "nej" => Ok(Some(false)),
        _ => Err(cell.error("is neither true nor false")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_links_are_taken_apart() {
        for (text, host, path) in [
            ("https://bit.ly/3xYz", Some("bit.ly"), "3xYz"),
            ("bit.ly/3xYz", Some("bit.ly"), "3xYz"),
            ("http://localhost:8080/a/b/?c#d", Some("localhost:8080"), "a/b"),
            ("https://sho.rt/gr%C3%B6%c3%9fe", Some("sho.rt"), "größe"),
            ("https://dub.sh", Some("dub.sh"), ""),
            ("", None, ""),
        ] {
            assert_eq!(short_link(text), (host, path.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_scheme_that_is_left_out_is_added() {
        for (text, whole) in [
            ("acme.example", "https://acme.example"),
            ("www.acme.example/x?a=b", "https://www.acme.example/x?a=b"),
            ("acme.example:8080/x", "https://acme.example:8080/x"),
            ("http://acme.example/", "http://acme.example/"),
            ("javascript:alert(1)", "javascript:alert(1)"),
            ("mailto:a@acme.example", "mailto:a@acme.example"),
            ("nowhere", "nowhere"),
            ("two words.example", "two words.example"),
        ] {
            assert_eq!(with_scheme(text.to_owned()), whole);
        }
    }

    #[test]
    fn a_link_is_known_again_by_its_id_or_else_its_address() {
        let link = |id: Option<&str>, host: Option<&str>, slug: Option<&str>| {
            let owned = |text: Option<&str>| text.map(str::to_owned);
            Record { source_id: owned(id), host: owned(host), slug: owned(slug), ..Record::default() }
        };
        let origin = |link: &Record| link.origin(Source::Dub);
        assert_eq!(origin(&link(Some("x1"), Some("dub.sh"), Some("a"))).as_deref(), Some("dub:x1"));
        assert_eq!(origin(&link(None, Some("dub.sh"), Some("a"))).as_deref(), Some("dub:dub.sh/a"));
        assert_eq!(origin(&link(None, None, Some("a"))).as_deref(), Some("dub:a"));
        assert_eq!(origin(&link(None, Some("dub.sh"), None)), None);
    }
}
