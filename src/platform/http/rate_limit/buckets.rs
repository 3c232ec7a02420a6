//! Buckets (GCRA), as `bucket.lua` counts them in Redis. Unlike governor's they have a bound, since clients make up as many keys as they
//! have addresses; one decision can ask several of them; and what is charged afterwards can be taken from them.

use std::{collections::HashMap, time::Duration};

use parking_lot::Mutex;

use super::{
    headers::LimitState,
    policy::{Decision, Key, QuotaPolicy},
};
use crate::base::clock::Clock;

/// Buckets held at most: 4 MiB.
const MAX_KEYS: usize = 100_000;

/// Quotas that a bucket may owe: what is charged after it was done may be more than the quota.
pub(super) const DEBT: u32 = 1;

/// Microseconds of the clock.
type Micros = i64;

/// When each bucket that something was taken from is whole again.
pub(super) struct Buckets {
    clock: Clock,
    whole_at: Mutex<HashMap<Key, Micros>>,
}

impl Buckets {
    pub(super) fn new(clock: Clock) -> Self {
        Buckets { clock, whole_at: Mutex::default() }
    }

    /// Takes `cost` from all of these buckets, or from none if one of them refuses. Returns the state of the bucket with the least quota
    /// left; after a refusal, that of the bucket that takes longest to grant the same cost. `None`: there are no buckets.
    pub(super) fn take(&self, buckets: &[(Key, QuotaPolicy)], cost: u32) -> Option<LimitState> {
        let now = self.clock.now() * 1_000;
        let mut whole_at = self.whole_at.lock();
        let levels: Vec<Level> = buckets
            .iter()
            .map(|(key, quota_policy)| Level::after(quota_policy, whole_at.get(key), now, cost))
            .collect();
        let state_of = |level: &Level, quota_policy: &QuotaPolicy| LimitState::new(*quota_policy, level.decision);
        let refused = levels.iter().zip(buckets).filter(|(level, _)| !level.decision.granted);
        if let Some((level, (_, quota_policy))) = refused.max_by_key(|(level, _)| level.decision.reset) {
            return Some(state_of(level, quota_policy));
        }
        if whole_at.len() + buckets.len() > MAX_KEYS {
            sweep(&mut whole_at, now);
        }
        whole_at.extend(buckets.iter().zip(&levels).map(|((key, _), level)| (*key, level.whole_at)));
        let least = levels.iter().zip(buckets).min_by_key(|(level, _)| level.decision.remaining);
        least.map(|(level, (_, quota_policy))| state_of(level, quota_policy))
    }

    /// Takes more from these buckets for what was granted before, or gives some of it back, as far as they are not whole. They may owe
    /// [`DEBT`] quotas afterwards, which have to be restored before they grant anything.
    pub(super) fn settle(&self, buckets: &[(Key, QuotaPolicy)], difference: i64) {
        let now = self.clock.now() * 1_000;
        let mut whole_at = self.whole_at.lock();
        for (key, quota_policy) in buckets {
            let level = Level::before(quota_policy, whole_at.get(key), now);
            let whole = level.saturating_add(interval(quota_policy).saturating_mul(difference));
            whole_at.insert(*key, whole.min(owing(quota_policy, now)));
        }
        if whole_at.len() > MAX_KEYS {
            sweep(&mut whole_at, now);
        }
    }

    /// Drops the buckets that are full again.
    pub(super) fn drop_idle(&self) {
        let now = self.clock.now() * 1_000;
        let mut whole_at = self.whole_at.lock();
        whole_at.retain(|_, at| *at > now);
        whole_at.shrink_to_fit();
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.whole_at.lock().len()
    }
}

/// A bucket after a request.
struct Level {
    whole_at: Micros,
    decision: Decision,
}

fn interval(quota_policy: &QuotaPolicy) -> Micros {
    Micros::try_from(quota_policy.interval().as_micros()).unwrap_or(Micros::MAX)
}

/// When a bucket that owes the most it can is whole again.
fn owing(quota_policy: &QuotaPolicy, now: Micros) -> Micros {
    now + interval(quota_policy) * Micros::from(quota_policy.quota) * Micros::from(1 + DEBT)
}

impl Level {
    /// When the bucket is whole again: never further off than if it owed the most it can, should the clock have gone back.
    fn before(quota_policy: &QuotaPolicy, whole_at: Option<&Micros>, now: Micros) -> Micros {
        whole_at.map_or(now, |at| (*at).clamp(now, owing(quota_policy, now)))
    }

    fn after(quota_policy: &QuotaPolicy, whole_at: Option<&Micros>, now: Micros, cost: u32) -> Self {
        let interval = interval(quota_policy);
        let empty = now + interval * Micros::from(quota_policy.quota);
        let before = Self::before(quota_policy, whole_at, now);
        let after = before + interval * Micros::from(cost);
        let (granted, whole_at) = if after > empty { (false, before) } else { (true, after) };
        let remaining = u32::try_from((empty - whole_at) / interval.max(1)).unwrap_or(0);
        let wait = if granted { after - now } else { after - empty };
        let reset = Duration::from_micros(u64::try_from(wait).unwrap_or(0));
        Level { whole_at, decision: Decision { granted, remaining, reset } }
    }
}

