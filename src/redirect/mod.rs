//! The redirect: host and slug → destination. It knows entities and the click log, but neither the app nor
//! GraphQL.

pub(crate) mod app_link;
mod arena;
pub(crate) mod association;
pub(crate) mod cache;
pub(crate) mod card;
pub mod connection;
pub(crate) mod counting;
pub(crate) mod forward;
mod gate;
pub(crate) mod head;
pub(crate) mod host_cache;
pub mod invalidation;
pub(crate) mod invalidation_repo;
pub(crate) mod limit_repo;
pub(crate) mod limits;
mod logging;
pub(crate) mod lookups;
pub(crate) mod reserved;
pub(crate) mod resolve;
pub(crate) mod restriction_repo;
pub(crate) mod restrictions;
pub(crate) mod route;
pub(crate) mod rules;
pub(crate) mod served_host;
pub mod stale;
pub(crate) mod state;
pub(crate) mod target;
pub(crate) mod visit;

pub(crate) use state::Redirects;
