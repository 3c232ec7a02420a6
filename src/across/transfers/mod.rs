//! Transfers of links and custom domains to another account.

pub(crate) mod moving;
pub(crate) mod mutation;
pub(crate) mod ops;
pub(crate) mod query;
pub(crate) mod types;
