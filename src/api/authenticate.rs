//! Finds out the caller of a request from its `Authorization` header.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderValue, header};

use crate::{
    app::App,
    base::error::{ApiError, Code},
    features::{accounts, api_keys},
    platform::{
        auth::{api_key, caller::Caller, revocation::TokenState, user_token::TokenSubject},
        db,
    },
};

/// The caller by the headers of a request: a user token is verified without a query, as a rule; an API key by one.
pub(crate) async fn caller(app: &App, headers: &HeaderMap, client: IpAddr) -> Result<Caller, ApiError> {
    caller_by(app, headers.get(header::AUTHORIZATION), client).await
}

/// The caller by the value of an `Authorization` header, wherever it was sent.
pub(crate) async fn caller_by(
    app: &App,
    authorization: Option<&HeaderValue>,
    client: IpAddr,
) -> Result<Caller, ApiError> {
    let caller = find(app, authorization, client).await?;
    if let Some(account) = caller.account() {
        db::act_for(db::Owner::Account(account.0));
    }
    Ok(caller)
}

async fn find(app: &App, authorization: Option<&HeaderValue>, client: IpAddr) -> Result<Caller, ApiError> {
    let Some(header) = authorization else { return Ok(Caller::Anonymous) };
    let Some(token) = bearer(header) else { return Ok(Caller::Refused) };
    if api_key::looks_like_key(token) {
        let Some(hash) = api_key::parse(token) else { return Ok(Caller::Refused) };
        return Ok(api_keys::ops::authenticate(app, &hash, client).await?.map_or(Caller::Refused, Caller::ApiKey));
    }
    match verify(app, token) {
        Some((subject, TokenState::Good)) => Ok(Caller::User(subject)),
        Some((subject, TokenState::Unknown)) => match accounts::owner::check_token(app.db.read(), &subject).await {
            Ok(()) => Ok(Caller::User(subject)),
            Err(error) if error.code == Code::Unauthenticated => Ok(Caller::Refused),
            Err(error) => Err(error),
        },
        Some((_, TokenState::Revoked)) | None => Ok(Caller::Refused),
    }
}

/// The subject of a user token with a good signature.
fn verify(app: &App, token: &str) -> Option<(TokenSubject, TokenState)> {
    let now = app.clock.now();
    let subject = app.user_tokens.verify(token, now)?;
    let is_suspended = app.redirects.restrictions.is_suspended(subject.account);
    Some((subject, if is_suspended { TokenState::Revoked } else { app.redirects.revocations.state_of(&subject, now) }))
}

/// Whether the headers have a token, good or bad. A credential of another scheme is none (RFC 6750 §3.1).
pub(crate) fn has_token(headers: &HeaderMap) -> bool {
    headers.get(header::AUTHORIZATION).and_then(bearer).is_some()
}

/// The token of a `Bearer` credential (RFC 6750 §2.1; the scheme's case does not matter).
fn bearer(header: &HeaderValue) -> Option<&str> {
    let (scheme, token) = header.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim()).filter(|token| !token.is_empty())
}
