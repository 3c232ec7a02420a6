//! The facade, or the public API alone, as an OpenAPI 3.1 document, read out of the contract and the plan.

mod errors;
mod exports;
mod handlers;
mod operations;
mod reference;
mod schemas;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json, json};

use self::{
    operations::{describe, summary, tag},
    reference::reference,
    schemas::Schemas,
};
use crate::{
    api::rest::{
        operation::{Operation, method_name},
        plan::Plan,
    },
    contract::Contract,
    platform::auth::access::EntryPoint,
    records::webhooks::delivery::batch::MAX_EVENTS,
};

/// Beginning of the description of the whole document.
const OF_ALL: &str = "The REST facade of linkgraph's GraphQL schema: every operation is a field of the schema, and \
answers with its value. Paths under `/api/v1` are the public API for integrations and take an API key; the other paths are \
the dashboard's and take a user token, or an API key with the scope.";
const OF_PUBLIC_API: &str = "The public API of linkgraph, for integrations: every operation is a field of the GraphQL schema, and answers with \
its value. It takes an API key with the scope that the operation names.";
/// Rest of the description of both documents.
const DESCRIPTION: &str = "A list answers one page: `data`, `total`, `page`, `pageSize` and `totalPages`. Any operation with `x-fields` \
takes the query parameter `fields`, some of these names separated by commas, and then answers with these fields of each \
resource alone. No operation but exports has it among its parameters, since such an answer lacks what its schema requires. Unknown query parameters are ignored. An unknown field of a body is refused, and the answer names the nearest \
known one; where no body is taken, it may be an object without fields.\n\n\
A request that creates something may have an `Idempotency-Key`, and is executed once however often it is sent; other operations \
ignore the header.\n\n\
Every answer has an `X-Request-Id`: the caller's, if it sent one of 1–128 characters of `[A-Za-z0-9._-]`, else a new one. \
Errors repeat it as `requestId`. An answer whose request a rate limit counted has `RateLimit-Policy` and `RateLimit`.";

/// The extension with the names that `?fields=` of an operation may list. `fields` is no parameter, since an answer that it narrows lacks fields that the schema requires: what a
/// generator makes of the schema would refuse it.
const X_FIELDS: &str = "x-fields";
/// The tag of what is sent to webhooks. Generators make a class of all operations of one tag: paths have others.
const EVENTS: &str = "events";
/// The field whose operations make a webhook: what is sent to its `url` are their callbacks.
const CREATE_WEBHOOK: &str = "createWebhook";
/// The schema of a batch's body.
const BATCH: &str = "EventBatch";

/// Which operations a document has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All.
    Whole,
    /// The operations of the public API, for integrations.
    PublicApi,
}

