//! GraphQL types of subdomains.

use async_graphql::{ID, InputObject, SimpleObject};
use serde::{Deserialize, Serialize};

use crate::{
    base::{
        config::Config,
        validate::{MAX_LABEL, MIN_SUBDOMAIN},
    },
    features::domains::hosts::{settings::updated_at, types::HostSettings},
    graphql::{
        directives::{Format, example, format, length},
        scalars::Timestamp,
    },
    platform::auth::{access::resource, scope::Scope},
    records::subdomains::{repo::ShownSubdomain, state::SubdomainStatus},
};

/// The account's subdomain of the service's host: once it is active, the account's own links are served on it.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[graphql(directive = resource::apply(Scope::SubdomainRead))]
#[serde(rename_all = "camelCase")]
pub struct SubdomainClaim {
    /// Identifies the claim.
    #[graphql(directive = example::apply("019aa1c2-b2c3-7d4e-8f50-617283940516".into()))]
    pub(crate) id: ID,
    /// The label, in lower case.
    #[graphql(directive = example::apply("ada".into()))]
    pub(crate) subdomain: String,
    /// The whole host.
    #[graphql(directive = example::apply("ada.localhost".into()))]
    pub(crate) host: String,
    /// Whether links are served on it.
    #[graphql(directive = example::apply("\"CLAIMED\"".into()))]
    pub(crate) status: SubdomainStatus,
    /// When it was claimed.
    pub(crate) claimed_at: Timestamp,
    /// When its settings were last changed, or it was claimed.
    #[serde(default)]
    pub(crate) updated_at: Timestamp,
    /// When it was activated; null while it was not.
    #[graphql(directive = example::apply("2026-11-20T14:50:00.000Z".into()))]
    pub(crate) activated_at: Option<Timestamp>,
    /// What its host does beside serving links, once it is active. It goes with the claim, and to no other account.
    #[serde(default)]
    pub(crate) settings: HostSettings,
}

impl SubdomainClaim {
    /// The subdomain as the API shows it.
    pub(crate) fn new(ShownSubdomain { subdomain, settings }: ShownSubdomain, config: &Config) -> Self {
        SubdomainClaim {
            updated_at: Timestamp(updated_at(subdomain.claimed_at, settings.as_ref())),
            settings: settings.into(),
            id: subdomain.id.into(),
            host: config.host_of(&subdomain.label),
            subdomain: subdomain.label,
            status: if subdomain.activated_at.is_some() { SubdomainStatus::Active } else { SubdomainStatus::Claimed },
            claimed_at: Timestamp(subdomain.claimed_at),
            activated_at: subdomain.activated_at.map(Timestamp),
        }
    }
}

/// A subdomain to claim.
#[derive(InputObject, Debug)]
pub(crate) struct ClaimSubdomainInput {
    /// The label: 3–63 of A–Z, a–z and 0–9, with single hyphens between them; case does not matter. Some, such as `www`
    /// and `mail`, are reserved.
    #[graphql(
        directive = length::apply(MIN_SUBDOMAIN, MAX_LABEL),
        directive = format::apply(Format::Subdomain),
        directive = example::apply("ada".into())
    )]
    pub(crate) subdomain: String,
}
