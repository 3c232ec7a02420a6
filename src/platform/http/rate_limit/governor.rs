//! Buckets of ids, of which there are as many as rows: `governor` keeps them, and `tower_governor` counts requests in them
//! before their bodies are read.

use std::{num::NonZeroU32, sync::Arc, time::Duration};

use axum::{
    body::Body,
    http::{HeaderMap, Request},
    response::Response,
};
use governor::{clock::Clock as _, middleware::StateInformationMiddleware};
use tower_governor::{
    GovernorLayer,
    errors::GovernorError,
    governor::{GovernorConfig, GovernorConfigBuilder},
    key_extractor::KeyExtractor,
};

use super::policy::{Decision, Key, QuotaPolicy};

/// The key that a request is counted by, in its extensions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted(pub(crate) Key);

/// Reads the key that [`Counted`] holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByCounted;

impl KeyExtractor for ByCounted {
    type Key = Key;

    fn extract<T>(&self, request: &Request<T>) -> Result<Key, GovernorError> {
        Ok(request.extensions().get::<Counted>().ok_or(GovernorError::UnableToExtractKey)?.0)
    }
}

/// The layer of a route that counts.
pub(crate) type Layer = GovernorLayer<ByCounted, StateInformationMiddleware, Body>;

/// The buckets of one policy.
pub(super) struct IdBuckets {
    quota_policy: QuotaPolicy,
    governor: Arc<GovernorConfig<ByCounted, StateInformationMiddleware>>,
}

impl IdBuckets {
    pub(super) fn new(quota_policy: QuotaPolicy) -> anyhow::Result<Self> {
        let governor = GovernorConfigBuilder::default()
            .period(quota_policy.interval())
            .burst_size(quota_policy.quota)
            .key_extractor(ByCounted)
            .use_headers()
            .finish()
            .ok_or_else(|| anyhow::anyhow!("a quota can't be zero"))?;
        Ok(IdBuckets { quota_policy, governor: Arc::new(governor) })
    }

    /// Counts a request that costs so much: all of it or nothing.
    pub(super) fn take(&self, key: Key, cost: NonZeroU32) -> Decision {
        let limiter = self.governor.limiter();
        match limiter.check_key_n(&key, cost) {
            Ok(Ok(after)) => self.granted(after.remaining_burst_capacity()),
            Ok(Err(until)) => {
                let reset = until.wait_time_from(limiter.clock().now());
                let lacking = reset.as_nanos().div_ceil(self.quota_policy.interval().as_nanos().max(1));
                let remaining = cost.get().saturating_sub(u32::try_from(lacking).unwrap_or(u32::MAX));
                Decision { granted: false, remaining, reset }
            }
            // Never: a cost above the quota is refused before.
            Err(_) => {
                let reset = self.quota_policy.interval() * self.quota_policy.quota;
                Decision { granted: false, remaining: 0, reset }
            }
        }
    }

    /// The layer that takes one from the bucket for each request that is [`Counted`]. `refuse` makes the answer to the others;
    /// its argument is `None` for a request that is not counted, which is a fault of the route.
    pub(super) fn layer(&self, refuse: impl Fn(Option<Decision>) -> Response + Send + Sync + 'static) -> Layer {
        GovernorLayer::new(Arc::clone(&self.governor)).error_handler(move |error| {
            refuse(match error {
                GovernorError::TooManyRequests { wait_time, .. } => {
                    // Governor rounds the wait down to seconds; a client that waits as told must not be refused again.
                    let reset = Duration::from_secs(wait_time + 1);
                    Some(Decision { granted: false, remaining: 0, reset })
                }
                GovernorError::UnableToExtractKey | GovernorError::Other { .. } => None,
            })
        })
    }

    /// Takes the decision of the [`layer`](Self::layer) out of the answer's headers. `None`: it granted nothing.
    pub(super) fn granted_by_layer(&self, headers: &mut HeaderMap) -> Option<Decision> {
        headers.remove("x-ratelimit-limit");
        let remaining = headers.remove("x-ratelimit-remaining")?.to_str().ok()?.parse().ok()?;
        Some(self.granted(remaining))
    }

    /// Drops the buckets that are full, so that memory follows the active ones.
    pub(super) fn drop_idle(&self) {
        self.governor.limiter().retain_recent();
        self.governor.limiter().shrink_to_fit();
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.governor.limiter().len()
    }

    fn granted(&self, remaining: u32) -> Decision {
        let reset = self.quota_policy.interval() * self.quota_policy.quota.saturating_sub(remaining);
        Decision { granted: true, remaining, reset }
    }
}
