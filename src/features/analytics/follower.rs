//! On PostgreSQL a click may be stored by another node than those with listeners of its link. So each node reads, several times a
//! second, the clicks that were stored for links with listeners on it, and nothing without listeners.

use std::{sync::Arc, time::Duration};

use sea_orm::DbErr;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::{
    app::App,
    base::clock::{MINUTE, Millis},
    click_store,
};

/// How often to look.
const POLL: Duration = Duration::from_millis(250);
/// How long after it was made, in milliseconds, a click may be stored and still be published.
const LATE: Millis = MINUTE;
/// Clicks of one link that are published at a poll, at most: the newest.
const CLICKS: u64 = 100;
/// Links of one statement.
const LINKS: usize = 100;

/// Publishes other nodes' clicks until `stop` is cancelled. Does nothing on SQLite.
pub(crate) async fn run(app: Arc<App>, stop: CancellationToken) {
    if !app.db.is_shared() {
        return;
    }
    let mut is_behind = false;
    while !stop.is_cancelled() {
        match step(&app).await {
            Ok(()) => is_behind = false,
            Err(_) if is_behind => {}
            Err(error) => {
                is_behind = true;
                tracing::warn!(%error, "Clicks that other nodes store can't be read, nor sent to those that listen");
            }
        }
        stop.run_until_cancelled(sleep(POLL)).await;
    }
}

async fn step(app: &App) -> Result<(), DbErr> {
    for links in app.live.links().chunks(LINKS) {
        let clicks = click_store::newest(app.db.read(), links, app.clock.now() - LATE, CLICKS).await?;
        app.live.publish_found(clicks);
    }
    Ok(())
}
