//! How a file is written, found out from its beginning; and the rows of a part of it.

use serde_json::Value as Json;

use crate::{
    ColumnChoice, DateOrder, DateOrders, FileError, HEAD, MAX_COLUMNS, MAX_ROW, Row, RowError,
    cells::{Cells, Columns, Seen, Value, members},
    guess::is_url,
    json::{self, Container, Found},
    record::Record,
    source::{Field, Source, plain},
    time::Times,
};

/// Rows from whose values columns are guessed.
const LOOKED_AT: usize = 50;

/// Facts about a file that the caller knows. The default has none.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// The service it is from. `None`: it is found out.
    pub source: Option<Source>,
    /// Fields of columns. Columns that are not named here are guessed.
    pub columns: Vec<ColumnChoice>,
    /// The order of its dates. `None`: each date that is two days in two orders is an error of its row.
    pub dates: Option<DateOrder>,
}

impl From<Source> for Hints {
    fn from(source: Source) -> Self {
        Hints { source: Some(source), ..Hints::default() }
    }
}

/// How a file is written.
#[derive(Clone, Debug)]
pub struct Layout {
    format: Format,
    columns: Columns,
    dates: Option<DateOrder>,
    /// Where the first row begins.
    first: usize,
}

#[derive(Clone, Copy, Debug)]
enum Format {
    Table {
        delimiter: u8,
        /// The number of the first row, as spreadsheets count: 2 after a header.
        first_row: u64,
    },
    Json(Container),
}

/// Some rows of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The rows, in their order.
    pub rows: Vec<Row>,
    /// Bytes of the text that they took. Those after it are to be given again, with what follows.
    pub used: usize,
    /// Whether no further row comes.
    pub is_end: bool,
    /// The orders that the rows' dates may be written in.
    pub dates: DateOrders,
}

impl Layout {
    /// Finds out how a file is written from its beginning: its first [`HEAD`] bytes, or less if it is shorter. Fails if no column has
    /// destinations.
    pub fn open(head: &[u8], hints: &Hints) -> Result<Layout, FileError> {
        Layout::look(head, hints)?.with_destination()
    }

    /// Finds out how a file is written, of which it may not be known yet which column has the destinations.
    pub fn look(head: &[u8], hints: &Hints) -> Result<Layout, FileError> {
        let is_whole = head.len() < HEAD;
        let bom = match head {
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => return Err(FileError::Encoding("UTF-16")),
            [0xEF, 0xBB, 0xBF, ..] => 3,
            _ => 0,
        };
        let text = &head[bom..];
        let mut layout = match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
            None => return Err(FileError::Empty),
            Some(b'{' | b'[') => json_layout(text, hints, is_whole)?,
            Some(_) => table_layout(text, hints, is_whole)?,
        };
        layout.first += bom;
        Ok(layout)
    }

    fn with_destination(self) -> Result<Layout, FileError> {
        let source = self.source();
        if self.columns.name(Field::Destination).is_some() {
            return Ok(self);
        }
        if source == Source::Table {
            return Err(FileError::Unknown(self.columns().map(|(name, _)| name.to_owned()).collect()));
        }
        let names = source.columns().iter().filter(|(field, _)| *field == Field::Destination);
        Err(FileError::MissingColumn(source, names.map(|(_, column)| *column).collect()))
    }

    /// The service that the file is from.
    pub fn source(&self) -> Source {
        self.columns.source()
    }

    /// Whether the table has a header. `None`: the file is no table.
    pub fn has_header(&self) -> Option<bool> {
        match self.format {
            Format::Table { first_row, .. } => Some(first_row > 1),
            Format::Json(_) => None,
        }
    }

    /// Bytes before the first row.
    pub fn first(&self) -> usize {
        self.first
    }

    /// The columns in their order, by their names in the header, or their numbers from 1 on if there is none; in JSON, the members
    /// of the first link. `None`: the column is about nothing that is kept.
    pub fn columns(&self) -> impl Iterator<Item = (&str, Option<Field>)> {
        self.columns.shown()
    }

    /// The column of the field, as [`Layout::columns`] names it, or as the service calls it in JSON. `None`: the file has none.
    pub fn column(&self, field: Field) -> Option<&str> {
        self.columns.name(field)
    }

    /// The file with its dates in this order.
    pub fn with_dates(self, dates: Option<DateOrder>) -> Self {
        Layout { dates, ..self }
    }

    /// Values of the first rows, at most so many, of a text that begins with the first: one for each of [`Layout::columns`].
    pub fn values(&self, text: &[u8], limit: usize, is_whole: bool) -> Vec<Vec<String>> {
        let mut rows = match self.format {
            Format::Table { delimiter, .. } => table_rows(&mut table_reader(delimiter, text), limit, is_whole),
            Format::Json(container) => {
                let (mut rows, mut at) = (Vec::new(), 0);
                while rows.len() < limit
                    && let Ok(Found::Link(start, end)) = json::next(text, at, container, is_whole)
                {
                    let object = serde_json::from_slice(&text[start..end]).unwrap_or_default();
                    let mut values: Vec<(String, String)> = values_of(&object);
                    let mut take = |(name, _): (&str, _)| {
                        let found = values.iter_mut().find(|(member, _)| plain(member) == plain(name));
                        found.map(|(_, value)| std::mem::take(value)).unwrap_or_default()
                    };
                    rows.push(self.columns().map(&mut take).collect());
                    at = end;
                }
                rows
            }
        };
        let width = self.columns().count();
        rows.iter_mut().for_each(|row: &mut Vec<String>| row.resize(width, String::new()));
        rows
    }

    /// Reads rows, at most so many, of a text that begins where a row does. `before`: how many rows were read so far. `is_whole`:
    /// whether the file ends with the text. A text of twice [`MAX_ROW`] bytes has at least one row, or it has the file's end.
    pub fn read(&self, text: &[u8], before: u64, limit: usize, is_whole: bool) -> Result<Batch, FileError> {
        let mut times = Times::new(self.dates);
        let mut batch = match self.format {
            Format::Table { delimiter, first_row } => {
                let table = (delimiter, first_row + before);
                read_table(table, &self.columns, &mut times, text, limit, is_whole)?
            }
            Format::Json(container) => {
                read_json((container, before + 1), &self.columns, &mut times, text, limit, is_whole)?
            }
        };
        batch.dates = times.seen;
        Ok(batch)
    }
}

