//! User tokens: JWTs signed with HS256 (RFC 7519). Several secrets verify, the first signs.

use entity::{membership, user};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use uuid::Uuid;

use super::{jwt_hmac, role::Role};
use crate::base::{
    clock::{SECOND, UnixMillis},
    config::JwtSecret,
    error::ApiError,
    ids::{AccountId, MembershipId, SessionId, UserId},
};

/// How long a token without a session is valid, in seconds.
pub(crate) const LIFETIME: i64 = 24 * 60 * 60;
/// How long a token of a session is valid, in seconds: the session makes others.
pub(crate) const SESSION_LIFETIME: i64 = 60 * 60;
/// How far the clocks of two nodes may differ, in seconds.
const LEEWAY: i64 = 5;
/// How long a challenge for the second factor is valid, in seconds.
const CHALLENGE_LIFETIME: i64 = 5 * 60;
/// The audience (`aud`) of the tokens.
const AUDIENCE: &str = "linkgraph";
/// The audience of challenges, so that neither is taken for the other.
const CHALLENGE_AUDIENCE: &str = "linkgraph-second-factor";

#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    sub: Uuid,
    /// The user's account, so that "signature only" routes read no row.
    account: Uuid,
    iss: String,
    aud: String,
    iat: i64,
    exp: i64,
    /// When the user last proved to be the user, in seconds (OpenID Connect Core 1.0 §2). Tokens of earlier versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    auth_time: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nbf: Option<i64>,
    jti: String,
    /// Milliseconds of the password's last change: exact, where `iat` in seconds is not. Revocations compare it.
    pwd: UnixMillis,
    /// The membership, the time of its last change in milliseconds, and its role. A token of an earlier version lacks them: it is an owner's,
    /// whose membership has the user's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mem: Option<(Uuid, UnixMillis, Role)>,
    /// The session that made the token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sid: Option<Uuid>,
}

/// The subject of a verified token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TokenSubject {
    pub(crate) user: UserId,
    /// The account that the token is for.
    pub(crate) account: AccountId,
    /// The user's membership in it.
    pub(crate) membership: MembershipId,
    /// When the membership was last changed, as the token knows it.
    pub(crate) membership_changed_at: UnixMillis,
    /// The member's role, as the token knows it.
    pub(crate) role: Role,
    /// When the password was last changed, as the token knows it.
    pub(crate) password_changed_at: UnixMillis,
    /// The session that made the token; it ends with it. `None`: a login made it.
    pub(crate) session: Option<SessionId>,
    /// When the user last proved to be the user, by a login or by `confirmAccess`: Unix milliseconds, to the second.
    pub(crate) proved_at: UnixMillis,
    /// The moment from which on it is refused, in Unix milliseconds.
    pub(crate) expires_at: UnixMillis,
}

/// Signs and verifies user tokens.
pub(crate) struct UserTokens {
    keys: Vec<Key>,
    issuer: String,
    validation: Validation,
    challenge_validation: Validation,
}

struct Key {
    kid: String,
    sign: EncodingKey,
    verify: DecodingKey,
}

/// A value that comes back.
#[derive(Serialize, Deserialize, Clone)]
struct Signed<T> {
    iss: String,
    aud: String,
    exp: i64,
    value: T,
}

fn validation(issuer: &str, audience: &str) -> Validation {
    let mut validation = Validation::new(Algorithm::HS256);
    validation.set_required_spec_claims(&["exp", "iss", "aud"]);
    validation.set_issuer(&[issuer]);
    validation.set_audience(&[audience]);
    // Checked against the clock that tests control.
    validation.validate_exp = false;
    validation
}

