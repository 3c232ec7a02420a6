//! Operations of the facade.

use async_graphql::parser::types::Type;
use serde_json::{Map, Value as Json, json};

use super::{
    errors,
    reference::reference,
    schemas::{Schemas, deprecate, example},
};
use crate::{
    api::rest::{
        compact,
        input::FIELDS,
        operation::{Operation, PUBLIC_PREFIX, Parameter, method_name},
        reply::VERSION,
    },
    base::error::Code,
    contract::{Contract, Input, base_name},
    graphql::directives::HttpMethod,
    platform::{
        auth::access::{Credential, Depth, EntryPoint},
        idempotency::key::{HEADER_NAME, MAX_KEY, REPLAYED_NAME},
    },
};

/// Root fields whose name is a word of a language, so that no function can have it.
const WORDS: [&str; 1] = ["import"];

pub(super) fn describe(schemas: &mut Schemas<'_>, operation: &Operation) -> Json {
    let mut described = Map::new();
    described.insert("operationId".into(), operation_id(operation).into());
    described.insert("summary".into(), summary(&operation.field.description).into());
    described
        .insert("description".into(), format!("{}\n\n{}", operation.field.description, access_text(operation)).into());
    described.insert("tags".into(), json!([tag(&operation.path)]));
    described.insert("security".into(), security(operation));
    if let Some(scope) = operation.access.scope {
        // Only OAuth's schemes have scopes in `security`.
        described.insert("x-required-scope".into(), scope.as_str().into());
    }
    let parameters: Vec<Json> = operation
        .path_parameters
        .iter()
        .map(|it| (it, "path"))
        .chain(operation.query_parameters.iter().map(|it| (it, "query")))
        .map(|(it, place)| parameter(schemas, it, place))
        .chain(operation.is_idempotent.then(key_parameter))
        .chain(operation.is_conditional.then(version_parameter))
        .collect();
    if !parameters.is_empty() {
        described.insert("parameters".into(), parameters.into());
    }
    if let Some(body) = &operation.body {
        schemas.add(&body.type_name);
        let content = json!({ "schema": reference("schemas", &body.type_name), "example": schemas.example_of(&body.type_name, false) });
        // Not the file that may be the body in place of it: generators of clients refuse media types that they don't know.
        described.insert("requestBody".into(), json!({ "required": true, "content": { "application/json": content } }));
    }
    described.insert("responses".into(), responses(schemas, operation));
    let mut described = Json::Object(described);
    deprecate(&mut described, operation.field.deprecated.as_ref());
    described
}

pub(super) fn operation_id(operation: &Operation) -> String {
    let name = &operation.field.name;
    match operation.entry_point {
        EntryPoint::PublicApi => format!("v1{}{}", name[..1].to_uppercase(), &name[1..]),
        EntryPoint::Dashboard | EntryPoint::GraphQl if WORDS.contains(&&**name) => {
            format!("{}{}{}", method_name(operation.method).to_lowercase(), name[..1].to_uppercase(), &name[1..])
        }
        EntryPoint::Dashboard | EntryPoint::GraphQl => name.clone(),
    }
}

pub(super) fn summary(description: &str) -> String {
    let text = description.split_whitespace().collect::<Vec<_>>().join(" ");
    text.split(". ").next().unwrap_or_default().trim_end_matches('.').to_owned()
}

pub(super) fn access_text(operation: &Operation) -> String {
    let scope = operation.access.scope.map(|scope| format!("with the scope `{}`", scope.as_str()));
    let key = scope.unwrap_or_else(|| "of any scopes".to_owned());
    match (operation.access.credential, operation.entry_point) {
        (Credential::Public, _) => "Takes no credential.".to_owned(),
        (Credential::User, _) => "Takes a user token only.".to_owned(),
        (Credential::Any, EntryPoint::PublicApi) => format!("Takes an API key {key}."),
        (Credential::Any, _) => {
            let depth = match operation.access.depth {
                Depth::Signature => "Of a user token only the signature and the claims are checked.",
                Depth::UserContext => "The user of a user token is loaded too.",
            };
            format!("Takes a user token, or an API key {key}. {depth}")
        }
    }
}

pub(super) fn security(operation: &Operation) -> Json {
    match (operation.access.credential, operation.entry_point) {
        (Credential::Public, _) => json!([]),
        (Credential::User, _) => json!([{ "userToken": [] }]),
        (Credential::Any, EntryPoint::PublicApi) => json!([{ "apiKey": [] }]),
        (Credential::Any, _) => json!([{ "userToken": [] }, { "apiKey": [] }]),
    }
}

pub(super) fn parameter(schemas: &mut Schemas<'_>, parameter: &Parameter, place: &str) -> Json {
    let Parameter { name, argument } = parameter;
    let mut described = json!({
        "name": name,
        "in": place,
        "description": argument.description,
        "required": place == "path" || argument.is_required(),
        // A parameter can be left out, but there is no way to write null.
        "schema": schemas.of_parameter(argument),
    });
    let mut example = example(&argument.ty, argument.example.as_deref());
    if let Some(fields) = schemas.contract.input(base_name(&argument.ty)) {
        let form = compact::form(fields);
        described["description"] = format!(
            "{} Each is one text, `{form}`: items of a list are separated by `,`, a `\\` makes a `,` or `\\` after it part of a value, and an empty value is null, or the default.",
            argument.description
        )
        .into();
        example = example.map(|example| written(fields, &example));
    }
    if let Some(example) = example {
        described["example"] = example;
    }
    deprecate(&mut described, argument.deprecated.as_ref());
    described
}

/// An example with the texts of its objects.
fn written(fields: &[Input], example: &Json) -> Json {
    match example {
        Json::Array(items) => items.iter().map(|item| written(fields, item)).collect(),
        Json::Object(object) => compact::write(fields, object).into(),
        other => other.clone(),
    }
}

