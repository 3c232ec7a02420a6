//! The two pages of a sign-in by the company's identity provider: one sends the browser there, to the other it comes back. Nobody reads them:
//! both answer with a redirect, also of what went wrong, which the application then says.

use std::{net::IpAddr, sync::Arc};

use axum::{
    Extension, Router,
    extract::{Query, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use entity::session;
use form_urlencoded::byte_serialize;
use sea_orm::DbErr;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;
use url::Url;
use uuid::Uuid;

use super::{
    cookie::{SIGN_IN, Secret},
    ops::{self, Use},
    route::user_agent,
};
use crate::{
    app::App,
    base::{
        clock::{MINUTE, Millis},
        config::BaseUrl,
        error::{ApiError, Code, Reason},
        ids::{SessionId, UserId},
    },
    features::{
        accounts::{
            fresh_proof,
            login::{self, SecondStep},
        },
        sign_in::users::{self, Problem},
    },
    platform::{
        auth::{
            client::ClientNet,
            identity_provider::{CALLBACK, Failure, IdentityProvider, Pending},
        },
        http::{
            rate_limit::{ClientAddress, Policy, Subject},
            refusal::Refusal,
        },
        work::audit::By,
    },
    records::{
        second_factors,
        sessions::{
            renewal::{Renewal, renewal},
            repo,
        },
    },
};

/// Sends the browser to the identity provider.
pub(crate) const PATH: &str = "/auth/sign-in";

/// How long a sign-in may take.
const LIFETIME: Millis = 10 * MINUTE;
/// Tells the signed value of the cookie from other tokens.
const AUDIENCE: &str = "linkgraph-sign-in";
/// Where a sign-in leads that says nothing else.
const HOME: &str = "/app";

/// The routes.
pub(crate) fn router(app: &Arc<App>) -> Router {
    Router::new().route(PATH, get(start)).route(CALLBACK, get(finish)).with_state(Arc::clone(app))
}

/// What the application asks for.
#[derive(Deserialize)]
struct Asked {
    /// The page to show afterwards.
    to: Option<String>,
    /// Any value: the user of the browser's session shall prove again to be the user.
    again: Option<String>,
    /// Any value: the identity shall be connected with the user of the browser's session.
    connect: Option<String>,
}

/// What the provider adds to the address that it sends the browser back to (RFC 6749 §4.1.2, RFC 9207).
#[derive(Deserialize)]
struct Answered {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
    iss: Option<String>,
}

/// A sign-in on its way, in a cookie.
#[derive(Clone, Serialize, Deserialize)]
struct Begun {
    pending: Pending,
    to: String,
    purpose: Purpose,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
enum Purpose {
    /// A session begins.
    LogIn,
    /// The user of the session proves again to be the user.
    Prove(Uuid),
    /// The user of the session gets another way to sign in.
    Connect(Uuid),
}

/// Why nobody was signed in, as the application reads it.
#[derive(Debug)]
enum Refused {
    Cancelled,
    Failed,
    Unavailable,
    NotProved,
    Limited,
    Suspended,
    Problem(Problem),
}

impl Refused {
    fn code(&self) -> &'static str {
        match self {
            Refused::Cancelled => "cancelled",
            Refused::Failed | Refused::Problem(Problem::Failed(_)) => "failed",
            Refused::Unavailable => "unavailable",
            Refused::NotProved => "proof",
            Refused::Limited => "limited",
            Refused::Suspended => "suspended",
            Refused::Problem(Problem::Address) => "address",
            Refused::Problem(Problem::NoEmail) => "noEmail",
            Refused::Problem(Problem::Closed) => "closed",
            Refused::Problem(Problem::Group) => "group",
            Refused::Problem(Problem::Taken) => "taken",
        }
    }
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Self {
        match failure {
            // Its reason is logged once for all who wait.
            Failure::Unavailable(_) => Refused::Unavailable,
            Failure::Invalid(reason) => {
                tracing::warn!(reason, "The answer of the identity provider is not valid");
                Refused::Failed
            }
        }
    }
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        let Problem::Failed(error) = &problem else { return Refused::Problem(problem) };
        match error.code {
            Code::RateLimited => Refused::Limited,
            Code::Unavailable => Refused::Unavailable,
            Code::Forbidden if error.has_reason(Reason::AccountSuspended) => Refused::Suspended,
            _ => Refused::Problem(problem),
        }
    }
}

impl From<ApiError> for Refused {
    fn from(error: ApiError) -> Self {
        Problem::from(error).into()
    }
}

impl From<DbErr> for Refused {
    fn from(error: DbErr) -> Self {
        Problem::from(error).into()
    }
}

async fn start(
    State(app): State<Arc<App>>,
    Extension(ClientAddress(client)): Extension<ClientAddress>,
    headers: HeaderMap,
    Query(Asked { to, again, connect }): Query<Asked>,
) -> Response {
    let base_url = &app.config.base_url;
    let Some(provider) = &app.identity_provider else { return Refusal(Code::NotFound.into()).into_response() };
    let to = page(base_url, to.as_deref());
    let is_of_user = again.is_some() || connect.is_some();
    let begun = async {
        app.limits.take(Policy::PublicRead, Subject::of_client("signIn", client), 1).await?;
        let purpose = match (again, connect) {
            (None, None) => Purpose::LogIn,
            (_, connect) => {
                let session = session_of(&app, &headers).await?;
                let is_fresh = fresh_proof::is_fresh(session.proved_at, app.clock.now());
                match connect {
                    None => Purpose::Prove(session.id),
                    Some(_) if is_fresh => Purpose::Connect(session.id),
                    Some(_) => return Err(Refused::NotProved),
                }
            }
        };
        let now = app.clock.now();
        let is_again = matches!(purpose, Purpose::Prove(_));
        let (url, pending) = provider.begin(ClientNet::from(client), is_again, now).await?;
        let begun = Begun { pending, to: to.clone(), purpose };
        let signed = app.user_tokens.sign_value(AUDIENCE, &begun, now + LIFETIME)?;
        Ok((url, SIGN_IN.set(base_url, &signed, Some(LIFETIME))?))
    };
    match begun.await {
        Ok((url, cookie)) => redirect(url.as_str(), [cookie]),
        Err(refused) => redirect(&told(&refused, &to, is_of_user), []),
    }
}

/// The browser's session. Fails with UNAUTHENTICATED when there is none.
async fn session_of(app: &App, headers: &HeaderMap) -> Result<session::Model, ApiError> {
    let none = || ApiError::from(Code::Unauthenticated);
    let secret = Secret::of(headers, &app.config.base_url).ok_or_else(none)?;
    let session = repo::by_secret(app.db.read(), secret.hash()).await?.ok_or_else(none)?;
    match renewal(&session, secret.is(&session.secret_hash), app.clock.now()) {
        Renewal::Refused => Err(none()),
        _ => Ok(session),
    }
}

async fn finish(
    State(app): State<Arc<App>>,
    Extension(ClientAddress(client)): Extension<ClientAddress>,
    headers: HeaderMap,
    Query(answered): Query<Answered>,
) -> Response {
    let base_url = &app.config.base_url;
    let Some(provider) = &app.identity_provider else { return Refusal(Code::NotFound.into()).into_response() };
    let signed = SIGN_IN.value(&headers, base_url);
    let begun: Option<Begun> =
        signed.and_then(|signed| app.user_tokens.verify_value(AUDIENCE, signed, app.clock.now()));
    let (to, is_of_user) = match &begun {
        Some(begun) => (begun.to.clone(), !matches!(begun.purpose, Purpose::LogIn)),
        None => (HOME.to_owned(), false),
    };
    let done = match begun {
        Some(begun) => Box::pin(end(&app, provider, begun, answered, client, &headers)).await,
        None => Err(Refused::Failed),
    };
    let (address, cookie) = match done {
        Ok(Done::Back) => (to, None),
        // The application has no other way to know that there is a cookie now.
        Ok(Done::Session(cookie)) => (format!("{to}#signed-in"), Some(cookie)),
        Ok(Done::SecondStep(step)) => {
            let to: String = byte_serialize(to.as_bytes()).collect();
            let (challenge, factors) = (&step.challenge, step.factors().join(","));
            (format!("{HOME}/login#challenge={challenge}&factors={factors}&to={to}"), None)
        }
        Err(refused) => {
            if let Refused::Problem(Problem::Failed(error)) = &refused {
                tracing::warn!(code = error.code.as_str(), "A sign-in failed");
            }
            (told(&refused, &to, is_of_user), None)
        }
    };
    redirect(&address, cookie.into_iter().chain(SIGN_IN.removal(base_url)))
}

/// What a sign-in that succeeded leads to.
enum Done {
    /// The session that the browser has.
    Back,
    /// A new session, by this cookie.
    Session(HeaderValue),
    /// The second factor.
    SecondStep(SecondStep),
}

async fn end(
    app: &App,
    provider: &IdentityProvider,
    begun: Begun,
    answered: Answered,
    client: IpAddr,
    headers: &HeaderMap,
) -> Result<Done, Refused> {
    app.limits.take(Policy::PublicRead, Subject::of_client("finishSignIn", client), 1).await?;
    let state = answered.state.unwrap_or_default();
    if !bool::from(state.as_bytes().ct_eq(begun.pending.state.as_bytes())) {
        return Err(Refused::Failed);
    }
    let settings = provider.settings();
    if answered.iss.is_some_and(|issuer| issuer != settings.issuer) {
        return Err(Failure::Invalid("the answer is of another provider".to_owned()).into());
    }
    let Some(code) = answered.code else {
        tracing::info!(error = answered.error, "The identity provider signed nobody in");
        return Err(Refused::Cancelled);
    };
    let now = app.clock.now();
    let identity = provider.finish(ClientNet::from(client), code, &begun.pending, now).await?;
    let rule = settings.membership.as_ref();
    match begun.purpose {
        Purpose::LogIn => {
            let user = users::sign_in(app, &identity, &settings.name, rule, client).await?;
            if let Some(step) = login::second_step(app, &user).await? {
                login::selected(app.db.read(), &user, None).await?;
                return Ok(Done::SecondStep(step));
            }
            // Groups may be others tomorrow: the session ends with the browser, or after a day.
            let Use { secret, .. } = ops::create(app, user, false, client, user_agent(headers)).await?;
            let (secret, max_age) = secret.ok_or(Refused::Failed)?;
            Ok(Done::Session(secret.set_cookie(&app.config.base_url, max_age)?))
        }
        Purpose::Prove(session) => {
            let session = repo::by_id(app.db.read(), SessionId(session)).await?.ok_or(Refused::Failed)?;
            let user = users::sign_in(app, &identity, &settings.name, rule, client).await?;
            if user.id != session.user_id {
                return Err(Refused::Problem(Problem::Taken));
            }
            // A second factor is proved by itself.
            if !second_factors::repo::factors(app.db.read(), UserId(user.id)).await?.is_empty() {
                return Err(Refused::NotProved);
            }
            let tx = app.begin(By::user(UserId(user.id), "confirmAccess")).await?;
            repo::set_proved(&tx, SessionId(session.id), now).await?;
            tx.commit(None).await?;
            Ok(Done::Back)
        }
        Purpose::Connect(session) => {
            let session = repo::by_id(app.db.read(), SessionId(session)).await?.ok_or(Refused::Failed)?;
            users::connect(app, UserId(session.user_id), &identity, &settings.name).await?;
            Ok(Done::Back)
        }
    }
}

/// A page of the application. What is none leads to its first one.
fn page(base_url: &BaseUrl, to: Option<&str>) -> String {
    let parsed = to.and_then(|to| Some((Url::parse(base_url.as_str()).ok()?, to))).and_then(|(base, to)| {
        let url = base.join(to).ok()?;
        (url.origin() == base.origin()).then_some(url)
    });
    let page = parsed.map(|url| url[url::Position::BeforePath..url::Position::AfterQuery].to_owned());
    let is_page =
        |page: &String| page.strip_prefix(HOME).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']));
    page.filter(is_page).unwrap_or_else(|| HOME.to_owned())
}

/// The page that says what went wrong: where the user was, or the login.
fn told(refused: &Refused, to: &str, is_of_user: bool) -> String {
    let code = refused.code();
    if is_of_user {
        return format!("{to}{}signIn={code}", if to.contains('?') { '&' } else { '?' });
    }
    let to: String = byte_serialize(to.as_bytes()).collect();
    format!("{HOME}/login?signIn={code}&to={to}")
}

/// `303 See Other`, with these cookies.
fn redirect(to: &str, cookies: impl IntoIterator<Item = HeaderValue>) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    let Ok(location) = to.parse() else {
        return Refusal(ApiError::internal("an address is no header")).into_response();
    };
    let headers = response.headers_mut();
    headers.insert(header::LOCATION, location);
    // The address has the code in it.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.extend(cookies.into_iter().map(|cookie| (header::SET_COOKIE, cookie)));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_in_leads_to_pages_of_the_application_alone() {
        let base_url = BaseUrl::parse("https://sho.rt").unwrap();
        for (to, page) in [
            (None, "/app"),
            (Some("/app/links?tag=a%20b&page=2"), "/app/links?tag=a%20b&page=2"),
            (Some("/app"), "/app"),
            (Some("https://sho.rt/app/links#x"), "/app/links"),
            (Some("/app/../graphiql"), "/app"),
            (Some("/application"), "/app"),
            (Some("//evil.example/app"), "/app"),
            (Some("/\\evil.example/app"), "/app"),
            (Some("https://evil.example/app"), "/app"),
            (Some("javascript:alert(1)"), "/app"),
            (Some("/app/\r\nSet-Cookie: a=b"), "/app/Set-Cookie:%20a=b"),
            (Some(""), "/app"),
        ] {
            assert_eq!(super::page(&base_url, to), page, "{to:?}");
        }
        let refused = Refused::Unavailable;
        assert_eq!(told(&refused, "/app/links?a=b", false), "/app/login?signIn=unavailable&to=%2Fapp%2Flinks%3Fa%3Db");
        assert_eq!(told(&refused, "/app/settings", true), "/app/settings?signIn=unavailable");
    }
}
