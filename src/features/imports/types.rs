//! Imports as the API shows them.

use async_graphql::{Enum, ID, InputObject, SimpleObject, resolver_utils::enum_value};
use entity::{import, import_error};
use link_files::{ColumnChoice, DateOrder, Hints, Source};
use serde::{Deserialize, Serialize};

use crate::{
    base::{
        config::Config,
        error::{ApiError, Code},
        validate::{MAX_PASSWORD, MAX_URL},
    },
    features::imports::{
        columns::{DateFormat, ImportColumn, ImportColumnInput},
        fetch,
    },
    graphql::{
        directives::{example, items, length, values},
        page::Paged,
        scalars::{Timestamp, count},
    },
    platform::auth::{access::resource, scope::Scope},
    records::{
        imports::{
            ImportId,
            mapping::{self, MAX_KEPT},
            state::{MAX_COLUMNS, MAX_ENCODING, MAX_PART, MAX_SECRET, NewImport, State},
        },
        links::gate::MIN_LINK_PASSWORD,
    },
};

/// A service whose links are known.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum ImportSource {
    /// linkgraph's own export.
    Linkgraph,
    /// Bitly: CSV, or JSON of its API.
    Bitly,
    /// Dub: CSV, or JSON of its API.
    Dub,
    /// Short.io: CSV, or JSON of its API.
    ShortIo,
    /// Rebrandly: CSV, or JSON of its API.
    Rebrandly,
    /// YOURLS: CSV, or JSON of its API.
    Yourls,
    /// Kutt: JSON of its API.
    Kutt,
    /// Shlink: CSV, or JSON of its API.
    Shlink,
    /// A table of no known service, such as a person makes one: CSV, or JSON, whose columns are found out by their names in
    /// several languages and by their values.
    Table,
}

impl From<ImportSource> for Source {
    fn from(source: ImportSource) -> Self {
        match source {
            ImportSource::Linkgraph => Source::Linkgraph,
            ImportSource::Bitly => Source::Bitly,
            ImportSource::Dub => Source::Dub,
            ImportSource::ShortIo => Source::ShortIo,
            ImportSource::Rebrandly => Source::Rebrandly,
            ImportSource::Yourls => Source::Yourls,
            ImportSource::Kutt => Source::Kutt,
            ImportSource::Shlink => Source::Shlink,
            ImportSource::Table => Source::Table,
        }
    }
}

impl From<Source> for ImportSource {
    fn from(source: Source) -> Self {
        match source {
            Source::Linkgraph => ImportSource::Linkgraph,
            Source::Bitly => ImportSource::Bitly,
            Source::Dub => ImportSource::Dub,
            Source::ShortIo => ImportSource::ShortIo,
            Source::Rebrandly => ImportSource::Rebrandly,
            Source::Yourls => ImportSource::Yourls,
            Source::Kutt => ImportSource::Kutt,
            Source::Shlink => ImportSource::Shlink,
            Source::Table => ImportSource::Table,
        }
    }
}

/// Names of the services whose links are read out of their API.
fn services() -> Vec<String> {
    fetch::SERVICES.map(|service| enum_value(ImportSource::from(service)).to_string()).to_vec()
}

/// How far an import is.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum ImportState {
    /// It takes parts of its file until the last. After a day without one it is cancelled.
    Open,
    /// It waits for its turn.
    Queued,
    /// Its rows are being taken.
    Running,
    /// All its rows are done with.
    Finished,
    /// Its file can't be read, or the other service's API: `error` says why.
    Failed,
    /// It was cancelled. Links that it made before stay.
    Cancelled,
}

impl From<State> for ImportState {
    fn from(state: State) -> Self {
        match state {
            State::Open => ImportState::Open,
            State::Queued => ImportState::Queued,
            State::Running => ImportState::Running,
            State::Finished => ImportState::Finished,
            State::Failed => ImportState::Failed,
            State::Cancelled => ImportState::Cancelled,
        }
    }
}

