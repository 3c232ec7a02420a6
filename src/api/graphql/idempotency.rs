//! Idempotency keys of GraphQL requests, and the form in which requests of both entry points are compared.

use std::{collections::BTreeMap, sync::Arc};

use async_graphql::{
    Response, Value,
    parser::types::{Field, OperationDefinition, Selection, SelectionSet},
};
use serde_json::{Value as Json, json};

use super::merge::argument;
use crate::{
    base::error::ApiError,
    contract::{Contract, OperationKind},
    platform::{
        auth::caller::Call,
        idempotency::{key::IdempotencyKey, once::Once},
    },
};

/// Where a request has its key.
const NAME: &str = "extensions.idempotencyKey";
/// The extension that marks a replayed response.
const REPLAYED: &str = "idempotencyReplayed";

/// The request of a merged operation with its idempotency key. `None`: it has no key. Fails unless the operation is a single
/// field that supports keys: the caller would rely on a protection that does not exist.
pub(crate) fn once(
    contract: &Contract,
    key: Option<Json>,
    operation: &OperationDefinition,
    call: &Call,
) -> Result<Option<Arc<Once>>, ApiError> {
    let Some(key) = key else { return Ok(None) };
    let Json::String(text) = key else { return Err(ApiError::invalid_field(NAME, "must be text")) };
    let key = IdempotencyKey::parse(&text).map_err(|reason| ApiError::invalid_field(NAME, reason))?;
    let kind = OperationKind::from(operation.ty);
    let roots = &operation.selection_set.node;
    let takes_key = match &roots.items[..] {
        [root] => match &root.node {
            Selection::Field(field) => {
                contract.operation(kind, &field.node.name.node).is_some_and(|known| known.is_idempotent)
            }
            Selection::InlineFragment(_) | Selection::FragmentSpread(_) => false,
        },
        _ => false,
    };
    if !takes_key {
        let message = "is for a request with one root field, which has the directive @idempotent";
        return Err(ApiError::invalid_field(NAME, message));
    }
    Ok(Some(Arc::new(Once::new(call, key, NAME, &json!(["GraphQL", selected(roots)]))?)))
}

/// Marks a response that is replayed.
pub(crate) fn mark(response: &mut Response, once: Option<&Once>) {
    if once.is_some_and(Once::is_replayed) {
        response.extensions.insert(REPLAYED.to_owned(), Value::Boolean(true));
    }
}

/// The selected fields, in the order of the answer.
fn selected(selection: &SelectionSet) -> Json {
    let items = selection.items.iter().map(|item| match &item.node {
        Selection::Field(field) => of_field(&field.node),
        Selection::InlineFragment(fragment) => {
            let condition = fragment.node.type_condition.as_ref();
            let on = condition.map(|condition| condition.node.on.node.to_string());
            json!({ "on": on, "selected": selected(&fragment.node.selection_set.node) })
        }
        // A merged operation has none.
        Selection::FragmentSpread(spread) => json!({ "spread": spread.node.fragment_name.node.to_string() }),
    });
    Json::Array(items.collect())
}

fn of_field(field: &Field) -> Json {
    let arguments: BTreeMap<&str, Json> = field
        .arguments
        .iter()
        .map(|(name, _)| (name.node.as_str(), argument(field, &name.node).as_ref().map_or(Json::Null, canonical)))
        .collect();
    json!({
        "key": field.response_key().node.to_string(),
        "name": field.name.node.to_string(),
        "arguments": arguments,
        "selected": selected(&field.selection_set.node),
    })
}

/// The value as JSON in which the fields of objects stand in the order of their names.
pub(crate) fn canonical(value: &Value) -> Json {
    match value {
        Value::Object(fields) => {
            let fields: BTreeMap<&str, Json> =
                fields.iter().map(|(name, value)| (name.as_str(), canonical(value))).collect();
            json!(fields)
        }
        Value::List(items) => Json::Array(items.iter().map(canonical).collect()),
        leaf => json!(leaf),
    }
}
