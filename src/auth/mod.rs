//! Authentication and authorization: callers, their credentials, and the scopes of these.

pub mod access;
pub mod api_key;
pub mod caller;
pub mod client;
mod jwt_hmac;
pub mod live_key;
pub mod network_hash;
pub mod password;
pub mod revocation;
pub mod scope;
pub mod signing_secret;
pub mod signing_secret_repo;
pub mod user_token;
pub mod watchers;
