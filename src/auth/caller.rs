//! Who calls, and how that is found out from the `Authorization` header.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderValue, header};
use tokio::sync::OnceCell;

use crate::{
    accounts,
    api_keys::{self, ops::LiveKey},
    app::App,
    auth::{
        api_key,
        revocation::Standing,
        scope::{Scope, Scopes},
        user_token::TokenSubject,
    },
    clock::Millis,
    db::Transaction,
    error::{ApiError, Code},
    ids::{AccountId, UserId},
};

/// Who calls.
#[derive(Clone, Debug)]
pub enum Caller {
    /// No credential was sent.
    Anonymous,
    /// What was sent is malformed, unknown, expired or revoked.
    Refused,
    /// A user, by a token whose signature is good and that is not known to be revoked. Whether the user still exists is another
    /// question.
    User(TokenSubject),
    /// An API key that is live.
    ApiKey(LiveKey),
}

impl Caller {
    /// Reads the credential: a user token without a query, as a rule; an API key by one.
    pub async fn authenticate(app: &App, headers: &HeaderMap) -> Result<Caller, ApiError> {
        Self::of(app, headers.get(header::AUTHORIZATION)).await
    }

    /// The same with the value of an `Authorization` header, wherever it was sent.
    pub async fn of(app: &App, authorization: Option<&HeaderValue>) -> Result<Caller, ApiError> {
        let Some(header) = authorization else { return Ok(Caller::Anonymous) };
        let Some(token) = header.to_str().ok().and_then(bearer) else { return Ok(Caller::Refused) };
        if api_key::looks_like_key(token) {
            let Some(hash) = api_key::parse(token) else { return Ok(Caller::Refused) };
            return Ok(api_keys::ops::authenticate(app, &hash).await?.map_or(Caller::Refused, Caller::ApiKey));
        }
        match verify(app, token) {
            Some((subject, Standing::Good)) => Ok(Caller::User(subject)),
            Some((subject, Standing::Unknown)) => match accounts::ops::check_token(app.db.read(), &subject).await {
                Ok(()) => Ok(Caller::User(subject)),
                Err(error) if error.code == Code::Unauthenticated => Ok(Caller::Refused),
                Err(error) => Err(error),
            },
            Some((_, Standing::Revoked)) | None => Ok(Caller::Refused),
        }
    }

    /// The user whose token, with a good signature and not known to be revoked, a request bears. No query is made.
    pub fn verified_user(app: &App, headers: &HeaderMap) -> Option<UserId> {
        let token = bearer(headers.get(header::AUTHORIZATION)?.to_str().ok()?)?;
        let (subject, standing) = verify(app, token)?;
        (standing != Standing::Revoked).then_some(subject.user)
    }

    /// The moment from which on the credential is refused, in Unix milliseconds; none: it does not expire.
    pub fn expires_at(&self) -> Option<Millis> {
        match self {
            Caller::Anonymous | Caller::Refused => None,
            Caller::User(subject) => Some(subject.expires_at),
            Caller::ApiKey(key) => key.expires_at,
        }
    }

    /// Checks within a transaction, which has locked the account, that the credential has not ended since the call began: a key
    /// that is created must not outlive a revocation of all keys.
    pub async fn check_again(&self, tx: &Transaction) -> Result<(), ApiError> {
        match self {
            Caller::Anonymous | Caller::Refused => Err(Code::Unauthenticated.into()),
            Caller::User(subject) => accounts::ops::check_token(tx, subject).await,
            Caller::ApiKey(key) => match api_keys::repo::key(tx, key.account, key.id).await? {
                Some(stored) if stored.revoked_at.is_none() => Ok(()),
                _ => Err(Code::Unauthenticated.into()),
            },
        }
    }

    /// The account that the call acts on.
    pub fn account(&self) -> Option<AccountId> {
        match self {
            Caller::Anonymous | Caller::Refused => None,
            Caller::User(subject) => Some(subject.account),
            Caller::ApiKey(key) => Some(key.account),
        }
    }

    /// The scopes that the call has.
    pub fn scopes(&self) -> Scopes {
        match self {
            Caller::Anonymous | Caller::Refused => Scopes::default(),
            Caller::User(_) => Scopes::all(),
            Caller::ApiKey(key) => key.scopes,
        }
    }

    /// Whether the call has the scope.
    pub fn has(&self, scope: Scope) -> bool {
        self.scopes().contains(scope)
    }
}

/// A user token with a good signature.
fn verify(app: &App, token: &str) -> Option<(TokenSubject, Standing)> {
    let now = app.clock.now();
    let subject = app.user_tokens.verify(token, now)?;
    let is_suspended = app.restrictions.is_suspended(subject.account);
    Some((subject, if is_suspended { Standing::Revoked } else { app.revocations.standing(&subject, now) }))
}

/// The token of a `Bearer` credential (RFC 6750 §2.1; the scheme's case does not matter).
fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim()).filter(|token| !token.is_empty())
}

/// One request's caller, with what was found out about it so far.
#[derive(Debug)]
pub struct Call {
    /// Who calls.
    pub caller: Caller,
    /// From where.
    pub client: IpAddr,
    user_context: OnceCell<Result<(), ApiError>>,
}

impl Call {
    /// A call by this caller.
    pub fn new(caller: Caller, client: IpAddr) -> Self {
        Call { caller, client, user_context: OnceCell::new() }
    }

    /// The account that the call acts on; resolvers run behind [`access::authorize`](super::access::authorize), so
    /// only an operation declared `PUBLIC` can meet a call without one.
    pub fn account(&self) -> Result<AccountId, ApiError> {
        self.caller.account().ok_or_else(|| Code::Unauthenticated.into())
    }

    /// The user who calls, or who created the API key that does.
    pub fn user(&self) -> Result<UserId, ApiError> {
        match &self.caller {
            Caller::User(subject) => Ok(subject.user),
            Caller::ApiKey(key) => Ok(key.user),
            Caller::Anonymous | Caller::Refused => Err(Code::Unauthenticated.into()),
        }
    }

    /// Checks that the token's user still exists and that its password is the one the token was made with. One query,
    /// whatever the number of fields that ask.
    pub async fn check_user_context(&self, app: &App, subject: &TokenSubject) -> Result<(), ApiError> {
        self.user_context.get_or_init(|| accounts::ops::check_token(app.db.read(), subject)).await.clone()
    }
}
