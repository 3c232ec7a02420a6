//! On PostgreSQL the clicks of a month (UTC) are a partition of `clicks`: the table and indexes that ingest writes stay small,
//! however long clicks are kept, and a month that retention has emptied is dropped as a whole.
//!
//! The node that stores the first click of a month creates its partition. Unlike `CREATE TABLE … PARTITION OF`, `ATTACH PARTITION`
//! does not block readers.

use std::{collections::BTreeSet, fmt};

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime};
use sea_orm::{ConnectionTrait, DatabaseBackend, DbErr, Statement};

use crate::{base::clock::UnixMillis, platform::db::Db};

/// Key of the lock that is held while partitions change (`pg_advisory_xact_lock`): "lg-month" in ASCII.
const LOCK: i64 = i64::from_be_bytes(*b"lg-month");
/// How long dropping a month may wait for its lock, and others behind it. After that the month is kept until the next try.
const PATIENCE: &str = "SET LOCAL lock_timeout = '200ms'";
const PARTITIONS: &str = "SELECT relname::text FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid \
                          WHERE inhparent = 'clicks'::regclass";
/// A table without a page has no row, not even one that another transaction is about to store.
const IS_EMPTY: &str = "AND pg_relation_size(inhrelid) = 0";

/// A month of UTC, counted from the year 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Month(i32);

impl Month {
    fn of(time: UnixMillis) -> Self {
        let date = DateTime::from_timestamp_millis(time).unwrap_or_default();
        Month(date.year() * 12 + date.month0().cast_signed())
    }

    fn begin(self) -> UnixMillis {
        let (year, month) = (self.0.div_euclid(12), self.0.rem_euclid(12).unsigned_abs() + 1);
        let date = NaiveDate::from_ymd_opt(year, month, 1).unwrap_or_default();
        date.and_time(NaiveTime::MIN).and_utc().timestamp_millis()
    }

    fn read(text: &str) -> Option<Self> {
        let (year, month) = text.split_once('_')?;
        Some(Month(year.parse::<i32>().ok()? * 12 + month.parse::<i32>().ok()? - 1))
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}_{:02}", self.0.div_euclid(12), self.0.rem_euclid(12) + 1)
    }
}

/// A partition of `clicks`, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Partition {
    /// Clicks before this month, stored before the table had a partition for each month.
    Before(Month),
    Of(Month),
}

impl Partition {
    fn read(name: &str) -> Option<Self> {
        let name = name.strip_prefix("clicks_")?;
        match name.strip_prefix("before_") {
            Some(month) => Month::read(month).map(Partition::Before),
            None => Month::read(name).map(Partition::Of),
        }
    }

    fn holds(self, month: Month) -> bool {
        match self {
            Partition::Before(end) => month < end,
            Partition::Of(own) => month == own,
        }
    }

    fn is_before(self, month: Month) -> bool {
        match self {
            Partition::Before(end) => end <= month,
            Partition::Of(own) => own < month,
        }
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Partition::Before(end) => write!(f, "clicks_before_{end}"),
            Partition::Of(month) => write!(f, "clicks_{month}"),
        }
    }
}

/// The partitions that were found or created.
#[derive(Debug, Default)]
pub struct Months {
    known: Vec<Partition>,
}

