//! User tokens: JWTs signed with HS256 (RFC 7519). Several secrets verify, the first signs.

use entity::user;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::jwt_hmac;
use crate::base::{
    clock::{SECOND, UnixMillis},
    config::JwtSecret,
    error::ApiError,
    ids::{AccountId, SessionId, UserId},
};

/// How long a token without a session is valid, in seconds.
pub(crate) const LIFETIME: i64 = 24 * 60 * 60;
/// How long a token of a session is valid, in seconds: the session makes others.
pub(crate) const SESSION_LIFETIME: i64 = 60 * 60;
/// How far the clocks of two nodes may differ, in seconds.
const LEEWAY: i64 = 5;
/// The audience (`aud`) of the tokens.
const AUDIENCE: &str = "linkgraph";

#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    sub: Uuid,
    /// The user's account, so that "signature only" routes read no row.
    account: Uuid,
    iss: String,
    aud: String,
    iat: i64,
    exp: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nbf: Option<i64>,
    jti: String,
    /// Milliseconds of the password's last change: exact, where `iat` in seconds is not. Revocations compare it.
    pwd: UnixMillis,
    /// The session that made the token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sid: Option<Uuid>,
}

/// The subject of a verified token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TokenSubject {
    pub(crate) user: UserId,
    /// The user's account when the token was made.
    pub(crate) account: AccountId,
    /// When the password was last changed, as the token knows it.
    pub(crate) password_changed_at: UnixMillis,
    /// The session that made the token; it ends with it. `None`: a login made it.
    pub(crate) session: Option<SessionId>,
    /// The moment from which on it is refused, in Unix milliseconds.
    pub(crate) expires_at: UnixMillis,
}

/// Signs and verifies user tokens.
pub(crate) struct UserTokens {
    keys: Vec<Key>,
    issuer: String,
    validation: Validation,
}

struct Key {
    kid: String,
    sign: EncodingKey,
    verify: DecodingKey,
}

impl UserTokens {
    /// Tokens of this issuer, signed and verified with these secrets.
    pub(crate) fn new(issuer: &str, secrets: Vec<JwtSecret>) -> Self {
        jwt_hmac::install();
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        validation.set_issuer(&[issuer]);
        validation.set_audience(&[AUDIENCE]);
        // Checked below against the clock that tests control.
        validation.validate_exp = false;
        UserTokens {
            keys: secrets
                .into_iter()
                .map(|JwtSecret { kid, secret }| Key {
                    kid,
                    sign: EncodingKey::from_secret(&secret),
                    verify: DecodingKey::from_secret(&secret),
                })
                .collect(),
            issuer: issuer.to_owned(),
            validation,
        }
    }

    /// A token for the user. Answers the seconds for which it is valid, too: [`LIFETIME`], or [`SESSION_LIFETIME`] for one of
    /// a session.
    pub(crate) fn issue(
        &self,
        user: &user::Model,
        session: Option<SessionId>,
        now: UnixMillis,
    ) -> Result<(String, i64), ApiError> {
        let lifetime = if session.is_some() { SESSION_LIFETIME } else { LIFETIME };
        let key = self.keys.first().ok_or_else(|| ApiError::internal("no secret signs tokens"))?;
        let iat = now / SECOND;
        let claims = Claims {
            sub: user.id,
            account: user.account_id,
            iss: self.issuer.clone(),
            aud: AUDIENCE.to_owned(),
            iat,
            exp: iat + lifetime,
            nbf: None,
            jti: Uuid::now_v7().to_string(),
            pwd: user.password_changed_at,
            sid: session.map(|session| session.0),
        };
        let header = Header { kid: Some(key.kid.clone()), ..Header::new(Algorithm::HS256) };
        Ok((encode(&header, &claims, &key.sign).map_err(ApiError::internal)?, lifetime))
    }

    /// The subject of the token; none when anything about it is wrong. Revocations are not looked at here:
    /// [`authenticate`](crate::api::authenticate) does that.
    pub(crate) fn verify(&self, token: &str, now: UnixMillis) -> Option<TokenSubject> {
        let kid = decode_header(token).ok()?.kid?;
        let key = self.keys.iter().find(|key| key.kid == kid)?;
        let claims = decode::<Claims>(token, &key.verify, &self.validation).ok()?.claims;
        let now = now / SECOND;
        let end = claims.exp.saturating_add(LEEWAY);
        let in_time = now < end
            && claims.nbf.is_none_or(|nbf| nbf <= now + LEEWAY)
            && claims.iat <= now + LEEWAY
            // No token is older than its password.
            && claims.iat >= claims.pwd / SECOND - LEEWAY;
        in_time.then_some(TokenSubject {
            user: UserId(claims.sub),
            account: AccountId(claims.account),
            password_changed_at: claims.pwd,
            session: claims.sid.map(SessionId),
            expires_at: end.saturating_mul(SECOND),
        })
    }
}
