//! How long clicks are kept: as long as the account's plan says.

use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};

use uuid::Uuid;

use crate::{
    app::{
        App,
        jobs::{PURGE, Run},
    },
    base::{
        clock::{DAY, Millis, UnixMillis},
        error::ApiError,
        ids::{AccountId, LinkId},
    },
    click_store::stored_repo::with_clicks_before,
    platform::{
        db::ROWS_PER_STATEMENT,
        work::jobs::{Done, Job, Lane},
    },
    records::{accounts, analytics::retention_repo as repo},
};

/// Accounts, and links of an account, that are looked at by one statement.
const AT_ONCE: u64 = 500;
/// How long one run may take, well within a job's lease.
const TURN: Duration = Duration::from_secs(60);
/// How often all accounts are looked at.
const INTERVAL: Millis = DAY;

/// Delete the clicks that have been kept for long enough, in small batches, again and again. There is one such job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ExpireClicks {
    /// How far it is.
    progress: ExpiryProgress,
}

impl Job for ExpireClicks {
    const NAME: &'static str = "expire_clicks";
}

/// How far [`ExpireClicks`] has looked at all accounts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct ExpiryProgress {
    /// The last account that is done with.
    #[serde(default)]
    account: Option<Uuid>,
    /// The account after it, and its last link that is done with.
    #[serde(default)]
    within: Option<(Uuid, Uuid)>,
}

impl Run for ExpireClicks {
    const LANE: Lane = PURGE;

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        let now = app.clock.now();
        let rest = expire(app, self.progress).await?;
        let next = rest.as_ref().map_or(now + INTERVAL, |_| now);
        Ok(Done::Next(ExpireClicks { progress: rest.unwrap_or_default() }.stored()?, next))
    }
}

/// Deletes clicks that are older than their account's plan keeps them, oldest first. Returns where the next run continues.
/// `None`: all are done.
async fn expire(app: &App, mut progress: ExpiryProgress) -> Result<Option<ExpiryProgress>, ApiError> {
    let (begun, now) = (Instant::now(), app.clock.now());
    loop {
        let accounts = repo::accounts_after(app.db.read(), progress.account, AT_ONCE).await?;
        if accounts.is_empty() {
            return Ok(None);
        }
        for account in accounts {
            let plan = accounts::repo::plan_of_clicks(&account, app.config.default_plan, now);
            let link = progress.within.take().filter(|(of, _)| *of == account.id).map(|(_, link)| link);
            if let Some(days) = plan.retention_days() {
                let before = now - UnixMillis::from(days) * DAY;
                let stopped_at = expire_account(app, AccountId(account.id), link, before, begun).await?;
                if let Some(link) = stopped_at {
                    return Ok(Some(ExpiryProgress { within: link.map(|link| (account.id, link)), ..progress }));
                }
            }
            progress.account = Some(account.id);
        }
    }
}

/// Expires clicks on the account's links after `done`, in the order of ids. `None`: all links are done. `Some`: the time is up;
/// it contains the last link that is done, if any.
async fn expire_account(
    app: &App,
    account: AccountId,
    mut done: Option<Uuid>,
    before: UnixMillis,
    begun: Instant,
) -> Result<Option<Option<Uuid>>, ApiError> {
    loop {
        let links = repo::links_with_clicks(app.db.read(), account, done, AT_ONCE).await?;
        let Some(last) = links.last().copied() else { return Ok(None) };
        for link in with_clicks_before(app.db.read(), account, &links, before).await? {
            let rows = ROWS_PER_STATEMENT as u64;
            // Each batch is a transaction of its own: others write in between.
            while repo::expire(&app.db, account, LinkId(link), before, rows).await? >= rows {
                if begun.elapsed() >= TURN {
                    return Ok(Some(done));
                }
            }
        }
        done = Some(last);
        if begun.elapsed() >= TURN {
            return Ok(Some(done));
        }
    }
}
