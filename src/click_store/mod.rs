//! Where single clicks live, and what they add up to.

pub(crate) mod breakdown;
pub(crate) mod buckets;
pub(crate) mod condition;
pub(crate) mod filtered;
pub(crate) mod question;
pub(crate) mod rows;
pub(crate) mod summary;
