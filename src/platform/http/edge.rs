//! The HTTP edge of the API: request ids, the client's address, panics, the body of every refusal, one log line and
//! the metrics of each request.

use std::{collections::HashSet, io::Read, net::IpAddr, panic::AssertUnwindSafe, sync::Arc, time::Instant};

use axum::{
    body::{Body, Bytes},
    extract::{MatchedPath, Request, State},
    http::{HeaderMap, HeaderValue, Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use flate2::bufread::GzDecoder;
use futures_util::FutureExt;
use http_body_util::BodyExt;
use serde_json::{Map, Value as Json};
use tokio::sync::OwnedSemaphorePermit;
use tracing::Instrument;
use uuid::Uuid;

use crate::{
    base::{
        config::Config,
        error::{ApiError, Code},
        ids::AccountId,
        metering::metered,
        metrics::Metrics,
    },
    platform::{
        auth::client::{ClientNet, client_address},
        db::{self, Limit},
        http::{
            bodies::{self, Bodies},
            host_field::names_its_host,
            json,
            negotiation::accepts_html,
            pages::{self, visitor::Language},
            rate_limit::{self, ClientAddress},
            refusal::Refusal,
        },
    },
};

/// Longest request body, in bytes, where an operation takes no longer file.
pub(crate) const MAX_BODY: usize = 256 * 1024;
/// How long a body may take to arrive.
const BODY_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(15);
/// How much of a body that is too long is read on, in bytes, and for how long.
const MAX_DISCARDED: usize = 8 * 1024 * 1024;
const DISCARD_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(3);
const REQUEST_ID: &str = "x-request-id";

/// A connection's place among those at once, held while it, or the WebSocket that it has become, is open.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    _permit: Arc<OwnedSemaphorePermit>,
}

impl Place {
    /// The place that a permit stands for.
    pub(crate) fn new(permit: OwnedSemaphorePermit) -> Self {
        Place { _permit: Arc::new(permit) }
    }
}

/// Address of the connection's other end, which the listener has put into the request's extensions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The id of a request, in its response and in the log.
#[derive(Clone, Debug)]
pub(crate) struct RequestId(HeaderValue);

impl RequestId {
    /// The caller's, if it is 1–128 characters of `[A-Za-z0-9._-]`, else a new one.
    fn of(headers: &HeaderMap) -> Self {
        let given = headers.get(REQUEST_ID).filter(|id| {
            (1..=128).contains(&id.len())
                && id.as_bytes().iter().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(byte))
        });
        RequestId(given.cloned().unwrap_or_else(|| {
            HeaderValue::from_str(&Uuid::now_v7().to_string()).unwrap_or(HeaderValue::from_static("unknown"))
        }))
    }

    pub(crate) fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }
}

/// The account that a request acted for, left in the response for the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoggedAccount(pub(crate) AccountId);

/// The state of the edge middleware.
#[derive(Clone)]
pub(crate) struct Edge {
    pub(crate) config: Arc<Config>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) bodies: Arc<Bodies>,
    /// First segments of the API's paths. At other paths, browsers are refused with a page.
    pub(crate) api_segments: Arc<HashSet<String>>,
}

impl Edge {
    /// Whether a person in front of a browser is to read the answer, and not a program.
    fn is_for_person(&self, request: &Request) -> bool {
        let first_segment = request.uri().path().split('/').nth(1).unwrap_or_default();
        accepts_html(request.headers()) && !self.api_segments.contains(first_segment)
    }
}