/// Makes room by dropping the buckets with the most quota left: a client with many keys can't so restore the used-up quota of
/// others, or its own.
fn sweep(whole_at: &mut HashMap<Key, Micros>, now: Micros) {
    whole_at.retain(|_, at| *at > now);
    let kept = MAX_KEYS / 2;
    if whole_at.len() <= kept {
        return;
    }
    let mut times: Vec<Micros> = whole_at.values().copied().collect();
    let (_, threshold, later) = times.select_nth_unstable(whole_at.len() - kept);
    let threshold = *threshold;
    let mut as_late = kept - later.iter().filter(|at| **at > threshold).count();
    whole_at.retain(|_, at| {
        if *at == threshold && as_late > 0 {
            as_late -= 1;
            return true;
        }
        *at > threshold
    });
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv6Addr};

    use super::*;
    use crate::{
        base::clock::{MINUTE, SECOND},
        platform::http::rate_limit::policy::{Policy, Subject},
    };

    fn of(client: &str) -> IpAddr {
        client.parse().unwrap()
    }

    /// Takes so much as a client that logs in.
    fn take_many(buckets: &Buckets, client: IpAddr, cost: u32) -> LimitState {
        let quota_policy = Policy::Authentication.quota_policy().unwrap();
        buckets.take(&quota_policy.buckets(Subject::of_client("login", client)), cost).unwrap()
    }

    fn take(buckets: &Buckets, client: IpAddr) -> LimitState {
        take_many(buckets, client, 1)
    }

    #[test]
    fn a_request_is_granted_whole_or_not_at_all() {
        let buckets = Buckets::new(Clock::default());
        let first = take_many(&buckets, of("192.0.2.1"), 7).decision;
        assert_eq!((first.granted, first.remaining, first.reset.as_secs()), (true, 3, 42));
        let refused = take_many(&buckets, of("192.0.2.1"), 5).decision;
        assert!(!refused.granted && refused.remaining == 3, "{refused:?}");
        assert!((11..=12).contains(&refused.reset.as_secs()), "two more: {refused:?}");
        assert!(take_many(&buckets, of("192.0.2.1"), 3).decision.granted);
        assert!(!take(&buckets, of("192.0.2.1")).decision.granted);
        assert!(take(&buckets, of("192.0.2.2")).decision.granted);
    }

    #[test]
    fn what_was_charged_too_little_is_owed_and_too_much_is_given_back() {
        let clock = Clock::default();
        let buckets = Buckets::new(clock.clone());
        let quota_policy = Policy::Authentication.quota_policy().unwrap();
        let settle = |difference| {
            buckets.settle(&quota_policy.buckets(Subject::of_client("login", of("192.0.2.1"))), difference);
        };
        assert_eq!(take_many(&buckets, of("192.0.2.1"), 9).decision.remaining, 1);
        settle(-5);
        assert_eq!(take(&buckets, of("192.0.2.1")).decision.remaining, 5);
        // 10 owed: one comes back in 6 seconds.
        settle(15);
        let refused = take(&buckets, of("192.0.2.1")).decision;
        assert!(!refused.granted && refused.remaining == 0, "{refused:?}");
        assert!((65..=66).contains(&refused.reset.as_secs()), "{refused:?}");
        settle(1_000_000);
        let most = take(&buckets, of("192.0.2.1")).decision.reset;
        assert!((65..=66).contains(&most.as_secs()), "it owes no more than a quota: {most:?}");
        clock.advance(65 * SECOND);
        assert!(!take(&buckets, of("192.0.2.1")).decision.granted);
        clock.advance(SECOND);
        assert!(take(&buckets, of("192.0.2.1")).decision.granted);
        settle(-1_000_000);
        assert_eq!(take(&buckets, of("192.0.2.1")).decision.remaining, 9);
    }

    #[test]
    fn a_network_is_one_client_beyond_ten_quotas() {
        let clock = Clock::default();
        let buckets = Buckets::new(clock.clone());
        // One /64 that asks on and on uses up its own quota, and no other's.
        let granted = (0..500).filter(|_| take(&buckets, of("2001:db8:1:1::1")).decision.granted).count();
        assert_eq!(granted, 10);
        for client in 0..90 {
            let state = take(&buckets, of(&format!("2001:db8:1:{:x}::1", 16 + client)));
            assert!(state.decision.granted, "{client}: {state:?}");
        }
        // On a machine that stands still for a moment some come back.
        let refused =
            (0..50).map(|_| take(&buckets, of("2001:db8:1:ffff::1"))).find(|it| !it.decision.granted).unwrap();
        assert_eq!(refused.decision.remaining, 0, "{refused:?}");
        assert_eq!((refused.quota_policy.name, refused.quota_policy.quota), ("authentication-network", 100));
        assert!(refused.decision.reset <= Duration::from_millis(600), "{refused:?}");
        let held = buckets.len();
        let granted = take(&buckets, of("2001:db8:1:fffe::1")).decision.granted;
        assert!(granted || buckets.len() == held, "what is refused is not remembered");
        assert!(take(&buckets, of("2001:db8:2:1::1")).decision.granted, "another network");
        assert!(take(&buckets, of("192.0.2.1")).decision.granted);
        clock.advance(SECOND);
        assert!(take(&buckets, of("2001:db8:1:ffff::1")).decision.granted);
        clock.advance(MINUTE);
        buckets.drop_idle();
        assert_eq!(buckets.len(), 0);
    }

    #[test]
    fn made_up_clients_displace_none_whose_quota_is_used_up() {
        let buckets = Buckets::new(Clock::default());
        while take(&buckets, of("192.0.2.1")).decision.granted {}
        for client in 1..=2 * MAX_KEYS as u128 {
            let client = Ipv6Addr::from_bits(0x2001 << 112 | client << 80 | 1);
            assert!(take(&buckets, client.into()).decision.granted, "each is of another network");
            assert!(buckets.len() <= MAX_KEYS);
        }
        // A whole one would leave nine; time may have given back some.
        assert!(take(&buckets, of("192.0.2.1")).decision.remaining < 5);
    }
}