fn table_reader(delimiter: u8, text: &[u8]) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text)
}

/// Bytes that a reader has read.
fn read_so_far(reader: &csv::Reader<&[u8]>) -> usize {
    usize::try_from(reader.position().byte()).unwrap_or(usize::MAX)
}

/// Rows of a table as texts, at most so many. The last that a text has may go on after it, unless it is whole.
fn table_rows(reader: &mut csv::Reader<&[u8]>, limit: usize, is_whole: bool) -> Vec<Vec<String>> {
    let (mut rows, mut record, length) = (Vec::new(), csv::ByteRecord::new(), reader.get_ref().len());
    while rows.len() < limit && reader.read_byte_record(&mut record).is_ok_and(|is_row| is_row) {
        if !is_whole && read_so_far(reader) == length {
            break;
        }
        rows.push(record.iter().take(MAX_COLUMNS).map(|cell| String::from_utf8_lossy(cell).into_owned()).collect());
    }
    rows
}

fn table_layout(text: &[u8], hints: &Hints, is_whole: bool) -> Result<Layout, FileError> {
    // Excel reads the delimiter from a line such as `sep=;` before the header.
    let hint = text.strip_prefix(b"sep=").filter(|rest| rest.len() > 1);
    let hint = hint.map(|rest| (rest[0], text.len() - rest.len() + 1));
    let (delimiter, start) = hint.unwrap_or_else(|| (delimiter(text), 0));
    let mut reader = table_reader(delimiter, &text[start..]);
    let mut header = csv::ByteRecord::new();
    let has_row = reader.read_byte_record(&mut header).map_err(|_| FileError::Shape("its header can't be read"))?;
    let first = start + read_so_far(&reader);
    if !has_row {
        return Err(FileError::Empty);
    }
    if first >= MAX_ROW.min(text.len()) && !is_whole {
        return Err(FileError::LongRow(1));
    }
    if header.len() > MAX_COLUMNS {
        return Err(FileError::Shape("it has more than 200 columns"));
    }
    let names: Result<Vec<String>, _> =
        header.iter().map(|name| std::str::from_utf8(name).map(|name| name.trim().to_owned())).collect();
    let names = names.map_err(|_| FileError::Encoding("Latin-1 or another encoding"))?;
    let source = hints.source.unwrap_or_else(|| source_of(&names));
    // A first row with a URL is one of links.
    let has_header = source != Source::Table || !names.iter().any(|name| is_url(name));
    let (first, first_row) = if has_header { (first, 2) } else { (start, 1) };
    let rows = if source == Source::Table {
        table_rows(&mut table_reader(delimiter, &text[first..]), LOOKED_AT, is_whole)
    } else {
        Vec::new()
    };
    let seen = Seen { names: has_header.then_some(names), rows: &rows, is_open: false };
    let columns = Columns::new(source, &seen, &hints.columns)?;
    Ok(Layout { format: Format::Table { delimiter, first_row }, columns, dates: hints.dates, first })
}

