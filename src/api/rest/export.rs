//! Exports: all items that an operation pages through, streamed. What is read goes to the client before more is read, so
//! that neither the number of items nor a slow client costs memory.

use std::sync::Arc;

use async_graphql::{Name, Value, indexmap::IndexMap};
use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use futures_util::stream::{self, StreamExt};
use link_files::{csv_line, write_list};
use serde_json::{Map, Value as Json};

use crate::{
    api::{
        credential::Credential,
        rest::{
            format::Format,
            input::RequestInput,
            operation::{Export, FORMAT},
        },
    },
    app::App,
    base::error::ApiError,
    graphql::rows::{Row, Source},
    platform::{
        auth::caller::Call,
        db,
        http::coding::{Coding, describe, streamed},
    },
};

/// The file that a request asks for, in this coding.
pub(crate) async fn answer(
    app: &Arc<App>,
    source: Source,
    export: &Export,
    credential: Credential,
    call: Arc<Call>,
    input: RequestInput,
    coding: Coding,
) -> Result<Response, ApiError> {
    let Value::Object(mut arguments) = input.variables else { return Err(ApiError::internal("no arguments")) };
    for parameter in &export.operation.query_parameters {
        if let Some(default) = &parameter.argument.default {
            arguments.entry(Name::new(&parameter.name)).or_insert_with(|| default.clone());
        }
    }
    let chosen = arguments.swap_remove(FORMAT);
    let format = Format::ALL.into_iter().find(|format| chosen == Some(format.as_str().into())).unwrap_or_default();
    let name = file_name(export, &arguments, format);
    let mut columns = export.columns.clone();
    if let Some(fields) = input.fields {
        columns.retain(|column| fields.iter().any(|field| field == column.split('.').next().unwrap_or_default()));
    }
    let owner = db::Owner::Account(call.account()?.0);
    let mut rows = db::export(owner, source(Arc::clone(app), call, arguments)).await?;
    // Errors before the first item, such as an outage of the database, still become error responses.
    let first = db::export(owner, rows.next()).await.transpose()?;
    let head = stream::iter([Ok(head(&columns, format))]);
    let rows = stream::iter(first.map(Ok)).chain(rows);
    let text = head.chain(rows.map(move |rows| rows.map(|rows| written(&rows, &columns, format))));
    // The error was logged where it occurred. It aborts the body, so that a partial file is not mistaken for a whole one.
    let bytes = streamed(coding, text.map(|text| text.map(Bytes::from).map_err(|_| ended_early())));
    // A body is read by the thread that sends it, which is needed for redirects: so the items are read on the API's threads.
    let rest = Some((bytes, credential));
    let bytes = stream::unfold((rest, Arc::clone(app), owner), async |(rest, app, owner)| {
        let (mut bytes, mut credential) = rest?;
        let judge = Arc::clone(&app);
        let next = async move {
            // Who has lost the right meanwhile gets nothing more.
            match credential.is_good(&judge).await {
                true => bytes.next().await.map(|next| (next, Some((bytes, credential)))),
                false => Some((Err(ended_early()), None)),
            }
        };
        match app.api_threads.run(db::export(owner, next)).await {
            Some(next) => next.map(|(next, rest)| (next, (rest, app, owner))),
            None => Some((Err(ended_early()), (None, app, owner))),
        }
    });
    let mut response = Body::from_stream(bytes).into_response();
    describe(&mut response, coding);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(format.content_type()));
    let disposition = format!("attachment; filename=\"{name}\"");
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::try_from(disposition).map_err(ApiError::internal)?);
    Ok(response)
}

fn ended_early() -> std::io::Error {
    std::io::Error::other("the export ended early")
}

/// `clicks-<linkId>.csv`, with nothing of the caller's that a file's name can't have.
fn file_name(export: &Export, arguments: &IndexMap<Name, Value>, format: Format) -> String {
    let mut name = export.operation.field.name.clone();
    for parameter in &export.operation.path_parameters {
        if let Some(Value::String(text)) = arguments.get(parameter.argument.name.as_str()) {
            name.push('-');
            name.extend(text.chars().filter(|character| character.is_ascii_alphanumeric() || *character == '-'));
        }
    }
    format!("{name}.{}", format.as_str())
}

/// The line of names of a CSV file; JSON Lines have none.
pub(crate) fn head(columns: &[String], format: Format) -> String {
    match format {
        Format::Csv => csv_line(columns.iter().map(String::as_str)),
        Format::JsonLines => String::new(),
    }
}

/// The lines of these items in the file.
pub(crate) fn written(rows: &[Row], columns: &[String], format: Format) -> String {
    let mut text = String::new();
    for row in rows {
        let values = columns.iter().map(|column| value(row, column));
        match format {
            Format::Csv => text += &csv_line(values.map(plain).collect::<Vec<_>>().iter().map(String::as_str)),
            Format::JsonLines => {
                let line: Map<String, Json> = columns.iter().cloned().zip(values.cloned()).collect();
                text += &Json::Object(line).to_string();
                text.push('\n');
            }
        }
    }
    text
}

/// The value of a column; null for a part of an object that is not there.
fn value<'a>(row: &'a Row, column: &str) -> &'a Json {
    let (name, part) = column.split_once('.').map_or((column, None), |(name, part)| (name, Some(part)));
    let value = row.get(name).and_then(|value| part.map_or(Some(value), |part| value.get(part)));
    value.unwrap_or(&Json::Null)
}

fn plain(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        Json::Array(names) => write_list(names.iter().filter_map(Json::as_str)),
        other => other.to_string(),
    }
}
