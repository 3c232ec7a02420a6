//! Reports: questions about clicks that are kept, and their pages for everybody who has the URL.

pub(crate) mod definition;
pub(crate) mod inputs;
pub(crate) mod mutation;
pub(crate) mod ops;
pub(crate) mod page;
pub(crate) mod query;
pub(crate) mod route;
pub(crate) mod types;
