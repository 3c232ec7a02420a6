//! The HTTP door of GraphQL, as the GraphQL-over-HTTP specification says. Batches, multipart, other media types and
//! mutations by GET are refused: each would let a foreign page act, or one request count as many.

use std::sync::Arc;

use async_graphql::{
    BatchResponse, ErrorExtensionValues, Name, Request, Response as GraphQlResponse, ServerError, Value, Variables,
    parser::{
        parse_query,
        types::{DocumentOperations, ExecutableDocument, OperationDefinition, OperationType},
    },
};
use async_graphql_axum::GraphQLResponse;
use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use serde_json::{Map, Value as Json, json};

use crate::{
    api::Api,
    auth::{
        access::{Door, authorize},
        caller::{Call, Caller},
    },
    edge::{self, LoggedAccount, RequestId},
    error::{ApiError, Code, set_extensions},
    graphql::{contract::OperationKind, cost::check_document, loaders::Loaders, tokens::check_text},
    pages,
    rate_limit::ClientAddress,
};

const JSON: &str = "application/json; charset=utf-8";
const GRAPHQL_RESPONSE: &str = "application/graphql-response+json; charset=utf-8";
/// Mistakes of a document that are told at once; a few kilobytes can have thousands.
const MAX_ERRORS: usize = 50;

/// `GET|POST /graphql`.
pub async fn serve(
    State(api): State<Arc<Api>>,
    Extension(request_id): Extension<RequestId>,
    Extension(ClientAddress(client)): Extension<ClientAddress>,
    parts: Parts,
    body: Body,
) -> Response {
    let media_type = MediaType::accepted(&parts.headers);
    if parts.method == Method::GET && wants_html(&parts) {
        return pages::graphiql();
    }
    let door = Front { api, media_type, request_id };
    let parameters = match read_parameters(&parts, body).await {
        Ok(parameters) => parameters,
        Err(error) => return door.refuse(&error, error.code.status()),
    };
    let call = match Caller::authenticate(&door.api.app, &parts.headers).await {
        Ok(caller) => Arc::new(Call::new(caller, client)),
        Err(error) => return door.refuse(&error, error.code.status()),
    };
    let account = call.caller.account();
    let mut response = door.execute(parameters, call, &parts.method).await;
    if let Some(account) = account {
        response.extensions_mut().insert(LoggedAccount(account));
    }
    response
}

/// How one request is answered.
struct Front {
    api: Arc<Api>,
    media_type: MediaType,
    request_id: RequestId,
}

