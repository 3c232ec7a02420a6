//! Both doors: what they answer alike, and what documents may cost.

pub(crate) mod charges;
pub(crate) mod cost;
pub(crate) mod costly_documents;
pub(crate) mod golden;
pub(crate) mod graphql;
pub(crate) mod interfaces;
pub(crate) mod json;
pub(crate) mod snapshots;
pub(crate) mod verdicts;
pub(crate) mod violations;
