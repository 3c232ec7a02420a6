//! Counts redirects of links that have a limit. Each is counted in the database before the response: a crash in between wastes one,
//! and no node ever exceeds the limit. Concurrent redirects are counted in one transaction.

use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc, time::Duration};
use uuid::Uuid;

use tokio::time::timeout;

use crate::{
    base::{
        error::ApiError,
        ids::{AccountId, LinkId},
    },
    platform::work::jobs::{self, Job},
    redirect::{
        Redirects,
        cache::Site,
        invalidation, limit_repo as repo,
        limits::{Use, Used},
        stale::Stale,
    },
};

/// Record the event of a link whose limit of clicks is used up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AnnounceUsedUpLink {
    pub(crate) account: Uuid,
    pub(crate) link: Uuid,
}

impl Job for AnnounceUsedUpLink {
    const NAME: &'static str = "announce_used_up_link";
}

/// How long a visitor waits for the count: with the lookups of host and link less than 8 seconds.
const TIMEOUT: Duration = Duration::from_millis(2_500);

/// Counts a redirect of a link. One that has no limit any longer, or is gone, is evicted: the caller looks it up again. Fails as
/// unavailable when the database does not answer in time; it may be counted then.
pub(super) async fn count(
    redirects: &Arc<Redirects>,
    (link, account): (LinkId, AccountId),
    site: Option<Site<'_>>,
    slug: &str,
) -> Result<Used, ApiError> {
    let host = site.map_or("", |site| site.host).to_owned();
    let counted = Use { link, account, host, slug: slug.to_owned() };
    let counting = Arc::clone(redirects);
    let used = redirects.uses.ask(counted, move |uses| count_all(Arc::clone(&counting), uses));
    let used = timeout(TIMEOUT, used).await.unwrap_or_else(|_| Err(ApiError::unavailable()))?;
    if used == Used::Unlimited {
        redirects.cache.evict(site.unwrap_or(Site::own(account)), slug);
    }
    Ok(used)
}

/// Counts redirects, in one transaction, as far as limits allow: of several of a link, those that came first. All nodes evict a link
/// whose limit is used up by this, so that the next request reads its state from the database.
async fn count_all(redirects: Arc<Redirects>, uses: Vec<Use>) -> Result<Vec<Used>, ApiError> {
    let mut by_link: BTreeMap<Uuid, Vec<usize>> = BTreeMap::new();
    for (place, one) in uses.iter().enumerate() {
        by_link.entry(one.link.0).or_default().push(place);
    }
    let now = redirects.clock.now();
    let tx = redirects.db.begin().await?;
    let mut used = vec![Used::Unlimited; uses.len()];
    let (mut granted, mut stale) = (Vec::new(), Vec::new());
    for limit in repo::lock(&tx, by_link.keys().copied().collect()).await? {
        let places = by_link.get(&limit.link_id).map(Vec::as_slice).unwrap_or_default();
        let free = usize::try_from(limit.max_clicks - limit.used_clicks).unwrap_or_default();
        let (first, rest) = places.split_at(free.min(places.len()));
        first.iter().for_each(|place| used[*place] = Used::Granted);
        rest.iter().for_each(|place| used[*place] = Used::Refused);
        let Some(last) = first.last().map(|place| &uses[*place]) else { continue };
        granted.push((limit.link_id, i64::try_from(first.len()).unwrap_or(i64::MAX)));
        if first.len() == free {
            stale.push(Stale::link(Site::exact(&last.host, last.account), &last.slug));
            let job = AnnounceUsedUpLink { account: last.account.0, link: last.link.0 };
            jobs::enqueue(&tx, job.stored()?, Some(last.account), now).await?;
        }
    }
    if granted.is_empty() {
        tx.rollback().await?;
        return Ok(used);
    }
    repo::add(&tx, granted).await?;
    invalidation::commit(&redirects, tx, &stale).await?;
    if !stale.is_empty() {
        redirects.jobs_due.notify_waiters();
    }
    Ok(used)
}
