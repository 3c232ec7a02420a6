//! Rules of analytics.

use entity::click;
use uuid::Uuid;

use crate::{
    analytics::{
        buckets::{Calendar, days_before},
        repo::{self, ClickFilter},
        rollup_repo,
        summary::{MAX_POINTS, Timeline, Top, TopCounter, day},
    },
    app::App,
    clicks::{
        ingest,
        tally::{Counts, DIMENSIONS, LinkBytes, Slots, Tops, values},
    },
    clock::{DAY, Millis},
    db::{ROWS_PER_STATEMENT, Transaction},
    error::ApiError,
    ids::{AccountId, LinkId},
    links,
    packed::{Packed, Row},
    page::PageArgs,
};

/// Clicks that a page may skip one by one.
const SKIPPED: u64 = 1_000;
/// Clicks of a part of a UTC day that are read to find its top values; of more, the day's values are taken in proportion.
const READ_CLICKS: u64 = 20_000;
/// Days of documents that are read at once, with and without top values.
const DAYS_AT_ONCE: (i64, i64) = (64, 400);

/// One page of a link's clicks, and their number; each only if wanted.
pub async fn list(
    app: &App,
    account: AccountId,
    link: LinkId,
    mut filter: ClickFilter,
    page: PageArgs,
    (data, total): (bool, bool),
) -> Result<(Vec<click::Model>, i64), ApiError> {
    let link_row = links::ops::link(app, account, link).await?;
    // Kept by ingest and retention, in the transactions that store and delete clicks.
    let stored = link_row.click_count - link_row.expired_clicks;
    let is_all = filter == ClickFilter::default();
    let mut offset = page.offset();
    if (is_all || !total) && (!data || offset <= SKIPPED) {
        let clicks = match data {
            true => repo::page(app.db.read(), account, link, filter, (offset, page.limit())).await?,
            false => Vec::new(),
        };
        return Ok((clicks, stored));
    }
    let db = app.db.snapshot().await?;
    let known = known_clicks(app, &db, account, link, filter).await?;
    let total = match &known {
        _ if is_all => stored,
        Some(known) => {
            let counts = known.between(Millis::MIN, Millis::MAX);
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
    let clicks = match data {
        true => repo::page(&db, account, link, filter, (offset, page.limit())).await?,
        false => Vec::new(),
    };
    Ok((clicks, total))
}

/// The stored clicks that pass the filter, as far as the roll-ups know them; none while these don't count all.
async fn known_clicks(
    app: &App,
    db: &Transaction,
    account: AccountId,
    link: LinkId,
    filter: ClickFilter,
) -> Result<Option<Timeline>, ApiError> {
    if ingest::is_pending(&app.db).await? {
        return Ok(None);
    }
    // Roll-ups outlive the clicks.
    let Some(first) = repo::first(db, account, link).await? else { return Ok(Some(Timeline::default())) };
    let from = filter.from.unwrap_or(first).max(first);
    let to = filter.to.unwrap_or(Millis::MAX);
    if from >= to {
        return Ok(Some(Timeline::default()));
    }
    let mut timeline = Timeline::default();
    add_days(&mut timeline, &days(db, link.0, (day(from), day(to - 1)), false).await?)?;
    for edge in [from, to] {
        split(db, account, Some(link), &mut timeline, edge).await?;
    }
    Ok(Some(timeline.within(from, to)))
}

/// Whose clicks a summary counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A link's.
    Link(LinkId),
    /// All of the account's links, those deleted since included.
    Account,
}

/// What a summary is asked for.
#[derive(Clone, Copy, Debug)]
pub struct SummaryRequest {
    /// Whose clicks.
    pub subject: Subject,
    /// Not before. None: thirty days.
    pub from: Option<Millis>,
    /// Before. None: now.
    pub to: Option<Millis>,
    /// Parts of the series.
    pub calendar: Calendar,
    /// Whether clicks of bots count.
    pub with_bots: bool,
    /// Top values of each dimension.
    pub limit: usize,
    /// Whether the time before is wanted.
    pub previous: bool,
    /// Whether top values are wanted.
    pub tops: bool,
}

/// What clicks add up to. What was not wanted is zero or empty.
#[derive(Debug, Default)]
pub struct Summary {
    /// Not before.
    pub from: Millis,
    /// Before.
    pub to: Millis,
    /// All of them.
    pub totals: Counts,
    /// All in the time of the same length before.
    pub previous: Counts,
    /// In each part of the time: its start, and what is in it and in the range.
    pub series: Vec<(Millis, Counts)>,
    /// In the order of [`values`].
    pub dimensions: [Top<Box<str>>; DIMENSIONS],
    /// By link.
    pub links: Top<LinkBytes>,
}

/// What the clicks on a link, or on all links of the account, add up to.
pub async fn summary(app: &App, account: AccountId, request: SummaryRequest) -> Result<Summary, ApiError> {
    let (subject, link) = match request.subject {
        Subject::Link(link) => (links::ops::link(app, account, link).await?.id, Some(link)),
        Subject::Account => (account.0, None),
    };
    let now = app.clock.now();
    let to = request.to.unwrap_or(now);
    let from = request.from.unwrap_or_else(|| days_before(request.calendar.zone, to.saturating_sub(1), 29));
    if from >= to {
        return Ok(Summary { from, to, ..Summary::default() });
    }
    let before = if request.previous { from.saturating_sub(to - from) } else { from };
    let db = app.db.snapshot().await?;
    let mut timeline = Timeline::default();
    add_days(&mut timeline, &days(&db, subject, (day(before), day(from) - 1), false).await?)?;
    // There is nothing after now: today is a whole day.
    let is_whole = |day: i64| day * DAY >= from && (to >= now || (day + 1) * DAY <= to);
    let mut top = TopCounter::default();
    let mut partial = Vec::new();
    let step = if request.tops { DAYS_AT_ONCE.0 } else { DAYS_AT_ONCE.1 };
    let (mut first, last) = known(&db, (day(from), day(to - 1))).await?;
    while first <= last {
        let end = last.min(first + step - 1);
        let documents = days(&db, subject, (first, end), request.tops).await?;
        add_days(&mut timeline, &documents)?;
        for (day, [_, tops]) in documents.rows()? {
            if is_whole(day) {
                top.add_day(tops, link.is_none()).map_err(ApiError::internal)?;
            } else if request.tops {
                partial.push((day * DAY, tops.to_vec()));
            }
        }
        first = end + 1;
    }
    for edge in [before, from, to] {
        if edge < now {
            split(&db, account, link, &mut timeline, edge).await?;
        }
    }
    for (midnight, tops) in partial {
        let tops = Tops::decode(&tops).map_err(ApiError::internal)?;
        let range = (midnight.max(from), (midnight + DAY).min(to));
        let part = timeline.between(range.0, range.1);
        let clicks = match part.clicks {
            1..=READ_CLICKS => repo::counted_clicks(&db, account, link, range.0, range.1).await?,
            _ => Vec::new(),
        };
        if clicks.len() as u64 == part.clicks {
            for click in &clicks {
                let of_account = link.is_none().then(|| click.link_id.into_bytes());
                top.add_click(values(click), of_account, click.is_bot);
            }
        } else {
            top.add_part(&tops, link.is_none(), part, timeline.between(midnight, midnight + DAY));
        }
    }
    let starts = request.calendar.starts(from, to, MAX_POINTS);
    Ok(Summary {
        from,
        to,
        totals: timeline.between(from, to),
        previous: if request.previous { timeline.between(before, from) } else { Counts::default() },
        series: timeline.series(&starts, from, to),
        dimensions: top.dimensions.map(|counter| counter.top(request.limit, request.with_bots)),
        links: top.links.top(request.limit, request.with_bots),
    })
}

/// These days as far as there are documents.
async fn known(db: &Transaction, (first, last): (i64, i64)) -> Result<(i64, i64), ApiError> {
    let Some((oldest, newest)) = rollup_repo::known_days(db).await? else { return Ok((0, -1)) };
    Ok((first.max(oldest.into()), last.min(newest.into())))
}

async fn days(db: &Transaction, subject: Uuid, wanted: (i64, i64), with_tops: bool) -> Result<Packed, ApiError> {
    let (first, last) = known(db, wanted).await?;
    match (i32::try_from(first), i32::try_from(last)) {
        (Ok(first), Ok(last)) if first <= last => {
            Ok(rollup_repo::documents(db, subject, (first, last), with_tops).await?)
        }
        _ => Ok(Packed::default()),
    }
}

/// Adds the slots of documents later than those before.
fn add_days(timeline: &mut Timeline, documents: &Packed) -> Result<(), ApiError> {
    let mut documents: Vec<Row<'_, 2>> = documents.rows()?;
    documents.sort_unstable_by_key(|(day, _)| *day);
    for (day, [slots, _]) in documents {
        timeline.add_day(day, &Slots::decode(slots).map_err(ApiError::internal)?);
    }
    Ok(())
}

/// Counts the clicks of the slot at the moment before and after it, unless some of them are deleted: then the slot is left
/// whole, and belongs to the time in which it began.
async fn split(
    db: &Transaction,
    account: AccountId,
    link: Option<LinkId>,
    timeline: &mut Timeline,
    edge: Millis,
) -> Result<(), ApiError> {
    let Some((start, end, known)) = timeline.around(edge) else { return Ok(()) };
    let mut parts = [Counts::default(); 2];
    for (part, (from, to)) in parts.iter_mut().zip([(start, edge), (edge, end)]) {
        for (is_bot, is_new, clicks) in repo::counts(db, account, link, from, to).await? {
            (0..clicks).for_each(|_| *part += Counts::one(is_bot, is_new));
        }
    }
    let mut sum = parts[0];
    sum += parts[1];
    if sum == known {
        timeline.split(edge, parts[0], parts[1]);
    }
    Ok(())
}

/// Deletes the clicks of links that are gone and what they add up to, and what those of an account that is gone do, in
/// batches that hold the writer briefly.
pub async fn purge_clicks(app: &App, links: &[Uuid], account: Option<AccountId>) -> Result<(), ApiError> {
    let db = app.db.write();
    for link in links {
        while repo::delete_some(db, *link, Millis::MAX, ROWS_PER_STATEMENT as u64).await? > 0 {}
    }
    // Visitors of a deleted link are known still: they are not new to the account.
    let subjects: Vec<Uuid> = links.iter().copied().chain(account.map(|account| account.0)).collect();
    let mut next = rollup_repo::next_day(db, i32::MIN).await?;
    while let Some(day) = next {
        rollup_repo::delete(db, day, &subjects).await?;
        if let Some(account) = account {
            while rollup_repo::delete_visitors(db, account, day, ROWS_PER_STATEMENT as u64).await? > 0 {}
        }
        next = rollup_repo::next_day(db, day.saturating_add(1)).await?;
    }
    Ok(())
}
