//! linkgraph: a link-shortening service whose one API definition is a GraphQL schema.
//!
//! The schema is queried at `/graphql`; the REST facade, the OpenAPI document and the table of scopes are read out of
//! it. `README.md` shows how to run it, and `ARCHITECTURE.md` the layers of the modules below.

pub mod accounts;
pub mod analytics;
pub mod api;
pub mod api_keys;
pub mod api_threads;
pub mod app;
pub mod auth;
pub mod billing;
pub mod clicks;
pub mod clock;
pub mod command;
pub mod concurrency;
pub mod config;
pub mod data_dir;
pub mod db;
pub mod domains;
pub mod error;
pub mod file;
pub mod graphql;
pub mod http;
pub mod ids;
pub mod ingest;
pub mod library_logs;
pub mod links;
pub mod live;
pub mod memory;
pub mod metrics;
pub mod moderation;
pub mod net;
pub mod page;
pub mod priority;
pub mod random;
pub mod redirect;
pub mod server;
pub mod subdomains;
pub mod tier;
pub mod validate;
pub mod webhooks;
pub mod weight;
pub mod work;
