//! Work of each hour: the node tells others that it serves, and deletes expired data.

use std::{sync::Arc, time::Duration};

use entity::node;
use tokio::{task::spawn_blocking, time::sleep};
use tokio_util::sync::CancellationToken;

use crate::{
    app::{App, idempotent},
    base::{
        clock::{DAY, HOUR, Millis, day},
        error::ApiError,
        memory,
    },
    clicks::kept_damage,
    features::{self, billing, imports, webhooks},
    ingest,
    platform::{db::nodes, work::outbox},
    records::{self, billing::usage, sessions},
    redirect::invalidation,
};

/// How often idle rate limits are dropped and memory is given back, and how often to look whether the hourly sweep is due.
const HOUSEKEEPING: Duration = Duration::from_secs(60);
/// How long an outbox event is kept.
const OUTBOX_RETENTION: Millis = 30 * DAY;

/// Bytes of memory beyond the least so far from which on free memory is given back.
const GROWN: u64 = 32 << 20;
/// Bytes of clicks that wait from which on the connection that writes keeps its memory.
const BACKLOG: i64 = 16 << 20;

/// Drops idle rate limits and gives memory back every minute, and deletes expired data every hour, until `stop` is cancelled.
pub(super) async fn run(app: Arc<App>, stop: CancellationToken) {
    let mut next_sweep = app.clock.now();
    let mut least = u64::MAX;
    while !stop.is_cancelled() {
        app.limits.drop_idle();
        if let Err(error) = give_memory_back(&app, &mut least).await {
            tracing::warn!(%error, "Memory of connections to the database was not given back");
        }
        if app.clock.now() >= next_sweep {
            next_sweep = app.clock.now() + HOUR;
            // A full database takes no row, and has space again when expired data is deleted.
            if let Err(error) = tell(&app).await {
                tracing::warn!(%error, "Other nodes were not told of this one; the next try is in an hour");
            }
            if let Err(error) = sweep(&app).await {
                tracing::warn!(code = error.code.as_str(), "Sweeping failed; the next try is in an hour");
            }
        }
        stop.run_until_cancelled(sleep(HOUSEKEEPING)).await;
    }
}

/// Gives back the memory of connections that are not used any more; and, if the process has grown, what a backlog of clicks has left with
/// the one that writes, and all that is free. `least`: bytes of the process after the last time, or fewer since.
async fn give_memory_back(app: &App, least: &mut u64) -> Result<(), sea_orm::DbErr> {
    app.db.shrink_unused().await?;
    let Some(resident) = memory::resident() else { return Ok(()) };
    *least = resident.min(*least);
    if resident > *least + GROWN {
        if app.metrics.click_log_lag.get() < BACKLOG {
            app.db.shrink_write_cache().await?;
        }
        memory::trim();
        *least = memory::resident().unwrap_or(resident);
    }
    Ok(())
}

/// Says that this node serves.
async fn tell(app: &App) -> Result<(), sea_orm::DbErr> {
    let base_url = app.config.base_url.as_str().to_owned();
    nodes::tell(&app.db, node::Model { log_id: app.clicks.log.id(), base_url, seen_at: app.clock.now() }).await
}

/// Deletes expired data of all features.
async fn sweep(app: &App) -> Result<(), ApiError> {
    let now = app.clock.now();
    records::accounts::repo::delete_expired_resets(app.db.write(), now).await?;
    records::accounts::proof_repo::delete_expired(app.db.write(), now).await?;
    records::second_factors::passkey_repo::delete_expired(app.db.write(), now).await?;
    records::memberships::invitation_repo::delete_expired(app.db.write(), now).await?;
    records::transfers::repo::delete_expired(app.db.write(), now).await?;
    records::accounts::network_repo::delete_before(app.db.write(), now - features::accounts::known_networks::KEPT)
        .await?;
    sessions::repo::delete_expired(app.db.write(), now).await?;
    imports::ops::sweep(app, now).await?;
    invalidation::delete_old(&app.redirects).await?;
    billing::ops::sweep(app, now).await?;
    idempotent::sweep(app).await?;
    records::links::retired_repo::sweep(app.db.write(), now).await?;
    features::links::index::indexing::sweep(app).await?;
    while ingest::delete_visitors(&app.db, app.clock.now(), 5_000).await? {}
    usage::repo::delete_before(&app.db, day(now) - usage::KEPT_DAYS).await?;
    // Outbox events are deleted after the deliveries that refer to them.
    webhooks::delivery_ops::delete_before(app, now - OUTBOX_RETENTION).await?;
    outbox::delete_before(&app.db, now - OUTBOX_RETENTION).await?;
    let log = Arc::clone(&app.clicks.log);
    let deleted = spawn_blocking(move || kept_damage::delete_old(log.folder(), now)).await;
    deleted.map_err(ApiError::internal)?.map_err(ApiError::internal)
}
