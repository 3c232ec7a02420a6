//! linkgraph: a link-shortening service whose one API definition is a GraphQL schema.
//!
//! The schema is queried at `/graphql`; the REST facade, the OpenAPI document and the table of scopes are read out of
//! it. `README.md` shows how to run it, and the modules below are the rooms of the house.

pub mod accounts;
pub mod analytics;
pub mod api;
pub mod api_keys;
pub mod app;
pub mod auth;
pub mod backup;
pub mod batch;
pub mod billing;
pub mod clicks;
pub mod client_stream;
pub mod clock;
pub mod closing;
pub mod command;
pub mod config;
pub mod data_dir;
pub mod db;
pub mod delivery;
pub mod dns;
pub mod domains;
pub mod drain;
pub mod edge;
pub mod error;
pub mod events;
pub mod file;
pub mod graphql;
pub mod health;
pub mod hosts;
pub mod ids;
pub mod jobs;
pub mod library_logs;
pub mod links;
pub mod listener;
pub mod live;
pub mod mailer;
pub mod metrics;
pub mod outbox;
pub mod packed;
pub mod page;
pub mod pages;
pub mod places;
pub mod plan;
pub mod random;
pub mod rate_limit;
pub mod redirect;
pub mod rest;
pub mod server;
pub mod subdomains;
pub mod text;
pub mod tls;
pub mod usage;
pub mod webhooks;
pub mod weight;
