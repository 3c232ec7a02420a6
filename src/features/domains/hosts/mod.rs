//! What accounts set for the hosts that their links are served on.

pub(crate) mod route;
pub(crate) mod settings;
pub(crate) mod types;
