//! Clicks of an account, told to its subscribers as they are counted.

pub mod counts;
pub(crate) mod subscription;
pub(crate) mod types;
