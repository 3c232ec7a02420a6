//! The scopes of callers: 12 that API keys may have, and those that members alone have, by their roles.

use std::fmt;

use async_graphql::Enum;
use serde_json::json;

use crate::base::error::{ApiError, Code};

macro_rules! scopes {
    ($($(#[$doc:meta])* $name:ident $text:literal)*) => {
        /// What a caller must be allowed to do. Over REST and in stored keys a scope is written like `links:read`. A user token has those of
        /// the member's role; an API key has some of the first twelve.
        #[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Scope {$(
            $(#[$doc])*
            $name,
        )*}

        impl Scope {
            /// Every scope.
            const EVERY: &'static [Scope] = &[$(Scope::$name,)*];
            /// The scopes that API keys may have: the first twelve.
            pub const ALL: &'static [Scope] = Scope::EVERY.split_at(12).0;

            /// The scope as a key holds it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Scope::$name => $text,)* }
            }
        }
    };
}

scopes! {
    /// Read links.
    LinksRead "links:read"
    /// Create, change and delete links.
    LinksWrite "links:write"
    /// Read clicks.
    AnalyticsRead "analytics:read"
    /// Create, list and revoke API keys.
    ApiKeysManage "api-keys:manage"
    /// Read domains.
    DomainsRead "domains:read"
    /// Add, verify and remove domains.
    DomainsManage "domains:manage"
    /// Read webhooks and their deliveries.
    WebhooksRead "webhooks:read"
    /// Create, change and delete webhooks.
    WebhooksManage "webhooks:manage"
    /// Read plans.
    BillingRead "billing:read"
    /// Start checkouts and open the billing portal.
    BillingManage "billing:manage"
    /// Read the subdomain.
    SubdomainRead "subdomain:read"
    /// Claim, activate and release the subdomain.
    SubdomainManage "subdomain:manage"
    /// Read members and invitations: no API key has it.
    MembersRead "members:read"
    /// Invite, change and remove members: no API key has it.
    MembersManage "members:manage"
}

impl Scope {
    /// The scope of an API key that is written so.
    pub(crate) fn parse(text: &str) -> Option<Scope> {
        Scope::ALL.iter().copied().find(|scope| scope.as_str() == text)
    }

    /// The error of a caller whose API key lacks this scope.
    pub(crate) fn missing(self) -> ApiError {
        ApiError::from(Code::Forbidden).with_details(json!({ "scope": self.as_str() }))
    }
}

/// The scopes of a key. Empty opens nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scopes(u16);

impl Scopes {
    /// Every scope, as an owner has.
    pub(crate) fn all() -> Self {
        Scope::EVERY.iter().copied().collect()
    }

    /// The scopes in both sets.
    pub(crate) const fn and(self, other: Scopes) -> Scopes {
        Scopes(self.0 & other.0)
    }

    /// Whether the scope is among them.
    pub(crate) const fn contains(self, scope: Scope) -> bool {
        self.0 & (1 << scope as u16) != 0
    }

    /// The scopes in this set that `other` lacks.
    pub(crate) const fn beyond(self, other: Scopes) -> Scopes {
        Scopes(self.0 & !other.0)
    }

    /// In the order of the documentation.
    pub(crate) fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::EVERY.iter().copied().filter(move |scope| self.contains(*scope))
    }

    /// Reads the stored form. A scope that this version does not know opens nothing.
    pub(crate) fn from_stored(text: &str) -> Self {
        text.split(' ').filter_map(Scope::parse).collect()
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Scopes(scopes.into_iter().fold(0, |bits, scope| bits | 1 << scope as u16))
    }
}

impl fmt::Display for Scopes {
    /// The stored form: separated by spaces, as OAuth writes scopes (RFC 6749 §3.3).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, scope) in self.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { " " })?;
            f.write_str(scope.as_str())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_form_round_trips_and_unknown_opens_nothing() {
        let scopes: Scopes = [Scope::LinksRead, Scope::SubdomainManage].into_iter().collect();
        assert_eq!(scopes.to_string(), "links:read subdomain:manage");
        assert_eq!(Scopes::from_stored(&scopes.to_string()), scopes);
        assert_eq!(Scopes::from_stored("links:admin"), Scopes::default());
        assert_eq!(Scopes::from_stored(""), Scopes::default());
        assert_eq!((Scope::ALL.len(), Scopes::all().iter().count()), (12, 14));
        assert_eq!(scopes.beyond([Scope::LinksRead].into_iter().collect()).to_string(), "subdomain:manage");
    }
}
