//! From what a caller sends to what is executed, the same way for HTTP and WebSockets.

use std::{collections::HashMap, sync::Arc};

use async_graphql::{
    Pos, Positioned, Request, Response, Value, Variables,
    parser::types::{DocumentOperations, ExecutableDocument, OperationDefinition},
};
use serde_json::{Map, Value as Json};

use crate::{
    api::{
        Api,
        authorize::{Root, authorize},
        charges::{charge, reserve, settle_at_its_end},
        deprecation::Used,
        graphql::{
            answered,
            arguments::check_arguments,
            cost::Units,
            idempotency,
            measure::{Measured, measure},
            merge::merge,
            rejection::Rejection,
            tokens::{MAX_TOKENS, Text, read_text},
        },
    },
    app::App,
    base::error::{ApiError, Code},
    contract::OperationKind,
    graphql::load::Loaders,
    platform::{
        api_threads::when_idle,
        auth::{
            access::EntryPoint,
            caller::{Call, Caller},
        },
        http::rate_limit::{Key, Policy},
        idempotency::once::Once,
    },
};

/// A GraphQL request.
#[derive(Debug)]
pub(crate) struct Parameters {
    query: String,
    operation_name: Option<String>,
    variables: Variables,
    /// The idempotency key, if there is one: it is judged with the operation.
    idempotency_key: Option<Json>,
}

impl Parameters {
    /// Reads the parameters from the JSON object of a request.
    pub(crate) fn read(mut object: Map<String, Json>) -> Result<Self, ApiError> {
        let bad = |message: &'static str| ApiError::new(Code::BadRequest, message);
        let query = match object.remove("query") {
            Some(Json::String(query)) => query,
            None | Some(Json::Null) if is_persisted(&object) => return Err(Code::PersistedQueryNotSupported.into()),
            _ => return Err(bad("query must be a string.")),
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
        let idempotency_key = match object.remove("extensions") {
            None | Some(Json::Null) => None,
            Some(Json::Object(mut extensions)) => extensions.remove("idempotencyKey").filter(|key| !key.is_null()),
            Some(_) => return Err(bad("extensions must be an object.")),
        };
        Ok(Parameters { query, operation_name, variables, idempotency_key })
    }
}

/// Whether the request names a document that was sent before by its hash, as Apollo's clients do.
fn is_persisted(object: &Map<String, Json>) -> bool {
    object.get("extensions").is_some_and(|extensions| extensions.get("persistedQuery").is_some())
}

/// The transport of a request, which restricts its operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transport {
    /// HTTP with a safe method.
    Get,
    Post,
    Socket,
}

/// A request that may be executed.
pub(crate) struct Prepared {
    pub(crate) request: Request,
    /// The request with its idempotency key, if it has one.
    pub(crate) once: Option<Arc<Once>>,
    /// Whether it has many answers.
    pub(crate) is_subscription: bool,
    /// Whether the request is executed, and its response written, in the idle lane. Never so for a mutation, which takes locks
    /// that redirects take as well.
    pub(crate) is_costly: bool,
}

