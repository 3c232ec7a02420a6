//! Imports of links.

pub(crate) mod repo;
pub(crate) mod state;
