//! Annotations: what happened at a time, beside the clicks of that time.

pub(crate) mod mutation;
pub(crate) mod ops;
pub(crate) mod query;
pub(crate) mod types;
