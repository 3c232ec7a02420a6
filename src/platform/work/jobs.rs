//! Work to do later: enqueued in the transaction of the change that asks for it, claimed with a lease, tried until it
//! succeeds.

use std::time::Duration;

use entity::job;
use sea_orm::{
    ActiveValue::{Set, Unchanged},
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect,
    sea_query::Expr,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::base::{
    clock::UnixMillis,
    ids::{AccountId, LinkId},
};

/// How long a job that can go on later runs before others have their turn. A service that stops waits for no turn to end.
pub(crate) const TURN: Duration = Duration::from_secs(2);

/// Groups of jobs, each with a worker of its own: jobs that wait for a mail server do not delay purges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    Mail,
    /// Checks of custom domains.
    Domains,
    /// Purges of what deleted resources left behind.
    Purge,
    /// Looks at the payment provider.
    Billing,
    /// Events about links that have come to their end.
    Links,
    /// Imports of files of links.
    Imports,
    /// Imports from APIs of other services, for whose answers they wait.
    Fetches,
    /// Dry runs of imports, which keep what they have read in memory and are not interrupted.
    DryRuns,
    /// Deletions of accounts, which would otherwise wait for purges of clicks.
    Accounts,
}

impl Lane {
    pub(crate) const ALL: [Lane; 9] = [
        Lane::Mail,
        Lane::Domains,
        Lane::Purge,
        Lane::Billing,
        Lane::Links,
        Lane::Imports,
        Lane::Fetches,
        Lane::DryRuns,
        Lane::Accounts,
    ];

    /// The jobs in it, by their kind in the table.
    pub(super) const fn kinds(self) -> &'static [&'static str] {
        match self {
            Lane::Mail => &["password_reset_mail", "webhook_disabled_mail"],
            Lane::Purge => &["purge_clicks", "purge_deliveries", "expire_clicks"],
            Lane::Domains => &["check_domain"],
            Lane::Billing => &["reconcile_billing", "delete_customer", "delete_unstored_customer"],
            Lane::Links => &["announce_used_up_link", "announce_expired_links"],
            Lane::Imports => &["run_import"],
            Lane::Fetches => &["fetch_import"],
            Lane::DryRuns => &["dry_run_import"],
            Lane::Accounts => &["delete_account"],
        }
    }

    /// Jobs that a node does at once.
    pub(super) const fn width(self) -> usize {
        match self {
            Lane::Mail => 4,
            // They wait for the provider, which counts requests.
            Lane::Billing => 4,
            // They write, by turns.
            Lane::Imports => 2,
            // They wait for another service, with at most 1 MiB of its answer.
            Lane::Fetches => 16,
            // They wait for each other, with the addresses of all rows that they have read.
            Lane::DryRuns => 8,
            // They wait for DNS.
            Lane::Domains => 8,
            // They all write.
            Lane::Purge | Lane::Links | Lane::Accounts => 1,
        }
    }

    /// Jobs of one account that a node does at once: half of all, so that no account keeps others waiting.
    pub(super) const fn share(self) -> usize {
        if self.width() < 2 { 1 } else { self.width() / 2 }
    }
}

/// All kinds of work. Each stands in a lane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "payload", rename_all = "snake_case")]
pub(crate) enum Job {
    /// Mail a reset token to the user with this address, if there is one.
    PasswordResetMail {
        /// In lower case.
        email: String,
    },
    /// Tell a user that a webhook was disabled.
    WebhookDisabledMail { webhook: Uuid, user: Uuid },
    /// Delete the deliveries of webhooks that are gone, in small batches.
    PurgeDeliveries { webhooks: Vec<Uuid> },
    /// Check a custom domain, again and again until it is deleted.
    CheckDomain { domain: Uuid },
    /// Read an account's state from the payment provider, in case events were lost. Repeated while the account is a customer.
    ReconcileBilling {
        account: Uuid,
        /// Idempotency key of the request that created the customer.
        request_key: Uuid,
    },
    /// Delete the customer of an account that is gone.
    DeleteCustomer {
        provider: String,
        /// Its id of the customer.
        customer: String,
    },
    /// Delete the customer of an account that is gone, whose id is not stored: only the request that may have created it is known.
    DeleteUnstoredCustomer {
        provider: String,
        account: Uuid,
        /// The request's key.
        request_key: Uuid,
        /// The e-mail address in it.
        email: String,
        name: String,
    },
    /// Delete the clicks that have been kept for long enough, in small batches, again and again. There is one such job.
    ExpireClicks {
        /// How far it is.
        progress: ExpiryProgress,
    },
    /// Record the event of a link whose limit of clicks is used up.
    AnnounceUsedUpLink { account: Uuid, link: Uuid },
    /// Record the events of links that have expired, again and again. There is one such job.
    AnnounceExpiredLinks {
        /// Links that expired up to this time (Unix milliseconds) are announced, but see `last`.
        done_until: UnixMillis,
        /// The links that expired just then are announced up to this id. `None`: all of them are.
        #[serde(default)]
        last: Option<Uuid>,
    },
    /// Go on with an import of a file of links, until it has ended.
    RunImport { account: Uuid, import: Uuid },
    /// Go on with an import from an API, until it has ended.
    FetchImport { account: Uuid, import: Uuid },
    /// Make a dry run of an import.
    DryRunImport { account: Uuid, import: Uuid },
    /// Delete the remaining links of a deleted account, in small batches, and the account's row with the last batch.
    DeleteAccount {
        account: Uuid,
        /// The links up to this one are deleted. `None`: none is for certain.
        #[serde(default)]
        after: Option<Uuid>,
    },
    /// Delete the clicks of links that are gone and what they add up to, in small batches.
    PurgeClicks {
        links: Vec<Uuid>,
        /// The account, if it is gone too.
        #[serde(default)]
        account: Option<Uuid>,
        /// The day (in days since 1970) from which on sums are left to delete, when the clicks are gone. `None`: clicks may be left.
        #[serde(default)]
        from: Option<i32>,
    },
}

