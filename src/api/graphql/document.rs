//! A document that is valid.

use apollo_compiler::{ExecutableDocument, Node, executable::Operation, parser::SourceSpan, validation::Valid};
use async_graphql::Pos;

use super::tokens::Text;
use crate::base::{
    error::{ApiError, Code},
    weight,
};

/// Bytes of memory that a parsed document takes for each of its tokens, at most: fields without arguments take most, some 250.
const BYTES_OF_A_TOKEN: u64 = 320;

/// A valid document.
#[derive(Debug)]
pub struct Document {
    /// Its operations and fragments, with the types that their fields have.
    pub(crate) executable: Valid<ExecutableDocument>,
    /// Bytes before each line, the first left out.
    lines: Vec<usize>,
    weight: u64,
}

impl Document {
    pub(crate) fn new(executable: Valid<ExecutableDocument>, Text { tokens, plain }: &Text) -> Self {
        let lines: Vec<usize> = plain.match_indices('\n').map(|(index, _)| index + 1).collect();
        let of_text = weight::of_text(plain) + size_of_val(&*lines) as u64;
        let weight = weight::ENTRY + of_text + *tokens as u64 * BYTES_OF_A_TOKEN;
        Document { executable, lines, weight }
    }

    /// The operation of this name; the only one without a name.
    pub fn operation(&self, name: Option<&str>) -> Result<&Node<Operation>, ApiError> {
        self.executable.operations.get(name).map_err(|_| {
            ApiError::new(
                Code::GraphqlValidationFailed,
                match name {
                    Some(_) => "There is no operation with the given operationName.",
                    None if self.executable.operations.is_empty() => "There is no operation.",
                    None => "Several operations need an operationName.",
                },
            )
        })
    }

    /// Bytes of memory that it takes, at most.
    pub(crate) fn weight(&self) -> u64 {
        self.weight
    }

    /// Line and column, in characters, of a part of the document; of its begin where that is not known.
    pub(crate) fn place(&self, part: Option<SourceSpan>) -> Pos {
        let Some(part) = part else { return Pos { line: 1, column: 1 } };
        let line = self.lines.partition_point(|begin| *begin <= part.offset());
        let begin = line.checked_sub(1).and_then(|line| self.lines.get(line)).copied().unwrap_or(0);
        let source = self.executable.sources.get(&part.file_id());
        let before = source.and_then(|source| source.source_text().get(begin..part.offset()));
        Pos { line: line + 1, column: before.map_or(0, |before| before.chars().count()) + 1 }
    }
}
