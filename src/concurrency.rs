//! Limits on what each owner, such as an account, may have at once. Counted in memory: they bound what this node holds.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::Hash,
    sync::Arc,
};

use parking_lot::Mutex;

use crate::error::ApiError;

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
        match self.taken.lock().entry(owner.clone()) {
            Entry::Occupied(count) if *count.get() >= self.max => {
                let message = format!("There are already {} {} at once.", self.max, self.what);
                return Err(ApiError { message: message.into(), ..ApiError::rate_limited(RETRY_AFTER) });
            }
            count => *count.or_default() += 1,
        }
        Ok(Permit { limit: Arc::clone(self), owner })
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

/// A permit, given back when dropped.
#[derive(Debug)]
pub(crate) struct Permit<K: Eq + Hash + Clone> {
    limit: Arc<ConcurrencyLimit<K>>,
    owner: K,
}

impl<K: Eq + Hash + Clone> Drop for Permit<K> {
    fn drop(&mut self) {
        if let Entry::Occupied(mut count) = self.limit.taken.lock().entry(self.owner.clone()) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

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
