//! The company's identity provider: OpenID Connect with the authorization code flow, PKCE and a nonce.
//!
//! The provider is trusted with who somebody is, and with nothing else: its answers are bounded in size and time, each is verified against
//! its keys, and a provider that is away ends no session and delays nobody but those who sign in.

mod claims;
mod http;

use std::{fmt, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use openidconnect::{
    AccessToken, AccessTokenHash, AuthType, AuthenticationFlow, AuthorizationCode, ClaimsVerificationError, Client,
    ClientId, ClientSecret, CsrfToken, EmptyExtraTokenFields, EndpointMaybeSet, EndpointNotSet, EndpointSet, IdToken,
    IdTokenClaims, IdTokenFields, IssuerUrl, Nonce, OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier,
    RedirectUrl, RequestTokenError, Scope, SignatureVerificationError, StandardErrorResponse, StandardTokenResponse,
    TokenResponse, UserInfoClaims,
    core::{
        CoreAuthDisplay, CoreAuthPrompt, CoreClientAuthMethod, CoreErrorResponseType, CoreGenderClaim, CoreJsonWebKey,
        CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm, CoreProviderMetadata, CoreResponseType,
        CoreRevocableToken, CoreRevocationErrorResponse, CoreTokenIntrospectionResponse, CoreTokenType,
    },
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::Mutex;
use url::Url;

use super::client::ClientNet;
use crate::base::{
    clock::{HOUR, MINUTE, Millis, SECOND, UnixMillis},
    concurrency::{FairQueue, QueueSize},
    config::{BaseUrl, ProviderSettings},
    error::in_one_line,
};
use claims::{Others, texts, value_at};
use http::Http;

/// Where the provider sends browsers back to.
pub(crate) const CALLBACK: &str = "/auth/sign-in/callback";

/// How long the discovery document and the keys are used without asking again.
const FRESH: Millis = HOUR;
/// The time between two requests for keys, when a token is signed by one that is not known.
const MIN_AGE: Millis = MINUTE;
/// How long a provider that did not answer is not asked again.
const PAUSE: Millis = 5 * SECOND;
/// How far the clocks of the provider and of this service may differ.
const SKEW: Millis = MINUTE;
/// Sign-ins at once that wait for the provider.
const TURNS: QueueSize = QueueSize { places: 16, share: 4, waiting_of_one: 16, waiting_in_all: 256 };

/// Somebody, as an identity provider or a proxy says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    /// Who says it. It tells the subjects of several apart.
    pub(crate) issuer: String,
    /// What the issuer calls the user, for ever.
    pub(crate) subject: String,
    /// The e-mail address. `None`: the issuer does not tell it.
    pub(crate) email: Option<String>,
    /// Whether the issuer says that the user reads the mails to it.
    pub(crate) is_email_proved: bool,
    /// The display name. `None`: the issuer does not tell it.
    pub(crate) name: Option<String>,
    /// The groups that the user is in.
    pub(crate) groups: Vec<String>,
}

/// A sign-in that goes on when the browser is back from the provider.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Pending {
    /// Comes back with the code.
    pub(crate) state: String,
    nonce: String,
    verifier: String,
    /// When it began, in Unix milliseconds.
    began_at: UnixMillis,
    /// Whether the provider was to ask the user to authenticate again.
    is_again: bool,
}

/// Why nobody was signed in. The text is for the log.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The provider does not answer, or answers with what is no discovery document or key set.
    Unavailable(String),
    /// The provider's answer is not valid.
    Invalid(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Failure::Unavailable(reason) | Failure::Invalid(reason)) = self;
        f.write_str(reason)
    }
}

type ProviderClient = Client<
    Others,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    StandardTokenResponse<
        IdTokenFields<
            Others,
            EmptyExtraTokenFields,
            CoreGenderClaim,
            CoreJweContentEncryptionAlgorithm,
            CoreJwsSigningAlgorithm,
        >,
        CoreTokenType,
    >,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;
