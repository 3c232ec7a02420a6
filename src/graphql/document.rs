//! A document that is valid.

use std::sync::Arc;

use apollo_compiler::{ExecutableDocument, Node, executable::Operation, parser::SourceSpan, validation::Valid};
use async_graphql::Pos;

use super::tokens::Text;
use crate::{
    error::{ApiError, Code},
    weight,
};

/// Bytes of memory that a parsed document takes for each of its tokens, at most: fields without arguments take most, some 250.
const BYTES_OF_A_TOKEN: u64 = 320;

/// A valid document.
#[derive(Debug)]
pub struct Document {
    /// Its operations and fragments, with the types that their fields have.
    pub executable: Valid<ExecutableDocument>,
    text: Arc<str>,
    /// Bytes before each line, the first left out.
    lines: Vec<usize>,
    weight: u64,
}

impl Document {
    /// Of a text that was read.
    pub fn new(executable: Valid<ExecutableDocument>, Text { tokens, plain }: &Text) -> Self {
        let lines: Vec<usize> = plain.match_indices('\n').map(|(index, _)| index + 1).collect();
        let of_text = weight::of_text(plain) * 2 + size_of_val(&*lines) as u64;
        let weight = weight::ENTRY + of_text + *tokens as u64 * BYTES_OF_A_TOKEN;
        Document { executable, text: plain.as_str().into(), lines, weight }
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
    pub fn weight(&self) -> u64 {
        self.weight
    }

    /// Line and column, in characters, of a part of the document; of its begin where that is not known.
    pub fn place(&self, part: Option<SourceSpan>) -> Pos {
        let offset = part.map_or(0, |part| part.offset());
        let line = self.lines.partition_point(|begin| *begin <= offset);
        let begin = line.checked_sub(1).and_then(|line| self.lines.get(line)).copied().unwrap_or(0);
        let column = self.text.get(begin..offset).map_or(0, |before| match before.is_ascii() {
            true => before.len(),
            false => before.chars().count(),
        });
        Pos { line: line + 1, column: column + 1 }
    }
}
