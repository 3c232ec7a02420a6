//! Converts rows of a file to links, or to the reason why a row can't become one.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use entity::{account, import, import_error};
use link_files::{Field, Layout, Record, Row, Source};

use crate::{
    app::{App, change::Change},
    base::{
        error::{ApiError, Code},
        ids::AccountId,
        tier::Plan,
        validate::{MAX_URL, in_one_line, shortened},
    },
    features::links::{
        checks,
        imported::{self, Fate, Imported},
        place,
        rules::files::RouteTexts,
    },
    records::{
        accounts,
        imports::{
            ImportId,
            results_repo::{self, Became},
        },
        links::{
            creations::NewLink,
            gate::GateValues,
            if_exists::IfExists,
            life::{Life, MAX_CLICKS},
            texts::{MAX_EXTERNAL_ID, MAX_NOTES, MAX_TITLE, Texts},
            utm::UtmValues,
            values::LinkValues,
        },
    },
    redirect::{app_link::AppLink, card::Card},
};

/// Longest text of an error that is stored, in characters.
const MAX_SHOWN: usize = 300;
/// Longest destination that is stored of a row, in characters, whether it becomes a link or not.
const MAX_SHOWN_URL: usize = MAX_URL.unsigned_abs() as usize;

/// The outcome of a row. Short links are `None` where a dry run does not know them.
pub(super) enum Outcome {
    Created(Option<String>),
    Skipped(Option<String>),
    Failed(RowFailure),
}

/// A row that is done with.
pub(super) struct Taken {
    pub(super) number: u64,
    /// As the file has it. `None`: it can't be read.
    destination_url: Option<String>,
    pub(super) outcome: Outcome,
}

impl Taken {
    /// As it is stored with the result.
    pub(super) fn stored(&self) -> results_repo::Outcome {
        let row = i64::try_from(self.number).unwrap_or(i64::MAX);
        let destination_url = self.destination_url.as_deref().map(|url| short(url, MAX_SHOWN_URL));
        let (became, short_url) = match &self.outcome {
            Outcome::Created(short_url) => (Became::Created, short_url.clone()),
            Outcome::Skipped(short_url) => (Became::Skipped, short_url.clone()),
            Outcome::Failed(RowFailure { code, column, message, .. }) => {
                return results_repo::Outcome {
                    row,
                    became: Became::Failed,
                    destination_url,
                    short_url: None,
                    code: Some(code.as_str().to_owned()),
                    column: column.as_deref().map(|column| short(column, MAX_SHOWN)),
                    message: Some(short(message, MAX_SHOWN)),
                };
            }
        };
        results_repo::Outcome { row, became, destination_url, short_url, code: None, column: None, message: None }
    }
}

/// The text without NUL, which PostgreSQL does not store, cut to so many characters.
fn short(text: &str, length: usize) -> String {
    text.chars().filter(|character| *character != '\0').take(length).collect()
}

/// Why a row can't become a link.
pub(super) struct RowFailure {
    code: Code,
    /// The column as the file has it.
    column: Option<String>,
    message: String,
    slug: Option<String>,
}

impl RowFailure {
    /// As it is stored.
    pub(super) fn stored(self, import: ImportId, number: u64) -> import_error::Model {
        let RowFailure { code, column, message, slug } = self;
        // A value of a file may be long.
        let short = |text: String| short(&text, MAX_SHOWN);
        import_error::Model {
            import_id: import.0,
            row_number: i64::try_from(number).unwrap_or(i64::MAX),
            code: code.as_str().to_owned(),
            field: column.map(short),
            message: short(message),
            slug: slug.map(short),
        }
    }
}

/// A row that was read: its number, and the link that it is to become.
pub(super) struct Prepared {
    number: u64,
    slug: Option<String>,
    destination_url: Option<String>,
    link: Result<Box<(Imported, imported::Checked)>, RowFailure>,
}

