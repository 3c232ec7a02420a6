//! Indexes of links as a node holds them: parts of blocks in memory, and the accounts whose index is to be brought up to date.

use std::{collections::VecDeque, sync::Arc};

use parking_lot::Mutex;
use quick_cache::{Weighter, sync::Cache};
use tokio::sync::Notify;
use uuid::Uuid;

use crate::base::{ids::AccountId, weight};

/// Bytes of blocks held at most: those of some million links. Blocks never change, so that they are never stale.
const MAX_BYTES: usize = 64 << 20;
/// Bytes that a part of a block has, as a rule, by which the cache chooses how it is divided.
const USUAL_PART: usize = 32 << 10;
/// Accounts that wait to be indexed. Further ones are forgotten until they are asked for again.
const MAX_WAITING: usize = 1_000;

/// Id of a block and number of its part.
pub(crate) type PartKey = (Uuid, i32);

/// Weighs parts of blocks, in bytes.
#[derive(Clone, Copy, Debug)]
struct ByLength;

impl Weighter<PartKey, Arc<Vec<u8>>> for ByLength {
    fn weight(&self, _: &PartKey, part: &Arc<Vec<u8>>) -> u64 {
        weight::ENTRY + part.len() as u64
    }
}

/// See the head of this file.
pub(crate) struct LinkIndexes {
    parts: Cache<PartKey, Arc<Vec<u8>>, ByLength>,
    waiting: Mutex<VecDeque<AccountId>>,
    is_asked: Notify,
}

impl Default for LinkIndexes {
    fn default() -> Self {
        LinkIndexes {
            parts: Cache::with_weighter(MAX_BYTES / USUAL_PART, MAX_BYTES as u64, ByLength),
            waiting: Mutex::default(),
            is_asked: Notify::new(),
        }
    }
}

impl LinkIndexes {
    /// The part of a block, if this node holds it.
    pub(crate) fn part(&self, key: PartKey) -> Option<Arc<Vec<u8>>> {
        self.parts.get(&key)
    }

    /// Holds the part of a block.
    pub(crate) fn hold(&self, key: PartKey, part: &Arc<Vec<u8>>) {
        self.parts.insert(key, Arc::clone(part));
    }

    /// Has the account's index made or brought up to date, after those that wait already.
    pub(crate) fn ask(&self, account: AccountId) {
        let mut waiting = self.waiting.lock();
        if waiting.len() < MAX_WAITING && !waiting.contains(&account) {
            waiting.push_back(account);
        }
        self.is_asked.notify_one();
    }

    /// The account that waits for the longest time.
    pub(crate) async fn next(&self) -> AccountId {
        loop {
            if let Some(account) = self.waiting.lock().pop_front() {
                return account;
            }
            self.is_asked.notified().await;
        }
    }
}
