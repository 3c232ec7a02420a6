//! The caller of a request. [`authenticate`](crate::api::authenticate) finds it out.

use std::net::IpAddr;

use tokio::sync::OnceCell;

use crate::{
    base::{
        clock::UnixMillis,
        error::{ApiError, Code},
        ids::{AccountId, SessionId, UserId},
    },
    platform::auth::{
        live_key::LiveKey,
        scope::{Scope, Scopes},
        user_token::TokenSubject,
    },
};

/// The caller of a request, by the credential that it sent.
#[derive(Clone, Debug)]
pub(crate) enum Caller {
    /// No credential was sent.
    Anonymous,
    /// The credential is malformed, unknown, expired or revoked.
    Refused,
    /// A user, by a token with a valid signature that is not known to be revoked. Whether the user still exists is not checked
    /// yet.
    User(TokenSubject),
    /// An API key that is live.
    ApiKey(LiveKey),
}

impl Caller {
    /// The moment from which on the credential is refused, in Unix milliseconds; none: it does not expire.
    pub(crate) fn expires_at(&self) -> Option<UnixMillis> {
        match self {
            Caller::Anonymous | Caller::Refused => None,
            Caller::User(subject) => Some(subject.expires_at),
            Caller::ApiKey(key) => key.expires_at,
        }
    }

    /// The account that the call acts on.
    pub(crate) fn account(&self) -> Option<AccountId> {
        match self {
            Caller::Anonymous | Caller::Refused => None,
            Caller::User(subject) => Some(subject.account),
            Caller::ApiKey(key) => Some(key.account),
        }
    }

    /// The scopes that the call has.
    pub(crate) fn scopes(&self) -> Scopes {
        match self {
            Caller::Anonymous | Caller::Refused => Scopes::default(),
            Caller::User(subject) => subject.role.scopes(),
            Caller::ApiKey(key) => key.scopes,
        }
    }

    /// Whether the call has the scope.
    pub(crate) fn has(&self, scope: Scope) -> bool {
        self.scopes().contains(scope)
    }

    /// Fails if the call lacks the scope.
    pub(crate) fn check_scope(&self, scope: Scope) -> Result<(), ApiError> {
        if self.has(scope) { Ok(()) } else { Err(scope.missing()) }
    }
}

/// A request's caller and client address, with the cached check of its user.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) caller: Caller,
    /// The address that the call comes from.
    pub(crate) client: IpAddr,
    user_context: OnceCell<Result<(), ApiError>>,
}

impl Call {
    /// A call by this caller.
    pub(crate) fn new(caller: Caller, client: IpAddr) -> Self {
        Call { caller, client, user_context: OnceCell::new() }
    }

    /// The account that the call acts on; resolvers run behind [`authorize`](crate::api::authorize::authorize), so
    /// only an operation declared `PUBLIC` can meet a call without one.
    pub(crate) fn account(&self) -> Result<AccountId, ApiError> {
        self.caller.account().ok_or_else(|| Code::Unauthenticated.into())
    }

    /// The user who calls, or who created the API key that does.
    pub(crate) fn user(&self) -> Result<UserId, ApiError> {
        match &self.caller {
            Caller::User(subject) => Ok(subject.user),
            Caller::ApiKey(key) => Ok(key.user),
            Caller::Anonymous | Caller::Refused => Err(Code::Unauthenticated.into()),
        }
    }

    /// The session of the caller's token. `None`: it has none.
    pub(crate) fn session(&self) -> Option<SessionId> {
        match &self.caller {
            Caller::User(subject) => subject.session,
            Caller::ApiKey(_) | Caller::Anonymous | Caller::Refused => None,
        }
    }

    /// When the user who calls last proved to be the user, in Unix milliseconds. `None`: no user calls.
    pub(crate) fn proved_at(&self) -> Option<UnixMillis> {
        match &self.caller {
            Caller::User(subject) => Some(subject.proved_at),
            Caller::ApiKey(_) | Caller::Anonymous | Caller::Refused => None,
        }
    }

    /// Fails unless the token's user still exists, with the password that the token was made with. `check` runs once per request,
    /// however many fields call this.
    pub(crate) async fn user_context(&self, check: impl Future<Output = Result<(), ApiError>>) -> Result<(), ApiError> {
        self.user_context.get_or_init(|| check).await.clone()
    }
}
