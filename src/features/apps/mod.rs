//! Links into apps: what hosts say of the apps that open their links, the keys that apps ship with, and the question where a link leads.

pub(crate) mod hosts;
pub(crate) mod keys;
pub(crate) mod mutation;
pub(crate) mod query;
mod resolve;
pub(crate) mod types;
