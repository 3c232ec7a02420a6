//! The built-in payment provider, for a service on a loopback address: pages instead of a card, no money, and the same
//! events as from Stripe, sent to the same route. So the whole cycle can be seen, and tested, without an account anywhere.

pub mod books;
pub mod objects;
pub mod ops;
pub mod pages;
pub mod repo;
pub mod route;
pub mod sender;

use std::net::SocketAddr;

use async_trait::async_trait;

use super::provider::{Checkout, CustomerState, NewCheckout, NewCustomer, Provider, ProviderError, Sold};
use crate::{
    clock::Clock,
    config::{Config, Prices},
    db::Db,
    error::{ApiError, Code},
    plan::Offer,
};
use sender::Sender;

/// The provider's name.
pub const NAME: &str = "sandbox";

/// The provider. Its objects are in the database, so that they outlive the process.
pub struct Sandbox {
    db: Db,
    clock: Clock,
    base_url: String,
    prices: Prices,
    sender: Sender,
}

impl Sandbox {
    /// As configured.
    pub fn new(config: &Config, db: &Db, clock: &Clock) -> anyhow::Result<Self> {
        let sender = Sender::new(clock.clone()).map_err(|error| anyhow::anyhow!(error.message))?;
        Ok(Sandbox {
            db: db.clone(),
            clock: clock.clone(),
            base_url: config.base_url.as_str().to_owned(),
            prices: objects::prices(),
            sender,
        })
    }

    /// Says where the service listens, to be sent events.
    pub fn send_to(&self, bound: SocketAddr) {
        self.sender.send_to(bound);
    }
}

#[async_trait]
impl Provider for Sandbox {
    fn name(&self) -> &'static str {
        NAME
    }

    fn is_live(&self) -> bool {
        false
    }

    fn webhook_secrets(&self) -> &[String] {
        self.sender.secrets()
    }

    fn sells(&self, offer: Offer) -> bool {
        self.prices.of(offer).is_some()
    }

    async fn create_customer(&self, new: &NewCustomer) -> Result<String, ProviderError> {
        ops::create_customer(self, new).await.map_err(failure)
    }

    async fn create_checkout(&self, new: &NewCheckout) -> Result<Checkout, ProviderError> {
        let session = ops::create_checkout(self, new).await.map_err(failure)?;
        let url = session.url.ok_or_else(|| ProviderError::Refused("the checkout has no page".to_owned()))?;
        Ok(Checkout { id: session.id, url })
    }

    async fn create_portal(&self, customer: &str, return_url: &str) -> Result<String, ProviderError> {
        Ok(ops::create_portal(self, customer, return_url).await.map_err(failure)?.url)
    }

    async fn customer(&self, customer: &str, _: Option<&Sold>) -> Result<CustomerState, ProviderError> {
        match ops::books(self, customer, None).await.map_err(failure)? {
            Some(books) => Ok(CustomerState::Present {
                subscriptions: books.subscriptions.into_iter().map(|held| held.subscription).collect(),
                invoices: books.invoices.into_iter().rev().collect(),
            }),
            None if ops::is_known(self, customer).await.map_err(failure)? => Ok(CustomerState::Deleted),
            None => Err(ProviderError::Unknown("no such customer".to_owned())),
        }
    }

    async fn delete_customer(&self, customer: &str) -> Result<(), ProviderError> {
        ops::delete_customer(self, customer).await.map_err(failure)
    }
}

fn failure(error: ApiError) -> ProviderError {
    let cause = error.message.into_owned();
    if error.code == Code::Unavailable { ProviderError::Down(cause) } else { ProviderError::Refused(cause) }
}
