//! Clicks of links, as their owners see them.

pub mod buckets;
pub mod event;
pub mod export;
pub mod length;
pub mod loader;
pub mod ops;
pub mod query;
pub mod reading;
pub mod repo;
pub mod retention;
pub mod retention_repo;
pub mod rollup_repo;
pub mod series;
pub mod slot_repo;
pub mod summary;
pub mod summary_types;
pub mod types;