/// Id of the one [`Job::AnnounceExpiredLinks`], which a migration enqueued.
pub(crate) const ANNOUNCE_EXPIRED_LINKS: Uuid = Uuid::from_u128(2);

impl Job {
    pub(crate) fn purge_clicks(links: impl IntoIterator<Item = LinkId>) -> Self {
        Job::PurgeClicks { links: links.into_iter().map(|link| link.0).collect(), account: None, from: None }
    }
}

/// How far [`Job::ExpireClicks`] has looked at all accounts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ExpiryProgress {
    /// The last account that is done with.
    #[serde(default)]
    pub(crate) account: Option<Uuid>,
    /// The account after it, and its last link that is done with.
    #[serde(default)]
    pub(crate) within: Option<(Uuid, Uuid)>,
}

/// The outcome of a job that did not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// The job is done, and is deleted.
    Finished,
    /// The job runs again at this time.
    Again(UnixMillis),
    /// The job is replaced by this one, which runs at this time.
    Next(Job, UnixMillis),
}

/// Kind and payload of a job, as the table has them.
pub(super) fn stored(job: &Job) -> Result<(String, String), DbErr> {
    match serde_json::to_value(job) {
        Ok(serde_json::Value::Object(mut object)) => Ok((
            object.get("kind").and_then(|kind| kind.as_str()).unwrap_or_default().to_owned(),
            object.remove("payload").unwrap_or_default().to_string(),
        )),
        Ok(_) => Err(DbErr::Custom("a job is no object".to_owned())),
        Err(error) => Err(DbErr::Custom(error.to_string())),
    }
}

/// Reads the job from its row.
pub(super) fn parsed(row: &job::Model) -> Result<Job, serde_json::Error> {
    let payload: serde_json::Value = serde_json::from_str(&row.payload)?;
    serde_json::from_value(serde_json::json!({ "kind": row.kind, "payload": payload }))
}

/// Enqueues a job for an account (`None`: for none), to be done from `run_at` on. It exists once the transaction commits.
pub(crate) async fn enqueue(
    tx: &impl ConnectionTrait,
    job: &Job,
    account: Option<AccountId>,
    run_at: UnixMillis,
) -> Result<(), DbErr> {
    let (kind, payload) = stored(job)?;
    let row = job::ActiveModel {
        id: Set(Uuid::now_v7()),
        kind: Set(kind),
        payload: Set(payload),
        account_id: Set(account.map(|account| account.0)),
        run_at: Set(run_at),
        attempts: Set(0),
        leased_until: Set(None),
        created_at: Set(run_at),
    };
    job::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Moves the time of a waiting job to `run_at`, if it is later. The time of a running job does not change: such a job may have read the
/// next due time before this commits, so it must run again soon.
pub(crate) async fn bring_forward(tx: &impl ConnectionTrait, job: Uuid, run_at: UnixMillis) -> Result<(), DbErr> {
    job::Entity::update_many()
        .col_expr(job::Column::RunAt, Expr::value(run_at))
        .filter(job::Column::Id.eq(job))
        .filter(job::Column::RunAt.gt(run_at))
        .exec(tx)
        .await?;
    Ok(())
}

/// Locks the row of a job until the transaction ends. Returns whether it still has this payload: another worker may have continued the
/// job after the lease of this one ended.
pub(crate) async fn lock_unchanged(tx: &impl ConnectionTrait, id: Uuid, job: &Job) -> Result<bool, DbErr> {
    let row = job::Entity::find_by_id(id).lock_exclusive().one(tx).await?;
    let locked = row.as_ref().map(parsed).transpose().map_err(|error| DbErr::Custom(error.to_string()))?;
    Ok(locked.as_ref() == Some(job))
}

/// Stores how far a job is, in the transaction of what it did so far.
pub(crate) async fn note_progress(tx: &impl ConnectionTrait, id: Uuid, job: &Job) -> Result<(), DbErr> {
    let (_, payload) = stored(job)?;
    let progress = job::ActiveModel { id: Unchanged(id), payload: Set(payload), ..Default::default() };
    job::Entity::update(progress).exec(tx).await.map(drop)
}
