//! The export of clicks.

use std::{collections::VecDeque, sync::Arc};

use async_graphql::{ID, InputType, Name, Value, indexmap::IndexMap};
use futures_util::{
    future::BoxFuture,
    stream::{self, StreamExt},
};
use serde::Serialize;
use serde_json::Value as Json;
use uuid::Uuid;

use crate::{
    app::App,
    base::{
        clock::UnixMillis,
        concurrency::Permit,
        error::ApiError,
        ids::{AccountId, LinkId},
    },
    click_store::{
        Found,
        question::{Question, Subject},
        stored_repo::{self, these},
    },
    features::{
        analytics::{breakdown_ops, breakdown_types::BreakdownPoint, filter::question, ops, types::ClickEvent},
        links::{self, query::link_id},
    },
    graphql::rows::{Row, Rows},
    platform::auth::caller::Call,
};

/// Clicks read at once: a moment of the database, and some 300 KB.
const ROWS: u64 = 1_000;

/// Clicks among which those of an export are found at once: some 4 MB.
const FOUND: u64 = 100_000;

/// The clicks that `clicks` and `allClicks` page through.
pub(crate) fn clicks(
    app: Arc<App>,
    call: Arc<Call>,
    arguments: IndexMap<Name, Value>,
) -> BoxFuture<'static, Result<Rows, ApiError>> {
    Box::pin(async move {
        let account = call.account()?;
        let question = asked(&app, &call, &arguments)?;
        let subject = ops::subject(&app, account, &question).await?;
        let place = app.exports.take(account)?;
        let rest = match question.subject {
            Subject::Link(link) if question.conditions.is_empty() => Rest::After(link, None),
            _ => {
                let mut parts = ops::parts(&app, &question, subject, FOUND.min(question.max_clicks)).await?;
                parts.reverse();
                Rest::Found { parts, found: VecDeque::new() }
            }
        };
        let reading = Reading { app, account, question, rest, is_over: false, _place: place };
        Ok(stream::try_unfold(reading, read).boxed())
    })
}

/// All values that `clickBreakdown` pages through: found before the first is sent.
pub(crate) fn breakdown(
    app: Arc<App>,
    call: Arc<Call>,
    arguments: IndexMap<Name, Value>,
) -> BoxFuture<'static, Result<Rows, ApiError>> {
    Box::pin(async move {
        let account = call.account()?;
        let question =
            Question { dimension: Some(argument(&arguments, "dimension")?), ..asked(&app, &call, &arguments)? };
        let search = argument::<Option<String>>(&arguments, "search")?.unwrap_or_default();
        let place = app.exports.take(account)?;
        let found = breakdown_ops::breakdown(&app, &call, &question, &search).await?;
        let values = found.values.into_iter();
        let rows: Vec<Row> =
            values.map(|value| row(&BreakdownPoint::new(value, &question))).collect::<Result<_, _>>()?;
        let parts: Vec<Vec<Row>> = rows.chunks(ROWS as usize).map(<[Row]>::to_vec).collect();
        // The place is held until the last part is sent.
        Ok(stream::iter(parts).map(move |part| Ok((part, &place).0)).boxed())
    })
}

/// The question that the arguments of an export ask.
fn asked(app: &App, call: &Call, arguments: &IndexMap<Name, Value>) -> Result<Question, ApiError> {
    let link = argument::<Option<ID>>(arguments, "linkId")?;
    let subject = link.as_ref().map_or(Ok(Subject::Account), |link| link_id(link).map(Subject::Link))?;
    let range = (argument(arguments, "from")?, argument(arguments, "to")?);
    question(app, call, subject, range, argument(arguments, "includeBots")?, argument(arguments, "filter")?)
}

fn argument<T: InputType>(arguments: &IndexMap<Name, Value>, name: &str) -> Result<T, ApiError> {
    T::parse(arguments.get(name).cloned()).map_err(|_| ApiError::internal(format!("{name} was not checked")))
}

/// How far an export is. No statement is open while the client reads what was sent.
struct Reading {
    app: Arc<App>,
    account: AccountId,
    question: Question,
    rest: Rest,
    is_over: bool,
    _place: Permit<AccountId>,
}

/// The clicks that are not read yet, newest first.
enum Rest {
    /// All of the link's clicks, or those that come after one.
    After(LinkId, Option<(UnixMillis, Uuid)>),
    /// Clicks that are found, and the parts of the range, the last one first to be searched, in which the others are.
    Found { parts: Vec<(UnixMillis, UnixMillis)>, found: VecDeque<Found> },
}

async fn read(mut reading: Reading) -> Result<Option<(Vec<Row>, Reading)>, ApiError> {
    if reading.is_over {
        return Ok(None);
    }
    let Reading { app, account, question, rest, .. } = &mut reading;
    let (clicks, is_last) = match rest {
        Rest::After(link, after) => {
            let clicks =
                stored_repo::page_after(app.db.read(), *account, *link, question.click_filter(), *after, ROWS).await?;
            *after = clicks.last().map(|click| (click.clicked_at, click.id));
            let is_last = (clicks.len() as u64) < ROWS;
            (clicks, is_last)
        }
        Rest::Found { parts, found } => {
            while found.is_empty()
                && let Some(part) = parts.pop()
            {
                *found = ops::find(app, *account, question, part).await?.into();
            }
            let next = found.drain(..found.len().min(ROWS as usize));
            (these(app.db.read(), *account, next).await?, found.is_empty() && parts.is_empty())
        }
    };
    if is_last {
        if let Subject::Link(link) = question.subject {
            // A link that was deleted meanwhile has no more clicks either: the export then fails, since it is incomplete.
            links::lookup::link(app, *account, link).await?;
        }
        reading.is_over = true;
    }
    let rows = clicks.into_iter().map(|click| row(&ClickEvent::from(click))).collect::<Result<_, _>>()?;
    Ok(Some((rows, reading)))
}

fn row(item: &impl Serialize) -> Result<Row, ApiError> {
    match serde_json::to_value(item).map_err(ApiError::internal)? {
        Json::Object(row) => Ok(row),
        _ => Err(ApiError::internal("an item is no object")),
    }
}
