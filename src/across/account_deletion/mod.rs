//! The deletion of users, and with the last one of the account and what all features keep of it.

pub(crate) mod mutation;
pub(crate) mod ops;
