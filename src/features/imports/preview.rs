//! The preview of a file: what its columns are taken for, and its first rows.

use async_graphql::{InputObject, SimpleObject};
use link_files::{ColumnChoice, DateOrder, HEAD, Hints, Layout, Source};

use crate::{
    base::error::{ApiError, Violations},
    features::imports::{
        columns::{DateFormat, ImportColumnInput, ImportField},
        ops,
        types::ImportSource,
    },
    graphql::directives::{example, items, length},
    records::imports::{
        mapping::shown,
        state::{MAX_COLUMNS, MAX_PART},
    },
};

/// Rows that are shown.
const ROWS: i32 = 5;
/// Longest value that is shown, in characters, and longest name of a column.
const MAX_SHOWN: usize = 100;
/// Rows whose dates are looked at: all of the beginning, usually.
const LOOKED_AT: usize = 2_000;

/// A file to look at.
#[derive(InputObject, Debug)]
pub(crate) struct PreviewImportInput {
    /// The service that the links are from. Absent or null: it is found out.
    #[graphql(directive = example::apply("\"TABLE\"".into()))]
    pub(crate) source: Option<ImportSource>,
    /// What columns of the file are about. Absent or null: all are found out.
    #[graphql(directive = items::apply(0, MAX_COLUMNS))]
    pub(crate) columns: Option<Vec<ImportColumnInput>>,
    /// The order of dates that are written with numbers alone. Absent or null: it is found out.
    #[graphql(directive = example::apply("\"DMY\"".into()))]
    pub(crate) date_format: Option<DateFormat>,
    /// The file's beginning, of which the first 64 KiB are looked at.
    #[graphql(
        directive = length::apply(1, MAX_PART),
        directive = example::apply("url,title\nhttps://example.com/spring-sale,Spring sale\n".into())
    )]
    pub(crate) data: String,
}

/// What a file is taken for.
#[derive(SimpleObject, Debug)]
pub(crate) struct ImportPreview {
    /// The service that the links are from.
    #[graphql(directive = example::apply("\"TABLE\"".into()))]
    source: ImportSource,
    /// Whether the file has a header, or begins with a link. Null: it is no table.
    #[graphql(directive = example::apply("true".into()))]
    has_header: Option<bool>,
    /// All columns in their order; in JSON, the members of the first link.
    #[graphql(directive = items::apply(0, MAX_COLUMNS))]
    columns: Vec<ImportPreviewColumn>,
    /// The order in which dates are read. Null: no date of the file's beginning depends on an order, or several orders are possible.
    #[graphql(directive = example::apply("\"DMY\"".into()))]
    date_format: Option<DateFormat>,
    /// Whether some dates are a day in several orders, and the others of the file's beginning do not tell which.
    #[graphql(directive = example::apply("false".into()))]
    has_unsure_dates: bool,
}

/// A column of a file.
#[derive(SimpleObject, Debug)]
pub(crate) struct ImportPreviewColumn {
    /// Its name in the header, cut to 100 characters, or its number from 1 on if there is none; in JSON, the name of a member.
    #[graphql(directive = example::apply("url".into()))]
    name: String,
    /// What it is about, as it was named or guessed. Null: nothing that is kept.
    #[graphql(directive = example::apply("\"DESTINATION_URL\"".into()))]
    field: Option<ImportField>,
    /// Its values in the first rows, cut to 100 characters; empty where a row has none.
    #[graphql(
        directive = items::apply(0, ROWS),
        directive = example::apply("[\"https://example.com/spring-sale\"]".into())
    )]
    values: Vec<String>,
}

/// Looks at a file's beginning. Fails if it is none of links, or a choice of a column can't be followed.
pub(super) fn preview(input: PreviewImportInput) -> Result<ImportPreview, ApiError> {
    let PreviewImportInput { source, columns, date_format, data } = input;
    let columns = columns.unwrap_or_default().into_iter().map(ColumnChoice::from).collect();
    let hints = Hints { source: source.map(Source::from), columns, dates: date_format.map(DateOrder::from) };
    let mut violations = Violations::default();
    ops::check_columns(&hints.columns, &mut violations);
    ops::check_part(&data, &mut violations);
    violations.finish()?;
    let refused = |error| ApiError::invalid_field(ops::field_of(&error), error.to_string());
    let head = &data.as_bytes()[..data.len().min(HEAD)];
    let layout = Layout::look(head, &hints).map_err(refused)?;
    let (text, is_whole) = (&head[layout.first()..], data.len() < HEAD);
    let rows = layout.values(text, ROWS.unsigned_abs() as usize, is_whole);
    let dates = layout.read(text, 0, LOOKED_AT, is_whole).map(|batch| batch.dates).unwrap_or_default();
    let column = |(place, (name, field)): (usize, (&str, Option<_>))| ImportPreviewColumn {
        name: shown(name, MAX_SHOWN),
        field: field.map(ImportField::from),
        values: rows
            .iter()
            .map(|row| row.get(place).map(|value| shown(value, MAX_SHOWN)).unwrap_or_default())
            .collect(),
    };
    Ok(ImportPreview {
        source: layout.source().into(),
        has_header: layout.has_header(),
        columns: layout.columns().enumerate().map(column).collect(),
        date_format: date_format.or_else(|| dates.only().map(DateFormat::from)),
        has_unsure_dates: date_format.is_none() && dates.are_unsure(),
    })
}
