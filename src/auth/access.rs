//! What each root field asks of its caller: the `@access` directive, and the one function that enforces it, for both
//! doors and before anything is executed.

use async_graphql::{Enum, TypeDirective};

use crate::{
    app::App,
    auth::{
        caller::{Call, Caller},
        client::ClientNet,
        scope::Scope,
    },
    error::{ApiError, Code},
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
    /// Signature and claims; no row of the user is read.
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

/// Who may call this operation: which `credential` is taken, how deeply a user token is checked, and the `scope` that an
/// API key needs (null: any live key will do). A user token has all scopes. Paths under `/api/v1` take an API key only.
/// `limit` is a limit on calls by one user.
#[TypeDirective(location = "FieldDefinition")]
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

/// Through which door a call comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// `/graphql`.
    GraphQl,
    /// A dashboard path; public operations, and calls of users, are rate limited by the route's own layer.
    Dashboard,
    /// A path under `/api/v1`, which takes an API key only.
    PublicApi,
}

/// Whether the call may use the root field: credential, then rate limit, then scope.
pub async fn authorize(app: &App, call: &Call, field: &str, asked: Access, door: Door) -> Result<(), ApiError> {
    match (&call.caller, asked.credential) {
        (_, Credential::Public) => {
            if door == Door::GraphQl {
                app.limits.check_public(field, ClientNet::from(call.client))?;
            }
            Ok(())
        }
        (Caller::Anonymous | Caller::Refused, _) => Err(Code::Unauthenticated.into()),
        (Caller::User(_), _) if door == Door::PublicApi => {
            Err(ApiError::new(Code::Unauthenticated, "The public API takes an API key, not a user token."))
        }
        (Caller::User(subject), _) => {
            if let (Some(limit), Door::GraphQl) = (asked.limit, door) {
                app.limits.check_user(limit, subject.user)?;
            }
            match asked.depth {
                Depth::Signature => Ok(()),
                Depth::UserContext => call.check_user_context(app, subject).await,
            }
        }
        (Caller::ApiKey(_), Credential::User) => {
            Err(ApiError::new(Code::Unauthenticated, "This operation takes a user token, not an API key."))
        }
        (Caller::ApiKey(key), Credential::Any) => {
            app.limits.check_api_key(key.id, key.plan)?;
            app.api_calls.count(key.account, app.clock.now());
            match asked.scope {
                Some(scope) if !key.scopes.contains(scope) => Err(Code::Forbidden.into()),
                _ => Ok(()),
            }
        }
    }
}
