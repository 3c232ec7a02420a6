//! The check of a code, the same for each operation that needs one, and the second step of a login.

use entity::user;

use super::codes::{Code, step_of};
use crate::{
    app::App,
    base::{
        error::{self, ApiError},
        ids::UserId,
    },
    features::accounts::{
        login::selected,
        notice::{Notice, notify},
    },
    platform::{
        http::rate_limit::{Key, Policy},
        work::audit::By,
    },
    records::{accounts, second_factors::repo},
};

/// The user of a challenge, with the code of the second factor. Fails as [`challenged`] and [`check`] do.
pub(crate) async fn confirm(app: &App, challenge: &str, code: &str) -> Result<user::Model, ApiError> {
    let user = challenged(app, challenge).await?;
    check(app, &user, code, By::user(UserId(user.id), "confirmSecondFactor")).await?;
    Ok(user)
}

/// The user of a challenge. Fails with UNAUTHENTICATED when it is unknown or expired, and with FORBIDDEN when the account is suspended.
pub(super) async fn challenged(app: &App, challenge: &str) -> Result<user::Model, ApiError> {
    let over = || ApiError::new(error::Code::Unauthenticated, "The challenge is unknown or has expired: log in again.");
    let subject = app.user_tokens.verify_challenge(challenge, app.clock.now()).ok_or_else(over)?;
    let user = accounts::repo::user_by_id(app.db.read(), subject.user).await?;
    let user = user.filter(|user| user.password_changed_at == subject.password_changed_at).ok_or_else(over)?;
    selected(app.db.read(), &user, None).await?;
    Ok(user)
}

/// Checks a code of the user's authenticator app, or a recovery code, and uses it up. Fails with INVALID_CREDENTIALS when it is wrong or used,
/// and with RATE_LIMITED after too many wrong ones.
pub(crate) async fn check(app: &App, user: &user::Model, code: &str, by: By) -> Result<(), ApiError> {
    let (id, now) = (UserId(user.id), app.clock.now());
    match Code::read(code) {
        Code::Totp(digits) => {
            let totp = repo::confirmed(app.db.read(), id).await?.ok_or_else(wrong)?;
            app.limits.take(Policy::SecondFactor, Key::from(id), 1).await?;
            let step = step_of(&totp.secret, &digits, now)?.ok_or_else(wrong)?;
            let tx = app.begin(by).await?;
            if !repo::take_step(&tx, id, step).await? {
                return Err(wrong());
            }
            tx.commit(None).await?;
            app.limits.settle(Policy::SecondFactor, Key::from(id).into(), -1);
        }
        // Not counted: nobody guesses 80 bits, and somebody whose codes others have used up gets in.
        Code::Recovery(hash) => {
            if !repo::has_code(app.db.read(), id, &hash).await? {
                return Err(wrong());
            }
            let tx = app.begin(by).await?;
            if !repo::take_code(&tx, id, &hash).await? {
                return Err(wrong());
            }
            notify(&tx, user, Notice::RecoveryCodeUsed, now).await?;
            tx.commit(None).await?;
        }
    }
    Ok(())
}

pub(super) fn wrong() -> ApiError {
    ApiError::new(error::Code::InvalidCredentials, "The code is wrong, or was used.")
}
