//! Queries on accounts, users and reset tokens.

use entity::{account, membership, password_reset, user};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, DatabaseBackend, DbErr, EntityTrait,
    ExprTrait, QueryFilter, QuerySelect, QueryTrait, Select, sea_query::Expr,
};
use uuid::Uuid;

use crate::base::{
    clock::{DAY, Millis, UnixMillis},
    ids::{AccountId, UserId},
    tier::Plan,
};

/// How long after a downgrade the earlier plan still decides how long clicks are kept.
pub const CLICKS_GRACE: Millis = 30 * DAY;

/// The plan in force for the account: what it pays for, unless that has lapsed or the default plan allows more.
pub(crate) fn plan_of(account: &account::Model, default: Plan, now: UnixMillis) -> Plan {
    let paid = account.plan.as_deref().and_then(Plan::parse);
    let lapsed = account.plan_until.is_some_and(|until| until <= now);
    paid.filter(|_| !lapsed).map_or(default, |paid| paid.max(default))
}

/// The plan that decides how long the account's clicks are kept: the best one of the last [`CLICKS_GRACE`]. So a failed payment
/// or the end of a subscription does not delete clicks at once.
pub fn plan_of_clicks(account: &account::Model, default: Plan, now: UnixMillis) -> Plan {
    let earlier = account.earlier_plan.as_deref().and_then(Plan::parse);
    let counts = account.earlier_plan_until.is_some_and(|until| until > now);
    let plan = plan_of(account, default, now - CLICKS_GRACE);
    earlier.filter(|_| counts).map_or(plan, |earlier| earlier.max(plan))
}

/// Stores the plan that the account pays for from now on (`None`: none), and the time at which it lapses (`None`: never).
pub async fn set_plan(
    tx: &impl ConnectionTrait,
    account: &account::Model,
    plan: Option<Plan>,
    until: Option<UnixMillis>,
    now: UnixMillis,
) -> Result<(), DbErr> {
    let worse = plan.unwrap_or(Plan::Free) < plan_of(account, Plan::Free, now - CLICKS_GRACE);
    let before = plan_of_clicks(account, Plan::Free, now);
    account::Entity::update_many()
        .col_expr(
            account::Column::EarlierPlan,
            Expr::value(worse.then(|| before.as_str().to_owned()).or_else(|| account.earlier_plan.clone())),
        )
        .col_expr(
            account::Column::EarlierPlanUntil,
            Expr::value(if worse { Some(now + CLICKS_GRACE) } else { account.earlier_plan_until }),
        )
        .col_expr(account::Column::Plan, Expr::value(plan.map(|plan| plan.as_str().to_owned())))
        .col_expr(account::Column::PlanUntil, Expr::value(until))
        .filter(account::Column::Id.eq(account.id))
        .exec(tx)
        .await?;
    Ok(())
}

/// Selects an account, unless it is deleted and only its row is left until a job has deleted its links. The condition is on a column of the
/// row, which PostgreSQL evaluates again after it has waited for the row's lock.
fn existing(account: AccountId) -> Select<account::Entity> {
    account::Entity::find_by_id(account.0).filter(account::Column::DeletedAt.is_null())
}

pub(crate) async fn account(db: &impl ConnectionTrait, account: AccountId) -> Result<Option<account::Model>, DbErr> {
    existing(account).one(db).await
}

/// The account, locked until the transaction ends: what is counted against its limits can't change meanwhile.
pub(crate) async fn lock_account(
    tx: &impl ConnectionTrait,
    account: AccountId,
) -> Result<Option<account::Model>, DbErr> {
    existing(account).lock_exclusive().one(tx).await
}

/// Adds to the number of the account's links, unless this is true then. Answers whether it did.
pub(crate) async fn add_links(
    tx: &impl ConnectionTrait,
    account: AccountId,
    added: i64,
    unless: Option<Expr>,
) -> Result<bool, DbErr> {
    let counted = account::Entity::update_many()
        .col_expr(account::Column::LinkCount, Expr::col(account::Column::LinkCount).add(added))
        .filter(account::Column::Id.eq(account.0))
        .filter(Condition::all().add_option(unless.map(ExprTrait::not)))
        .exec(tx)
        .await?;
    Ok(counted.rows_affected > 0)
}

