//! From what a caller sends to what is executed, the same way through every door of GraphQL.

use std::{collections::HashMap, sync::Arc};

use async_graphql::{
    ErrorExtensionValues, Name, Pos, Positioned, Request, Response, ServerError, Value, Variables,
    parser::{
        parse_query,
        types::{DocumentOperations, ExecutableDocument, OperationDefinition, OperationType, Selection},
    },
};
use serde_json::{Map, Value as Json};

use crate::{
    api::Api,
    api_threads::when_idle,
    app::App,
    auth::{
        access::{Door, Root, authorize},
        caller::{Call, Caller},
    },
    edge::RequestId,
    error::{ApiError, Code, set_extensions},
    graphql::{
        arguments::check_arguments,
        contract::OperationKind,
        cost::{Units, check_shape},
        loaders::CurrentLoaders,
        measure::{Measured, measure},
        merge::merge,
        tokens::{MAX_TOKENS, check_text},
    },
    rate_limit::{Key, Policy, Subject},
};

/// Mistakes of a document that are told at once; a few kilobytes can have thousands.
const MAX_ERRORS: usize = 50;

/// A GraphQL request.
#[derive(Debug)]
pub struct Parameters {
    query: String,
    operation_name: Option<String>,
    variables: Variables,
}

impl Parameters {
    /// Out of the object that a request is.
    pub fn read(mut object: Map<String, Json>) -> Result<Self, ApiError> {
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
}

/// How a request came, which decides what it may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// HTTP, by a method that changes nothing.
    Get,
    /// HTTP.
    Post,
    /// A WebSocket.
    Socket,
}

/// A request that may be executed.
#[derive(Debug)]
pub struct Prepared {
    /// For the schema.
    pub request: Request,
    /// Whether it has many answers.
    pub is_subscription: bool,
    /// Whether to execute it, and to write its answer, is to take the processor from nobody. A mutation is never so: it
    /// takes locks that redirects take too.
    pub is_costly: bool,
}

/// Why nothing is executed.
#[derive(Debug)]
pub enum Rejection {
    /// The request is refused.
    Refused(ApiError),
    /// The document breaks rules of GraphQL.
    Invalid(Vec<ServerError>),
}

impl From<ApiError> for Rejection {
    fn from(error: ApiError) -> Self {
        Rejection::Refused(error)
    }
}

/// Everything that can refuse the request before it is executed.
pub async fn prepare(
    api: &Api,
    Parameters { query, operation_name, variables }: Parameters,
    call: &Arc<Call>,
    transport: Transport,
) -> Result<Prepared, Rejection> {
    let tokens = check_text(&query);
    let mut units = Units::of_text(tokens.as_ref().map_or(MAX_TOKENS, |tokens| *tokens), query.len(), &variables);
    let is_long = units.are_many();
    let judged = match tokens {
        Ok(_) => in_lane(is_long, async { judge(api, &query, operation_name.as_deref(), &variables, transport) }).await,
        Err(error) => Err(error),
    };
    if let Ok(judged) = &judged {
        units.add_values(judged.measured.values);
    }
    // Each document is counted once, those too that are refused.
    charge(&api.app, call, units).await?;
    let Judged { document, operation, measured, is_subscribed_rightly } = judged?;
    let kind = OperationKind::from(operation.ty);
    let asked = |root: &str| api.contract.operation(kind, root).map(|known| known.access);
    let roots: Vec<Root<'_>> = measured.roots.iter().map(|root| (root.as_str(), asked(root))).collect();
    authorize(&api.app, call, &roots, &measured.permissions, Door::GraphQl).await?;
    is_subscribed_rightly?;
    let mut sent = Request::new(query).variables(variables.clone());
    sent.operation_name = operation_name;
    sent.set_parsed_query(document);
    let validated = in_lane(is_long, api.validator.execute(sent)).await;
    if validated.is_err() {
        return Err(Rejection::Invalid(validated.errors));
    }
    check_arguments(&api.contract, &operation, &variables)?;
    let mut request = Request::new("").variables(variables);
    request.set_parsed_query(ExecutableDocument {
        operations: DocumentOperations::Single(Positioned::new(operation, Pos::default())),
        fragments: HashMap::new(),
    });
    if !api.app.config.introspection {
        request = request.disable_introspection();
    }
    if let Some(account) = call.caller.account() {
        request = request.data(CurrentLoaders::new(&api.app, account));
    }
    Ok(Prepared {
        request: request.data(Arc::clone(call)),
        is_subscription: kind == OperationKind::Subscription,
        is_costly: kind == OperationKind::Query && units.are_many(),
    })
}

