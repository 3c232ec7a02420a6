//! Formats of exported files.

/// The format of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// RFC 4180.
    #[default]
    Csv,
    /// <https://jsonlines.org>.
    JsonLines,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 2] = [Format::Csv, Format::JsonLines];

    /// Its name in a request, and of files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::JsonLines => "jsonl",
        }
    }

    /// Its media type.
    pub const fn content_type(self) -> &'static str {
        match self {
            Format::Csv => "text/csv; charset=utf-8; header=present",
            Format::JsonLines => "application/jsonl",
        }
    }
}
