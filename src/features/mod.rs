//! The features, a folder for each: its rules, and the operations, types and routes that callers see.

pub mod accounts;
pub(crate) mod analytics;
pub(crate) mod annotations;
pub(crate) mod api_keys;
pub(crate) mod apps;
pub(crate) mod billing;
pub mod domains;
pub(crate) mod images;
pub(crate) mod imports;
pub(crate) mod instance;
pub(crate) mod links;
pub(crate) mod members;
pub mod moderation;
pub(crate) mod second_factor;
pub(crate) mod sessions;
pub(crate) mod sign_in;
pub(crate) mod subdomains;
pub(crate) mod tags;
pub(crate) mod utm_templates;
pub mod webhooks;
