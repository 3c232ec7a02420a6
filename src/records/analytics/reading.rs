//! Reads what the clicks on a link, or on all links of an account, add up to: from the documents of its days, and from the
//! clicks themselves for the slot in which a range begins or ends. How much is read depends on the number of days and
//! on what these slots hold, and not on how many clicks or links there are.

use std::collections::HashMap;

use uuid::Uuid;

use crate::{
    base::{
        clock::{DAY, UnixMillis},
        error::ApiError,
    },
    click_store::{
        CountedClick, New, stored_repo,
        summary::{Timeline, TopCounter, day},
    },
    clicks::day_document::{Counts, Document, LinkBytes, SLOT, SOME_TIME, Slots, counted, days_of_month, month, slot},
    platform::db::{Snapshot, packed::Packed},
    records::analytics::rollup_repo::{self, Columns},
};

/// Most clicks that are read one by one of a slot in which a range begins or ends. Of a slot with more, only the numbers are
/// read.
const READ_CLICKS: u64 = 20_000;
/// Days of documents that are read at once with the values of dimensions.
const DAYS_OF_VALUES: usize = 64;
/// Days of documents that are read at once without values.
const DAYS_OF_TOTALS: i64 = 400;

/// A subject of documents, as one snapshot of the database has it.
pub(crate) struct Reading<'a> {
    pub(crate) db: &'a Snapshot,
    /// The link or the account.
    pub(crate) subject: Uuid,
    /// Whether it is the account.
    pub(crate) is_account: bool,
}

/// A slot within which a range begins or ends.
pub(crate) struct Divided {
    /// When it begins.
    slot: UnixMillis,
    /// Its clicks; `None` when they are too many to be read.
    clicks: Option<Vec<Packed>>,
    /// The documents of its day, if they had to be read.
    documents: Option<Packed>,
}

