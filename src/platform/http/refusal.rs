//! How a request is refused.

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::{Map, Value as Json, json};

use crate::base::error::{ApiError, Code};

/// A refused request. Whatever layer made it, the HTTP edge writes its body, with the request's id.
#[derive(Clone, Debug)]
pub(crate) struct Refusal(pub(crate) ApiError);

/// The `WWW-Authenticate` of a refused request (RFC 6750 §3); none if another credential would not help. `has_token`: it sent one where one is
/// asked for.
pub(crate) fn challenge(error: &ApiError, has_token: bool) -> Option<HeaderValue> {
    let details = error.details().unwrap_or_default();
    let parameters = match error.code {
        Code::Unauthenticated if has_token => Some(("invalid_token", None)),
        Code::Forbidden if !details["credential"].is_null() => Some(("insufficient_scope", None)),
        Code::Forbidden => Some(("insufficient_scope", Some(details["scope"].as_str()?))),
        _ if error.code.status() == StatusCode::UNAUTHORIZED => None,
        _ => return None,
    };
    let Some((name, scope)) = parameters else { return Some(HeaderValue::from_static("Bearer")) };
    let scope = scope.map(|scope| format!(", scope=\"{scope}\"")).unwrap_or_default();
    // Messages are of this service, and have no quotes.
    HeaderValue::try_from(format!("Bearer error=\"{name}\", error_description=\"{}\"{scope}", error.message)).ok()
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = self.0.code.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl Refusal {
    /// The body and the headers that every error has.
    pub(crate) fn write(&self, request_id: &str, headers: &mut HeaderMap) -> Body {
        let Refusal(error) = self;
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        // Who looked at a credential has said so.
        if let (false, Some(challenge)) = (headers.contains_key(header::WWW_AUTHENTICATE), challenge(error, false)) {
            headers.insert(header::WWW_AUTHENTICATE, challenge);
        }
        if let Some(seconds) = error.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        let mut shown = Map::new();
        shown.insert("code".into(), error.code.as_str().into());
        shown.insert("message".into(), Json::from(&*error.message));
        if let Some(details) = error.details() {
            shown.insert("details".into(), details);
        }
        Body::from(json!({ "success": false, "error": shown, "requestId": request_id }).to_string())
    }
}
