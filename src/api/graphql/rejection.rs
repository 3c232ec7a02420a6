//! Why a request is not executed.

use std::fmt::{self, Display, Write};

use async_graphql::{ErrorExtensionValues, Pos, ServerError};

use super::field_errors;
use crate::{
    base::error::{ApiError, Code, set_extensions},
    platform::http::edge::RequestId,
};

/// Mistakes of a document that a response lists at most; a few kilobytes can have thousands.
pub(crate) const MAX_ERRORS: usize = 50;

/// Characters of a message, which may repeat the caller's text.
const MAX_MESSAGE: usize = 300;

/// The reason why a request is not executed.
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
pub(crate) fn server_error(error: &ApiError) -> ServerError {
    let mut extensions = ErrorExtensionValues::default();
    set_extensions(&mut extensions, error);
    let mut graphql = ServerError::new(error.message.clone(), None);
    graphql.extensions = Some(extensions);
    graphql
}

/// A mistake of a document as GraphQL writes it, from a message that may repeat the caller's text.
pub(crate) fn mistake(message: impl Display, place: Option<Pos>) -> ServerError {
    let mut beginning = Beginning { text: String::new(), left: MAX_MESSAGE };
    if write!(beginning, "{message}").is_err() {
        beginning.text.push('…');
    }
    let mut message = beginning.text;
    if let Some(first) = message.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    ServerError::new(message, place)
}

/// Takes the first characters of a text while it is written, and then fails, so that a name of 200 kB is not copied into each of
/// 2,000 messages.
struct Beginning {
    text: String,
    /// Characters left to take.
    left: usize,
}

impl Write for Beginning {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        match part.char_indices().nth(self.left) {
            Some((end, _)) => {
                self.text.push_str(&part[..end]);
                self.left = 0;
                Err(fmt::Error)
            }
            None => {
                self.text.push_str(part);
                self.left -= part.chars().count();
                Ok(())
            }
        }
    }
}

/// Gives every error its path, its code and the request id.
pub(crate) fn complete(errors: &mut [ServerError], request_id: &RequestId) {
    for error in errors {
        field_errors::restore(error);
        let extensions = error.extensions.get_or_insert_default();
        if extensions.get("code").is_none() {
            extensions.set("code", Code::GraphqlValidationFailed.as_str());
        }
        extensions.set("requestId", request_id.as_str());
    }
}

/// Does the same for a request that was not executed, and lists at most [`MAX_ERRORS`]; the last one says how many more there
/// are.
pub(crate) fn complete_refusal(errors: &mut Vec<ServerError>, request_id: &RequestId) {
    let more = errors.len().saturating_sub(MAX_ERRORS);
    errors.truncate(MAX_ERRORS);
    if more > 0
        && let Some(last) = errors.last_mut()
    {
        last.message.push_str(&format!(" ({more} more mistakes are not listed)"));
    }
    complete(errors, request_id);
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// A text of 1,000 parts, which counts the parts that are written.
    struct Parts(Cell<usize>);

    impl Display for Parts {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            (0..1_000).try_for_each(|_| {
                self.0.set(self.0.get() + 1);
                formatter.write_str("ä")
            })
        }
    }

    #[test]
    fn a_long_message_is_written_to_its_limit() {
        let parts = Parts(Cell::new(0));
        assert_eq!(mistake(&parts, None).message, "ä".repeat(MAX_MESSAGE) + "…");
        assert_eq!(parts.0.get(), MAX_MESSAGE + 1);
        let whole = "é".repeat(MAX_MESSAGE);
        assert_eq!(mistake(&whole, None).message, whole);
        assert_eq!(mistake("the field", None).message, "The field");
    }
}
