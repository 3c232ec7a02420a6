//! The status of a subdomain.

use async_graphql::Enum;
use serde::{Deserialize, Serialize};

/// Whether links are served on a subdomain.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum SubdomainStatus {
    /// It is the account's: no link is served.
    Claimed,
    /// Links are served.
    Active,
}

impl SubdomainStatus {
    /// As it is stored.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            SubdomainStatus::Claimed => "CLAIMED",
            SubdomainStatus::Active => "ACTIVE",
        }
    }
}
