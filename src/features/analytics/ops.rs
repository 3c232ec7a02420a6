//! Rules of analytics.

use chrono_tz::Tz;
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
    click_store::{
        ClickFilter, Found, ScannedClick, Shown,
        buckets::{Calendar, days_before},
        filtered::FilteredSum,
        is_pending,
        question::{Question, Subject},
        scan::{Links, Read, scan, too_large},
        stored_repo::{self, these},
        summary::{MAX_POINTS, Timeline, Top, TopCounter, day},
    },
    clicks::day_document::{Counts, DIMENSIONS, LinkBytes, SLOT},
    features::links,
    platform::{
        db::{ROWS_PER_STATEMENT, Snapshot},
        work::jobs::{Done, Job, Lane, TURN},
    },
    records::analytics::{
        purge::PurgeClicks,
        reading::{Reading, months_of},
        rollup_repo,
    },
};

/// Most clicks that a page skips with `OFFSET`; beyond, roll-ups tell where the page begins.
const SKIPPED: u64 = 1_000;

/// One page of the clicks that are asked about, and their number; each only if selected. Fails when the account has no such link, and when a
/// filter, or the clicks of an account, would need too many clicks to be read.
pub(crate) async fn list(
    app: &App,
    account: AccountId,
    question: &Question,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<click::Model>, i64), ApiError> {
    let Subject::Link(link) = question.subject else { return found(app, account, question, page, selected).await };
    let link_row = links::lookup::link(app, account, link).await?;
    if !question.conditions.is_empty() {
        return found(app, account, question, page, selected).await;
    }
    let mut filter = question.click_filter();
    // Ingest and retention update these numbers in the transactions that store and delete clicks.
    let stored = link_row.click_count - link_row.expired_clicks;
    let is_all = filter == ClickFilter::default();
    let mut offset = page.offset();
    if (is_all || !selected.total) && (!selected.items || offset <= SKIPPED) {
        let db = if is_all { app.db.read().clone() } else { app.db.scans() };
        let clicks = match selected.items {
            true => stored_repo::page(&db, account, link, filter, (offset, page.limit())).await?,
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
            None => i64::try_from(stored_repo::count(&db, account, link, filter).await?).unwrap_or(i64::MAX),
        };
        if let Some(known) = known.filter(|_| offset > SKIPPED) {
            let (before, rest) = known.skip(offset, filter.humans_only);
            filter.to = Some(filter.to.map_or(before, |to| to.min(before)));
            offset = rest;
        }
        let clicks = match selected.items {
            true => stored_repo::page(&db, account, link, filter, (offset, page.limit())).await?,
            false => Vec::new(),
        };
        Ok((clicks, total))
    })
    .await
}

/// One page of the clicks that are found one by one, and their number.
async fn found(
    app: &App,
    account: AccountId,
    question: &Question,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<click::Model>, i64), ApiError> {
    let found = find(app, account, question, listed(app, question)).await?;
    let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
    let skipped = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let limit = if selected.items { usize::try_from(page.limit()).unwrap_or(usize::MAX) } else { 0 };
    let shown = found.into_iter().skip(skipped).take(limit);
    Ok((these(&app.db.scans(), account, shown).await?, total))
}

/// The clicks in a range that a question is about, newest first. Fails when too many clicks would have to be read.
pub(super) async fn find(
    app: &App,
    account: AccountId,
    question: &Question,
    range: (UnixMillis, UnixMillis),
) -> Result<Vec<Found>, ApiError> {
    let mut found = Vec::new();
    let db = app.db.snapshot().await?;
    let mut show = |_: &Links, ScannedClick { clicked_at, id, link, is_bot, .. }: ScannedClick<'_>| {
        if question.with_bots || !is_bot {
            found.push(Found { clicked_at, id, link });
        }
    };
    db.reading(scan(&db, account, question, range, Shown::Ids, &mut show)).await?;
    found.sort_unstable_by(|one, other| other.cmp(one));
    Ok(found)
}

