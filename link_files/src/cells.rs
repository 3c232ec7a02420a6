//! The values of one row, by what they are about.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

use crate::{
    ColumnChoice, FileError, MAX_COLUMNS, RowError,
    guess::guess,
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

/// Where a file has its fields: those columns that count first before others of the same field.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    source: Source,
    /// The header as it is written, or numbers from 1 on; in JSON, names of members, with those that the file may have further on.
    names: Vec<String>,
    /// The names as [`plain`] has them.
    plain_names: Vec<String>,
    /// How many of them the file's beginning has.
    width: usize,
    places: Vec<(Field, usize)>,
}

/// Names and first rows of a file's columns.
pub(crate) struct Seen<'a> {
    /// `None`: the table has no header.
    pub(crate) names: Option<Vec<String>>,
    pub(crate) rows: &'a [Vec<String>],
    /// Whether members that the first row lacks may follow, as in JSON.
    pub(crate) is_open: bool,
}

impl Columns {
    /// The columns of a file of this source. `choices`: what the caller says of some of them.
    pub(crate) fn new(source: Source, seen: &Seen<'_>, choices: &[ColumnChoice]) -> Result<Self, FileError> {
        let widest = seen.rows.iter().map(Vec::len).max().unwrap_or(0).min(MAX_COLUMNS);
        let names = seen.names.clone().unwrap_or_else(|| (1..=widest).map(|number| number.to_string()).collect());
        let plain_names = names.iter().map(|name| plain(name)).collect();
        let width = names.len();
        let mut columns = Columns { source, names, plain_names, width, places: Vec::new() };
        let (mut taken, mut known) = (Vec::new(), Vec::new());
        for (index, choice) in choices.iter().enumerate() {
            let refused = |why| FileError::Choice(index, choice.column.clone(), why);
            if choice.field.is_some_and(|field| known.contains(&field)) {
                return Err(refused("has the field of another column"));
            }
            let place = match columns.find(&choice.column, &taken) {
                Some(place) => place,
                None if seen.is_open => columns.add(&choice.column),
                None => return Err(refused("is no column of the file")),
            };
            taken.push(place);
            if let Some(field) = choice.field {
                known.push(field);
                columns.places.push((field, place));
            }
        }
        for (field, column) in source.columns().iter().filter(|(field, _)| !known.contains(field)) {
            let place = columns.plain_names.iter().position(|name| *name == plain(column));
            let place = place.or_else(|| seen.is_open.then(|| columns.add(column)));
            columns.places.extend(place.filter(|place| !taken.contains(place)).map(|place| (*field, place)));
        }
        if source == Source::Table {
            let names = seen.names.as_deref();
            let guessed = guess(names, seen.rows, width, &taken, &known);
            columns.places.extend(guessed);
        }
        Ok(columns)
    }

    /// The place of a column by its name as it is written, or almost, or by its number.
    fn find(&self, column: &str, taken: &[usize]) -> Option<usize> {
        let column = column.trim();
        let free = |place: &usize| !taken.contains(place);
        let is = |name: &String| name == column;
        let exact = (0..self.width).filter(free).find(|place| is(&self.names[*place]));
        let almost = || {
            let wanted = Some(plain(column)).filter(|wanted| !wanted.is_empty())?;
            (0..self.width).filter(free).find(|place| self.plain_names[*place] == wanted)
        };
        let number = || column.parse::<usize>().ok()?.checked_sub(1).filter(|place| *place < self.width && free(place));
        exact.or_else(almost).or_else(number)
    }

    fn add(&mut self, name: &str) -> usize {
        self.names.push(name.to_owned());
        self.plain_names.push(plain(name));
        self.names.len() - 1
    }

    pub(crate) fn source(&self) -> Source {
        self.source
    }

    /// The columns of the file's beginning, with their fields.
    pub(crate) fn shown(&self) -> impl Iterator<Item = (&str, Option<Field>)> {
        let field = |place: usize| self.places.iter().find(|(_, of)| *of == place).map(|(field, _)| *field);
        self.names.iter().take(self.width).enumerate().map(move |(place, name)| (name.as_str(), field(place)))
    }

    /// The column of the field: one that the file's beginning has, if there is one.
    pub(crate) fn name(&self, field: Field) -> Option<&str> {
        let mut places = self.places.iter().filter(|(of, _)| *of == field).map(|(_, place)| *place);
        let first = places.clone().next()?;
        self.names.get(places.find(|place| *place < self.width).unwrap_or(first)).map(String::as_str)
    }
}

/// A row, whatever it is written in.
pub(crate) enum Cells<'a> {
    Table(&'a Columns, &'a csv::ByteRecord),
    /// Members by their names as [`plain`] has them, with their paths.
    Object(&'a Columns, Vec<(String, String, Value<'a>)>),
}

impl<'a> Cells<'a> {
    /// The values of an object.
    pub(crate) fn of_object(columns: &'a Columns, object: &'a Map<String, Json>) -> Self {
        let members = members(object).into_iter();
        Cells::Object(columns, members.map(|(path, value)| (plain(&path), path, value)).collect())
    }

    fn columns(&self) -> &Columns {
        match self {
            Cells::Table(columns, _) | Cells::Object(columns, _) => columns,
        }
    }

    /// The text without linkgraph's mark that it is no formula, which only tables have.
    pub(crate) fn unmarked<'t>(&self, text: &'t str) -> &'t str {
        match self {
            Cells::Table(columns, _) if columns.source == Source::Linkgraph => unmark_formula(text),
            _ => text,
        }
    }

    fn source(&self) -> Source {
        self.columns().source
    }

    /// The name of the field's column, even if the row has no value in it; in JSON, the source's name of a member that is missing.
    /// `None`: the table, or the source, has no such column.
    pub(crate) fn name(&self, field: Field) -> Option<&str> {
        match self {
            Cells::Table(columns, _) => columns.name(field),
            Cells::Object(columns, members) => {
                let mut places = columns.places.iter().filter(|(of, _)| *of == field).map(|(_, place)| *place);
                let first = places.clone().next();
                let is_there = |place: &usize| members.iter().any(|(name, ..)| *name == columns.plain_names[*place]);
                places.find(is_there).or(first).map(|place| columns.names[place].as_str())
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
                        message: "is not UTF-8: the file's text is damaged here".to_owned(),
                    };
                    Some(text.map_err(|_| not_text).map(|text| Cell { column, value: Value::Text(text.into()) }))
                })
            }
            Cells::Object(columns, members) => {
                let of_field = columns.places.iter().filter(move |(of, _)| *of == field);
                &mut of_field.filter_map(move |(_, place)| {
                    let wanted = columns.plain_names.get(*place)?;
                    let (_, path, value) = members.iter().find(|(name, ..)| name == wanted)?;
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
            if length > field.max() {
                return Err(cell.error(format!("has more than {} bytes", field.max())));
            }
            if !cell.is_empty(self.source()) {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }
}

/// The members of an object, with those of objects in it, by their paths: `meta.validUntil`.
pub(crate) fn members(object: &Map<String, Json>) -> Vec<(String, Value<'_>)> {
    let mut members = Vec::new();
    for (name, value) in object {
        match value {
            Json::Object(inner) => {
                for (inner_name, value) in inner {
                    members.extend(of_json(value).map(|value| (format!("{name}.{inner_name}"), value)));
                }
            }
            value => members.extend(of_json(value).map(|value| (name.clone(), value))),
        }
    }
    members
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
