//! Keeps the keys that visitors are hashed with, those of today and tomorrow, in the database: all nodes share them.

use std::{fs, path::Path, sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use sea_orm::DbErr;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::{
    visitor::{Key, Keys, Visitors},
    visitor_repo as repo,
};
use crate::{
    base::clock::{Clock, MINUTE, UnixMillis, day},
    platform::db::Db,
};

/// How often to look whether the day is over.
const LOOK: Duration = Duration::from_secs(1);
/// The file that older versions kept the key in.
const OLD_FILE: &str = "visitor-salt";

impl Visitors {
    /// Loads or creates the keys, so that a visitor is not counted twice after a restart, or by two nodes.
    pub(crate) async fn open(db: &Db, data_dir: &Path, now: UnixMillis) -> Result<Self, DbErr> {
        let _ = fs::remove_file(data_dir.join(OLD_FILE));
        let visitors = Visitors { keys: ArcSwap::default() };
        visitors.renew(db, day(now)).await?;
        Ok(visitors)
    }

    /// The earliest day with a key.
    fn first_day(&self) -> i32 {
        self.keys.load().first_key_value().map_or(i32::MIN, |(first, _)| *first)
    }

    /// Loads or creates the keys of this day and the next, and deletes those of earlier days.
    async fn renew(&self, db: &Db, today: i32) -> Result<(), DbErr> {
        let mut keys = Keys::new();
        for day in [today, today + 1] {
            let ours = self.keys.load().get(&day).cloned().unwrap_or_else(Key::random);
            let shared = repo::share(db, day, ours.bytes.to_vec()).await?;
            let bytes =
                <[u8; 32]>::try_from(shared).map_err(|_| DbErr::Custom("a key is not of 32 bytes".to_owned()))?;
            keys.insert(day, Key::of(bytes));
        }
        self.keys.store(Arc::new(keys));
        repo::delete_before(db, today).await
    }
}

/// Renews the keys when a day begins, until told to stop.
pub(crate) async fn run(visitors: Arc<Visitors>, db: Db, clock: Clock, stop: CancellationToken) {
    // A variable of its own, since the keys in memory are replaced even if the deletion of the older ones fails.
    let mut renewed = visitors.first_day();
    let mut next_try = UnixMillis::MIN;
    while !stop.is_cancelled() {
        let now = clock.now();
        let today = day(now);
        if renewed < today && now >= next_try {
            match visitors.renew(&db, today).await {
                Ok(()) => renewed = today,
                Err(error) => {
                    next_try = now + MINUTE;
                    tracing::warn!(%error, "The visitor keys of the day could not be renewed; the next try is in a minute");
                }
            }
        }
        stop.run_until_cancelled(sleep(LOOK)).await;
    }
}
