//! Clicks on their way: from the redirect into the log, from the log into the database.

pub(crate) mod agent;
pub mod click;
pub(crate) mod day_document;
pub(crate) mod geoip;
pub(crate) mod kept_damage;
pub mod log;
pub(crate) mod number;
pub mod position;
pub(crate) mod position_repo;
pub(crate) mod record;
pub mod records;
pub mod segment;
pub(crate) mod source;
pub(crate) mod texts;
pub(crate) mod visitor;
pub(crate) mod visitor_keys;
pub(crate) mod visitor_repo;
pub(crate) mod writing;

use std::sync::Arc;

use self::{agent::Agents, geoip::GeoIp, log::ClickLog, visitor::Visitors};

/// State needed to log clicks and to interpret them.
pub struct Clicks {
    /// Clicks on their way to the database.
    pub log: Arc<ClickLog>,
    /// Tells visitors apart.
    pub(crate) visitors: Arc<Visitors>,
    /// Countries of addresses.
    pub geoip: Arc<GeoIp>,
    pub(crate) agents: Agents,
}
