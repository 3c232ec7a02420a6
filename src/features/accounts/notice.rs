//! Mails that tell a user of what somebody else may have done in the user's name. They go to proved addresses alone.

use std::sync::Arc;

use entity::user;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    app::{
        App,
        change::Change,
        jobs::{MAIL, Run},
    },
    base::{
        clock::UnixMillis,
        error::ApiError,
        ids::{AccountId, UserId},
    },
    platform::work::jobs::{Done, Job, Lane},
    records::accounts::{mail, repo},
};

pub(crate) use crate::records::accounts::mail::Notice;

/// Mail the user what happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NoticeMail {
    user: Uuid,
    notice: Notice,
    /// When it happened, in Unix milliseconds.
    at: UnixMillis,
}

impl Job for NoticeMail {
    const NAME: &'static str = "notice_mail";
}

impl Run for NoticeMail {
    const LANE: Lane = MAIL;

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        let user = repo::user_by_id(app.db.read(), UserId(self.user)).await?;
        if let Some(user) = user.filter(|user| user.email_verified_at.is_some()) {
            app.mailer.send(&mail::notice(&app.config, &user, &self.notice, self.at)).await?;
        }
        Ok(Done::Finished)
    }
}

/// Mails the user what happened, once the change is committed.
pub(crate) async fn notify(
    tx: &Change<'_>,
    user: &user::Model,
    notice: Notice,
    at: UnixMillis,
) -> Result<(), ApiError> {
    if user.email_verified_at.is_some() {
        let mail = NoticeMail { user: user.id, notice, at };
        tx.enqueue(mail.stored()?, AccountId(user.account_id), at).await?;
    }
    Ok(())
}
