//! The REST facade: its routes are generated from the contract, so that no resource is named in its code.
//!
//! Steps of a request: caller → access → variables, with all violations at once → the schema, in process → the value of the root
//! field → body.

mod compact;
pub(crate) mod export;
pub(crate) mod format;
pub(crate) mod input;
pub(crate) mod mapping;
pub mod openapi;
pub mod operation;
pub mod plan;
pub(crate) mod reply;
pub mod selection;

use std::{collections::BTreeMap, sync::Arc};

use async_graphql::{Request, Variables};
use axum::{
    Extension, Router,
    body::Body,
    extract::{RawPathParams, rejection::RawPathParamsRejection},
    http::{HeaderValue, header, request::Parts},
    response::{IntoResponse, Response},
    routing::{MethodFilter, MethodRouter, on},
};

use crate::{
    api::{
        Api, authenticate,
        authorize::authorize,
        charges::{charge, settle_at_its_end},
        credential::Credential,
        deprecation::Used,
        graphql::{cost::Units, idempotency::canonical},
        source,
    },
    base::{
        error::{ApiError, Code},
        version::Expected,
    },
    graphql::{context::Existing, directives::HttpMethod, load::Loaders},
    platform::{
        auth::{
            access,
            caller::{Call, Caller},
        },
        http::{
            coding::Coding,
            edge::{self, LoggedAccount},
            etag,
            rate_limit::ClientAddress,
            refusal::{Refusal, challenge},
        },
        idempotency::{
            key::{self, IdempotencyKey},
            once::Once,
        },
    },
};
use operation::{Export, Operation, method_name};
use serde_json::json;

/// The routes of all operations.
pub(crate) fn router(api: &Arc<Api>) -> Router {
    let mut paths: BTreeMap<&str, MethodRouter> = BTreeMap::new();
    for operation in &api.plan.operations {
        let filter = match operation.method {
            HttpMethod::Get => MethodFilter::GET,
            HttpMethod::Post => MethodFilter::POST,
            HttpMethod::Put => MethodFilter::PUT,
            HttpMethod::Patch => MethodFilter::PATCH,
            HttpMethod::Delete => MethodFilter::DELETE,
        };
        let (shared, served) = (Arc::clone(api), Arc::clone(operation));
        let handler = move |Extension(client): Extension<ClientAddress>,
                            path: Result<RawPathParams, RawPathParamsRejection>,
                            parts: Parts,
                            body: Body| {
            let (api, operation) = (Arc::clone(&shared), Arc::clone(&served));
            async move { serve(&api, &operation, None, client, path, parts, body).await }
        };
        let merged = paths.remove(&*operation.path).unwrap_or_default().merge(on(filter, handler));
        paths.insert(&operation.path, merged);
    }
    for export in &api.plan.exports {
        let (shared, served) = (Arc::clone(api), Arc::clone(export));
        let handler = move |Extension(client): Extension<ClientAddress>,
                            path: Result<RawPathParams, RawPathParamsRejection>,
                            parts: Parts| {
            let (api, export) = (Arc::clone(&shared), Arc::clone(&served));
            async move { serve(&api, &export.operation, Some(&export), client, path, parts, Body::empty()).await }
        };
        let merged = paths.remove(&*export.operation.path).unwrap_or_default().merge(on(MethodFilter::GET, handler));
        paths.insert(&export.operation.path, merged);
    }
    paths.into_iter().fold(Router::new(), |router, (path, methods)| router.route(path, methods))
}

