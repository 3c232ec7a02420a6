//! Records that a change leaves: lines of the audit log, events for others, and jobs to do later.

pub(crate) mod audit;
pub mod event_kind;
pub(crate) mod jobs;
pub(crate) mod outbox;
mod places;
pub(crate) mod worker;
