//! Access to fields: the `@access` directive, and the one function that enforces it, for both doors and before anything is
//! executed.

use async_graphql::{Enum, TypeDirective};
use serde_json::json;

use crate::{
    app::App,
    auth::{
        caller::{Call, Caller},
        scope::Scope,
    },
    error::{ApiError, Code},
    rate_limit::{Key, Policy, Subject},
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
pub enum Depth {
    /// Signature, claims, and what was revoked in the last day, which every node has in memory; no row of the user is read.
    Signature,
    /// The user is also loaded: a deleted one, or a token made before the last change of the password, is refused.
    UserContext,
}

/// A limit on calls, beside those of API keys and of public operations.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateLimit {
    /// 60 calls in 60 seconds by one user with a user token, of all operations on subdomains together.
    Subdomain,
}

/// Access to a field, judged for all fields of a request before anything is executed. On a root field: which `credential`
/// the operation takes, how deeply a user token is checked, the `scope` that an API key needs (null: any live key will do),
/// and a `limit` on calls by one user; paths under `/api/v1` take an API key only. On any other field, which leads to another
/// resource: the `credential` and the `scope` needed in addition, each time that the directive stands there; an API key with
/// less is refused with FORBIDDEN, whose `details` name the `scope`, or the `credential`. A user token has all scopes. A field of the resource
/// that a mutation changed needs no scope but the mutation's own, unless it has this directive.
#[TypeDirective(location = "FieldDefinition", repeatable)]
pub fn access(credential: Credential, depth: Option<Depth>, scope: Option<Scope>, limit: Option<RateLimit>) {}

/// What `@access` says of one root field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Which credential is taken.
    pub credential: Credential,
    /// How deeply a user token is checked.
    pub depth: Depth,
    /// The scope that an API key needs.
    pub scope: Option<Scope>,
    /// The limit on calls by one user.
    pub limit: Option<RateLimit>,
}

/// The permission that a field below a root field asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// A user token, which has all scopes, or an API key with this scope.
    Scope(Scope),
    /// A user token.
    UserToken,
}

impl Permission {
    /// As `@access` writes it.
    pub const fn credential(self) -> Credential {
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
    pub fn check(self, caller: &Caller) -> Result<(), ApiError> {
        match self {
            Permission::Scope(scope) => check_scope(caller, scope),
            Permission::UserToken => match caller {
                Caller::User(_) => Ok(()),
                Caller::ApiKey(_) => Err(ApiError::new(Code::Forbidden, "This needs a user token, not an API key.")
                    .with_details(json!({ "credential": "USER" }))),
                Caller::Anonymous | Caller::Refused => Err(Code::Unauthenticated.into()),
            },
        }
    }

    /// Whether the caller has it.
    pub fn is_held_by(self, caller: &Caller) -> bool {
        self.check(caller).is_ok()
    }
}

/// Through which door a call comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// `/graphql`.
    GraphQl,
    /// A dashboard path; calls of users are rate limited by the route's own layer.
    Dashboard,
    /// A path under `/api/v1`, which takes an API key only.
    PublicApi,
}

/// A root field that a request executes, and what is asked of its caller. None: the contract does not know it, and it
/// is introspection, or for validation to refuse.
pub type Root<'a> = (&'a str, Option<Access>);

/// Whether the call may use the root fields, and the fields below them with their permissions: credential, then rate limit,
/// then scopes.
pub async fn authorize(
    app: &App,
    call: &Call,
    roots: &[Root<'_>],
    permissions: &[Permission],
    door: Door,
) -> Result<(), ApiError> {
    let asked = || roots.iter().filter_map(|(_, asked)| *asked);
    asked().try_for_each(|asked| check_credential(&call.caller, asked.credential, door))?;
    for ((policy, subject), cost) in costs(call, roots, door) {
        app.limits.take(policy, subject, cost).await?;
    }
    for asked in asked().filter(|asked| asked.credential != Credential::Public) {
        match (&call.caller, asked.depth) {
            (Caller::User(subject), Depth::UserContext) => call.check_user_context(app, subject).await?,
            (Caller::ApiKey(key), _) => {
                app.api_calls.count(key.account, app.clock.now());
                asked.scope.map_or(Ok(()), |scope| check_scope(&call.caller, scope))?;
            }
            _ => {}
        }
    }
    permissions.iter().try_for_each(|permission| permission.check(&call.caller))
}

fn check_scope(caller: &Caller, scope: Scope) -> Result<(), ApiError> {
    if caller.has(scope) { Ok(()) } else { Err(ApiError::missing_scope(scope)) }
}

fn check_credential(caller: &Caller, asked: Credential, door: Door) -> Result<(), ApiError> {
    match (caller, asked) {
        (_, Credential::Public) => Ok(()),
        (Caller::Anonymous | Caller::Refused, _) => Err(Code::Unauthenticated.into()),
        (Caller::User(_), _) if door == Door::PublicApi => {
            Err(ApiError::new(Code::Unauthenticated, "The public API takes an API key, not a user token."))
        }
        (Caller::ApiKey(_), Credential::User) => {
            Err(ApiError::new(Code::Unauthenticated, "This operation takes a user token, not an API key."))
        }
        (Caller::User(_) | Caller::ApiKey(_), _) => Ok(()),
    }
}

/// What the request costs whom: one for each root field. What routes of the facade count by themselves costs nothing here.
fn costs(call: &Call, roots: &[Root<'_>], door: Door) -> Vec<((Policy, Subject), u32)> {
    let mut costs: Vec<((Policy, Subject), u32)> = Vec::new();
    for (field, asked) in roots {
        let (credential, limit) = (asked.map(|asked| asked.credential), asked.and_then(|asked| asked.limit));
        let counted = match (&call.caller, door) {
            _ if credential == Some(Credential::Public) => {
                (Policy::Authentication, Subject::of_client(field, call.client))
            }
            (Caller::ApiKey(key), _) => (Policy::PublicApi(key.plan), Key::from(key.id).into()),
            (Caller::User(user), Door::GraphQl) if limit.is_some() => (Policy::Subdomain, Key::from(user.user).into()),
            _ => continue,
        };
        match costs.iter_mut().find(|(known, _)| *known == counted) {
            Some((_, cost)) => *cost += 1,
            None => costs.push((counted, 1)),
        }
    }
    costs
}
