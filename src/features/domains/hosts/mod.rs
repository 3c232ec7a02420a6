//! Settings of the hosts that links of accounts are served on.

pub(crate) mod route;
pub(crate) mod settings;
pub(crate) mod types;
