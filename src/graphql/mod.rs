//! The schema, what is read out of it, and its doors: HTTP, and WebSockets.

pub mod arguments;
pub mod coercion;
pub mod context;
pub mod contract;
pub mod cost;
pub mod directives;
pub mod document;
pub mod error_path;
pub mod handler;
pub mod inputs;
pub mod introspection;
pub mod load;
pub mod measure;
pub mod merge;
pub mod page;
pub mod protocol;
pub mod rejection;
pub mod request;
pub mod rows;
pub mod scalars;
pub mod schema;
pub mod socket;
pub mod socket_credential;
pub mod tokens;
pub mod validator;
