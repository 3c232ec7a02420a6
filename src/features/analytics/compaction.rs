//! Clicks that are days old move from rows into blocks.

use std::{sync::Arc, time::Instant};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    app::{
        App,
        jobs::{PURGE, Run},
    },
    base::{
        clock::{DAY, Millis},
        error::ApiError,
    },
    click_store::compaction_repo::{compact, links_after, settled_before, with_enough},
    platform::work::{
        audit::By,
        jobs::{Done, Job, Lane, TURN},
    },
};

/// Links that are looked at by one statement.
const AT_ONCE: u64 = 500;
/// How often all links are looked at.
const INTERVAL: Millis = DAY;

/// Make blocks of clicks that no longer change, link by link, again and again. There is one such job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CompactClicks {
    /// The last link that is done with. `None`: it begins.
    link: Option<Uuid>,
}

impl Job for CompactClicks {
    const NAME: &'static str = "compact_clicks";
}

impl Run for CompactClicks {
    const LANE: Lane = PURGE;

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        let (began, now) = (Instant::now(), app.clock.now());
        let mut done = self.link;
        let go_on = |link, at| Ok(Done::Next(CompactClicks { link }.stored()?, at));
        loop {
            let links = links_after(app.db.read(), done, AT_ONCE).await?;
            let Some(last) = links.last().copied() else {
                return go_on(None, now + INTERVAL);
            };
            let before = settled_before(app.db.read(), now).await?;
            let mut enough = with_enough(app.db.read(), &links, before, now).await?;
            enough.sort_unstable();
            for link in enough {
                loop {
                    // Each is a transaction of its own: others write in between.
                    let tx = app.begin(By::service(CompactClicks::NAME)).await?;
                    let has_more = compact(&tx, link, before).await?;
                    tx.commit(None).await?;
                    if began.elapsed() >= TURN {
                        return go_on(done, now);
                    }
                    if !has_more {
                        break;
                    }
                }
                done = Some(link);
            }
            done = Some(last);
            if began.elapsed() >= TURN {
                return go_on(done, now);
            }
        }
    }
}