type SignedToken = IdToken<Others, CoreGenderClaim, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm>;
type Claims = IdTokenClaims<Others, CoreGenderClaim>;

/// The identity provider that the settings name.
pub(crate) struct IdentityProvider {
    settings: ProviderSettings,
    /// Where the provider sends browsers back to.
    redirect: RedirectUrl,
    http: Http,
    known: Mutex<Known>,
    turns: Arc<FairQueue<ClientNet>>,
}

/// What is known of the provider.
#[derive(Default)]
struct Known {
    /// The discovery document with the keys, and when it was read.
    metadata: Option<(Arc<CoreProviderMetadata>, UnixMillis)>,
    /// When the provider last failed to answer, and how.
    failed: Option<(String, UnixMillis)>,
}

impl IdentityProvider {
    /// The provider, which sends browsers back to the service at this URL.
    pub(crate) fn new(settings: ProviderSettings, base_url: &BaseUrl) -> anyhow::Result<Self> {
        let redirect = callback(base_url);
        let http = Http::new()?;
        let (known, turns) = (Mutex::default(), FairQueue::new(TURNS));
        Ok(IdentityProvider { settings, redirect: RedirectUrl::new(redirect)?, http, known, turns })
    }

    pub(crate) fn settings(&self) -> &ProviderSettings {
        &self.settings
    }

    /// Asks the provider for its discovery document and keys.
    pub(crate) async fn reach(&self, now: UnixMillis) -> Result<(), Failure> {
        self.metadata(FRESH, now).await.map(drop)
    }

    /// Begins a sign-in: the URL to send the browser to, and what is needed when it is back. `is_again`: the provider shall ask the user to
    /// authenticate, also if it knows the browser.
    pub(crate) async fn begin(
        &self,
        client: ClientNet,
        is_again: bool,
        now: UnixMillis,
    ) -> Result<(Url, Pending), Failure> {
        let _turn = self.turns.acquire(client).await.map_err(|_| busy())?;
        let provider = self.client(&*self.metadata(FRESH, now).await?);
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let flow = AuthenticationFlow::<CoreResponseType>::AuthorizationCode;
        let mut request = provider
            .authorize_url(flow, CsrfToken::new_random, Nonce::new_random)
            .add_scopes(self.settings.scopes.iter().cloned().map(Scope::new))
            .set_pkce_challenge(challenge);
        if is_again {
            // The token then says when the user authenticated (OpenID Connect Core 1.0 §3.1.2.1).
            request = request.add_prompt(CoreAuthPrompt::Login).set_max_age(Duration::ZERO);
        }
        let (url, state, nonce) = request.url();
        let (state, nonce) = (state.into_secret(), nonce.secret().clone());
        Ok((url, Pending { state, nonce, verifier: verifier.into_secret(), began_at: now, is_again }))
    }

    /// Ends a sign-in with the code that the browser brought back.
    pub(crate) async fn finish(
        &self,
        client: ClientNet,
        code: String,
        pending: &Pending,
        now: UnixMillis,
    ) -> Result<Identity, Failure> {
        let _turn = self.turns.acquire(client).await.map_err(|_| busy())?;
        let provider = self.client(&*self.metadata(FRESH, now).await?);
        let exchange = provider.exchange_code(AuthorizationCode::new(code)).map_err(invalid)?;
        let verifier = PkceCodeVerifier::new(pending.verifier.clone());
        let exchanged = exchange.set_pkce_verifier(verifier).request_async(&self.http).await;
        let tokens = exchanged.map_err(|error| match error {
            RequestTokenError::Request(error) => Failure::Unavailable(error.to_string()),
            // The codes that RFC 6749 §5.2 has: the description may repeat what was sent.
            RequestTokenError::ServerResponse(answer) => invalid(format!("the code is refused: {}", answer.error())),
            error => invalid(error),
        })?;
        let token = tokens.id_token().ok_or_else(|| invalid("there is no ID token"))?;
        let claims = match self.verified(&provider, token, pending, now) {
            Err(ClaimsVerificationError::SignatureVerification(SignatureVerificationError::NoMatchingKey)) => {
                // The provider has other keys by now.
                let provider = self.client(&*self.metadata(MIN_AGE, now).await?);
                self.verified(&provider, token, pending, now).map_err(invalid)?.clone()
            }
            claims => claims.map_err(invalid)?.clone(),
        };
        check_access_token(token, &claims, tokens.access_token(), &provider)?;
        let told = self.told_only_there(&provider, &claims, tokens.access_token()).await?;
        self.identity(&claims, told.as_ref())
    }

