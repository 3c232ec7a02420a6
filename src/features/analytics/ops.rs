//! Rules of analytics.

use entity::click;
use std::sync::Arc;
use tokio::time::Instant;
use uuid::Uuid;

use crate::{
    app::{
        App,
        jobs::{PURGE, Run},
    },
    base::{
        clock::{DAY, UnixMillis},
        error::ApiError,
        ids::{AccountId, LinkId},
        page::{PageArgs, Selected},
    },
    clicks::day_document::{Counts, DIMENSIONS, LinkBytes, SLOT},
    features::links,
    platform::{
        db::{ROWS_PER_STATEMENT, Snapshot},
        work::jobs::{Done, Job, Lane, TURN},
    },
    records::analytics::{
        backfill_repo::is_pending,
        buckets::{Calendar, days_before},
        purge::PurgeClicks,
        reading::{Reading, months_of},
        repo::{self, ClickFilter},
        rollup_repo,
        summary::{MAX_POINTS, Timeline, Top, TopCounter, day},
    },
};

/// Most clicks that a page skips with `OFFSET`; beyond, roll-ups tell where the page begins.
const SKIPPED: u64 = 1_000;

/// One page of a link's clicks, and their number; each only if selected.
pub(crate) async fn list(
    app: &App,
    account: AccountId,
    link: LinkId,
    mut filter: ClickFilter,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<click::Model>, i64), ApiError> {
    let link_row = links::lookup::link(app, account, link).await?;
    // Ingest and retention update these numbers in the transactions that store and delete clicks.
    let stored = link_row.click_count - link_row.expired_clicks;
    let is_all = filter == ClickFilter::default();
    let mut offset = page.offset();
    if (is_all || !selected.total) && (!selected.items || offset <= SKIPPED) {
        let db = if is_all { app.db.read().clone() } else { app.db.scans() };
        let clicks = match selected.items {
            true => repo::page(&db, account, link, filter, (offset, page.limit())).await?,
            false => Vec::new(),
        };
        return Ok((clicks, stored));
    }
    let db = app.db.snapshot().await?;
    db.reading(async {
        let known = known_clicks(&db, account, link, filter).await?;
        let total = match &known {
            _ if is_all => stored,
            Some(known) => {
                let counts = known.between(UnixMillis::MIN, UnixMillis::MAX);
                let bots = if filter.humans_only { counts.bots } else { 0 };
                i64::try_from(counts.clicks - bots).unwrap_or(i64::MAX)
            }
            None => i64::try_from(repo::count(&db, account, link, filter).await?).unwrap_or(i64::MAX),
        };
        if let Some(known) = known.filter(|_| offset > SKIPPED) {
            let (before, rest) = known.skip(offset, filter.humans_only);
            filter.to = Some(filter.to.map_or(before, |to| to.min(before)));
            offset = rest;
        }
        let clicks = match selected.items {
            true => repo::page(&db, account, link, filter, (offset, page.limit())).await?,
            false => Vec::new(),
        };
        Ok((clicks, total))
    })
    .await
}

/// Counts of the stored clicks that pass the filter, from the roll-ups. `None`: some clicks are not in the roll-ups yet.
async fn known_clicks(
    db: &Snapshot,
    account: AccountId,
    link: LinkId,
    filter: ClickFilter,
) -> Result<Option<Timeline>, ApiError> {
    if is_pending(db).await? {
        return Ok(None);
    }
    // Roll-ups outlive the clicks.
    let Some(first) = repo::first(db, account, link).await? else { return Ok(Some(Timeline::default())) };
    let from = filter.from.unwrap_or(first).max(first);
    let to = filter.to.unwrap_or(UnixMillis::MAX);
    if from >= to {
        return Ok(Some(Timeline::default()));
    }
    let reading = Reading { db, subject: link.0, is_account: false };
    let mut timeline = reading.timeline((day(from), day(to - 1))).await?;
    for edge in [from, to] {
        reading.divide(&mut timeline, edge).await?;
    }
    Ok(Some(timeline.within(from, to)))
}

/// The link or account whose clicks a summary counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    Link(LinkId),
    /// All of the account's links, those deleted since included.
    Account,
}

/// Parameters of a summary.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SummaryRequest {
    /// The link or account whose clicks are counted.
    pub(crate) subject: Subject,
    /// Start of the range, in Unix milliseconds. `None`: the range has the 30 days up to its end.
    pub(crate) from: Option<UnixMillis>,
    /// End of the range (exclusive), in Unix milliseconds. `None`: now.
    pub(crate) to: Option<UnixMillis>,
    /// Parts of the series.
    pub(crate) calendar: Calendar,
    /// Whether clicks of bots count.
    pub(crate) with_bots: bool,
    /// Top values of each dimension.
    pub(crate) limit: usize,
    /// Whether the period before the range is summed up as well.
    pub(crate) previous: bool,
    /// Whether top values are counted.
    pub(crate) tops: bool,
}

