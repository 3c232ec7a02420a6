//! Rules of second factors.

use entity::totp;

use super::{
    check::{check, wrong},
    codes::{self, Code, step_of},
    passkeys,
};
use crate::{
    app::App,
    base::{
        clock::UnixMillis,
        error::{self, ApiError, Reason},
    },
    features::accounts::{
        fresh_proof,
        login::{Login, issue_token, selected},
        notice::{Notice, notify},
        owner,
        password_check::{has_password, verified},
    },
    platform::{
        auth::caller::Call,
        http::rate_limit::{Key, Policy},
        work::audit::{Act, Fact},
    },
    records::{accounts, second_factors::repo, sessions},
};

/// How a user proves to be the user.
pub(crate) struct Security {
    /// From when on logins need a code. `None`: they need none.
    pub(crate) totp_since: Option<UnixMillis>,
    /// Whether the user can log in with a password.
    pub(crate) has_password: bool,
    pub(crate) recovery_codes_left: u64,
    /// When the caller last proved to be the user.
    pub(crate) proved_at: UnixMillis,
}

pub(crate) async fn security(app: &App, call: &Call) -> Result<Security, ApiError> {
    let id = call.user()?;
    let totp = repo::confirmed(app.db.read(), id).await?;
    let recovery_codes_left = repo::count_codes(app.db.read(), id).await?;
    let has_password = has_password(app, &owner::user(app, call.account()?, id).await?);
    let proved_at = call.proved_at().unwrap_or_default();
    let totp_since = totp.and_then(|totp| totp.confirmed_at);
    Ok(Security { totp_since, has_password, recovery_codes_left, proved_at })
}

/// The secret of a new authenticator app, for people and for a QR code. Logins need its codes once it is confirmed.
pub(crate) async fn start(app: &App, act: &Act) -> Result<(String, String), ApiError> {
    fresh_proof::check_always(app, &act.call)?;
    let id = act.call.user()?;
    let secret = codes::new_secret()?;
    let tx = app.begin(act).await?;
    let Some(user) = accounts::repo::lock_user(&tx, act.account, id).await? else {
        return Err(error::Code::Unauthenticated.into());
    };
    if repo::confirmed(&tx, id).await?.is_some() {
        return Err(ApiError::new(error::Code::Conflict, "There is an authenticator app already: remove it first."));
    }
    let new = totp::Model {
        user_id: id.0,
        secret: secret.to_vec(),
        last_step: 0,
        created_at: app.clock.now(),
        confirmed_at: None,
    };
    let fact = Fact::created(&new);
    repo::replace_unconfirmed(&tx, new).await?;
    tx.commit([fact]).await?;
    codes::shown(&secret, app.config.base_url.host(), &user.email)
}

/// Confirms the new authenticator app by one of its codes, so that logins need it from now on. Answers the recovery codes.
pub(crate) async fn confirm(app: &App, act: &Act, code: &str) -> Result<Vec<String>, ApiError> {
    let (id, now) = (act.call.user()?, app.clock.now());
    let waiting = repo::totp(app.db.read(), id).await?.filter(|totp| totp.confirmed_at.is_none());
    let none =
        || ApiError::new(error::Code::NotFound, "No authenticator app waits to be confirmed: begin with startTotp.");
    let waiting = waiting.ok_or_else(none)?;
    app.limits.take(Policy::SecondFactor, Key::from(id), 1).await?;
    let Code::Totp(digits) = Code::read(code) else { return Err(wrong()) };
    let step = step_of(&waiting.secret, &digits, now)?.ok_or_else(wrong)?;
    let tx = app.begin(act).await?;
    let Some(user) = accounts::repo::lock_user(&tx, act.account, id).await? else {
        return Err(error::Code::Unauthenticated.into());
    };
    let shown = codes::of_first_factor(&tx, id).await?;
    if !repo::confirm(&tx, &waiting, step, now).await? {
        return Err(none());
    }
    notify(&tx, &user, Notice::SecondFactorAdded, now).await?;
    let confirmed = totp::Model { confirmed_at: Some(now), last_step: step, ..waiting.clone() };
    tx.commit([Fact::changed(&waiting, &confirmed)]).await?;
    app.limits.settle(Policy::SecondFactor, Key::from(id).into(), -1);
    Ok(shown)
}

