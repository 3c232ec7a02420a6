//! The check of what a passkey answered, the same for each operation that takes one, and logins by it.

use std::net::IpAddr;

use entity::user;
use webauthn_rs::prelude::{PublicKeyCredential, WebauthnError};

use crate::{
    app::App,
    base::{
        error::{ApiError, Code, Reason},
        ids::UserId,
    },
    features::accounts::{known_networks, login::selected},
    platform::{
        auth::passkeys::{Authentication, Passkeys, Purpose},
        work::audit::By,
    },
    records::{accounts, second_factors::passkey_repo as repo},
};

/// Fails with FORBIDDEN where browsers have no passkeys.
pub(super) fn passkeys(app: &App) -> Result<&Passkeys, ApiError> {
    let message =
        "Here are no passkeys: browsers have them for hosts with a name, and the service is reached by an address.";
    app.passkeys.as_ref().ok_or_else(|| ApiError::forbidden(Reason::PasskeysOff, message))
}

/// Fails with FORBIDDEN where a passkey signs nobody in by itself, since only the company's identity provider does.
pub(super) fn check_signs_in(app: &App) -> Result<(), ApiError> {
    if app.config.sign_in.has_password_login {
        return Ok(());
    }
    let message = "Here a passkey is a second factor alone: sign in by the company's identity provider.";
    Err(ApiError::forbidden(Reason::PasswordLoginOff, message))
}

/// The user who logs in with a passkey. Fails with UNAUTHENTICATED when the challenge is unknown, expired or not for a login, and as
/// [`check`] does.
pub(crate) async fn log_in(
    app: &App,
    challenge: &str,
    credential: &str,
    client: IpAddr,
) -> Result<user::Model, ApiError> {
    let asked = asked(app, challenge)?;
    match asked.what.0 {
        Purpose::LogIn => check_signs_in(app)?,
        Purpose::SecondStep(_) => {}
        Purpose::Prove(_) => return Err(over()),
    }
    let user = check(app, asked, credential, "loginWithPasskey").await?;
    let seen_at = known_networks::seen_at(app, Some(UserId(user.id)), client).await?;
    known_networks::remember_login(app, &user, client, seen_at).await;
    Ok(user)
}

/// Checks that the user who calls has proved again to be the user, by an answer to `startPasskeyProof`.
pub(crate) async fn prove(app: &App, user: UserId, challenge: &str, credential: &str) -> Result<(), ApiError> {
    let asked = asked(app, challenge)?;
    if asked.what.0 != Purpose::Prove(user.0) {
        return Err(over());
    }
    check(app, asked, credential, "confirmAccess").await.map(drop)
}

fn asked(app: &App, challenge: &str) -> Result<Authentication, ApiError> {
    Passkeys::authentication(&app.user_tokens, challenge, app.clock.now()).ok_or_else(over)
}

/// Checks the answer of a passkey to a challenge, and uses the challenge up. Fails with INVALID_CREDENTIALS, whatever is wrong, and whether
/// or not there is such a passkey.
async fn check(
    app: &App,
    asked: Authentication,
    credential: &str,
    operation: &'static str,
) -> Result<user::Model, ApiError> {
    let passkeys = passkeys(app)?;
    let answer: PublicKeyCredential = serde_json::from_str(credential).map_err(|reason| no_credential(&reason))?;
    let found = repo::by_credential(app.db.read(), answer.get_credential_id()).await?.ok_or_else(wrong)?;
    let (purpose, state) = asked.what;
    // The authenticator names the user, too, where the service did not (§7.2, step 6).
    let owner = Some(found.user_id.as_bytes().as_slice());
    let is_owner = match (purpose, answer.get_user_unique_id()) {
        (Purpose::LogIn, named) => named == owner,
        (Purpose::SecondStep(user) | Purpose::Prove(user), named) => {
            user == found.user_id && (named.is_none() || named == owner)
        }
    };
    if !is_owner {
        return Err(wrong());
    }
    let stored = serde_json::from_str(&found.credential).map_err(ApiError::internal)?;
    let used = passkeys.finish_authentication(state, &answer, stored).map_err(|error| {
        if matches!(error, WebauthnError::CredentialPossibleCompromise) {
            tracing::warn!(passkey = %found.id, "The counter of a passkey went back: there may be a copy of it");
        }
        wrong()
    })?;
    let (used, now) = (serde_json::to_string(&used).map_err(ApiError::internal)?, app.clock.now());
    let tx = app.begin(By::user(UserId(found.user_id), operation)).await?;
    if !repo::take_challenge(&tx, asked.id, asked.expires_at).await? || !repo::use_once(&tx, &found, used, now).await? {
        return Err(wrong());
    }
    let user = accounts::repo::user_by_id(&tx, UserId(found.user_id)).await?.ok_or_else(wrong)?;
    selected(&tx, &user, None).await?;
    tx.commit(None).await?;
    Ok(user)
}

pub(super) fn no_credential(reason: &serde_json::Error) -> ApiError {
    ApiError::invalid_field("credential", format!("is not what a browser answers, as JSON: {reason}"))
}

pub(super) fn over() -> ApiError {
    ApiError::new(Code::Unauthenticated, "The challenge is unknown, of another operation, or has expired: begin again.")
}

pub(super) fn wrong() -> ApiError {
    ApiError::new(Code::InvalidCredentials, "The passkey is unknown, or its answer is wrong or was used.")
}
