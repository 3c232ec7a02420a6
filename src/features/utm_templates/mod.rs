//! UTM templates: parameters that an account writes into many destinations, under a name.

pub(crate) mod mutation;
pub(crate) mod ops;
pub(crate) mod query;
pub(crate) mod types;
