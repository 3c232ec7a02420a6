//! Times as files and spreadsheets write them. Without a zone they are taken as UTC.

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};

const DAY: i64 = 86_400_000;
/// The years that times may be of, so that none leaves the range of those that the service writes.
const YEARS: std::ops::RangeInclusive<i64> = 1970..=9999;
/// Unix times up to here are seconds, longer ones milliseconds: the end of the year 9999 in seconds.
const MAX_SECONDS: i64 = 253_402_300_799;
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// The first day of spreadsheets, from which their numbers of days count, in days since 1970.
const SPREADSHEET_DAY: i64 = -25_569;
/// The last day that spreadsheets know: the end of the year 9999.
const MAX_SPREADSHEET_DAY: i64 = 2_958_465;
/// Years of two digits from here on are of the last century, as spreadsheets read them.
const LAST_CENTURY: i64 = 70;

/// The order of day, month and year in dates that are written with numbers alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DateOrder {
    /// Day, month, year: `13/02/2024`.
    Dmy,
    /// Month, day, year: `2/13/2024`.
    Mdy,
    /// Year, month, day: `24-02-13`.
    Ymd,
}

impl DateOrder {
    /// All of them.
    pub const ALL: [DateOrder; 3] = [DateOrder::Dmy, DateOrder::Mdy, DateOrder::Ymd];

    /// Its name.
    pub const fn id(self) -> &'static str {
        match self {
            DateOrder::Dmy => "dmy",
            DateOrder::Mdy => "mdy",
            DateOrder::Ymd => "ymd",
        }
    }

    /// The order with this name.
    pub fn parse(id: &str) -> Option<DateOrder> {
        DateOrder::ALL.into_iter().find(|order| order.id() == id)
    }
}

/// The orders in which all dates that were read are days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateOrders {
    possible: [bool; 3],
    /// Whether one of the dates is another day in another order.
    is_unsure: bool,
}

impl Default for DateOrders {
    fn default() -> Self {
        DateOrders { possible: [true; 3], is_unsure: false }
    }
}

impl DateOrders {
    /// The orders that are possible for both.
    pub fn and(self, other: DateOrders) -> DateOrders {
        let possible = [0, 1, 2].map(|at| self.possible[at] && other.possible[at]);
        DateOrders { possible, is_unsure: self.is_unsure || other.is_unsure }
    }

    /// The one order in which all dates are days. `None`: there are several, or none.
    pub fn only(self) -> Option<DateOrder> {
        let mut possible = DateOrder::ALL.into_iter().zip(self.possible).filter(|(_, is)| *is).map(|(order, _)| order);
        possible.next().filter(|_| possible.next().is_none())
    }

    /// Whether a date may be two days, and the others do not tell which.
    pub fn are_unsure(self) -> bool {
        self.is_unsure && self.only().is_none()
    }
}

/// Reads times, and notes in which order their dates are written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Times {
    /// The order of dates, where several are possible. `None`: such dates are errors.
    order: Option<DateOrder>,
    pub(crate) seen: DateOrders,
}

/// The time in Unix milliseconds. Reads `2024-01-31`, with a time after `T` or a space, of which seconds, their fraction and the
/// zone may be missing; `31.01.2024`, `31-Jan-2024` and `Jan 31, 2024`, with or without a time; Unix times in seconds or milliseconds;
/// and the days and parts of days that a spreadsheet counts, such as `45000.5`. Of `1/31/2024` and `1-31-24` the order is known if
/// they are a day in one order only.
pub fn parse_time(text: &str) -> Result<i64, &'static str> {
    Times::default().read(text)
}

/// Whether the text is a date of zeros, as databases, spreadsheets and programs write one that is not set.
pub(crate) fn is_unset(text: &str) -> bool {
    let text = text.trim();
    let (date, rest) = text.split_at(text.find([' ', 'T']).unwrap_or(text.len()));
    let is_zero = |text: &str| {
        text.bytes().all(|byte| matches!(byte, b'0' | b'-' | b'/' | b'.' | b':' | b'+' | b'T' | b'Z' | b' '))
    };
    !text.is_empty()
        && is_zero(rest)
        // The last are the zero of .NET and Go, and of spreadsheets.
        && (is_zero(date) || ["0001-01-01", "1/0/1900", "1/0/00", "00.01.1900", "0/1/1900", "00/01/1900"].contains(&date))
}

