//! The user and the account of a call, as they are stored.

use entity::{account, membership, user};
use sea_orm::ConnectionTrait;

use crate::{
    app::App,
    base::{
        error::{ApiError, Code},
        ids::{AccountId, UserId},
    },
    platform::auth::{
        caller::{Call, Caller},
        user_token::TokenSubject,
    },
    records::{accounts::repo, memberships, sessions},
};

/// Fails with UNAUTHENTICATED unless a user calls whose token is good, as [`check_token`] says.
pub(crate) async fn check_user(db: &impl ConnectionTrait, call: &Call) -> Result<(), ApiError> {
    match &call.caller {
        Caller::User(subject) => check_token(db, subject).await,
        _ => Err(Code::Unauthenticated.into()),
    }
}

/// Whether the token's user exists and still has the password that the token was made with, is a member of the account as the token
/// says, and its session has not ended.
pub(crate) async fn check_token(db: &impl ConnectionTrait, subject: &TokenSubject) -> Result<(), ApiError> {
    let member = memberships::repo::member(db, subject.account, subject.user).await?;
    let is_same = |membership: &membership::Model| match subject.membership_changed_at {
        // A token of an earlier version.
        0 => membership.changed_at == membership.created_at,
        changed_at => membership.id == subject.membership.0 && membership.changed_at == changed_at,
    };
    let is_good = member.is_some_and(|(membership, user)| {
        user.password_changed_at == subject.password_changed_at && is_same(&membership)
    }) && match subject.session {
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
