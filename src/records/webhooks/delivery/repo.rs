//! The workers' queries, over all accounts. The API's are in `webhooks`.

use std::collections::HashSet;

use entity::{account, delivery, delivery_attempt, webhook};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, ExprTrait, QueryFilter, QueryOrder,
    QuerySelect, QueryTrait, Select, Value,
    sea_query::{Expr, LockBehavior, LockType, NullOrdering, OnConflict, Order},
};
use uuid::Uuid;

use super::Status;
use crate::{
    base::clock::UnixMillis,
    platform::{
        db::{Db, ROWS_PER_STATEMENT, Transaction, on_rows},
        work::event_kind::EventKind,
    },
};

/// Selects webhooks and locks them until the transaction ends, in the order of their ids, as all transactions do.
fn locked(which: Condition) -> Select<webhook::Entity> {
    webhook::Entity::find().filter(which).order_by_asc(webhook::Column::Id).lock_exclusive()
}

/// The active webhooks of these accounts, and these others, locked until the transaction ends.
pub(crate) async fn lock_webhooks(
    tx: &impl ConnectionTrait,
    accounts: impl IntoIterator<Item = Uuid>,
    others: impl IntoIterator<Item = Uuid>,
) -> Result<Vec<webhook::Model>, DbErr> {
    let active = some(webhook::Column::AccountId, accounts).map(|these| these.and(webhook::Column::IsActive.eq(true)));
    let Some(these) = either(active, some(webhook::Column::Id, others)) else { return Ok(Vec::new()) };
    locked(these).all(tx).await
}

/// Rows with one of these values. `None`: no value is given; what stands for none in SQL would hide the index of what else is asked for.
fn some(column: webhook::Column, values: impl IntoIterator<Item = Uuid>) -> Option<Expr> {
    let values: Vec<Uuid> = values.into_iter().collect();
    (!values.is_empty()).then(|| column.is_in(values))
}

/// Rows that meet one of two conditions. `None`: there is no condition, which SQL would take for all rows.
fn either(one: Option<Expr>, other: Option<Expr>) -> Option<Condition> {
    (one.is_some() || other.is_some()).then(|| Condition::any().add_option(one).add_option(other))
}

/// Locks the webhooks whose number of failures changes by these results, and returns them: all that failed, and those that succeeded after
/// failures. The others are not locked, so that results of healthy webhooks and fan-out do not wait for each other.
pub(crate) async fn lock_counted(
    tx: &impl ConnectionTrait,
    succeeded: impl IntoIterator<Item = Uuid>,
    failed: impl IntoIterator<Item = Uuid>,
) -> Result<Vec<Uuid>, DbErr> {
    let recovered = some(webhook::Column::Id, succeeded).map(|these| these.and(webhook::Column::Failures.gt(0)));
    let Some(counted) = either(recovered, some(webhook::Column::Id, failed)) else { return Ok(Vec::new()) };
    locked(counted).select_only().column(webhook::Column::Id).into_tuple().all(tx).await
}

/// The active webhooks of these accounts that ask for the event.
pub(crate) async fn listening(
    db: &impl ConnectionTrait,
    kind: EventKind,
    accounts: impl IntoIterator<Item = Uuid>,
) -> Result<Vec<webhook::Model>, DbErr> {
    webhook::Entity::find()
        .filter(webhook::Column::AccountId.is_in(accounts))
        .filter(webhook::Column::IsActive.eq(true))
        .filter(webhook::Column::Events.contains(kind.as_str()))
        .all(db)
        .await
}

/// Stores new deliveries; an event that a webhook has already is left as it is.
pub(crate) async fn insert(tx: &impl ConnectionTrait, deliveries: &[delivery::Model]) -> Result<(), DbErr> {
    for deliveries in deliveries.chunks(ROWS_PER_STATEMENT) {
        let rows = deliveries.iter().map(|delivery| delivery::ActiveModel::from(delivery.clone()).reset_all());
        let known =
            OnConflict::columns([delivery::Column::WebhookId, delivery::Column::EventId]).do_nothing().to_owned();
        delivery::Entity::insert_many(rows).on_conflict(known).exec_without_returning(tx).await?;
    }
    Ok(())
}

/// Notes that these webhooks have something to deliver now.
pub(crate) async fn wake(
    tx: &impl ConnectionTrait,
    webhooks: impl IntoIterator<Item = Uuid>,
    now: UnixMillis,
) -> Result<(), DbErr> {
    let later = Condition::any().add(webhook::Column::NextDueAt.is_null()).add(webhook::Column::NextDueAt.gt(now));
    webhook::Entity::update_many()
        .col_expr(webhook::Column::NextDueAt, Expr::value(now))
        .filter(webhook::Column::Id.is_in(webhooks))
        .filter(later)
        .exec(tx)
        .await?;
    Ok(())
}

