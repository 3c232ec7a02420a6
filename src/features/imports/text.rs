//! The text of a file that is stored in parts, some of it at a time.

use link_files::MAX_ROW;

use crate::{
    app::App,
    base::error::ApiError,
    records::imports::{ImportId, repo, state::MAX_PART},
};

/// Parts that are read at once: a part has at least one character, so that it may take several for a row.
const PARTS: u64 = 4;

/// A window of a file's text, from the position up to which the file is imported.
pub(super) struct Text {
    import: ImportId,
    /// The number of the next part that is to be read.
    next: i32,
    /// All parts of the file.
    parts: i32,
    bytes: Vec<u8>,
    /// How many of these bytes are consumed.
    used: usize,
}

impl Text {
    /// The file from byte `position` on.
    pub(super) async fn open(app: &App, import: &entity::import::Model, position: i64) -> Result<Self, ApiError> {
        let id = ImportId(import.id);
        let mut text = Text { import: id, next: 1, parts: import.parts, bytes: Vec::new(), used: 0 };
        if position > 0 {
            let (number, starts_at) = repo::part_at(app.db.read(), id, position).await?;
            text.next = number;
            text.load(app).await?;
            text.used = usize::try_from(position - starts_at).unwrap_or_default().min(text.bytes.len());
        }
        Ok(text)
    }

    /// The text that is not consumed yet, long enough to contain a row, and whether the file ends with it.
    pub(super) async fn rest(&mut self, app: &App) -> Result<(&[u8], bool), ApiError> {
        if self.bytes.len() - self.used < 2 * MAX_ROW {
            self.bytes.drain(..self.used);
            self.used = 0;
            while self.next <= self.parts && self.bytes.len() < 2 * MAX_ROW {
                self.load(app).await?;
            }
        }
        Ok((&self.bytes[self.used..], self.next > self.parts))
    }

    /// Marks bytes as consumed.
    pub(super) fn advance(&mut self, bytes: usize) {
        self.used += bytes;
    }

    async fn load(&mut self, app: &App) -> Result<(), ApiError> {
        let parts = repo::parts_from(app.db.read(), self.import, self.next, PARTS).await?;
        if parts.is_empty() {
            return Err(ApiError::internal(format_args!("part {} of an import is missing", self.next)));
        }
        self.bytes.reserve(parts.len() * MAX_PART.unsigned_abs() as usize);
        for part in parts {
            self.next = part.number + 1;
            self.bytes.extend_from_slice(part.data.as_bytes());
        }
        Ok(())
    }
}
