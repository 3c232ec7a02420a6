//! Formats of exported files.

/// The format of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Format {
    /// RFC 4180.
    #[default]
    Csv,
    /// <https://jsonlines.org>.
    JsonLines,
}

impl Format {
    pub(crate) const ALL: [Format; 2] = [Format::Csv, Format::JsonLines];

    /// Its name in a request, and of files.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::JsonLines => "jsonl",
        }
    }

    pub(crate) const fn content_type(self) -> &'static str {
        match self {
            Format::Csv => "text/csv; charset=utf-8; header=present",
            Format::JsonLines => "application/jsonl",
        }
    }
}