const UNKNOWN: &str = "is not a time that is known: write it as 2024-01-31T18:30:00Z";
const AMBIGUOUS: &str = "is a date whose day and month can't be told apart: say which comes first with dateFormat, or write it as 2024-01-31";
const OTHER_ORDER: &str = "is no date in the order that dateFormat says";

fn in_range(time: i64) -> Result<i64, &'static str> {
    if (0..(MAX_SECONDS + 1) * 1_000).contains(&time) { Ok(time) } else { Err("is not a time between 1970 and 9999") }
}

impl Times {
    pub(crate) fn new(order: Option<DateOrder>) -> Self {
        Times { order, seen: DateOrders::default() }
    }

    /// See [`parse_time`].
    pub(crate) fn read(&mut self, text: &str) -> Result<i64, &'static str> {
        let text = text.trim();
        if !text.is_ascii() {
            return Err(UNKNOWN);
        }
        if text.len() > 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let number: i64 = text.parse().map_err(|_| UNKNOWN)?;
            return in_range(if number <= MAX_SECONDS { number * 1_000 } else { number });
        }
        if let Some(time) = spreadsheet_time(text) {
            return in_range(time);
        }
        let (day, rest) = self.date(text)?;
        let rest = rest.trim_start_matches(['T', 't', ' ', ',']);
        in_range(day * DAY + if rest.is_empty() { 0 } else { time_of_day(rest)? })
    }

    /// Days since 1970, and the text after the date.
    fn date<'a>(&mut self, text: &'a str) -> Result<(i64, &'a str), &'static str> {
        if text.starts_with(|first: char| first.is_ascii_alphabetic()) {
            let (month, rest) = month(text)?;
            let (day, rest) = number(rest.trim_start_matches(['.', ' ']), 2)?;
            let (year, rest) = number(rest.trim_start_matches([',', ' ']), 4)?;
            return Ok((day_number(year, month, day)?, rest));
        }
        let (first, rest) = number(text, 4)?;
        let first_digits = text.len() - rest.len();
        let separator = rest.chars().next().filter(|it| ['-', '.', '/', ' '].contains(it)).ok_or(UNKNOWN)?;
        let rest = &rest[1..];
        if rest.starts_with(|next: char| next.is_ascii_alphabetic()) {
            let (month, rest) = month(rest)?;
            let (year, after) = number(rest.trim_start_matches([separator, '.', ',', ' ']), 4)?;
            return Ok((day_number(full_year(year, digits_before(rest, after)), month, first)?, after));
        }
        let (second, rest) = number(rest, 2)?;
        let rest = rest.strip_prefix(separator).filter(|_| separator != ' ').ok_or(UNKNOWN)?;
        let (third, after) = number(rest, 4)?;
        let day = match (first_digits, digits_before(rest, after), separator) {
            // A year of four digits stands first in one order alone.
            (4, _, '-' | '/') => day_number(first, second, third)?,
            (1 | 2, digits @ (2 | 4), separator) => self.in_order([first, second, third], digits, separator)?,
            _ => return Err(UNKNOWN),
        };
        Ok((day, after))
    }

    /// The day of three numbers, the last of which has so many digits.
    fn in_order(
        &mut self,
        [first, second, third]: [i64; 3],
        digits: usize,
        separator: char,
    ) -> Result<i64, &'static str> {
        let year = full_year(third, digits);
        let dmy = day_number(year, second, first);
        // Only days stand before dots, unless the year does.
        let mdy = if separator == '.' && dmy.is_ok() { Err(UNKNOWN) } else { day_number(year, first, second) };
        // A year of two digits stands first in the manner of ISO 8601, or if dateFormat says so.
        let is_iso = digits == 2 && (separator == '-' || self.order == Some(DateOrder::Ymd));
        let ymd = if is_iso { day_number(full_year(first, 2), second, third) } else { Err(UNKNOWN) };
        let days = [dmy, mdy, ymd];
        let mut found = days.iter().flatten();
        let Some(day) = found.next() else { return dmy };
        let is_unsure = found.any(|other| other != day);
        // Dots tell of no order with other separators.
        if separator != '.' {
            self.seen = self.seen.and(DateOrders { possible: days.map(|day| day.is_ok()), is_unsure });
        }
        match self.order {
            Some(order) if separator != '.' || order == DateOrder::Ymd => {
                let its = days[order as usize];
                if separator == '.' { its.or(Ok(*day)) } else { its.map_err(|_| OTHER_ORDER) }
            }
            _ if is_unsure => Err(AMBIGUOUS),
            _ => Ok(*day),
        }
    }
}

