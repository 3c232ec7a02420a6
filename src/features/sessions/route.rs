//! The three routes of the session's cookie that the application calls. They are no part of the schema: a cookie is for browsers, and no other route reads it.

use std::{net::IpAddr, sync::Arc};

use axum::{
    Extension, Json, Router,
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::post,
};
use serde_json::{Map, Value, json};

use super::{
    cookie::{self, Secret, check_origin},
    ops::{self, Use},
};
use crate::{
    app::App,
    base::{
        clock::rfc3339,
        error::{ApiError, Code, Violations},
    },
    features::{
        accounts::{self, password_check::LOGIN},
        second_factor,
        sign_in::{proxy, users},
    },
    platform::{
        auth::{client::ClientNet, identity_provider::Identity},
        http::{
            edge::{self, LoggedAccount, Peer},
            rate_limit::{ClientAddress, Guess, Policy, Subject},
            refusal::Refusal,
        },
    },
};

/// Begins a session, and ends it.
pub(crate) const PATH: &str = "/auth/session";
/// Makes a token.
pub(crate) const REFRESH_PATH: &str = "/auth/session/refresh";

/// Characters of an unknown field's name that a refusal repeats.
const MAX_SHOWN: usize = 64;

/// The routes.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let own = Router::new().route(PATH, post(create).delete(end)).route(REFRESH_PATH, post(refresh));
    own.with_state(Arc::clone(app))
}

async fn create(
    State(app): State<Arc<App>>,
    Extension(ClientAddress(client)): Extension<ClientAddress>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let created = async {
        check_origin(&headers)?;
        // One quota for both ways to log in.
        let counted = app.limits.take(Policy::Authentication, Subject::of_client(LOGIN, client), 1).await;
        let input = edge::read_json_object(&headers, body).await.and_then(Input::read);
        if let Err(refused) = counted {
            let Ok(Input { step: Step::Password { email, .. }, .. }) = input else { return Err(refused) };
            let guess = Guess::new(&email.to_lowercase(), ClientNet::from(client));
            return Err(app.limits.longest_wait(refused, guess).await);
        }
        let Input { step, is_persistent } = input?;
        let user = match step {
            Step::Password { email, password } => accounts::login::check_login(&app, &email, &password, client).await?,
            Step::SecondFactor { challenge, code } => second_factor::check::confirm(&app, &challenge, &code).await?,
            Step::Passkey { challenge, credential } => {
                second_factor::passkeys::check::log_in(&app, &challenge, &credential, client).await?
            }
            Step::Link { link } => accounts::login::check_link(&app, &link).await?,
        };
        ops::create(&app, user, is_persistent, client, user_agent(&headers)).await
    };
    answer(&app, created.await)
}

async fn refresh(
    State(app): State<Arc<App>>,
    Extension(ClientAddress(client)): Extension<ClientAddress>,
    peer: Option<Extension<Peer>>,
    headers: HeaderMap,
) -> Response {
    let refreshed = async {
        check_origin(&headers)?;
        // A request with a made-up cookie costs a query.
        app.limits.take(Policy::PublicRead, Subject::of_client("refresh", client), 1).await?;
        let secret = Secret::of(&headers, &app.config.base_url);
        match peer.and_then(|Extension(Peer(peer))| proxy::identity(&app.config, peer, &headers)) {
            Some(identity) => refresh_by_proxy(&app, &identity, secret, client, user_agent(&headers)).await,
            None => ops::refresh(&app, &secret.ok_or(Code::Unauthenticated)?).await,
        }
    };
    answer(&app, refreshed.await)
}

/// The session of the user whom the proxy names, which begins with the first request.
async fn refresh_by_proxy(
    app: &App,
    identity: &Identity,
    secret: Option<Secret>,
    client: IpAddr,
    user_agent: &[u8],
) -> Result<Use, ApiError> {
    if let Some(secret) = secret {
        match ops::refresh(app, &secret).await {
            Ok(used) if users::is_of(app, identity, &used.login.user).await? => return Ok(used),
            // Somebody else is signed in at the proxy by now.
            Ok(_) => ops::end_by_secret(app, &secret).await?,
            Err(error) if error.code == Code::Unauthenticated => {}
            Err(error) => return Err(error),
        }
    }
    let rule = app.config.sign_in.proxy.as_ref().and_then(|proxy| proxy.membership.as_ref());
    let user = users::sign_in(app, identity, "the proxy", rule, client).await.map_err(ApiError::from)?;
    let user = accounts::login::check_second_factor(app, user).await?;
    ops::create(app, user, false, client, user_agent).await
}

