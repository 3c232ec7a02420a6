//! Commands beside serving.

pub mod check;
