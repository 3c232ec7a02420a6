//! Changes of a webhook's deliveries. Of each webhook two lists are looked at: the newest deliveries, and those that are due next.
//! A delivery that changes is in one of them before or after.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    time::Duration,
};

use entity::delivery;
use sea_orm::{ConnectionTrait, DbErr};
use uuid::Uuid;

use super::topics::Subject;
use crate::{
    clock::UnixMillis,
    db::Db,
    ids::WebhookId,
    page::{MAX_PAGE_SIZE, PageArgs},
    webhooks::{
        delivery::repo::due,
        delivery_repo::{DeliveryFilter, deliveries, pages},
        repo,
    },
};

/// Deliveries of each list.
const LISTED: i32 = MAX_PAGE_SIZE;

/// The deliveries of a webhook, each told as it is after a change.
pub struct DeliveryChanges;

/// The deliveries of both lists.
#[derive(Default)]
pub struct Listed {
    /// Digests by id: what changes of a delivery changes its digest.
    digests: HashMap<Uuid, u64>,
    /// No newer event had a delivery that was not listed. None: all were listed.
    newest_from: Option<Uuid>,
    /// No delivery that was due sooner was not listed. None: all were listed.
    due_until: Option<UnixMillis>,
}

impl Listed {
    /// The lists of a webhook whose deliveries are told from now on.
    pub(crate) async fn begin(db: &impl ConnectionTrait, webhook: WebhookId) -> Result<Self, DbErr> {
        let (listed, _) = Listed::read(db, webhook.0).await?;
        Ok(listed)
    }

    /// Both lists of a webhook, and their deliveries.
    async fn read(db: &impl ConnectionTrait, webhook: Uuid) -> Result<(Self, Vec<delivery::Model>), DbErr> {
        let id = WebhookId(webhook);
        let newest = pages(db, &[id], DeliveryFilter::default(), PageArgs::first(LISTED)).await?.remove(&webhook);
        let due = due(db, webhook, UnixMillis::MAX, u64::from(LISTED.unsigned_abs())).await?;
        Ok(Self::of(newest.unwrap_or_default(), due))
    }

    /// The lists of the newest and of those due next, which was read after it, and their deliveries.
    fn of(newest: Vec<delivery::Model>, due: Vec<delivery::Model>) -> (Self, Vec<delivery::Model>) {
        let is_full = |list: &[delivery::Model]| i32::try_from(list.len()).is_ok_and(|length| length >= LISTED);
        let newest_from = newest.last().filter(|_| is_full(&newest)).map(|delivery| delivery.event_id);
        let due_until = due.last().filter(|_| is_full(&due)).and_then(|delivery| delivery.due_at);
        // What is told and its digest are of one row: a delivery that has changed since the first list was read is in both.
        let found: HashMap<Uuid, delivery::Model> =
            newest.into_iter().chain(due).map(|delivery| (delivery.id, delivery)).collect();
        let digests = found.iter().map(|(id, delivery)| (*id, digest(delivery))).collect();
        (Listed { digests, newest_from, due_until }, found.into_values().collect())
    }

    /// Whether the delivery has changed since these lists were read, or was made since.
    fn differs(&self, delivery: &delivery::Model) -> bool {
        match self.digests.get(&delivery.id) {
            Some(before) => *before != digest(delivery),
            // One that only moved up into a list is no news.
            None => {
                self.newest_from.is_none_or(|from| delivery.event_id > from)
                    || delivery.due_at.is_some_and(|due_at| self.due_until.is_none_or(|until| due_at < until))
            }
        }
    }
}

fn digest(delivery: &delivery::Model) -> u64 {
    let mut hasher = DefaultHasher::new();
    let delivery::Model { batch_size, status, attempts, tries, due_at, completed_at, .. } = delivery;
    (batch_size, status, attempts, tries, due_at, completed_at).hash(&mut hasher);
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
    use crate::webhooks::delivery::{Status, new_delivery};

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
            let (seen, _) = Listed::of(before.clone(), before);
            let (listed, found) = Listed::of(vec![pending.clone()], vec![retrying.clone()]);
            assert_eq!(found, std::slice::from_ref(&retrying));
            assert!(seen.differs(&found[0]) && !listed.differs(&found[0]));
        }
    }
}
