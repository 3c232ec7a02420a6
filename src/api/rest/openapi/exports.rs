//! Exports: the operation's request, and a file.

use serde_json::{Map, Value as Json, json};

use super::{
    operations::{access_text, describe as describe_operation, fields_parameter, operation_id},
    reference::reference,
    schemas::Schemas,
};
use crate::{
    api::rest::{
        export::{head, written},
        format::Format,
        operation::Export,
    },
    graphql::rows::Row,
};

pub(super) fn describe(schemas: &mut Schemas<'_>, export: &Export) -> Json {
    let Export { operation, columns } = export;
    let name = &operation.field.name;
    let mut names: Vec<_> =
        columns.iter().map(|column| column.split('.').next().unwrap_or_default().to_owned()).collect();
    names.dedup();
    let mut described = describe_operation(schemas, operation);
    described["operationId"] = format!("{}Export", operation_id(operation)).into();
    described["summary"] = format!("Export of all that `{name}` pages through").into();
    described["description"] = format!(
        "All items that `{name}` pages through, in its order, as a file that is streamed: what happens meanwhile may be in \
         it or not. A file that can't be completed is broken off, which a client sees as a body that does not end. Fails with \
         NOT_FOUND as `{name}` does, and with RATE_LIMITED while other exports of the account are under way.\n\n{}",
        access_text(operation)
    )
    .into();
    if let Some(parameters) = described["parameters"].as_array_mut() {
        parameters.push(fields_parameter(&names));
    }
    let example = schemas.example_of_items(&operation.field.ty, operation.entity.as_deref().unwrap_or_default());
    let row: Row = names.iter().map(|name| (name.clone(), example[name].clone())).collect();
    let content = Format::ALL.map(|format| {
        let media_type = format.content_type().split(';').next().unwrap_or_default();
        let example = head(columns, format) + &written(std::slice::from_ref(&row), columns, format);
        (media_type.to_owned(), json!({ "schema": { "type": "string" }, "example": example }))
    });
    let content: Map<String, Json> = content.into_iter().collect();
    described["responses"]["200"] = json!({
        "description": "The file",
        "headers": {
            "X-Request-Id": reference("headers", "RequestId"),
            "RateLimit-Policy": reference("headers", "RateLimitPolicy"),
            "RateLimit": reference("headers", "RateLimit"),
            "Content-Disposition": { "description": "Name of the file.", "schema": { "type": "string" } }
        },
        "content": content
    });
    described
}
