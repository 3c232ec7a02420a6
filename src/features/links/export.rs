//! The export of links.

use std::sync::Arc;

use async_graphql::{InputType, Name, Value, indexmap::IndexMap};
use futures_util::{
    future::BoxFuture,
    stream::{self, StreamExt},
};
use sea_orm::Order;
use serde_json::Value as Json;
use uuid::Uuid;

use crate::{
    app::App,
    base::{
        concurrency::Permit,
        error::{ApiError, Code},
        ids::AccountId,
    },
    features::links::{
        link::Link,
        ops::{self, FilterTexts},
        rules::files::{self, RouteTexts},
    },
    graphql::{
        rows::{Row, Rows},
        scalars::Timestamp,
    },
    platform::auth::caller::Call,
    records::{
        accounts,
        links::{
            list_repo::{self, LinkFilter},
            repo::ShownLink,
            sort::LinkSort,
        },
    },
};

/// Links read at once: a moment of the database, and some 500 KB.
const ROWS: u64 = 500;
/// Columns that no field of a link has: what its rules and its split were set by, in JSON.
const RULES: &str = "rules";
const SPLIT: &str = "split";

/// The same, for the contract.
pub(crate) fn columns() -> Option<Vec<String>> {
    Some([RULES, SPLIT].map(str::to_owned).to_vec())
}

/// The links that `links` pages through. Archived ones are among them unless they are left out.
pub(crate) fn links(
    app: Arc<App>,
    call: Arc<Call>,
    arguments: IndexMap<Name, Value>,
) -> BoxFuture<'static, Result<Rows, ApiError>> {
    Box::pin(async move {
        let account = call.account()?;
        let order = match argument(&arguments, "sort")? {
            LinkSort::Newest => Order::Desc,
            LinkSort::Oldest => Order::Asc,
            LinkSort::MostClicked | LinkSort::LastClicked => return Err(ApiError::internal("sort was not checked")),
        };
        let time = |name| Ok::<_, ApiError>(argument::<Option<Timestamp>>(&arguments, name)?.map(|time| time.0));
        let state = argument::<Option<_>>(&arguments, "state")?;
        let filter = LinkFilter {
            is_active: argument(&arguments, "isActive")?,
            host: argument(&arguments, "domain")?,
            created_from: time("createdFrom")?,
            created_to: time("createdTo")?,
            is_archived: argument(&arguments, "isArchived")?,
            state: state.map(|state| (state, app.clock.now())),
            destination_url: argument(&arguments, "destinationUrl")?,
            external_id: argument(&arguments, "externalId")?,
            ..LinkFilter::default()
        };
        let tags = argument::<Option<Vec<String>>>(&arguments, "tags")?.unwrap_or_default();
        let search = argument::<Option<String>>(&arguments, "search")?.unwrap_or_default();
        let filter = ops::checked(&app, account, filter, FilterTexts { search: &search, tags: &tags }).await?;
        let place = app.exports.take(account)?;
        let reading = Reading { app, account, filter, order, after: None, _place: place };
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
    /// `None`: there is nothing more to read.
    filter: Option<LinkFilter>,
    order: Order,
    after: Option<Uuid>,
    _place: Permit<AccountId>,
}

async fn read(mut reading: Reading) -> Result<Option<(Vec<Row>, Reading)>, ApiError> {
    let Reading { app, account, filter: Some(filter), order, after, .. } = &reading else { return Ok(None) };
    let links = list_repo::after(app.db.read(), *account, filter, (order.clone(), *after), ROWS).await?;
    let is_over = (links.len() as u64) < ROWS;
    // An account that was deleted meanwhile has no more links either: the export then fails, since it is incomplete.
    if is_over && accounts::repo::account(app.db.read(), *account).await?.is_none() {
        return Err(Code::Unauthenticated.into());
    }
    let after = links.last().map(|shown| shown.link.id);
    let models: Vec<_> = links.iter().map(|shown| shown.link.clone()).collect();
    let routes = files::texts(app, &models).await?;
    let rows = links.into_iter().zip(routes).map(|(shown, routes)| row(shown, routes, app));
    let rows = rows.collect::<Result<_, _>>()?;
    reading.after = after;
    if is_over {
        reading.filter = None;
    }
    Ok(Some((rows, reading)))
}

fn row(link: ShownLink, RouteTexts { rules, split }: RouteTexts, app: &App) -> Result<Row, ApiError> {
    match serde_json::to_value(Link::new(link, app)).map_err(ApiError::internal)? {
        Json::Object(mut row) => {
            row.extend([(RULES.to_owned(), rules.into()), (SPLIT.to_owned(), split.into())]);
            Ok(row)
        }
        _ => Err(ApiError::internal("a link is no object")),
    }
}