/// The parameter that chooses the columns of a file.
pub(super) fn fields_parameter(names: &[String]) -> Json {
    json!({
        "name": FIELDS,
        "in": "query",
        "description": "Names of the fields that the file has columns of, separated by commas. Absent: all.",
        "required": false,
        "style": "form",
        "explode": false,
        "schema": { "type": "array", "minItems": 1, "items": { "type": "string", "enum": names } },
        "example": names.iter().take(2).collect::<Vec<_>>(),
    })
}

/// The header that has a request executed once.
fn key_parameter() -> Json {
    json!({
        "name": HEADER_NAME,
        "in": "header",
        "description": format!(
            "Has the request executed once, however often it is sent: for 24 hours, the same request of the same credential gets the \
             answer that it got before, with `{REPLAYED_NAME}: true`. A text that the caller makes up for the request, such as a UUID, \
             with or without double quotes around it (draft-ietf-httpapi-idempotency-key-header)."
        ),
        "required": false,
        "schema": { "type": "string", "minLength": 1, "maxLength": MAX_KEY },
        "example": "8e03978e-40d5-43dd-bc93-6894a57f9324",
    })
}

/// The header that says which version of the resource is changed.
fn version_parameter() -> Json {
    json!({
        "name": "If-Match",
        "in": "header",
        "description": "The `ETag` of the resource as the caller read it, in double quotes as it came. Where the resource has another one by \
                        now, nothing is changed, and the answer is 412 (RFC 9110, §13.1.1). Absent: the resource is changed whoever \
                        changed it meanwhile.",
        "required": false,
        "schema": { "type": "string" },
        "example": "\"2026-11-20T14:33:38.125Z\"",
    })
}

pub(super) fn responses(schemas: &mut Schemas<'_>, operation: &Operation) -> Json {
    let mut success = json!({ "headers": { "X-Request-Id": reference("headers", "RequestId") } });
    if may_be_counted(operation) {
        success["headers"]["RateLimit-Policy"] = reference("headers", "RateLimitPolicy");
        success["headers"]["RateLimit"] = reference("headers", "RateLimit");
    }
    if operation.status == 204 {
        success["description"] = "Done; there is no body.".into();
    } else if let Some(file) = &operation.file {
        let content =
            |media_type: &String| (media_type.clone(), json!({ "schema": { "type": "string", "format": "binary" } }));
        success["description"] = "The file".into();
        success["content"] = file.media_types.iter().map(content).collect::<Map<_, _>>().into();
    } else {
        // Null is another answer where it is one at all.
        let ty = &operation.field.ty;
        let schema =
            schemas.of_answer(operation, &Type { nullable: ty.nullable && !operation.is_addressed, ..ty.clone() });
        success["description"] = summary(&type_description(schemas.contract, &operation.field.ty)).into();
        let value = schemas.example_of(base_name(&operation.field.ty), false);
        success["content"] = json!({ "application/json": { "schema": schema, "example": value } });
    }
    if operation.location.is_some() {
        success["headers"]["Location"] =
            json!({ "description": "Path of what was created, or its URL.", "schema": { "type": "string" } });
    }
    let answered = schemas.contract.object(base_name(&operation.field.ty)).into_iter().flatten();
    if answered.into_iter().any(|field| field.name == VERSION || field.is_flattened) {
        success["headers"]["ETag"] = reference("headers", "ETag");
    }
    if operation.is_idempotent {
        success["headers"][REPLAYED_NAME] = reference("headers", "IdempotencyReplayed");
    }
    let mut codes = vec![Code::ValidationError, Code::InternalError, Code::Unavailable];
    if may_be_counted(operation) {
        codes.push(Code::RateLimited);
    }
    if operation.access.credential != Credential::Public {
        codes.push(Code::Unauthenticated);
    }
    if operation.access.scope.is_some() {
        codes.push(Code::Forbidden);
    }
    if operation.is_addressed && (operation.field.ty.nullable || !operation.path_parameters.is_empty()) {
        codes.push(Code::NotFound);
    }
    if operation.method != HttpMethod::Get {
        codes.extend([Code::PayloadTooLarge, Code::UnsupportedMediaType]);
    }
    if operation.is_idempotent {
        codes.extend([Code::Conflict, Code::IdempotencyKeyReused, Code::RateLimited]);
    }
    if operation.is_conditional {
        codes.push(Code::PreconditionFailed);
    }
    // The description of an operation names the codes that are its own.
    let words =
        operation.field.description.split(|character: char| !character.is_ascii_uppercase() && character != '_');
    codes.extend(words.filter_map(Code::parse));
    let mut responses = errors::references(codes);
    if operation.status != 200 && operation.creates.is_some_and(|creates| creates.or_returns) {
        let mut existing = success.clone();
        existing["description"] = "What existed, as the request allows: nothing was created.".into();
        if let Some(headers) = existing["headers"].as_object_mut() {
            headers.remove("Location");
        }
        responses["200"] = existing;
    }
    responses[operation.status.to_string()] = success;
    responses
}

/// Whether a rate limit can count its callers: API keys, those without a credential, and users where it says so.
pub(super) fn may_be_counted(operation: &Operation) -> bool {
    operation.access.credential != Credential::User || operation.access.limit.is_some()
}

pub(super) fn type_description(contract: &Contract, ty: &Type) -> String {
    contract.types.get(base_name(ty)).map(|definition| definition.description.clone()).unwrap_or_default()
}

pub(super) fn tag(path: &str) -> &str {
    let path = path.strip_prefix(PUBLIC_PREFIX).unwrap_or(path);
    path.split('/').nth(1).unwrap_or("api")
}
