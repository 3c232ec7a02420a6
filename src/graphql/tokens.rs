//! What a document may cost to parse, decided on its text: the parser recurses into literals and selections, which
//! overflows the stack for a few thousand brackets.

use super::cost::exceeded;
use crate::error::ApiError;

/// Lexical tokens of a document.
pub const MAX_TOKENS: usize = 2_000;
/// Brackets of any kind inside each other: selections, arguments, literals.
pub const MAX_NESTING: usize = 40;

/// Counts nested brackets, and answers the number of tokens. Runs in linear time, without recursion, on any bytes. What the
/// parser reads as several tokens is never counted as one.
pub fn check_text(document: &str) -> Result<usize, ApiError> {
    let bytes = document.as_bytes();
    let (mut at, mut tokens, mut nesting) = (0, 0, 0_usize);
    // When one block string has no end, none after it has.
    let mut blocks_end = true;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b',' => {
                at += 1;
                continue;
            }
            b'#' => {
                at += run(&bytes[at..], |byte| !matches!(byte, b'\n' | b'\r'));
                continue;
            }
            b'"' if blocks_end && bytes[at..].starts_with(b"\"\"\"") => match block_end(bytes, at + 3) {
                Some(end) => at = end,
                None => {
                    // To the parser it is an empty string then, and what follows is not inside a string.
                    blocks_end = false;
                    continue;
                }
            },
            b'"' => at = string_end(bytes, at + 1),
            b'(' | b'[' | b'{' => {
                nesting += 1;
                at += 1;
            }
            b')' | b']' | b'}' => {
                nesting = nesting.saturating_sub(1);
                at += 1;
            }
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => {
                at += run(&bytes[at..], |byte| byte.is_ascii_alphanumeric() || byte == b'_');
            }
            // Not 0: `012` is three numbers.
            b'1'..=b'9' => at += run(&bytes[at..], |byte| byte.is_ascii_digit()),
            b'.' if bytes[at..].starts_with(b"...") => at += 3,
            _ => at += 1,
        }
        tokens += 1;
        if tokens > MAX_TOKENS {
            return Err(exceeded("tokens", MAX_TOKENS));
        }
        if nesting > MAX_NESTING {
            return Err(exceeded("nested brackets", MAX_NESTING));
        }
    }
    Ok(tokens)
}

/// Bytes at the start that belong together.
fn run(bytes: &[u8], belongs: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|byte| !belongs(*byte)).unwrap_or(bytes.len())
}

/// Where the string ends whose content begins here; an unterminated one ends the line, or the document.
fn string_end(bytes: &[u8], content: usize) -> usize {
    let mut at = content;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            b'\n' | b'\r' => return at,
            _ => at += 1,
        }
    }
    at.min(bytes.len())
}

/// Where the block string ends whose content begins here, if it ends.
fn block_end(bytes: &[u8], content: usize) -> Option<usize> {
    let mut at = content;
    while at < bytes.len() {
        match &bytes[at..] {
            [b'\\', b'"', b'"', b'"', ..] => at += 4,
            [b'"', b'"', b'"', ..] => return Some(at + 3),
            _ => at += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tokens_are_counted_without_comments_and_strings_inside() {
        assert!(check_text("{ a(b: \"((((((((((((((((((((((((((((((((((((((((((((((((\") } # [[[[").is_ok());
        assert!(check_text(&format!("{{ a(b: \"\"\"{}\\\"\"\"{}\"\"\") }}", "[".repeat(99), "[".repeat(99))).is_ok());
        assert!(check_text(&"a ".repeat(MAX_TOKENS)).is_ok());
        assert!(check_text(&"a ".repeat(MAX_TOKENS + 1)).is_err());
        for open in ["{", "[", "(", "{a:["] {
            assert!(check_text(&open.repeat(MAX_NESTING + 1)).is_err());
        }
        assert!(check_text("\"\\").is_ok());
    }

    #[test]
    fn what_the_parser_reads_as_several_tokens_is_not_one() {
        for unit in ["...A", "1-", "00", "-1", "1.5e3", "a.", "$a"] {
            let document = unit.repeat(MAX_TOKENS / 2 + 1);
            assert!(check_text(&document).is_err(), "{unit}");
        }
    }

    #[test]
    fn a_block_string_without_an_end_hides_nothing() {
        for start in ["\"\"\"x\"", "\"\"\"\\\"\"\"\""] {
            let document = format!("{{ a(b: [{start} {}", "[".repeat(MAX_NESTING));
            assert!(check_text(&document).is_err(), "{start}");
            assert!(check_text(&format!("{document} \"\"\"")).is_ok(), "{start}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_judged(text in "[\\[\\](){}\"\\\\#a$ \n]{0,300}") {
            let _ = check_text(&text);
        }
    }
}
