//! Reads a file from a stream, in bounded memory.

use std::{
    fmt,
    io::{self, Read},
};

use crate::{DateOrders, FileError, HEAD, Hints, Layout, MAX_ROW, Row};

/// Bytes that are read at once.
const CHUNK: usize = 256 * 1024;

/// A file that is being read.
pub struct Reader<R> {
    stream: R,
    layout: Layout,
    /// The part of the stream that was read and belongs to no row yet.
    text: Vec<u8>,
    /// Whether the stream has ended.
    is_whole: bool,
    /// Rows that were read.
    rows: u64,
    /// Bytes of the file that were read as rows.
    position: u64,
    is_end: bool,
    dates: DateOrders,
}

/// Why a file can't be read further.
#[derive(Debug)]
pub enum ReadError {
    /// The stream failed.
    Stream(io::Error),
    /// The stream's text is no file of links.
    File(FileError),
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Stream(error) => error.fmt(formatter),
            ReadError::File(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<FileError> for ReadError {
    fn from(error: FileError) -> Self {
        ReadError::File(error)
    }
}

impl<R: Read> Reader<R> {
    /// Begins to read a file in UTF-8. `hints`: what is known of it.
    pub fn new(mut stream: R, hints: &Hints) -> Result<Self, ReadError> {
        let mut text = Vec::new();
        let is_whole = fill(&mut stream, &mut text, HEAD)?;
        let layout = Layout::open(&text, hints)?;
        text.drain(..layout.first());
        let position = layout.first() as u64;
        Ok(Reader { stream, layout, text, is_whole, rows: 0, position, is_end: false, dates: DateOrders::default() })
    }

    /// How the file is written.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The orders that dates of the rows that were read may be written in.
    pub fn dates(&self) -> DateOrders {
        self.dates
    }

    /// Bytes of the file that were read as rows.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The next rows, at most so many and at least one. `None`: there are no more.
    pub fn next_rows(&mut self, limit: usize) -> Result<Option<Vec<Row>>, ReadError> {
        while !self.is_end {
            if !self.is_whole && self.text.len() < 2 * MAX_ROW {
                self.is_whole = fill(&mut self.stream, &mut self.text, CHUNK)?;
            }
            let batch = self.layout.read(&self.text, self.rows, limit, self.is_whole)?;
            self.text.drain(..batch.used);
            self.position += batch.used as u64;
            self.is_end = batch.is_end;
            self.dates = self.dates.and(batch.dates);
            self.rows += batch.rows.len() as u64;
            if !batch.rows.is_empty() {
                return Ok(Some(batch.rows));
            }
        }
        Ok(None)
    }
}

/// Reads until the text has so many bytes. Answers whether the stream has ended.
fn fill(stream: &mut impl Read, text: &mut Vec<u8>, length: usize) -> Result<bool, ReadError> {
    let missing = length.saturating_sub(text.len());
    let read = stream.take(missing as u64).read_to_end(text).map_err(ReadError::Stream)?;
    Ok(read < missing)
}
