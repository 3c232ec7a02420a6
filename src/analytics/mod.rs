//! Clicks of links, as their owners see them.

pub(crate) mod buckets;
pub(crate) mod event;
pub(crate) mod export;
pub(crate) mod length;
pub(crate) mod loader;
pub(crate) mod ops;
pub(crate) mod query;
pub(crate) mod reading;
pub(crate) mod repo;
pub(crate) mod retention;
pub(crate) mod retention_repo;
pub(crate) mod rollup_repo;
pub(crate) mod series;
pub(crate) mod slot_repo;
pub(crate) mod summary;
pub(crate) mod summary_types;
pub(crate) mod types;
