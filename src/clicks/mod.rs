//! Clicks on their way: from the redirect into the log, from the log into the database.

pub mod agent;
pub mod click;
pub mod day_document;
pub mod geoip;
pub mod log;
pub mod position;
pub mod position_repo;
pub mod segment;
pub mod visitor;
pub mod visitor_keys;
pub mod visitor_repo;
pub mod writing;

use std::sync::Arc;

use self::{agent::Agents, geoip::GeoIp, log::ClickLog, visitor::Visitors};

/// State needed to log clicks and to interpret them.
pub struct Clicks {
    /// Clicks on their way to the database.
    pub log: Arc<ClickLog>,
    /// Tells visitors apart.
    pub visitors: Arc<Visitors>,
    /// Countries of addresses.
    pub geoip: Arc<GeoIp>,
    /// Parsed user agents.
    pub agents: Agents,
}
