//! The one table of error codes: what a client sees over REST and in GraphQL's `extensions`.
//!
//! [`ApiError`] has no `Display` on purpose: async-graphql would send any `Display` error's text to the client.

use std::{borrow::Cow, sync::Arc};

use async_graphql::Enum;
use axum::http::StatusCode;
use sea_orm::{DbErr, RuntimeErr, sqlx};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

macro_rules! codes {
    ($($name:ident $text:literal $status:ident $message:literal $when:literal)*) => {
        /// Kind of an error, for programs: the text of `extensions.code` in GraphQL's errors and of `error.code` in REST's.
        #[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[graphql(name = "ErrorCode")]
        #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
        pub enum Code {$(
            #[doc = $when]
            $name,
        )*}

        impl Code {
            /// All codes, in the order of the documentation.
            pub(crate) const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The code as clients see it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }

            /// The status of a REST answer with this code.
            pub(crate) const fn status(self) -> StatusCode {
                match self { $(Code::$name => StatusCode::$status,)* }
            }

            /// The message when there is nothing more precise to say.
            pub(crate) const fn message(self) -> &'static str {
                match self { $(Code::$name => $message,)* }
            }

            /// When it occurs, for the documentation.
            pub(crate) const fn when(self) -> &'static str {
                match self { $(Code::$name => $when,)* }
            }
        }
    };
}

codes! {
    ValidationError "VALIDATION_ERROR" BAD_REQUEST "Invalid request payload"
        "A field, query parameter or path value is missing, of the wrong type, or breaks a rule; the violations are listed, at most 50 of them."
    BadRequest "BAD_REQUEST" BAD_REQUEST "The request body is not a JSON object."
        "The body is not JSON, or not an object."
    Unauthenticated "UNAUTHENTICATED" UNAUTHORIZED "A valid credential is required."
        "The credential is absent, malformed, unknown, expired or revoked, or of a kind that is not taken here."
    InvalidCredentials "INVALID_CREDENTIALS" UNAUTHORIZED "The e-mail address or the password is wrong."
        "The e-mail address is unknown or the password is wrong; the two look the same."
    SecondFactorRequired "SECOND_FACTOR_REQUIRED" UNAUTHORIZED "A second factor is needed, too."
        "The password is right, and the user has a second factor; `details.factors` says which: `TOTP`, `PASSKEY`. `details.challenge` and a code make a login, by `confirmSecondFactor`, or the challenge and a passkey, by `startPasskeyLogin`."
    Forbidden "FORBIDDEN" FORBIDDEN "Missing required scope."
        "The API key, or the member's role, lacks a scope, which `details.scope` names; or only a user may, and `details.credential` is `USER`; or `details.reason` is `ACCOUNT_SUSPENDED`, `REGISTRATION_CLOSED`, `ORIGIN_NOT_ALLOWED`, `PROOF_REQUIRED`, `OTHER_ADDRESS`, `PASSWORD_LOGIN_OFF`, `PASSKEYS_OFF`, `NETWORK_NOT_ALLOWED` or `PASSWORD_REQUIRED`."
    PlanLimitReached "PLAN_LIMIT_REACHED" FORBIDDEN "The plan's limit is reached."
        "The account's plan allows no more of this resource; `details` has `limit`, `used` and `resource`."
    NotFound "NOT_FOUND" NOT_FOUND "There is no such resource."
        "The path is unknown, or the resource does not exist or belongs to another account."
    MethodNotAllowed "METHOD_NOT_ALLOWED" METHOD_NOT_ALLOWED "This path does not take that method."
        "The path exists, but not with this method; `Allow` lists those that do."
    Conflict "CONFLICT" CONFLICT "The value is taken."
        "A slug, domain, subdomain or e-mail address is taken; `details.path` names the field. Or a request with the same idempotency key, which `details.path` names then, is being executed; `Retry-After` says in how many seconds to come back."
    IdempotencyKeyReused "IDEMPOTENCY_KEY_REUSED" UNPROCESSABLE_ENTITY "The idempotency key belongs to another request."
        "The idempotency key was sent with another request, or by another credential of the account, in the last 24 hours; `details.path` names the key."
    RangeTooLarge "RANGE_TOO_LARGE" UNPROCESSABLE_ENTITY "The range has too many clicks."
        "An answer that reads single clicks would have to read too many of them; `details.limit` says how many it reads at most. A shorter range has fewer."
    PreconditionFailed "PRECONDITION_FAILED" PRECONDITION_FAILED "The resource was changed meanwhile."
        "The resource is not as `If-Match` or `expectedUpdatedAt` expects it: it was changed after the caller read it. Nothing was changed."
    PayloadTooLarge "PAYLOAD_TOO_LARGE" PAYLOAD_TOO_LARGE "The request body is larger than 256 KiB."
        "The body is larger than 256 KiB, or a file in its place is larger than the operation says."
    UnsupportedMediaType "UNSUPPORTED_MEDIA_TYPE" UNSUPPORTED_MEDIA_TYPE "The request body must be application/json."
        "The body is not `application/json`."
    RateLimited "RATE_LIMITED" TOO_MANY_REQUESTS "Too many requests."
        "Too many requests; `Retry-After` says in how many seconds to come back."
    InternalError "INTERNAL_ERROR" INTERNAL_SERVER_ERROR "Something went wrong on our side."
        "A fault of ours; it is logged with the request id."
    Unavailable "UNAVAILABLE" SERVICE_UNAVAILABLE "The service is overloaded or a store it needs is down."
        "A store is down or overloaded; `Retry-After` says in how many seconds to come back."
    GraphqlParseFailed "GRAPHQL_PARSE_FAILED" BAD_REQUEST "The document is not valid GraphQL."
        "GraphQL only: the document has a syntax error."
    GraphqlValidationFailed "GRAPHQL_VALIDATION_FAILED" BAD_REQUEST "The document does not fit the schema."
        "GraphQL only: the document or its variables do not fit the schema."
    PersistedQueryNotSupported "PERSISTED_QUERY_NOT_SUPPORTED" BAD_REQUEST "PersistedQueryNotSupported"
        "GraphQL only: the request names its document by a hash; send the document."
    QueryTooComplex "QUERY_TOO_COMPLEX" BAD_REQUEST "The document exceeds a limit."
        "GraphQL only: the document exceeds a limit; `details` has `limit` and `max`."
}

