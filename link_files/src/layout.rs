//! How a file is written, found out from its beginning; and the rows of a part of it.

use serde_json::Value as Json;

use crate::{
    FileError, HEAD, MAX_COLUMNS, MAX_ROW, Row, RowError,
    cells::{Cells, Columns},
    json::{self, Container, Found},
    record::Record,
    source::{Field, Source, plain},
};

/// The first row after the header, as spreadsheets count.
const FIRST_TABLE_ROW: u64 = 2;

/// How a file is written.
#[derive(Clone, Debug)]
pub struct Layout {
    source: Source,
    format: Format,
    /// Where the first row begins.
    first: usize,
}

#[derive(Clone, Debug)]
enum Format {
    Table { delimiter: u8, columns: Columns },
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
}

impl Layout {
    /// Finds out how a file is written from its beginning: its first [`HEAD`] bytes, or less if it is shorter. `source`: the service
    /// it is from, if that is known.
    pub fn open(head: &[u8], source: Option<Source>) -> Result<Layout, FileError> {
        let is_whole = head.len() < HEAD;
        let bom = match head {
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => return Err(FileError::Encoding("UTF-16")),
            [0xEF, 0xBB, 0xBF, ..] => 3,
            _ => 0,
        };
        let text = &head[bom..];
        let mut layout = match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
            None => return Err(FileError::Empty),
            Some(b'{' | b'[') => json_layout(text, source, is_whole)?,
            Some(_) => table_layout(text, source, is_whole)?,
        };
        layout.first += bom;
        Ok(layout)
    }

    /// The service that the file is from.
    pub fn source(&self) -> Source {
        self.source
    }

    /// Bytes before the first row.
    pub fn first(&self) -> usize {
        self.first
    }

    /// The column of the field, as the file's header has it, or as the service calls it in JSON. `None`: the file has none.
    pub fn column(&self, field: Field) -> Option<&str> {
        match &self.format {
            Format::Table { columns, .. } => columns.name(field),
            Format::Json(_) => self.source.columns().iter().find(|(of, _)| *of == field).map(|(_, column)| *column),
        }
    }

    /// Reads rows, at most so many, of a text that begins where a row does. `before`: how many rows were read so far. `is_whole`:
    /// whether the file ends with the text. A text of twice [`MAX_ROW`] bytes has at least one row, or it has the file's end.
    pub fn read(&self, text: &[u8], before: u64, limit: usize, is_whole: bool) -> Result<Batch, FileError> {
        match &self.format {
            Format::Table { delimiter, columns } => read_table(*delimiter, columns, text, before, limit, is_whole),
            Format::Json(container) => read_json(self.source, *container, text, before, limit, is_whole),
        }
    }
}

fn table_reader(delimiter: u8, text: &[u8]) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text)
}

/// Bytes that a reader has read.
fn read_so_far(reader: &csv::Reader<&[u8]>) -> usize {
    usize::try_from(reader.position().byte()).unwrap_or(usize::MAX)
}

fn table_layout(text: &[u8], source: Option<Source>, is_whole: bool) -> Result<Layout, FileError> {
    // Excel reads the delimiter from a line such as `sep=;` before the header.
    let hint = text.strip_prefix(b"sep=").filter(|rest| rest.len() > 1);
    let hint = hint.map(|rest| (rest[0], text.len() - rest.len() + 1));
    let (delimiter, start) = hint.unwrap_or_else(|| (delimiter(text), 0));
    let mut reader = table_reader(delimiter, &text[start..]);
    let mut header = csv::ByteRecord::new();
    let has_header = reader.read_byte_record(&mut header).map_err(|_| FileError::Shape("its header can't be read"))?;
    let first = start + read_so_far(&reader);
    if !has_header {
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
    let plain_names: Vec<String> = names.iter().map(|name| plain(name)).collect();
    let source = known_source(source, &plain_names, &names)?;
    let columns = Columns::new(source, names);
    if columns.name(Field::Destination).is_none() {
        return Err(missing_destination(source));
    }
    Ok(Layout { source, format: Format::Table { delimiter, columns }, first })
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

fn known_source(source: Option<Source>, plain_names: &[String], names: &[String]) -> Result<Source, FileError> {
    source.or_else(|| Source::of_columns(plain_names)).ok_or_else(|| FileError::Unknown(names.to_vec()))
}

fn missing_destination(source: Source) -> FileError {
    let columns = source.columns().iter().filter(|(field, _)| *field == Field::Destination);
    FileError::MissingColumn(source, columns.map(|(_, column)| *column).collect())
}

fn read_table(
    delimiter: u8,
    columns: &Columns,
    text: &[u8],
    before: u64,
    limit: usize,
    is_whole: bool,
) -> Result<Batch, FileError> {
    let mut reader = table_reader(delimiter, text);
    let mut batch = Batch { rows: Vec::new(), used: 0, is_end: false };
    let mut record = csv::ByteRecord::new();
    while batch.rows.len() < limit {
        let number = before + batch.rows.len() as u64 + FIRST_TABLE_ROW;
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
        let link = Record::of(columns.source(), &Cells::Table(columns, &record));
        batch.rows.push(Row { number, link });
    }
    Ok(batch)
}

fn json_layout(text: &[u8], source: Option<Source>, is_whole: bool) -> Result<Layout, FileError> {
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
    let plain_names: Vec<String> = names.iter().map(|name| plain(name)).collect();
    let source = known_source(source, &plain_names, &names)?;
    Ok(Layout { source, format: Format::Json(container), first })
}

fn read_json(
    source: Source,
    container: Container,
    text: &[u8],
    before: u64,
    limit: usize,
    is_whole: bool,
) -> Result<Batch, FileError> {
    let mut batch = Batch { rows: Vec::new(), used: 0, is_end: false };
    while batch.rows.len() < limit {
        let number = before + batch.rows.len() as u64 + 1;
        match json::next(text, batch.used, container, is_whole)? {
            Found::Link(start, end) if end - start <= MAX_ROW => {
                let link = match serde_json::from_slice(&text[start..end]) {
                    Ok(Json::Object(object)) => Record::of(source, &Cells::of_object(source, &object)),
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
