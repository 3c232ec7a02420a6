//! Events about links that have come to their end.

use uuid::Uuid;

use crate::{
    app::{App, change::Change},
    base::{
        clock::{MINUTE, Millis, SECOND, UnixMillis},
        error::ApiError,
        ids::{AccountId, LinkId},
    },
    features::links::event::event,
    platform::work::{
        event_kind::EventKind,
        jobs::{self, Done, Job},
        outbox,
    },
    records::{
        accounts,
        links::repo::{self, ShownLink},
    },
    redirect::target::Limit,
};

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
        tx.bring_forward(jobs::ANNOUNCE_EXPIRED_LINKS, next + LAG).await?;
    }
    Ok(())
}

/// Records the events of links that have expired since the last run, in the order of their expiry.
pub(crate) async fn announce_expired(
    app: &App,
    mut done_until: UnixMillis,
    mut last: Option<Uuid>,
) -> Result<Done, ApiError> {
    let now = app.clock.now();
    let until = now - LAG;
    loop {
        let tx = app.begin().await?;
        let begun = Job::AnnounceExpiredLinks { done_until, last };
        if !jobs::lock_unchanged(&tx, jobs::ANNOUNCE_EXPIRED_LINKS, &begun).await? {
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
        let job = Job::AnnounceExpiredLinks { done_until, last };
        // In the transaction of the events, so that no event is recorded twice.
        jobs::note_progress(&tx, jobs::ANNOUNCE_EXPIRED_LINKS, &job).await?;
        tx.commit().await?;
        if is_last {
            break;
        }
    }
    let next = repo::next_expiry(app.db.read(), done_until).await?;
    Ok(Done::Again(next.map_or(now + SOON, |next| (next + LAG).clamp(now, now + SOON))))
}

/// Records the event of a link whose limit is used up, unless the link or its account has been deleted, or the limit raised. The event
/// has the id of the job, so that a repeated run of the job records no second event.
pub(crate) async fn announce_used_up(app: &App, job: Uuid, account: AccountId, id: LinkId) -> Result<(), ApiError> {
    let tx = app.begin().await?;
    if accounts::repo::account(&tx, account).await?.is_none() {
        return Ok(());
    }
    let shown = repo::shown(&tx, account, &[id]).await?.pop();
    let Some(shown) = shown.filter(|shown| shown.limit().is_some_and(Limit::is_used_up)) else { return Ok(()) };
    let event = event(EventKind::LinkUsedUp, &shown, app)?;
    outbox::record_once(&tx, job, account, event, app.clock.now()).await?;
    tx.commit().await?;
    Ok(())
}
