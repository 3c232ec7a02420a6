//! Short links.

pub(crate) mod creations;
pub(crate) mod if_exists;
pub(crate) mod index;
pub(crate) mod life;
pub(crate) mod list_repo;
pub(crate) mod qr_code;
pub(crate) mod repo;
pub(crate) mod retired_repo;
pub(crate) mod slug;
pub(crate) mod slug_repo;
pub(crate) mod sort;
pub(crate) mod state;
pub(crate) mod texts;
pub(crate) mod utm;
pub(crate) mod values;
pub(crate) mod words;