/// Does all checks of a request before it is executed, and takes its cost from the caller's quota.
pub(crate) async fn prepare(
    api: &Api,
    Parameters { query, operation_name, variables, idempotency_key }: Parameters,
    call: &Arc<Call>,
    transport: Transport,
) -> Result<Prepared, Rejection> {
    let text = read_text(&query);
    let tokens = text.as_ref().map_or(MAX_TOKENS, |text| text.tokens);
    let mut units = Units::of_text(tokens, query.len(), &variables);
    // Refused documents count as well: first the cost of the text, before any work is done for it.
    charge(&api.app, call, units).await?;
    let judged = match text {
        Ok(text) => {
            let judged = async { judge(api, &text, operation_name.as_deref(), &variables, transport) };
            in_lane(units.are_many(), judged).await
        }
        Err(error) => Err(error.into()),
    };
    let Judged { operation, measured } = match judged {
        Ok(judged) => judged,
        Err(rejection) => {
            charge_refused(&api.app, call).await?;
            return Err(rejection);
        }
    };
    let of_values = Units::of_values(measured.values);
    let kind = OperationKind::from(operation.ty);
    let is_query = kind == OperationKind::Query;
    if is_query { reserve(&api.app, call, of_values).await } else { charge(&api.app, call, of_values).await }?;
    let asked = |root: &str| api.contract.operation(kind, root).map(|known| known.access);
    let roots: Vec<Root<'_>> = measured.roots.iter().map(|root| (root.as_str(), asked(root))).collect();
    let mut permissions = measured.permissions;
    answered::add_permissions(&api.contract, &operation, &mut permissions);
    authorize(&api.app, call, &roots, &permissions, EntryPoint::GraphQl).await?;
    if kind == OperationKind::Subscription && transport != Transport::Socket {
        let message = "A subscription needs a WebSocket, at /graphql/ws.";
        return Err(ApiError::new(Code::GraphqlValidationFailed, message).into());
    }
    check_arguments(&api.contract, &operation)?;
    api.app.metrics.count_deprecated(&Used::by_graphql(&api.contract, &operation).names);
    let once = idempotency::once(&api.contract, idempotency_key, &operation, call)?;
    if is_query {
        settle_at_its_end(&api.app, call, units, of_values);
    }
    units.add(of_values);
    let mut request = Request::new("");
    request.set_parsed_query(ExecutableDocument {
        operations: DocumentOperations::Single(Positioned::new(operation, Pos::default())),
        fragments: HashMap::new(),
    });
    if !api.app.config.introspection {
        request = request.disable_introspection();
    }
    if let Some(account) = call.caller.account() {
        request = request.data(Loaders::new(&api.app, account));
    }
    if let Some(once) = &once {
        request = request.data(Arc::clone(once));
    }
    Ok(Prepared {
        once,
        request: request.data(Arc::clone(call)),
        is_subscription: kind == OperationKind::Subscription,
        is_costly: is_query && units.are_many(),
    })
}

/// Executes a request that has one answer.
pub(crate) async fn execute(api: &Api, request: Request, once: Option<Arc<Once>>) -> Response {
    let mut response = api.schema.execute(request).await;
    idempotency::mark(&mut response, once.as_deref());
    response
}

/// Runs costly work in the idle lane, and any other where it is called.
pub async fn in_lane<T>(is_costly: bool, work: impl Future<Output = T>) -> T {
    if is_costly { when_idle(work).await } else { work.await }
}

/// A valid operation within all limits.
struct Judged {
    /// The merged operation.
    operation: OperationDefinition,
    measured: Measured,
}

fn judge(
    api: &Api,
    text: &Text,
    operation_name: Option<&str>,
    variables: &Variables,
    transport: Transport,
) -> Result<Judged, Rejection> {
    let document = api.validator.document(text)?;
    let operation = document.operation(operation_name)?;
    if operation.is_mutation() && transport == Transport::Get {
        return Err(ApiError::new(Code::MethodNotAllowed, "A mutation must be sent by POST.").into());
    }
    let variables = api.validator.variables(&document, operation, variables)?;
    let operation = merge(&api.validator.schema, &document, operation, &variables)?;
    let measured = measure(api.known(), &operation)?;
    Ok(Judged { operation, measured })
}

/// Counts a document of an API key that has no root fields, since it is refused, as one request.
async fn charge_refused(app: &App, call: &Call) -> Result<(), ApiError> {
    match &call.caller {
        Caller::ApiKey(key) => app.limits.take(Policy::PublicApi(key.plan), Key::from(key.id), 1).await,
        Caller::Anonymous | Caller::Refused | Caller::User(_) => Ok(()),
    }
}

/// Whether the request was not executed. The response then has no `data`, not even null.
pub(crate) fn was_not_executed(response: &Response) -> bool {
    response.is_err() && response.data == Value::Null && response.errors.iter().all(|error| error.path.is_empty())
}