/// The delimiter: the one of the usual characters that is most frequent in the header outside quotes.
fn delimiter(text: &[u8]) -> u8 {
    let line = text.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    let mut is_quoted = false;
    let mut counts = [(b',', 0_usize), (b';', 0), (b'\t', 0), (b'|', 0)];
    for byte in line.iter().take(HEAD) {
        is_quoted ^= *byte == b'"';
        if let Some((_, count)) = counts.iter_mut().find(|(delimiter, _)| delimiter == byte && !is_quoted) {
            *count += 1;
        }
    }
    // The first of several with the same count.
    counts.iter().rev().max_by_key(|(_, count)| *count).map_or(b',', |(delimiter, _)| *delimiter)
}

fn source_of(names: &[String]) -> Source {
    let plain_names: Vec<String> = names.iter().map(|name| plain(name)).collect();
    Source::of_columns(&plain_names).unwrap_or(Source::Table)
}

fn read_table(
    (delimiter, first): (u8, u64),
    columns: &Columns,
    times: &mut Times,
    text: &[u8],
    limit: usize,
    is_whole: bool,
) -> Result<Batch, FileError> {
    let mut reader = table_reader(delimiter, text);
    let mut batch = Batch { rows: Vec::new(), used: 0, is_end: false, dates: DateOrders::default() };
    let mut record = csv::ByteRecord::new();
    while batch.rows.len() < limit {
        let number = first + batch.rows.len() as u64;
        let is_row = reader.read_byte_record(&mut record).map_err(|_| FileError::Shape("a row can't be read"))?;
        let end = read_so_far(&reader);
        if is_row && (!is_whole && end == text.len() || end - batch.used > MAX_ROW) {
            // The last row that the reader sees may go on in the part that follows.
            if text.len() - batch.used > MAX_ROW {
                return Err(FileError::LongRow(number));
            }
            break;
        }
        batch.used = end;
        if !is_row {
            batch.is_end = is_whole;
            break;
        }
        let link = Record::of(columns.source(), &Cells::Table(columns, &record), times);
        batch.rows.push(Row { number, link });
    }
    Ok(batch)
}

/// Names and values of an object's members, as texts.
fn values_of(object: &serde_json::Map<String, Json>) -> Vec<(String, String)> {
    let text = |value: Value<'_>| match value {
        Value::Text(text) => text.into_owned(),
        Value::List(items) => items.join(", "),
    };
    members(object).into_iter().map(|(name, value)| (name, text(value))).collect()
}

fn json_layout(text: &[u8], hints: &Hints, is_whole: bool) -> Result<Layout, FileError> {
    let not_found = FileError::Shape("no list of links begins in its first 64 KiB");
    let Some((container, first)) = json::find_list(text)? else { return Err(not_found) };
    let link = match json::next(text, first, container, is_whole)? {
        Found::Link(start, end) => &text[start..end],
        Found::End => return Err(FileError::Empty),
        Found::More => return Err(FileError::LongRow(1)),
    };
    let Ok(Json::Object(object)) = serde_json::from_slice(link) else {
        return Err(FileError::Shape("its first link is no object"));
    };
    let names: Vec<String> = object.keys().cloned().collect();
    let source = hints.source.unwrap_or_else(|| source_of(&names));
    let (names, row): (Vec<String>, Vec<String>) = values_of(&object).into_iter().take(MAX_COLUMNS).unzip();
    let seen = Seen { names: Some(names), rows: &[row], is_open: true };
    let columns = Columns::new(source, &seen, &hints.columns)?;
    Ok(Layout { format: Format::Json(container), columns, dates: hints.dates, first })
}

fn read_json(
    (container, first): (Container, u64),
    columns: &Columns,
    times: &mut Times,
    text: &[u8],
    limit: usize,
    is_whole: bool,
) -> Result<Batch, FileError> {
    let mut batch = Batch { rows: Vec::new(), used: 0, is_end: false, dates: DateOrders::default() };
    while batch.rows.len() < limit {
        let number = first + batch.rows.len() as u64;
        match json::next(text, batch.used, container, is_whole)? {
            Found::Link(start, end) if end - start <= MAX_ROW => {
                let link = match serde_json::from_slice(&text[start..end]) {
                    Ok(Json::Object(object)) => {
                        Record::of(columns.source(), &Cells::of_object(columns, &object), times)
                    }
                    Ok(_) => Err(RowError { column: None, message: "is no object".to_owned() }),
                    Err(error) => Err(RowError { column: None, message: format!("is no JSON: {error}") }),
                };
                batch.rows.push(Row { number, link });
                batch.used = end;
            }
            Found::More if text.len() - batch.used <= MAX_ROW => break,
            Found::Link(..) | Found::More => return Err(FileError::LongRow(number)),
            Found::End => {
                batch.is_end = true;
                break;
            }
        }
    }
    Ok(batch)
}