/// An import of links from another service.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[graphql(directive = resource::apply(Scope::LinksRead))]
#[serde(rename_all = "camelCase")]
pub struct Import {
    /// Identifies the import.
    #[graphql(directive = example::apply("019aa1c2-b5d4-7a10-8c3e-0f1a2b3c4d5e".into()))]
    pub(crate) id: ID,
    /// The service that the links are from. Null: it is not found out yet.
    #[graphql(directive = example::apply("\"BITLY\"".into()))]
    pub(crate) source: Option<ImportSource>,
    /// The encoding of its file, which the sender has decoded. Null: the sender did not say.
    #[graphql(directive = example::apply("windows-1252".into()))]
    pub(crate) encoding: Option<String>,
    /// Whether its file has a header, or begins with a link. Null: that is not found out yet, or the file is no table.
    #[graphql(directive = example::apply("true".into()))]
    pub(crate) has_header: Option<bool>,
    /// The columns of its file that are kept, as they were named or guessed. Null: they are not found out yet, or the links come
    /// out of an API.
    #[graphql(directive = items::apply(0, MAX_KEPT))]
    pub(crate) columns: Option<Vec<ImportColumn>>,
    /// The order in which its dates are read: the one that was asked for, or the only one in which all of them are days. Null: no
    /// date depends on an order, or several orders are possible.
    #[graphql(directive = example::apply("\"DMY\"".into()))]
    pub(crate) date_format: Option<DateFormat>,
    /// Whether some of its dates are a day in several orders, and the others do not tell which: their rows fail, until an import
    /// of the file says `dateFormat`.
    #[serde(default)]
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) has_unsure_dates: bool,
    /// Host that all its links get. Null: each keeps the host that it had, if the account has it, and gets the service's own
    /// otherwise.
    #[graphql(directive = example::apply("localhost".into()))]
    pub(crate) domain: Option<String>,
    /// Whether it only tells what would become of each row, and changes nothing.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) is_dry_run: bool,
    /// How far it is.
    #[graphql(directive = example::apply("\"RUNNING\"".into()))]
    pub(crate) state: ImportState,
    /// Number of its rows. Null: it is not known before the import runs, nor for an import from an API before it has ended.
    #[graphql(directive = example::apply("1200".into()))]
    pub(crate) total: Option<i32>,
    /// Rows that are done with: `created`, `skipped` and `failed` together.
    #[graphql(directive = example::apply("500".into()))]
    pub(crate) done: i32,
    /// Rows that became links; of a dry run, rows that would.
    #[graphql(directive = example::apply("490".into()))]
    pub(crate) created: i32,
    /// Rows whose link was there: an earlier import made it, or the account has a link with that slug and destination.
    #[graphql(directive = example::apply("0".into()))]
    pub(crate) skipped: i32,
    /// Rows that can't become links. The first 1,000 of them are listed with their reasons.
    #[graphql(directive = example::apply("10".into()))]
    pub(crate) failed: i32,
    /// Rows of its result: `importRows` lists them. The first 1,000,000 of `done`, or 0 once ten later imports have begun.
    #[serde(default)]
    #[graphql(directive = example::apply("500".into()))]
    pub(crate) result_rows: i32,
    /// Why it failed, or what keeps it from going on. Null: nothing.
    #[graphql(directive = example::apply("The service answered 503.".into()))]
    pub(crate) error: Option<String>,
    /// When it was begun.
    pub(crate) created_at: Timestamp,
    /// When it ended. Null: it has not.
    #[graphql(directive = example::apply("2026-11-20T14:33:41.002Z".into()))]
    pub(crate) finished_at: Option<Timestamp>,
}

impl Paged for Import {
    const PAGE: &str = "ImportPageResult";
}

