//! UTM templates.

pub(crate) mod repo;
