//! Times as files write them. Without a zone they are taken as UTC.

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};

const DAY: i64 = 86_400_000;
/// The years that times may be of, so that none leaves the range of those that the service writes.
const YEARS: std::ops::RangeInclusive<i64> = 1970..=9999;
/// Unix times up to here are seconds, longer ones milliseconds: the end of the year 9999 in seconds.
const MAX_SECONDS: i64 = 253_402_300_799;
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// The time in Unix milliseconds. Reads `2024-01-31`, with a time after `T` or a space, of which seconds, their fraction and the
/// zone may be missing; `31.01.2024` and `Jan 31, 2024`, with or without a time; and Unix times in seconds or milliseconds. Of
/// `1/31/2024` the order is known if one of the first two is no month.
pub fn parse_time(text: &str) -> Result<i64, &'static str> {
    let text = text.trim();
    if !text.is_ascii() {
        return Err(UNKNOWN);
    }
    if text.len() > 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let number: i64 = text.parse().map_err(|_| UNKNOWN)?;
        return in_range(if number <= MAX_SECONDS { number * 1_000 } else { number });
    }
    let (day, rest) = date(text)?;
    let rest = rest.trim_start_matches(['T', 't', ' ', ',']);
    in_range(day * DAY + if rest.is_empty() { 0 } else { time_of_day(rest)? })
}

const UNKNOWN: &str = "is not a time that is known: write it as 2024-01-31T18:30:00Z";
const AMBIGUOUS: &str = "is a date whose day and month can't be told apart: write it as 2024-01-31";

fn in_range(time: i64) -> Result<i64, &'static str> {
    if (0..(MAX_SECONDS + 1) * 1_000).contains(&time) { Ok(time) } else { Err("is not a time between 1970 and 9999") }
}

/// Days since 1970, and what stands after the date.
fn date(text: &str) -> Result<(i64, &str), &'static str> {
    if text.starts_with(|first: char| first.is_ascii_alphabetic()) {
        let end = text.find(|character: char| !character.is_ascii_alphabetic()).ok_or(UNKNOWN)?;
        let (name, rest) = (text.get(..3).ok_or(UNKNOWN)?.to_ascii_lowercase(), &text[end..]);
        let month = MONTHS.iter().position(|month| *month == name).ok_or(UNKNOWN)?;
        let (day, rest) = number(rest.trim_start_matches(['.', ' ']), 2)?;
        let (year, rest) = number(rest.trim_start_matches([',', ' ']), 4)?;
        return Ok((day_number(year, i64::try_from(month).unwrap_or_default() + 1, day)?, rest));
    }
    let (first, rest) = number(text, 4)?;
    let separator = rest.chars().next().filter(|it| ['-', '.', '/'].contains(it)).ok_or(UNKNOWN)?;
    let (second, rest) = number(&rest[1..], 2)?;
    let rest = rest.strip_prefix(separator).ok_or(UNKNOWN)?;
    let (third, rest) = number(rest, 4)?;
    let day = match separator {
        '-' | '/' if first > 31 => day_number(first, second, third)?,
        '.' => day_number(third, second, first)?,
        '/' if first > 12 => day_number(third, second, first)?,
        '/' if second > 12 => day_number(third, first, second)?,
        '/' => return Err(AMBIGUOUS),
        _ => return Err(UNKNOWN),
    };
    Ok((day, rest))
}

/// Milliseconds from the beginning of the day on, in UTC.
fn time_of_day(text: &str) -> Result<i64, &'static str> {
    let (mut hour, rest) = number(text, 2)?;
    let (minute, rest) = number(rest.strip_prefix(':').ok_or(UNKNOWN)?, 2)?;
    let (second, rest) = match rest.strip_prefix(':') {
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
            "31-01-2024",
        ] {
            assert!(parse_time(text).is_err(), "{text}");
        }
        assert_eq!(parse_time("3/4/2024"), Err(AMBIGUOUS));
    }

    proptest! {
        #[test]
        fn a_written_time_is_read_again(time in 0..253_402_300_800_000_i64) {
            prop_assert_eq!(parse_time(&format_time(time)), Ok(time));
        }

        #[test]
        fn no_text_makes_it_panic(text in any::<String>(), digits in "[0-9/.:T +-]{0,30}") {
            let _ = (parse_time(&text), parse_time(&digits));
        }
    }
}
