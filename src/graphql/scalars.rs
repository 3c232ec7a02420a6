//! Custom scalars.

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use chrono_tz::Tz;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::base::clock::{UnixMillis, parse_rfc3339, rfc3339};

/// A moment, as the API writes it. The default, 1970, is that of a field which a stored answer lacks, since resources got it later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Timestamp(pub(crate) UnixMillis);

/// A moment: RFC 3339 in UTC with milliseconds, such as `2026-11-20T14:33:38.125Z`. Any offset is accepted as input.
#[Scalar(name = "DateTime", specified_by_url = "https://www.rfc-editor.org/rfc/rfc3339")]
impl ScalarType for Timestamp {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::String(text) => parse_rfc3339(text)
                .map(Timestamp)
                .ok_or_else(|| InputValueError::custom("not an RFC 3339 date and time")),
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(rfc3339(self.0))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&rfc3339(self.0))
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse_rfc3339(&text).map(Timestamp).ok_or_else(|| D::Error::custom("not an RFC 3339 date and time"))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TimeZone(pub(crate) Tz);

/// A time zone by its name in the IANA database, such as `Europe/Zurich`.
#[Scalar(name = "TimeZone", specified_by_url = "https://www.iana.org/time-zones")]
impl ScalarType for TimeZone {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::String(text) => {
                text.parse().map(TimeZone).map_err(|_| InputValueError::custom("not the name of a time zone"))
            }
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.name().to_owned())
    }
}

/// A count as GraphQL's 32-bit `Int`; what does not fit is shown as the largest.
pub(crate) fn count(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
