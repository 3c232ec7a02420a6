//! The command line.

pub(crate) mod backup;
pub(crate) mod check;
pub(crate) mod copy;
pub(crate) mod copy_interrupted;
pub(crate) mod health;
pub(crate) mod restore;
