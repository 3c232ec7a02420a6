//! Files of links as link shorteners export them, read row by row into one type; and linkgraph's own, written. The crate is
//! independent of linkgraph's service, which checks whether a slug is free and a destination allowed.
//!
//! A file is read from a text that may arrive in parts: [`Layout::open`] finds out from its beginning what it is, and
//! [`Layout::read`] reads the rows that a part holds, and says where the next begins. [`Reader`] does both for a stream.

mod cells;
mod encoding;
mod guess;
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
    encoding::{decode, encoding_name},
    layout::{Batch, Hints, Layout},
    lists::{read_list, write_list},
    record::Record,
    source::{Field, Source},
    stream::{ReadError, Reader},
    table::{csv_line, mark_formula, unmark_formula},
    time::{DateOrder, DateOrders, format_time, parse_time},
    write::{COLUMNS, csv_head, csv_record, json_record},
};

/// Bytes of a file that tell what it is: its header, or where its first link begins.
pub const HEAD: usize = 64 * 1024;
/// Bytes that a row may have: ten times the longest that any service writes. More is a quote or bracket that is missing.
pub const MAX_ROW: usize = 64 * 1024;
/// Bytes that a field may have, but for rules and splits: four for each character of the longest destination.
pub const MAX_FIELD: usize = 8 * 1024;
/// Columns that a file may have.
pub const MAX_COLUMNS: usize = 200;

/// The field of a column, as the caller chooses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnChoice {
    /// Its name in the header, or its number from 1 on; in JSON, the name of a member.
    pub column: String,
    /// `None`: nothing that is kept.
    pub field: Option<Field>,
}

/// A row of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number as a spreadsheet counts it: the header is row 1, the first link row 2. In JSON, and without a header, the first
    /// link is row 1.
    pub number: u64,
    /// The link, or why it can't be read.
    pub link: Result<Record, RowError>,
}

/// Why a row can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowError {
    /// The column, as the file's header has it, its number if there is none, or the path in JSON. `None`: it is about the whole row.
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
    /// No column is known to have destinations.
    Unknown(Vec<String>),
    /// The caller's choice with this index, of the column with this name, can't be followed: why.
    Choice(usize, String, &'static str),
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
                formatter.write_str("None of the columns is known to have the destinations; say which")?;
                let separator = [": "].into_iter().chain(std::iter::repeat(", "));
                for (column, separator) in columns.iter().take(20).zip(separator) {
                    write!(formatter, "{separator}{}", column.chars().take(40).collect::<String>())?;
                }
                formatter.write_str(".")
            }
            FileError::Choice(_, column, why) => {
                write!(formatter, "{} {why}.", column.chars().take(40).collect::<String>())
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