/// Runs what costs much when nothing else runs.
pub async fn in_lane<T>(is_costly: bool, work: impl Future<Output = T>) -> T {
    if is_costly { when_idle(work).await } else { work.await }
}

/// A document within all limits.
struct Judged {
    /// As it was sent.
    document: ExecutableDocument,
    /// What is executed of it.
    operation: OperationDefinition,
    measured: Measured,
    /// For those who may subscribe.
    is_subscribed_rightly: Result<(), ApiError>,
}

fn judge(
    api: &Api,
    query: &str,
    operation_name: Option<&str>,
    variables: &Variables,
    transport: Transport,
) -> Result<Judged, ApiError> {
    let document =
        parse_query(query).map_err(|error| ApiError::new(Code::GraphqlParseFailed, first_line(&error.to_string())))?;
    let operation = select(&document, operation_name)?;
    if operation.ty == OperationType::Mutation && transport == Transport::Get {
        return Err(ApiError::new(Code::MethodNotAllowed, "A mutation must be sent by POST."));
    }
    check_shape(&document, variables)?;
    let is_subscribed_rightly = match operation.ty {
        OperationType::Subscription => check_subscription(operation, transport),
        OperationType::Query | OperationType::Mutation => Ok(()),
    };
    let operation = merge(&api.contract, &document, operation, variables);
    let measured = measure(api.known(), &operation, variables)?;
    Ok(Judged { document, operation, measured, is_subscribed_rightly })
}

/// Counts what the document costs. The requests of API keys are counted already.
async fn charge(app: &App, call: &Call, units: Units) -> Result<(), ApiError> {
    let subject = match &call.caller {
        Caller::Anonymous | Caller::Refused => Subject::of_client("", call.client),
        Caller::User(user) => Key::from(user.user).into(),
        Caller::ApiKey(_) => return Ok(()),
    };
    app.limits.take(Policy::GraphQlCost, subject, units.count()).await
}

/// One root field (GraphQL specification, 5.2.4.1), where the library looks for it: in a fragment it finds none.
fn check_subscription(operation: &OperationDefinition, transport: Transport) -> Result<(), ApiError> {
    let refused = |message| Err(ApiError::new(Code::GraphqlValidationFailed, message));
    if transport != Transport::Socket {
        return refused("A subscription needs a WebSocket, at /graphql/ws.");
    }
    match &operation.selection_set.node.items[..] {
        [only] if matches!(only.node, Selection::Field(_)) => Ok(()),
        _ => refused("A subscription has one root field, which stands in no fragment."),
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

/// Whether nothing was executed, so that there is no data: not even null.
pub fn was_not_executed(response: &Response) -> bool {
    response.is_err() && response.data == Value::Null && response.errors.iter().all(|error| error.path.is_empty())
}

/// The error as GraphQL writes it.
pub fn server_error(error: &ApiError) -> ServerError {
    let mut extensions = ErrorExtensionValues::default();
    set_extensions(&mut extensions, error);
    let mut graphql = ServerError::new(error.message.clone(), None);
    graphql.extensions = Some(extensions);
    graphql
}

/// Gives every error its code and the request id.
pub fn complete(errors: &mut [ServerError], request_id: &RequestId) {
    for error in errors {
        let extensions = error.extensions.get_or_insert_default();
        if extensions.get("code").is_none() {
            extensions.set("code", Code::GraphqlValidationFailed.as_str());
        }
        extensions.set("requestId", request_id.as_str());
    }
}

/// The same of a request that was not executed. The last mistake that is told says how many are not.
pub fn complete_refusal(errors: &mut Vec<ServerError>, request_id: &RequestId) {
    let more = errors.len().saturating_sub(MAX_ERRORS);
    errors.truncate(MAX_ERRORS);
    if more > 0
        && let Some(last) = errors.last_mut()
    {
        last.message.push_str(&format!(" ({more} more mistakes are not listed)"));
    }
    complete(errors, request_id);
}