/// Active webhooks that no node has a lease of.
fn free(now: UnixMillis) -> Select<webhook::Entity> {
    let free = Condition::any().add(webhook::Column::LeasedUntil.is_null()).add(webhook::Column::LeasedUntil.lte(now));
    let active = webhook::Entity::find().select_only().filter(webhook::Column::IsActive.eq(true));
    active.filter(is_of_active_account()).filter(free)
}

/// When the first of the webhooks without a lease has something to deliver; `None`: none has.
pub(crate) async fn next_due(db: &impl ConnectionTrait, now: UnixMillis) -> Result<Option<UnixMillis>, DbErr> {
    let waiting = free(now).column(webhook::Column::NextDueAt).filter(webhook::Column::NextDueAt.is_not_null());
    waiting.order_by_asc(webhook::Column::NextDueAt).limit(1).into_tuple().one(db).await
}

/// Takes a lease on webhooks that have something to deliver, those first that were served longest ago.
pub(crate) async fn claim(
    db: &Db,
    node: Uuid,
    now: UnixMillis,
    until: UnixMillis,
    limit: u64,
) -> Result<Vec<Uuid>, DbErr> {
    let tx = db.begin().await?;
    let ids: Vec<Uuid> = free(now)
        .column(webhook::Column::Id)
        .filter(webhook::Column::NextDueAt.lte(now))
        .order_by_with_nulls(webhook::Column::LeasedUntil, Order::Asc, NullOrdering::First)
        .limit(limit)
        .lock_with_behavior(LockType::Update, LockBehavior::SkipLocked)
        .into_tuple()
        .all(&tx)
        .await?;
    // With an empty list of ids, the update would read the whole table.
    if ids.is_empty() {
        return Ok(ids);
    }
    webhook::Entity::update_many()
        .col_expr(webhook::Column::LeasedUntil, Expr::value(until))
        .col_expr(webhook::Column::LeasedBy, Expr::value(node))
        .filter(webhook::Column::Id.is_in(ids.iter().copied()))
        .exec(&tx)
        .await?;
    tx.commit().await?;
    Ok(ids)
}

/// The webhook, if it is active and the node has its lease.
pub(crate) async fn leased(db: &impl ConnectionTrait, id: Uuid, node: Uuid) -> Result<Option<webhook::Model>, DbErr> {
    let leased = webhook::Entity::find_by_id(id).filter(webhook::Column::LeasedBy.eq(node));
    leased.filter(webhook::Column::IsActive.eq(true)).filter(is_of_active_account()).one(db).await
}

/// Whether the webhook's account is not suspended: while it is, deliveries wait.
fn is_of_active_account() -> Expr {
    let suspended = account::Entity::find()
        .select_only()
        .column(account::Column::Id)
        .filter(Expr::col((account::Entity, account::Column::Id)).equals((webhook::Entity, webhook::Column::AccountId)))
        .filter(account::Column::SuspendedAt.is_not_null());
    Expr::exists(suspended.into_query()).not()
}

/// Gives a lease back and notes when the webhook's next delivery is due.
pub(crate) async fn release(db: &Db, id: Uuid, node: Uuid, now: UnixMillis) -> Result<(), DbErr> {
    let tx = db.begin().await?;
    // Locked before the due time is read, so that deliveries that are added meanwhile are seen.
    let leased = webhook::Entity::find_by_id(id).filter(webhook::Column::LeasedBy.eq(node));
    let Some(webhook) = leased.lock_exclusive().one(&tx).await? else { return Ok(()) };
    let next_due_at = if webhook.is_active { first_due(&tx, id).await? } else { None };
    webhook::Entity::update_many()
        .col_expr(webhook::Column::NextDueAt, Expr::value(next_due_at))
        .col_expr(webhook::Column::LeasedUntil, Expr::value(now))
        .col_expr(webhook::Column::LeasedBy, Expr::value(None::<Uuid>))
        .filter(webhook::Column::Id.eq(id))
        .exec(&tx)
        .await?;
    tx.commit().await
}

/// When the webhook's first delivery is due.
pub(crate) async fn first_due(tx: &impl ConnectionTrait, webhook: Uuid) -> Result<Option<UnixMillis>, DbErr> {
    let open = delivery::Entity::find()
        .select_only()
        .column(delivery::Column::DueAt)
        .filter(delivery::Column::WebhookId.eq(webhook))
        .filter(delivery::Column::DueAt.is_not_null());
    open.order_by_asc(delivery::Column::DueAt).limit(1).into_tuple().one(tx).await
}

/// Gives back all leases of the node but these.
pub(crate) async fn release_all_but(db: &impl ConnectionTrait, node: Uuid, held: Vec<Uuid>) -> Result<(), DbErr> {
    webhook::Entity::update_many()
        .col_expr(webhook::Column::LeasedUntil, Expr::value(None::<UnixMillis>))
        .col_expr(webhook::Column::LeasedBy, Expr::value(None::<Uuid>))
        .filter(webhook::Column::LeasedBy.eq(node))
        .filter(webhook::Column::Id.is_not_in(held))
        .exec(db)
        .await?;
    Ok(())
}

