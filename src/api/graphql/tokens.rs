//! The text of a document, before it is parsed. The parser recurses into literals and selections, which overflows the stack for
//! a few thousand brackets; and it is more lenient than the grammar in one place, and stricter in another.

use std::ops::Range;

use crate::{
    api::graphql::cost::exceeded,
    base::error::{ApiError, Code},
};

/// Lexical tokens of a document.
pub(crate) const MAX_TOKENS: usize = 2_000;
/// Brackets of any kind inside each other: selections, arguments, literals.
pub(crate) const MAX_NESTING: usize = 40;

/// A text that may be parsed.
#[derive(Debug)]
pub struct Text {
    pub(crate) tokens: usize,
    /// The text with a space for each ignored token and a line feed for each line terminator, of the same length: the parser does
    /// not skip a comma or a byte order mark (GraphQL specification, 2.1.5) between a name and its colon. Descriptions are spaces, too:
    /// the parser does not know those of operations, fragments and variables (September 2025 edition, 2.3).
    pub(crate) plain: String,
}

/// Counts tokens and nested brackets. Runs in linear time, without recursion, on any bytes. What the parser reads as several
/// tokens is never counted as one.
pub fn read_text(document: &str) -> Result<Text, ApiError> {
    let bytes = document.as_bytes();
    let mut plain = bytes.to_vec();
    let (mut at, mut tokens) = (0, 0);
    let mut names = Names::default();
    // A string that is a description if the next token is what can have one.
    let mut description = None;
    while let Some(byte) = bytes.get(at) {
        let begin = at;
        match byte {
            b' ' | b'\t' | b'\n' | b',' | b'\r' => {
                plain[at] = match byte {
                    b'\n' => b'\n',
                    b'\r' if bytes.get(at + 1) != Some(&b'\n') => b'\n',
                    _ => b' ',
                };
                at += 1;
                continue;
            }
            0xEF if bytes[at..].starts_with(BYTE_ORDER_MARK) => {
                plain[at..at + BYTE_ORDER_MARK.len()].fill(b' ');
                at += BYTE_ORDER_MARK.len();
                continue;
            }
            b'#' => {
                at += run(&bytes[at..], |byte| !matches!(byte, b'\n' | b'\r'));
                continue;
            }
            b'"' => {
                let content = &bytes[at..];
                let end =
                    if content.starts_with(b"\"\"\"") { block_end(bytes, at + 3) } else { string_end(bytes, at + 1) };
                at = end.ok_or_else(|| syntax_error("a string has no end"))?;
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
        // Letters after a digit are the rest of a number.
        let is_of_number = byte.is_ascii_alphabetic() && begin > 0 && bytes[begin - 1].is_ascii_digit();
        let token = bytes.get(begin..at).unwrap_or_default();
        if let Some(string) = description.take().filter(|_| names.may_be_described(token)) {
            let string: Range<usize> = string;
            plain[string].iter_mut().filter(|byte| !matches!(*byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
        }
        if *byte == b'"' && names.takes_description() {
            description = Some(begin..at);
            continue;
        }
        if !is_of_number {
            names.read(token)?;
        }
    }
    names.read(b"")?;
    if let Some(name) = names.without_colon {
        return Err(syntax_error(&format!("a colon is expected after {}", String::from_utf8_lossy(name))));
    }
    let plain = String::from_utf8(plain).unwrap_or_else(|_| document.to_owned());
    Ok(Text { tokens, plain })
}

const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

fn syntax_error(reason: &str) -> ApiError {
    ApiError::new(Code::GraphqlParseFailed, format!("Syntax error: {reason}."))
}

/// Tracks the open brackets, and finds a name of an argument, or of an input object's field, that has no colon: the parser would
/// ignore it.
#[derive(Default)]
struct Names<'a> {
    open: Vec<u8>,
    previous: &'a [u8],
    needs_colon: Option<&'a [u8]>,
    /// The first name of an argument or field that has no colon after it. `None`: there was none so far.
    without_colon: Option<&'a [u8]>,
}

impl<'a> Names<'a> {
    /// Whether a description may stand here: before a definition, or before a variable's.
    fn takes_description(&self) -> bool {
        self.open.is_empty() || (*self.open == [b'('] && !matches!(self.previous, b":" | b"="))
    }

    /// Whether what begins with this token may have a description.
    fn may_be_described(&self, token: &[u8]) -> bool {
        if self.open.is_empty() {
            matches!(token, b"query" | b"mutation" | b"subscription" | b"fragment")
        } else {
            token == b"$"
        }
    }

    fn read(&mut self, token: &'a [u8]) -> Result<(), ApiError> {
        if let Some(name) = self.needs_colon.take()
            && token != b":"
        {
            self.without_colon.get_or_insert(name);
        }
        match token.first() {
            Some(b'(' | b'[' | b'{') => self.open.extend_from_slice(token),
            Some(b')' | b']' | b'}') => drop(self.open.pop()),
            Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' => {
                let is_in_arguments =
                    self.open.last() == Some(&b'(') || (self.open.last() == Some(&b'{') && self.open.contains(&b'('));
                // After these comes the name of a variable or of a directive, a value, or a type.
                if is_in_arguments && !matches!(self.previous, b"$" | b"@" | b":" | b"=") {
                    self.needs_colon = Some(token);
                }
            }
            _ => {}
        }
        if self.open.len() > MAX_NESTING {
            return Err(exceeded("nested brackets", MAX_NESTING));
        }
        self.previous = token;
        Ok(())
    }
}

/// Bytes at the start that belong together.
fn run(bytes: &[u8], belongs: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|byte| !belongs(*byte)).unwrap_or(bytes.len())
}

/// Where the string ends whose content begins here, if it ends in its line.
fn string_end(bytes: &[u8], content: usize) -> Option<usize> {
    let mut at = content;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b'"' => return Some(at + 1),
            b'\n' | b'\r' => return None,
            _ => at += 1,
        }
    }
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
        assert!(read_text("{ a(b: \"((((((((((((((((((((((((((((((((((((((((((((((((\") } # [[[[").is_ok());
        assert!(read_text(&format!("{{ a(b: \"\"\"{}\\\"\"\"{}\"\"\") }}", "[".repeat(99), "[".repeat(99))).is_ok());
        assert!(read_text(&"a ".repeat(MAX_TOKENS)).is_ok());
        assert!(read_text(&"a ".repeat(MAX_TOKENS + 1)).is_err());
        for open in ["{", "[", "(", "{a:["] {
            assert!(read_text(&open.repeat(MAX_NESTING + 1)).is_err());
        }
        assert!(read_text("\"\\").is_err());
    }

    #[test]
    fn names_of_arguments_need_a_colon() {
        for (document, is_refused) in [
            (
                "query A($a: Int! = 1 @d(b: c) $e: [F!]) { g(h: $a, i: {j: k, l: [m n {o: p}]}) @q(r: s) { t u: v } }",
                false,
            ),
            ("{ a(b: 1 c) }", true),
            ("{ a(b c: 1) }", true),
            ("{ a(b: {c d: 1}) }", true),
            ("{ a(b: [{c: 1 d}]) }", true),
            ("{ a @b(c true) }", true),
            ("query(a: Int) { a }", false),
            ("{ a(b", true),
            ("{ a(b: 1e3, c: 1.5E-2, d: -0) }", false),
        ] {
            assert_eq!(read_text(document).is_err(), is_refused, "{document}");
        }
    }

    #[test]
    fn ignored_tokens_become_spaces_outside_of_strings() {
        let document = "\u{FEFF}{ a,:b(c: \"x,\u{FEFF}y\", d: \"\"\"z,\r\n\"\"\") # e,f\r\n,...,G\r}";
        let plain = "   { a :b(c: \"x,\u{FEFF}y\"  d: \"\"\"z,\r\n\"\"\") # e,f \n ... G\n}";
        assert_eq!(read_text(document).unwrap().plain, plain);
    }

    #[test]
    fn descriptions_become_spaces() {
        let document = "\"\"\"All\n ä \"\"\" query A(\"which\" $a: String = \"x\", \"\" $b: [String!] = [\"y\"] @d(e: \"z\")) { c(a: \"k\") ...F }\
            # a\n \"of c\" # b\n fragment F on C { d }";
        let plain = read_text(document).unwrap().plain;
        assert_eq!(plain.len(), document.len());
        let words: Vec<&str> = plain.split_whitespace().collect();
        let expected = "query A( $a: String = \"x\" $b: [String!] = [\"y\"] @d(e: \"z\")) { c(a: \"k\") ...F }# a # b fragment F on C { d }";
        assert_eq!(words.join(" "), expected);
        assert_eq!(plain.lines().count(), document.lines().count());
        // The shorthand has no place for one, and nothing has two.
        for refused in ["\"x\" { a }", "\"x\" \"y\" query { a }", "query(\"x\") { a }", "query($a: Int \"x\") { a }"] {
            assert!(read_text(refused).unwrap().plain.contains('"'), "{refused}");
        }
    }

    #[test]
    fn what_the_parser_reads_as_several_tokens_is_not_one() {
        for unit in ["...A", "1-", "00", "-1", "1.5e3", "a.", "$a"] {
            let document = unit.repeat(MAX_TOKENS / 2 + 1);
            assert!(read_text(&document).is_err(), "{unit}");
        }
    }

    #[test]
    fn a_string_without_an_end_is_refused() {
        for string in ["\"\"\"x\"", "\"\"\"\\\"\"\"", "\"x", "\"\n\"", "\"\r\"", "\"x\\\"", "\"\"\""] {
            assert!(read_text(&format!("{{ a(b: {string}")).is_err(), "{string}");
        }
        assert!(read_text("{ a(b: \"\", c: \"\"\"\"\"\") }").is_ok());
    }

    proptest! {
        #[test]
        fn any_text_is_judged(text in "[\\[\\](){}\"\\\\#a$ \n]{0,300}") {
            let _ = read_text(&text);
        }
    }
}
