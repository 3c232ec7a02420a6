//! The mails with tokens that prove e-mail addresses.

use std::sync::Arc;

use entity::{email_proof, user};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    app::{
        App,
        jobs::{MAIL, Run},
    },
    base::{
        clock::{DAY, Millis},
        error::ApiError,
        ids::{AccountId, UserId},
    },
    features::accounts::reset_mail,
    platform::work::jobs::{Done, Job, Lane},
    records::accounts::{
        mail,
        proof_repo::{self, Purpose},
        repo,
    },
};

/// How long a token proves an address.
const VERIFY_LIFETIME: Millis = DAY;

/// The user's address that a mail may prove. `None`: the only one is proved.
pub(super) fn unproved(user: &user::Model) -> Option<&str> {
    let own = user.email_verified_at.is_none().then_some(&user.email);
    user.pending_email.as_ref().or(own).map(String::as_str)
}

/// Mail the user a token that proves the address that is not proved yet, if there is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct VerificationMail {
    pub(crate) user: Uuid,
}

impl Job for VerificationMail {
    const NAME: &'static str = "verification_mail";
}

impl Run for VerificationMail {
    const LANE: Lane = MAIL;

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        let Some(user) = repo::user_by_id(app.db.read(), UserId(self.user)).await? else { return Ok(Done::Finished) };
        let Some(email) = unproved(&user) else { return Ok(Done::Finished) };
        if app.redirects.restrictions.is_suspended(AccountId(user.account_id)) {
            return Ok(Done::Finished);
        }
        let (token, token_hash) = reset_mail::new_token()?;
        let now = app.clock.now();
        let proof = email_proof::Model {
            id: Uuid::now_v7(),
            user_id: user.id,
            purpose: Purpose::Verify.as_str().to_owned(),
            email: email.to_owned(),
            token_hash: Some(token_hash),
            created_at: now,
            expires_at: now + VERIFY_LIFETIME,
        };
        proof_repo::insert(app.db.write(), proof).await?;
        app.mailer.send(&mail::verification(&app.config, email, &token)).await?;
        Ok(Done::Finished)
    }
}

/// Mail a token to the earlier address of a user, by which the change is undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EmailChangedMail {
    /// The proof that was stored with the change; it has no token until the mail is made.
    pub(crate) proof: Uuid,
}

impl Job for EmailChangedMail {
    const NAME: &'static str = "email_changed_mail";
}

impl Run for EmailChangedMail {
    const LANE: Lane = MAIL;

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        let (token, token_hash) = reset_mail::new_token()?;
        let proof = proof_repo::set_token(app.db.write(), self.proof, token_hash).await?;
        let Some(proof) = proof else { return Ok(Done::Finished) };
        app.mailer.send(&mail::email_changed(&app.config, &proof.email, &token)).await?;
        Ok(Done::Finished)
    }
}
