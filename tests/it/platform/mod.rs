//! Database, network, credentials, HTTP, jobs and subscribers.

pub(crate) mod application;
pub(crate) mod audit;
pub(crate) mod bodies;
pub(crate) mod compressed;
pub(crate) mod cors;
pub(crate) mod database;
pub(crate) mod documents;
pub(crate) mod edge;
pub(crate) mod guesses;
pub(crate) mod hashes;
pub(crate) mod idempotency;
pub(crate) mod idempotency_crashes;
pub(crate) mod job_turns;
pub(crate) mod live;
pub(crate) mod live_changes;
pub(crate) mod mails;
pub(crate) mod passwords;
pub(crate) mod plans;
pub(crate) mod rate_limits;
pub(crate) mod revocation;
pub(crate) mod shared_limits;
pub(crate) mod shares;
pub(crate) mod targets;
pub(crate) mod unread;
pub(crate) mod user_tokens;
