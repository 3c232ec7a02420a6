//! Code that names several features: the deletion of an account, fields that lead to resources of other features, and events.

pub mod account_clicks;
pub(crate) mod account_deletion;
pub(crate) mod delivery_fields;
pub(crate) mod link_fields;
pub(crate) mod link_loader;
pub mod payload;
pub(crate) mod transfers;