/// The range whose clicks are listed, in Unix milliseconds: of a link from its first one on, of an account as in summaries.
fn listed(app: &App, question: &Question) -> (UnixMillis, UnixMillis) {
    match question.subject {
        Subject::Link(_) => (question.from.unwrap_or(0), question.to.unwrap_or(UnixMillis::MAX)),
        Subject::Account => range(app, question, Tz::UTC),
    }
}

/// Parts of the range whose clicks are listed in which at most so many are, as the roll-ups of the subject know them, the last part first.
pub(super) async fn parts(
    app: &App,
    question: &Question,
    (subject, is_account): (Uuid, bool),
    most: u64,
) -> Result<Vec<(UnixMillis, UnixMillis)>, ApiError> {
    let (from, to) = listed(app, question);
    if from >= to {
        return Ok(Vec::new());
    }
    let db = app.db.snapshot().await?;
    let reading = Reading { db: &db, subject, is_account };
    Ok(db.reading(reading.timeline((day(from), day(to - 1)))).await?.parts((from, to), most))
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
    let Some(first) = stored_repo::first(db, account, link).await? else { return Ok(Some(Timeline::default())) };
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

/// Parameters of a summary.
#[derive(Clone, Debug)]
pub(crate) struct SummaryRequest {
    /// The clicks that are counted. Without a start, the range has the 30 days up to its end.
    pub(crate) question: Question,
    /// Parts of the series.
    pub(crate) calendar: Calendar,
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
    /// Single clicks that were read for the filter. `None`: there is none.
    pub(crate) clicks_read: Option<u64>,
    /// Whether no click in the range is missing.
    pub(crate) is_exact: bool,
}

/// Sums up the clicks on a link, or on all links of the account. Fails when the account has no such link, and when a filter would read too
/// many clicks.
pub(crate) async fn summary(app: &App, account: AccountId, request: SummaryRequest) -> Result<Summary, ApiError> {
    let SummaryRequest { question, calendar, limit, .. } = &request;
    let (subject, is_account) = subject(app, account, question).await?;
    let (from, to) = range(app, question, calendar.zone);
    let clicks_read = (!question.conditions.is_empty()).then_some(0);
    if from >= to {
        return Ok(Summary { from, to, clicks_read, is_exact: true, ..Summary::default() });
    }
    let before = if request.previous { before(from, to) } else { from };
    let db = app.db.snapshot().await?;
    let reading = Reading { db: &db, subject, is_account };
    let whole = Range { before, from, to };
    let (timeline, top, coverage) = match clicks_read {
        None => db.reading(rolled_up(&reading, &request, whole)).await?,
        Some(_) => db.reading(filtered(&reading, account, &request, whole)).await?,
    };
    drop(db);
    let starts = calendar.starts(from, to, MAX_POINTS);
    let totals = timeline.between(from, to);
    let counted = if request.tops { totals } else { Counts::default() };
    Ok(Summary {
        from,
        to,
        totals,
        previous: if request.previous { timeline.between(before, from) } else { Counts::default() },
        series: timeline.series(&starts, from, to),
        dimensions: top.dimensions.map(|counter| counter.top(*limit, question.with_bots, counted)),
        links: top.links.top(*limit, question.with_bots, if is_account { counted } else { Counts::default() }),
        clicks_read: coverage.clicks_read,
        is_exact: coverage.is_exact,
    })
}

/// The id whose roll-ups count the clicks that are asked about, and whether it is the account's. Fails when the account has no such link.
pub(super) async fn subject(app: &App, account: AccountId, question: &Question) -> Result<(Uuid, bool), ApiError> {
    match question.subject {
        Subject::Link(link) => Ok((links::lookup::link(app, account, link).await?.id, false)),
        Subject::Account => Ok((account.0, true)),
    }
}

/// Start and end (exclusive) of the range that is asked about: up to now, and with the last 30 local days, if the question does not say.
pub(super) fn range(app: &App, question: &Question, zone: Tz) -> (UnixMillis, UnixMillis) {
    let to = question.to.unwrap_or_else(|| app.clock.now());
    (question.from.unwrap_or_else(|| days_before(zone, to.saturating_sub(1), 29)), to)
}

/// A range, and the time before with which it is compared, in Unix milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) before: UnixMillis,
    pub(super) from: UnixMillis,
    /// Exclusive.
    pub(super) to: UnixMillis,
}

