//! References to components.

use serde_json::{Value as Json, json};

/// A reference to a component of a kind, such as `schemas`.
pub(super) fn reference(kind: &str, name: &str) -> Json {
    json!({ "$ref": format!("#/components/{kind}/{name}") })
}
