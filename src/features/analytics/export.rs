//! The export of clicks.

use std::sync::Arc;

use async_graphql::{ID, InputType, Name, Value, indexmap::IndexMap};
use entity::click;
use futures_util::{
    future::BoxFuture,
    stream::{self, StreamExt},
};
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
    features::{
        analytics::types::ClickEvent,
        links::{self, query::link_id},
    },
    graphql::{
        rows::{Row, Rows},
        scalars::Timestamp,
    },
    records::analytics::repo::{self, ClickFilter},
};

/// Clicks read at once: a moment of the database, and some 300 KB.
const ROWS: u64 = 1_000;

/// The clicks that `clicks` pages through.
pub(crate) fn clicks(
    app: Arc<App>,
    account: AccountId,
    arguments: IndexMap<Name, Value>,
) -> BoxFuture<'static, Result<Rows, ApiError>> {
    Box::pin(async move {
        let link = link_id(&argument::<ID>(&arguments, "linkId")?)?;
        let time = |name| Ok::<_, ApiError>(argument::<Option<Timestamp>>(&arguments, name)?.map(|time| time.0));
        let humans_only = !argument::<bool>(&arguments, "includeBots")?;
        let filter = ClickFilter { from: time("from")?, to: time("to")?, humans_only };
        links::lookup::link(&app, account, link).await?;
        let place = app.exports.take(account)?;
        let reading = Reading { app, account, link, filter, after: None, is_over: false, _place: place };
        Ok(stream::try_unfold(reading, read).boxed())
    })
}

fn argument<T: InputType>(arguments: &IndexMap<Name, Value>, name: &str) -> Result<T, ApiError> {
    T::parse(arguments.get(name).cloned()).map_err(|_| ApiError::internal(format!("{name} was not checked")))
}

/// How far an export is. No statement is open while the client reads what was sent.
struct Reading {
    app: Arc<App>,
    account: AccountId,
    link: LinkId,
    filter: ClickFilter,
    after: Option<(UnixMillis, Uuid)>,
    is_over: bool,
    _place: Permit<AccountId>,
}

async fn read(mut reading: Reading) -> Result<Option<(Vec<Row>, Reading)>, ApiError> {
    if reading.is_over {
        return Ok(None);
    }
    let Reading { app, account, link, filter, after, .. } = &reading;
    let clicks = repo::page_after(app.db.read(), *account, *link, *filter, *after, ROWS).await?;
    if (clicks.len() as u64) < ROWS {
        // A link that was deleted meanwhile has no more clicks either: the export then fails, since it is incomplete.
        links::lookup::link(app, *account, *link).await?;
        reading.is_over = true;
    }
    reading.after = clicks.last().map(|click| (click.clicked_at, click.id));
    let rows = clicks.into_iter().map(row).collect::<Result<_, _>>()?;
    Ok(Some((rows, reading)))
}

fn row(click: click::Model) -> Result<Row, ApiError> {
    match serde_json::to_value(ClickEvent::from(click)).map_err(ApiError::internal)? {
        Json::Object(row) => Ok(row),
        _ => Err(ApiError::internal("a click is no object")),
    }
}
