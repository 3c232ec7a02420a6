//! Rules and splits of links: by which links lead visits to one of several destinations.

mod explain;
pub(crate) mod files;
mod inputs;
pub(crate) mod mutation;
pub(super) mod ops;
mod proposed;
pub(crate) mod query;
pub(super) mod rehearsal;
mod report;
mod shown;
pub(crate) mod types;
