//! What rules and splits do, by the public functions.
//!
//! A million pairs of rules and visit, and 10,000 simulated splits, two minutes:
//! `LINKGRAPH_SOAK_RULES=1000000 LINKGRAPH_SOAK_SPLITS=10000 cargo test --release -p link_rules --test rules -- --nocapture`.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a failed test panics")]

mod decisions;
mod formats;
mod limits;
mod same_as_plain;
mod splits;
mod statistics;
mod support;
mod warned;
