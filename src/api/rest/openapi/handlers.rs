//! Operations that are no fields of the schema: probes, and the payment provider's events.

use serde_json::{Value as Json, json};

use super::{errors, reference::reference};
use crate::{
    base::error::Code,
    payments::stripe::signature::{PATH, SIGNATURE},
};

/// Paths with their operations.
pub(super) fn paths() -> [(&'static str, Json); 3] {
    let health = probe("health", "Whether the process lives", "Answers as long as the process serves requests.");
    let mut ready = probe(
        "ready",
        "Whether the node can do its work",
        "Checks every store that the node needs; answers 503 naming the failed ones, and while the node is stopping.",
    );
    ready["responses"]["503"] = reference("responses", "Error503");
    [("/health", json!({ "get": health })), ("/ready", json!({ "get": ready })), (PATH, json!({ "post": inbound() }))]
}

/// The schemas of their answers.
pub(super) fn schemas() -> [(&'static str, Json); 2] {
    let constant = |name: &str, kind: &str, value: Json, description: &str, always: &str| {
        json!({
            "type": "object",
            "description": description,
            "required": [name],
            "properties": { name: { "type": kind, "const": value, "description": always, "examples": [value] } }
        })
    };
    [
        ("Health", constant("status", "string", json!("ok"), "The answer of a probe.", "Always `ok`.")),
        (
            "Acknowledgement",
            constant("received", "boolean", json!(true), "What acknowledges an event.", "Always true."),
        ),
    ]
}

fn probe(name: &str, summary: &str, text: &str) -> Json {
    let mut responses = errors::references([Code::BadRequest, Code::RateLimited, Code::InternalError]);
    responses["200"] = success("Yes.", "Health", &json!({ "status": "ok" }));
    json!({
        "operationId": name, "summary": summary, "description": text, "tags": ["probes"], "security": [],
        "responses": responses
    })
}

fn inbound() -> Json {
    let mut responses = errors::references([
        Code::ValidationError,
        Code::Unauthenticated,
        Code::PayloadTooLarge,
        Code::InternalError,
        Code::Unavailable,
    ]);
    responses["200"] = success("Received.", "Acknowledgement", &json!({ "received": true }));
    json!({
        "operationId": "receiveProviderEvent",
        "summary": "Takes an event of the payment provider",
        "description": format!(
            "Takes an event of Stripe's. The body is judged as it was sent: its signature in `{SIGNATURE}` must be right and at \
             most five minutes old. An event that was sent before, or concerns no account, is acknowledged and changes \
             nothing.\n\nTakes no credential but the signature."
        ),
        "tags": ["billing"],
        "security": [],
        "parameters": [{
            "name": SIGNATURE, "in": "header", "required": true,
            "description": "`t=` and the Unix time of the signature, `v1=` and the hex HMAC-SHA256 of `time.body` with the endpoint's secret, separated by a comma.",
            "schema": { "type": "string" },
            "example": "t=1795185218,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd"
        }],
        "requestBody": {
            "required": true,
            "description": "The provider's event.",
            "content": { "application/json": {
                "schema": { "type": "object", "description": "An event, as the provider documents it." },
                "example": {
                    "id": "evt_1SVxYzABCDEFGHIJ", "object": "event", "type": "customer.subscription.updated", "livemode": false,
                    "data": { "object": { "id": "sub_1SVxYzABCDEFGHIJ", "object": "subscription", "customer": "cus_TSabcdefghijkl" } }
                }
            } }
        },
        "responses": responses
    })
}

fn success(description: &str, schema: &str, example: &Json) -> Json {
    json!({
        "description": description,
        "headers": { "X-Request-Id": reference("headers", "RequestId") },
        "content": { "application/json": { "schema": reference("schemas", schema), "example": example } }
    })
}
