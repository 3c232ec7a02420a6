//! Deletes users, and with the last one the account and what all features keep of it.

use tokio::time::Instant;
use uuid::Uuid;

use crate::{
    app::{App, change::Change},
    base::{
        clock::UnixMillis,
        error::{ApiError, Code},
        ids::{AccountId, LinkId, UserId},
    },
    features::{
        accounts::ops::{after, verified, wrong_current_password},
        billing, domains, links, subdomains, webhooks,
    },
    platform::{
        auth::caller::Call,
        db::{self, Limit},
        work::jobs::{Done, Job, TURN},
    },
    records::{accounts::repo, billing::usage, imports},
    redirect::stale::Stale,
};

/// An id lower than those of all links, after which a deletion begins. Later batches begin after the last deleted link, since PostgreSQL
/// would otherwise read the index entries of all deleted rows again.
const FIRST_LINK: LinkId = LinkId(Uuid::nil());

/// Deletes the user who calls, whose password in force must be this one, and with the last user the account and all that it owns. The first
/// transaction is bounded, but has a longer time limit
/// than other requests: otherwise an account for which it takes long could never be deleted.
pub(crate) async fn delete_user(app: &App, call: &Call, current_password: &str) -> Result<UserId, ApiError> {
    let (account, id) = (call.account()?, call.user()?);
    let verified = verified(app, call, current_password).await?.password_hash;
    db::within(Limit::Each(db::STATEMENT), Box::pin(delete_now(app, account, id, &verified))).await?;
    Ok(id)
}

async fn delete_now(app: &App, account: AccountId, id: UserId, verified: &str) -> Result<(), ApiError> {
    let now = app.clock.now();
    let tx = app.begin().await?;
    repo::lock_account(&tx, account).await?;
    let Some(user) = repo::lock_user(&tx, account, id).await? else { return Err(Code::Unauthenticated.into()) };
    if user.password_hash != verified {
        return Err(wrong_current_password());
    }
    repo::delete_user(&tx, account, id).await?;
    tx.evict([Stale::user_tokens(account, id, after(user.password_changed_at, now))]);
    let last = repo::count_users(&tx, account).await? == 0;
    if last {
        let rest = links::ops::release_some(&tx, account, FIRST_LINK, now).await?;
        // Everything that is visible to others, causes requests, or has a name that another account may use from now on.
        webhooks::ops::release_account(&tx, account, now).await?;
        subdomains::ops::release_account(app, &tx, account, now).await?;
        billing::ops::release_account(&tx, account, now).await?;
        domains::ops::release_account(&tx, account).await?;
        imports::repo::delete_all(&tx, account).await?;
        if rest.is_none() {
            delete_row(&tx, account, now).await?;
        } else {
            repo::set_deleted(&tx, account, now).await?;
            tx.enqueue(&Job::DeleteAccount { account: account.0, after: None }, account, now).await?;
        }
        tx.evict([Stale::Account(account.0)]);
    }
    tx.commit().await?;
    Ok(())
}

/// Deletes the remaining rows of a deleted account, a batch of links in each transaction. Runs as a job, which continues after a crash.
pub(crate) async fn finish_deletion(app: &App, account: AccountId, after: Option<LinkId>) -> Result<Done, ApiError> {
    let (mut done, began) = (after.unwrap_or(FIRST_LINK), Instant::now());
    loop {
        let now = app.clock.now();
        let tx = app.begin().await?;
        // If the lease has ended, another worker may run the job, too: they take turns by this lock.
        if !repo::lock_deleted(&tx, account).await? {
            return Ok(Done::Finished);
        }
        let last = links::ops::release_some(&tx, account, done, now).await?;
        if last.is_none() {
            delete_row(&tx, account, now).await?;
        }
        tx.commit().await?;
        let Some(last) = last else { return Ok(Done::Finished) };
        done = last;
        if began.elapsed() >= TURN {
            return Ok(Done::Next(Job::DeleteAccount { account: account.0, after: Some(last.0) }, now));
        }
    }
}

/// Deletes the row of an account without links, and everything that refers to it.
async fn delete_row(tx: &Change<'_>, account: AccountId, now: UnixMillis) -> Result<(), ApiError> {
    tx.enqueue(&Job::PurgeClicks { links: Vec::new(), account: Some(account.0), from: None }, account, now).await?;
    repo::delete_account(tx, account).await?;
    // After the links, in the order in which ingest locks them: otherwise the two could deadlock.
    usage::repo::delete_account(tx, account).await?;
    Ok(())
}
