//! Why a request is not executed.

use async_graphql::{ErrorExtensionValues, Pos, ServerError};

use crate::{
    edge::RequestId,
    error::{ApiError, Code, set_extensions},
};

/// Mistakes of a document that are told at once; a few kilobytes can have thousands.
pub const MAX_ERRORS: usize = 50;

/// Characters of a message, which may repeat the caller's text.
const MAX_MESSAGE: usize = 300;

/// Why nothing is executed.
#[derive(Debug)]
pub enum Rejection {
    /// The request is refused.
    Refused(ApiError),
    /// The document, or its variables, break rules of GraphQL.
    Invalid(Vec<ServerError>),
}

impl From<ApiError> for Rejection {
    fn from(error: ApiError) -> Self {
        Rejection::Refused(error)
    }
}

/// The error as GraphQL writes it.
pub fn server_error(error: &ApiError) -> ServerError {
    let mut extensions = ErrorExtensionValues::default();
    set_extensions(&mut extensions, error);
    let mut graphql = ServerError::new(error.message.clone(), None);
    graphql.extensions = Some(extensions);
    graphql
}

/// A mistake of a document as GraphQL writes it, from a message that may repeat the caller's text.
pub fn mistake(message: &str, place: Option<Pos>) -> ServerError {
    let mut message = match message.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.to_owned(),
    };
    if let Some(first) = message.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    ServerError::new(message, place)
}

/// Gives every error its code and the request id.
pub fn complete(errors: &mut [ServerError], request_id: &RequestId) {
    for error in errors {
        let extensions = error.extensions.get_or_insert_default();
        if extensions.get("code").is_none() {
            extensions.set("code", Code::GraphqlValidationFailed.as_str());
        }
        extensions.set("requestId", request_id.as_str());
    }
}

/// The same of a request that was not executed. The last mistake that is told says how many are not.
pub fn complete_refusal(errors: &mut Vec<ServerError>, request_id: &RequestId) {
    let more = errors.len().saturating_sub(MAX_ERRORS);
    errors.truncate(MAX_ERRORS);
    if more > 0
        && let Some(last) = errors.last_mut()
    {
        last.message.push_str(&format!(" ({more} more mistakes are not listed)"));
    }
    complete(errors, request_id);
}