pub(super) fn user_agent(headers: &HeaderMap) -> &[u8] {
    headers.get(header::USER_AGENT).map_or(&[][..], HeaderValue::as_bytes)
}

async fn end(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let ended = async {
        check_origin(&headers)?;
        if let Some(secret) = Secret::of(&headers, &app.config.base_url) {
            ops::end_by_secret(&app, &secret).await?;
        }
        cookie::removal(&app.config.base_url)
    };
    match ended.await {
        Ok(removal) => (StatusCode::NO_CONTENT, [(header::SET_COOKIE, removal)]).into_response(),
        Err(error) => Refusal(error).into_response(),
    }
}

/// The body of a login.
struct Input {
    step: Step,
    is_persistent: bool,
}

/// The first step of a login, and the second where there is one.
enum Step {
    Password {
        email: String,
        password: String,
    },
    SecondFactor {
        challenge: String,
        code: String,
    },
    /// Alone, or the second one.
    Passkey {
        challenge: String,
        credential: String,
    },
    /// The token of a link that an operator made.
    Link {
        link: String,
    },
}

impl Input {
    fn read(mut body: Map<String, Value>) -> Result<Self, ApiError> {
        let [is_passkey, is_second, is_link] = ["credential", "challenge", "link"].map(|name| body.contains_key(name));
        let mut violations = Violations::default();
        let mut text = |name: &str| match body.remove(name) {
            Some(Value::String(text)) => text,
            None | Some(Value::Null) => {
                violations.add(name, "is required");
                String::new()
            }
            Some(_) => {
                violations.add(name, "must be text");
                String::new()
            }
        };
        let step = if is_passkey {
            Step::Passkey { challenge: text("challenge"), credential: text("credential") }
        } else if is_second {
            Step::SecondFactor { challenge: text("challenge"), code: text("code") }
        } else if is_link {
            Step::Link { link: text("link") }
        } else {
            Step::Password { email: text("email"), password: text("password") }
        };
        let is_persistent = match body.remove("isPersistent") {
            Some(Value::Bool(is_persistent)) => is_persistent,
            None | Some(Value::Null) => false,
            Some(_) => {
                violations.add("isPersistent", "must be true or false");
                false
            }
        };
        let fields = match &step {
            Step::Password { .. } => "is not a field: email, password and isPersistent are",
            Step::SecondFactor { .. } => "is not a field: challenge, code and isPersistent are",
            Step::Passkey { .. } => "is not a field: challenge, credential and isPersistent are",
            Step::Link { .. } => "is not a field: link and isPersistent are",
        };
        for name in body.keys() {
            let shown = || name.chars().take(MAX_SHOWN).collect();
            violations.add_with(|| (shown(), fields.to_owned()));
        }
        violations.finish()?;
        Ok(Input { step, is_persistent })
    }
}

/// The token and what the application shows of the user, and the cookie if there is a new secret. If the session has ended, the cookie is
/// removed.
fn answer(app: &App, used: Result<Use, ApiError>) -> Response {
    let base_url = &app.config.base_url;
    match used.and_then(|used| respond(app, used)) {
        Ok(response) => response,
        Err(error) => {
            let has_ended = error.code == Code::Unauthenticated;
            let mut response = Refusal(error).into_response();
            if has_ended && let Ok(removal) = cookie::removal(base_url) {
                response.headers_mut().insert(header::SET_COOKIE, removal);
            }
            response
        }
    }
}

fn respond(app: &App, Use { login, secret }: Use) -> Result<Response, ApiError> {
    let user = login.user;
    let body = json!({
        "accessToken": login.token,
        "tokenType": "Bearer",
        "expiresIn": login.expires_in,
        "user": {
            "id": user.id, "email": user.email, "emailVerifiedAt": user.email_verified_at.map(rfc3339),
            "pendingEmail": user.pending_email, "name": user.name, "createdAt": rfc3339(user.created_at),
        },
    });
    let mut response = Json(body).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some((secret, max_age)) = secret {
        headers.insert(header::SET_COOKIE, secret.set_cookie(&app.config.base_url, max_age)?);
    }
    response.extensions_mut().insert(LoggedAccount(login.account_id));
    Ok(response)
}
