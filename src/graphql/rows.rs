//! The items of a list that are read row by row, without resolvers.

use std::sync::Arc;

use async_graphql::{Name, Value, indexmap::IndexMap};
use futures_util::{future::BoxFuture, stream::BoxStream};
use serde_json::{Map, Value as Json};

use crate::{app::App, base::error::ApiError, platform::auth::caller::Call};

/// An item, by the names of its fields.
pub(crate) type Row = Map<String, Json>;
/// Items in their order, some at a time.
pub(crate) type Rows = BoxStream<'static, Result<Vec<Row>, ApiError>>;
/// Where the items of a root field come from, by its arguments and who calls. What can be refused is refused before the first.
pub(crate) type Source = fn(Arc<App>, Arc<Call>, IndexMap<Name, Value>) -> BoxFuture<'static, Result<Rows, ApiError>>;