/// The document's text.
pub fn document(contract: &Contract, plan: &Plan, extent: Extent) -> String {
    let is_public = extent == Extent::PublicApi;
    let has = |operation: &Operation| !is_public || operation.entry_point == EntryPoint::PublicApi;
    let mut paths: Map<String, Json> = Map::new();
    let mut schemas = Schemas::new(contract, plan);
    let mut tags = BTreeSet::new();
    let webhooks = webhooks(&mut schemas);
    for operation in plan.operations.iter().filter(|operation| has(operation)) {
        tags.insert(tag(&operation.path).to_owned());
        let mut described = describe(&mut schemas, operation);
        if let Some(names) = operation.field_names() {
            described[X_FIELDS] = names.into();
        }
        if operation.field.name == CREATE_WEBHOOK {
            described["callbacks"] = callbacks(&webhooks);
        }
        let path = paths.entry(operation.path.clone()).or_insert_with(|| json!({}));
        if let Json::Object(path) = path {
            path.insert(method_name(operation.method).to_lowercase(), described);
        }
    }
    for export in plan.exports.iter().filter(|export| has(&export.operation)) {
        paths.insert(export.operation.path.clone(), json!({ "get": exports::describe(&mut schemas, export) }));
    }
    tags.insert(EVENTS.to_owned());
    if !is_public {
        tags.insert("probes".to_owned());
        paths.extend(handlers::paths().map(|(path, operations)| (path.to_owned(), operations)));
    }
    schemas.done.extend(handlers::schemas().map(|(name, schema)| (name.to_owned(), schema)));
    schemas.done.insert("Error".to_owned(), errors::schema());
    let introduction = if is_public { OF_PUBLIC_API } else { OF_ALL };
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": if is_public { "linkgraph public API" } else { "linkgraph" },
            "version": env!("CARGO_PKG_VERSION"),
            "description": format!("{introduction}\n\n{DESCRIPTION}"),
            "license": { "name": "MIT", "identifier": "MIT" },
            "contact": { "name": "The operator of this service" },
        },
        "servers": [{ "url": "/", "description": "This service." }],
        "tags": tags.iter().map(|tag| json!({ "name": tag, "description": format!("Operations on {}.", tag.replace('-', " ")) })).collect::<Vec<_>>(),
        "paths": paths,
        "webhooks": webhooks,
        "components": {
            "schemas": schemas.done,
            "responses": errors::responses(),
            "headers": {
                "ETag": {
                    "description": "Tells the versions of the resource apart: its `updatedAt` in double quotes, for `If-Match`. Counts of clicks change without it. Absent: the answer has no `updatedAt`.",
                    "schema": { "type": "string", "examples": ["\"2026-11-20T14:33:38.125Z\""] }
                },
                "RequestId": {
                    "description": "Identifies the request, in the service's log too.",
                    "schema": { "type": "string", "examples": ["019aa1c3-2b3c-7d4e-8f50-819203a4b5c6"] }
                },
                "RateLimitPolicy": {
                    "description": "What the policy allows that counted the request, and leaves least: its name, `q` requests in a window of `w` seconds (draft-ietf-httpapi-ratelimit-headers).",
                    "schema": { "type": "string", "examples": ["\"default\";q=60;w=60"] }
                },
                "RateLimit": {
                    "description": "What is left of it: `r` requests; in `t` seconds all of them are back or, with a 429, this request would be let through.",
                    "schema": { "type": "string", "examples": ["\"default\";r=59;t=1"] }
                },
                "WwwAuthenticate": {
                    "description": "How to send a credential and, of one that was sent, what is wrong with it (RFC 6750): `invalid_token` with a 401, `insufficient_scope` with a 403 and, if a scope is missing, its name.",
                    "schema": { "type": "string", "examples": ["Bearer", "Bearer error=\"insufficient_scope\", error_description=\"Missing required scope.\", scope=\"links:read\""] }
                },
                "IdempotencyReplayed": {
                    "description": "That the answer is the one which the same request with the same `Idempotency-Key` got before. Absent: it is a new one.",
                    "schema": { "type": "string", "const": "true", "examples": ["true"] }
                },
                "RetryAfter": {
                    "description": "Whole seconds to wait before the next request; at least 1.",
                    "schema": { "type": "integer", "minimum": 1, "examples": [7] }
                }
            },
            "securitySchemes": {
                "userToken": {
                    "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
                    "description": "User token, from `POST /auth/register` or `POST /auth/login`."
                },
                "apiKey": {
                    "type": "http", "scheme": "bearer",
                    "description": "API key, from `POST /api-keys`; it needs the scope that the operation names as `x-required-scope`."
                }
            }
        }
    });
    leave_out_unused(&mut document);
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

/// Leaves out the components that nothing refers to.
fn leave_out_unused(document: &mut Json) {
    let mut used = BTreeSet::new();
    let mut open: Vec<&Json> = vec![&document["paths"], &document["webhooks"]];
    while let Some(value) = open.pop() {
        match value {
            Json::Object(fields) => {
                if let Some(place) = fields.get("$ref").and_then(Json::as_str).and_then(|place| place.strip_prefix('#'))
                    && used.insert(place.to_owned())
                {
                    open.extend(document.pointer(place));
                }
                // Schemes are named, and not referred to.
                let schemes = fields.get("security").and_then(Json::as_array).into_iter().flatten();
                let names = schemes.filter_map(Json::as_object).flat_map(Map::keys);
                used.extend(names.map(|name| format!("/components/securitySchemes/{name}")));
                open.extend(fields.values());
            }
            Json::Array(items) => open.extend(items),
            _ => {}
        }
    }
    for (kind, components) in document["components"].as_object_mut().into_iter().flatten() {
        if let Some(components) = components.as_object_mut() {
            components.retain(|name, _| used.contains(&format!("/components/{kind}/{name}")));
        }
    }
}

