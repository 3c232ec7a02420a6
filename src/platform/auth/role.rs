//! Roles of members. A role is a set of scopes and nothing else, so that one rule judges users and API keys.

use async_graphql::Enum;
use serde::{Deserialize, Serialize};

use super::scope::{Scope, Scopes};

/// What a member of an account may do. Over REST and in the database a role is written like `ADMIN`.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Role {
    /// Everything, and makes other owners. An account has one at least.
    Owner,
    /// Everything but making owners, and removing them.
    Admin,
    /// Creates and changes links, and reads reports, domains and webhooks; has API keys for these.
    Member,
    /// Reads links, reports and domains.
    Viewer,
    /// Reads and changes what is paid.
    Billing,
}

impl Role {
    pub(crate) const ALL: [Role; 5] = [Role::Owner, Role::Admin, Role::Member, Role::Viewer, Role::Billing];

    /// The stored form.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Role::Owner => "OWNER",
            Role::Admin => "ADMIN",
            Role::Member => "MEMBER",
            Role::Viewer => "VIEWER",
            Role::Billing => "BILLING",
        }
    }

    /// Reads the stored form. A role that this version does not know may see what a viewer sees.
    pub(crate) fn from_stored(text: &str) -> Self {
        Role::ALL.into_iter().find(|role| role.as_str() == text).unwrap_or(Role::Viewer)
    }

    /// The scopes of a member with this role.
    pub(crate) fn scopes(self) -> Scopes {
        use Scope::*;
        match self {
            Role::Owner | Role::Admin => Scopes::all(),
            Role::Member => [
                LinksRead,
                LinksWrite,
                AnalyticsRead,
                ApiKeysManage,
                DomainsRead,
                SubdomainRead,
                WebhooksRead,
                MembersRead,
            ]
            .into_iter()
            .collect(),
            Role::Viewer => [LinksRead, AnalyticsRead, DomainsRead, SubdomainRead, MembersRead].into_iter().collect(),
            Role::Billing => [BillingRead, BillingManage].into_iter().collect(),
        }
    }
}
