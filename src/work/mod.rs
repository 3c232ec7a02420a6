//! Work that a change leaves behind: events for others, and jobs to do later.

pub mod event_kind;
pub(crate) mod jobs;
pub(crate) mod outbox;
pub(crate) mod worker;
