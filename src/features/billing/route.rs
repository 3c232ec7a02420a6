//! The route of the payment provider's events. Not a resolver: what is signed are the raw bytes.

use std::sync::Arc;

use axum::{
    Json,
    body::Body,
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use serde_json::json;

use super::inbound;
use crate::{
    app::App,
    base::error::ApiError,
    payments::stripe::signature::SIGNATURE,
    platform::http::{edge, refusal::Refusal},
};

/// Takes one event.
pub(crate) async fn receive(State(app): State<Arc<App>>, headers: HeaderMap, body: Body) -> Response {
    let received = take(&app, &headers, body).await;
    app.metrics.count_provider_event(match &received {
        Ok(received) => received.as_str(),
        Err(error) if error.code.status().is_server_error() => "failed",
        Err(_) => "refused",
    });
    match received {
        Ok(_) => Json(json!({ "received": true })).into_response(),
        Err(error) => Refusal(error).into_response(),
    }
}

async fn take(app: &App, headers: &HeaderMap, body: Body) -> Result<inbound::Received, ApiError> {
    let body = edge::read_body(headers, body, edge::MAX_BODY).await?;
    // Header values that are not visible ASCII can't be signatures: they become empty, and verification refuses them.
    let signatures: Vec<&str> =
        headers.get_all(SIGNATURE).iter().map(|value| value.to_str().unwrap_or_default()).collect();
    inbound::receive(app, &signatures, &body).await
}
