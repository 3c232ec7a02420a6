//! Invitations as the invited use them: by the token from the mail, once, also to register.

use entity::{account, invitation};
use sea_orm::ConnectionTrait;

use super::{login::check_not_suspended, reset_mail::token_hash};
use crate::{
    app::App,
    base::{
        error::{ApiError, Code, Reason},
        ids::AccountId,
    },
    records::{accounts::repo, memberships::invitation_repo},
};

/// The invitation of a token. Fails with NOT_FOUND when there is none, and with FORBIDDEN when its account is suspended.
pub(crate) async fn find(app: &App, token: &str) -> Result<invitation::Model, ApiError> {
    let found = invitation_repo::by_token(app.db.read(), token_hash(token), app.clock.now()).await?;
    let invitation = found.ok_or_else(unknown)?;
    check_not_suspended(app.db.read(), AccountId(invitation.account_id)).await?;
    Ok(invitation)
}

/// Locks the account of an invitation. Fails with NOT_FOUND when it is gone.
pub(crate) async fn lock_account(
    tx: &impl ConnectionTrait,
    invitation: &invitation::Model,
) -> Result<account::Model, ApiError> {
    repo::lock_account(tx, AccountId(invitation.account_id)).await?.ok_or_else(unknown)
}

/// Uses an invitation up. Fails with NOT_FOUND when it was used, or taken back, meanwhile.
pub(crate) async fn take(tx: &impl ConnectionTrait, invitation: &invitation::Model) -> Result<(), ApiError> {
    if invitation_repo::delete(tx, invitation.id).await? { Ok(()) } else { Err(unknown()) }
}

/// Fails with FORBIDDEN unless the invitation was mailed to this address, in lower case.
pub(crate) fn check_address(invitation: &invitation::Model, email: &str) -> Result<(), ApiError> {
    if invitation.email == email {
        return Ok(());
    }
    let message = "The invitation is to another e-mail address: use that one.";
    Err(ApiError::forbidden(Reason::OtherAddress, message))
}

fn unknown() -> ApiError {
    ApiError::new(Code::NotFound, "The invitation is unknown, used, taken back or expired.")
}
