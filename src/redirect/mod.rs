//! The redirect: host and slug → destination. It knows entities and the click log, but neither the app nor
//! GraphQL.

mod arena;
pub mod cache;
pub mod connection;
pub mod head;
pub mod host_cache;
pub mod invalidation;
pub mod invalidation_repo;
pub mod lookups;
pub mod reserved;
pub mod resolve;
pub mod restriction_repo;
pub mod restrictions;
pub mod route;
pub mod stale;
pub mod state;

pub use state::Redirects;
