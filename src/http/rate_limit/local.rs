//! Limits that this process counts by itself: governor's buckets for ids, of which there are as many as rows; bounded
//! ones for clients; and windows.

use std::{num::NonZeroU32, sync::Arc};

use axum::{body::Body, http::Request, response::Response};
use governor::{clock::Clock as _, middleware::StateInformationMiddleware};
use tower_governor::{
    GovernorLayer,
    errors::GovernorError,
    governor::{GovernorConfig, GovernorConfigBuilder},
    key_extractor::KeyExtractor,
};

use super::{
    buckets::Buckets,
    headers::LimitState,
    policy::{Algorithm, Decision, Key, Policy, QuotaPolicy, Subject},
    windows::Windows,
};
use crate::clock::{Clock, Millis, SECOND};

/// The key that a request is counted by, in its extensions.
#[derive(Clone, Copy, Debug)]
pub struct Counted(pub Key);

/// Finds whom to count.
#[derive(Clone, Copy, Debug)]
pub struct ByCounted;

impl KeyExtractor for ByCounted {
    type Key = Key;

    fn extract<T>(&self, request: &Request<T>) -> Result<Key, GovernorError> {
        Ok(request.extensions().get::<Counted>().ok_or(GovernorError::UnableToExtractKey)?.0)
    }
}

type Governor = GovernorConfig<ByCounted, StateInformationMiddleware>;
/// The layer of a route that counts.
pub type Layer = GovernorLayer<ByCounted, StateInformationMiddleware, Body>;

enum Store {
    Ids(Arc<Governor>),
    Clients(Buckets),
    Windows(Windows),
}

/// The stores of all policies.
pub(super) struct Local(Vec<(Policy, QuotaPolicy, Store)>);

impl Local {
    pub(super) fn new(clock: &Clock) -> anyhow::Result<Self> {
        let limited = Policy::all().filter_map(|policy| Some((policy, policy.quota_policy()?)));
        let stores = limited.map(|(policy, quota_policy)| {
            let store = match quota_policy.algorithm {
                Algorithm::Bucket if quota_policy.networks.is_some() => Store::Clients(Buckets::new(clock.clone())),
                Algorithm::Bucket => Store::Ids(Arc::new(
                    GovernorConfigBuilder::default()
                        .period(quota_policy.interval())
                        .burst_size(quota_policy.quota)
                        .key_extractor(ByCounted)
                        .use_headers()
                        .finish()
                        .ok_or_else(|| anyhow::anyhow!("a quota can't be zero"))?,
                )),
                Algorithm::Window => Store::Windows(Windows::new(
                    clock.clone(),
                    quota_policy.quota,
                    Millis::from(quota_policy.window) * SECOND,
                )),
            };
            Ok((policy, quota_policy, store))
        });
        Ok(Local(stores.collect::<anyhow::Result<_>>()?))
    }

    fn store(&self, policy: Policy) -> Option<(&QuotaPolicy, &Store)> {
        self.0.iter().find(|(known, ..)| *known == policy).map(|(_, quota_policy, store)| (quota_policy, store))
    }

    /// Counts a request that costs so much; a window counts one. None: nothing limits it.
    pub(super) fn take(&self, policy: Policy, subject: Subject, cost: NonZeroU32) -> Option<LimitState> {
        match self.store(policy)? {
            (quota_policy, Store::Ids(governor)) => {
                Some(LimitState::new(*quota_policy, take(quota_policy, governor, subject.key, cost)))
            }
            (quota_policy, Store::Clients(buckets)) => buckets.take(&quota_policy.buckets(subject), cost.get()),
            (quota_policy, Store::Windows(windows)) => Some(LimitState::new(*quota_policy, windows.count(subject.key))),
        }
    }

    /// Whether a window would grant another, without counting.
    pub(super) fn ask(&self, policy: Policy, key: Key) -> Option<LimitState> {
        match self.store(policy)? {
            (quota_policy, Store::Windows(windows)) => Some(LimitState::new(*quota_policy, windows.ask(key))),
            _ => None,
        }
    }

