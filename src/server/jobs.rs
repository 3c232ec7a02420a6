//! Executes jobs: calls the feature that each belongs to.

use std::sync::Arc;

use futures_util::FutureExt;
use uuid::Uuid;

use crate::{
    across,
    app::App,
    base::{
        error::ApiError,
        ids::{AccountId, DomainId, ImportId, LinkId},
    },
    features::{
        self,
        analytics::{self, retention},
        billing, domains, imports, links, webhooks,
    },
    payments::provider::NewCustomer,
    platform::{
        db,
        work::{
            jobs::{Done, Job},
            worker::Queue,
        },
    },
};

/// The queue of the app's jobs.
pub(super) fn queue(app: &Arc<App>) -> Queue {
    let performing = Arc::clone(app);
    Queue {
        db: app.db.clone(),
        clock: app.clock.clone(),
        due: Arc::clone(&app.jobs_due),
        perform: Arc::new(move |id, job| {
            let app = Arc::clone(&performing);
            async move { perform(&app, id, job).await }.boxed()
        }),
    }
}

async fn perform(app: &Arc<App>, id: Uuid, job: Job) -> Result<Done, ApiError> {
    match job {
        Job::PasswordResetMail { email } => features::accounts::ops::send_reset_mail(app, &email).await?,
        Job::WebhookDisabledMail { webhook, user } => webhooks::ops::send_disabled_mail(app, webhook, user).await?,
        Job::PurgeDeliveries { webhooks } => return webhooks::delivery_ops::purge(app, &webhooks).await,
        Job::CheckDomain { domain } => return domains::ops::recheck(app, DomainId(domain)).await,
        Job::ReconcileBilling { account, request_key } => {
            return billing::sync::reconcile(app, AccountId(account), request_key).await;
        }
        Job::DeleteCustomer { provider, customer } => {
            return billing::ops::delete_customer(app, &provider, &customer).await;
        }
        Job::DeleteUnstoredCustomer { provider, account, request_key, email, name } => {
            let made_by = NewCustomer { key: request_key, account: AccountId(account), email, name };
            return billing::ops::delete_unstored_customer(app, &provider, &made_by).await;
        }
        Job::ExpireClicks { progress } => {
            let now = app.clock.now();
            let rest = retention::expire(app, progress).await?;
            let next = rest.as_ref().map_or(now + retention::INTERVAL, |_| now);
            return Ok(Done::Next(Job::ExpireClicks { progress: rest.unwrap_or_default() }, next));
        }
        Job::AnnounceUsedUpLink { account, link } => {
            links::announcements::announce_used_up(app, id, AccountId(account), LinkId(link)).await?;
        }
        Job::AnnounceExpiredLinks { done_until, last } => {
            return links::announcements::announce_expired(app, done_until, last).await;
        }
        Job::RunImport { account, import }
        | Job::FetchImport { account, import }
        | Job::DryRunImport { account, import } => {
            let running = imports::run::run(Arc::clone(app), AccountId(account), ImportId(import), job);
            // Rows are read and checked on the API's threads, which do not delay redirects.
            let ended = || Err(ApiError::internal("an import ended early"));
            return app.api_threads.run(db::service(db::Purpose::Work, running)).await.unwrap_or_else(ended);
        }
        Job::DeleteAccount { account, after } => {
            return across::account_deletion::ops::finish_deletion(app, AccountId(account), after.map(LinkId)).await;
        }
        Job::PurgeClicks { links, account, from } => {
            return analytics::ops::purge_clicks(app, links, account.map(AccountId), from).await;
        }
    }
    Ok(Done::Finished)
}
