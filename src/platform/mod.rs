//! What a service of any kind needs: database, network, credentials, HTTP, work that waits, and subscribers.

pub(crate) mod api_threads;
pub mod auth;
pub mod db;
pub mod http;
pub(crate) mod idempotency;
pub(crate) mod live;
pub(crate) mod net;
pub mod work;
