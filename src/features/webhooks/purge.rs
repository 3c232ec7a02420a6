//! The deliveries of webhooks that are gone.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use uuid::Uuid;

use crate::{
    app::{
        App,
        jobs::{PURGE, Run},
    },
    base::error::ApiError,
    platform::work::jobs::{Done, Job, Lane, TURN},
    records::webhooks::delivery_repo,
};

/// Deliveries deleted at once, each with up to a hundred events of its batch.
pub(super) const PURGE_BATCH: u64 = 200;

/// Delete the deliveries of webhooks that are gone, in small batches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PurgeDeliveries {
    pub(crate) webhooks: Vec<Uuid>,
}

impl Job for PurgeDeliveries {
    const NAME: &'static str = "purge_deliveries";
}

impl Run for PurgeDeliveries {
    const LANE: Lane = PURGE;

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        let began = Instant::now();
        while delivery_repo::purge(&app.db, &self.webhooks, PURGE_BATCH).await? > 0 {
            if began.elapsed() >= TURN {
                return Ok(Done::Again(app.clock.now()));
            }
        }
        Ok(Done::Finished)
    }
}
