//! Places of which each may have only so many at once. In memory: they bound what this node holds.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::error::ApiError;

/// How soon there may be a place again, in seconds.
const RETRY_AFTER: u64 = 30;

/// Places, counted by who has them.
#[derive(Debug)]
pub struct Places<K: Eq + Hash> {
    taken: Mutex<HashMap<K, usize>>,
    max: usize,
    what: &'static str,
}

impl<K: Eq + Hash + Clone> Places<K> {
    /// At most `max` each, of what the plural names.
    pub fn new(max: usize, what: &'static str) -> Arc<Self> {
        Arc::new(Places { taken: Mutex::default(), max, what })
    }

    /// Takes a place; it is left when dropped.
    pub fn take(self: &Arc<Self>, who: K) -> Result<Place<K>, ApiError> {
        match self.taken().entry(who.clone()) {
            Entry::Occupied(count) if *count.get() >= self.max => {
                let message = format!("There are already {} {} at once.", self.max, self.what);
                return Err(ApiError { message: message.into(), ..ApiError::rate_limited(RETRY_AFTER) });
            }
            count => *count.or_default() += 1,
        }
        Ok(Place { places: Arc::clone(self), who })
    }

    /// Places that are taken.
    pub fn len(&self) -> usize {
        self.taken().values().sum()
    }

    /// Whether all are free.
    pub fn is_empty(&self) -> bool {
        self.taken().is_empty()
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<K, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A taken place.
#[derive(Debug)]
pub struct Place<K: Eq + Hash + Clone> {
    places: Arc<Places<K>>,
    who: K,
}

impl<K: Eq + Hash + Clone> Drop for Place<K> {
    fn drop(&mut self) {
        if let Entry::Occupied(mut count) = self.places.taken().entry(self.who.clone()) {
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
    fn each_has_so_many_and_gives_them_back() {
        let places = Places::new(2, "things");
        let (one, _two, _other) = (places.take('a').unwrap(), places.take('a').unwrap(), places.take('b').unwrap());
        let refused = places.take('a').unwrap_err();
        assert_eq!((refused.code, &*refused.message), (Code::RateLimited, "There are already 2 things at once."));
        assert!(refused.retry_after.is_some());
        drop(one);
        let again = places.take('a').unwrap();
        assert_eq!(places.len(), 3);
        drop((again, _two, _other));
        assert!(places.is_empty());
    }
}
