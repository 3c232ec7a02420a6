//! Makes the index of the links of an account, and finds links by it.

pub(crate) mod find;
pub(crate) mod indexing;