async fn serve(
    api: &Api,
    operation: &Operation,
    export: Option<&Export>,
    ClientAddress(client): ClientAddress,
    path: Result<RawPathParams, RawPathParamsRejection>,
    parts: Parts,
    body: Body,
) -> Response {
    // Public operations ignore credentials, so that a stale one does not prevent a login.
    let is_public = operation.access.credential == access::Credential::Public;
    let has_token = !is_public && authenticate::has_token(&parts.headers);
    let caller = match is_public {
        true => Ok(Caller::Anonymous),
        false => authenticate::caller(&api.app, &parts.headers, client).await,
    };
    let caller = match caller {
        Ok(caller) => caller,
        Err(error) => return Refusal(error).into_response(),
    };
    let call = Arc::new(Call::new(caller, client));
    let account = call.caller.account();
    let mut response = match run(api, operation, export, call, path, parts, body).await {
        Ok(response) => response,
        Err(error) => {
            let challenge = challenge(&error, has_token);
            let mut response = Refusal(error).into_response();
            response.headers_mut().extend(challenge.map(|challenge| (header::WWW_AUTHENTICATE, challenge)));
            response
        }
    };
    if let Some(account) = account {
        response.extensions_mut().insert(LoggedAccount(account));
    }
    response
}

async fn run(
    api: &Api,
    operation: &Operation,
    export: Option<&Export>,
    call: Arc<Call>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    parts: Parts,
    body: Body,
) -> Result<Response, ApiError> {
    authorize(&api.app, &call, &[(&operation.field.name, Some(operation.access))], &[], operation.entry_point).await?;
    let key = if operation.is_idempotent { IdempotencyKey::of_headers(&parts.headers)? } else { None };
    // The path is not UTF-8, so there is no such resource.
    let path = path.map_err(|_| ApiError::from(Code::NotFound))?;
    let body = match (&operation.body, operation.method) {
        (Some(definition), _) => Some(input::of_body(definition, &parts.headers, body).await?),
        // HTTP gives the body of a GET no meaning.
        (None, HttpMethod::Get) => None,
        (None, _) => edge::read_optional_json_object(&parts.headers, body).await?,
    };
    let query = parts.uri.query().unwrap_or_default();
    let input = input::read(&api.contract, operation, path.iter(), query, body)?;
    let used = Used::by_rest(&api.contract, operation, &input);
    api.app.metrics.count_deprecated(&used.names);
    let notice = used.headers().map_err(ApiError::internal)?;
    if let Some(export) = export {
        let source = source(&operation.field.name).ok_or_else(|| ApiError::internal("an export without a source"))?;
        let (account, scope) = (call.account()?, operation.access.scope);
        let credential = Credential::of(parts.headers.get(header::AUTHORIZATION).cloned(), call.client)
            .judged(&api.app, account, scope);
        let mut response = export::answer(
            &api.app,
            source,
            export,
            credential,
            Arc::clone(&call),
            input,
            Coding::of_answer(&parts.headers),
        )
        .await?;
        response.headers_mut().extend(notice);
        return Ok(response);
    }
    let once = key.map(|key| {
        let place = format!("{} {}", method_name(operation.method), operation.path);
        let request = json!([place, canonical(&input.variables), input.fields]);
        Once::new(&call, key, key::HEADER_NAME, &request).map(Arc::new)
    });
    let once = once.transpose()?;
    let fields = input.fields.as_deref();
    let document = operation.document_for(&api.contract, &call.caller, fields, &input.variables)?;
    let existing = Arc::new(Existing::default());
    let mut request = Request::new("").data(Arc::clone(&existing)).variables(Variables::from_value(input.variables));
    request.set_parsed_query(document);
    if let Some(account) = call.caller.account() {
        request = request.data(Loaders::new(&api.app, account));
    }
    if operation.is_conditional
        && let Some(one_of) = etag::if_match(&parts.headers)
    {
        request = request.data(Expected::default().and(one_of));
    }
    if let Some(once) = &once {
        request = request.data(Arc::clone(once));
    }
    // Public operations have limits of their own.
    if operation.mutation(&api.contract).is_none() && call.caller.account().is_some() {
        charge(&api.app, &call, Units::of_a_request()).await?;
        settle_at_its_end(&api.app, &call, Units::of_a_request(), Units::default());
    }
    let response = api.schema.execute(request.data(call)).await;
    let mut response = reply::from_graphql(operation, response, existing.is_noted())?;
    response.headers_mut().extend(notice);
    if once.is_some_and(|once| once.is_replayed()) {
        response.headers_mut().insert(key::REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}
