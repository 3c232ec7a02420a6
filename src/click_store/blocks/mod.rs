//! Clicks in blocks.

pub(super) mod block;
pub(super) mod repo;