impl Reading<'_> {
    /// The counts of these days, by slot.
    pub(crate) async fn timeline(&self, days: (i64, i64)) -> Result<Timeline, ApiError> {
        let mut timeline = Timeline::default();
        let (mut first, last) = self.known(days).await?;
        while first <= last {
            let end = last.min(first + DAYS_OF_TOTALS - 1);
            let documents = self.documents((first, end), Columns::Slots).await?;
            let mut rows = documents.rows::<3>()?;
            rows.sort_unstable_by_key(|(day, _)| *day);
            for of_day in rows.chunk_by(|a, b| a.0 == b.0) {
                let mut slots = Slots::default();
                for (_, [more, ..]) in of_day {
                    slots.merge(&Slots::decode(more).map_err(ApiError::internal)?);
                }
                timeline.add_day(of_day[0].0, &slots);
            }
            first = end + 1;
        }
        Ok(timeline)
    }

    /// Splits the slot that contains the moment into the counts before and after it. `None`: the slot stays whole, since it has
    /// no clicks or some of them were deleted. It then counts with the time in which it began.
    pub(crate) async fn divide(
        &self,
        timeline: &mut Timeline,
        moment: UnixMillis,
    ) -> Result<Option<Divided>, ApiError> {
        let Some((start, end, known)) = timeline.around(moment) else { return Ok(None) };
        let (links, new, documents) = match self.is_account {
            true => {
                let documents = self.documents((day(moment), day(moment)), Columns::All).await?;
                (links_in(&documents, moment)?, New::ToAccount, Some(documents))
            }
            false => (vec![self.subject], New::ToLink, None),
        };
        let mut parts = [Counts::default(); 2];
        let clicks = if known.clicks <= READ_CLICKS {
            let clicks = stored_repo::counted_clicks(self.db, &links, (start, end), new).await?;
            for row in clicks.iter().map(Packed::rows).collect::<Result<Vec<_>, _>>()?.into_iter().flatten() {
                let click = CountedClick::read(row)?;
                parts[usize::from(click.clicked_at >= moment)] += Counts::one(click.is_bot, click.is_new);
            }
            Some(clicks)
        } else {
            parts[0] = stored_repo::counts(self.db, &links, (start, moment), new).await?;
            parts[1] = stored_repo::counts(self.db, &links, (moment, end), new).await?;
            None
        };
        let mut sum = parts[0];
        sum += parts[1];
        if sum != known {
            return Ok(None);
        }
        timeline.split(moment, parts[0], parts[1]);
        Ok(Some(Divided { slot: moment.div_euclid(SLOT) * SLOT, clicks, documents }))
    }

    /// The values of the clicks in a range, whose slots are divided at its ends.
    ///
    /// The stored totals of a month or day are used if all its clicks are in the range, so that the same clicks always have the
    /// same values. `timeline` must cover all days of the range's months.
    pub(crate) async fn tops(
        &self,
        timeline: &Timeline,
        (from, to): (UnixMillis, UnixMillis),
        mut divided: Vec<Divided>,
    ) -> Result<TopCounter, ApiError> {
        let mut top = TopCounter::default();
        let within = |from_: UnixMillis, to_: UnixMillis| timeline.between(from_.max(from), to_.min(to));
        // No click of these days lies out of the range.
        let is_whole =
            |first: i64, end: i64| timeline.between(first * DAY, end * DAY) == within(first * DAY, end * DAY);
        let (first, last) = self.known((day(from), day(to - 1))).await?;
        let of_months = rollup_repo::months(self.db, self.subject, (month(first), month(last))).await?;
        let mut months = of_months.rows::<1>()?;
        months.retain(|(month, _)| {
            let (first, end) = days_of(*month);
            is_whole(first, end)
        });
        for (_, [tops]) in &months {
            top.add_day(tops).map_err(ApiError::internal)?;
        }
        if let (Some((earliest, _)), Some((latest, _))) =
            (months.iter().min_by_key(|it| it.0), months.iter().max_by_key(|it| it.0))
        {
            let waiting = self.waiting((days_of(*earliest).0, days_of(*latest).1 - 1)).await?;
            for (day, [_, tops, _]) in waiting.rows()? {
                if months.iter().any(|(of_month, _)| *of_month == i64::from(month(day))) {
                    top.add_day(tops).map_err(ApiError::internal)?;
                }
            }
        }
        let mut days: Vec<i64> = (first..=last).collect();
        days.retain(|day| months.iter().all(|(of_month, _)| *of_month != i64::from(month(*day))));
        let (days, partial): (Vec<i64>, Vec<i64>) = days.into_iter().partition(|day| is_whole(*day, *day + 1));
        for run in days.chunk_by(|a, b| a + 1 == *b).flat_map(|run| run.chunks(DAYS_OF_VALUES)) {
            if let (Some(first), Some(last)) = (run.first(), run.last()) {
                let documents = self.documents((*first, *last), Columns::Tops).await?;
                for (_, [_, tops, _]) in documents.rows()? {
                    top.add_day(tops).map_err(ApiError::internal)?;
                }
            }
        }
        let mut known: HashMap<i64, Packed> =
            divided.iter_mut().filter_map(|it| Some((day(it.slot), it.documents.take()?))).collect();
        // The first one of a slot has all of its clicks.
        let mut seen = Vec::new();
        divided.retain(|it| {
            let is_first = !seen.contains(&it.slot);
            seen.push(it.slot);
            is_first && partial.contains(&day(it.slot))
        });
        for day in partial {
            let documents = match known.remove(&day) {
                Some(documents) => documents,
                None => self.documents((day, day), Columns::All).await?,
            };
            let is_in = |slot: u8| {
                let start = day * DAY + UnixMillis::from(slot) * SLOT;
                slot != SOME_TIME && (from..to).contains(&start) && divided.iter().all(|it| it.slot != start)
            };
            for document in read(&documents)? {
                top.add_slots(&document, self.is_account, is_in);
            }
        }
        for Divided { slot, clicks, .. } in &divided {
            let Some(clicks) = clicks else {
                top.add_unread(within(*slot, slot + SLOT));
                continue;
            };
            for row in clicks.iter().map(Packed::rows).collect::<Result<Vec<_>, _>>()?.into_iter().flatten() {
                let click = CountedClick::read(row)?;
                if (from..to).contains(&click.clicked_at) {
                    let link = self.is_account.then(|| LinkBytes::try_from(click.link)).transpose();
                    top.add_click(
                        counted(click.columns, self.is_account),
                        link.map_err(ApiError::internal)?,
                        click.is_bot,
                    );
                }
            }
        }
        Ok(top)
    }

    /// The additions that wait to be merged into the documents of these days.
    async fn waiting(&self, (first, last): (i64, i64)) -> Result<Packed, ApiError> {
        let days = (i32::try_from(first).unwrap_or(i32::MIN), i32::try_from(last).unwrap_or(i32::MAX));
        Ok(rollup_repo::deltas(self.db, self.subject, days, Columns::Tops).await?)
    }

    async fn documents(&self, (first, last): (i64, i64), columns: Columns) -> Result<Packed, ApiError> {
        match (i32::try_from(first), i32::try_from(last)) {
            (Ok(first), Ok(last)) => Ok(rollup_repo::documents(self.db, self.subject, (first, last), columns).await?),
            _ => Ok(Packed::default()),
        }
    }

    /// Narrows the first and the last day to those for which documents exist.
    async fn known(&self, (first, last): (i64, i64)) -> Result<(i64, i64), ApiError> {
        let Some((oldest, newest)) = rollup_repo::known_days(self.db).await? else { return Ok((0, -1)) };
        Ok((first.max(oldest.into()), last.min(newest.into())))
    }
}

/// The days of the months in which a range lies, the first and the last.
pub(crate) fn months_of(from: UnixMillis, to: UnixMillis) -> (i64, i64) {
    (days_of_month(month(day(from))).0, days_of_month(month(day(to - 1))).1 - 1)
}

/// The first day of a month that is stored, and that of the next one.
fn days_of(month: i64) -> (i64, i64) {
    days_of_month(i32::try_from(month).unwrap_or_default())
}

/// The account's links that were followed in the slot of a moment, by the documents of its day.
fn links_in(documents: &Packed, moment: UnixMillis) -> Result<Vec<Uuid>, ApiError> {
    let mut links: Vec<Uuid> = Vec::new();
    for document in read(documents)? {
        let cells = document.links.cells.iter().filter(|cell| [slot(moment), SOME_TIME].contains(&cell.slot));
        links.extend(cells.map(|cell| Uuid::from_bytes(cell.value)));
    }
    links.sort_unstable();
    links.dedup();
    Ok(links)
}

/// The documents with all their columns.
fn read(documents: &Packed) -> Result<Vec<Document<'_>>, ApiError> {
    let rows = documents.rows::<3>()?;
    let documents = rows.into_iter().map(|(_, [slots, tops, parts])| Document::decode(slots, tops, parts));
    documents.collect::<Result<_, _>>().map_err(ApiError::internal)
}
