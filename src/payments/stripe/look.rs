//! Checks of the key and the prices at Stripe. They change nothing there.

use serde::Deserialize;

use super::{
    Stripe,
    objects::{Invoices, List, Subscription},
    path,
};
use crate::payments::provider::ProviderError;

#[derive(Debug, Deserialize)]
pub(crate) struct Price {
    /// Whether it can be sold.
    pub(crate) active: bool,
    /// ISO 4217, in lower case.
    pub(crate) currency: String,
    /// In the currency's minor unit; none where the amount is no fixed one.
    pub(crate) unit_amount: Option<i64>,
    recurring: Option<Recurring>,
}

#[derive(Debug, Deserialize)]
struct Recurring {
    interval: String,
    interval_count: i64,
}

impl Price {
    /// How often it is paid, such as `month`; none where it is paid once, or every few of these.
    pub(crate) fn interval(&self) -> Option<&str> {
        self.recurring.as_ref().filter(|it| it.interval_count == 1).map(|it| it.interval.as_str())
    }
}

impl Stripe {
    /// Checks that the key may list subscriptions and invoices, as each sync does.
    pub(crate) async fn try_key(&self) -> Result<(), ProviderError> {
        let one = [("limit", "1")];
        self.get::<List<Subscription>>("/v1/subscriptions", &one).await?;
        self.get::<Invoices>("/v1/invoices", &one).await?;
        Ok(())
    }

    pub(crate) async fn price(&self, id: &str) -> Result<Price, ProviderError> {
        self.get(&path("prices", id), &[]).await
    }
}
