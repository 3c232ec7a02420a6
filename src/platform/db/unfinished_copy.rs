//! The mark that `linkgraph copy` leaves in a PostgreSQL until all rows are there, and how that is connected to without a pool.

use std::{str::FromStr, time::Duration};

use anyhow::Context;
use sea_orm::sqlx::{self, ConnectOptions, PgConnection, postgres::PgConnectOptions};
use tokio::time::timeout;

/// The table that the target has until the copy is finished, with the one row that says which data directory is copied.
pub(crate) const MARKER: &str = "unfinished_copy";
/// How long PostgreSQL may take to let the first connection in.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Whether a URL is that of a PostgreSQL.
pub(crate) fn is_postgres(url: &str) -> bool {
    ["postgres:", "postgresql:"].iter().any(|scheme| url.starts_with(scheme))
}

/// Connects to a PostgreSQL. Errors do not repeat the URL, which may hold a password.
pub(crate) async fn connect(url: &str) -> anyhow::Result<PgConnection> {
    let options = PgConnectOptions::from_str(url).map_err(|_| anyhow::anyhow!("the URL can't be read"))?;
    let address = format!("{}:{}", options.get_host(), options.get_port());
    let options = options.application_name("linkgraph copy").disable_statement_logging();
    let connected = timeout(CONNECT_TIMEOUT, options.connect()).await;
    let connected = connected.with_context(|| format!("PostgreSQL at {address} does not answer"))?;
    connected.with_context(|| format!("can't connect to PostgreSQL at {address}"))
}

/// Whether the schema that the connection uses has this table.
pub(crate) async fn is_there(connection: &mut PgConnection, table: &str) -> anyhow::Result<bool> {
    let sql = "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1)";
    Ok(sqlx::query_scalar(sql).bind(table).fetch_one(connection).await?)
}
