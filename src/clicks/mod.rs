//! Clicks on their way: from the redirect into the log, from the log into the database.

pub mod agent;
pub mod click;
pub mod geoip;
pub mod ingest;
pub mod log;
pub mod segment;
pub mod tally;
pub mod visitor;
pub mod visitor_repo;
pub mod writing;
