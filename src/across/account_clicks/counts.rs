//! Clicks of an account, counted by link. They are read from the counts that ingest keeps: of the account's days, and of its links
//! with the time of their last click. So each click is counted once, whichever node stores it, and at any rate.

use std::{cmp::Reverse, collections::HashMap, time::Duration};

use sea_orm::{ConnectionTrait, DbErr};
use uuid::Uuid;

use crate::{
    base::{
        clock::{MINUTE, Millis, UnixMillis, day},
        ids::AccountId,
    },
    click_store,
    platform::{db::Db, live::topics::Subject},
    records::{billing::usage::repo as usage, links::repo as links},
};

/// Links that a message counts, at most.
pub(crate) const MAX_LINKS: i32 = 50;
/// Links that are counted at a poll, at most: those that were followed last.
const LINKS: u64 = 200;
/// How long after it was made, in milliseconds, a click may be stored and still be counted for its link.
const LATE: Millis = MINUTE;

/// The clicks of an account.
pub struct AccountClicks;

/// The clicks that were stored since the message before.
#[derive(Debug)]
pub struct Counted {
    /// When they were counted.
    pub(crate) at: UnixMillis,
    pub(crate) total: i64,
    /// By link, the most first.
    pub(crate) links: Vec<(Uuid, i64)>,
}

/// Clicks that were counted so far.
pub struct Counts {
    /// The first day that is counted.
    first_day: i32,
    /// Clicks of the account since that day.
    total: i64,
    /// Clicks of the links that were followed last.
    links: HashMap<Uuid, i64>,
    /// All clicks from this time on are of those links.
    since: UnixMillis,
}

impl Counts {
    /// Counts from now on.
    pub(crate) async fn begin(db: &impl ConnectionTrait, account: AccountId, now: UnixMillis) -> Result<Self, DbErr> {
        // The last clicks of a day may be stored on the next one.
        let first_day = day(now) - 1;
        let (total, _) = usage::sum(db, account, first_day, i32::MAX).await?;
        Ok(Counts { first_day, total, links: HashMap::new(), since: now })
    }
}

impl Subject for AccountClicks {
    type Seen = Counts;
    type Told = Counted;
    const INTERVAL: Duration = Duration::from_secs(1);

    async fn look(db: &Db, now: UnixMillis, key: Uuid, seen: &mut Counts) -> Result<Option<Vec<Counted>>, DbErr> {
        let (db, account, at) = (db.read(), AccountId(key), now);
        let (total, _) = usage::sum(db, account, seen.first_day, i32::MAX).await?;
        if total == seen.total {
            return Ok(Some(Vec::new()));
        }
        let from = at - LATE;
        let followed = links::followed_since(db, account, from, LINKS).await?;
        let unknown: Vec<Uuid> =
            followed.iter().map(|it| it.link_id).filter(|link| !seen.links.contains_key(link)).collect();
        let new = click_store::counts_since(db, &unknown, seen.since).await?;
        let mut counted = HashMap::new();
        let mut told = Vec::new();
        for activity in &followed {
            let link = activity.link_id;
            let (count, added) = match (seen.links.get(&link), new.get(&link)) {
                (Some(before), _) => (activity.click_count, activity.click_count - before),
                (None, Some((count, added))) => (*count, *added),
                (None, None) => continue,
            };
            counted.insert(link, count);
            if added > 0 {
                told.push((link, added));
            }
        }
        told.sort_unstable_by_key(|(link, added)| (Reverse(*added), *link));
        // Clicks that were stored between the two queries are counted for their link, and not yet in the account's total.
        let of_links: i64 = told.iter().map(|(_, added)| added).sum();
        let added = (total - seen.total).max(of_links);
        told.truncate(usize::try_from(MAX_LINKS).unwrap_or_default());
        let last = followed.last().filter(|_| u64::try_from(followed.len()).is_ok_and(|length| length >= LINKS));
        seen.since = seen.since.max(last.map_or(from, |last| last.last_clicked_at + 1));
        // The total decreases when old days are deleted: these are no clicks.
        seen.total = if total < seen.total { total } else { seen.total + added };
        seen.links = counted;
        Ok(Some(if added > 0 { vec![Counted { at, total: added, links: told }] } else { Vec::new() }))
    }
}
