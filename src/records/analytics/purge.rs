//! The request to delete the clicks of what is gone.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{base::ids::LinkId, platform::work::jobs::Job};

/// Delete the clicks of links that are gone and what they add up to, in small batches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PurgeClicks {
    pub(crate) links: Vec<Uuid>,
    /// The account, if it is gone too.
    #[serde(default)]
    pub(crate) account: Option<Uuid>,
    /// The day (in days since 1970) from which on sums are left to delete, when the clicks are gone. `None`: clicks may be left.
    #[serde(default)]
    pub(crate) from: Option<i32>,
}

impl Job for PurgeClicks {
    const NAME: &'static str = "purge_clicks";
}

impl PurgeClicks {
    /// The job for links alone.
    pub(crate) fn of(links: impl IntoIterator<Item = LinkId>) -> Self {
        PurgeClicks { links: links.into_iter().map(|link| link.0).collect(), account: None, from: None }
    }
}
