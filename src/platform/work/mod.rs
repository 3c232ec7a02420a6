//! Work that a change leaves behind: events for others, and jobs to do later.

pub mod event_kind;
pub(crate) mod jobs;
pub(crate) mod outbox;
mod places;
pub(crate) mod worker;
