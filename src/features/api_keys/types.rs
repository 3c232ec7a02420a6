//! GraphQL types of API keys.

use async_graphql::{ID, InputObject, SimpleObject};
use entity::api_key;
use serde::{Deserialize, Serialize};

use crate::{
    base::validate::MAX_NAME,
    graphql::{
        directives::{Format, example, format, items, length, values},
        page::Paged,
        scalars::Timestamp,
    },
    platform::auth::{
        access::resource,
        scope::{Scope, Scopes},
    },
    records::api_keys::networks::{MAX_NETWORKS, Networks},
};

/// An API key. The key itself is shown once, when it is created; here is what remains known of it.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[graphql(directive = resource::apply(Scope::ApiKeysManage))]
#[serde(rename_all = "camelCase")]
pub struct ApiKey {
    /// Identifies the key; it is no secret.
    #[graphql(directive = example::apply("019aa1c2-9f3c-7e55-8d20-6e2d3f405162".into()))]
    pub(crate) id: ID,
    /// Display name.
    #[graphql(directive = example::apply("CI deploys".into()))]
    pub(crate) name: String,
    /// First characters of the key, to recognise it by.
    #[graphql(directive = example::apply("lg_live_4f9X".into()))]
    pub(crate) prefix: String,
    /// Whether it is its creator's own: it may then do no more than the creator's role, and is revoked with the membership. Otherwise it is
    /// the account's, and outlives its creator.
    #[graphql(directive = example::apply("false".into()))]
    #[serde(default)]
    pub(crate) is_personal: bool,
    /// What the key may do; empty opens nothing.
    #[graphql(directive = example::apply("[\"links:read\", \"links:write\"]".into()))]
    pub(crate) scopes: Vec<String>,
    /// The networks that it may be used from, in CIDR notation; empty: from everywhere.
    #[graphql(directive = example::apply("[\"192.0.2.0/24\", \"2001:db8::/32\"]".into()))]
    #[serde(default)]
    pub(crate) allowed_networks: Vec<String>,
    /// When it was created.
    pub(crate) created_at: Timestamp,
    /// When it was last used, exact to a minute; null when it never was.
    #[graphql(directive = example::apply("2026-11-20T15:00:00.000Z".into()))]
    pub(crate) last_used_at: Option<Timestamp>,
    /// When it expires; null when it never does.
    #[graphql(directive = example::apply("2027-11-20T00:00:00.000Z".into()))]
    pub(crate) expires_at: Option<Timestamp>,
    /// When it was revoked; null while it is not.
    #[graphql(directive = example::apply("2026-12-01T09:00:00.000Z".into()))]
    pub(crate) revoked_at: Option<Timestamp>,
}

impl Paged for ApiKey {
    const PAGE: &str = "ApiKeyPageResult";
}

impl From<api_key::Model> for ApiKey {
    fn from(key: api_key::Model) -> Self {
        ApiKey {
            id: key.id.into(),
            scopes: Scopes::from_stored(&key.scopes).iter().map(|scope| scope.as_str().to_owned()).collect(),
            name: key.name,
            is_personal: key.is_personal,
            prefix: key.prefix,
            allowed_networks: Networks::from_stored(key.allowed_networks.as_deref()).written(),
            created_at: Timestamp(key.created_at),
            last_used_at: key.last_used_at.map(Timestamp),
            expires_at: key.expires_at.map(Timestamp),
            revoked_at: key.revoked_at.map(Timestamp),
        }
    }
}

/// A key to create.
#[derive(InputObject, Debug)]
pub(crate) struct CreateApiKeyInput {
    /// Display name of 1 to 100 characters.
    #[graphql(
        directive = length::apply(1, MAX_NAME),
        directive = format::apply(Format::Name),
        directive = example::apply("CI deploys".into())
    )]
    pub(crate) name: String,
    /// What the key may do. An empty list is allowed and opens nothing. A caller can grant only own scopes.
    #[graphql(
        directive = items::apply(0, 100),
        directive = values::apply(Scope::ALL.iter().map(|scope| scope.as_str().to_owned()).collect()),
        directive = example::apply("[\"links:read\", \"links:write\"]".into())
    )]
    pub(crate) scopes: Vec<String>,
    /// When it expires; a time in the past makes a key that is expired from the start. Absent or null: never.
    #[graphql(directive = example::apply("2027-11-20T00:00:00.000Z".into()))]
    pub(crate) expires_at: Option<Timestamp>,
    /// Whether it is the caller's own. Absent or null: the account's, where the caller may manage members; for others it is always
    /// the caller's own, and false fails with FORBIDDEN.
    pub(crate) is_personal: Option<bool>,
    /// The networks that it may be used from: addresses, or networks in CIDR notation. From any other address it is refused with FORBIDDEN and
    /// the reason NETWORK_NOT_ALLOWED. Absent, null or empty: it may be used from everywhere. A key gives parts of its own networks alone.
    #[graphql(
        directive = items::apply(0, MAX_NETWORKS as i32),
        directive = example::apply("[]".into())
    )]
    pub(crate) allowed_networks: Option<Vec<String>>,
}

/// A new key.
#[derive(SimpleObject, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateApiKeyPayload {
    /// What remains known of the key.
    pub(crate) api_key: ApiKey,
    /// The key itself, this once; sent as `Authorization: Bearer <key>`.
    #[graphql(directive = example::apply("lg_live_4f9XkT2bQw8RzYc1LmN5vJ7sHd3PgAeUoBi6WtKxC0y1bZQr".into()))]
    pub(crate) key: String,
}
