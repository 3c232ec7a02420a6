//! The values of one row, by what they are about.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

use crate::{
    MAX_FIELD, RowError,
    source::{Field, Source, plain},
    table::unmark_formula,
};

/// A value of a row.
pub(crate) struct Cell<'a> {
    /// The column as the file has it.
    pub(crate) column: Cow<'a, str>,
    pub(crate) value: Value<'a>,
}

pub(crate) enum Value<'a> {
    Text(Cow<'a, str>),
    /// A list of texts; in JSON alone.
    List(Vec<String>),
}

impl Cell<'_> {
    pub(crate) fn error(&self, message: impl Into<String>) -> RowError {
        RowError { column: Some(self.column.as_ref().to_owned()), message: message.into() }
    }

    /// The value as one text: of a list the first item.
    pub(crate) fn text(&self) -> &str {
        match &self.value {
            Value::Text(text) => text,
            Value::List(items) => items.first().map_or("", String::as_str),
        }
    }

    fn is_empty(&self, source: Source) -> bool {
        match &self.value {
            // linkgraph's own texts may be of spaces.
            Value::Text(text) if source == Source::Linkgraph => text.is_empty(),
            Value::Text(text) => text.trim().is_empty(),
            Value::List(items) => items.is_empty(),
        }
    }
}

/// Where a file has its fields: columns of CSV by their place, those that count first before others of the same field.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    source: Source,
    /// The header as it is written.
    names: Vec<String>,
    places: Vec<(Field, usize)>,
}

impl Columns {
    pub(crate) fn new(source: Source, names: Vec<String>) -> Self {
        let plain_names: Vec<String> = names.iter().map(|name| plain(name)).collect();
        let place = |column: &str| plain_names.iter().position(|name| *name == plain(column));
        let places = source.columns().iter().filter_map(|(field, column)| Some((*field, place(column)?))).collect();
        Columns { source, names, places }
    }

    pub(crate) fn source(&self) -> Source {
        self.source
    }

    /// The column of the field.
    pub(crate) fn name(&self, field: Field) -> Option<&str> {
        let (_, place) = self.places.iter().find(|(of, _)| *of == field)?;
        self.names.get(*place).map(String::as_str)
    }
}

/// A row, whatever it is written in.
pub(crate) enum Cells<'a> {
    Table(&'a Columns, &'a csv::ByteRecord),
    /// Columns by their names as [`plain`] has them, with their paths.
    Object(Source, Vec<(String, String, Value<'a>)>),
}

impl<'a> Cells<'a> {
    /// The values of an object, with those of objects in it: `meta.validUntil`.
    pub(crate) fn of_object(source: Source, object: &'a Map<String, Json>) -> Self {
        let mut columns = Vec::new();
        for (name, value) in object {
            match value {
                Json::Object(inner) => {
                    for (inner_name, value) in inner {
                        let path = format!("{name}.{inner_name}");
                        columns.extend(of_json(value).map(|value| (plain(&path), path, value)));
                    }
                }
                value => columns.extend(of_json(value).map(|value| (plain(name), name.clone(), value))),
            }
        }
        Cells::Object(source, columns)
    }

    /// The text without linkgraph's mark that it is no formula, which only tables have.
    pub(crate) fn unmarked<'t>(&self, text: &'t str) -> &'t str {
        match self {
            Cells::Table(columns, _) if columns.source == Source::Linkgraph => unmark_formula(text),
            _ => text,
        }
    }

    fn source(&self) -> Source {
        match self {
            Cells::Table(columns, _) => columns.source,
            Cells::Object(source, _) => *source,
        }
    }

    /// The name of the field's column, even if the row has no value in it; in JSON, the source's name of a member that is missing.
    /// `None`: the table, or the source, has no such column.
    pub(crate) fn name(&self, field: Field) -> Option<&str> {
        match self {
            Cells::Table(columns, _) => columns.name(field),
            Cells::Object(source, columns) => {
                let mut names = source.columns().iter().filter(|(of, _)| *of == field).map(|(_, name)| *name);
                let first = names.clone().next();
                let there = names.find(|name| columns.iter().any(|(column, ..)| *column == plain(name)));
                there.or(first)
            }
        }
    }

    /// The first value of the field that is not empty. Fails if it is too long, or no text.
    pub(crate) fn get(&'a self, field: Field) -> Result<Option<Cell<'a>>, RowError> {
        let cells: &mut dyn Iterator<Item = Result<Cell<'a>, RowError>> = match self {
            Cells::Table(columns, record) => {
                let of_field = columns.places.iter().filter(move |(of, _)| *of == field);
                &mut of_field.filter_map(move |(_, place)| {
                    let column = Cow::Borrowed(columns.names.get(*place)?.as_str());
                    let text = std::str::from_utf8(record.get(*place)?);
                    let not_text = RowError {
                        column: Some(column.as_ref().to_owned()),
                        message: "is not UTF-8: the file may be in Latin-1 or Windows-1252; save it again as UTF-8"
                            .to_owned(),
                    };
                    Some(text.map_err(|_| not_text).map(|text| Cell { column, value: Value::Text(text.into()) }))
                })
            }
            Cells::Object(source, columns) => {
                let names = source.columns().iter().filter(move |(of, _)| *of == field);
                &mut names.filter_map(move |(_, name)| {
                    let name = plain(name);
                    let (_, path, value) = columns.iter().find(|(column, ..)| *column == name)?;
                    let value = match value {
                        Value::Text(text) => Value::Text(Cow::Borrowed(text.as_ref())),
                        Value::List(items) => Value::List(items.clone()),
                    };
                    Some(Ok(Cell { column: Cow::Borrowed(path.as_str()), value }))
                })
            }
        };
        for cell in cells {
            let cell = cell?;
            let length = match &cell.value {
                Value::Text(text) => text.len(),
                Value::List(items) => items.iter().map(String::len).sum(),
            };
            if length > MAX_FIELD {
                return Err(cell.error(format!("has more than {MAX_FIELD} bytes")));
            }
            if !cell.is_empty(self.source()) {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }
}

/// A value of JSON. `None`: null, or an object.
fn of_json(value: &Json) -> Option<Value<'_>> {
    match value {
        Json::Null | Json::Object(_) => None,
        Json::Bool(is) => Some(Value::Text(if *is { "true" } else { "false" }.into())),
        Json::Number(number) => Some(Value::Text(number.to_string().into())),
        Json::String(text) => Some(Value::Text(text.into())),
        Json::Array(items) => {
            // Dub and Rebrandly write tags as objects with names.
            let text = |item: &Json| item.as_str().or_else(|| item.get("name")?.as_str()).map(str::to_owned);
            Some(Value::List(items.iter().filter_map(text).collect()))
        }
    }
}
