//! Requests in GraphQL: over HTTP and WebSockets, validated, measured and executed.

pub(crate) mod answered;
pub(crate) mod arguments;
pub(crate) mod coercion;
pub(crate) mod cost;
pub mod document;
pub(crate) mod field_errors;
pub(crate) mod handler;
pub(crate) mod idempotency;
pub(crate) mod inputs;
pub(crate) mod introspection;
pub mod measure;
pub mod merge;
pub(crate) mod printer;
pub(crate) mod protocol;
pub(crate) mod registry;
pub mod rejection;
pub mod request;
pub(crate) mod schema;
pub(crate) mod socket;
pub mod tokens;
pub mod validator;
