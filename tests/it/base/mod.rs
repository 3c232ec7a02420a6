//! Settings.

pub(crate) mod settings;
