//! Tags: words by which an account groups its links.

pub(crate) mod assign;
pub(crate) mod mutation;
pub(crate) mod ops;
pub(crate) mod query;
pub(crate) mod types;