impl Import {
    /// The import as the API shows it.
    pub(crate) fn new(import: import::Model, config: &Config) -> Self {
        let own = || config.base_url.host().to_owned();
        let columns = mapping::kept(&import).map(|columns| {
            columns.into_iter().map(|(name, field)| ImportColumn { name, field: field.into() }).collect()
        });
        Import {
            id: import.id.into(),
            encoding: import.encoding,
            has_header: import.has_header,
            columns,
            date_format: import.date_format.as_deref().and_then(DateOrder::parse).map(DateFormat::from),
            has_unsure_dates: import.has_unsure_dates,
            result_rows: count(import.result_rows),
            source: import.source.as_deref().and_then(Source::parse).map(ImportSource::from),
            domain: import.host.map(|host| if host.is_empty() { own() } else { host }),
            is_dry_run: import.is_dry_run,
            state: State::of(&import.state).into(),
            total: import.total.map(count),
            done: count(import.done),
            created: count(import.created),
            skipped: count(import.skipped),
            failed: count(import.failed),
            error: import.error,
            created_at: Timestamp(import.created_at),
            finished_at: import.finished_at.map(Timestamp),
        }
    }
}

/// A row of an import that can't become a link.
#[derive(SimpleObject, Clone, Debug)]
pub(crate) struct ImportError {
    /// Its number as a spreadsheet counts it: the header is row 1, the first link row 2. Without a header, and in JSON, the first
    /// link is row 1.
    #[graphql(directive = example::apply("17".into()))]
    pub(crate) row: i32,
    /// Kind of the error, as creating the link would have it.
    #[graphql(directive = example::apply("\"CONFLICT\"".into()))]
    pub(crate) code: Code,
    /// The column as the file has it, or its number if there is no header. Null: it is about the whole row.
    #[graphql(directive = example::apply("Custom Link".into()))]
    pub(crate) column: Option<String>,
    /// Why, for a person.
    #[graphql(directive = example::apply("The slug is taken on this domain.".into()))]
    pub(crate) message: String,
    /// The slug that the row asks for. Null: it asks for none, or can't be read.
    #[graphql(directive = example::apply("spring-sale".into()))]
    pub(crate) slug: Option<String>,
}

impl Paged for ImportError {
    const PAGE: &str = "ImportErrorPageResult";
}

impl From<import_error::Model> for ImportError {
    fn from(error: import_error::Model) -> Self {
        ImportError {
            row: count(error.row_number),
            code: Code::parse(&error.code).unwrap_or(Code::InternalError),
            column: error.field,
            message: error.message,
            slug: error.slug,
        }
    }
}

/// An import of a file to begin.
#[derive(InputObject, Debug)]
pub(crate) struct StartImportInput {
    /// The service that the links are from. Absent or null: it is found out from the file's header, or from the first link of
    /// its JSON, and is `TABLE` if they are those of no service.
    #[graphql(directive = example::apply("\"YOURLS\"".into()))]
    pub(crate) source: Option<ImportSource>,
    /// Host that all links get: the service's own, or an account's domain or subdomain that links are served on, else NOT_FOUND.
    /// Absent or null: each keeps the host that it had, if the account has it, and gets the service's own otherwise.
    #[graphql(directive = example::apply("localhost".into()))]
    pub(crate) domain: Option<String>,
    /// Password for links that had one, 6 to 200 characters. It is never shown, and its hash is deleted when the import ends. Absent or null:
    /// rows of such links fail, since the links would be open to all.
    #[graphql(
        directive = length::apply(MIN_LINK_PASSWORD, MAX_PASSWORD),
        directive = example::apply("tulips-in-april".into())
    )]
    pub(crate) password: Option<String>,
    /// Whether to tell only what would become of each row, and to change nothing. Absent or null: false.
    pub(crate) is_dry_run: Option<bool>,
    /// What columns of the file are about. Columns that are not named are found out: of a known service as it calls them, of other
    /// files by their names in several languages and by their values. Absent or null: all are found out.
    #[graphql(directive = items::apply(0, MAX_COLUMNS))]
    pub(crate) columns: Option<Vec<ImportColumnInput>>,
    /// The order of dates that are written with numbers alone, such as `3/4/2024`. A date that is no day in it fails with its row. Absent
    /// or null: the only one in which all dates of the file are days; if there are several, rows with such dates fail, and
    /// `hasUnsureDates` tells that. `2024-01-31` and `31.01.2024` need none.
    #[graphql(directive = example::apply("\"DMY\"".into()))]
    pub(crate) date_format: Option<DateFormat>,
    /// The encoding that the file was in before its sender decoded it: a name of the Encoding Standard, such as `windows-1252`. It is
    /// only shown again. Absent or null: unknown.
    #[graphql(directive = length::apply(1, MAX_ENCODING), directive = example::apply("windows-1252".into()))]
    pub(crate) encoding: Option<String>,
    /// The whole file as text, if it is short. Absent or null: the file follows in parts.
    #[graphql(
        directive = length::apply(1, MAX_PART),
        directive = example::apply("keyword,url\nspring-sale,https://example.com/spring-sale\n".into())
    )]
    pub(crate) data: Option<String>,
}

