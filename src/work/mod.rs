//! Work that a change leaves behind: events for others, and jobs to do later.

pub mod event_kind;
pub mod jobs;
pub mod outbox;
pub mod worker;
