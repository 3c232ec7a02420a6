//! Where single clicks live, and what they add up to.
//!
//! The clicks of the last days are rows, which ingest writes. A job makes blocks of those that are older: a quarter of the bytes. Each
//! click is in one of the two, and everybody else asks for clicks wherever they are.

mod blocks;
pub(crate) mod breakdown;
pub(crate) mod buckets;
pub(crate) mod compaction_repo;
pub(crate) mod condition;
pub(crate) mod filtered;
pub(crate) mod question;
mod rows;
pub(crate) mod scan;
pub(crate) mod stored_repo;
pub(crate) mod summary;

pub(crate) use self::blocks::repo::{Damaged, damaged};
pub use self::rows::Months;
pub(crate) use self::rows::{
    ClickFilter, CountedClick, Found, New, ScannedClick, Shown, ShownClick, counts_since, insert, is_pending,
    lock_link, newest, not_new, note_counted, pending,
};
