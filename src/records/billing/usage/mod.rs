//! The usage of accounts: clicks, counted at ingest, and calls of API keys, counted in memory. Both by UTC day.

pub(crate) mod api_calls;
pub(crate) mod repo;

pub(crate) use api_calls::{AccountDay, ApiCalls};

/// Days for which usage is kept: a period of a year, and some more.
pub(crate) const KEPT_DAYS: i32 = 400;
