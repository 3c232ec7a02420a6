//! Clicks of links, as their owners see them.

pub mod event;
pub mod export;
pub mod loader;
pub mod ops;
pub mod query;
pub mod repo;
pub mod retention;
pub mod retention_repo;
pub mod types;
