//! GraphQL's answer → HTTP.

use async_graphql::{Response as GraphQlResponse, Value};
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::STANDARD};

use crate::{
    api::rest::operation::{File, Operation, parameters},
    base::error::{ApiError, Code},
    platform::http::etag::etag,
};

/// The field of a resource that tells its versions apart.
pub(crate) const VERSION: &str = "updatedAt";

/// The value of the operation's one root field, or its error. `is_old`: what it was to create existed, and is answered in place of that.
pub(crate) fn from_graphql(
    operation: &Operation,
    response: GraphQlResponse,
    is_old: bool,
) -> Result<Response, ApiError> {
    if let Some(error) = response.errors.first() {
        return Err(match error.source::<ApiError>() {
            Some(error) => error.clone(),
            // The operation was generated and its variables were checked: what fails now is ours.
            None => ApiError::internal(&error.message),
        });
    }
    let Value::Object(mut data) = response.data else { return Err(ApiError::internal("the answer is no object")) };
    let mut value = data.swap_remove(operation.field.name.as_str()).unwrap_or_default();
    if let (Some(name), Value::Object(fields)) = (&operation.flattened, &mut value)
        && let Some(Value::Object(inner)) = fields.shift_remove(name.as_str())
    {
        let others = std::mem::replace(fields, inner);
        fields.extend(others);
    }
    if value == Value::Null && operation.status != 204 && operation.is_addressed {
        return Err(Code::NotFound.into());
    }
    success(operation, &value, is_old)
}

fn success(operation: &Operation, value: &Value, is_old: bool) -> Result<Response, ApiError> {
    let status =
        if is_old { StatusCode::OK } else { StatusCode::from_u16(operation.status).map_err(ApiError::internal)? };
    if status == StatusCode::NO_CONTENT {
        return Ok(status.into_response());
    }
    if let Some(file) = &operation.file {
        return served(file, value).ok_or_else(|| ApiError::internal("the answer is no file"));
    }
    let body = serde_json::to_vec(value).map_err(ApiError::internal)?;
    let mut response = (status, [(header::CONTENT_TYPE, "application/json")], body).into_response();
    if let Value::Object(fields) = value
        && let Some(Value::String(updated_at)) = fields.get(VERSION)
        && let Some(tag) = etag(updated_at)
    {
        response.headers_mut().insert(header::ETAG, tag);
    }
    if let Some(template) = operation.location.as_ref().filter(|_| !is_old) {
        let location = location(template, value);
        response.headers_mut().insert(header::LOCATION, HeaderValue::try_from(location).map_err(ApiError::internal)?);
    }
    Ok(response)
}

/// The file of the answer's data URL. It depends on who asks, so that no cache that others use may keep it.
fn served(file: &File, value: &Value) -> Option<Response> {
    let Value::Object(fields) = value else { return None };
    let Some(Value::String(url)) = fields.get(file.field.as_str()) else { return None };
    let (media_type, content) = url.strip_prefix("data:")?.split_once(";base64,")?;
    let media_type = HeaderValue::try_from(file.media_types.iter().find(|known| *known == media_type)?).ok()?;
    let headers = [(header::CONTENT_TYPE, media_type), (header::CACHE_CONTROL, HeaderValue::from_static("private"))];
    Some((headers, STANDARD.decode(content).ok()?).into_response())
}

/// Where the created resource is found.
fn location(template: &str, value: &Value) -> String {
    let mut location = template.to_owned();
    for name in parameters(template) {
        let mut found = Some(value);
        for part in name.split('.') {
            found = found.and_then(|value| match value {
                Value::Object(fields) => fields.get(part),
                _ => None,
            });
        }
        if let Some(Value::String(text)) = found {
            location = location.replace(&format!("{{{name}}}"), text);
        }
    }
    location
}