/// Reads rows as links, and checks all that can be checked before the transaction.
pub(super) async fn prepare(
    app: &App,
    import: &import::Model,
    layout: &Layout,
    rows: Vec<Row>,
) -> Result<Vec<Prepared>, ApiError> {
    let account = AccountId(import.account_id);
    let records = || rows.iter().filter_map(|row| row.link.as_ref().ok());
    let usable = match &import.host {
        Some(_) => HashSet::new(),
        None => checks::usable(app, account, records().filter_map(|record| record.host.as_deref())).await?,
    };
    let host = |record: &Record| match &import.host {
        Some(host) => Some(host.clone()).filter(|host| !host.is_empty()),
        None => {
            let host = record.host.as_deref().and_then(|host| checks::stored_host(app, host));
            host.filter(|host| usable.contains(host))
        }
    };
    let links: Vec<Result<Imported, RowFailure>> = rows
        .iter()
        .map(|row| match &row.link {
            Ok(record) if record.has_password && import.password_hash.is_none() => Err(RowFailure {
                code: Code::ValidationError,
                column: layout.column(Field::Password).map(str::to_owned),
                message: "protects the link, and the import has no password for it: it would be open to all".to_owned(),
                slug: record.slug.clone(),
            }),
            Ok(record) => {
                let password_hash = import.password_hash.clone().filter(|_| record.has_password);
                Ok(link(layout.source(), record, (host(record), password_hash)))
            }
            Err(error) => Err(RowFailure {
                code: Code::ValidationError,
                column: error.column.clone(),
                message: error.message.clone(),
                slug: None,
            }),
        })
        .collect();
    let readable: Vec<&Imported> = links.iter().flatten().collect();
    let mut checked = imported::check(app, account, &readable).await?.into_iter();
    let mut prepared = Vec::with_capacity(rows.len());
    for (row, link) in rows.iter().zip(links) {
        let slug = row.link.as_ref().ok().and_then(|record| record.slug.clone());
        let destination_url = row.link.as_ref().ok().map(|record| record.destination_url.clone());
        let link = link.and_then(|link| match checked.next() {
            Some(Ok(checked)) => Ok(Box::new((link, checked))),
            Some(Err(error)) => Err(failure(layout, &error, slug.clone())),
            None => Err(failure(layout, &Code::InternalError.into(), slug.clone())),
        });
        prepared.push(Prepared { number: row.number, slug, destination_url, link });
    }
    Ok(prepared)
}

/// Stores the links of rows, as far as they can be. The account's row is locked. A dry run stores them too, which the caller rolls
/// back, and notes in `seen` which links it has stored.
pub(super) async fn store(
    app: &App,
    tx: &Change<'_>,
    owner: &account::Model,
    (import, layout): (&import::Model, &Layout),
    prepared: Vec<Prepared>,
    seen: &mut Seen,
) -> Result<Vec<Taken>, ApiError> {
    let plan = accounts::repo::plan_of(owner, app.config.default_plan, app.clock.now());
    let (mut links, mut outcomes) = (Vec::new(), Vec::new());
    for (index, Prepared { number, slug, destination_url, link }) in prepared.into_iter().enumerate() {
        let row = import.done + i64::try_from(index).unwrap_or(i64::MAX) + 1;
        let outcome = match link {
            Err(failure) => Some(Outcome::Failed(failure)),
            Ok(_) if plan.max_import_rows().is_some_and(|max| row > max) => {
                let max = plan.max_import_rows().unwrap_or_default();
                let message = format!("The plan allows {max} rows in an import.");
                Some(Outcome::Failed(RowFailure { code: Code::PlanLimitReached, column: None, message, slug }))
            }
            Ok(link) => {
                let (imported, checked) = *link;
                let earlier = if import.is_dry_run { seen.note(&checked) } else { Earlier::None };
                match earlier {
                    Earlier::None => {
                        links.push((imported, checked));
                        outcomes.push((number, slug, destination_url, None));
                        continue;
                    }
                    Earlier::Same => Some(Outcome::Skipped(slug.as_ref().map(|_| short_url(app, checked.place())))),
                    Earlier::Other => Some(Outcome::Failed(failure(layout, &place::slug_taken(), slug))),
                }
            }
        };
        outcomes.push((number, None, destination_url, outcome));
    }
    let fates = imported::store(app, tx, AccountId(owner.id), links, !import.is_dry_run).await?;
    let mut fates = fates.into_iter();
    let mut room = room(plan, owner, import);
    let outcomes = outcomes.into_iter().map(|(number, slug, destination_url, outcome)| {
        let outcome = outcome.unwrap_or_else(|| match fates.next() {
            // Links of earlier rows of a dry run are not stored, so that the database counts too few.
            Some(Fate::Created(_)) if import.is_dry_run && room <= 0 => {
                let (max, used) = (plan.max_links(), owner.link_count.saturating_add(import.created));
                Outcome::Failed(failure(layout, &ApiError::plan_limit(max, used, "links"), slug))
            }
            Some(Fate::Created((host, at))) => {
                room = room.saturating_sub(1);
                // A slug that a dry run generates is not the one that the import will.
                let is_known = !import.is_dry_run || slug.is_some();
                Outcome::Created(is_known.then(|| short_url(app, (&host, &at))))
            }
            Some(Fate::Known((host, at))) => Outcome::Skipped(Some(short_url(app, (&host, &at)))),
            Some(Fate::Failed(error)) => Outcome::Failed(failure(layout, &error, slug)),
            None => Outcome::Failed(failure(layout, &Code::InternalError.into(), slug)),
        });
        Taken { number, destination_url, outcome }
    });
    Ok(outcomes.collect())
}