/// How much of the clicks in a range an answer counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coverage {
    /// `None`: no clicks were read one by one.
    pub(crate) clicks_read: Option<u64>,
    /// Whether no click is missing, and none counts that is out of the range.
    pub(crate) is_exact: bool,
}

/// The counts of all clicks, from roll-ups.
async fn rolled_up(
    reading: &Reading<'_>,
    request: &SummaryRequest,
    Range { before, from, to }: Range,
) -> Result<(Timeline, TopCounter, Coverage), ApiError> {
    let (first, last) = months_of(from, to);
    let mut timeline = reading.timeline((first.min(day(before)), last)).await?;
    let mut divided = Vec::new();
    // `now` as the end divides no slot, since no click is later. An explicit end does: clicks may be later, even than now if a
    // node's clock is wrong.
    let edges = [Some(before), Some(from), request.question.to];
    for edge in edges.into_iter().flatten() {
        divided.extend(reading.divide(&mut timeline, edge).await?);
    }
    // A slot that could not be divided counts whole.
    let is_exact = edges.into_iter().flatten().all(|edge| timeline.around(edge).is_none());
    let top = match request.tops {
        true => reading.tops(&timeline, (from, to), divided).await?,
        false => TopCounter::default(),
    };
    Ok((timeline, top, Coverage { clicks_read: None, is_exact }))
}

/// The counts of the clicks that pass the filter, read one by one.
async fn filtered(
    reading: &Reading<'_>,
    account: AccountId,
    request: &SummaryRequest,
    Range { before, from, to }: Range,
) -> Result<(Timeline, TopCounter, Coverage), ApiError> {
    let question = &request.question;
    let known = known(reading, question, Range { before, from, to }).await?;
    let mut sum = FilteredSum::new((before, from), reading.is_account, request.tops);
    let shown = if request.tops { Shown::Values } else { Shown::Numbers };
    let read = scan(reading.db, account, question, (before, to), shown, &mut |_, click| sum.add(&click)).await?;
    let (timeline, top) = sum.finish();
    Ok((timeline, top, covered(known, read)))
}

/// The clicks that roll-ups know in the range and before. `None`: they don't tell, since the question is about some links. Fails if they are
/// too many to be read.
pub(super) async fn known(
    reading: &Reading<'_>,
    question: &Question,
    Range { before, to, .. }: Range,
) -> Result<Option<u64>, ApiError> {
    if question.conditions.iter().any(|condition| condition.dimension.is_of_link()) {
        return Ok(None);
    }
    let mut known = reading.timeline((day(before), day(to - 1))).await?;
    for edge in [Some(before), question.to].into_iter().flatten() {
        reading.divide(&mut known, edge).await?;
    }
    let clicks = known.between(before, to).clicks;
    if clicks > question.max_clicks { Err(too_large(Some(clicks), question.max_clicks)) } else { Ok(Some(clicks)) }
}

/// How much of the clicks was read, if roll-ups know so many.
pub(super) fn covered(known: Option<u64>, read: Read) -> Coverage {
    let is_exact = known.map_or(!read.is_expired, |known| read.clicks >= known);
    Coverage { clicks_read: Some(read.clicks), is_exact }
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
                while stored_repo::delete_some(db, *link, UnixMillis::MAX, ROWS_PER_STATEMENT as u64).await? > 0 {
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