/// Totals of clicks in a time range. Parts that were not requested are zero or empty.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    /// Start of the range, in Unix milliseconds.
    pub(crate) from: UnixMillis,
    /// End of the range (exclusive), in Unix milliseconds.
    pub(crate) to: UnixMillis,
    pub(crate) totals: Counts,
    /// Totals of the period of the same length before the range; see [`before`].
    pub(crate) previous: Counts,
    /// Start and counts of each part of the range. Clicks outside of the range are not counted.
    pub(crate) series: Vec<(UnixMillis, Counts)>,
    /// In the order of [`crate::clicks::day_document::values`].
    pub(crate) dimensions: [Top<Box<str>>; DIMENSIONS],
    pub(crate) links: Top<LinkBytes>,
}

/// Sums up the clicks on a link, or on all links of the account. Fails when the account has no such link.
pub(crate) async fn summary(app: &App, account: AccountId, request: SummaryRequest) -> Result<Summary, ApiError> {
    let (subject, is_account) = match request.subject {
        Subject::Link(link) => (links::lookup::link(app, account, link).await?.id, false),
        Subject::Account => (account.0, true),
    };
    let to = request.to.unwrap_or_else(|| app.clock.now());
    let from = request.from.unwrap_or_else(|| days_before(request.calendar.zone, to.saturating_sub(1), 29));
    if from >= to {
        return Ok(Summary { from, to, ..Summary::default() });
    }
    let before = if request.previous { before(from, to) } else { from };
    let db = app.db.snapshot().await?;
    let reading = Reading { db: &db, subject, is_account };
    let read = db.reading(async {
        let (first, last) = months_of(from, to);
        let mut timeline = reading.timeline((first.min(day(before)), last)).await?;
        let mut divided = Vec::new();
        // `now` as the end divides no slot, since no click is later. An explicit end does: clicks may be later, even than now if a
        // node's clock is wrong.
        for edge in [Some(before), Some(from), request.to].into_iter().flatten() {
            divided.extend(reading.divide(&mut timeline, edge).await?);
        }
        let top = match request.tops {
            true => reading.tops(&timeline, (from, to), divided).await?,
            false => TopCounter::default(),
        };
        Ok::<_, ApiError>((timeline, top))
    });
    let (timeline, top) = read.await?;
    drop(db);
    let starts = request.calendar.starts(from, to, MAX_POINTS);
    let totals = timeline.between(from, to);
    let counted = if request.tops { totals } else { Counts::default() };
    Ok(Summary {
        from,
        to,
        totals,
        previous: if request.previous { timeline.between(before, from) } else { Counts::default() },
        series: timeline.series(&starts, from, to),
        dimensions: top.dimensions.map(|counter| counter.top(request.limit, request.with_bots, counted)),
        links: top.links.top(request.limit, request.with_bots, if is_account { counted } else { Counts::default() }),
    })
}

/// Start of the period of the same length before a range. For a range of a day or longer it is rounded down to a slot: a quarter
/// of an hour makes no difference there, and no single click has to be read.
fn before(from: UnixMillis, to: UnixMillis) -> UnixMillis {
    let before = from.saturating_sub(to - from);
    if to - from < DAY { before } else { before.div_euclid(SLOT) * SLOT }
}

/// Deletes the clicks and roll-ups of deleted links, and the roll-ups and visitors of a deleted account, in short transactions
/// that do not keep other writers waiting for long.
impl Run for PurgeClicks {
    const LANE: Lane = PURGE;

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        let PurgeClicks { links, account, from } = self;
        let account = account.map(AccountId);
        let (db, began) = (app.db.write(), Instant::now());
        // Visitors of a deleted link are kept: later clicks of theirs are not new to the account.
        let subjects: Vec<Uuid> = links.iter().copied().chain(account.map(|account| account.0)).collect();
        let later = |links: Vec<Uuid>, from: Option<i32>| {
            let rest = PurgeClicks { links, account: account.map(|account| account.0), from };
            Ok(Done::Next(rest.stored()?, app.clock.now()))
        };
        if from.is_none() {
            for link in &links {
                while repo::delete_some(db, *link, UnixMillis::MAX, ROWS_PER_STATEMENT as u64).await? > 0 {
                    if began.elapsed() >= TURN {
                        return later(links, None);
                    }
                }
            }
            rollup_repo::delete_months(db, &subjects).await?;
        }
        let mut next = rollup_repo::next_day(db, from.unwrap_or(i32::MIN)).await?;
        while let Some(day) = next {
            rollup_repo::delete(db, day, &subjects).await?;
            if let Some(account) = account {
                while rollup_repo::delete_visitors(db, account, day, ROWS_PER_STATEMENT as u64).await? > 0 {}
            }
            next = rollup_repo::next_day(db, day.saturating_add(1)).await?;
            if next.is_some() && began.elapsed() >= TURN {
                return later(links, next);
            }
        }
        Ok(Done::Finished)
    }
}