fn short_url(app: &App, (host, slug): (&str, &str)) -> String {
    app.config.short_url(host, slug)
}

/// Number of links that a dry run may still report as created.
fn room(plan: Plan, owner: &account::Model, import: &import::Model) -> i64 {
    plan.max_links().saturating_sub(owner.link_count).saturating_sub(import.created)
}

/// Addresses and external ids that earlier rows of a dry run would have, none of which is stored.
#[derive(Default)]
pub(super) struct Seen {
    /// Hosts and slugs, with where they would lead.
    places: HashMap<(String, String), String>,
    /// Ids of links.
    ids: HashSet<String>,
}

/// The link that an earlier row of a dry run would have created.
enum Earlier {
    None,
    /// The same link.
    Same,
    /// Another link with its slug.
    Other,
}

impl Seen {
    /// Notes the row's address and external id. Returns whether an earlier row has one of them.
    fn note(&mut self, checked: &imported::Checked) -> Earlier {
        let (host, slug) = checked.place();
        if checked.external_id().is_some_and(|id| self.ids.contains(id)) {
            return Earlier::Same;
        }
        match self.places.entry((host.to_owned(), slug.to_owned())) {
            Entry::Occupied(earlier) if earlier.get() == checked.destination_url() => Earlier::Same,
            Entry::Occupied(_) => Earlier::Other,
            Entry::Vacant(place) => {
                place.insert(checked.destination_url().to_owned());
                self.ids.extend(checked.external_id().map(str::to_owned));
                Earlier::None
            }
        }
    }
}

/// The link of a record. Titles of other services may have several lines and be too long: they are joined to one line and cut, and
/// the uncut title becomes the notes if there are none.
fn link(source: Source, record: &Record, (domain, password_hash): (Option<String>, Option<String>)) -> Imported {
    let max = |length: i32| usize::try_from(length).unwrap_or_default();
    let is_own = source == Source::Linkgraph;
    let (mut title, mut notes) = (record.title.clone(), record.notes.clone());
    if !is_own {
        title = title.map(|title| in_one_line(&title)).filter(|title| !title.is_empty());
        if let Some(long) = title.clone().filter(|title| title.chars().count() > max(MAX_TITLE)) {
            notes = notes.or(Some(long.chars().take(max(MAX_NOTES)).collect()));
            title = Some(shortened(long, MAX_TITLE));
        }
    }
    // An id of another service that is too long is left out: the link is also recognised by its slug.
    let fits = |id: &String| is_own || id.chars().count() <= max(MAX_EXTERNAL_ID) && !id.chars().any(char::is_control);
    let max_clicks = record.max_clicks.map(|max| i32::try_from(max).unwrap_or(MAX_CLICKS + 1));
    let new = NewLink {
        destination_url: Some(record.destination_url.clone()),
        slug: record.slug.clone(),
        domain,
        tags: match is_own {
            true => record.tags.clone(),
            // A name has no comma here.
            false => record.tags.iter().map(|name| in_one_line(&name.replace(',', " "))).collect(),
        },
        if_exists: IfExists::Create,
        may_read: false,
        values: LinkValues {
            is_active: record.is_active,
            life: Life {
                starts_at: Some(record.starts_at),
                expires_at: Some(record.expires_at),
                expired_url: Some(record.expired_url.clone()),
                max_clicks: Some(max_clicks),
            },
            texts: Texts {
                title: Some(title),
                notes: Some(notes),
                external_id: Some(record.origin(source).filter(fits)),
            },
            forwards_query: Some(record.forwards_query),
            gate: GateValues {
                password: None,
                password_hash: Some(password_hash),
                asks_first: record.asks_first,
                notice: Some(record.notice.clone()),
            },
            card: Some(card(record)),
            app: Some(app(record)),
            utm: UtmValues::default(),
        },
    };
    Imported {
        new,
        created_at: record.created_at,
        is_archived: record.is_archived.unwrap_or(false),
        clicks: record.clicks,
        used_clicks: record.used_clicks.unwrap_or(0),
        routes: RouteTexts { rules: record.rules.clone(), split: record.split.clone() },
    }
}

