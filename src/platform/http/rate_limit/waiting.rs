//! Logins that wait for their turn.

use std::sync::Arc;

use super::policy::Key;
use crate::{
    base::{
        clock::Clock,
        concurrency::{ConcurrencyLimit, Permit},
        error::ApiError,
    },
    platform::auth::client::ClientNet,
};

/// Logins that wait at once: for one e-mail address, from one client network, from one IPv6 /48, and in all. Each holds a connection and
/// some kilobytes, but no connection to the database and no place among passwords that are hashed. More are refused.
pub(super) const MAX_WAITING_EACH: usize = 4;
const MAX_OF_NETWORK: usize = 16;
const MAX_OF_SITE: usize = 64;
const MAX_WAITING: usize = 256;

/// Logins that wait for their turn.
pub(super) struct Waiting {
    each: Arc<ConcurrencyLimit<Key>>,
    of_network: Arc<ConcurrencyLimit<ClientNet>>,
    of_site: Arc<ConcurrencyLimit<ClientNet>>,
    all: Arc<ConcurrencyLimit<()>>,
    pub(super) clock: Clock,
}

/// The place of a login that waits, given back when dropped.
pub(super) struct Place {
    _each: Permit<Key>,
    _of_network: Permit<ClientNet>,
    _of_site: Option<Permit<ClientNet>>,
    _of_all: Permit<()>,
}

impl Waiting {
    /// Creates the queue, in which no login waits yet.
    pub(super) fn new(clock: &Clock) -> Self {
        Waiting {
            each: ConcurrencyLimit::new(MAX_WAITING_EACH, "logins for the e-mail address waiting"),
            of_network: ConcurrencyLimit::new(MAX_OF_NETWORK, "logins of the network waiting"),
            of_site: ConcurrencyLimit::new(MAX_OF_SITE, "logins of the network waiting"),
            all: ConcurrencyLimit::new(MAX_WAITING, "logins waiting"),
            clock: clock.clone(),
        }
    }

    /// A place for a login with this e-mail address. The places of all last: whoever has all of its own takes none of them.
    pub(super) fn enter(&self, address: Key, network: ClientNet) -> Result<Place, ApiError> {
        let each = self.each.take(address)?;
        let of_network = self.of_network.take(network)?;
        let of_site = network.site().map(|site| self.of_site.take(site)).transpose()?;
        let of_all = self.all.take(())?;
        Ok(Place { _each: each, _of_network: of_network, _of_site: of_site, _of_all: of_all })
    }

    /// Logins that wait.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }
}
