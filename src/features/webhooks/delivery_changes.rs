//! Changes of a webhook's deliveries. Each poll reads three lists: the newest deliveries, those due next, and the latest redeliveries. A
//! delivery that changes is in one of them before or after the change. The third list has old deliveries that are requested again and
//! succeed between two polls, so that they are due at neither.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    time::Duration,
};

use entity::delivery;
use sea_orm::{ConnectionTrait, DbErr};
use uuid::Uuid;

use crate::{
    base::{
        clock::UnixMillis,
        ids::WebhookId,
        page::{MAX_PAGE_SIZE, PageArgs},
    },
    platform::{db::Db, live::topics::Subject},
    records::webhooks::{
        delivery::repo::due,
        delivery_repo::{DeliveryFilter, asked_again, deliveries, pages},
        repo,
    },
};

/// Deliveries of each list.
const LISTED: i32 = MAX_PAGE_SIZE;

/// The deliveries of a webhook, each told as it is after a change.
pub struct DeliveryChanges;

/// The deliveries of the three lists.
#[derive(Default)]
pub struct Listed {
    /// Digests by id: what changes of a delivery changes its digest.
    digests: HashMap<Uuid, u64>,
    /// Deliveries of events newer than this event are all listed. `None`: the list of the newest deliveries has all that there are.
    newest_from: Option<Uuid>,
    /// Deliveries due before this time (Unix milliseconds) are all listed. `None`: the list of those due next has all that there are.
    due_until: Option<UnixMillis>,
    /// Redeliveries requested after this time (Unix milliseconds) are all listed. `None`: the list of redeliveries has all that there are.
    asked_from: Option<UnixMillis>,
}

impl Listed {
    /// Reads the lists from which the changes of a webhook's deliveries are published.
    pub(crate) async fn begin(db: &impl ConnectionTrait, webhook: WebhookId) -> Result<Self, DbErr> {
        let (listed, _) = Listed::read(db, webhook.0).await?;
        Ok(listed)
    }

    /// Reads the lists of a webhook, and their deliveries.
    async fn read(db: &impl ConnectionTrait, webhook: Uuid) -> Result<(Self, Vec<delivery::Model>), DbErr> {
        let id = WebhookId(webhook);
        let newest = pages(db, &[id], DeliveryFilter::default(), PageArgs::first(LISTED)).await?.remove(&webhook);
        let due = due(db, webhook, UnixMillis::MAX, u64::from(LISTED.unsigned_abs())).await?;
        let asked = asked_again(db, id, u64::from(LISTED.unsigned_abs())).await?;
        Ok(Self::of(newest.unwrap_or_default(), due, asked))
    }

    /// The state of the newest deliveries, those due next and the latest redeliveries, which were read in this order, and all of these
    /// deliveries once.
    fn of(
        newest: Vec<delivery::Model>,
        due: Vec<delivery::Model>,
        asked: Vec<delivery::Model>,
    ) -> (Self, Vec<delivery::Model>) {
        let is_full = |list: &[delivery::Model]| i32::try_from(list.len()).is_ok_and(|length| length >= LISTED);
        let newest_from = newest.last().filter(|_| is_full(&newest)).map(|delivery| delivery.event_id);
        let due_until = due.last().filter(|_| is_full(&due)).and_then(|delivery| delivery.due_at);
        let asked_from = asked.last().filter(|_| is_full(&asked)).and_then(|delivery| delivery.asked_again_at);
        // A delivery may be in several lists, as it was before a change and after it. The message and the digest are of the row that was
        // read last.
        let found: HashMap<Uuid, delivery::Model> =
            newest.into_iter().chain(due).chain(asked).map(|delivery| (delivery.id, delivery)).collect();
        let digests = found.iter().map(|(id, delivery)| (*id, digest(delivery))).collect();
        (Listed { digests, newest_from, due_until, asked_from }, found.into_values().collect())
    }

    /// Whether the delivery has changed since these lists were read, or was made since.
    fn differs(&self, delivery: &delivery::Model) -> bool {
        match self.digests.get(&delivery.id) {
            Some(before) => *before != digest(delivery),
            // A delivery that has only moved up into a list has not changed.
            None => {
                self.newest_from.is_none_or(|from| delivery.event_id > from)
                    || delivery.due_at.is_some_and(|due_at| self.due_until.is_none_or(|until| due_at < until))
                    || delivery.asked_again_at.is_some_and(|asked| self.asked_from.is_none_or(|from| asked > from))
            }
        }
    }
}

fn digest(delivery: &delivery::Model) -> u64 {
    let mut hasher = DefaultHasher::new();
    let delivery::Model { batch_size, status, attempts, tries, due_at, completed_at, asked_again_at, .. } = delivery;
    (batch_size, status, attempts, tries, due_at, completed_at, asked_again_at).hash(&mut hasher);
    hasher.finish()
}

