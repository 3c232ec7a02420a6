//! The address of a database for messages to operators, without the user and the password that its URL may contain.

use std::{path::Path, time::Duration};

use anyhow::{Context, anyhow};
use sea_orm::sqlx::{
    self, ConnectOptions, Connection,
    postgres::{PgConnectOptions, PgConnection},
    sqlite::SqliteConnectOptions,
};
use tokio::time::{Instant, sleep, timeout};

/// Timeout of the attempt that finds out why PostgreSQL can't be reached.
const PATIENCE: Duration = Duration::from_millis(300);

/// How long a start tries to reach a PostgreSQL, which may have begun at the same moment and have to recover.
const START: Duration = Duration::from_secs(15);
/// How long one of these tries may take.
const TRY: Duration = Duration::from_secs(4);
/// How far these tries are apart, at first and at most: each is logged.
const APART: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(4)];
/// Codes by which PostgreSQL says that it will let clients in (`cannot_connect_now`, `too_many_connections`).
const SOON: [&str; 2] = ["57P03", "53300"];

/// A database's settings, read by the library that uses them.
pub(super) enum Address {
    Sqlite(Box<SqliteConnectOptions>),
    Postgres(Box<PgConnectOptions>),
}

impl Address {
    /// Reads a URL. The error does not repeat it.
    pub(super) fn parse(url: &str) -> anyhow::Result<Self> {
        let unreadable = "DATABASE_URL: must be a URL, such as postgres://user:secret@host:5432/linkgraph";
        if url.starts_with("sqlite:") {
            Ok(Address::Sqlite(Box::new(url.parse().context(unreadable)?)))
        } else {
            Ok(Address::Postgres(Box::new(url.parse().context(unreadable)?)))
        }
    }

    /// Adds the cause to an error of connecting: a pool retries, and then reports only a timeout.
    pub(super) async fn reached<T>(&self, connected: Result<T, impl Into<anyhow::Error>>) -> anyhow::Result<T> {
        let error = match connected {
            Ok(connected) => return Ok(connected),
            Err(error) => error.into(),
        };
        let cause = match self {
            Address::Sqlite(_) => error,
            Address::Postgres(options) => match timeout(PATIENCE, PgConnection::connect_with(options)).await {
                Ok(Err(cause)) => cause.into(),
                Ok(Ok(_)) => error,
                Err(_) => anyhow!("no answer in time"),
            },
        };
        Err(cause.context(format!("DATABASE_URL: can't connect to {self}")))
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Address::Sqlite(options) => write!(f, "{}", options.get_filename().display()),
            Address::Postgres(options) => write!(f, "{}", of_postgres(options)),
        }
    }
}

/// Connects to a PostgreSQL. While it refuses to be reached, tries again, and says so in the log; of one that does not answer, it
/// gives up at once.
pub(super) async fn reach(options: &PgConnectOptions) -> anyhow::Result<PgConnection> {
    let (address, began, [mut apart, most]) = (of_postgres(options), Instant::now(), APART);
    let options = options.clone().disable_statement_logging();
    loop {
        let left = START.saturating_sub(began.elapsed());
        let failed = match timeout(TRY.min(left), PgConnection::connect_with(&options)).await {
            Ok(Ok(connection)) => return Ok(connection),
            Ok(Err(error)) if !is_passing(&error) => Err(error.into()),
            Ok(Err(error)) => Ok(anyhow::Error::from(error)),
            // One that hangs is not one that begins.
            Err(_) => Err(anyhow!("no answer in time")),
        };
        let left = START.saturating_sub(began.elapsed());
        match failed {
            Ok(cause) if apart < left => {
                let seconds = left.as_secs();
                tracing::warn!("DATABASE_URL: can't connect to {address}: {cause}; it is tried for {seconds} s more");
            }
            Ok(cause) | Err(cause) => return Err(cause.context(format!("DATABASE_URL: can't connect to {address}"))),
        }
        sleep(apart).await;
        apart = (apart * 2).min(most);
    }
}

/// Whether an error of connecting may pass by itself. A wrong name, password or certificate does not.
fn is_passing(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) => true,
        sqlx::Error::Database(refusal) => refusal.code().is_some_and(|code| SOON.contains(&&*code)),
        _ => false,
    }
}

/// `host:port/name`, or the path of a socket and the name.
pub(super) fn of_postgres(options: &PgConnectOptions) -> String {
    let name = options.get_database().unwrap_or_default();
    let (host, port) = (options.get_host(), options.get_port());
    let socket = options.get_socket().map(|socket| socket.as_path());
    match socket.or(host.starts_with('/').then_some(Path::new(host))) {
        Some(socket) => format!("{}/.s.PGSQL.{port}/{name}", socket.display()),
        // An address of IPv6 without its brackets.
        None if host.contains(':') && !host.starts_with('[') => format!("[{host}]:{port}/{name}"),
        None => format!("{host}:{port}/{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_no_credentials() {
        for (url, shown) in [
            ("postgres://ada:hunter2@db.example.com/links", "db.example.com:5432/links"),
            ("postgres://ada:hunter2@[::1]:6000/links?sslmode=require&user=hunter2", "[::1]:6000/links"),
            ("postgres://ada:hunter2@%2Frun%2Fpostgresql/links", "/run/postgresql/.s.PGSQL.5432/links"),
            ("sqlite:///data/linkgraph.db?mode=rwc", "/data/linkgraph.db"),
        ] {
            assert_eq!(Address::parse(url).unwrap().to_string(), shown);
        }
        for url in [
            "postgres://ada:hunter2@host:port/x",
            "postgres://ada:hunter2@host/x?sslmode=hunter2",
            "sqlite://x?mode=hunter2",
        ] {
            let error = crate::base::error::in_one_line(&Address::parse(url).err().unwrap());
            assert!(error.starts_with("DATABASE_URL: ") && !error.contains("ada:"), "{error}");
        }
    }
}
