//! The sandbox that stands in for a payment provider.

pub(crate) mod sandbox;
pub(crate) mod sandbox_pages;
