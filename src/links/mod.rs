//! Short links.

pub mod creations;
pub mod event;
pub mod fields;
pub mod link;
pub mod loader;
pub mod mutation;
pub mod ops;
pub mod place;
pub mod query;
pub mod repo;
pub mod slug;
pub mod sort;
pub mod types;
