//! The redirect: host and slug → destination. It knows entities, the click log and the app, and no GraphQL.

mod arena;
pub mod cache;
pub mod connection;
pub mod head;
pub mod host_cache;
pub mod invalidation;
pub mod invalidation_repo;
pub mod resolve;
pub mod route;
