//! The definition of a report: what it asks, and what its page shows. Pure.

use async_graphql::Enum;
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::{
    base::clock::{DAY, HOUR, UnixMillis},
    click_store::{
        buckets::{Calendar, Interval, days_before, months_before},
        condition::Condition,
    },
};

/// A time that ends now, or that is some times its length before.
#[derive(Enum, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum ReportPeriod {
    /// The hour that is not over, and the 23 before.
    #[serde(rename = "LAST_24_HOURS")]
    #[graphql(name = "LAST_24_HOURS")]
    Last24Hours,
    /// The day that is not over.
    Today,
    /// Today and the 6 days before.
    #[serde(rename = "LAST_7_DAYS")]
    #[graphql(name = "LAST_7_DAYS")]
    Last7Days,
    /// Today and the 29 days before.
    #[default]
    #[serde(rename = "LAST_30_DAYS")]
    #[graphql(name = "LAST_30_DAYS")]
    Last30Days,
    /// Today and the 89 days before.
    #[serde(rename = "LAST_90_DAYS")]
    #[graphql(name = "LAST_90_DAYS")]
    Last90Days,
    /// The month that is not over, and the 11 before.
    #[serde(rename = "LAST_12_MONTHS")]
    #[graphql(name = "LAST_12_MONTHS")]
    Last12Months,
    /// The month that is not over.
    ThisMonth,
    /// The quarter that is not over.
    ThisQuarter,
    /// The year that is not over.
    ThisYear,
    /// From the day on that the link, or else the account, was created. It has no time before.
    AllTime,
}

/// A list of a report's page: the most frequent values of a dimension.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum ReportPanel {
    /// The links, with short URL and title. A report on one link has none.
    Links,
    /// `TopStats.countries`.
    Countries,
    /// `TopStats.regions`.
    Regions,
    /// `TopStats.cities`.
    Cities,
    /// `TopStats.languages`.
    Languages,
    /// `TopStats.sources`.
    Sources,
    /// `TopStats.channels`.
    Channels,
    /// `TopStats.referrers`.
    Referrers,
    /// `TopStats.utmSources`.
    UtmSources,
    /// `TopStats.utmMediums`.
    UtmMediums,
    /// `TopStats.utmCampaigns`.
    UtmCampaigns,
    /// `TopStats.browsers`.
    Browsers,
    /// `TopStats.operatingSystems`.
    OperatingSystems,
    /// `TopStats.devices`.
    Devices,
    /// `TopStats.triggers`.
    Triggers,
}

/// The time whose clicks are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, rename_all = "camelCase")]
pub(crate) enum ReportTime {
    /// A period that is so many times its length before the one that ends now.
    Period { period: ReportPeriod, back: i32 },
    /// From one moment until before another, in Unix milliseconds.
    Fixed { from: UnixMillis, to: UnixMillis },
}

/// Everything that is kept of a report but its name, subject, and how long its page is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Definition {
    #[serde(flatten)]
    pub(crate) time: ReportTime,
    /// The zone by whose calendar and clocks days begin.
    pub(crate) time_zone: Tz,
    /// Whether clicks of bots count.
    pub(crate) include_bots: bool,
    /// The filter.
    pub(crate) conditions: Vec<Condition>,
    pub(crate) panels: Vec<ReportPanel>,
    /// Whether the page says where links lead.
    pub(crate) shows_destinations: bool,
    /// Origins (RFC 6454) whose pages may show this one in a frame.
    pub(crate) embed_origins: Vec<String>,
}

/// As a report has it about which nothing is said.
impl Default for Definition {
    fn default() -> Self {
        Definition {
            time: ReportTime::Period { period: ReportPeriod::default(), back: 0 },
            time_zone: Tz::UTC,
            include_bots: false,
            conditions: Vec::new(),
            panels: vec![ReportPanel::Countries, ReportPanel::Sources, ReportPanel::Devices],
            shows_destinations: false,
            embed_origins: Vec::new(),
        }
    }
}

impl Definition {
    /// Reads a stored definition. Fails if a later version wrote it.
    pub(crate) fn read(stored: &str) -> serde_json::Result<Self> {
        serde_json::from_str(stored)
    }

