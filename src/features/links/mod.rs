//! Short links.

pub(crate) mod announcements;
pub(crate) mod any_case;
pub(crate) mod availability;
pub(crate) mod bulk_types;
pub(crate) mod card_types;
mod change_ops;
pub(crate) mod checks;
mod create_ops;
pub(crate) mod event;
pub(crate) mod export;
pub(crate) mod imported;
pub(crate) mod index;
pub(crate) mod inputs;
pub(crate) mod link;
pub(crate) mod loader;
pub(crate) mod lookup;
pub(crate) mod mutation;
pub(crate) mod ops;
pub(crate) mod page_metadata;
pub(crate) mod passwords;
pub(crate) mod place;
pub(crate) mod qr_code;
pub(crate) mod query;
pub(crate) mod rehearsal;
pub(crate) mod rules;
pub(crate) mod types;
pub(crate) mod utm_types;
