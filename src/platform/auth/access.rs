//! Access to fields: the `@access` directive and its terms. [`authorize`](crate::api::authorize) enforces it.

use async_graphql::{Enum, TypeDirective};
use serde_json::json;

use crate::{
    base::error::{ApiError, Code},
    platform::auth::{caller::Caller, scope::Scope},
};

/// Which credential an operation takes.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credential {
    /// None is needed.
    Public,
    /// A user token.
    User,
    /// A user token or an API key.
    Any,
}

/// How deeply a user token is checked.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Signature, claims, and what was revoked in the last day, which every node has in memory; no row of the user is read.
    Signature,
    /// The user is also loaded: a deleted one, or a token made before the last change of the password, is refused.
    UserContext,
}

/// A limit on calls, beside those of API keys and of public operations, which may be called ten times a minute from one address.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateLimit {
    /// 60 calls in 60 seconds by one user with a user token, of all operations on subdomains together.
    Subdomain,
    /// 60 calls in 60 seconds from one client address (IPv6: its /64), in place of ten: of a public operation that only reads.
    PublicRead,
    /// 600 calls in 60 seconds from one client address (IPv6: its /64), in place of ten: of an operation of apps, whose users share the
    /// addresses of mobile networks.
    OfApps,
}

/// Access to a field, judged for all fields of a request before anything is executed. On a root field: which `credential`
/// the operation takes, how deeply a user token is checked, the `scope` that the caller needs (null: any will do), which an API key
/// holds, and a user token by the member's role,
/// and a `limit` on calls by one user or client; paths under `/api/v1` take an API key only. On any other field, which leads to another
/// resource: the `credential` and the `scope` needed in addition, each time that the directive stands there; an API key with
/// less is refused with FORBIDDEN, whose `details` name the `scope`, or the `credential`. What a mutation
/// answers of a resource is judged by `@resource` and `@creates`.
#[TypeDirective(location = "FieldDefinition", repeatable)]
pub(crate) fn access(credential: Credential, depth: Option<Depth>, scope: Option<Scope>, limit: Option<RateLimit>) {}

/// An API key reads these resources with this `scope`. To write is not to read: without it, a mutation answers of one that existed
/// before its `id`, and those fields that the mutation's `input` has, by the same name and not null; of an object in it likewise. Over
/// REST the other fields are left out of the body; in GraphQL, and in `?fields=`, they are refused with FORBIDDEN, before anything is
/// changed.
#[TypeDirective(location = "Object")]
pub(crate) fn resource(scope: Scope) {}

/// This mutation makes the resource that it answers, so that any caller who may use it gets all of that, with or without the `scope` of
/// its `@resource`. If `orReturns` is true, a request can ask for a resource that exists instead of a new one: only a caller with that scope
/// gets it, over REST with the status 200 and no `Location`; to any other the request fails with CONFLICT.
#[TypeDirective(location = "FieldDefinition")]
pub(crate) fn creates(#[graphql(name = "orReturns")] or_returns: Option<bool>) {}

/// The operation that answers this value makes it, and it is never shown again: no permission to read is needed.
#[TypeDirective(location = "FieldDefinition", name = "shownOnce")]
pub(crate) fn shown_once() {}

/// The arguments of `@creates` on one root field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Creates {
    /// Whether a request can ask for a resource that exists.
    pub or_returns: bool,
}

/// The arguments of `@access` on one root field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Which credential is taken.
    pub credential: Credential,
    /// How deeply a user token is checked.
    pub(crate) depth: Depth,
    /// The scope that the caller needs.
    pub scope: Option<Scope>,
    /// The limit on calls by one user or client.
    pub limit: Option<RateLimit>,
}

/// The permission that a field below a root field asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// A user token of a role with this scope, or an API key with it.
    Scope(Scope),
    /// The token of a user who logged in.
    UserToken,
}

impl Permission {
    /// As `@access` writes it.
    pub(crate) const fn credential(self) -> Credential {
        match self {
            Permission::Scope(_) => Credential::Any,
            Permission::UserToken => Credential::User,
        }
    }

    /// As `@access` writes it.
    pub const fn scope(self) -> Option<Scope> {
        match self {
            Permission::Scope(scope) => Some(scope),
            Permission::UserToken => None,
        }
    }

    /// Fails if the caller lacks it.
    pub(crate) fn check(self, caller: &Caller) -> Result<(), ApiError> {
        match self {
            Permission::Scope(scope) => caller.check_scope(scope),
            Permission::UserToken => match caller {
                Caller::User(_) => Ok(()),
                Caller::ApiKey(_) => Err(ApiError::new(Code::Forbidden, "This needs a user token, not an API key.")
                    .with_details(json!({ "credential": "USER" }))),
                Caller::Anonymous | Caller::Refused => Err(Code::Unauthenticated.into()),
            },
        }
    }

    /// Whether the caller has it.
    pub(crate) fn is_held_by(self, caller: &Caller) -> bool {
        self.check(caller).is_ok()
    }
}

/// The part of the API that a call comes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryPoint {
    /// `/graphql`.
    GraphQl,
    /// A dashboard path; calls of users are rate limited by the route's own layer.
    Dashboard,
    /// A path under `/api/v1`, which takes an API key only.
    PublicApi,
}
