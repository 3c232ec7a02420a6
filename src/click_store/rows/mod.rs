//! Clicks as rows of the database.

pub(super) mod links_repo;
mod months_repo;
pub(super) mod repo;
pub(super) mod scan_repo;
pub(super) mod slot_repo;
pub(super) mod split_repo;
mod write_repo;

pub use self::months_repo::Months;
pub(crate) use self::{
    links_repo::lock_link,
    repo::{ClickFilter, ShownClick, counts_since, newest},
    scan_repo::{Found, ScannedClick, Shown},
    slot_repo::{CountedClick, New},
    split_repo::SplitDay,
    write_repo::{insert, is_pending, not_new, note_counted, pending},
};