/// How many digits stand before the rest of a text.
fn digits_before(text: &str, rest: &str) -> usize {
    text[..text.len() - rest.len()].bytes().filter(u8::is_ascii_digit).count()
}

fn full_year(year: i64, digits: usize) -> i64 {
    match digits {
        2 if year < LAST_CENTURY => 2000 + year,
        2 => 1900 + year,
        _ => year,
    }
}

/// The number of a month by its English name, and the text after it.
fn month(text: &str) -> Result<(i64, &str), &'static str> {
    let end = text.find(|character: char| !character.is_ascii_alphabetic()).ok_or(UNKNOWN)?;
    let name = text.get(..3).ok_or(UNKNOWN)?.to_ascii_lowercase();
    let month = MONTHS.iter().position(|month| *month == name).ok_or(UNKNOWN)?;
    Ok((i64::try_from(month).unwrap_or_default() + 1, &text[end..]))
}

/// The time, if the text is a number of days as spreadsheets count them, to the second.
fn spreadsheet_time(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !(5..=7).contains(&whole.len()) || !is_number(whole) || !is_number(fraction) || fraction.len() > 18 {
        return None;
    }
    let day = whole.parse::<i64>().ok().filter(|day| (-SPREADSHEET_DAY..=MAX_SPREADSHEET_DAY).contains(day))?;
    let part: f64 = format!("0.{fraction}0").parse().ok()?;
    let seconds = (part * 86_400.0).round();
    Some((day + SPREADSHEET_DAY) * DAY + seconds as i64 * 1_000)
}

/// Milliseconds from the beginning of the day on, in UTC.
fn time_of_day(text: &str) -> Result<i64, &'static str> {
    let (mut hour, rest) = number(text, 2)?;
    let (minute, rest) = number(rest.strip_prefix([':', '.']).ok_or(UNKNOWN)?, 2)?;
    let (second, rest) = match rest.strip_prefix([':', '.']) {
        Some(rest) => number(rest, 2)?,
        None => (0, rest),
    };
    let (mut millis, mut rest) = (0, rest);
    if let Some(fraction) = rest.strip_prefix(['.', ',']) {
        let end = fraction.find(|character: char| !character.is_ascii_digit()).unwrap_or(fraction.len());
        let digits = fraction[..end].chars().chain("000".chars()).take(3).collect::<String>();
        millis = digits.parse().map_err(|_| UNKNOWN)?;
        rest = &fraction[end..];
    }
    let mut rest = rest.trim_start();
    let half = rest.get(..2).map(str::to_ascii_lowercase);
    if let Some(half @ ("am" | "pm")) = half.as_deref() {
        if !(1..=12).contains(&hour) {
            return Err(UNKNOWN);
        }
        hour = hour % 12 + if half == "pm" { 12 } else { 0 };
        rest = rest[2..].trim_start();
    }
    if hour > 23 || minute > 59 || second > 60 {
        return Err(UNKNOWN);
    }
    Ok((((hour * 60 + minute) * 60 + second.min(59)) * 1_000) + millis - offset(rest)?)
}

/// The zone's offset to UTC, in milliseconds.
fn offset(text: &str) -> Result<i64, &'static str> {
    if ["", "Z", "z", "UTC", "GMT", "(UTC)"].contains(&text) {
        return Ok(0);
    }
    let (sign, rest) = match text.strip_prefix('+') {
        Some(rest) => (1, rest),
        None => (-1, text.strip_prefix('-').ok_or(UNKNOWN)?),
    };
    let (hour, rest) = number(rest, 2)?;
    let minutes = rest.strip_prefix(':').unwrap_or(rest);
    let (minute, rest) = if minutes.is_empty() { (0, "") } else { number(minutes, 2)? };
    if hour > 15 || minute > 59 || !rest.is_empty() {
        return Err(UNKNOWN);
    }
    Ok(sign * (hour * 60 + minute) * 60_000)
}

