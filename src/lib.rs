//! linkgraph: a link-shortening service whose one API definition is a GraphQL schema.
//!
//! The schema is queried at `/graphql`; the REST facade, the OpenAPI document and the table of scopes are read out of
//! it. `README.md` shows how to run it, and `ARCHITECTURE.md` the layers of the modules below.

pub mod accounts;
pub(crate) mod analytics;
pub mod api;
pub(crate) mod api_keys;
pub(crate) mod api_threads;
pub(crate) mod app;
pub mod auth;
pub(crate) mod billing;
pub(crate) mod change;
pub mod clicks;
pub mod clock;
pub mod command;
pub(crate) mod concurrency;
pub mod config;
pub(crate) mod data_dir;
pub mod db;
pub(crate) mod domains;
pub mod error;
pub(crate) mod file;
pub mod graphql;
pub mod http;
pub(crate) mod idempotency;
pub mod ids;
pub(crate) mod imports;
pub mod ingest;
pub(crate) mod instance;
pub(crate) mod library_logs;
pub(crate) mod links;
pub(crate) mod live;
pub(crate) mod machine;
pub(crate) mod memory;
pub(crate) mod metering;
pub mod metrics;
pub mod moderation;
pub(crate) mod net;
pub(crate) mod page;
pub(crate) mod priority;
pub(crate) mod process_metrics;
pub(crate) mod random;
pub mod redirect;
pub(crate) mod registration;
pub mod server;
pub(crate) mod sessions;
pub(crate) mod subdomains;
pub(crate) mod tags;
pub mod tier;
pub(crate) mod utm_templates;
pub(crate) mod validate;
pub mod webhooks;
pub(crate) mod weight;
pub mod work;