impl Months {
    /// Creates the missing partitions for clicks of these times. Another node may drop an empty partition before the clicks are
    /// stored: if storing fails, call this again on a new `Months`.
    pub async fn cover(&mut self, db: &Db, times: impl Iterator<Item = UnixMillis>) -> Result<(), DbErr> {
        if db.backend() != DatabaseBackend::Postgres {
            return Ok(());
        }
        let wanted: BTreeSet<Month> = times.map(Month::of).collect();
        if self.lacking(&wanted).is_empty() {
            return Ok(());
        }
        let tx = db.begin().await?;
        tx.execute_unprepared(&format!("SELECT pg_advisory_xact_lock({LOCK})")).await?;
        let mut there = Months { known: partitions(&tx, PARTITIONS).await? };
        let lacking = there.lacking(&wanted);
        for month in &lacking {
            let (partition, begin, end) = (Partition::Of(*month), month.begin(), Month(month.0 + 1).begin());
            tx.execute_unprepared(&format!("CREATE TABLE {partition} (LIKE clicks INCLUDING ALL)")).await?;
            let attach =
                format!("ALTER TABLE clicks ATTACH PARTITION {partition} FOR VALUES FROM ({begin}) TO ({end})");
            tx.execute_unprepared(&attach).await?;
            there.known.push(partition);
        }
        tx.commit().await?;
        *self = there;
        if let Err(error) = self.drop_emptied(db, &wanted).await {
            tracing::info!(%error, "Months without clicks stay until the next one begins");
        }
        Ok(())
    }

    fn lacking(&self, wanted: &BTreeSet<Month>) -> Vec<Month> {
        wanted.iter().copied().filter(|month| !self.known.iter().any(|known| known.holds(*month))).collect()
    }

    /// Drops partitions that have no clicks any more, are older than the newest month of `wanted`, and hold none of these months.
    async fn drop_emptied(&mut self, db: &Db, wanted: &BTreeSet<Month>) -> Result<(), DbErr> {
        let empty = format!("{PARTITIONS} {IS_EMPTY}");
        let goes = |partition: &Partition| {
            wanted.last().is_some_and(|newest| partition.is_before(*newest))
                && !wanted.iter().any(|month| partition.holds(*month))
        };
        if !partitions(db.read(), &empty).await?.iter().any(goes) {
            return Ok(());
        }
        let tx = db.begin().await?;
        for statement in [PATIENCE, "LOCK TABLE ONLY clicks IN ACCESS EXCLUSIVE MODE"] {
            tx.execute_unprepared(statement).await?;
        }
        let mut gone = partitions(&tx, &empty).await?;
        gone.retain(goes);
        for partition in &gone {
            tx.execute_unprepared(&format!("DROP TABLE {partition}")).await?;
        }
        tx.commit().await?;
        self.known.retain(|partition| !gone.contains(partition));
        Ok(())
    }
}

async fn partitions(db: &impl ConnectionTrait, sql: &str) -> Result<Vec<Partition>, DbErr> {
    let rows = db.query_all_raw(Statement::from_string(DatabaseBackend::Postgres, sql)).await?;
    let names: Vec<String> = rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<_, _>>()?;
    Ok(names.iter().filter_map(|name| Partition::read(name)).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_time_is_in_its_month(time in -10_000_000_000_000_i64..100_000_000_000_000) {
            let month = Month::of(time);
            let following = Month(month.0 + 1);
            prop_assert!(month.begin() <= time && time < following.begin());
            prop_assert_eq!((Month::of(month.begin()), Month::of(following.begin() - 1)), (month, month));
        }

        #[test]
        fn a_partition_is_known_by_its_name(time in 0_i64..100_000_000_000_000, is_before: bool) {
            let month = Month::of(time);
            let partition = if is_before { Partition::Before(month) } else { Partition::Of(month) };
            prop_assert_eq!(Partition::read(&partition.to_string()), Some(partition));
            prop_assert_eq!(partition.holds(month), !is_before);
            prop_assert_eq!(partition.is_before(month), is_before);
        }
    }

    #[test]
    fn names_are_those_of_the_calendar() {
        assert_eq!(Partition::Of(Month::of(1_796_083_199_999)).to_string(), "clicks_2026_11");
        assert_eq!(Partition::Of(Month::of(1_796_083_200_000)).to_string(), "clicks_2026_12");
        for name in ["clicks", "clicks_", "clicks_before", "clicks_all_of", "links_2026_11"] {
            assert_eq!(Partition::read(name), None, "{name}");
        }
    }
}
