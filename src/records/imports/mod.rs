//! Imports of links.

pub(crate) mod jobs;
pub(crate) mod repo;
pub(crate) mod state;
