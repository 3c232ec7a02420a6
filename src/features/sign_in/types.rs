//! GraphQL types of signing in by an identity provider.

use async_graphql::{ID, SimpleObject};
use entity::identity;

use crate::{
    base::config::Config,
    graphql::{
        directives::{example, items},
        scalars::Timestamp,
    },
    records::identities::repo::MAX_IDENTITIES,
};

/// A connection between a user and what the company's identity provider, or the proxy in front of the service, calls the user: who is signed in
/// there is signed in here.
#[derive(SimpleObject, Debug)]
pub(crate) struct Identity {
    /// Identifies the connection.
    #[graphql(directive = example::apply("019aa1c2-c3e8-7b1f-9d24-6a8c0e2f4b15".into()))]
    pub(crate) id: ID,
    /// Name of the provider, as `companySignIn` of `instance` has it; that of one which is not set up any more is its address.
    #[graphql(directive = example::apply("Acme".into()))]
    pub(crate) provider: String,
    /// E-mail address that the provider told at the last sign-in; null when it told none.
    #[graphql(directive = example::apply("ada@example.com".into()))]
    pub(crate) email: Option<String>,
    /// When it was connected.
    pub(crate) created_at: Timestamp,
    /// When the user last signed in by it.
    #[graphql(directive = example::apply("2026-11-21T08:12:04.730Z".into()))]
    pub(crate) last_used_at: Timestamp,
}

/// The identities of the user who calls.
#[derive(SimpleObject, Debug)]
pub(crate) struct IdentityListResult {
    /// The identities, the oldest first.
    #[graphql(directive = items::apply(0, MAX_IDENTITIES as i32))]
    pub(crate) identities: Vec<Identity>,
}

impl Identity {
    /// The identity as the API shows it.
    pub(crate) fn new(config: &Config, identity: identity::Model) -> Self {
        let provider = config.sign_in.provider.as_ref().filter(|provider| provider.issuer == identity.issuer);
        Identity {
            id: identity.id.into(),
            provider: provider.map_or(identity.issuer, |provider| provider.name.clone()),
            email: identity.email,
            created_at: Timestamp(identity.created_at),
            last_used_at: Timestamp(identity.last_used_at),
        }
    }
}
