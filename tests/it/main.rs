//! Starts the real service, on SQLite and on PostgreSQL, and uses it as a caller would.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed test panics")]

mod across;
mod api;
mod architecture;
mod base;
mod clicks;
mod command;
mod contract;
mod delivery;
mod features;
mod imports;
mod ingest;
mod payments;
mod platform;
mod readme;
mod redirect;
mod server;
mod support;

use each_database::on_each_database;