/// Stores a new account.
pub(crate) async fn insert_account(
    tx: &impl ConnectionTrait,
    id: AccountId,
    now: UnixMillis,
) -> Result<account::Model, DbErr> {
    let account = account::ActiveModel {
        id: Set(id.0),
        name: Set(None),
        plan: Set(None),
        plan_until: Set(None),
        earlier_plan: Set(None),
        earlier_plan_until: Set(None),
        link_count: Set(0),
        created_at: Set(now),
        updated_at: Set(now),
        suspended_at: Set(None),
        deleted_at: Set(None),
    };
    account.insert(tx).await
}

/// Marks the account as deleted while rows of its links are left.
pub(crate) async fn set_deleted(tx: &impl ConnectionTrait, account: AccountId, now: UnixMillis) -> Result<(), DbErr> {
    account::Entity::update_many()
        .col_expr(account::Column::DeletedAt, Expr::value(now))
        .filter(account::Column::Id.eq(account.0))
        .exec(tx)
        .await?;
    Ok(())
}

/// Locks the row of a deleted account until the transaction ends. Returns whether the row exists.
pub(crate) async fn lock_deleted(tx: &impl ConnectionTrait, account: AccountId) -> Result<bool, DbErr> {
    let deleted = account::Entity::find_by_id(account.0).filter(account::Column::DeletedAt.is_not_null());
    Ok(deleted.lock_exclusive().one(tx).await?.is_some())
}

/// Deletes the account's row and, through foreign keys, all that belongs to it.
pub(crate) async fn delete_account(tx: &impl ConnectionTrait, account: AccountId) -> Result<(), DbErr> {
    account::Entity::delete_by_id(account.0).exec(tx).await?;
    Ok(())
}

/// Stores a new user. A taken e-mail address violates a unique index.
pub(crate) async fn insert_user(tx: &impl ConnectionTrait, user: user::Model) -> Result<user::Model, DbErr> {
    let user: user::ActiveModel = user.into();
    user.reset_all().insert(tx).await
}

/// A user who is a member of the account.
fn member(account: AccountId, id: UserId) -> Select<user::Entity> {
    let membership = membership::Entity::find()
        .select_only()
        .column(membership::Column::Id)
        .filter(membership::Column::UserId.eq(id.0))
        .filter(membership::Column::AccountId.eq(account.0));
    user::Entity::find_by_id(id.0).filter(Expr::exists(membership.into_query()))
}

/// The user, if a member of the account.
pub(crate) async fn user(
    db: &impl ConnectionTrait,
    account: AccountId,
    id: UserId,
) -> Result<Option<user::Model>, DbErr> {
    member(account, id).one(db).await
}

/// The user, if a member of the account, locked until the transaction ends, so that concurrent changes are not lost.
pub(crate) async fn lock_user(
    tx: &impl ConnectionTrait,
    account: AccountId,
    id: UserId,
) -> Result<Option<user::Model>, DbErr> {
    member(account, id).lock_exclusive().one(tx).await
}

/// The user with this id, whatever the account: a session has no other.
pub(crate) async fn user_by_id(db: &impl ConnectionTrait, id: UserId) -> Result<Option<user::Model>, DbErr> {
    user::Entity::find_by_id(id.0).one(db).await
}

/// The user with this address, in lower case. Not scoped to an account: this is how the account is found.
pub async fn user_by_email(db: &impl ConnectionTrait, email: &str) -> Result<Option<user::Model>, DbErr> {
    user::Entity::find().filter(user::Column::Email.eq(email)).one(db).await
}

/// Whether anybody has registered.
pub(crate) async fn is_there_a_user(db: &impl ConnectionTrait) -> Result<bool, DbErr> {
    let any: Option<Uuid> =
        user::Entity::find().select_only().column(user::Column::Id).limit(1).into_tuple().one(db).await?;
    Ok(any.is_some())
}

/// Keeps others from storing users until the transaction ends. On SQLite it has done so from its begin.
pub(crate) async fn lock_users(tx: &impl ConnectionTrait) -> Result<(), DbErr> {
    if tx.get_database_backend() == DatabaseBackend::Postgres {
        tx.execute_unprepared("LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE").await?;
    }
    Ok(())
}