    /// The text that is stored.
    pub(crate) fn stored(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// Start and end (exclusive) of the range. `None` as the end: it ends now. All time begins on the day of `since`.
    pub(crate) fn range(&self, now: UnixMillis, since: UnixMillis) -> (UnixMillis, Option<UnixMillis>) {
        match self.time {
            ReportTime::Fixed { from, to } => (from, Some(to)),
            ReportTime::Period { period: ReportPeriod::AllTime, .. } => (days_before(self.time_zone, since, 0), None),
            ReportTime::Period { period, back } => {
                let back = back.unsigned_abs();
                let end = back.checked_sub(1).map(|later| beginning(period, later, self.time_zone, now));
                (beginning(period, back, self.time_zone, now), end)
            }
        }
    }
}

/// The start of a period that is so many times its length before the one that ends now.
fn beginning(period: ReportPeriod, back: u32, zone: Tz, now: UnixMillis) -> UnixMillis {
    let days = |days: u32| days_before(zone, now, u64::from(days * (back + 1) - 1));
    // The month in which a period begins, by the months since January.
    let months =
        |length: u32, is_before: fn(u32) -> u32| months_before(zone, now, |month| is_before(month) + length * back);
    match period {
        ReportPeriod::Last24Hours => {
            let hour = Calendar { interval: Interval::Hour, zone }.start_of(now);
            hour - (23 + 24 * UnixMillis::from(back)) * HOUR
        }
        ReportPeriod::Today => days(1),
        ReportPeriod::Last7Days => days(7),
        ReportPeriod::Last30Days => days(30),
        ReportPeriod::Last90Days => days(90),
        ReportPeriod::Last12Months => months(12, |_| 11),
        ReportPeriod::ThisMonth => months(1, |_| 0),
        ReportPeriod::ThisQuarter => months(3, |month| month % 3),
        ReportPeriod::ThisYear => months(12, |month| month),
        ReportPeriod::AllTime => UnixMillis::MIN,
    }
}

/// The length of the parts of a range: as many as a chart shows well. A day with a change of clocks has two hours more at most.
pub(crate) fn interval_of(from: UnixMillis, to: UnixMillis) -> Interval {
    let lengths = [(Interval::Hour, 2), (Interval::Day, 93), (Interval::Week, 333)];
    let fits = |(_, days): &(Interval, i64)| to - from <= days * DAY + 2 * HOUR;
    lengths.into_iter().find(fits).map_or(Interval::Month, |(interval, _)| interval)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::clock::parse_rfc3339;

    fn at(text: &str) -> UnixMillis {
        parse_rfc3339(text).unwrap()
    }

    #[test]
    fn periods_begin_as_the_calendar_of_their_zone_says() {
        // In Zurich it is 00:30 on Sunday, 29 November.
        let (now, since) = (at("2026-11-28T23:30:00Z"), at("2026-02-03T10:00:00Z"));
        for (period, back, from, to) in [
            (ReportPeriod::Last24Hours, 0, "2026-11-28T00:00:00Z", None),
            (ReportPeriod::Last24Hours, 1, "2026-11-27T00:00:00Z", Some("2026-11-28T00:00:00Z")),
            (ReportPeriod::Today, 0, "2026-11-28T23:00:00Z", None),
            (ReportPeriod::Today, 1, "2026-11-27T23:00:00Z", Some("2026-11-28T23:00:00Z")),
            (ReportPeriod::Last7Days, 0, "2026-11-22T23:00:00Z", None),
            (ReportPeriod::Last30Days, 1, "2026-09-30T22:00:00Z", Some("2026-10-30T23:00:00Z")),
            (ReportPeriod::Last90Days, 0, "2026-08-31T22:00:00Z", None),
            (ReportPeriod::Last12Months, 0, "2025-11-30T23:00:00Z", None),
            (ReportPeriod::ThisMonth, 0, "2026-10-31T23:00:00Z", None),
            (ReportPeriod::ThisMonth, 1, "2026-09-30T22:00:00Z", Some("2026-10-31T23:00:00Z")),
            (ReportPeriod::ThisQuarter, 0, "2026-09-30T22:00:00Z", None),
            (ReportPeriod::ThisQuarter, 4, "2025-09-30T22:00:00Z", Some("2025-12-31T23:00:00Z")),
            (ReportPeriod::ThisYear, 1, "2024-12-31T23:00:00Z", Some("2025-12-31T23:00:00Z")),
            (ReportPeriod::AllTime, 0, "2026-02-02T23:00:00Z", None),
        ] {
            let time = ReportTime::Period { period, back };
            let definition = Definition { time, time_zone: Tz::Europe__Zurich, ..Definition::default() };
            assert_eq!(definition.range(now, since), (at(from), to.map(at)), "{period:?} {back}");
        }
    }

    #[test]
    fn parts_are_as_long_as_a_chart_needs() {
        for (days, interval) in [
            (1, Interval::Hour),
            (2, Interval::Hour),
            (3, Interval::Day),
            (93, Interval::Day),
            (94, Interval::Week),
            (333, Interval::Week),
            (334, Interval::Month),
        ] {
            assert_eq!(interval_of(0, days * DAY), interval, "{days}");
        }
    }

    #[test]
    fn definitions_are_read_as_they_were_stored() {
        let fixed = ReportTime::Fixed { from: 1, to: 2 };
        for definition in [Definition::default(), Definition { time: fixed, ..Definition::default() }] {
            assert_eq!(Definition::read(&definition.stored().unwrap()).unwrap(), definition);
        }
        let stored = Definition::default().stored().unwrap();
        assert!(stored.starts_with(r#"{"period":"LAST_30_DAYS","back":0,"timeZone":"UTC""#), "{stored}");
    }
}
