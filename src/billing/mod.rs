//! Plans and payment. An account pays at a provider; what it may use follows what the provider shows.

pub mod event;
pub mod inbound;
pub mod mutation;
pub mod ops;
pub mod provider;
pub mod query;
pub mod repo;
pub mod route;
pub mod state;
pub mod stripe;
pub mod sync;
pub mod types;

use std::sync::Arc;

use crate::{
    config::{BillingSettings, Config},
    error::{ApiError, Code},
};
use provider::Provider;
use stripe::Stripe;

/// Who takes payments, if anybody does.
#[derive(Clone)]
pub struct Billing {
    provider: Option<Arc<dyn Provider>>,
}

impl Billing {
    /// As configured.
    pub fn new(config: &Config) -> anyhow::Result<Self> {
        let provider: Option<Arc<dyn Provider>> = match &config.billing {
            BillingSettings::Stripe(settings) => Some(Arc::new(Stripe::new(settings.clone())?)),
            BillingSettings::Sandbox | BillingSettings::Off => None,
        };
        Ok(Billing { provider })
    }

    /// The provider, if there is one.
    pub fn get(&self) -> Option<&dyn Provider> {
        self.provider.as_deref()
    }

    /// The provider, for what can't be done without one.
    pub fn provider(&self) -> Result<&dyn Provider, ApiError> {
        self.get().ok_or_else(|| ApiError {
            retry_after: Some(3_600),
            ..ApiError::new(Code::Unavailable, "Payments are not set up on this service.")
        })
    }
}
