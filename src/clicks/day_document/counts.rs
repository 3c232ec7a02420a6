//! Counts of clicks, by which time and by what they are counted.

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime};
use entity::click;
use serde::{Deserialize, Serialize};

use crate::{
    base::clock::{DAY, MINUTE, Millis, UnixMillis},
    clicks::source::source,
};

/// A slot of the day: all time zones in use differ from UTC by a multiple of it.
pub(crate) const SLOT: Millis = 15 * MINUTE;
/// Dimensions by which values are listed, beside the link.
pub(crate) const DIMENSIONS: usize = 15;
/// Columns of a click by which it is counted: those of dimensions, and the ad click.
pub(crate) const COLUMNS: usize = 14;
/// The dimension of devices: so few that all clicks of a document are in their counts or unknown.
pub(crate) const DEVICE: usize = 4;
/// Trigger of clicks that followed the short URL, which are stored without one.
pub(crate) const SHORT_URL: &str = "LINK";
/// Number of a link's own destination, to which clicks were led that are stored without one.
pub(crate) const OWN: &str = "0";
/// Characters of a value that are counted; longer values are cut.
pub(crate) const MAX_CHARS: usize = 100;

/// Bytes that are no document, or one of a later version.
#[derive(Debug, thiserror::Error)]
#[error("a roll-up can't be read")]
pub(crate) struct Unreadable;

/// Clicks and visitors, each with how many of them are bots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    pub(crate) clicks: u64,
    pub(crate) bots: u64,
    /// Visitors whose first click of the UTC day is among the clicks.
    pub(crate) visitors: u64,
    /// Bots among the visitors.
    pub(crate) bot_visitors: u64,
}

impl Counts {
    /// Counts of one click.
    pub(crate) fn one(is_bot: bool, is_new: bool) -> Self {
        let (bot, new) = (u64::from(is_bot), u64::from(is_new));
        Counts { clicks: 1, bots: bot, visitors: new, bot_visitors: bot * new }
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.clicks += other.clicks;
        self.bots += other.bots;
        self.visitors += other.visitors;
        self.bot_visitors += other.bot_visitors;
    }
}

/// The slot of its UTC day to which a moment belongs.
pub(crate) fn slot(time: UnixMillis) -> u8 {
    u8::try_from(time.rem_euclid(DAY) / SLOT).unwrap_or_default()
}

/// The UTC month to which a day belongs, in months since the year 0.
pub(crate) fn month(day: i64) -> i32 {
    let date = DateTime::from_timestamp_millis(day.saturating_mul(DAY)).unwrap_or_default();
    date.year() * 12 + date.month0() as i32
}

/// The first day of a month, and that of the next one.
pub(crate) fn days_of_month(month: i32) -> (i64, i64) {
    let first = |month: i32| {
        let date = NaiveDate::from_ymd_opt(month.div_euclid(12), month.rem_euclid(12).unsigned_abs() + 1, 1);
        date.unwrap_or_default().and_time(NaiveTime::MIN).and_utc().timestamp_millis().div_euclid(DAY)
    };
    (first(month), first(month.saturating_add(1)))
}

/// Id of a link.
pub(crate) type LinkBytes = [u8; 16];

/// Values of a click that are counted: country, referrer, browser, operating system, device, language, UTM source, medium and
/// campaign, trigger, destination, source, channel, region and city. `None`: unknown.
pub(crate) fn values(click: &click::Model, of_account: bool) -> [Option<&str>; DIMENSIONS] {
    let columns = [
        &click.country,
        &click.referrer_host,
        &click.browser,
        &click.os,
        &click.device,
        &click.language,
        &click.utm_source,
        &click.utm_medium,
        &click.utm_campaign,
        &click.trigger,
        &click.destination,
        &click.ad_click,
        &click.region,
        &click.city,
    ];
    counted(columns.map(Option::as_deref), of_account)
}

/// The values that are counted of a click with these columns. An account does not count destinations, whose numbers mean something
/// on one link alone.
pub(crate) fn counted(columns: [Option<&str>; COLUMNS], of_account: bool) -> [Option<&str>; DIMENSIONS] {
    let [country, referrer, browser, os, device, language, utm @ .., trigger, destination, ad_click, region, city] =
        columns;
    let [utm_source, utm_medium, utm_campaign] = utm;
    let (source, channel) = source(referrer, utm, trigger, ad_click);
    let values = [
        country,
        referrer,
        browser,
        os,
        device,
        language,
        utm_source,
        utm_medium,
        utm_campaign,
        trigger.or(Some(SHORT_URL)),
        if of_account { None } else { destination.or(Some(OWN)) },
        source,
        Some(channel.name()),
        region,
        city,
    ];
    values.map(|value| value.map(cut))
}

/// Cuts a value to the part that is counted: its first `MAX_CHARS` characters.
pub(crate) fn cut(text: &str) -> &str {
    if text.len() <= MAX_CHARS {
        return text;
    }
    text.char_indices().nth(MAX_CHARS).map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_belong_to_months() {
        assert_eq!(days_of_month(month(0)), (0, 31));
        assert_eq!((month(30), month(31), month(-1)), (1970 * 12, 1970 * 12 + 1, 1969 * 12 + 11));
        let of_february = month(19_782);
        assert_eq!((of_february, days_of_month(of_february)), (2024 * 12 + 1, (19_754, 19_783)));
    }

    #[test]
    fn long_values_are_cut() {
        let long = format!("{}é", "é".repeat(MAX_CHARS));
        assert_eq!(cut(&long), "é".repeat(MAX_CHARS));
    }
}
