//! Limits on what each owner, such as an account, may have at once.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::Hash,
    sync::Arc,
};

use parking_lot::Mutex;

use crate::base::error::ApiError;

/// `Retry-After` of a refusal, in seconds.
const RETRY_AFTER: u64 = 30;

/// A limit on permits at once, the same for each owner.
#[derive(Debug)]
pub struct ConcurrencyLimit<K: Eq + Hash> {
    /// Permits by owner.
    taken: Mutex<HashMap<K, usize>>,
    max: usize,
    /// Name of the limited resource, in the plural.
    what: &'static str,
}

impl<K: Eq + Hash + Clone> ConcurrencyLimit<K> {
    /// Allows `max` permits for each owner. `what` names the limited resource in messages, in the plural.
    pub(crate) fn new(max: usize, what: &'static str) -> Arc<Self> {
        Arc::new(ConcurrencyLimit { taken: Mutex::default(), max, what })
    }

    /// A permit for the owner, given back when dropped; `RATE_LIMITED` if the owner has as many as it may.
    pub(crate) fn take(self: &Arc<Self>, owner: K) -> Result<Permit<K>, ApiError> {
        self.take_many(owner, 1)
    }

    /// As many permits for the owner as `number`, given back together; `RATE_LIMITED`, and none, if the owner may not have all of them.
    pub(crate) fn take_many(self: &Arc<Self>, owner: K, number: usize) -> Result<Permit<K>, ApiError> {
        let mut taken = self.taken.lock();
        let before = taken.get(&owner).copied().unwrap_or_default();
        if before.saturating_add(number) > self.max {
            let message = format!("There are already {} {} at once.", self.max, self.what);
            return Err(ApiError { message: message.into(), ..ApiError::rate_limited(RETRY_AFTER) });
        }
        *taken.entry(owner.clone()).or_default() += number;
        drop(taken);
        Ok(Permit { limit: Arc::clone(self), owner, number })
    }

    /// Permits of all owners together.
    pub fn len(&self) -> usize {
        self.taken.lock().values().sum()
    }

    /// Whether no permit is taken.
    pub fn is_empty(&self) -> bool {
        self.taken.lock().is_empty()
    }
}

/// One permit or several, given back when dropped.
#[derive(Debug)]
pub(crate) struct Permit<K: Eq + Hash + Clone> {
    limit: Arc<ConcurrencyLimit<K>>,
    owner: K,
    number: usize,
}

impl<K: Eq + Hash + Clone> Drop for Permit<K> {
    fn drop(&mut self) {
        if let Entry::Occupied(mut count) = self.limit.taken.lock().entry(self.owner.clone()) {
            *count.get_mut() -= self.number;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::error::Code;

    #[test]
    fn several_permits_are_taken_together_or_not_at_all() {
        let limit = ConcurrencyLimit::new(5, "things");
        let three = limit.take_many('a', 3).unwrap();
        assert!(limit.take_many('a', 3).is_err() && limit.take_many('b', 6).is_err());
        assert_eq!(limit.len(), 3);
        let two = limit.take_many('a', 2).unwrap();
        drop(three);
        assert_eq!(limit.len(), 2);
        drop(two);
        assert!(limit.is_empty());
    }

    #[test]
    fn each_owner_has_its_own_limit_and_dropped_permits_are_returned() {
        let limit = ConcurrencyLimit::new(2, "things");
        let (one, _two, _other) = (limit.take('a').unwrap(), limit.take('a').unwrap(), limit.take('b').unwrap());
        let refused = limit.take('a').unwrap_err();
        assert_eq!((refused.code, &*refused.message), (Code::RateLimited, "There are already 2 things at once."));
        assert!(refused.retry_after.is_some());
        drop(one);
        let again = limit.take('a').unwrap();
        assert_eq!(limit.len(), 3);
        drop((again, _two, _other));
        assert!(limit.is_empty());
    }
}
