//! The contract: what it says, and what follows from it.

pub(crate) mod field_access;
pub(crate) mod matrix;
pub(crate) mod nulls;
pub(crate) mod one_place;
pub(crate) mod printed;
pub(crate) mod released;
pub(crate) mod versions;
pub(crate) mod write_only;
