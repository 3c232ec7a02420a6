//! The HTTP entry point of GraphQL, as the GraphQL-over-HTTP specification says. Batches, multipart, other media types and
//! mutations by GET are refused: each would let a foreign page act, or one request count as many.

use std::{cmp::Ordering, sync::Arc};

use async_graphql::{BatchResponse, Response as GraphQlResponse, ServerError, Value};
use async_graphql_axum::GraphQLResponse;
use axum::{
    Extension,
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde_json::{Map, Value as Json, json};

use crate::{
    api::{
        Api, authenticate,
        graphql::{
            rejection::{Rejection, complete, complete_refusal, server_error},
            request::{Parameters, Prepared, Transport, execute, in_lane, prepare, was_not_executed},
        },
    },
    base::error::{ApiError, Code},
    platform::{
        auth::caller::Call,
        http::{
            edge::{self, LoggedAccount, RequestId},
            negotiation::{accepted, accepts_html},
            pages,
            rate_limit::ClientAddress,
            refusal::challenge,
        },
    },
};

const JSON: &str = "application/json; charset=utf-8";
const GRAPHQL_RESPONSE: &str = "application/graphql-response+json; charset=utf-8";

pub(crate) async fn serve(
    State(api): State<Arc<Api>>,
    Extension(request_id): Extension<RequestId>,
    Extension(ClientAddress(client)): Extension<ClientAddress>,
    parts: Parts,
    body: Body,
) -> Response {
    let media_type = MediaType::accepted(&parts.headers);
    let responder = Responder { api, media_type, request_id, has_token: authenticate::has_token(&parts.headers) };
    let parameters = match read_parameters(&parts, body).await {
        Ok(parameters) => parameters,
        // The request is well-formed: the client asks again, with the document.
        Err(error) if error.code == Code::PersistedQueryNotSupported => {
            return responder.refuse(&error, responder.invalid());
        }
        Err(error) => return responder.refuse(&error, error.code.status()),
    };
    let call = match authenticate::caller(&responder.api.app, &parts.headers, client).await {
        Ok(caller) => Arc::new(Call::new(caller, client)),
        Err(error) => return responder.refuse(&error, error.code.status()),
    };
    let account = call.caller.account();
    let mut response = responder.execute(parameters, call, &parts.method).await;
    if let Some(account) = account {
        response.extensions_mut().insert(LoggedAccount(account));
    }
    response
}

/// Answers browsers with GraphiQL, and passes on the requests of other clients.
pub(crate) async fn graphiql(request: Request, next: Next) -> Response {
    if *request.method() == Method::GET && wants_html(&request) { pages::graphiql() } else { next.run(request).await }
}

/// How one request is answered.
struct Responder {
    api: Arc<Api>,
    media_type: MediaType,
    request_id: RequestId,
    /// Whether the request has a credential.
    has_token: bool,
}

impl Responder {
    async fn execute(&self, parameters: Parameters, call: Arc<Call>, method: &Method) -> Response {
        let transport = if *method == Method::POST { Transport::Post } else { Transport::Get };
        match prepare(&self.api, parameters, &call, transport).await {
            Ok(Prepared { request, once, is_costly, .. }) => {
                in_lane(is_costly, async { self.answer(execute(&self.api, request, once).await) }).await
            }
            Err(Rejection::Invalid(errors)) => self.refuse_all(errors, self.invalid()),
            Err(Rejection::Refused(error)) => {
                let status = match (error.code, self.media_type) {
                    (Code::MethodNotAllowed, _) => StatusCode::METHOD_NOT_ALLOWED,
                    // A well-formed request that fails later is 200 in the older media type.
                    (_, MediaType::Json) => StatusCode::OK,
                    (code, MediaType::GraphQlResponse) => code.status(),
                };
                self.refuse(&error, status)
            }
        }
    }

    /// The status of a well-formed request that is not executed.
    fn invalid(&self) -> StatusCode {
        match self.media_type {
            MediaType::Json => StatusCode::OK,
            MediaType::GraphQlResponse => StatusCode::BAD_REQUEST,
        }
    }

    fn answer(&self, mut response: GraphQlResponse) -> Response {
        if was_not_executed(&response) {
            return self.refuse_all(response.errors, self.invalid());
        }
        complete(&mut response.errors, &self.request_id);
        let retry_after = response.errors.iter().find_map(retry_after);
        let mut response = GraphQLResponse(BatchResponse::Single(response)).into_response();
        self.finish(&mut response, retry_after);
        response
    }

    fn refuse(&self, error: &ApiError, status: StatusCode) -> Response {
        let mut response = self.refuse_all(vec![server_error(error)], status);
        let headers = response.headers_mut();
        if status == StatusCode::METHOD_NOT_ALLOWED {
            headers.insert(header::ALLOW, HeaderValue::from_static("POST"));
        }
        if status == error.code.status()
            && let Some(challenge) = challenge(error, self.has_token)
        {
            headers.insert(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }

    fn refuse_all(&self, mut errors: Vec<ServerError>, status: StatusCode) -> Response {
        complete_refusal(&mut errors, &self.request_id);
        let retry_after = errors.iter().find_map(retry_after);
        let mut response = (status, json!({ "errors": errors }).to_string()).into_response();
        self.finish(&mut response, retry_after);
        response
    }

    fn finish(&self, response: &mut Response, retry_after: Option<u64>) {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.media_type.content_type()));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
    }
}

fn retry_after(error: &ServerError) -> Option<u64> {
    match error.extensions.as_ref()?.get("retryAfter")? {
        Value::Number(seconds) => seconds.as_u64(),
        _ => None,
    }
}

/// The media type of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MediaType {
    /// `application/json`: for a client that says nothing, or does not know the newer one.
    Json,
    /// `application/graphql-response+json`.
    GraphQlResponse,
}

