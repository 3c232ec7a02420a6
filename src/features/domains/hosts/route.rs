//! `GET /internal/tls/ask?domain=`: a proxy that makes certificates on demand asks here whether it may.

use std::sync::Arc;

use axum::{
    extract::{RawQuery, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};

use crate::{
    app::App,
    base::{
        error::{ApiError, Code},
        validate::host_name,
    },
    platform::http::refusal::Refusal,
    redirect::resolve,
};

/// 200 for a host that links are served on now, else 404.
pub(crate) async fn ask(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    let domain = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "domain").map(|(_, value)| value);
    let answer = match domain.filter(|domain| !domain.is_empty()) {
        None => Err(ApiError::invalid_field("domain", "is required")),
        Some(domain) => match host_name(&domain).filter(|name| app.config.can_be_served(name)) {
            Some(name) => resolve::host(&app.redirects, &name).await,
            None => Ok(None),
        },
    };
    match answer {
        Ok(Some(_)) => StatusCode::OK.into_response(),
        Ok(None) => Refusal(ApiError::new(Code::NotFound, "No links are served on this host.")).into_response(),
        Err(error) => Refusal(error).into_response(),
    }
}
