//! Short links.

pub(crate) mod announcements;
pub(crate) mod any_case;
pub(crate) mod bulk_types;
mod change_ops;
pub(crate) mod checks;
mod create_ops;
pub(crate) mod creations;
pub(crate) mod event;
pub(crate) mod export;
pub(crate) mod fields;
pub(crate) mod if_exists;
pub(crate) mod imported;
pub(crate) mod life;
pub(crate) mod link;
pub(crate) mod list_repo;
pub(crate) mod loader;
pub(crate) mod mutation;
pub(crate) mod ops;
pub(crate) mod place;
pub(crate) mod query;
pub(crate) mod repo;
pub(crate) mod slug;
pub(crate) mod slug_repo;
pub(crate) mod sort;
pub(crate) mod state;
pub(crate) mod texts;
pub(crate) mod types;
