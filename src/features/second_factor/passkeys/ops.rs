//! Rules of passkeys.

use entity::passkey;
use sea_orm::SqlErr;
use uuid::Uuid;
use webauthn_rs::prelude::WebauthnError;

use super::check::{check_signs_in, no_credential, over, passkeys, wrong};
use crate::{
    app::App,
    base::{
        error::{ApiError, Code, Violations},
        ids::UserId,
        validate::check_name,
    },
    features::{
        accounts::{
            fresh_proof,
            notice::{Notice, notify},
            owner,
        },
        second_factor::{check::challenged, codes},
    },
    platform::{
        auth::passkeys::{Challenge, Owner, Passkeys, Purpose},
        work::audit::{Act, Fact},
    },
    records::{
        accounts,
        second_factors::passkey_repo::{self as repo, MAX_PASSKEYS},
    },
};

/// The user's passkeys, the oldest first.
pub(crate) async fn list(app: &App, user: UserId) -> Result<Vec<passkey::Model>, ApiError> {
    Ok(repo::of_user(app.db.read(), user).await?)
}

/// Asks the browser for a new passkey of the user who calls.
pub(crate) async fn start(app: &App, act: &Act) -> Result<Challenge, ApiError> {
    fresh_proof::check_always(app, &act.call)?;
    let passkeys = passkeys(app)?;
    let id = act.call.user()?;
    let user = owner::user(app, act.account, id).await?;
    let known = credential_ids(app, id).await?;
    check_is_room(known.len() as u64)?;
    let owner = Owner { id: user.id, email: &user.email, name: &user.name };
    passkeys.start_registration(&app.user_tokens, &owner, known, app.clock.now())
}

async fn credential_ids(app: &App, user: UserId) -> Result<Vec<Vec<u8>>, ApiError> {
    Ok(list(app, user).await?.into_iter().map(|passkey| passkey.credential_id).collect())
}

fn check_is_room(there: u64) -> Result<(), ApiError> {
    if there < MAX_PASSKEYS {
        return Ok(());
    }
    Err(ApiError::new(
        Code::Conflict,
        format!("There are {MAX_PASSKEYS} passkeys, which is the most: remove one first."),
    ))
}

/// Stores a new passkey of the user who calls. Answers it with the recovery codes, if it is the first second factor.
pub(crate) async fn add(
    app: &App,
    act: &Act,
    challenge: &str,
    credential: &str,
    name: String,
) -> Result<(passkey::Model, Vec<String>), ApiError> {
    let (id, now) = (act.call.user()?, app.clock.now());
    let passkeys = passkeys(app)?;
    let mut violations = Violations::default();
    violations.take("name", check_name(&name));
    violations.finish()?;
    let asked = Passkeys::registration(&app.user_tokens, challenge, now).ok_or_else(over)?;
    let (owner, state) = asked.what;
    if owner != id.0 {
        return Err(over());
    }
    let made = passkeys.finish_registration(&state, credential).map_err(|error| match error {
        WebauthnError::ParseJSONFailure(reason) => no_credential(&reason),
        _ => wrong(),
    })?;
    let new = passkey::Model {
        id: Uuid::now_v7(),
        user_id: id.0,
        credential_id: made.cred_id().to_vec(),
        name,
        credential: serde_json::to_string(&made).map_err(ApiError::internal)?,
        created_at: now,
        last_used_at: None,
    };
    let tx = app.begin(act).await?;
    let Some(user) = accounts::repo::lock_user(&tx, act.account, id).await? else {
        return Err(Code::Unauthenticated.into());
    };
    if !repo::take_challenge(&tx, asked.id, asked.expires_at).await? {
        return Err(wrong());
    }
    check_is_room(repo::count(&tx, id).await?)?;
    let recovery_codes = codes::of_first_factor(&tx, id).await?;
    repo::insert(&tx, new.clone()).await.map_err(|error| match error.sql_err() {
        Some(SqlErr::UniqueConstraintViolation(_)) => {
            ApiError::conflict("credential", "This passkey is there already.")
        }
        _ => error.into(),
    })?;
    notify(&tx, &user, Notice::PasskeyAdded { name: new.name.clone() }, now).await?;
    tx.commit([Fact::created(&new)]).await?;
    Ok((new, recovery_codes))
}

/// Removes a passkey of the user who calls; with the last second factor the recovery codes, too.
pub(crate) async fn remove(app: &App, act: &Act, passkey: Uuid) -> Result<(), ApiError> {
    fresh_proof::check(app, &act.call).await?;
    let id = act.call.user()?;
    let tx = app.begin(act).await?;
    let user = accounts::repo::lock_user(&tx, act.account, id).await?.ok_or(Code::NotFound)?;
    let removed = repo::delete(&tx, id, passkey).await?.ok_or(Code::NotFound)?;
    notify(&tx, &user, Notice::PasskeyRemoved { name: removed.name.clone() }, app.clock.now()).await?;
    Ok(tx.commit([Fact::deleted(&removed)]).await?)
}

/// Asks the browser for a passkey that logs its user in. `first_step`: the challenge of a login that needs a second factor, whose user it
/// has to be; `None`: it says itself whose it is.
pub(crate) async fn start_login(app: &App, first_step: Option<&str>) -> Result<Challenge, ApiError> {
    let passkeys = passkeys(app)?;
    let (purpose, allowed) = match first_step {
        Some(first_step) => {
            let user = challenged(app, first_step).await?;
            (Purpose::SecondStep(user.id), allowed(app, UserId(user.id)).await?)
        }
        None => {
            check_signs_in(app)?;
            (Purpose::LogIn, Vec::new())
        }
    };
    passkeys.start_authentication(&app.user_tokens, purpose, &allowed, app.clock.now())
}

/// Asks the browser for a passkey of the user who calls.
pub(crate) async fn start_proof(app: &App, act: &Act) -> Result<Challenge, ApiError> {
    let passkeys = passkeys(app)?;
    let id = act.call.user()?;
    let allowed = allowed(app, id).await?;
    passkeys.start_authentication(&app.user_tokens, Purpose::Prove(id.0), &allowed, app.clock.now())
}

/// The credential ids of the user's passkeys. Fails with NOT_FOUND when there are none.
async fn allowed(app: &App, user: UserId) -> Result<Vec<Vec<u8>>, ApiError> {
    let ids = credential_ids(app, user).await?;
    if ids.is_empty() { Err(ApiError::new(Code::NotFound, "There is no passkey.")) } else { Ok(ids) }
}