/// A number of at most so many digits, and what stands after it.
fn number(text: &str, digits: usize) -> Result<(i64, &str), &'static str> {
    let end = text.bytes().take(digits).take_while(u8::is_ascii_digit).count();
    Ok((text[..end].parse().map_err(|_| UNKNOWN)?, &text[end..]))
}

fn day_number(year: i64, month: i64, day: i64) -> Result<i64, &'static str> {
    if !YEARS.contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return Err(UNKNOWN);
    }
    let date = i32::try_from(year).ok().zip(u32::try_from(month).ok()).zip(u32::try_from(day).ok());
    let date = date.and_then(|((year, month), day)| NaiveDate::from_ymd_opt(year, month, day));
    date.map(|date| date.to_epoch_days().into()).ok_or("is a day that does not exist")
}

/// The time as linkgraph writes it: `2024-01-31T18:30:00.000Z`.
pub fn format_time(millis: i64) -> String {
    DateTime::<Utc>::from_timestamp_millis(millis).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Millis, true)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn times_of_all_services_are_read() {
        for (text, written) in [
            ("2024-01-31T18:30:05.123Z", "2024-01-31T18:30:05.123Z"),
            ("2024-01-31T18:30:05.123456Z", "2024-01-31T18:30:05.123Z"),
            ("2016-10-28T18:18:12+0000", "2016-10-28T18:18:12.000Z"),
            ("2024-01-31T18:30:00+02:00", "2024-01-31T16:30:00.000Z"),
            ("2024-01-31T18:30:00-0530", "2024-02-01T00:00:00.000Z"),
            ("2024-01-31 18:30:00", "2024-01-31T18:30:00.000Z"),
            ("2024-01-31 18:30:00.5+00", "2024-01-31T18:30:00.500Z"),
            ("2024-01-31 18:30", "2024-01-31T18:30:00.000Z"),
            ("2024-01-31 18:30:00 UTC", "2024-01-31T18:30:00.000Z"),
            ("2024-02-29", "2024-02-29T00:00:00.000Z"),
            ("2024/02/29", "2024-02-29T00:00:00.000Z"),
            ("31.01.2024", "2024-01-31T00:00:00.000Z"),
            ("1.2.2024 08:05", "2024-02-01T08:05:00.000Z"),
            ("1/31/2024 6:30 PM", "2024-01-31T18:30:00.000Z"),
            ("31/1/2024", "2024-01-31T00:00:00.000Z"),
            ("1/31/2024 12:05 am", "2024-01-31T00:05:00.000Z"),
            ("Jan 31, 2024", "2024-01-31T00:00:00.000Z"),
            ("January 31, 2024 6:30 PM", "2024-01-31T18:30:00.000Z"),
            ("31-Jan-2024 18:30", "2024-01-31T18:30:00.000Z"),
            ("31 January 2024", "2024-01-31T00:00:00.000Z"),
            ("31-Jan-24", "2024-01-31T00:00:00.000Z"),
            ("13/02/2024 14:05", "2024-02-13T14:05:00.000Z"),
            ("2/13/24", "2024-02-13T00:00:00.000Z"),
            ("2/13/71", "1971-02-13T00:00:00.000Z"),
            ("31-01-2024", "2024-01-31T00:00:00.000Z"),
            ("5/5/2024", "2024-05-05T00:00:00.000Z"),
            ("13.02.24 14.05", "2024-02-13T14:05:00.000Z"),
            ("02.13.2024", "2024-02-13T00:00:00.000Z"),
            ("45000.5", "2023-03-15T12:00:00.000Z"),
            ("45000,583333333336", "2023-03-15T14:00:00.000Z"),
            ("45000", "2023-03-15T00:00:00.000Z"),
            ("1706725805", "2024-01-31T18:30:05.000Z"),
            ("1706725805123", "2024-01-31T18:30:05.123Z"),
            ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"),
            ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(parse_time(text).map(format_time).as_deref(), Ok(written), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "x",
            "2024",
            "2024-01",
            "2024-13-01",
            "2024-02-30",
            "2023-02-29",
            "30.02.2024",
            "2024-01-31T25:00:00Z",
            "2024-01-31T18:61:00Z",
            "2024-01-31T18:30:00 CET",
            "2024-01-31T18:30:00+99:00",
            "2024-01-31 18",
            "Foo 3, 2024",
            "1969-12-31",
            "10000-01-01",
            "99999999999999999999",
            "9999999999999999",
            "3/4/2024",
            "2024-01.31",
            "５.1.2024",
            "13 PM",
            "1/31/2024 13:00 PM",
            "2024-01-31T18:30:00+02:00x",
            "31-02-2024",
            "13/13/2024",
            "31/1/204",
            "24-02-13",
            "3/4/24",
            "25568",
            "2958466",
            "45000.5.5",
        ] {
            assert!(parse_time(text).is_err(), "{text}");
        }
        assert_eq!(parse_time("3/4/2024"), Err(AMBIGUOUS));
    }

    #[test]
    fn the_order_of_dates_is_said_or_told_by_others() {
        for (order, text, written) in [
            (DateOrder::Dmy, "3/4/2024", Ok("2024-04-03T00:00:00.000Z")),
            (DateOrder::Mdy, "3/4/2024", Ok("2024-03-04T00:00:00.000Z")),
            (DateOrder::Ymd, "24-02-13", Ok("2024-02-13T00:00:00.000Z")),
            (DateOrder::Ymd, "24/02/13", Ok("2024-02-13T00:00:00.000Z")),
            (DateOrder::Dmy, "24-02-13", Ok("2013-02-24T00:00:00.000Z")),
            (DateOrder::Dmy, "2/13/2024", Err(OTHER_ORDER)),
            (DateOrder::Ymd, "3/4/2024", Err(OTHER_ORDER)),
            (DateOrder::Mdy, "03.04.2024", Ok("2024-04-03T00:00:00.000Z")),
            (DateOrder::Mdy, "2024-02-13", Ok("2024-02-13T00:00:00.000Z")),
        ] {
            assert_eq!(Times::new(Some(order)).read(text).map(format_time), written.map(str::to_owned), "{text}");
        }
        for (texts, only, are_unsure) in [
            (&["13/02/2024", "3/4/2024"][..], Some(DateOrder::Dmy), false),
            (&["3/4/2024", "2/13/24"], Some(DateOrder::Mdy), false),
            (&["3/4/2024", "5/6/2024"], None, true),
            (&["5/5/2024", "2024-01-31", "45000"], None, false),
            (&["13/02/2024", "2/13/2024", "3/4/2024"], None, true),
            (&["13/02/2024", "2/13/2024"], None, false),
            (&["24-02-13", "24-12-31"], None, true),
            (&["99-12-31", "24-02-13"], Some(DateOrder::Ymd), false),
        ] {
            let mut times = Times::default();
            for text in texts {
                let _ = times.read(text);
            }
            assert_eq!((times.seen.only(), times.seen.are_unsure()), (only, are_unsure), "{texts:?}");
        }
    }

    #[test]
    fn dates_of_zeros_are_none() {
        for text in [
            "0000-00-00 00:00:00",
            "0000-00-00",
            "00/00/0000",
            "0",
            "0.0",
            "0001-01-01T00:00:00Z",
            "1/0/1900",
            "00.01.1900",
        ] {
            assert!(is_unset(text), "{text}");
        }
        for text in ["", "2000-01-01", "0001-01-01T00:00:01Z", "0000-00-00 10:00", "x", "0x"] {
            assert!(!is_unset(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_written_time_is_read_again(time in 0..253_402_300_800_000_i64) {
            prop_assert_eq!(parse_time(&format_time(time)), Ok(time));
        }

        #[test]
        fn no_text_makes_it_panic(text in any::<String>(), digits in "[0-9/.:T +-]{0,30}") {
            let _ = (parse_time(&text), parse_time(&digits), is_unset(&text));
            for order in DateOrder::ALL {
                let _ = Times::new(Some(order)).read(&digits);
            }
        }
    }
}
