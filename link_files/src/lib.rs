//! Files of links as link shorteners export them, read row by row into one type; and linkgraph's own, written. The crate is
//! independent of linkgraph's service, which checks whether a slug is free and a destination allowed.
//!
//! A file is read from a text that may arrive in parts: [`Layout::open`] finds out from its beginning what it is, and
//! [`Layout::read`] reads the rows that a part holds, and says where the next begins. [`Reader`] does both for a stream.

mod cells;
mod json;
mod layout;
mod lists;
mod record;
mod source;
mod stream;
mod table;
mod time;
mod write;

use std::fmt;

pub use self::{
    layout::{Batch, Layout},
    lists::{read_list, write_list},
    record::Record,
    source::{Field, Source},
    stream::{ReadError, Reader},
    table::{csv_line, mark_formula, unmark_formula},
    time::{format_time, parse_time},
    write::{COLUMNS, csv_head, csv_record, json_record},
};

/// Bytes of a file that tell what it is: its header, or where its first link begins.
pub const HEAD: usize = 64 * 1024;
/// Bytes that a row may have: ten times the longest that any service writes. More is a quote or bracket that is missing.
pub const MAX_ROW: usize = 64 * 1024;
/// Bytes that a field may have: four for each character of the longest destination.
pub const MAX_FIELD: usize = 8 * 1024;
/// Columns that a file may have.
const MAX_COLUMNS: usize = 200;

/// A row of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number as a spreadsheet counts it: the header is row 1, the first link row 2. In JSON the first link is row 1.
    pub number: u64,
    /// The link, or why it can't be read.
    pub link: Result<Record, RowError>,
}

/// Why a row can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowError {
    /// The column, as the file's header has it, or the path in JSON. `None`: it is about the whole row.
    pub column: Option<String>,
    /// For a person.
    pub message: String,
}

impl fmt::Display for RowError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.column {
            Some(column) => write!(formatter, "{column}: {}", self.message),
            None => formatter.write_str(&self.message),
        }
    }
}

/// Why a file can't be read at all, or no further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// The file has no links.
    Empty,
    /// It is text in this encoding, and not UTF-8.
    Encoding(&'static str),
    /// Its header, or its first link in JSON, is none of those that are known.
    Unknown(Vec<String>),
    /// It lacks a column that links of this source must have: one of these.
    MissingColumn(Source, Vec<&'static str>),
    /// It is neither CSV nor JSON with a list of links in one of the places that are known.
    Shape(&'static str),
    /// The row with this number does not end within [`MAX_ROW`] bytes.
    LongRow(u64),
}

impl fmt::Display for FileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Empty => formatter.write_str("The file has no links."),
            FileError::Encoding(encoding) => {
                write!(formatter, "The file's text is in {encoding}: save it again as UTF-8.")
            }
            FileError::Unknown(columns) => {
                formatter.write_str("The columns are those of no service that is known")?;
                let separator = [": "].into_iter().chain(std::iter::repeat(", "));
                for (column, separator) in columns.iter().take(20).zip(separator) {
                    write!(formatter, "{separator}{}", column.chars().take(40).collect::<String>())?;
                }
                formatter.write_str(".")
            }
            FileError::MissingColumn(source, columns) => {
                write!(
                    formatter,
                    "A file of {} has the column {}, which is missing.",
                    source.name(),
                    columns.join(" or ")
                )
            }
            FileError::Shape(what) => write!(formatter, "The file is neither CSV nor JSON that is known: {what}."),
            FileError::LongRow(number) => {
                write!(
                    formatter,
                    "Row {number} does not end within {MAX_ROW} bytes: a quote or bracket may be missing."
                )
            }
        }
    }
}

impl std::error::Error for FileError {}
