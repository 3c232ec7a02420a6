//! Purposes of connections, and the owners of what is done with them: each purpose has connections of its own, for which owners take
//! turns.

use std::net::IpAddr;

use uuid::Uuid;

/// The number of purposes.
pub(super) const PURPOSES: usize = 6;

/// The purpose of a connection. Work of one purpose never waits for that of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Purpose {
    /// Requests of the API: reads that an index answers, and changes.
    Requests,
    /// Reads of the API that may have to look at many rows: searches, filtered totals, exports, analytics.
    Scans,
    /// Look-ups of links and hosts that redirects need.
    Redirects,
    /// The ingest of clicks.
    Ingest,
    /// Jobs, deliveries and whatever else runs in the background.
    Work,
    /// Probes of the database's health.
    Probes,
}

impl Purpose {
    /// All purposes, in the order of their numbers.
    pub(super) const ALL: [Purpose; PURPOSES] =
        [Purpose::Requests, Purpose::Scans, Purpose::Redirects, Purpose::Ingest, Purpose::Work, Purpose::Probes];

    /// Whether accounts and clients share its connections. The others are the service's own.
    pub(super) fn has_owners(self) -> bool {
        matches!(self, Purpose::Requests | Purpose::Scans)
    }
}

/// The owner of work for whom a connection is taken. Owners take turns, and one has at most half of the connections
/// that accounts share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The service itself.
    Service,
    /// A client whose account is not known, or not yet.
    Client(IpAddr),
    /// An account, by its id.
    Account(Uuid),
}

/// Connections of each purpose to PostgreSQL. Requests, scans and background work share the given number, and have five at least; the
/// others come on top of it.
pub(crate) fn postgres_sizes(connections: usize) -> [usize; PURPOSES] {
    let (scans, work) = ((connections / 4).max(1), (connections / 4).max(2));
    [connections.saturating_sub(scans + work).max(2), scans, 4, 2, work, 1]
}

/// Connections of each purpose that read an SQLite.
pub(crate) fn sqlite_sizes(cores: usize) -> [usize; PURPOSES] {
    [2 * cores, cores, 2, 1, 2, 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_purpose_has_connections_and_scans_have_at_most_half() {
        for connections in 2..200 {
            let sizes = postgres_sizes(connections);
            assert!(sizes.iter().all(|size| *size > 0), "{connections}: {sizes:?}");
            let [requests, scans, .., work, _] = sizes;
            assert!(scans <= requests && requests + scans + work == connections.max(5), "{connections}: {sizes:?}");
        }
        for (number, purpose) in Purpose::ALL.into_iter().enumerate() {
            assert_eq!(purpose as usize, number);
        }
    }
}