impl Front {
    async fn execute(&self, parameters: Parameters, call: Arc<Call>, method: &Method) -> Response {
        match self.prepare(parameters, &call, method).await {
            Ok(request) => self.answer(self.api.schema.execute(request).await),
            Err(error) => {
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

    /// Everything that can refuse the request before it is executed.
    async fn prepare(&self, parameters: Parameters, call: &Arc<Call>, method: &Method) -> Result<Request, ApiError> {
        let Api { app, contract, .. } = &*self.api;
        check_text(&parameters.query)?;
        let document = parse_query(&parameters.query)
            .map_err(|error| ApiError::new(Code::GraphqlParseFailed, first_line(&error.to_string())))?;
        let operation = select(&document, parameters.operation_name.as_deref())?;
        if operation.ty == OperationType::Mutation && *method != Method::POST {
            return Err(ApiError::new(Code::MethodNotAllowed, "A mutation must be sent by POST."));
        }
        let kind = match operation.ty {
            OperationType::Mutation => OperationKind::Mutation,
            OperationType::Query | OperationType::Subscription => OperationKind::Query,
        };
        let roots = check_document(contract, &document, operation, &parameters.variables)?;
        for root in &roots {
            // Fields that the contract does not know are introspection, or for validation to refuse.
            if let Some(known) = contract.operation(kind, root) {
                authorize(app, call, root, known.access, Door::GraphQl).await?;
            }
        }
        let mut request = Request::new(parameters.query).variables(parameters.variables);
        request.operation_name = parameters.operation_name;
        request.set_parsed_query(document);
        if !app.config.introspection {
            request = request.disable_introspection();
        }
        if let Some(account) = call.caller.account() {
            request = request.data(Loaders::new(app, account));
        }
        Ok(request.data(Arc::clone(call)))
    }

    fn answer(&self, mut response: GraphQlResponse) -> Response {
        // Nothing was executed, so there is no data: not even null.
        if response.is_err()
            && response.data == Value::Null
            && response.errors.iter().all(|error| error.path.is_empty())
        {
            let status = match self.media_type {
                MediaType::Json => StatusCode::OK,
                MediaType::GraphQlResponse => StatusCode::BAD_REQUEST,
            };
            return self.refuse_all(response.errors, status);
        }
        self.complete(&mut response.errors);
        let retry_after = response.errors.iter().find_map(retry_after);
        let mut response = GraphQLResponse(BatchResponse::Single(response)).into_response();
        self.finish(&mut response, retry_after);
        response
    }

    fn refuse(&self, error: &ApiError, status: StatusCode) -> Response {
        let mut extensions = ErrorExtensionValues::default();
        set_extensions(&mut extensions, error);
        let mut graphql = ServerError::new(error.message.clone(), None);
        graphql.extensions = Some(extensions);
        let mut response = self.refuse_all(vec![graphql], status);
        let headers = response.headers_mut();
        if status == StatusCode::METHOD_NOT_ALLOWED {
            headers.insert(header::ALLOW, HeaderValue::from_static("POST"));
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }

    fn refuse_all(&self, mut errors: Vec<ServerError>, status: StatusCode) -> Response {
        errors.truncate(MAX_ERRORS);
        self.complete(&mut errors);
        let retry_after = errors.iter().find_map(retry_after);
        let mut response = (status, json!({ "errors": errors }).to_string()).into_response();
        self.finish(&mut response, retry_after);
        response
    }

    /// Gives every error its code and the request id.
    fn complete(&self, errors: &mut [ServerError]) {
        for error in errors {
            let extensions = error.extensions.get_or_insert_default();
            if extensions.get("code").is_none() {
                extensions.set("code", Code::GraphqlValidationFailed.as_str());
            }
            extensions.set("requestId", self.request_id.as_str());
        }
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

/// The parser's message without its drawing of the place, which repeats the caller's text.
fn first_line(message: &str) -> String {
    let line = message.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
    format!("Syntax error: {}", line.trim_start_matches("= "))
}

fn select<'a>(document: &'a ExecutableDocument, name: Option<&str>) -> Result<&'a OperationDefinition, ApiError> {
    let unknown = |message| ApiError::new(Code::GraphqlValidationFailed, message);
    match (&document.operations, name) {
        (DocumentOperations::Single(operation), None) => Ok(&operation.node),
        (DocumentOperations::Multiple(operations), None) if operations.len() == 1 => {
            operations.values().next().map(|operation| &operation.node).ok_or_else(|| unknown("There is no operation."))
        }
        (DocumentOperations::Multiple(operations), Some(name)) => operations
            .get(&Name::new(name))
            .map(|operation| &operation.node)
            .ok_or_else(|| unknown("There is no operation with the given operationName.")),
        (DocumentOperations::Single(_), Some(_)) => Err(unknown("There is no operation with the given operationName.")),
        (DocumentOperations::Multiple(_), None) => Err(unknown("Several operations need an operationName.")),
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

impl MediaType {
    fn accepted(headers: &HeaderMap) -> Self {
        let accept = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
        for range in accept.flat_map(|value| value.split(',')) {
            match range.split(';').next().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
                "application/graphql-response+json" => return MediaType::GraphQlResponse,
                "application/json" | "*/*" | "application/*" => return MediaType::Json,
                _ => {}
            }
        }
        MediaType::Json
    }

    const fn content_type(self) -> &'static str {
        match self {
            MediaType::Json => JSON,
            MediaType::GraphQlResponse => GRAPHQL_RESPONSE,
        }
    }
}

/// A browser that opens the address, as opposed to a program that sends a query.
fn wants_html(parts: &Parts) -> bool {
    let html = parts.headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    html.is_some_and(|accept| accept.contains("text/html"))
        && !form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes()).any(|(name, _)| name == "query")
}

struct Parameters {
    query: String,
    operation_name: Option<String>,
    variables: Variables,
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
    parameters(object)
}

fn parameters(mut object: Map<String, Json>) -> Result<Parameters, ApiError> {
    let bad = |message: &'static str| ApiError::new(Code::BadRequest, message);
    let Some(Json::String(query)) = object.remove("query") else {
        return Err(bad("query must be a string."));
    };
    let operation_name = match object.remove("operationName") {
        None | Some(Json::Null) => None,
        Some(Json::String(name)) => Some(name).filter(|name| !name.is_empty()),
        Some(_) => return Err(bad("operationName must be a string.")),
    };
    let variables = match object.remove("variables") {
        None | Some(Json::Null) => Variables::default(),
        Some(variables @ Json::Object(_)) => Variables::from_json(variables),
        Some(_) => return Err(bad("variables must be an object.")),
    };
    if !matches!(object.get("extensions"), None | Some(Json::Null | Json::Object(_))) {
        return Err(bad("extensions must be an object."));
    }
    Ok(Parameters { query, operation_name, variables })
}
