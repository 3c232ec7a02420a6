//! The result of an import: each row with what became of it, as lists and exports show it.

use std::sync::Arc;

use async_graphql::{Enum, ID, InputType, Name, SimpleObject, Value, indexmap::IndexMap};
use futures_util::{
    future::BoxFuture,
    stream::{self, StreamExt},
};
use serde::Serialize;
use serde_json::Value as Json;

use crate::{
    app::App,
    base::{
        concurrency::Permit,
        error::{ApiError, Code},
        ids::AccountId,
    },
    features::imports::{ops, types::import_id},
    graphql::{
        directives::example,
        page::Paged,
        rows::{Row, Rows},
        scalars::count,
    },
    platform::auth::caller::Call,
    records::imports::{
        ImportId,
        results_repo::{self, Became, Outcome},
    },
};

/// Rows read at once: some 200 KB, uncompressed.
const ROWS: u64 = 1_024;

/// What became of a row.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum ImportOutcome {
    /// It became a link; of a dry run, it would.
    Created,
    /// Its link was there.
    Skipped,
    /// It can't become a link.
    Failed,
}

/// A row of an import, with what became of it.
#[derive(SimpleObject, Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImportRow {
    /// Its number as a spreadsheet counts it: the header is row 1, the first link row 2. Without a header, and in JSON, the first
    /// link is row 1.
    #[graphql(directive = example::apply("2".into()))]
    pub(crate) row: i32,
    /// The destination as the file has it, cut to 2,048 characters. Null: the row can't be read.
    #[graphql(directive = example::apply("https://example.com/spring-sale".into()))]
    pub(crate) destination_url: Option<String>,
    /// The short link as it was when the row was taken. Null: the row failed, or only a dry run took it and its slug would be generated.
    #[graphql(directive = example::apply("http://localhost:8080/spring-sale".into()))]
    pub(crate) short_url: Option<String>,
    /// What became of it.
    #[graphql(directive = example::apply("\"CREATED\"".into()))]
    pub(crate) outcome: ImportOutcome,
    /// Kind of its error, as creating the link would have it. Null: it did not fail.
    #[graphql(directive = example::apply("null".into()))]
    pub(crate) code: Option<Code>,
    /// The column that the error is about, as the file has it. Null: it did not fail, or the error is about the whole row.
    #[graphql(directive = example::apply("null".into()))]
    pub(crate) column: Option<String>,
    /// Why it failed, for a person. Null: it did not.
    #[graphql(directive = example::apply("null".into()))]
    pub(crate) error: Option<String>,
}

impl Paged for ImportRow {
    const PAGE: &str = "ImportRowPageResult";
}

impl From<Outcome> for ImportRow {
    fn from(outcome: Outcome) -> Self {
        let Outcome { row, became, destination_url, short_url, code, column, message } = outcome;
        ImportRow {
            row: count(row),
            destination_url,
            short_url,
            outcome: match became {
                Became::Created => ImportOutcome::Created,
                Became::Skipped => ImportOutcome::Skipped,
                Became::Failed => ImportOutcome::Failed,
            },
            code: code.as_deref().map(|code| Code::parse(code).unwrap_or(Code::InternalError)),
            column,
            error: message,
        }
    }
}

/// The rows that `importRows` pages through.
pub(crate) fn rows(
    app: Arc<App>,
    call: Arc<Call>,
    arguments: IndexMap<Name, Value>,
) -> BoxFuture<'static, Result<Rows, ApiError>> {
    Box::pin(async move {
        let account = call.account()?;
        let id = ID::parse(arguments.get("importId").cloned());
        let import = import_id(&id.map_err(|_| ApiError::internal("importId was not checked"))?)?;
        ops::import(&app, account, import).await?;
        let place = app.exports.take(account)?;
        let reading = Reading { app, account, import, first: 0, is_over: false, _place: place };
        Ok(stream::try_unfold(reading, read).boxed())
    })
}

/// How far an export is. No statement is open while the client reads what was sent.
struct Reading {
    app: Arc<App>,
    account: AccountId,
    import: ImportId,
    first: i64,
    is_over: bool,
    _place: Permit<AccountId>,
}

async fn read(mut reading: Reading) -> Result<Option<(Vec<Row>, Reading)>, ApiError> {
    if reading.is_over {
        return Ok(None);
    }
    let Reading { app, account, import, first, .. } = &reading;
    let rows = results_repo::rows(app.db.read(), *import, *first, ROWS).await?;
    if (rows.len() as u64) < ROWS {
        // A result that was deleted meanwhile has no more rows either: the export then fails, since it is incomplete.
        let import = ops::import(app, *account, *import).await?;
        if import.result_rows == 0 && *first > 0 {
            return Err(Code::NotFound.into());
        }
        reading.is_over = true;
    }
    reading.first += i64::try_from(rows.len()).unwrap_or(i64::MAX);
    let rows = rows.into_iter().map(row).collect::<Result<_, _>>()?;
    Ok(Some((rows, reading)))
}

fn row(outcome: Outcome) -> Result<Row, ApiError> {
    match serde_json::to_value(ImportRow::from(outcome)).map_err(ApiError::internal)? {
        Json::Object(row) => Ok(row),
        _ => Err(ApiError::internal("a row is no object")),
    }
}
