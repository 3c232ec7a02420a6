//! Plans and payment. An account pays at a provider; what it may use follows what the provider shows.

pub(crate) mod provider;
pub(crate) mod sandbox;
pub(crate) mod stripe;

use std::sync::Arc;

use crate::{
    base::{
        clock::Clock,
        config::{BillingSettings, Config},
        error::{ApiError, Code},
        tier::Offer,
    },
    platform::db::Db,
};
use provider::Provider;
use sandbox::Sandbox;
use stripe::Stripe;

/// The payment provider, if one is configured.
#[derive(Clone)]
pub(crate) struct Billing {
    provider: Option<Arc<dyn Provider>>,
    sandbox: Option<Arc<Sandbox>>,
}

impl Billing {
    pub(crate) fn new(config: &Config, db: &Db, clock: &Clock) -> anyhow::Result<Self> {
        let (mut provider, mut sandbox): (Option<Arc<dyn Provider>>, _) = (None, None);
        match &config.billing {
            BillingSettings::Stripe(settings) => provider = Some(Arc::new(Stripe::new(settings.clone())?)),
            BillingSettings::Sandbox => {
                let built_in = Arc::new(Sandbox::new(config, db, clock)?);
                provider = Some(Arc::<Sandbox>::clone(&built_in));
                sandbox = Some(built_in);
            }
            BillingSettings::Off => {}
        }
        let billing = Billing { provider, sandbox };
        billing.announce(config.bind.ip().is_loopback() && config.base_url.is_loopback());
        Ok(billing)
    }

    /// Logs what may be unintended: payments to the sandbox, or nothing to buy.
    fn announce(&self, is_private: bool) {
        if self.sandbox.is_some() && is_private {
            tracing::info!("Payments go to the sandbox: no money moves. LINKGRAPH_STRIPE_SECRET_KEY sets up Stripe");
        } else if self.sandbox.is_some() {
            tracing::warn!(
                "LINKGRAPH_BILLING_SANDBOX is true: payments go to the sandbox, where no money moves, and whoever reaches \
                 this service can have any plan"
            );
        } else if self.get().is_some_and(|provider| !Offer::all().any(|offer| provider.sells(offer))) {
            tracing::warn!("Nothing can be bought: Stripe is set up, but no LINKGRAPH_STRIPE_PRICE_… is");
        }
    }

    /// The provider, if there is one.
    pub(crate) fn get(&self) -> Option<&dyn Provider> {
        self.provider.as_deref()
    }

    /// The sandbox, if it is the payment provider.
    pub(crate) fn sandbox(&self) -> Option<&Arc<Sandbox>> {
        self.sandbox.as_ref()
    }

    /// The provider. Fails with UNAVAILABLE if none is configured.
    pub(crate) fn provider(&self) -> Result<&dyn Provider, ApiError> {
        self.get().ok_or_else(|| ApiError {
            retry_after: Some(3_600),
            ..ApiError::new(Code::Unavailable, "Payments are not set up on this service.")
        })
    }
}
