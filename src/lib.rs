//! linkgraph: a link-shortening service whose one API definition is a GraphQL schema.
//!
//! The schema is queried at `/graphql`; the REST facade, the OpenAPI document and the table of scopes are read out of
//! it. `README.md` shows how to run it, and `ARCHITECTURE.md` the layers of the modules below.

pub mod across;
pub mod api;
pub(crate) mod app;
pub mod base;
pub mod click_store;
pub mod clicks;
pub mod command;
pub mod contract;
pub(crate) mod delivery;
pub mod features;
pub mod graphql;
pub mod ingest;
pub(crate) mod payments;
pub mod platform;
pub mod records;
pub mod redirect;
pub mod server;
