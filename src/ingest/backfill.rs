//! Counts clicks that were stored before there were roll-ups into these, once, before any new click is ingested.

use entity::click;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Value,
    sea_query::{LockBehavior, LockType},
};

use super::{
    rollup::roll_up,
    store::{count_clicks, count_usage},
};
use crate::{app::App, base::error::ApiError, platform::db::on_rows, records::analytics::backfill_repo::is_pending};

/// Counts at most `most` of them, oldest first. Returns whether it found any.
pub(super) async fn step(app: &App, most: usize) -> Result<bool, ApiError> {
    if !is_pending(app.db.read()).await? {
        return Ok(false);
    }
    let tx = app.db.begin().await?;
    let mut clicks = click::Entity::find()
        .filter(click::Column::NewToLink.is_null())
        .order_by_asc(click::Column::ClickedAt)
        .order_by_asc(click::Column::LinkId)
        .order_by_asc(click::Column::Id)
        .limit(most as u64)
        .lock_with_behavior(LockType::Update, LockBehavior::SkipLocked)
        .all(&tx)
        .await?;
    if clicks.is_empty() {
        // Another node counts the last ones.
        return Ok(false);
    }
    // The links' counts include these clicks, so that 0 is added: the call is for the owners and the locks.
    let (owners, _) = count_clicks(&tx, &clicks, 0).await?;
    let backend = tx.get_database_backend();
    let key = |click: &click::Model| [Value::from(click.link_id), click.clicked_at.into(), click.id.into()];
    let (kept, gone): (Vec<_>, Vec<_>) = clicks.into_iter().partition(|click| owners.contains_key(&click.link_id));
    clicks = kept;
    count_usage(&tx, &clicks, &owners, 0).await?;
    // No click is of the day `i32::MAX`, so that all additions are merged at once.
    roll_up(&tx, &mut clicks, &owners, i32::MAX).await?;
    let counted = clicks
        .iter()
        .map(|click| {
            let [link, clicked_at, id] = key(click);
            let new = [click.new_to_link, click.new_to_account].map(Option::unwrap_or_default);
            [link, clicked_at, id, new[0].into(), new[1].into()]
        })
        .collect();
    let mark = |rows: &str| {
        format!(
            "UPDATE clicks SET new_to_link = r.column4, new_to_account = r.column5 FROM {rows} AS r \
             WHERE clicks.link_id = r.column1 AND clicks.clicked_at = r.column2 AND clicks.id = r.column3"
        )
    };
    let mut statements = on_rows(backend, ["uuid", "bigint", "uuid", "boolean", "boolean"], counted, mark);
    // Clicks of a deleted link are not counted: they would be deleted soon anyway.
    let delete =
        |rows: &str| format!("DELETE FROM clicks WHERE (link_id, clicked_at, id) IN (SELECT * FROM {rows} AS r)");
    statements.extend(on_rows(backend, ["uuid", "bigint", "uuid"], gone.iter().map(key).collect(), delete));
    for statement in statements {
        tx.execute_raw(statement).await?;
    }
    tx.commit().await?;
    Ok(true)
}
