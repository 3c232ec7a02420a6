//! How many files the process may have open, sockets included, and who gets them. Clients and receivers of webhooks get what the service
//! itself leaves: neither keeps the click log, the database or a probe from opening another one.

use crate::{
    base::{config::Config, machine},
    platform::db::{postgres_sizes, sqlite_sizes},
};

/// Connections of clients at once, where the limit allows so many; more wait in the kernel's queue.
const MAX_CLIENTS: usize = 16_000;
/// Connections of clients at least, whatever the limit is.
const LEAST_CLIENTS: usize = 16;
/// Connections to the listener for metrics at once.
pub(super) const MAX_SCRAPERS: usize = 16;
/// Exchanges with receivers at least.
const LEAST_EXCHANGES: usize = 4;
/// Files that the service needs beside those of the database: segments of the click log, threads and timers, name servers, mail,
/// Stripe, Redis, and what Prometheus opens.
const RESERVED: usize = 128;
/// Files of a connection to SQLite: the database, its write-ahead log, and their index or a temporary file.
const FILES_OF_SQLITE: usize = 3;

/// Connections that watch a PostgreSQL, and cancel its statements.
const OF_WATCHDOG: usize = 2;

/// What may be open at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OpenFiles {
    limit: usize,
    /// The limit that all clients and exchanges need.
    needed: usize,
    /// Connections of clients.
    pub(super) clients: usize,
    /// Exchanges with receivers of webhooks.
    pub(super) exchanges: usize,
}

impl OpenFiles {
    /// Shares out what the limit allows.
    pub(super) fn share(config: &Config) -> Self {
        let database = if config.database_url.starts_with("sqlite:") {
            FILES_OF_SQLITE * (sqlite_sizes(machine::cores() as usize).iter().sum::<usize>() + 1)
        } else {
            postgres_sizes(config.postgres_connections as usize).iter().sum::<usize>() + OF_WATCHDOG
        };
        let limit = machine::open_files().and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
        OpenFiles::of(limit, RESERVED + database, config.delivery_exchanges)
    }

    /// Says in the log what the limit allows, and what is needed.
    pub(super) fn tell(&self) {
        let OpenFiles { limit, needed, clients, exchanges } = self;
        if limit < needed {
            tracing::warn!(
                limit,
                needed,
                clients,
                exchanges,
                "The limit of open files (ulimit -n) allows fewer clients at once than the service could serve"
            );
        } else {
            tracing::info!(limit, needed, clients, exchanges, "The limit of open files is high enough");
        }
    }

    fn of(limit: usize, own: usize, exchanges: usize) -> Self {
        let (needed, rest) = (own + exchanges + MAX_CLIENTS, limit.saturating_sub(own));
        let exchanges = exchanges.min((rest / 4).max(LEAST_EXCHANGES));
        let clients = rest.saturating_sub(exchanges).clamp(LEAST_CLIENTS, MAX_CLIENTS);
        OpenFiles { limit, needed, clients, exchanges }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_and_receivers_get_what_is_left() {
        for (limit, clients, exchanges) in [
            (64, LEAST_CLIENTS, LEAST_EXCHANGES),
            (256, 85, 28),
            (1_024, 661, 220),
            (16_000, 15_345, 512),
            (usize::MAX, MAX_CLIENTS, 512),
        ] {
            let needed = 143 + 512 + MAX_CLIENTS;
            let expected = OpenFiles { limit, needed, clients, exchanges };
            assert_eq!(OpenFiles::of(limit, 143, 512), expected);
        }
    }
}
