//! Authentication and authorization: callers, their credentials, and the scopes of these.

pub mod access;
pub mod api_key;
pub(crate) mod caller;
pub mod client;
pub(crate) mod identity_provider;
mod jwt_hmac;
pub(crate) mod live_key;
pub(crate) mod network_hash;
pub(crate) mod passkeys;
pub(crate) mod password;
pub(crate) mod revocation;
pub(crate) mod role;
pub mod scope;
pub(crate) mod signing_secret;
pub(crate) mod signing_secret_repo;
pub(crate) mod user_token;
pub(crate) mod watchers;
