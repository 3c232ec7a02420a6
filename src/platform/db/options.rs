//! Options of connections.

use std::time::Duration;

use sea_orm::{
    ConnectOptions,
    sqlx::{Connection, postgres::PgConnectOptions},
};

use super::interrupt::Interrupt;

/// How long a request waits for a connection before it fails with UNAVAILABLE.
pub(super) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(4);
/// How long PostgreSQL works at a statement.
pub(super) const STATEMENT_TIMEOUT: Duration = Duration::from_secs(30);

/// Timeouts after which PostgreSQL ends the transactions of a node that vanished, as a machine without power does. Until then its
/// locks block others; a dead transaction that waits for such a lock gets it next, unless its `lock_timeout` is over. So all
/// locks are free after twice the first timeout, as a rule. Our own transactions pause for milliseconds.
const GIVEN_UP: [(&str, &str); 6] = [
    ("idle_in_transaction_session_timeout", "2s"),
    ("lock_timeout", "3s"),
    ("tcp_user_timeout", "20s"),
    ("tcp_keepalives_idle", "10"),
    ("tcp_keepalives_interval", "5"),
    ("tcp_keepalives_count", "2"),
];

/// Connections of a pool have no limit on their idle time or lifetime. In sqlx 0.9.0, the task that closes older ones may spin
/// for ever, also as it begins, and block a thread of the runtime: for a moment the number of idle connections is below zero
/// (<https://github.com/launchbadge/sqlx/issues/3645>, fixed by pull request 4289).
pub(super) const NO_LIFETIME: Option<Duration> = None;

/// Options common to the connections to both databases.
pub(super) fn common(url: &str) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    options
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .idle_timeout(NO_LIFETIME)
        .max_lifetime(NO_LIFETIME)
        .test_before_acquire_if_idle_for(Duration::from_secs(30))
        .sqlx_logging(false)
        .record_stmt_in_spans(false);
    options
}

/// A connection to PostgreSQL, whose statements the interrupt ends.
pub(super) fn postgres_options(url: &str, interrupt: &Interrupt) -> ConnectOptions {
    let mut options = common(url);
    let name = interrupt.name.clone();
    options.connect_timeout(ACQUIRE_TIMEOUT).statement_timeout(STATEMENT_TIMEOUT);
    options.map_sqlx_postgres_opts(move |options| of_a_node(options).application_name(&name));
    options.map_sqlx_postgres_pool_opts(|pool| {
        pool.after_release(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }))
    });
    options
}

/// A connection of a node to PostgreSQL.
pub(super) fn of_a_node(options: PgConnectOptions) -> PgConnectOptions {
    options.application_name("linkgraph").options(GIVEN_UP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::db::{purpose::Purpose, sqlite};

    #[test]
    fn no_pool_has_a_task_that_may_spin() {
        let interrupt = std::sync::Arc::default();
        let reading = sqlite::reading("sqlite::memory:", Purpose::Requests, &interrupt);
        let postgres = postgres_options("postgres://localhost/links", &interrupt);
        for options in [postgres, reading, sqlite::writing("sqlite::memory:")] {
            assert_eq!((options.get_idle_timeout(), options.get_max_lifetime()), (Some(None), Some(None)));
        }
    }
}
