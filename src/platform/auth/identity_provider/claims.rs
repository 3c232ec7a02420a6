//! What an identity provider says of a user beyond the standard's claims.

use openidconnect::AdditionalClaims;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Claims that are not of the standard: groups are among them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Others(pub(super) Map<String, Value>);

impl AdditionalClaims for Others {}

/// The value of this name; else, with its dots taken as ways into objects, of this path.
pub(super) fn value_at<'a>(claims: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    claims.get(path).or_else(|| {
        let (first, rest) = path.split_once('.')?;
        value_at(claims.get(first)?.as_object()?, rest)
    })
}

/// One text, or a list of them.
pub(super) fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(values) => values.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn groups_are_found_by_name_and_by_path() {
        let claims = json!({
            "groups": ["a", 7, "b"], "realm_access": { "roles": ["c"] }, "https://acme.example/role": "d", "none": {}
        });
        let claims = claims.as_object().unwrap();
        for (path, expected) in [
            ("groups", &["a", "b"][..]),
            ("realm_access.roles", &["c"]),
            ("https://acme.example/role", &["d"]),
            ("none", &[]),
        ] {
            assert_eq!(texts(value_at(claims, path).unwrap()), expected, "{path}");
        }
        assert!(value_at(claims, "groups.a").is_none() && value_at(claims, "realm_access.x").is_none());
    }
}
