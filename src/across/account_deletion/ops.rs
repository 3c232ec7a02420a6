//! Deletes users, and with the last one the account and what all features keep of it.

use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tokio::time::Instant;
use uuid::Uuid;

use crate::{
    app::{App, change::Change, jobs::Run},
    base::{
        clock::UnixMillis,
        error::{ApiError, Code},
        ids::{AccountId, LinkId, UserId},
        version,
    },
    features::{
        accounts::{
            fresh_proof,
            password_check::{verified, wrong_current_password},
        },
        api_keys, billing, domains, links, subdomains, webhooks,
    },
    platform::{
        auth::role::Role,
        db::{self, Limit},
        work::{
            audit::{Act, By, Fact},
            jobs::{Done, Job, Lane, TURN},
        },
    },
    records::{
        self, accounts::repo, analytics::purge::PurgeClicks, billing::usage, images, imports, memberships, reports,
    },
    redirect::stale::Stale,
};

/// An id lower than those of all links, after which a deletion begins. Later batches begin after the last deleted link, since PostgreSQL
/// would otherwise read the index entries of all deleted rows again.
const FIRST_LINK: LinkId = LinkId(Uuid::nil());

/// Deletes the user who calls, whose password in force must be this one, and each account without other members, with all that it owns. The first
/// transaction is bounded, but has a longer time limit
/// than other requests: otherwise an account for which it takes long could never be deleted.
pub(crate) async fn delete_user(app: &App, act: &Act, current_password: &str) -> Result<UserId, ApiError> {
    let call = &act.call;
    let id = call.user()?;
    fresh_proof::check(app, call).await?;
    let verified = verified(app, call, current_password).await?.password_hash;
    db::within(Limit::Each(db::STATEMENT), Box::pin(delete_now(app, act, id, &verified))).await?;
    Ok(id)
}

async fn delete_now(app: &App, act: &Act, id: UserId, verified: &str) -> Result<(), ApiError> {
    let now = app.clock.now();
    let tx = app.begin(act).await?;
    // Accounts are locked before users, in one order.
    let of_user = memberships::repo::of_user(&tx, id).await?;
    let mut accounts: Vec<AccountId> = of_user.iter().map(|(membership, _)| AccountId(membership.account_id)).collect();
    accounts.sort_unstable();
    for account in &accounts {
        repo::lock_account(&tx, *account).await?;
    }
    let Some(user) = repo::lock_user(&tx, act.account, id).await? else { return Err(Code::Unauthenticated.into()) };
    if user.password_hash != verified {
        return Err(wrong_current_password());
    }
    let mut alone = Vec::new();
    for account in &accounts {
        // The user may have been removed before the account was locked: then all of its members are others.
        if memberships::repo::count_others(&tx, *account, id).await? == 0 {
            if records::transfers::repo::is_moving(&tx, *account, None).await? {
                let message = "Links are being moved to or from the account: try again in some minutes.";
                return Err(ApiError::conflict("transfers", message));
            }
            alone.push(*account);
            continue;
        }
        let owners = memberships::repo::with_roles(&tx, *account, &[Role::Owner], 2).await?;
        let Some(heir) = owners.into_iter().find(|owner| owner.id != id.0) else {
            let message = "You are the only owner of an account with other members: make one of them its owner first.";
            return Err(ApiError::conflict("role", message));
        };
        // The account's keys outlive whoever made them; those of the user's own do not.
        api_keys::revocation::revoke_all(&tx, *account, Some(id), now).await?;
        records::api_keys::repo::give_to(&tx, *account, id, UserId(heir.id)).await?;
    }
    repo::delete_user(&tx, id).await?;
    let not_before = version::next(user.password_changed_at, now);
    tx.evict(accounts.iter().map(|account| Stale::user_tokens(*account, id, not_before)));
    for account in alone {
        release(app, &tx, account, now).await?;
    }
    tx.commit([Fact::deleted(&user)]).await?;
    Ok(())
}

/// Deletes an account that has no member any more, and all that it owns: what is left after the first links, a job deletes.
async fn release(app: &App, tx: &Change<'_>, account: AccountId, now: UnixMillis) -> Result<(), ApiError> {
    let rest = links::ops::release_some(tx, account, FIRST_LINK, now).await?;
    // Everything that is visible to others, causes requests, or has a name that another account may use from now on.
    webhooks::ops::release_account(tx, account, now).await?;
    subdomains::ops::release_account(app, tx, account, now).await?;
    billing::ops::release_account(tx, account, now).await?;
    domains::ops::release_account(tx, account).await?;
    imports::repo::delete_all(tx, account).await?;
    images::repo::delete_all(tx, account).await?;
    reports::repo::delete_all(tx, account).await?;
    if rest.is_none() {
        delete_row(tx, account, now).await?;
    } else {
        repo::set_deleted(tx, account, now).await?;
        tx.enqueue(DeleteAccount { account: account.0, after: None }.stored()?, account, now).await?;
    }
    tx.evict([Stale::Account(account.0)]);
    Ok(())
}

/// Delete the remaining links of a deleted account, in small batches, and the account's row with the last batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DeleteAccount {
    account: Uuid,
    /// The links up to this one are deleted. `None`: none is for certain.
    #[serde(default)]
    after: Option<Uuid>,
}

impl Job for DeleteAccount {
    const NAME: &'static str = "delete_account";
}

impl Run for DeleteAccount {
    /// They all write, and would otherwise wait for purges of clicks.
    const LANE: Lane = Lane::new("accounts", 1);

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        let account = AccountId(self.account);
        let (mut done, began) = (self.after.map_or(FIRST_LINK, LinkId), Instant::now());
        loop {
            let now = app.clock.now();
            let tx = app.begin(By::service(DeleteAccount::NAME)).await?;
            // If the lease has ended, another worker may run the job, too: they take turns by this lock.
            if !repo::lock_deleted(&tx, account).await? {
                return Ok(Done::Finished);
            }
            let last = links::ops::release_some(&tx, account, done, now).await?;
            if last.is_none() {
                delete_row(&tx, account, now).await?;
            }
            tx.commit(None).await?;
            let Some(last) = last else { return Ok(Done::Finished) };
            done = last;
            if began.elapsed() >= TURN {
                return Ok(Done::Next(DeleteAccount { account: account.0, after: Some(last.0) }.stored()?, now));
            }
        }
    }
}

/// Deletes the row of an account without links, and everything that refers to it.
async fn delete_row(tx: &Change<'_>, account: AccountId, now: UnixMillis) -> Result<(), ApiError> {
    let purge = PurgeClicks { links: Vec::new(), account: Some(account.0), from: None };
    tx.enqueue(purge.stored()?, account, now).await?;
    repo::delete_account(tx, account).await?;
    // After the links, in the order in which ingest locks them: otherwise the two could deadlock.
    usage::repo::delete_account(tx, account).await?;
    Ok(())
}
