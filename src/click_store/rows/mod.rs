//! Single clicks as rows of the database.

mod links_repo;
pub(crate) mod repo;
pub(crate) mod scan;
mod scan_repo;
pub(crate) mod slot_repo;
pub(crate) mod split_repo;

pub(crate) use self::{
    scan::Links,
    scan_repo::{Found, ScannedClick, Shown, these},
};
