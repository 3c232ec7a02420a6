//! Starts the real service, on SQLite and on PostgreSQL, and uses it as a caller would.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed test panics")]

mod accounts;
mod api_keys;
mod architecture;
mod billing;
mod billing_histories;
mod billing_limits;
mod billing_state;
mod bulk;
mod click_log;
mod clicks;
mod connections;
mod contract;
mod cost;
mod database;
mod deliveries;
mod delivery_list;
mod delivery_nodes;
mod domain_owners;
mod domains;
mod edge;
mod events;
mod export;
mod golden;
mod graphql;
mod hostile;
mod hosts;
mod inbound;
mod links;
mod live;
mod outage;
mod passwords;
mod rate_limits;
mod readme;
mod redirect;
mod retention;
mod sandbox;
mod sandbox_pages;
mod soak;
mod subdomains;
mod summaries;
mod support;
mod targets;
mod user_tokens;
mod webhooks;
