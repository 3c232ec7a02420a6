//! Technical parts that name no feature: database, network, credentials, HTTP, outbox and jobs, and topics of subscribers.

pub(crate) mod api_threads;
pub mod auth;
pub mod db;
pub mod http;
pub(crate) mod idempotency;
pub(crate) mod live;
pub(crate) mod net;
pub mod work;