/// Removes the authenticator app of the user who calls; with the last second factor the recovery codes, too.
pub(crate) async fn remove(app: &App, act: &Act) -> Result<(), ApiError> {
    fresh_proof::check(app, &act.call).await?;
    let id = act.call.user()?;
    let tx = app.begin(act).await?;
    let user = accounts::repo::lock_user(&tx, act.account, id).await?;
    let removed = repo::totp(&tx, id).await?.filter(|totp| totp.confirmed_at.is_some());
    let (Some(user), Some(removed)) = (user, removed) else {
        return Err(ApiError::new(error::Code::NotFound, "There is no authenticator app."));
    };
    repo::remove_totp(&tx, id).await?;
    notify(&tx, &user, Notice::SecondFactorRemoved, app.clock.now()).await?;
    Ok(tx.commit([Fact::deleted(&removed)]).await?)
}

/// Makes new recovery codes; those before are void.
pub(crate) async fn renew_codes(app: &App, act: &Act) -> Result<Vec<String>, ApiError> {
    fresh_proof::check(app, &act.call).await?;
    let id = act.call.user()?;
    let tx = app.begin(act).await?;
    let user = accounts::repo::lock_user(&tx, act.account, id).await?;
    let (Some(user), false) = (user, repo::factors(&tx, id).await?.is_empty()) else {
        return Err(ApiError::new(error::Code::NotFound, "There is no second factor."));
    };
    let shown = codes::replace(&tx, id).await?;
    notify(&tx, &user, Notice::RecoveryCodesRenewed, app.clock.now()).await?;
    tx.commit([Fact::changed(&user, &user)]).await?;
    Ok(shown)
}

/// Answers a fresh token to the user who calls, with a code of the second factor or what a passkey answered to its challenge, or where there
/// is neither with the password.
pub(crate) async fn confirm_access(
    app: &App,
    act: &Act,
    password: Option<&str>,
    code: Option<&str>,
    passkey: Option<(&str, &str)>,
) -> Result<Login, ApiError> {
    let (id, call) = (act.call.user()?, &act.call);
    let has_factor = !repo::factors(app.db.read(), id).await?.is_empty();
    let user = owner::user(app, act.account, id).await?;
    let user = match (has_factor, password, code, passkey) {
        (true, _, Some(_), Some(_)) => {
            return Err(ApiError::invalid_field("passkey", "takes the place of code: send one of them"));
        }
        (true, _, Some(code), None) => {
            check(app, &user, code, act.into()).await?;
            user
        }
        (true, _, None, Some((challenge, credential))) => {
            passkeys::check::prove(app, id, challenge, credential).await?;
            user
        }
        (true, _, None, None) => {
            return Err(ApiError::invalid_field("code", "is required, or passkey, since you have a second factor"));
        }
        (false, ..) if !has_password(app, &user) => {
            let message = "You have no password: sign in again by your company's identity provider.";
            return Err(ApiError::forbidden(Reason::ProofRequired, message));
        }
        (false, Some(password), ..) => verified(app, call, password).await?,
        (false, None, ..) => {
            let message = "is required, since you have no second factor";
            return Err(ApiError::invalid_field("currentPassword", message));
        }
    };
    let now = app.clock.now();
    let membership = selected(app.db.read(), &user, Some(act.account)).await?;
    if let Some(session) = call.session() {
        let tx = app.begin(act).await?;
        sessions::repo::set_proved(&tx, session, now).await?;
        tx.commit(None).await?;
    }
    issue_token(app, user, &membership, call.session(), now)
}
