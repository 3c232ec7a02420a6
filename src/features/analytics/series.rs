//! Clicks by day of many links: one query for all that a page of links asks for.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use ::dataloader::BatchFn;
use async_graphql::Context;
use uuid::Uuid;

use crate::{
    app::App,
    base::{
        clock::{DAY, UnixMillis, day},
        error::ApiError,
        ids::{AccountId, LinkId},
    },
    clicks::day_document::{Counts, Slots},
    features::analytics::summary_types::SeriesPoint,
    graphql::load::{LoadKey, Loaded, answer, load},
    records::analytics::rollup_repo,
};

/// Days that a series has at most.
pub(crate) const MAX_DAYS: i32 = 365;
/// Documents of days that are read at once. One has up to 2 KB, and usually a tenth of that: of a page of 100 links, 40 days
/// are one statement.
const DOCUMENTS_AT_ONCE: usize = 4_000;

/// The last days of one link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SeriesKey {
    /// The link, which was read for the account.
    pub(crate) link: LinkId,
    /// How many days, today included.
    pub(crate) days: i32,
}

/// Days by when they begin, oldest first.
pub(crate) type Days = Arc<Vec<(UnixMillis, Counts)>>;

impl SeriesKey {
    /// Checks the number of days.
    pub(crate) fn new(link: LinkId, days: i32) -> Result<Self, ApiError> {
        if (1..=MAX_DAYS).contains(&days) {
            Ok(SeriesKey { link, days })
        } else {
            Err(ApiError::invalid_field("days", format!("must be between 1 and {MAX_DAYS}")))
        }
    }

    /// Loads the series as a nested field.
    pub(crate) async fn load(self, ctx: &Context<'_>) -> Result<Vec<SeriesPoint>, ApiError> {
        let days = load(ctx, self).await?;
        Ok(days.iter().map(|(start, counts)| SeriesPoint::new(*start, *counts, true)).collect())
    }
}

/// Loads series of links.
pub(crate) struct SeriesBatch {
    /// State that all requests share.
    pub(crate) app: Arc<App>,
}

impl SeriesBatch {
    async fn series(&self, keys: &[SeriesKey]) -> Result<HashMap<SeriesKey, Days>, ApiError> {
        let today = day(self.app.clock.now());
        let mut by_days: BTreeMap<i32, Vec<Uuid>> = BTreeMap::new();
        for key in keys {
            by_days.entry(key.days).or_default().push(key.link.0);
        }
        let mut loaded = HashMap::new();
        for (days, links) in by_days {
            let first = today - days + 1;
            let empty: Vec<_> = (first..=today).map(|day| (UnixMillis::from(day) * DAY, Counts::default())).collect();
            let at_once = DOCUMENTS_AT_ONCE / days.unsigned_abs() as usize;
            for links in links.chunks(at_once.max(1)) {
                let mut series: HashMap<Uuid, Vec<_>> = links.iter().map(|link| (*link, empty.clone())).collect();
                let documents = rollup_repo::slots(&self.app.db.scans(), links, (first, today)).await?;
                for (day, [link, slots]) in documents.rows()? {
                    let place = usize::try_from(day - i64::from(first)).map_err(ApiError::internal)?;
                    let link = Uuid::from_slice(link).map_err(ApiError::internal)?;
                    if let Some((_, sum)) = series.get_mut(&link).and_then(|days| days.get_mut(place)) {
                        let slots = Slots::decode(slots).map_err(ApiError::internal)?;
                        slots.0.iter().for_each(|(_, counts)| *sum += *counts);
                    }
                }
                let series = series.into_iter();
                loaded.extend(series.map(|(link, all)| (SeriesKey { link: LinkId(link), days }, Arc::new(all))));
            }
        }
        Ok(loaded)
    }
}

impl LoadKey for SeriesKey {
    type Value = Days;
    type Batch = SeriesBatch;

    fn batch(app: &Arc<App>, _: AccountId) -> SeriesBatch {
        SeriesBatch { app: Arc::clone(app) }
    }
}

impl BatchFn<SeriesKey, Loaded<Days>> for SeriesBatch {
    async fn load(&mut self, keys: &[SeriesKey]) -> HashMap<SeriesKey, Loaded<Days>> {
        answer(keys, self.series(keys).await, &Days::default())
    }
}
