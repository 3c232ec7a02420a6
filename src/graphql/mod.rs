//! The GraphQL schema, what is derived from it, and its endpoints over HTTP and WebSockets.

pub(crate) mod context;
pub mod directives;
pub(crate) mod load;
pub(crate) mod page;
pub(crate) mod rows;
pub(crate) mod scalars;
pub(crate) mod shorthands;