/// Bodies that are sent to the webhooks of an account, by event, and the body of a batch.
fn webhooks(schemas: &mut Schemas<'_>) -> Map<String, Json> {
    let events: BTreeMap<&String, &String> = schemas
        .contract
        .types
        .iter()
        .filter_map(|(name, definition)| Some((definition.event.as_ref()?, name)))
        .collect();
    let mut described = Map::new();
    for (event, type_name) in &events {
        schemas.add(type_name);
        let description =
            schemas.contract.types.get(*type_name).map(|definition| definition.description.clone()).unwrap_or_default();
        let content =
            json!({ "schema": reference("schemas", type_name), "example": schemas.example_of(type_name, false) });
        described.insert((*event).clone(), sent(&event.replace('.', "_"), &description, &content));
    }
    let description =
        "Several events of one kind. They are sent to webhooks with `batch` instead of each event by itself.";
    let example =
        events.get(&"link.created".to_owned()).map(|name| schemas.example_of(name, false)).unwrap_or_default();
    let name = |description: &str| {
        json!({
            "type": "string", "enum": events.keys().collect::<Vec<_>>(), "description": description,
            "examples": ["link.created"]
        })
    };
    let time = |description: &str| {
        json!({
            "type": "string", "format": "date-time", "description": description,
            "examples": [example["timestamp"]]
        })
    };
    // Not a choice of the events' schemas: some generators take its first for all, and others need libraries for it.
    let event = json!({
        "type": "object",
        "properties": {
            "type": name("Name of the event."),
            "timestamp": time("When it happened."),
            "data": { "type": "object", "description": "What the event of this name has as its `data`." }
        },
        "required": ["type", "timestamp", "data"]
    });
    let batch = json!({
        "type": "object",
        "description": description,
        "properties": {
            "type": name("Name of the events."),
            "timestamp": time("When the first of them happened."),
            "data": {
                "type": "array", "minItems": 1, "maxItems": MAX_EVENTS, "items": event,
                "description": "The events, each as it would be sent by itself."
            }
        },
        "required": ["type", "timestamp", "data"]
    });
    let example = json!({ "type": example["type"], "timestamp": example["timestamp"], "data": [example] });
    schemas.done.insert(BATCH.to_owned(), batch);
    let content = json!({ "schema": reference("schemas", BATCH), "example": example });
    described.insert("batch".into(), sent("batch", description, &content));
    described
}

/// The same as callbacks. Some tools look for used schemas there alone.
fn callbacks(webhooks: &Map<String, Json>) -> Json {
    let callback = |name: &String| json!({ "{$request.body#/url}": { "$ref": format!("#/webhooks/{name}") } });
    webhooks.keys().map(|name| (name.clone(), callback(name))).collect::<Map<_, _>>().into()
}

/// The POST of a body to a webhook.
fn sent(name: &str, description: &str, content: &Json) -> Json {
    let header = |name: &str, description: &str, example: &str| {
        json!({
            "name": name, "in": "header", "required": true, "description": description,
            "schema": { "type": "string" }, "example": example
        })
    };
    let post = json!({
        "operationId": format!("on_{name}"),
        "summary": summary(description),
        "description": format!(
            "{description}\n\nSigned as Standard Webhooks says. Any 2xx answer within 15 seconds is a success; 410 \
             disables the webhook; all else is tried again."
        ),
        "tags": [EVENTS],
        "security": [],
        "parameters": [
            header("webhook-id", "Identifies the event, or the batch; the same at each attempt.", "msg_019aa1c38e4b7d02b7a45d1c2e3f4a5b"),
            header("webhook-timestamp", "Unix time of the attempt in seconds.", "1614265330"),
            header(
                "webhook-signature",
                "`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body` with the webhook's secret; several, separated by spaces, for a day after a rotation.",
                "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
            ),
        ],
        "requestBody": { "required": true, "content": { "application/json": content } },
        "responses": { "2XX": { "description": "Received." }, "410": { "description": "Gone for good: disables the webhook." } },
    });
    json!({ "post": post })
}
