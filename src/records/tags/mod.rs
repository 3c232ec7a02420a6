//! Tags of links.

pub(crate) mod name;
pub(crate) mod repo;
