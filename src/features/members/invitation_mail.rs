//! The mail with an invitation.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    app::{
        App,
        jobs::{MAIL, Run},
    },
    base::error::ApiError,
    features::accounts::reset_mail::new_token,
    platform::work::jobs::{Done, Job, Lane},
    records::memberships::{invitation_repo, mail},
};

/// Mail the token of an invitation, which has none until then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InvitationMail {
    pub(crate) invitation: Uuid,
    /// E-mail address of the member who invites.
    pub(crate) inviter: String,
}

impl Job for InvitationMail {
    const NAME: &'static str = "invitation_mail";
}

impl Run for InvitationMail {
    const LANE: Lane = MAIL;

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        let (token, token_hash) = new_token()?;
        let invitation = invitation_repo::set_token(app.db.write(), self.invitation, token_hash).await?;
        let Some(invitation) = invitation else { return Ok(Done::Finished) };
        app.mailer.send(&mail::invitation(&app.config, &invitation, &self.inviter, &token)).await?;
        Ok(Done::Finished)
    }
}