/// Wraps every API request.
pub(crate) async fn wrap(State(edge): State<Edge>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let request_id = RequestId::of(request.headers());
    let peer = request.extensions().get::<Peer>().map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.0);
    let forwarded_for = request.headers().get_all("x-forwarded-for").iter().map(HeaderValue::as_bytes);
    let client = client_address(peer, forwarded_for, &edge.config.trusted_proxies);
    let method = method_label(request.method());
    let person = edge.is_for_person(&request).then(|| {
        let accepted = request.headers().get(header::ACCEPT_LANGUAGE);
        Language::of(accepted.map(HeaderValue::as_bytes).unwrap_or_default())
    });
    let route = request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str).to_owned();
    request.extensions_mut().insert(request_id.clone());
    request.extensions_mut().insert(ClientAddress(client));

    let span = tracing::info_span!("request", id = request_id.as_str());
    let answer = edge.bodies.sharing(client, next.run(request));
    let answer = db::request(Limit::InAll(db::REQUEST), ClientNet::from(client).into(), metered(answer));
    let ((mut response, statements), limit_state) = rate_limit::noting(answer).instrument(span).await;

    if let Some(refusal) = response.extensions_mut().remove::<Refusal>() {
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(header::CONTENT_LENGTH);
        let body = match person {
            Some(language) => pages::refused(&refusal, language, response.headers_mut()),
            None => refusal.write(request_id.as_str(), response.headers_mut()),
        };
        *response.body_mut() = body;
    }
    let account = response.extensions_mut().remove::<LoggedAccount>().map(|account| account.0.to_string());
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.entry(header::X_CONTENT_TYPE_OPTIONS).or_insert(HeaderValue::from_static("nosniff"));
    headers.insert(REQUEST_ID, request_id.0.clone());
    if let Some(limit_state) = limit_state {
        limit_state.write(headers);
    }

    let took = started.elapsed();
    let status = response.status().as_u16();
    edge.metrics.observe_request(method, &route, status, took, statements);
    tracing::info!(
        method,
        route,
        status,
        ms = took.as_millis() as u64,
        request_id = request_id.as_str(),
        account,
        "{method} {route} {status}"
    );
    response
}

/// Answers a request whose handler panics.
pub(crate) async fn catch_panics(request: Request, next: Next) -> Response {
    let outcome = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    outcome.unwrap_or_else(|_| Refusal(Code::InternalError.into()).into_response())
}

/// Refuses a request that does not name one host, wherever it would lead (RFC 9112 §3.2).
pub(crate) async fn require_host(request: Request, next: Next) -> Response {
    if names_its_host(&request) {
        return next.run(request).await;
    }
    Refusal(ApiError::new(Code::BadRequest, "The request must have the field Host once.")).into_response()
}

/// The method as a label of metrics, `OTHER` for uncommon ones: callers must not create labels.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        Method::PUT => "PUT",
        _ => "OTHER",
    }
}

/// Reads a body that must be a JSON object.
pub(crate) async fn read_json_object(headers: &HeaderMap, body: Body) -> Result<Map<String, Json>, ApiError> {
    let body = within_limit(headers, body, MAX_BODY).await?;
    let declared = declared_length(headers);
    let is_empty = declared == Some(0) || (declared.is_none() && !headers.contains_key(header::TRANSFER_ENCODING));
    if !(is_json(headers) || (is_empty && !headers.contains_key(header::CONTENT_TYPE))) {
        return Err(Code::UnsupportedMediaType.into());
    }
    json::object(&arrived(headers, body, MAX_BODY).await?)
}

/// Reads a body that may be left out, and must else be a JSON object.
pub(crate) async fn read_optional_json_object(
    headers: &HeaderMap,
    body: Body,
) -> Result<Option<Map<String, Json>>, ApiError> {
    let bytes = read_body(headers, body, MAX_BODY).await?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if !is_json(headers) {
        return Err(Code::UnsupportedMediaType.into());
    }
    json::object(&bytes).map(Some)
}

/// Reads a body of at most so many bytes as it is.
pub(crate) async fn read_body(headers: &HeaderMap, body: Body, most: usize) -> Result<Vec<u8>, ApiError> {
    let body = within_limit(headers, body, most).await?;
    arrived(headers, body, most).await
}

fn too_large(most: usize) -> ApiError {
    ApiError::new(Code::PayloadTooLarge, format!("The request body is larger than {} KiB.", most >> 10))
}

fn declared_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok())
}

/// The body, unless its `Content-Length` exceeds so many bytes.
async fn within_limit(headers: &HeaderMap, body: Body, most: usize) -> Result<Body, ApiError> {
    if declared_length(headers).is_some_and(|length| length > most) {
        // A client that waits for `100 Continue` sends nothing when it is refused.
        if !headers.contains_key(header::EXPECT) {
            discard(body).await;
        }
        return Err(too_large(most));
    }
    Ok(body)
}

