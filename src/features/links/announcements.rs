//! Events about links that have come to their end.

use serde::{Deserialize, Serialize};
use std::sync::Arc;
use uuid::Uuid;

use crate::{
    app::{App, change::Change, jobs::Run},
    base::{
        clock::{MINUTE, Millis, SECOND, UnixMillis},
        error::ApiError,
        ids::{AccountId, LinkId},
    },
    features::links::event::event,
    platform::work::audit::By,
    platform::work::{
        event_kind::EventKind,
        jobs::{self, Done, Job, Lane},
        outbox,
    },
    records::{
        accounts,
        links::repo::{self, ShownLink},
    },
    redirect::{counting::AnnounceUsedUpLink, target::Limit},
};

/// Id of the one [`AnnounceExpiredLinks`], which a migration enqueued.
const ANNOUNCE_EXPIRED_LINKS: Uuid = Uuid::from_u128(2);
/// Events about links that have come to their end: they all write.
const LANE: Lane = Lane::new("links", 1);
/// How long after its expiry a link is announced, in milliseconds: by then, transactions that set this or an earlier expiry have ended.
const LAG: Millis = 10 * SECOND;
/// Links announced by one transaction.
const ANNOUNCED: u64 = 200;
/// Time to the next run at most, in milliseconds, also while no link expires: a link that is stored during a run may be missed by it, and
/// can't move the next run, since the job is running. The documentation promises the event within two minutes.
const SOON: Millis = MINUTE;

/// Moves the job's next run to the first of the expiries that a transaction stores. Past ones are ignored.
pub(crate) async fn expect(
    tx: &Change<'_>,
    expiries: impl Iterator<Item = UnixMillis>,
    now: UnixMillis,
) -> Result<(), ApiError> {
    if let Some(next) = expiries.filter(|at| *at > now).min() {
        tx.bring_forward(ANNOUNCE_EXPIRED_LINKS, next + LAG).await?;
    }
    Ok(())
}

/// Record the events of links that have expired, again and again, in the order of their expiry. There is one such job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AnnounceExpiredLinks {
    /// Links that expired up to this time (Unix milliseconds) are announced, but see `last`.
    done_until: UnixMillis,
    /// The links that expired just then are announced up to this id. `None`: all of them are.
    #[serde(default)]
    last: Option<Uuid>,
}

impl Job for AnnounceExpiredLinks {
    const NAME: &'static str = "announce_expired_links";
}

impl Run for AnnounceExpiredLinks {
    const LANE: Lane = LANE;

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        let AnnounceExpiredLinks { mut done_until, mut last } = self;
        let now = app.clock.now();
        let until = now - LAG;
        loop {
            let tx = app.begin(By::service(AnnounceExpiredLinks::NAME)).await?;
            let begun = AnnounceExpiredLinks { done_until, last };
            if !jobs::lock_unchanged(&tx, ANNOUNCE_EXPIRED_LINKS, &begun).await? {
                // Another worker has the job, since the lease of this one has ended.
                return Ok(Done::Again(app.clock.now()));
            }
            let after = (done_until, last.unwrap_or(Uuid::max()));
            let expired = repo::expired_between(&tx, after, until, ANNOUNCED).await?;
            for shown in &expired {
                let account = AccountId(shown.link.account_id);
                outbox::record(&tx, account, [event(EventKind::LinkExpired, shown, app)?], now).await?;
            }
            let is_last = expired.len() < usize::try_from(ANNOUNCED).unwrap_or(usize::MAX);
            (done_until, last) = match expired.last() {
                Some(ShownLink { link, .. }) if !is_last => (link.expires_at.unwrap_or(until), Some(link.id)),
                _ => (until.max(done_until), None),
            };
            let job = AnnounceExpiredLinks { done_until, last };
            // In the transaction of the events, so that no event is recorded twice.
            jobs::note_progress(&tx, ANNOUNCE_EXPIRED_LINKS, &job).await?;
            tx.commit(None).await?;
            if is_last {
                break;
            }
        }
        let next = repo::next_expiry(app.db.read(), done_until).await?;
        Ok(Done::Again(next.map_or(now + SOON, |next| (next + LAG).clamp(now, now + SOON))))
    }
}

/// Records the event of a link whose limit is used up, unless the link or its account has been deleted, or the limit raised. The event
/// has the id of the job, so that a repeated run of the job records no second event.
impl Run for AnnounceUsedUpLink {
    const LANE: Lane = LANE;

    async fn run(self, app: &Arc<App>, job: Uuid) -> Result<Done, ApiError> {
        let (account, id) = (AccountId(self.account), LinkId(self.link));
        let tx = app.begin(By::service(AnnounceUsedUpLink::NAME)).await?;
        if accounts::repo::account(&tx, account).await?.is_none() {
            return Ok(Done::Finished);
        }
        let shown = repo::shown(&tx, account, &[id]).await?.pop();
        let Some(shown) = shown.filter(|shown| shown.limit().is_some_and(Limit::is_used_up)) else {
            return Ok(Done::Finished);
        };
        let event = event(EventKind::LinkUsedUp, &shown, app)?;
        outbox::record_once(&tx, job, account, event, app.clock.now()).await?;
        tx.commit(None).await?;
        Ok(Done::Finished)
    }
}
