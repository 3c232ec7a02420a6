//! Clicks as rows of the database.

pub(super) mod links_repo;
pub(super) mod repo;
pub(super) mod scan_repo;
pub(super) mod slot_repo;
pub(super) mod split_repo;

pub(crate) use self::{
    repo::{ClickFilter, Recorded, ShownClick, counts_since, newest},
    scan_repo::{Found, ScannedClick, Shown},
    slot_repo::{CountedClick, New},
    split_repo::SplitDay,
};