    fn client(&self, metadata: &CoreProviderMetadata) -> ProviderClient {
        let ProviderSettings { client_id, client_secret, .. } = &self.settings;
        let secret = client_secret.clone().map(ClientSecret::new);
        let methods = metadata.token_endpoint_auth_methods_supported();
        // HTTP Basic where nothing is said (OpenID Connect Discovery 1.0 §3).
        let takes_basic = methods.is_none_or(|methods| methods.contains(&CoreClientAuthMethod::ClientSecretBasic));
        let auth = if takes_basic { AuthType::BasicAuth } else { AuthType::RequestBody };
        Client::from_provider_metadata(metadata.clone(), ClientId::new(client_id.clone()), secret)
            .set_auth_type(auth)
            .set_redirect_uri(self.redirect.clone())
            // It is among the scopes of the settings.
            .disable_openid_scope()
    }

    /// The claims of a token, if it is for this sign-in.
    fn verified<'a>(
        &self,
        provider: &ProviderClient,
        token: &'a SignedToken,
        pending: &Pending,
        now: UnixMillis,
    ) -> Result<&'a Claims, ClaimsVerificationError> {
        use CoreJwsSigningAlgorithm::*;
        let verifier = provider
            .id_token_verifier()
            // Signatures by the provider's keys alone: who knows the client's secret is not the provider.
            .set_allowed_algs([
                RsaSsaPkcs1V15Sha256,
                RsaSsaPkcs1V15Sha384,
                RsaSsaPkcs1V15Sha512,
                RsaSsaPssSha256,
                RsaSsaPssSha384,
                RsaSsaPssSha512,
                EcdsaP256Sha256,
                EcdsaP384Sha384,
                EdDsa,
            ])
            .set_time_fn(move || date(now - SKEW))
            .set_issue_time_verifier_fn(move |at| match at <= date(now + SKEW) {
                true => Ok(()),
                false => Err("the token is issued in the future".to_owned()),
            })
            .set_auth_time_verifier_fn(move |at| match at {
                _ if !pending.is_again => Ok(()),
                Some(at) if at >= date(pending.began_at - SKEW) => Ok(()),
                _ => Err("the user did not authenticate again".to_owned()),
            });
        token.claims(&verifier, &Nonce::new(pending.nonce.clone()))
    }

    /// The claims that the provider tells at its `userinfo` endpoint. `None`: nothing that is needed is missing, or there is no such endpoint.
    async fn told_only_there(
        &self,
        provider: &ProviderClient,
        claims: &Claims,
        token: &AccessToken,
    ) -> Result<Option<UserInfoClaims<Others, CoreGenderClaim>>, Failure> {
        let needs_groups = self.settings.role_claim.as_deref().is_some_and(|claim| at(claims, claim).is_none());
        if claims.email().is_some() && !needs_groups {
            return Ok(None);
        }
        let subject = Some(claims.subject().clone());
        let Ok(request) = provider.user_info(token.clone(), subject) else { return Ok(None) };
        request.request_async(&self.http).await.map(Some).map_err(invalid)
    }

    fn identity(
        &self,
        claims: &Claims,
        told: Option<&UserInfoClaims<Others, CoreGenderClaim>>,
    ) -> Result<Identity, Failure> {
        let (email, is_email_proved) = match (claims.email(), told) {
            (None, Some(told)) => (told.email(), told.email_verified()),
            (email, _) => (email, claims.email_verified()),
        };
        let name = claims.name().or_else(|| told.and_then(UserInfoClaims::name));
        let username = claims.preferred_username().map(|name| name.as_str());
        let groups = self.settings.role_claim.as_deref().and_then(|claim| {
            at(claims, claim).or_else(|| told.and_then(|told| value_at(&told.additional_claims().0, claim)))
        });
        Ok(Identity {
            issuer: self.settings.issuer.clone(),
            subject: claims.subject().to_string(),
            email: email.map(|email| email.to_string()),
            is_email_proved: is_email_proved == Some(true),
            name: name.and_then(|name| name.get(None)).map(|name| name.as_str()).or(username).map(str::to_owned),
            groups: groups.map(texts).unwrap_or_default(),
        })
    }

    /// The discovery document with the keys, read again when it is older than `max_age`.
    async fn metadata(&self, max_age: Millis, now: UnixMillis) -> Result<Arc<CoreProviderMetadata>, Failure> {
        // Held while the provider is asked: it is asked once, whoever waits.
        let mut known = self.known.lock().await;
        let stale = match &known.metadata {
            Some((metadata, read_at)) if now - read_at < max_age => return Ok(Arc::clone(metadata)),
            Some((metadata, _)) => Some(Arc::clone(metadata)),
            None => None,
        };
        let failed = match &known.failed {
            Some((reason, failed_at)) if now - failed_at < PAUSE => reason.clone(),
            _ => match self.discover().await {
                Ok(metadata) => {
                    let metadata = Arc::new(metadata);
                    *known = Known { metadata: Some((Arc::clone(&metadata), now)), failed: None };
                    return Ok(metadata);
                }
                Err(reason) => {
                    tracing::warn!(reason, "The identity provider can't be reached");
                    known.failed = Some((reason.clone(), now));
                    reason
                }
            },
        };
        stale.ok_or(Failure::Unavailable(failed))
    }

    async fn discover(&self) -> Result<CoreProviderMetadata, String> {
        let issuer = IssuerUrl::new(self.settings.issuer.clone()).map_err(|error| error.to_string())?;
        let found = CoreProviderMetadata::discover_async(issuer, &self.http).await;
        found.map_err(|error| in_one_line(&anyhow::Error::from(error)))
    }
}

