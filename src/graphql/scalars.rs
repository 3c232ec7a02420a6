//! Custom scalars.

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use chrono::{DateTime, SecondsFormat, Utc};

use crate::clock::Millis;

/// A moment, as the API writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timestamp(pub Millis);

/// A moment: RFC 3339 in UTC with milliseconds, such as `2026-11-20T14:33:38.125Z`. Any offset is accepted as input.
#[Scalar(name = "DateTime", specified_by_url = "https://scalars.graphql.org/andimarek/date-time.html")]
impl ScalarType for Timestamp {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::String(text) => {
                Timestamp::parse_rfc3339(text).ok_or_else(|| InputValueError::custom("not an RFC 3339 date and time"))
            }
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.to_string())
    }
}

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let time = DateTime::<Utc>::from_timestamp_millis(self.0).unwrap_or_default();
        f.write_str(&time.to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

impl Timestamp {
    /// Reads RFC 3339 text.
    pub fn parse_rfc3339(text: &str) -> Option<Self> {
        DateTime::parse_from_rfc3339(text).ok().map(|time| Timestamp(time.timestamp_millis()))
    }
}

/// A count as GraphQL's 32-bit `Int`; what does not fit is shown as the largest.
pub fn count(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