/// A client's preference for a media type; by default it is not acceptable.
#[derive(Clone, Copy, Default)]
struct Liking {
    weight: f32,
    /// Rank of the range that names the media type; 0 when none does.
    specificity: u8,
    /// Index of that range in the field.
    place: usize,
}

impl MediaType {
    /// The media type that the client prefers, by the most specific range that matches each (RFC 9110 §12.5.1). Of equal weights,
    /// the more specific range counts, then the earlier one. A client that accepts neither gets JSON instead of an error.
    fn accepted(headers: &HeaderMap) -> Self {
        let [json, newer] = [MediaType::Json, MediaType::GraphQlResponse].map(|media_type| media_type.liking(headers));
        let is_liked_more = match newer.weight.total_cmp(&json.weight) {
            Ordering::Equal => (newer.specificity, json.place) > (json.specificity, newer.place),
            order => order == Ordering::Greater,
        };
        if newer.weight > 0.0 && is_liked_more { MediaType::GraphQlResponse } else { MediaType::Json }
    }

    /// The preference, from the most specific range that matches.
    fn liking(self, headers: &HeaderMap) -> Liking {
        let name = self.content_type().split(';').next().unwrap_or_default();
        let mut best = Liking::default();
        for (place, (range, weight)) in accepted(headers, &header::ACCEPT).enumerate() {
            let specificity = match range {
                "*/*" => 1,
                range if range.eq_ignore_ascii_case("application/*") => 2,
                range if range.eq_ignore_ascii_case(name) => 3,
                _ => continue,
            };
            if specificity > best.specificity {
                best = Liking { weight, specificity, place };
            }
        }
        best
    }

    const fn content_type(self) -> &'static str {
        match self {
            MediaType::Json => JSON,
            MediaType::GraphQlResponse => GRAPHQL_RESPONSE,
        }
    }
}

fn wants_html(request: &Request) -> bool {
    accepts_html(request.headers())
        && !form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes())
            .any(|(name, _)| name == "query")
}

async fn read_parameters(parts: &Parts, body: Body) -> Result<Parameters, ApiError> {
    let object = if parts.method != Method::POST {
        let mut object = Map::new();
        for (name, value) in form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes()) {
            let value = match &*name {
                "query" | "operationName" => Json::String(value.into_owned()),
                "variables" | "extensions" if value.is_empty() => Json::Null,
                "variables" | "extensions" => serde_json::from_str(&value)
                    .map_err(|_| ApiError::new(Code::BadRequest, format!("{name} is not JSON.")))?,
                _ => continue,
            };
            object.insert(name.into_owned(), value);
        }
        object
    } else {
        edge::read_json_object(&parts.headers, body).await?
    };
    Parameters::read(object)
}
