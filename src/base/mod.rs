//! Vocabulary of all other rooms: time, ids, errors, settings, rules of text, limits and metrics.

pub mod clock;
pub(crate) mod concurrency;
pub mod config;
pub mod error;
pub(crate) mod file;
pub mod ids;
pub(crate) mod library_logs;
pub(crate) mod machine;
pub(crate) mod memory;
pub(crate) mod metering;
pub mod metrics;
pub(crate) mod page;
pub(crate) mod patch;
pub(crate) mod priority;
pub(crate) mod process_metrics;
pub(crate) mod random;
pub(crate) mod registration;
pub(crate) mod shared_cache;
pub mod tier;
pub(crate) mod validate;
pub(crate) mod version;
pub(crate) mod weight;