/// The webhook's deliveries that are due, the longest waiting first.
pub(crate) async fn due(
    db: &impl ConnectionTrait,
    webhook: Uuid,
    now: UnixMillis,
    limit: u64,
) -> Result<Vec<delivery::Model>, DbErr> {
    delivery::Entity::find()
        .filter(delivery::Column::WebhookId.eq(webhook))
        .filter(delivery::Column::DueAt.lte(now))
        .order_by_asc(delivery::Column::DueAt)
        .limit(limit)
        .all(db)
        .await
}

/// A delivery after an attempt.
#[derive(Clone, Debug)]
pub(crate) struct Advance {
    pub(crate) id: Uuid,
    /// Attempts made.
    pub(crate) attempts: i32,
    /// Tries when the attempt began. If a redelivery has reset them meanwhile, its new schedule is kept.
    pub(crate) tries_before: i32,
    /// Status after the attempt.
    pub(crate) status: Status,
    /// When the next attempt is due.
    pub(crate) due_at: Option<UnixMillis>,
    pub(crate) completed_at: Option<UnixMillis>,
}

/// Stores the results of attempts in one statement. Returns the ids of the deliveries that still exist.
pub(crate) async fn advance(tx: &Transaction, changes: &[Advance]) -> Result<HashSet<Uuid>, DbErr> {
    let rows = changes
        .iter()
        .map(|change| {
            // Zero stands for no time.
            let time = |time: Option<UnixMillis>| Value::from(time.unwrap_or_default());
            [
                Value::from(change.id),
                change.attempts.into(),
                change.tries_before.into(),
                change.status.as_str().into(),
                time(change.due_at),
                time(change.completed_at),
            ]
        })
        .collect();
    let sql = |rows: &str| {
        format!(
            "UPDATE deliveries SET attempts = v.column2, \
             tries = CASE WHEN tries = v.column3 THEN tries + 1 ELSE tries END, \
             status = CASE WHEN tries = v.column3 THEN v.column4 ELSE status END, \
             due_at = CASE WHEN tries = v.column3 THEN nullif(v.column5, 0) ELSE due_at END, \
             completed_at = CASE WHEN tries = v.column3 THEN nullif(v.column6, 0) ELSE completed_at END \
             FROM {rows} AS v WHERE deliveries.id = v.column1 RETURNING deliveries.id"
        )
    };
    let types = ["uuid", "int", "int", "text", "bigint", "bigint"];
    let mut existing = HashSet::new();
    for statement in on_rows(tx.get_database_backend(), types, rows, sql) {
        for row in tx.query_all_raw(statement).await? {
            existing.insert(row.try_get_by_index(0)?);
        }
    }
    Ok(existing)
}

pub(crate) async fn insert_attempts(
    tx: &impl ConnectionTrait,
    attempts: Vec<delivery_attempt::Model>,
) -> Result<(), DbErr> {
    for attempts in attempts.chunks(ROWS_PER_STATEMENT) {
        let rows = attempts.iter().map(|attempt| delivery_attempt::ActiveModel::from(attempt.clone()).reset_all());
        // Two nodes may make one attempt, when the first had lost its lease.
        let known = [delivery_attempt::Column::DeliveryId, delivery_attempt::Column::Number];
        let known = OnConflict::columns(known).do_nothing().to_owned();
        delivery_attempt::Entity::insert_many(rows).on_conflict(known).exec_without_returning(tx).await?;
    }
    Ok(())
}

/// Resets the failures of webhooks that succeeded. They must be locked.
pub(crate) async fn note_success(
    tx: &impl ConnectionTrait,
    webhooks: impl IntoIterator<Item = Uuid>,
) -> Result<(), DbErr> {
    webhook::Entity::update_many()
        .col_expr(webhook::Column::Failures, Expr::value(0))
        .col_expr(webhook::Column::FailingSince, Expr::value(None::<UnixMillis>))
        .filter(webhook::Column::Id.is_in(webhooks))
        .filter(webhook::Column::Failures.gt(0))
        .exec(tx)
        .await?;
    Ok(())
}

/// Adds failures to a webhook, the first of which was at `since`. It must be locked. Returns the updated webhook.
pub(crate) async fn note_failures(
    tx: &Transaction,
    webhook: Uuid,
    failures: i32,
    since: UnixMillis,
) -> Result<Option<webhook::Model>, DbErr> {
    let Some(before) = webhook::Entity::find_by_id(webhook).lock_exclusive().one(tx).await? else { return Ok(None) };
    let after = webhook::Model {
        failures: before.failures.saturating_add(failures),
        failing_since: before.failing_since.or(Some(since)),
        ..before
    };
    webhook::Entity::update_many()
        .col_expr(webhook::Column::Failures, Expr::value(after.failures))
        .col_expr(webhook::Column::FailingSince, Expr::value(after.failing_since))
        .filter(webhook::Column::Id.eq(webhook))
        .exec(tx)
        .await?;
    Ok(Some(after))
}
