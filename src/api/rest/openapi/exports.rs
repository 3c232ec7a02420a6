//! Exports: the operation's request, and a file.

use serde_json::{Value as Json, json};

use super::{
    operations::{access_text, describe as describe_operation, operation_id},
    reference::reference,
    schemas::Schemas,
};
use crate::api::rest::{format::Format, operation::Export};

pub(super) fn describe(schemas: &mut Schemas<'_>, export: &Export) -> Json {
    let Export { operation, columns } = export;
    let name = &operation.field.name;
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
    let example = schemas.example_of_items(&operation.field.ty, operation.entity.as_deref().unwrap_or_default());
    let texts = columns.iter().map(|column| match &example[column] {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    });
    let csv = format!("{}\r\n{}\r\n", columns.join(","), texts.collect::<Vec<_>>().join(","));
    let line: serde_json::Map<String, Json> =
        columns.iter().map(|column| (column.clone(), example[column].clone())).collect();
    let jsonl = Json::Object(line).to_string() + "\n";
    let content = |format: Format, example: String| {
        let media_type = format.content_type().split(';').next().unwrap_or_default();
        (media_type.to_owned(), json!({ "schema": { "type": "string" }, "example": example }))
    };
    let content: serde_json::Map<String, Json> =
        [content(Format::Csv, csv), content(Format::JsonLines, jsonl)].into_iter().collect();
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
