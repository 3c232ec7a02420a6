//! The schema, what is read out of it, and its HTTP door.

pub mod context;
pub mod contract;
pub mod cost;
pub mod directives;
pub mod handler;
pub mod loaders;
pub mod page;
pub mod scalars;
pub mod schema;
pub mod tokens;
