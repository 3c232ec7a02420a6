//! Calls of API keys, counted in memory.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use crate::base::{
    clock::{UnixMillis, day},
    ids::AccountId,
};

pub(crate) type AccountDay = (AccountId, i32);

/// Calls of API keys that are not stored yet.
#[derive(Debug, Default)]
pub(crate) struct ApiCalls(Mutex<BTreeMap<AccountDay, i64>>);

impl ApiCalls {
    pub(crate) fn count(&self, account: AccountId, now: UnixMillis) {
        self.add([((account, day(now)), 1)]);
    }

    fn add(&self, counts: impl IntoIterator<Item = (AccountDay, i64)>) {
        let mut waiting = self.0.lock();
        for (key, calls) in counts {
            *waiting.entry(key).or_default() += calls;
        }
    }

    /// Takes all counts, to store them.
    pub(crate) fn take(&self) -> Taken<'_> {
        Taken { calls: self, counts: std::mem::take(&mut self.0.lock()) }
    }
}

/// Counts that are being stored. They are added to the waiting ones again, unless [`Taken::stored`] is called.
pub(crate) struct Taken<'a> {
    calls: &'a ApiCalls,
    counts: BTreeMap<AccountDay, i64>,
}

impl Taken<'_> {
    pub(crate) fn counts(&self) -> &BTreeMap<AccountDay, i64> {
        &self.counts
    }

    pub(crate) fn stored(mut self) {
        self.counts.clear();
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.calls.add(std::mem::take(&mut self.counts));
    }
}
