//! What everything else uses.

pub(crate) mod settings;
