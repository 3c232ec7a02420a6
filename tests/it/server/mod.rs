//! The whole service: faults of its stores, several nodes, and what it logs and keeps in memory.

pub(crate) mod cluster;
pub(crate) mod faults;
pub(crate) mod full_disk;
pub(crate) mod logged_secrets;
pub(crate) mod memory;
pub(crate) mod metrics;
pub(crate) mod nodes;
pub(crate) mod open_files;
pub(crate) mod outage;
pub(crate) mod permissions;