/// The card of a record. `None`: it has no part of one.
fn card(record: &Record) -> Option<Card> {
    let Record { card_title: title, card_description: description, card_image_url: image_url, .. } = record;
    let has_any = title.is_some() || description.is_some() || image_url.is_some();
    has_any.then(|| Card {
        title: title.clone().unwrap_or_default(),
        description: description.clone(),
        image_url: image_url.clone(),
    })
}

/// The apps of a record. `None`: it opens none.
fn app(record: &Record) -> Option<AppLink> {
    let app = AppLink {
        ios_uri: record.app_ios_uri.clone(),
        ios_store_url: record.app_ios_store_url.clone(),
        android_uri: record.app_android_uri.clone(),
        android_package: record.app_android_package.clone(),
        data: record.app_data.clone(),
    };
    (app != AppLink::default()).then_some(app)
}

/// The error with the column of the file in place of the field of the API.
fn failure(layout: &Layout, error: &ApiError, slug: Option<String>) -> RowFailure {
    let path = error.violations.first().map(|violation| violation.path.clone());
    let path = path.or_else(|| error.details()?.get("path")?.as_str().map(str::to_owned));
    let column = path.as_deref().map(|path| field(layout, path).unwrap_or(path).to_owned());
    let message = match error.violations.as_slice() {
        [] => error.message.clone().into_owned(),
        // A rule is one of many in its column.
        [first] if first.path.starts_with("rules.") || first.path.starts_with("parts.") => {
            format!("{} {}", first.path, first.message)
        }
        [first] => first.message.clone(),
        [first, rest @ ..] => {
            let rest: Vec<String> = rest.iter().map(|rule| format!("{} {}", rule.path, rule.message)).collect();
            format!("{}; {}", first.message, rest.join("; "))
        }
    };
    RowFailure { code: error.code, column, message, slug }
}

/// The column of the file from which a field of the API comes.
fn field<'a>(layout: &'a Layout, path: &str) -> Option<&'a str> {
    let (name, part) = path.split_once(['[', '.']).unwrap_or((path, ""));
    let fields: &[Field] = match name {
        "destinationUrl" => &[Field::Destination],
        "slug" => &[Field::Slug, Field::ShortUrl],
        "domain" => &[Field::Host, Field::ShortUrl],
        "title" => &[Field::Title],
        "notes" => &[Field::Notes],
        "notice" => &[Field::Notice],
        "card" => match part {
            "title" => &[Field::CardTitle],
            "description" => &[Field::CardDescription],
            _ => &[Field::CardImageUrl],
        },
        "app" => match part {
            "iosUri" => &[Field::AppIosUri],
            "iosStoreUrl" => &[Field::AppIosStoreUrl],
            "androidUri" => &[Field::AppAndroidUri],
            "androidPackage" => &[Field::AppAndroidPackage],
            _ => &[Field::AppData],
        },
        "rules" => &[Field::Rules],
        "split" | "parts" => &[Field::Split],
        "tags" => &[Field::Tags],
        "startsAt" => &[Field::Starts],
        "expiresAt" => &[Field::Expires],
        "expiredUrl" => &[Field::ExpiredUrl],
        "maxClicks" => &[Field::MaxClicks],
        "externalId" => &[Field::ExternalId, Field::Id],
        _ => &[],
    };
    fields.iter().find_map(|field| layout.column(*field))
}
