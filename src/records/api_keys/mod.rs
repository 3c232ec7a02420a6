//! API keys.

pub(crate) mod networks;
pub(crate) mod presented;
pub(crate) mod repo;