async fn arrived(headers: &HeaderMap, mut body: Body, most: usize) -> Result<Vec<u8>, ApiError> {
    let longest = declared_length(headers).unwrap_or(most);
    let Ok(collected) = tokio::time::timeout(BODY_TIMEOUT, collect(&mut body, longest, most)).await else {
        return Err(body_missing());
    };
    if collected.is_err() {
        bodies::give_back();
        discard(body).await;
    }
    decoded(headers, collected?, most)
}

/// The body without its content coding (RFC 9110 §8.4). Fails with `UNSUPPORTED_MEDIA_TYPE` for any other than gzip, and as too large if it has
/// more than `max` bytes then: no more are decoded.
fn decoded(headers: &HeaderMap, body: Vec<u8>, max: usize) -> Result<Vec<u8>, ApiError> {
    let mut codings = headers.get_all(header::CONTENT_ENCODING).iter().map(HeaderValue::as_bytes);
    let is = |coding: &[u8], names: &[&str]| names.iter().any(|name| coding.eq_ignore_ascii_case(name.as_bytes()));
    match (codings.next(), codings.next()) {
        (None, _) => Ok(body),
        (Some(coding), None) if is(coding, &["identity", ""]) => Ok(body),
        (Some(coding), None) if is(coding, &["gzip", "x-gzip"]) => {
            bodies::grow(body.len() + max)?;
            let mut bytes = Vec::new();
            let most = u64::try_from(max + 1).unwrap_or(u64::MAX);
            // Of one member: thousands of empty ones would cost many times what a body costs otherwise.
            let mut member = GzDecoder::new(&*body).take(most);
            let is_read = member.read_to_end(&mut bytes).is_ok();
            if bytes.len() > max {
                return Err(too_large(max));
            }
            if is_read && member.into_inner().into_inner().is_empty() {
                return Ok(bytes);
            }
            Err(ApiError::new(Code::BadRequest, "The request body is not gzip of one member."))
        }
        _ => {
            let message = "The request body may be compressed with gzip, and with nothing else.";
            Err(ApiError::new(Code::UnsupportedMediaType, message))
        }
    }
}

/// Reads the whole body, up to `most` bytes. Memory is taken as bytes arrive, and not for all of `Content-Length` (`longest`) at once: a
/// client may announce bytes that it never sends.
async fn collect(body: &mut Body, longest: usize, most: usize) -> Result<Vec<u8>, ApiError> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| body_missing())?.into_data() else { continue };
        let length = bytes.len() + data.len();
        if length > most {
            return Err(too_large(most));
        }
        if length > bytes.capacity() {
            // Doubled, as a Vec does, but not beyond the announced length.
            let capacity = (2 * bytes.capacity()).min(longest).max(length);
            bodies::grow(capacity)?;
            bytes.reserve_exact(capacity - bytes.len());
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}

/// Reads and drops the rest of a body, up to a limit: a client that is cut off while it sends does not see the response.
async fn discard(mut body: Body) {
    let drain = async {
        let mut rest = MAX_DISCARDED;
        while let Some(Ok(frame)) = body.frame().await {
            rest = rest.saturating_sub(frame.data_ref().map_or(0, Bytes::len));
            if rest == 0 {
                return;
            }
        }
    };
    let _ = tokio::time::timeout(DISCARD_TIMEOUT, drain).await;
}

fn body_missing() -> ApiError {
    ApiError::new(Code::BadRequest, "The request body did not arrive.")
}

/// Whether the body's media type is one of these (RFC 9110 §8.3.1).
pub(crate) fn has_type(headers: &HeaderMap, media_types: &[String]) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    media_types.iter().any(|known| essence.eq_ignore_ascii_case(known))
}

/// `application/json`, in UTF-8 (RFC 8259 §8.1 has no other).
fn is_json(headers: &HeaderMap) -> bool {
    let Some(content_type) = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()) else {
        return false;
    };
    let mut parts = content_type.split(';').map(str::trim);
    let is_json = parts.next().is_some_and(|essence| essence.eq_ignore_ascii_case("application/json"));
    is_json
        && parts.all(|parameter| match parameter.split_once('=') {
            Some((name, value)) if name.eq_ignore_ascii_case("charset") => {
                value.trim_matches('"').eq_ignore_ascii_case("utf-8")
            }
            _ => true,
        })
}