impl Code {
    pub(crate) fn parse(text: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.as_str() == text)
    }
}

/// Why something is forbidden whatever the caller's scopes.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Reason {
    /// The operator has suspended the account.
    AccountSuspended,
    /// Only the operator makes accounts.
    RegistrationClosed,
    /// Pages of this origin may not open sockets.
    OriginNotAllowed,
    /// The user has to prove again to be the user.
    ProofRequired,
    /// An invitation is to another e-mail address than the user's.
    OtherAddress,
    /// Users sign in by the company's identity provider alone.
    PasswordLoginOff,
    /// The service's host is an address, for which browsers have no passkeys.
    PasskeysOff,
    /// The API key may not be used from the client's address.
    NetworkNotAllowed,
    /// The page asks for a password.
    PasswordRequired,
}

/// One broken rule of the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Violation {
    /// The field as the caller wrote it: `destinationUrl`, `scopes.1`, `pageSize`.
    pub(crate) path: String,
    /// Why it is refused.
    pub(crate) message: String,
}

/// Broken rules that one answer lists: a body of 256 KiB can break 60,000, and a caller mends a few at a time.
pub(crate) const MAX_VIOLATIONS: usize = 50;

/// Collects the broken rules of a request, so that one answer tells them all; the first 50 are listed, the rest counted.
#[derive(Debug, Default)]
pub(crate) struct Violations {
    listed: Vec<Violation>,
    /// Broken rules beyond those that are listed.
    more: usize,
}

impl Violations {
    pub(crate) fn add(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.add_with(|| (path.into(), message.into()));
    }

    /// Adds one whose path and message are made only if it is listed.
    pub(crate) fn add_with(&mut self, violation: impl FnOnce() -> (String, String)) {
        if self.listed.len() < MAX_VIOLATIONS {
            let (path, message) = violation();
            self.listed.push(Violation { path, message });
        } else {
            self.more += 1;
        }
    }

