//! The GraphQL schema, what is derived from it, and its endpoints over HTTP and WebSockets.

pub(crate) mod answered;
mod arguments;
pub(crate) mod coercion;
pub(crate) mod context;
pub mod contract;
pub(crate) mod cost;
pub mod directives;
pub mod document;
pub(crate) mod error_path;
pub(crate) mod handler;
pub(crate) mod idempotency;
pub(crate) mod inputs;
pub(crate) mod introspection;
pub(crate) mod load;
pub mod measure;
pub mod merge;
pub(crate) mod page;
pub(crate) mod protocol;
pub mod rejection;
pub mod request;
pub(crate) mod rows;
pub(crate) mod scalars;
pub(crate) mod schema;
pub(crate) mod socket;
pub(crate) mod socket_credential;
pub mod tokens;
pub mod validator;