impl UserTokens {
    /// Tokens of this issuer, signed and verified with these secrets.
    pub(crate) fn new(issuer: &str, secrets: Vec<JwtSecret>) -> Self {
        jwt_hmac::install();
        let validation = |audience| {
            let mut validation = validation(issuer, audience);
            validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
            validation
        };
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
            validation: validation(AUDIENCE),
            challenge_validation: validation(CHALLENGE_AUDIENCE),
        }
    }

    /// A token for the member, who proved at `proved_at` to be the user. Answers the seconds for which it is valid, too: [`LIFETIME`],
    /// or [`SESSION_LIFETIME`] for one of a session.
    pub(crate) fn issue(
        &self,
        user: &user::Model,
        membership: &membership::Model,
        session: Option<SessionId>,
        proved_at: UnixMillis,
        now: UnixMillis,
    ) -> Result<(String, i64), ApiError> {
        let lifetime = if session.is_some() { SESSION_LIFETIME } else { LIFETIME };
        let auth_time = Some(proved_at / SECOND);
        let sid = session.map(|session| session.0);
        let mem = Some((membership.id, membership.changed_at, Role::from_stored(&membership.role)));
        let account = membership.account_id;
        let claims = Claims { account, auth_time, mem, sid, ..self.claims(user, AUDIENCE, lifetime, now) };
        Ok((self.sign(&claims)?, lifetime))
    }

    /// A challenge for the user, whose password was right: with a code of the second factor it becomes a login.
    pub(crate) fn challenge(&self, user: &user::Model, now: UnixMillis) -> Result<String, ApiError> {
        self.sign(&self.claims(user, CHALLENGE_AUDIENCE, CHALLENGE_LIFETIME, now))
    }

    fn claims(&self, user: &user::Model, audience: &str, lifetime: i64, now: UnixMillis) -> Claims {
        let iat = now / SECOND;
        Claims {
            sub: user.id,
            account: user.account_id,
            iss: self.issuer.clone(),
            aud: audience.to_owned(),
            iat,
            exp: iat + lifetime,
            auth_time: None,
            nbf: None,
            jti: Uuid::now_v7().to_string(),
            pwd: user.password_changed_at,
            mem: None,
            sid: None,
        }
    }

    /// A value that this service takes back until `expires_at`, in Unix milliseconds, and that nobody can change meanwhile. `audience` tells what
    /// it is for.
    pub(crate) fn sign_value<T: Serialize>(
        &self,
        audience: &str,
        value: &T,
        expires_at: UnixMillis,
    ) -> Result<String, ApiError> {
        let (iss, aud) = (self.issuer.clone(), audience.to_owned());
        self.sign(&Signed { iss, aud, exp: expires_at / SECOND, value })
    }

    /// A value that was signed for this audience. `None`: anything about it is wrong.
    pub(crate) fn verify_value<T: DeserializeOwned + Clone>(
        &self,
        audience: &str,
        text: &str,
        now: UnixMillis,
    ) -> Option<T> {
        let signed = decode::<Signed<T>>(text, &self.key_of(text)?.verify, &validation(&self.issuer, audience)).ok()?;
        (now / SECOND < signed.claims.exp).then_some(signed.claims.value)
    }

    fn sign<T: Serialize>(&self, claims: &T) -> Result<String, ApiError> {
        let key = self.keys.first().ok_or_else(|| ApiError::internal("no secret signs tokens"))?;
        let header = Header { kid: Some(key.kid.clone()), ..Header::new(Algorithm::HS256) };
        encode(&header, claims, &key.sign).map_err(ApiError::internal)
    }

    /// The key that a token says to be signed with.
    fn key_of(&self, token: &str) -> Option<&Key> {
        let kid = decode_header(token).ok()?.kid?;
        self.keys.iter().find(|key| key.kid == kid)
    }

    /// The subject of the token; none when anything about it is wrong. Revocations are not looked at here:
    /// [`authenticate`](crate::api::authenticate) does that.
    pub(crate) fn verify(&self, token: &str, now: UnixMillis) -> Option<TokenSubject> {
        self.subject(token, &self.validation, now)
    }

    /// The subject of a challenge; none when anything about it is wrong.
    pub(crate) fn verify_challenge(&self, challenge: &str, now: UnixMillis) -> Option<TokenSubject> {
        self.subject(challenge, &self.challenge_validation, now)
    }

    fn subject(&self, token: &str, validation: &Validation, now: UnixMillis) -> Option<TokenSubject> {
        let claims = decode::<Claims>(token, &self.key_of(token)?.verify, validation).ok()?.claims;
        let now = now / SECOND;
        let (membership, membership_changed_at, role) = claims.mem.unwrap_or((claims.sub, 0, Role::Owner));
        let end = claims.exp.saturating_add(LEEWAY);
        let in_time = now < end
            && claims.nbf.is_none_or(|nbf| nbf <= now + LEEWAY)
            && claims.iat <= now + LEEWAY
            // No token is older than its password.
            && claims.iat >= claims.pwd / SECOND - LEEWAY;
        in_time.then_some(TokenSubject {
            user: UserId(claims.sub),
            account: AccountId(claims.account),
            membership: MembershipId(membership),
            membership_changed_at,
            role,
            password_changed_at: claims.pwd,
            session: claims.sid.map(SessionId),
            // A login by itself makes one token. A session makes many, and is asked when it was proved.
            proved_at: claims
                .auth_time
                .unwrap_or(if claims.sid.is_some() { 0 } else { claims.iat })
                .saturating_mul(SECOND),
            expires_at: end.saturating_mul(SECOND),
        })
    }
}
