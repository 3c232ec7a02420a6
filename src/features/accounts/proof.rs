//! Proof of e-mail addresses: a user's address is proved by a token that was mailed to it. A new one waits for its proof, and the
//! proved one before can be restored for a while, so that neither a typing error nor a thief takes an account away.

use std::net::IpAddr;

use entity::email_proof;
use uuid::Uuid;

use crate::{
    app::App,
    base::{
        clock::{DAY, Millis},
        error::{ApiError, Code},
        ids::{AccountId, UserId},
        version,
    },
    features::accounts::{
        login::selected,
        ops::set_password,
        owner,
        proof_mail::{EmailChangedMail, VerificationMail, unproved},
        registration::email_taken,
        reset_mail::{self, PasswordResetMail, token_hash},
    },
    platform::{
        auth::password::Requester,
        work::{
            audit::{Act, By, Fact},
            jobs::Job,
        },
    },
    records::{
        accounts::{
            proof_repo::{self, Purpose},
            repo,
        },
        identities, second_factors, sessions,
    },
};

/// How long the change of a proved address can be undone.
const UNDO_LIFETIME: Millis = 7 * DAY;

/// Mails a token to the address of the user who calls that is not proved yet. Answers the address; `None`: there is none.
pub(crate) async fn send_verification(app: &App, act: &Act) -> Result<Option<String>, ApiError> {
    let id = act.call.user()?;
    let user = owner::user(app, act.account, id).await?;
    let Some(email) = unproved(&user) else { return Ok(None) };
    app.limits.take_mail(email).await?;
    let tx = app.begin(act).await?;
    tx.enqueue(VerificationMail { user: id.0 }.stored()?, act.account, app.clock.now()).await?;
    tx.commit(None).await?;
    Ok(Some(email.to_owned()))
}

/// Proves an address with a token from a mail; a pending one becomes the user's.
pub(crate) async fn verify(app: &App, token: &str) -> Result<(), ApiError> {
    let proof = find(app, Purpose::Verify, token).await?;
    let now = app.clock.now();
    let tx = app.begin(By::visitor("verifyEmail")).await?;
    let mut user = proof_repo::take(&tx, &proof).await?.ok_or_else(no_token)?;
    let (account, id) = (AccountId(user.account_id), UserId(user.id));
    selected(&tx, &user, None).await?;
    let before = user.clone();
    if user.pending_email.as_ref() == Some(&proof.email) {
        user.pending_email = None;
        user.email = proof.email;
        if before.email_verified_at.is_some() {
            // Its token is made with its mail. From now on nobody else can take the address.
            let undo = email_proof::Model {
                id: Uuid::now_v7(),
                user_id: user.id,
                purpose: Purpose::Undo.as_str().to_owned(),
                email: before.email.clone(),
                token_hash: None,
                created_at: now,
                expires_at: now + UNDO_LIFETIME,
            };
            tx.enqueue(EmailChangedMail { proof: undo.id }.stored()?, account, now).await?;
            proof_repo::insert(&tx, undo).await?;
        }
        // The old mailbox must not set the password any more.
        repo::delete_resets(&tx, id).await?;
        proof_repo::delete_verifications(&tx, id).await?;
    } else if user.email != proof.email {
        // The user wants another address by now.
        return Err(no_token());
    }
    user.email_verified_at = Some(now);
    user.updated_at = version::next(user.updated_at, now);
    let user = repo::update_user(&tx, user).await.map_err(email_taken)?;
    Ok(tx.commit([Fact::changed(&before, &user)]).await?)
}

/// Gives the user an earlier address back, with a token from the mail to it. Whoever changed the address knew the password, and may have
/// an authenticator app, or an identity of the own connected: the password is void until a mail to the address sets a new one, all sessions and
/// tokens end, and a second factor and identities that came after the change are removed.
pub(crate) async fn undo(app: &App, token: &str, client: IpAddr) -> Result<(), ApiError> {
    let proof = find(app, Purpose::Undo, token).await?;
    let (unknown, _) = reset_mail::new_token()?;
    let password_hash = app.passwords.hash(Requester::client(client), &unknown).await?;
    let now = app.clock.now();
    let tx = app.begin(By::visitor("undoEmailChange")).await?;
    let mut user = proof_repo::take(&tx, &proof).await?.ok_or_else(no_token)?;
    let (account, id) = (AccountId(user.account_id), UserId(user.id));
    selected(&tx, &user, None).await?;
    let before = user.clone();
    user.email = proof.email;
    user.email_verified_at = Some(now);
    user.pending_email = None;
    user.updated_at = version::next(user.updated_at, now);
    tx.evict([set_password(&mut user, password_hash, now)]);
    sessions::repo::delete_all_but(&tx, id, None).await?;
    repo::delete_resets(&tx, id).await?;
    proof_repo::delete_verifications(&tx, id).await?;
    proof_repo::delete_undos(&tx, id, proof.created_at).await?;
    second_factors::repo::remove_since(&tx, id, proof.created_at).await?;
    identities::repo::delete_since(&tx, id, proof.created_at).await?;
    let user = repo::update_user(&tx, user).await.map_err(email_taken)?;
    tx.enqueue(PasswordResetMail { email: user.email.clone() }.stored()?, account, now).await?;
    Ok(tx.commit([Fact::changed(&before, &user)]).await?)
}

/// The proof of a token. A token that is none takes no lock of a writer.
async fn find(app: &App, purpose: Purpose, token: &str) -> Result<email_proof::Model, ApiError> {
    let found = proof_repo::by_token(app.db.read(), purpose, token_hash(token), app.clock.now()).await?;
    found.ok_or_else(no_token)
}

fn no_token() -> ApiError {
    ApiError::new(Code::Unauthenticated, "The token is unknown, used or expired.")
}