    /// The parsed value. `None`: the reason is added to the broken rules.
    pub(crate) fn take<T>(&mut self, path: &str, parsed: Result<T, impl Into<String>>) -> Option<T> {
        parsed.map_err(|reason| self.add(path, reason)).ok()
    }

    /// Whether no rule was broken so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// Fails if any rule was broken.
    pub(crate) fn finish(self) -> Result<(), ApiError> {
        if self.is_empty() { Ok(()) } else { Err(self.into_error()) }
    }

    /// The error, when a value that [`take`](Self::take) refused turns out to be needed. The last violation that is
    /// listed says how many are not.
    pub(crate) fn into_error(mut self) -> ApiError {
        if self.more > 0
            && let Some(last) = self.listed.last_mut()
        {
            last.message.push_str(&format!("; {} more violations are not listed", self.more));
        }
        ApiError::invalid(self.listed)
    }
}

/// The error of a request, as it is disclosed to the client.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// Which row of the table.
    pub code: Code,
    /// For a person.
    pub message: Cow<'static, str>,
    /// For a program; what it holds depends on the code.
    pub(crate) details: Option<Box<Json>>,
    /// The broken rules, with [`Code::ValidationError`].
    pub(crate) violations: Vec<Violation>,
    /// Whole seconds to wait, at least 1.
    pub(crate) retry_after: Option<u64>,
}

impl From<Code> for ApiError {
    fn from(code: Code) -> Self {
        ApiError { code, message: code.message().into(), details: None, violations: Vec::new(), retry_after: None }
    }
}

impl ApiError {
    /// An error with its own message.
    pub(crate) fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        ApiError { message: message.into(), ..code.into() }
    }

    /// Adds details for programs.
    #[must_use]
    pub(crate) fn with_details(self, details: Json) -> Self {
        ApiError { details: Some(Box::new(details)), ..self }
    }

    /// The error FORBIDDEN for a reason other than a missing scope.
    pub(crate) fn forbidden(reason: Reason, message: &'static str) -> Self {
        ApiError::new(Code::Forbidden, message).with_details(json!({ "reason": reason }))
    }

    /// The account's plan allows no more of this resource.
    pub(crate) fn plan_limit(limit: i64, used: i64, resource: &'static str) -> Self {
        ApiError::from(Code::PlanLimitReached)
            .with_details(json!({ "limit": limit, "used": used, "resource": resource }))
    }

    /// The request breaks these rules.
    fn invalid(violations: Vec<Violation>) -> Self {
        ApiError { violations, ..Code::ValidationError.into() }
    }

    /// The request breaks one rule.
    pub(crate) fn invalid_field(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::invalid(vec![Violation { path: path.into(), message: message.into() }])
    }

    /// A value that must be unique is taken.
    pub(crate) fn conflict(path: &'static str, message: &'static str) -> Self {
        ApiError::new(Code::Conflict, message).with_details(json!({ "path": path }))
    }

    /// The error RATE_LIMITED with the seconds to wait (at least one).
    pub(crate) fn rate_limited(retry_after: u64) -> Self {
        ApiError { retry_after: Some(retry_after.max(1)), ..Code::RateLimited.into() }
    }

    /// A needed store is down or overloaded.
    pub(crate) fn unavailable() -> Self {
        ApiError { retry_after: Some(1), ..Code::Unavailable.into() }
    }

    /// A fault of ours: logs the cause here, within the request's span, and tells the client nothing of it.
    pub(crate) fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(%cause, "Internal error");
        Code::InternalError.into()
    }

    /// Whether this is why it is forbidden.
    pub(crate) fn has_reason(&self, reason: Reason) -> bool {
        self.details.as_deref().is_some_and(|details| details["reason"] == json!(reason))
    }

    /// `details` of the error: the broken rules, or what the code documents.
    pub(crate) fn details(&self) -> Option<Json> {
        if self.violations.is_empty() {
            self.details.as_deref().cloned()
        } else {
            Some(json!({ "validationErrors": self.violations }))
        }
    }
}

impl From<DbErr> for ApiError {
    fn from(error: DbErr) -> Self {
        if is_outage(&error) {
            tracing::warn!(cause = %error, "The database is not available");
            ApiError::unavailable()
        } else {
            ApiError::internal(error)
        }
    }
}

