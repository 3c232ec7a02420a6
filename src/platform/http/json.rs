//! JSON of requests.

use std::fmt::{self, Formatter};

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value as Json};

use crate::base::error::{ApiError, Code};

/// Characters of a name that a refusal repeats.
const MAX_SHOWN: usize = 64;

/// Reads a JSON object. Of names that stand twice in one object, readers of JSON take different ones (RFC 8259 §4): these are refused,
/// since what is read might not be what was meant.
pub(crate) fn object(bytes: &[u8]) -> Result<Map<String, Json>, ApiError> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let read = Distinct.deserialize(&mut deserializer).and_then(|json| deserializer.end().map(|()| json));
    match read {
        Ok(Json::Object(object)) => Ok(object),
        Ok(_) => Err(ApiError::new(Code::BadRequest, "The request body must be a JSON object.")),
        Err(error) => Err(ApiError::new(Code::BadRequest, format!("The request body is not JSON: {error}."))),
    }
}

/// A JSON value whose objects have each name once.
struct Distinct;

impl<'de> DeserializeSeed<'de> for Distinct {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Distinct {
    type Value = Json;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: Error>(self, boolean: bool) -> Result<Json, E> {
        Ok(Json::Bool(boolean))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Json, E> {
        Ok(number.into())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Json, E> {
        Ok(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Json, E> {
        Ok(Number::from_f64(number).map_or(Json::Null, Json::Number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Json, E> {
        Ok(text.into())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Json, E> {
        Ok(Json::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Distinct)? {
            list.push(item);
        }
        Ok(Json::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut object = Map::new();
        while let Some(name) = entries.next_key::<String>()? {
            if object.contains_key(&name) {
                let shown: String = name.chars().take(MAX_SHOWN).collect();
                return Err(A::Error::custom(format_args!("the name {shown:?} stands twice in one object")));
            }
            object.insert(name, entries.next_value_seed(Distinct)?);
        }
        Ok(Json::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_refusal_says_where() {
        for (text, message) in [
            ("", "The request body is not JSON: EOF while parsing a value at line 1 column 0."),
            ("{\n  \"a\": 1,\n}", "The request body is not JSON: trailing comma at line 3 column 1."),
            (
                r#"{"a": 1, "b": {"c": 2, "c": 3}}"#,
                r#"The request body is not JSON: the name "c" stands twice in one object at line 1 column 26."#,
            ),
            (
                r#"{"a":1,"\u0061":1}"#,
                r#"The request body is not JSON: the name "a" stands twice in one object at line 1 column 15."#,
            ),
            ("{} {}", "The request body is not JSON: trailing characters at line 1 column 4."),
            ("[]", "The request body must be a JSON object."),
        ] {
            assert_eq!(object(text.as_bytes()).unwrap_err().message, message, "{text}");
        }
        assert!(object("[".repeat(1_000).as_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn all_else_is_as_serde_json_reads_it(text in r#"\{("[ab]":([-0-9.e]{1,4}|"\PC{0,2}"|true|null|\[1,\{"c":2\}\]),?){0,3}\}"#) {
            let expected: Result<Map<String, Json>, _> = serde_json::from_str(&text);
            match (object(text.as_bytes()), expected) {
                (Ok(read), Ok(expected)) => prop_assert_eq!(read, expected),
                (Err(error), Ok(_)) => prop_assert!(error.message.contains("stands twice"), "{text}: {error:?}"),
                (Ok(_), Err(error)) => prop_assert!(false, "{text}: {error}"),
                (Err(_), Err(_)) => {}
            }
        }
    }
}
