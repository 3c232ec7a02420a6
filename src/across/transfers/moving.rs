//! Links change hands: some at once, or all on a domain, one part after another.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use entity::account;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use uuid::Uuid;

use crate::{
    app::{App, change::Change, jobs::Run},
    base::{
        clock::{MINUTE, Millis, UnixMillis},
        error::ApiError,
        ids::{AccountId, LinkId},
    },
    features::{
        links::{event::event, place},
        tags::assign::Tags,
    },
    platform::work::{
        audit::{By, Fact},
        event_kind::EventKind,
        jobs::{Done, Job, Lane, TURN},
        outbox,
    },
    records::{
        accounts,
        domains::hosts,
        links::repo as links,
        transfers::{move_repo, repo, state::TransferState},
    },
    redirect::stale::Stale,
};

/// Time to the next try while the account that gives is suspended, in milliseconds.
const PAUSE: Millis = MINUTE;
/// Links that one transaction moves.
const AT_ONCE: u64 = 200;

/// Locks two accounts in the order of their ids, as all transactions do that lock several.
pub(super) async fn lock_both(
    tx: &Change<'_>,
    from: AccountId,
    to: AccountId,
) -> Result<[Option<account::Model>; 2], ApiError> {
    let mut locked = HashMap::new();
    for id in BTreeSet::from([from, to]) {
        locked.insert(id, accounts::repo::lock_account(tx, id).await?);
    }
    Ok([from, to].map(|id| locked.get(&id).cloned().flatten()))
}

/// Moves links, with their tags, as far as the account that gets them may have more tags. Answers how many it moved: links may have been
/// deleted since. Both accounts are locked.
pub(super) async fn hand_over_links(
    app: &App,
    tx: &Change<'_>,
    from: AccountId,
    to: AccountId,
    ids: &[LinkId],
    now: UnixMillis,
    facts: &mut Vec<Fact>,
) -> Result<i64, ApiError> {
    links::lock_links(tx, from, ids).await?;
    let given = links::shown(tx, from, ids).await?;
    let ids: Vec<LinkId> = given.iter().map(|shown| LinkId(shown.link.id)).collect();
    let moved = i64::try_from(ids.len()).unwrap_or(i64::MAX);
    let tags_of: Vec<(Uuid, Vec<String>)> = given.iter().map(|shown| (shown.link.id, shown.tag_names())).collect();
    let mut tags = Tags::find(tx, to, tags_of.iter().flat_map(|(_, names)| names).collect()).await?;
    move_repo::give_links(tx, from, to, &ids.iter().map(|id| id.0).collect::<Vec<_>>(), now).await?;
    let mut tagged = Vec::new();
    for (link, names) in &tags_of {
        for name in names {
            // A tag that the account has no room for is lost; the link is not.
            let kept = tags.names(std::slice::from_ref(name), now).unwrap_or_default();
            tagged.extend(kept.into_iter().map(|name| (*link, name)));
        }
    }
    tags.store(tx, tagged, Vec::new()).await?;
    accounts::repo::add_links(tx, from, -moved, None).await?;
    accounts::repo::add_links(tx, to, moved, None).await?;
    let deleted = given.iter().map(|shown| event(EventKind::LinkDeleted, shown, app));
    outbox::record(tx, from, deleted.collect::<Result<Vec<_>, _>>()?, now).await?;
    let got = links::shown(tx, to, &ids).await?;
    let created = got.iter().map(|shown| event(EventKind::LinkCreated, shown, app));
    outbox::record(tx, to, created.collect::<Result<Vec<_>, _>>()?, now).await?;
    tx.evict(given.iter().chain(&got).map(|shown| place::stale(&shown.link)));
    let after = |id: Uuid| got.iter().find(|shown| shown.link.id == id);
    facts.extend(given.iter().filter_map(|was| Some(Fact::changed(&was.link, &after(was.link.id)?.link))));
    Ok(moved)
}

/// Move the links of a domain that has changed hands, in small batches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MoveLinks {
    transfer: Uuid,
    /// The links with slugs up to this one are moved. Empty: none is for certain.
    #[serde(default)]
    after: String,
}

impl MoveLinks {
    /// Moves the links of this transfer.
    pub(super) fn of(transfer: Uuid) -> Self {
        MoveLinks { transfer, after: String::new() }
    }
}

impl Job for MoveLinks {
    const NAME: &'static str = "move_links";
}

impl Run for MoveLinks {
    /// They all write.
    const LANE: Lane = Lane::new("transfers", 1);

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        let MoveLinks { transfer, mut after } = self;
        let began = Instant::now();
        loop {
            after = match step(app, transfer, after.clone()).await? {
                Step::Moved(last) => last,
                Step::Suspended => return Ok(Done::Again(app.clock.now() + PAUSE)),
                Step::Done => return Ok(Done::Finished),
            };
            if began.elapsed() >= TURN {
                return Ok(Done::Next(MoveLinks { transfer, after }.stored()?, app.clock.now()));
            }
        }
    }
}

enum Step {
    /// Links with slugs up to this one are moved. Empty: it begins again.
    Moved(String),
    /// The account that gives is suspended: its links answer 410, which they would not in another account.
    Suspended,
    /// All are moved, or there is nothing to move any more.
    Done,
}

/// Moves some links, those with slugs after this one.
async fn step(app: &App, id: Uuid, after: String) -> Result<Step, ApiError> {
    let now = app.clock.now();
    let Some(known) = repo::by_id(app.db.read(), id).await? else { return Ok(Step::Done) };
    let (from, to) = (AccountId(known.account_id), AccountId(known.to_account_id));
    let tx = app.begin(By::service(MoveLinks::NAME)).await?;
    // If the lease has ended, another worker may run the job, too: they take turns by these locks.
    let [Some(giving), Some(_)] = lock_both(&tx, from, to).await? else { return Ok(Step::Done) };
    if giving.suspended_at.is_some() {
        return Ok(Step::Suspended);
    }
    let Some(transfer) = repo::lock(&tx, id).await? else { return Ok(Step::Done) };
    let Some(host) = transfer.domain.clone().filter(|_| transfer.state == TransferState::Moving.as_str()) else {
        return Ok(Step::Done);
    };
    let some = move_repo::some_on_host(&tx, from, &host, &after, AT_ONCE).await?;
    let Some((_, last)) = some.last().cloned() else {
        if !after.is_empty() {
            // A link that was moved to an earlier slug meanwhile.
            return Ok(Step::Moved(String::new()));
        }
        hosts::repo::forget_former(&tx, &host, from).await?;
        let done = entity::transfer::Model { state: TransferState::Done.as_str().to_owned(), ..transfer.clone() };
        repo::update(&tx, done.clone()).await?;
        tx.evict([Stale::Host(host)]);
        tx.commit([Fact::changed(&transfer, &done)]).await?;
        return Ok(Step::Done);
    };
    let mut facts = Vec::new();
    let ids: Vec<LinkId> = some.into_iter().map(|(id, _)| LinkId(id)).collect();
    let moved = hand_over_links(app, &tx, from, to, &ids, now, &mut facts).await?;
    let counted = entity::transfer::Model { moved_links: transfer.moved_links + moved, ..transfer };
    repo::update(&tx, counted).await?;
    tx.commit(facts).await?;
    Ok(Step::Moved(last))
}