/// Stores the changed user.
pub(crate) async fn update_user(tx: &impl ConnectionTrait, user: user::Model) -> Result<user::Model, DbErr> {
    let user: user::ActiveModel = user.into();
    user.reset_all().update(tx).await
}

pub(crate) async fn delete_user(tx: &impl ConnectionTrait, id: UserId) -> Result<(), DbErr> {
    user::Entity::delete_by_id(id.0).exec(tx).await.map(drop)
}

/// Stores the account that the user's next login is to.
pub(crate) async fn set_selected(tx: &impl ConnectionTrait, user: UserId, account: AccountId) -> Result<(), DbErr> {
    user::Entity::update_many()
        .col_expr(user::Column::AccountId, Expr::value(account.0))
        .filter(user::Column::Id.eq(user.0))
        .exec(tx)
        .await
        .map(drop)
}

/// Stores another name of the account.
pub(crate) async fn set_name(
    tx: &impl ConnectionTrait,
    account: AccountId,
    name: Option<String>,
    updated_at: UnixMillis,
) -> Result<(), DbErr> {
    account::Entity::update_many()
        .col_expr(account::Column::Name, Expr::value(name))
        .col_expr(account::Column::UpdatedAt, Expr::value(updated_at))
        .filter(account::Column::Id.eq(account.0))
        .exec(tx)
        .await
        .map(drop)
}

/// Stores a reset token.
pub(crate) async fn insert_reset(
    tx: &impl ConnectionTrait,
    token_hash: Vec<u8>,
    user: UserId,
    expires_at: UnixMillis,
) -> Result<(), DbErr> {
    let reset = password_reset::ActiveModel {
        token_hash: Set(token_hash),
        user_id: Set(user.0),
        expires_at: Set(expires_at),
        used_at: Set(None),
    };
    // Not `insert`: there is nothing to read back.
    password_reset::Entity::insert(reset).exec_without_returning(tx).await?;
    Ok(())
}

/// The user whose password a reset token sets. `None`: the token is unknown, used or expired.
pub(crate) async fn user_of_reset(
    db: &impl ConnectionTrait,
    token_hash: &[u8],
    now: UnixMillis,
) -> Result<Option<user::Model>, DbErr> {
    let reset = password_reset::Entity::find_by_id(token_hash.to_vec())
        .filter(password_reset::Column::UsedAt.is_null())
        .filter(password_reset::Column::ExpiresAt.gt(now));
    let Some(reset) = reset.one(db).await? else { return Ok(None) };
    user::Entity::find_by_id(reset.user_id).one(db).await
}

/// Marks a live reset token as used, which succeeds once, and returns its user, locked. `None`: the token is unknown, used or
/// expired.
pub(crate) async fn use_reset(
    tx: &impl ConnectionTrait,
    token_hash: &[u8],
    now: UnixMillis,
) -> Result<Option<user::Model>, DbErr> {
    let Some(reset) = password_reset::Entity::find_by_id(token_hash.to_vec()).one(tx).await? else { return Ok(None) };
    // The user's row first, as when the user changes the password: the order of locks is the same everywhere.
    let user = user::Entity::find_by_id(reset.user_id).lock_exclusive().one(tx).await?;
    let used = password_reset::Entity::update_many()
        .col_expr(password_reset::Column::UsedAt, Expr::value(now))
        .filter(password_reset::Column::TokenHash.eq(token_hash))
        .filter(password_reset::Column::UsedAt.is_null())
        .filter(password_reset::Column::ExpiresAt.gt(now))
        .exec(tx)
        .await?;
    Ok(user.filter(|_| used.rows_affected > 0))
}

/// Deletes all reset tokens of the user.
pub(crate) async fn delete_resets(tx: &impl ConnectionTrait, user: UserId) -> Result<(), DbErr> {
    password_reset::Entity::delete_many().filter(password_reset::Column::UserId.eq(user.0)).exec(tx).await?;
    Ok(())
}

/// Deletes reset tokens that expired before.
pub(crate) async fn delete_expired_resets(db: &impl ConnectionTrait, before: UnixMillis) -> Result<u64, DbErr> {
    let expired = password_reset::Column::ExpiresAt.lt(before);
    Ok(password_reset::Entity::delete_many().filter(expired).exec(db).await?.rows_affected)
}
