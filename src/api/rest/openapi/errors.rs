//! Errors: one shape, one response for each status.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json, json};

use super::reference::reference;
use crate::{
    base::error::{Code, MAX_VIOLATIONS},
    platform::idempotency::key::HEADER_NAME,
};

/// Codes that REST answers carry, by status.
fn codes_by_status() -> BTreeMap<u16, Vec<Code>> {
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in Code::ALL {
        if !code.when().starts_with("GraphQL only") && *code != Code::MethodNotAllowed {
            by_status.entry(code.status().as_u16()).or_default().push(*code);
        }
    }
    by_status
}

/// References to the answers with these codes, by status.
pub(super) fn references(codes: impl IntoIterator<Item = Code>) -> Json {
    let statuses: BTreeSet<u16> = codes.into_iter().map(|code| code.status().as_u16()).collect();
    let named = |status: u16| (status.to_string(), reference("responses", &format!("Error{status}")));
    Json::Object(statuses.into_iter().map(named).collect())
}

pub(super) fn responses() -> Json {
    let mut responses = Map::new();
    for (status, codes) in codes_by_status() {
        let description: Vec<String> =
            codes.iter().map(|code| format!("`{}`: {}", code.as_str(), code.when())).collect();
        let examples: Map<String, Json> =
            codes.iter().map(|code| (code.as_str().to_owned(), json!({ "value": error_example(*code) }))).collect();
        // A request that fails is counted all the same.
        let mut headers = json!({
            "X-Request-Id": reference("headers", "RequestId"),
            "RateLimit-Policy": reference("headers", "RateLimitPolicy"),
            "RateLimit": reference("headers", "RateLimit"),
        });
        match status {
            401 | 403 => headers["WWW-Authenticate"] = reference("headers", "WwwAuthenticate"),
            // A conflict has it only if it is one of idempotency keys.
            409 | 429 | 503 => headers["Retry-After"] = reference("headers", "RetryAfter"),
            _ => {}
        }
        responses.insert(
            format!("Error{status}"),
            json!({
                "description": description.join(" "),
                "headers": headers,
                "content": { "application/json": { "schema": reference("schemas", "Error"), "examples": examples } }
            }),
        );
    }
    Json::Object(responses)
}

fn error_example(code: Code) -> Json {
    let mut error = json!({ "code": code.as_str(), "message": code.message() });
    match code {
        Code::ValidationError => {
            error["details"] =
                json!({ "validationErrors": [{ "path": "destinationUrl", "message": "is not a valid URL" }] });
        }
        Code::Forbidden => error["details"] = json!({ "scope": "links:write" }),
        Code::PlanLimitReached => error["details"] = json!({ "limit": 1000, "used": 1000, "resource": "links" }),
        Code::Conflict => error["details"] = json!({ "path": "slug" }),
        Code::IdempotencyKeyReused => error["details"] = json!({ "path": HEADER_NAME }),
        _ => {}
    }
    json!({ "success": false, "error": error, "requestId": "019aa1c3-2b3c-7d4e-8f50-819203a4b5c6" })
}

pub(super) fn schema() -> Json {
    let codes: Vec<&str> =
        Code::ALL.iter().filter(|code| !code.when().starts_with("GraphQL only")).map(|code| code.as_str()).collect();
    json!({
        "type": "object",
        "description": "Every error of every layer has this shape.",
        "required": ["success", "error", "requestId"],
        "properties": {
            "success": { "type": "boolean", "const": false, "description": "Always false.", "examples": [false] },
            "error": {
                "type": "object",
                "description": "What went wrong.",
                "required": ["code", "message"],
                "properties": {
                    "code": { "type": "string", "enum": codes, "description": "For programs.", "examples": ["VALIDATION_ERROR"] },
                    "message": { "type": "string", "description": "For people.", "examples": ["Invalid request payload"] },
                    "details": {
                        "type": "object",
                        "description": "What the code documents: `validationErrors`; or `path`; or `scope` or `reason`; or `limit`, `used` and `resource`.",
                        "properties": {
                            "validationErrors": {
                                "type": "array",
                                "description": "Every broken rule of the request, or the first of them: the last one then says how many there are besides.",
                                "maxItems": MAX_VIOLATIONS,
                                "items": {
                                    "type": "object",
                                    "required": ["path", "message"],
                                    "properties": {
                                        "path": { "type": "string", "description": "The field as the caller wrote it.", "examples": ["destinationUrl"] },
                                        "message": { "type": "string", "description": "Why it is refused.", "examples": ["is not a valid URL"] }
                                    }
                                }
                            },
                            "path": { "type": "string", "description": "The field whose value is taken or unknown, or the header with the idempotency key.", "examples": ["slug"] },
                            "scope": { "type": "string", "description": "The scope that the API key lacks; of several, one.", "examples": ["links:write"] },
                            "reason": { "type": "string", "description": "Why it is forbidden, if not for want of a scope.", "examples": ["REGISTRATION_CLOSED"] },
                            "limit": { "type": "integer", "description": "What the plan allows.", "examples": [1000] },
                            "used": { "type": "integer", "description": "What the account has.", "examples": [1000] },
                            "resource": { "type": "string", "description": "What is limited.", "examples": ["links"] }
                        }
                    }
                }
            },
            "requestId": { "type": "string", "description": "Identifies the request.", "examples": ["019aa1c3-2b3c-7d4e-8f50-819203a4b5c6"] }
        }
    })
}
