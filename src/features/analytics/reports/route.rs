//! `GET /reports/{token}`: the page of a report, for everybody who has its URL; HTML for browsers and JSON for programs.

use std::{fmt::Write, net::IpAddr, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use entity::report;

use super::{
    definition::Definition,
    ops::looks_like_token,
    page::{page, shared},
};
use crate::{
    app::App,
    base::{
        error::{ApiError, Code, Reason},
        ids::AccountId,
    },
    platform::{
        db,
        http::{
            edge::LoggedAccount,
            negotiation::accepts_html,
            pages::{self, document::is_known},
            rate_limit::{ClientAddress, Policy, Subject},
            refusal::Refusal,
            shared_password::{Entered, check, of_basic},
        },
    },
    records::reports::{ReportId, cache::ReportPage},
};

/// Where the pages are.
const PATH: &str = "/reports/";
/// A page is asked for again each time that it is shown: it may be gone.
const CACHE_CONTROL: HeaderValue = HeaderValue::from_static("private, no-cache");
/// A page is for those who were given its URL, and tells no other site of it.
const PRIVATE: [(HeaderName, HeaderValue); 3] = [
    (HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::VARY, HeaderValue::from_static("accept")),
];

/// A report that is shared, with its definition.
type Found = (report::Model, Definition);

/// Answers requests for pages; those for reports, by id, are the API's.
pub(crate) async fn serve(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let Some(token) = token(&request) else { return next.run(request).await };
    let client = request.extensions().get::<ClientAddress>().copied();
    // Boxed, since all requests for the API pass here: the large future would be part of each of theirs.
    Box::pin(answer(&app, token, client, request.headers())).await
}

async fn answer(app: &Arc<App>, token: &str, client: Option<ClientAddress>, headers: &HeaderMap) -> Response {
    let found = find(app, token, client).await;
    let account = found.as_ref().ok().map(|(report, _)| AccountId(report.account_id));
    let answer = if accepts_html(headers) { html(found) } else { json(app, found, client, headers).await };
    let mut response = answer.unwrap_or_else(|error| Refusal(error).into_response());
    response.headers_mut().extend(PRIVATE);
    if let Some(account) = account {
        response.extensions_mut().insert(LoggedAccount(account));
    }
    response
}

/// The token that a request names: of a program, what may be one. A person gets a page whatever is there, but for an id.
fn token(request: &Request) -> Option<&str> {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let token = request.uri().path().strip_prefix(PATH).filter(|token| is_read && !token.contains('/'))?;
    let is_page = token.parse::<ReportId>().is_err() && (looks_like_token(token) || accepts_html(request.headers()));
    is_page.then_some(token)
}

/// The report that has the token, with its definition.
async fn find(app: &App, token: &str, client: Option<ClientAddress>) -> Result<Found, ApiError> {
    app.limits.take(Policy::PublicRead, Subject::of_client("report", address(client)?), 1).await?;
    let found = shared(app, token).await?;
    db::act_for(db::Owner::Account(found.0.account_id));
    Ok(found)
}

fn address(client: Option<ClientAddress>) -> Result<IpAddr, ApiError> {
    client.map(|ClientAddress(client)| client).ok_or_else(|| ApiError::internal("the client has no address"))
}

/// The numbers, if the client has sent the password where there is one.
async fn json(
    app: &Arc<App>,
    found: Result<Found, ApiError>,
    client: Option<ClientAddress>,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    let (report, definition) = found?;
    if let Some(hash) = &report.password_hash {
        let entered = Entered { of: report.id, account: AccountId(report.account_id), client: address(client)? };
        let sent = headers.get(header::AUTHORIZATION).and_then(|field| of_basic(field.as_bytes()));
        let password = sent.ok_or_else(|| password_required("This report asks for a password."))?;
        check((&app.limits, &app.passwords), entered, hash, &password).await.map_err(|error| match error.code {
            Code::Forbidden => password_required("This password is not right."),
            _ => error,
        })?;
    }
    let ReportPage { tag, json } = page(app, &report, &definition).await?;
    let tag = HeaderValue::try_from(tag).map_err(ApiError::internal)?;
    let mut response = match is_known(headers, &tag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
    };
    response.headers_mut().extend([(header::ETAG, tag), (header::CACHE_CONTROL, CACHE_CONTROL)]);
    Ok(response)
}

/// Not `401`: browsers would ask for the password themselves, for the service as a whole.
fn password_required(message: &'static str) -> ApiError {
    ApiError::forbidden(Reason::PasswordRequired, message)
}

/// The application's page, which fetches the JSON; it says why there is none, too.
fn html(found: Result<Found, ApiError>) -> Result<Response, ApiError> {
    let (status, retry_after, origins) = match found {
        Ok((_, definition)) => (StatusCode::OK, None, definition.embed_origins),
        Err(error) => (error.code.status(), error.retry_after, Vec::new()),
    };
    let page = pages::report().ok_or_else(|| ApiError::internal("the application has no page for reports"))?;
    let mut policy = pages::REPORT_POLICY.to_owned();
    if origins.is_empty() {
        policy.push_str(" 'none'");
    }
    for origin in origins {
        let _ = write!(policy, " {origin}");
    }
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, CACHE_CONTROL),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::try_from(policy).map_err(ApiError::internal)?),
    ];
    let mut response = (status, headers, page).into_response();
    if let Some(seconds) = retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    Ok(response)
}
