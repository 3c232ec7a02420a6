//! GraphQL types of errors of one of several operations.

use async_graphql::SimpleObject;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{
    base::error::{ApiError, Code, Violation},
    graphql::{directives::example, scalars::count},
};

/// Why one of several operations failed.
#[derive(SimpleObject, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ErrorPayload {
    /// Kind of the error.
    #[graphql(directive = example::apply("\"VALIDATION_ERROR\"".into()))]
    pub(crate) code: Code,
    /// For a person.
    #[graphql(directive = example::apply("Invalid request payload".into()))]
    pub(crate) message: String,
    /// The broken rules; empty for any other code than `VALIDATION_ERROR`.
    pub(crate) validation_errors: Vec<ViolationPayload>,
    /// More for a program, as in the `details` of a single call; null when the code documents nothing more.
    pub(crate) details: Option<ErrorDetailsPayload>,
}

/// Details of an error beside its message, as its code documents them. A field that the code does not have is null.
#[derive(SimpleObject, Debug, Serialize, Deserialize)]
pub(crate) struct ErrorDetailsPayload {
    /// With `CONFLICT` and `NOT_FOUND`: the field whose value is taken or unknown.
    #[graphql(directive = example::apply("slug".into()))]
    pub(crate) path: Option<String>,
    /// With `PLAN_LIMIT_REACHED`: how many the plan allows.
    #[graphql(directive = example::apply("1000".into()))]
    pub(crate) limit: Option<i32>,
    /// With `PLAN_LIMIT_REACHED`: how many the account has.
    #[graphql(directive = example::apply("1000".into()))]
    pub(crate) used: Option<i32>,
    /// With `PLAN_LIMIT_REACHED`: what is limited.
    #[graphql(directive = example::apply("links".into()))]
    pub(crate) resource: Option<String>,
}

/// One broken rule.
#[derive(SimpleObject, Debug, Serialize, Deserialize)]
pub(crate) struct ViolationPayload {
    /// The field, as the caller wrote it.
    #[graphql(directive = example::apply("destinationUrl".into()))]
    pub(crate) path: String,
    /// Why it is refused.
    #[graphql(directive = example::apply("is not a valid URL".into()))]
    pub(crate) message: String,
}

impl From<ApiError> for ErrorPayload {
    fn from(error: ApiError) -> Self {
        ErrorPayload {
            code: error.code,
            message: error.message.into_owned(),
            validation_errors: error
                .violations
                .into_iter()
                .map(|Violation { path, message }| ViolationPayload { path, message })
                .collect(),
            details: error.details.map(|details| ErrorDetailsPayload::from(&*details)),
        }
    }
}

impl From<&Json> for ErrorDetailsPayload {
    fn from(details: &Json) -> Self {
        let text = |name: &str| details[name].as_str().map(str::to_owned);
        let number = |name: &str| details[name].as_i64().map(count);
        ErrorDetailsPayload {
            path: text("path"),
            limit: number("limit"),
            used: number("used"),
            resource: text("resource"),
        }
    }
}
