//! Images that accounts upload, for cards and QR codes of their links.

pub(crate) mod mutation;
pub(crate) mod ops;
pub(crate) mod query;
pub(crate) mod route;
mod types;
