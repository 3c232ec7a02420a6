//! How a request is refused.

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::{Map, Value as Json, json};

use crate::base::error::ApiError;

/// A refused request. Whatever layer made it, the HTTP edge writes its body, with the request's id.
#[derive(Clone, Debug)]
pub(crate) struct Refusal(pub(crate) ApiError);

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
        if error.code.status() == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
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