/// Whether trying again later may help: the store is away or overloaded, and nothing is wrong with the statement.
fn is_outage(error: &DbErr) -> bool {
    match error {
        DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => true,
        DbErr::Exec(RuntimeErr::SqlxError(cause)) | DbErr::Query(RuntimeErr::SqlxError(cause)) => match &**cause {
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed => true,
            // SQLite: busy, locked, no memory, read-only, interrupted, I/O error, damaged, full, can't open, no database.
            // PostgreSQL: class 08 connection, 40 serialization and deadlock, 53 out of resources, 57 intervention
            // (shutdown, statement timeout), 58 I/O error; 25006 is a server that became a standby, 25P03 a transaction that
            // paused, 55P03 a lock that others have, XX001 and XX002 damage.
            sqlx::Error::Database(_) => database_code(error).is_some_and(|code| match code.parse::<u32>() {
                Ok(number) if code.len() < 5 => matches!(number & 0xff, 5..=11 | 13 | 14 | 26),
                _ => ["08", "25006", "25P03", "40", "53", "55P03", "57", "58", "XX001", "XX002"]
                    .iter()
                    .any(|class| code.starts_with(class)),
            }),
            _ => false,
        },
        _ => false,
    }
}

/// The code of an error that the database itself answered: SQLite's extended result code as a decimal number, or PostgreSQL's
/// SQLSTATE. `None` for any other error.
pub(crate) fn database_code(error: &DbErr) -> Option<Cow<'_, str>> {
    match error {
        DbErr::Exec(RuntimeErr::SqlxError(cause)) | DbErr::Query(RuntimeErr::SqlxError(cause)) => match &**cause {
            sqlx::Error::Database(cause) => cause.code(),
            _ => None,
        },
        _ => None,
    }
}

impl From<ApiError> for async_graphql::Error {
    fn from(error: ApiError) -> Self {
        let mut extensions = async_graphql::ErrorExtensionValues::default();
        set_extensions(&mut extensions, &error);
        async_graphql::Error {
            message: error.message.clone().into_owned(),
            source: Some(Arc::new(error)),
            extensions: Some(extensions),
        }
    }
}

/// Writes the error's code and details into GraphQL's `extensions`.
pub(crate) fn set_extensions(extensions: &mut async_graphql::ErrorExtensionValues, error: &ApiError) {
    extensions.set("code", error.code.as_str());
    if !error.violations.is_empty() {
        if let Ok(violations) = async_graphql::to_value(&error.violations) {
            extensions.set("validationErrors", violations);
        }
    } else if let Some(details) = &error.details
        && let Ok(details) = async_graphql::Value::from_json((**details).clone())
    {
        extensions.set("details", details);
    }
    if let Some(seconds) = error.retry_after {
        extensions.set("retryAfter", seconds);
    }
}

/// An error with its causes in one line. Many libraries write an error's cause into its own text as well: it is said once.
pub(crate) fn in_one_line(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if line.is_empty() {
            line = cause;
        } else if !line.contains(&cause) {
            line = format!("{line}: {cause}");
        }
    }
    line.replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;
    use async_graphql::resolver_utils::EnumType;

    use super::*;

    #[test]
    fn a_code_is_the_same_text_as_a_value_and_in_an_error() {
        let values: Vec<&str> = Code::items().iter().map(|item| item.name).collect();
        let texts: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(values, texts);
        let stored: Vec<Json> = Code::ALL.iter().map(|code| json!(code)).collect();
        assert_eq!(stored, texts);
    }

    #[test]
    fn a_cause_is_said_once() {
        let database = DbErr::Conn(RuntimeErr::SqlxError(sqlx::Error::Io(std::io::Error::other("it is\naway")).into()));
        let error = anyhow::Error::from(database).context("DATABASE_URL: can't connect");
        let line = "DATABASE_URL: can't connect: Connection Error: error communicating with database: it is away";
        assert_eq!(in_one_line(&error), line);
        assert_eq!(in_one_line(&anyhow!("second").context("first")), "first: second");
    }
}
