//! Times of conditions: windows, and hours of the week, in a time zone.
//!
//! Where clocks change, a window begins and ends at the first moment at which clocks of the zone show its time or a later one. Hours
//! of the week are what clocks of the zone show: an hour that is left out in spring does not come, and one that comes twice in autumn
//! counts twice.

use std::{fmt, str::FromStr};

use chrono::{DateTime, Datelike, NaiveDateTime, TimeDelta, TimeZone, Timelike};
use chrono_tz::Tz;

/// Minutes of a day and of a week.
const DAY: u16 = 24 * 60;
pub(crate) const WEEK: u16 = 7 * DAY;
/// The most minutes that clocks were put forward by: Samoa left out a day in 2011.
const MAX_GAP: i64 = DAY as i64;
/// The form of a time, and its bytes: chrono alone would take other years and spaces.
const TIME: &str = "%Y-%m-%dT%H:%M";
const TIME_LENGTH: usize = "2026-12-01T00:00".len();
/// What an open end of an interval is (ISO 8601-2, EDTF).
const OPEN: &str = "..";
const DAYS: [&str; 7] = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];

/// An interval of local times: `2026-12-01T00:00/2026-12-24T00:00`; `..` stands for an open end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Window {
    from: Option<NaiveDateTime>,
    until: Option<NaiveDateTime>,
}

impl Window {
    /// The first moment that is in the window, and the first after it, in Unix milliseconds.
    pub(crate) fn moments(self, zone: Tz) -> (i64, i64) {
        (
            self.from.map_or(i64::MIN, |from| moment(zone, from)),
            self.until.map_or(i64::MAX, |until| moment(zone, until)),
        )
    }

    pub(crate) fn is_empty(self, zone: Tz) -> bool {
        let (from, until) = self.moments(zone);
        from >= until
    }
}

/// The first moment at which clocks of the zone show this time or a later one, in Unix milliseconds.
fn moment(zone: Tz, time: NaiveDateTime) -> i64 {
    let later = |minutes| time.checked_add_signed(TimeDelta::minutes(minutes));
    let shown = (0..=MAX_GAP).find_map(|minutes| zone.from_local_datetime(&later(minutes)?).earliest());
    shown.map_or_else(|| time.and_utc().timestamp_millis(), |shown| shown.timestamp_millis())
}

impl FromStr for Window {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let allowed = "an interval such as 2026-12-01T00:00/2026-12-24T00:00, one of its ends may be ..";
        let time = |text: &str| match text {
            OPEN => Ok(None),
            _ if text.len() != TIME_LENGTH => Err(allowed),
            _ => NaiveDateTime::parse_from_str(text, TIME).map(Some).map_err(|_| allowed),
        };
        let (from, until) = text.trim().split_once('/').ok_or(allowed)?;
        match (time(from)?, time(until)?) {
            (None, None) => Err(allowed),
            (from, until) => Ok(Window { from, until }),
        }
    }
}

impl fmt::Display for Window {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time =
            |time: Option<NaiveDateTime>| time.map_or_else(|| OPEN.to_owned(), |time| time.format(TIME).to_string());
        write!(formatter, "{}/{}", time(self.from), time(self.until))
    }
}

/// Hours of some days: `MON-FRI 09:00-17:30`. Where the second time is not after the first, it is the next day's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hours {
    /// A bit for each day, the lowest for Monday.
    days: u8,
    /// Minutes of the day, the second up to 24:00.
    from: u16,
    until: u16,
}

impl FromStr for Hours {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text.trim())
            .ok_or("days and two times such as MON-FRI 09:00-17:30 or SAT,SUN 22:00-02:00; a whole day is 00:00-24:00")
    }
}

fn parse(text: &str) -> Option<Hours> {
    let (days, times) = text.split_once(' ')?;
    let (from, until) = times.trim().split_once('-')?;
    let (from, until) = (minutes(from)?, minutes(until)?);
    let until = if until == 0 && from > 0 { DAY } else { until };
    let days = days.split(',').try_fold(0, |all, days| Some(all | span(days)?))?;
    (from < DAY && from != until).then_some(Hours { days, from, until })
}

/// The days of `MON` or `MON-FRI`; the second may be before the first.
fn span(text: &str) -> Option<u8> {
    let day = |text: &str| DAYS.iter().position(|day| day.eq_ignore_ascii_case(text));
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (day(first)?, day(last)?);
    let last = if last < first { last + DAYS.len() } else { last };
    Some((first..=last).fold(0, |days, day| days | 1 << (day % DAYS.len())))
}

/// The minutes of `HH:MM`, up to 24:00.
fn minutes(text: &str) -> Option<u16> {
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u16>().ok())?;
    let (hours, minutes) = text.split_once(':').filter(|(hours, minutes)| hours.len() == 2 && minutes.len() == 2)?;
    let (hours, minutes) = (number(hours)?, number(minutes).filter(|minutes| *minutes < 60)?);
    Some(hours * 60 + minutes).filter(|minutes| *minutes <= DAY)
}

impl fmt::Display for Hours {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_in = |day: usize| self.days & 1 << day != 0;
        let firsts = (0..DAYS.len()).filter(|day| is_in(*day) && !(*day > 0 && is_in(day - 1)));
        let spans: Vec<String> = firsts
            .map(|first| match (first..DAYS.len()).take_while(|day| is_in(*day)).last() {
                Some(last) if last > first => format!("{}-{}", DAYS[first], DAYS[last]),
                _ => DAYS[first].to_owned(),
            })
            .collect();
        let time = |minutes: u16| format!("{:02}:{:02}", minutes / 60, minutes % 60);
        write!(formatter, "{} {}-{}", spans.join(","), time(self.from), time(self.until))
    }
}

/// The stretches of the week, in minutes from Monday 00:00 on, in their order and apart from each other.
pub(crate) fn stretches(hours: &[Hours]) -> Vec<(u16, u16)> {
    let mut all = Vec::new();
    for Hours { days, from, until } in hours {
        for day in (0..7_u16).filter(|day| days & 1 << day != 0) {
            let until = if until > from { *until } else { until + DAY };
            let (from, until) = (day * DAY + from, day * DAY + until);
            all.push((from, until.min(WEEK)));
            all.push((0, until.saturating_sub(WEEK)));
        }
    }
    all.sort_unstable();
    let mut apart: Vec<(u16, u16)> = Vec::new();
    for (from, until) in all.into_iter().filter(|(from, until)| from < until) {
        match apart.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(until),
            _ => apart.push((from, until)),
        }
    }
    apart
}

/// The minute of the week that clocks of the zone show. `None`: the moment is no time of the calendar.
pub(crate) fn minute_of_week(zone: Tz, now: i64) -> Option<u16> {
    let shown = DateTime::from_timestamp_millis(now)?.with_timezone(&zone);
    // Less than a week has minutes.
    u16::try_from(shown.weekday().num_days_from_monday() * u32::from(DAY) + shown.hour() * 60 + shown.minute()).ok()
}
