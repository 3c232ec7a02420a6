//! Clicks of links, as their owners see them.

pub(crate) mod breakdown_ops;
pub(crate) mod breakdown_types;
pub(crate) mod compaction;
pub(crate) mod event;
pub(crate) mod export;
mod filter;
pub(crate) mod follower;
pub(crate) mod length;
pub(crate) mod loader;
pub(crate) mod ops;
pub(crate) mod query;
pub(crate) mod reports;
pub(crate) mod retention;
pub(crate) mod series;
pub(crate) mod subscription;
pub(crate) mod summary_types;
pub(crate) mod types;
