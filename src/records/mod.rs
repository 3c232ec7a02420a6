//! Stored data of features: queries, values, states and texts. Nothing here knows the application, a change, HTTP or the schema, but for the
//! names that values have in it.

pub mod accounts;
pub(crate) mod analytics;
pub(crate) mod annotations;
pub(crate) mod api_keys;
pub(crate) mod apps;
pub(crate) mod billing;
pub(crate) mod domains;
pub(crate) mod identities;
pub(crate) mod images;
pub(crate) mod imports;
pub(crate) mod links;
pub(crate) mod memberships;
pub(crate) mod moderation;
pub(crate) mod reports;
pub(crate) mod second_factors;
pub(crate) mod sessions;
pub(crate) mod subdomains;
pub(crate) mod tags;
pub(crate) mod transfers;
pub(crate) mod utm_templates;
pub mod webhooks;