/// The URL that the provider sends browsers back to, as it has to be registered there.
pub(crate) fn callback(base_url: &BaseUrl) -> String {
    format!("{}{CALLBACK}", base_url.as_str().trim_end_matches('/'))
}

fn busy() -> Failure {
    Failure::Unavailable("too many sign-ins wait for the provider".to_owned())
}

fn invalid(error: impl fmt::Display) -> Failure {
    Failure::Invalid(error.to_string())
}

fn date(at: UnixMillis) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(at).unwrap_or_default()
}

/// Whether the access token is that of the ID token, if that says so (OpenID Connect Core 1.0 §3.1.3.8).
fn check_access_token(
    token: &SignedToken,
    claims: &Claims,
    access: &AccessToken,
    provider: &ProviderClient,
) -> Result<(), Failure> {
    let Some(expected) = claims.access_token_hash() else { return Ok(()) };
    let verifier = provider.id_token_verifier();
    let algorithm = token.signing_alg().map_err(invalid)?;
    let key = token.signing_key(&verifier).map_err(invalid)?;
    let actual = AccessTokenHash::from_token(access, algorithm, key).map_err(invalid)?;
    if actual == *expected { Ok(()) } else { Err(invalid("the access token is another one's")) }
}

fn at<'a>(claims: &'a Claims, path: &str) -> Option<&'a Value> {
    value_at(&claims.additional_claims().0, path)
}
