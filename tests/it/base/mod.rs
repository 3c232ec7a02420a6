//! Settings.

pub(crate) mod compose;
pub(crate) mod settings;
