//! Counts clicks that were stored before there were roll-ups into these, once, before any new click is ingested.

use super::{
    rollup::roll_up,
    store::{count_clicks, count_usage},
};
use crate::{
    app::App,
    base::error::ApiError,
    click_store::{is_pending, note_counted, pending},
};

/// Counts at most `most` of them, oldest first. Returns whether it found any.
pub(super) async fn step(app: &App, most: usize) -> Result<bool, ApiError> {
    if !is_pending(app.db.read()).await? {
        return Ok(false);
    }
    let tx = app.db.begin().await?;
    let clicks = pending(&tx, most as u64).await?;
    if clicks.is_empty() {
        // Another node counts the last ones.
        return Ok(false);
    }
    // The links' counts include these clicks, so that 0 is added: the call is for the owners and the locks.
    let (owners, _) = count_clicks(&tx, &clicks, 0).await?;
    let (mut clicks, gone): (Vec<_>, Vec<_>) =
        clicks.into_iter().partition(|click| owners.contains_key(&click.link_id));
    count_usage(&tx, &clicks, &owners, 0).await?;
    // No click is of the day `i32::MAX`, so that all additions are merged at once.
    roll_up(&tx, &mut clicks, &owners, i32::MAX).await?;
    // Clicks of a deleted link are not counted: they would be deleted soon anyway.
    note_counted(&tx, &clicks, &gone).await?;
    tx.commit().await?;
    Ok(true)
}
