//! The mail about a webhook that was disabled.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    app::{
        App,
        jobs::{MAIL, Run},
    },
    base::{
        error::ApiError,
        ids::{AccountId, UserId},
    },
    platform::work::jobs::{Done, Job, Lane},
    records::{
        accounts,
        webhooks::{disabled::DisabledReason, mail, repo},
    },
};

/// Tell a user that a webhook was disabled, unless it was activated again or deleted meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WebhookDisabledMail {
    pub(crate) webhook: Uuid,
    pub(crate) user: Uuid,
}

impl Job for WebhookDisabledMail {
    const NAME: &'static str = "webhook_disabled_mail";
}

impl Run for WebhookDisabledMail {
    const LANE: Lane = MAIL;

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        let db = app.db.read();
        let Some(webhook) = repo::by_id(db, self.webhook).await? else { return Ok(Done::Finished) };
        let Some(reason) = webhook.disabled_reason.as_deref().and_then(DisabledReason::parse) else {
            return Ok(Done::Finished);
        };
        let user = accounts::repo::user(db, AccountId(webhook.account_id), UserId(self.user)).await?;
        let Some(user) = user else { return Ok(Done::Finished) };
        app.mailer.send(&mail::disabled(&app.config, &user, &webhook, reason)).await?;
        Ok(Done::Finished)
    }
}
