//! The mail with a token that sets a new password.

use std::sync::Arc;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{
    app::{
        App,
        jobs::{MAIL, Run},
    },
    base::{
        clock::MINUTE,
        error::ApiError,
        ids::{AccountId, UserId},
        random,
    },
    platform::work::jobs::{Done, Job, Lane},
    records::{
        accounts::{mail, repo},
        memberships,
    },
};

/// How long a reset token works.
const RESET_LIFETIME: i64 = 30 * MINUTE;

/// Mail a reset token to the user with this address, if there is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PasswordResetMail {
    /// In lower case.
    pub(crate) email: String,
}

impl Job for PasswordResetMail {
    const NAME: &'static str = "password_reset_mail";
}

impl Run for PasswordResetMail {
    const LANE: Lane = MAIL;

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        let Some(user) = repo::user_by_email(app.db.read(), &self.email).await? else { return Ok(Done::Finished) };
        let accounts = memberships::repo::of_user(app.db.read(), UserId(user.id)).await?;
        let is_suspended = |id| app.redirects.restrictions.is_suspended(AccountId(id));
        if accounts.iter().all(|(membership, _)| is_suspended(membership.account_id)) {
            return Ok(Done::Finished);
        }
        let (token, token_hash) = new_token()?;
        let expires_at = app.clock.now() + RESET_LIFETIME;
        repo::insert_reset(app.db.write(), token_hash, UserId(user.id), expires_at).await?;
        app.mailer.send(&mail::password_reset(&app.config, &user, &token)).await?;
        Ok(Done::Finished)
    }
}

/// A token for a mail, and as it is stored: by its hash alone, so that it is made with the mail and not when it is asked for.
pub(crate) fn new_token() -> Result<(String, Vec<u8>), ApiError> {
    let random: [u8; 32] = random::bytes().map_err(ApiError::internal)?;
    let token = URL_SAFE_NO_PAD.encode(random);
    let hash = token_hash(&token);
    Ok((token, hash))
}

/// A token as it is stored.
pub(crate) fn token_hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}
