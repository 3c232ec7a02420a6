//! The user and the account of a call, as they are stored.

use entity::{account, user};
use sea_orm::ConnectionTrait;

use crate::{
    app::App,
    base::{
        error::{ApiError, Code},
        ids::{AccountId, UserId},
    },
    platform::auth::user_token::TokenSubject,
    records::{accounts::repo, sessions},
};

/// Whether the token's user exists and still has the password that the token was made with, and its session has not ended.
pub(crate) async fn check_token(db: &impl ConnectionTrait, subject: &TokenSubject) -> Result<(), ApiError> {
    let user = repo::user(db, subject.account, subject.user).await?;
    let is_good = user.is_some_and(|user| user.password_changed_at == subject.password_changed_at)
        && match subject.session {
            Some(session) => sessions::repo::exists(db, session).await?,
            None => true,
        };
    if is_good { Ok(()) } else { Err(Code::Unauthenticated.into()) }
}

pub(crate) async fn user(app: &App, account: AccountId, id: UserId) -> Result<user::Model, ApiError> {
    repo::user(app.db.read(), account, id).await?.ok_or_else(|| Code::Unauthenticated.into())
}

pub(crate) async fn account(app: &App, id: AccountId) -> Result<account::Model, ApiError> {
    repo::account(app.db.read(), id).await?.ok_or_else(|| Code::Unauthenticated.into())
}
