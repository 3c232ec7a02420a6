//! The sandbox as a payment provider.

use async_trait::async_trait;

use super::{NAME, Sandbox, ops};
use crate::{
    base::{
        error::{ApiError, Code},
        tier::Offer,
    },
    payments::provider::{Checkout, CustomerState, NewCheckout, NewCustomer, Provider, ProviderError, Sold},
};

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
