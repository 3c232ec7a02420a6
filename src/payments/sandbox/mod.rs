//! The built-in payment provider, for a service on a loopback address: pages instead of a card, no money, and the same
//! events as from Stripe, sent to the same route. So the whole cycle can be seen, and tested, without an account anywhere.

pub(crate) mod books;
pub(crate) mod held;
pub(crate) mod objects;
pub(crate) mod ops;
pub(crate) mod pages;
mod provider;
pub(crate) mod repo;
pub(crate) mod sender;

use std::net::SocketAddr;

use crate::{
    base::{
        clock::Clock,
        config::{Config, Prices},
    },
    platform::db::Db,
};
use sender::Sender;

pub(crate) const NAME: &str = "sandbox";

/// The provider. Its objects are in the database, so that they outlive the process.
pub(crate) struct Sandbox {
    db: Db,
    clock: Clock,
    base_url: String,
    prices: Prices,
    pub(crate) sender: Sender,
}

impl Sandbox {
    pub(crate) fn new(config: &Config, db: &Db, clock: &Clock) -> anyhow::Result<Self> {
        let sender = Sender::new(clock.clone()).map_err(|error| anyhow::anyhow!(error.message))?;
        Ok(Sandbox {
            db: db.clone(),
            clock: clock.clone(),
            base_url: config.base_url.as_str().to_owned(),
            prices: objects::prices(),
            sender,
        })
    }

    /// Sets the address of the service, to which events are sent.
    pub(crate) fn send_to(&self, bound: SocketAddr) {
        self.sender.send_to(bound);
    }
}