    /// Forgets what a window counted.
    pub(super) fn reset(&self, policy: Policy, key: Key) {
        if let Some((_, Store::Windows(windows))) = self.store(policy) {
            windows.reset(key);
        }
    }

    /// The layer that takes one from the policy's bucket for each request that is [`Counted`]. `refuse` answers what it
    /// does not let through.
    pub(super) fn layer(
        &self,
        policy: Policy,
        refuse: impl Fn(GovernorError) -> Response + Send + Sync + 'static,
    ) -> Option<Layer> {
        match self.store(policy)?.1 {
            Store::Ids(governor) => Some(GovernorLayer::new(Arc::clone(governor)).error_handler(refuse)),
            Store::Clients(_) | Store::Windows(_) => None,
        }
    }

    /// Drops the keys that are back at their full quota, so that memory follows the active ones.
    pub(super) fn drop_idle(&self) {
        for (.., store) in &self.0 {
            match store {
                Store::Ids(governor) => {
                    governor.limiter().retain_recent();
                    governor.limiter().shrink_to_fit();
                }
                Store::Clients(buckets) => buckets.drop_idle(),
                Store::Windows(windows) => windows.drop_idle(),
            }
        }
    }
}

fn take(quota_policy: &QuotaPolicy, governor: &Governor, key: Key, cost: NonZeroU32) -> Decision {
    let limiter = governor.limiter();
    match limiter.check_key_n(&key, cost) {
        Ok(Ok(after)) => granted(quota_policy, after.remaining_burst_capacity()),
        Ok(Err(until)) => {
            let reset = until.wait_time_from(limiter.clock().now());
            let lacking = reset.as_nanos().div_ceil(quota_policy.interval().as_nanos().max(1));
            let remaining = cost.get().saturating_sub(u32::try_from(lacking).unwrap_or(u32::MAX));
            Decision { granted: false, remaining, reset }
        }
        // Never: who costs more than the quota is refused before.
        Err(_) => Decision { granted: false, remaining: 0, reset: quota_policy.interval() * quota_policy.quota },
    }
}

/// The decision of a bucket that granted a request and has `remaining` left.
pub(super) fn granted(quota_policy: &QuotaPolicy, remaining: u32) -> Decision {
    Decision { granted: true, remaining, reset: quota_policy.interval() * quota_policy.quota.saturating_sub(remaining) }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::tier::Plan;

    impl Store {
        fn len(&self) -> usize {
            match self {
                Store::Ids(governor) => governor.limiter().len(),
                Store::Clients(buckets) => buckets.len(),
                Store::Windows(windows) => windows.len(),
            }
        }
    }

    /// Memory of this process, in MiB.
    fn resident() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
    }

    #[test]
    fn a_million_keys_are_small_and_idle_ones_go() {
        let clock = Clock::default();
        let local = Local::new(&clock).unwrap();
        let policy = Policy::PublicApi(Plan::Business);
        let before = resident();
        for client in 0..1_000_000_u32 {
            let key = Key::of_email(&client.to_string());
            assert!(local.take(policy, key.into(), NonZeroU32::MIN).unwrap().decision.granted);
            local.take(Policy::LoginFailures, key.into(), NonZeroU32::MIN).unwrap();
        }
        let full = resident().saturating_sub(before);
        clock.advance(15 * 60 * SECOND);
        // The quota taken from the last buckets is restored within milliseconds.
        let deadline = Instant::now() + Duration::from_secs(20);
        let held = || local.0.iter().map(|(.., store)| store.len()).sum::<usize>();
        while held() > 0 {
            assert!(Instant::now() < deadline, "{} keys are left", held());
            local.drop_idle();
        }
        let idle = resident().saturating_sub(before);
        println!("a million keys: {full} MiB; idle: {idle} MiB");
        assert!(full <= 100 && idle <= 100, "{full} MiB, idle {idle} MiB");
    }
}
