//! Limits that this process counts by itself, in buckets and windows.

use std::num::NonZeroU32;

use super::{
    buckets::Buckets,
    headers::LimitState,
    policy::{Algorithm, Key, Policy, QuotaPolicy, Subject},
    windows::Windows,
};
use crate::base::clock::{Clock, SECOND, UnixMillis};

enum Store {
    Buckets(Buckets),
    Windows(Windows),
}

/// The counts of each policy that limits anything; without any, nothing is limited.
#[derive(Default)]
pub(super) struct Local(Vec<(Policy, QuotaPolicy, Store)>);

impl Local {
    pub(super) fn new(clock: &Clock) -> Self {
        let limited = Policy::all().filter_map(|policy| Some((policy, policy.quota_policy()?)));
        let stores = limited.map(|(policy, quota_policy)| {
            let store = match quota_policy.algorithm {
                Algorithm::Bucket => Store::Buckets(Buckets::new(clock.clone())),
                Algorithm::Window => Store::Windows(Windows::new(
                    clock.clone(),
                    quota_policy.quota,
                    UnixMillis::from(quota_policy.window) * SECOND,
                )),
            };
            (policy, quota_policy, store)
        });
        Local(stores.collect())
    }

    fn store(&self, policy: Policy) -> Option<(&QuotaPolicy, &Store)> {
        self.0.iter().find(|(known, ..)| *known == policy).map(|(_, quota_policy, store)| (quota_policy, store))
    }

    /// Takes `cost` from a bucket, or counts one in a window. `None`: the policy limits nothing.
    pub(super) fn take(&self, policy: Policy, subject: Subject, cost: NonZeroU32) -> Option<LimitState> {
        match self.store(policy)? {
            (quota_policy, Store::Buckets(buckets)) => buckets.take(&quota_policy.buckets(subject), cost.get()),
            (quota_policy, Store::Windows(windows)) => Some(LimitState::new(*quota_policy, windows.count(subject.key))),
        }
    }

    /// Takes more from buckets for what was granted before, or gives some of it back.
    pub(super) fn settle(&self, policy: Policy, subject: Subject, difference: i64) {
        if let Some((quota_policy, Store::Buckets(buckets))) = self.store(policy) {
            buckets.settle(&quota_policy.buckets(subject), difference);
        }
    }

    /// Whether a window would grant another, without counting.
    pub(super) fn ask(&self, policy: Policy, key: Key) -> Option<LimitState> {
        match self.store(policy)? {
            (quota_policy, Store::Windows(windows)) => Some(LimitState::new(*quota_policy, windows.ask(key))),
            _ => None,
        }
    }

    /// Resets the count of a window.
    pub(super) fn reset(&self, policy: Policy, key: Key) {
        if let Some((_, Store::Windows(windows))) = self.store(policy) {
            windows.reset(key);
        }
    }

    /// Drops the keys that are back at their full quota, so that memory follows the active ones.
    pub(super) fn drop_idle(&self) {
        for (.., store) in &self.0 {
            match store {
                Store::Buckets(buckets) => buckets.drop_idle(),
                Store::Windows(windows) => windows.drop_idle(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::base::{memory, tier::Plan};

    impl Store {
        fn len(&self) -> usize {
            match self {
                Store::Buckets(buckets) => buckets.len(),
                Store::Windows(windows) => windows.len(),
            }
        }
    }

    /// Memory of this process, in MiB.
    fn resident() -> u64 {
        memory::resident().unwrap() >> 20
    }

    #[test]
    fn a_million_keys_are_small_and_idle_ones_go() {
        let clock = Clock::default();
        let local = Local::new(&clock);
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
