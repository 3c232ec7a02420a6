//! Passkeys (W3C Web Authentication, Level 3): what a browser is asked for, and the check of what it answers.
//!
//! What is on its way is in a signed text that the browser brings back, so that any node ends what another began.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use url::Url;
use uuid::Uuid;
use webauthn_rs::{
    Webauthn, WebauthnBuilder,
    prelude::{DiscoverableAuthentication, Passkey, PasskeyRegistration, PublicKeyCredential, WebauthnError},
};

use super::user_token::UserTokens;
use crate::base::{
    clock::{MINUTE, Millis, UnixMillis},
    config::BaseUrl,
    error::ApiError,
};

/// How long the browser may take. The recommended time of the specification is five minutes for both ceremonies (§15.1).
const LIFETIME: Millis = 5 * MINUTE;
/// The audiences of the signed texts, so that neither is taken for the other, nor for a token.
const REGISTRATION: &str = "linkgraph-passkey-registration";
const AUTHENTICATION: &str = "linkgraph-passkey-authentication";

/// Asks browsers for passkeys of the service's host.
pub(crate) struct Passkeys(Webauthn);

/// What a passkey is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Purpose {
    /// Anybody logs in.
    LogIn,
    /// This user has taken the first step of a login.
    SecondStep(Uuid),
    /// This user, who is logged in, proves again to be the user.
    Prove(Uuid),
}

/// A challenge for a browser.
pub(crate) struct Challenge {
    /// The signed text that comes back with the answer.
    pub(crate) text: String,
    /// JSON for `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.
    pub(crate) options: String,
}

/// A challenge that came back.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Asked<T> {
    pub(crate) id: Uuid,
    /// Unix milliseconds.
    pub(crate) expires_at: UnixMillis,
    pub(crate) what: T,
}

/// A registration on its way, for the user with this id.
pub(crate) type Registration = Asked<(Uuid, PasskeyRegistration)>;
/// An authentication on its way.
pub(crate) type Authentication = Asked<(Purpose, DiscoverableAuthentication)>;

/// A user, as authenticators show one.
pub(crate) struct Owner<'a> {
    pub(crate) id: Uuid,
    pub(crate) email: &'a str,
    pub(crate) name: &'a str,
}

impl Passkeys {
    /// `None`: the host is an address, for which browsers have no passkeys (§5.1.3, "effective domain").
    pub(crate) fn new(base_url: &BaseUrl) -> anyhow::Result<Option<Self>> {
        let origin = Url::parse(base_url.as_str())?;
        let Some(host) = origin.domain() else { return Ok(None) };
        Ok(Some(Passkeys(WebauthnBuilder::new(host, &origin)?.build()?)))
    }

    /// Asks for a new passkey, which the authenticator finds by itself later. `known`: credential ids of those that the user has.
    pub(crate) fn start_registration(
        &self,
        tokens: &UserTokens,
        owner: &Owner<'_>,
        known: Vec<Vec<u8>>,
        now: UnixMillis,
    ) -> Result<Challenge, ApiError> {
        let started = self.0.start_passkey_registration(owner.id, owner.email, owner.name, Some(known));
        let (options, state) = started.map_err(ApiError::internal)?;
        let mut options = json!(options.public_key);
        options["authenticatorSelection"]["residentKey"] = "required".into();
        options["authenticatorSelection"]["requireResidentKey"] = true.into();
        challenge(tokens, REGISTRATION, (owner.id, state), &options, now)
    }

    /// The registration of a challenge. `None`: it is unknown or expired.
    pub(crate) fn registration(tokens: &UserTokens, text: &str, now: UnixMillis) -> Option<Registration> {
        tokens.verify_value(REGISTRATION, text, now)
    }

    /// The new passkey by the browser's answer. Fails with the reason when the answer is none, or not to this challenge.
    pub(crate) fn finish_registration(
        &self,
        state: &PasskeyRegistration,
        answer: &str,
    ) -> Result<Passkey, WebauthnError> {
        self.0
            .finish_passkey_registration(&serde_json::from_str(answer).map_err(WebauthnError::ParseJSONFailure)?, state)
    }

    /// Asks for a passkey. `allowed`: credential ids, one of which it has to have; empty: any of this service.
    pub(crate) fn start_authentication(
        &self,
        tokens: &UserTokens,
        purpose: Purpose,
        allowed: &[Vec<u8>],
        now: UnixMillis,
    ) -> Result<Challenge, ApiError> {
        let (options, state) = self.0.start_discoverable_authentication().map_err(ApiError::internal)?;
        let mut options = json!(options.public_key);
        let allowed = allowed.iter().map(|id| json!({ "type": "public-key", "id": URL_SAFE_NO_PAD.encode(id) }));
        options["allowCredentials"] = allowed.collect();
        challenge(tokens, AUTHENTICATION, (purpose, state), &options, now)
    }

    /// The authentication of a challenge. `None`: it is unknown or expired.
    pub(crate) fn authentication(tokens: &UserTokens, text: &str, now: UnixMillis) -> Option<Authentication> {
        tokens.verify_value(AUTHENTICATION, text, now)
    }

    /// Checks the browser's answer by the passkey that it names, and answers this as it is from now on (§7.2). Its user was verified, by a
    /// finger, a face or a PIN. Fails with the reason when anything is wrong, also when the counter went back, as that of a copy does.
    pub(crate) fn finish_authentication(
        &self,
        state: DiscoverableAuthentication,
        answer: &PublicKeyCredential,
        mut passkey: Passkey,
    ) -> Result<Passkey, WebauthnError> {
        let result = self.0.finish_discoverable_authentication_v2(answer, state, &passkey)?;
        passkey.update_credential(&result);
        Ok(passkey)
    }
}

fn challenge<T: Serialize>(
    tokens: &UserTokens,
    audience: &str,
    what: T,
    options: &Json,
    now: UnixMillis,
) -> Result<Challenge, ApiError> {
    let expires_at = now + LIFETIME;
    let asked = Asked { id: Uuid::now_v7(), expires_at, what };
    Ok(Challenge { text: tokens.sign_value(audience, &asked, expires_at)?, options: options.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_is_an_address_has_no_passkeys() {
        for (base_url, has) in [
            ("https://sho.rt", true),
            ("http://localhost:8080", true),
            ("https://sho.rt:8443", true),
            ("http://127.0.0.1:8080", false),
            ("https://[2001:db8::1]", false),
        ] {
            let made = Passkeys::new(&BaseUrl::parse(base_url).unwrap()).unwrap();
            assert_eq!(made.is_some(), has, "{base_url}");
        }
    }
}