impl Subject for DeliveryChanges {
    type Seen = Listed;
    type Told = delivery::Model;
    const INTERVAL: Duration = Duration::from_millis(250);

    async fn look(db: &Db, _: UnixMillis, key: Uuid, seen: &mut Self::Seen) -> Result<Option<Vec<Self::Told>>, DbErr> {
        let db = db.read();
        if repo::by_id(db, key).await?.is_none() {
            return Ok(None);
        }
        let (listed, mut found) = Listed::read(db, key).await?;
        let left: Vec<Uuid> = seen.digests.keys().filter(|id| !listed.digests.contains_key(id)).copied().collect();
        if !left.is_empty() {
            found.extend(deliveries(db, WebhookId(key), left).await?);
        }
        found.retain(|delivery| seen.differs(delivery));
        found.sort_unstable_by_key(|delivery| delivery.id);
        *seen = listed;
        Ok(Some(found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::webhooks::delivery::{Status, new_delivery};

    /// Between the queries of the two lists an attempt fails. Its row of before must not be told with the digest of its row after,
    /// which would not be told any more.
    #[test]
    fn a_change_between_the_lists_is_told() {
        let pending = new_delivery(Uuid::now_v7(), Uuid::now_v7(), "link.created", 1, 1);
        let retrying = delivery::Model {
            status: Status::Retrying.as_str().to_owned(),
            attempts: 1,
            due_at: Some(1_000),
            ..pending.clone()
        };
        for before in [vec![pending.clone()], Vec::new()] {
            let (seen, _) = Listed::of(before.clone(), before, Vec::new());
            let (listed, found) = Listed::of(vec![pending.clone()], vec![retrying.clone()], Vec::new());
            assert_eq!(found, std::slice::from_ref(&retrying));
            assert!(seen.differs(&found[0]) && !listed.differs(&found[0]));
        }
    }

    /// A delivery that succeeded.
    fn succeeded() -> delivery::Model {
        let pending = new_delivery(Uuid::now_v7(), Uuid::now_v7(), "link.created", 1, 1);
        let status = Status::Succeeded.as_str().to_owned();
        delivery::Model { status, attempts: 1, tries: 1, due_at: None, completed_at: Some(2), ..pending }
    }

    /// A full list of deliveries, the newest first.
    fn newest() -> Vec<delivery::Model> {
        let mut deliveries: Vec<_> = (0..LISTED).map(|_| succeeded()).collect();
        deliveries.sort_unstable_by_key(|delivery| std::cmp::Reverse(delivery.event_id));
        deliveries
    }

    /// An old delivery is requested again, and succeeds before the next poll: it is neither among the newest nor due.
    #[test]
    fn a_redelivery_between_two_polls_is_published_once() {
        let old = succeeded();
        let newest = newest();
        let again = delivery::Model { attempts: 2, completed_at: Some(9), asked_again_at: Some(8), ..old.clone() };
        let (seen, _) = Listed::of(newest.clone(), Vec::new(), Vec::new());
        assert!(!seen.differs(&old), "a delivery that only moves up has not changed");
        let (listed, mut found) = Listed::of(newest.clone(), Vec::new(), vec![again.clone()]);
        found.retain(|delivery| seen.differs(delivery));
        assert_eq!(found, std::slice::from_ref(&again));
        let (_, found) = Listed::of(newest, Vec::new(), vec![again]);
        assert!(!found.iter().any(|delivery| listed.differs(delivery)));
    }

    /// More deliveries are overdue than the list has, and a redelivery is due after them.
    #[test]
    fn a_redelivery_behind_a_backlog_is_published() {
        let old = succeeded();
        let newest = newest();
        let due_at = |due_at| delivery::Model { due_at: Some(due_at), completed_at: None, ..old.clone() };
        let overdue = |number| delivery::Model { id: Uuid::now_v7(), ..due_at(number) };
        let backlog: Vec<_> = (0..i64::from(LISTED)).map(overdue).collect();
        let again = delivery::Model { asked_again_at: Some(1_000), ..due_at(1_000) };
        let (seen, _) = Listed::of(newest.clone(), backlog.clone(), Vec::new());
        let (_, mut found) = Listed::of(newest, backlog, vec![again.clone()]);
        found.retain(|delivery| seen.differs(delivery));
        assert_eq!(found, [again]);
    }

    /// A full list has the latest redeliveries only. An earlier redelivery that moves up into it has not changed.
    #[test]
    fn a_redelivery_that_moves_up_is_not_published() {
        let old = succeeded();
        let asked_at = |at| delivery::Model { asked_again_at: Some(at), ..succeeded() };
        let asked = (0..i64::from(LISTED)).rev().map(|number| asked_at(100 + number)).collect();
        let (seen, _) = Listed::of(newest(), Vec::new(), asked);
        let again = |at| delivery::Model { asked_again_at: Some(at), ..old.clone() };
        assert!(seen.differs(&again(101)) && !seen.differs(&again(100)) && !seen.differs(&again(99)));
    }
}