impl From<StartImportInput> for NewImport {
    fn from(input: StartImportInput) -> Self {
        let StartImportInput { source, domain, password, is_dry_run, columns, date_format, encoding, data } = input;
        let columns = columns.unwrap_or_default().into_iter().map(ColumnChoice::from).collect();
        NewImport {
            hints: Hints { source: source.map(Source::from), columns, dates: date_format.map(DateOrder::from) },
            encoding,
            domain,
            password,
            is_dry_run: is_dry_run.unwrap_or(false),
            data,
            url: None,
            key: None,
        }
    }
}

/// An import to begin of what another service's API answers.
#[derive(InputObject, Debug)]
pub(crate) struct StartApiImportInput {
    /// The service.
    #[graphql(directive = values::apply(services()), directive = example::apply("\"SHLINK\"".into()))]
    pub(crate) source: ImportSource,
    /// Where it serves its API: an http or https URL at a public address.
    #[graphql(directive = length::apply(1, MAX_URL), directive = example::apply("https://s.example.com".into()))]
    pub(crate) url: String,
    /// Key of that API: an API key of Shlink, the signature token of YOURLS. It is never shown, and deleted when the import ends.
    #[graphql(directive = length::apply(1, MAX_SECRET), directive = example::apply("1002a612b4".into()))]
    pub(crate) key: String,
    /// Host that all links get: the service's own, or an account's domain or subdomain that links are served on, else NOT_FOUND.
    /// Absent or null: each keeps the host that it had, if the account has it, and gets the service's own otherwise.
    #[graphql(directive = example::apply("localhost".into()))]
    pub(crate) domain: Option<String>,
    /// Password for links that had one, 6 to 200 characters. It is never shown, and its hash is deleted when the import ends. Absent or null:
    /// rows of such links fail, since the links would be open to all.
    #[graphql(
        directive = length::apply(MIN_LINK_PASSWORD, MAX_PASSWORD),
        directive = example::apply("tulips-in-april".into())
    )]
    pub(crate) password: Option<String>,
    /// Whether to tell only what would become of each link, and to change nothing. Absent or null: false.
    pub(crate) is_dry_run: Option<bool>,
}

impl From<StartApiImportInput> for NewImport {
    fn from(input: StartApiImportInput) -> Self {
        let StartApiImportInput { source, url, key, domain, password, is_dry_run } = input;
        NewImport {
            hints: Source::from(source).into(),
            encoding: None,
            domain,
            password,
            is_dry_run: is_dry_run.unwrap_or(false),
            data: None,
            url: Some(url),
            key: Some(key),
        }
    }
}

/// The next part of a file.
#[derive(InputObject, Debug)]
pub(crate) struct AppendImportInput {
    /// Number of the part, from 1. A part that was sent before is taken again if it is the same.
    #[graphql(directive = example::apply("1".into()))]
    pub(crate) number: i32,
    /// Its text. A file may be cut anywhere between two characters.
    #[graphql(
        directive = length::apply(1, MAX_PART),
        directive = example::apply("keyword,url\nspring-sale,https://example.com/spring-sale\n".into())
    )]
    pub(crate) data: String,
    /// Whether it is the last one: the import runs then. Absent or null: false.
    pub(crate) is_last: Option<bool>,
}

/// Parses the id of an import. Fails with NOT_FOUND when the text is no valid id.
pub(super) fn import_id(id: &ID) -> Result<ImportId, ApiError> {
    id.parse().map_err(|_| Code::NotFound.into())
}
