//! `GET /images/{imageId}`: an image, for everybody who has its URL.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, State, rejection::PathRejection},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};

use super::ops;
use crate::{
    app::App,
    base::error::{ApiError, Code},
    platform::http::{pages::document::is_known, refusal::Refusal},
    records::images,
};

/// An image never changes.
const CACHE_CONTROL: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Pages of others may show it (<https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header>).
const RESOURCE_POLICY: (HeaderName, HeaderValue) =
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin"));
/// Opened by itself, it does nothing and loads nothing.
const SECURITY_POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox");

/// The route. The parameter is called as that of the operation at the same path.
pub(crate) fn router(app: &Arc<App>) -> Router {
    Router::new().route("/images/{imageId}", get(serve)).with_state(Arc::clone(app))
}

async fn serve(
    State(app): State<Arc<App>>,
    file: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    // A path that is not UTF-8 names nothing.
    let named = file.ok().and_then(|Path(file)| images::named(&file));
    let (id, media_type) = named.ok_or_else(not_found)?;
    let image = ops::served(&app, id, media_type).await.map_err(Refusal)?.ok_or_else(not_found)?;
    let tag = HeaderValue::try_from(format!("\"{id}\"")).map_err(|error| Refusal(ApiError::internal(error)))?;
    let mut response = match is_known(&headers, &tag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => ([(header::CONTENT_TYPE, media_type)], image.content).into_response(),
    };
    response.headers_mut().extend([
        (header::ETAG, tag),
        (header::CACHE_CONTROL, CACHE_CONTROL),
        (header::CONTENT_SECURITY_POLICY, SECURITY_POLICY),
        RESOURCE_POLICY,
    ]);
    Ok(response)
}

fn not_found() -> Refusal {
    Refusal(ApiError::new(Code::NotFound, "There is no such image."))
}
