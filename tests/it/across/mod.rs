//! Operations and events that concern several features.

pub(crate) mod account_deletion;
pub(crate) mod events;
pub(crate) mod link_fields;
pub(crate) mod transfers;
