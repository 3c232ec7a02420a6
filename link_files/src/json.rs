//! Finds links in JSON without reading it as a whole: where the list of them begins, and where each ends.

use crate::FileError;

/// The JSON value in which links stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    /// An array.
    Array,
    /// An object, in which each has a name: `{"link_1": {…}, …}` (YOURLS).
    Object,
    /// No container: links follow one another, usually one on each line (<https://jsonlines.org>).
    Lines,
}

/// Names under which services put their list of links: `data` (Kutt, Shlink in `shortUrls`), `links` (YOURLS, Bitly, Short.io),
/// `result` (YOURLS with the plugin of Shlink).
const LISTS: [&str; 5] = ["shortUrls", "data", "links", "result", "results"];

const CUT_OFF: &str = "its end is missing";

/// The result of a look at the next bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A link from here to there.
    Link(usize, usize),
    /// The list's end.
    End,
    /// The text ends before the next link does.
    More,
}

/// Finds the list: what it is, and where its first link may begin. `None`: the text ends before it is found.
pub(crate) fn find_list(text: &[u8]) -> Result<Option<(Container, usize)>, FileError> {
    let start = skip_space(text, 0);
    match text.get(start) {
        Some(b'[') => return Ok(Some((Container::Array, start + 1))),
        Some(b'{') => {}
        _ => return Err(FileError::Shape("it does not begin with a list or an object")),
    }
    let mut at = start + 1;
    loop {
        let Some((name, value)) = next_member(text, at)? else { return Ok(None) };
        let Some(name) = name else {
            // An object without a list is a link itself.
            return Ok(Some((Container::Lines, start)));
        };
        let is_list = LISTS.iter().any(|list| list.as_bytes() == name);
        match text.get(value) {
            Some(b'[') if is_list => return Ok(Some((Container::Array, value + 1))),
            Some(b'{') if is_list => {
                let Some((inner, _)) = next_member(text, value + 1)? else { return Ok(None) };
                if inner.is_some_and(|inner| inner.starts_with(b"link_")) {
                    return Ok(Some((Container::Object, value + 1)));
                }
                // Shlink's list is one object deeper.
                at = value + 1;
            }
            _ => match end_of_value(text, value)? {
                Some(end) => at = skip(text, end, b","),
                None => return Ok(None),
            },
        }
    }
}

/// The next link from here on.
pub(crate) fn next(text: &[u8], from: usize, container: Container, is_whole: bool) -> Result<Found, FileError> {
    let mut at = skip(text, from, b",");
    match (text.get(at), container) {
        (None, _) if !is_whole => return Ok(Found::More),
        (None, Container::Lines) => return Ok(Found::End),
        (None, _) => return Err(FileError::Shape(CUT_OFF)),
        (Some(b']'), Container::Array) | (Some(b'}'), Container::Object) => return Ok(Found::End),
        (Some(_), Container::Object) => match next_member(text, at)? {
            Some((Some(_), value)) => at = value,
            Some((None, _)) => return Ok(Found::End),
            None => return Ok(Found::More),
        },
        (Some(_), _) => {}
    }
    match end_of_value(text, at)? {
        Some(end) if end > at => Ok(Found::Link(at, end)),
        Some(_) => Err(FileError::Shape("a list of links has something else in it")),
        None if is_whole => Err(FileError::Shape(CUT_OFF)),
        None => Ok(Found::More),
    }
}

/// The name of an object's next member and where its value begins; no name at the object's end. `None`: the text ends before.
#[expect(clippy::type_complexity, reason = "a name that may lack, in a result that may lack")]
fn next_member(text: &[u8], from: usize) -> Result<Option<(Option<&[u8]>, usize)>, FileError> {
    let start = skip(text, from, b",");
    match text.get(start) {
        None => return Ok(None),
        Some(b'}') => return Ok(Some((None, start))),
        Some(b'"') => {}
        Some(_) => return Err(FileError::Shape("an object has a member without a name")),
    }
    let Some(end) = end_of_text(text, start) else { return Ok(None) };
    let colon = skip_space(text, end);
    match text.get(colon) {
        None => return Ok(None),
        Some(b':') => {}
        Some(_) => return Err(FileError::Shape("a member of an object has no value")),
    }
    let value = skip_space(text, colon + 1);
    Ok((value < text.len()).then_some((text.get(start + 1..end - 1), value)))
}

/// Where the value that begins here ends. `None`: the text ends before.
fn end_of_value(text: &[u8], from: usize) -> Result<Option<usize>, FileError> {
    match text.get(from) {
        None => Ok(None),
        Some(b'"') => Ok(end_of_text(text, from)),
        Some(b'{' | b'[') => {
            let (mut at, mut depth) = (from, 0_usize);
            while let Some(byte) = text.get(at) {
                match byte {
                    b'"' => {
                        let Some(end) = end_of_text(text, at) else { return Ok(None) };
                        at = end;
                        continue;
                    }
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth -= 1,
                    _ => {}
                }
                at += 1;
                if depth == 0 {
                    return Ok(Some(at));
                }
            }
            Ok(None)
        }
        // A number, true, false or null.
        Some(byte) if byte.is_ascii_alphanumeric() || *byte == b'-' => {
            let is_in = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
            let end = from + text[from..].iter().take_while(is_in).count();
            Ok((end < text.len()).then_some(end))
        }
        Some(_) => Err(FileError::Shape("a value is missing")),
    }
}

/// Where the text in quotes that begins here ends. `None`: what there is of it has no end.
fn end_of_text(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from + 1;
    loop {
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

fn skip_space(text: &[u8], from: usize) -> usize {
    skip(text, from, b"")
}

/// Skips space and these characters.
fn skip(text: &[u8], from: usize, also: &[u8]) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| byte.is_ascii_whitespace() || also.contains(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The links of a whole text.
    fn links(text: &str) -> Vec<&str> {
        let (container, mut at) = find_list(text.as_bytes()).unwrap().unwrap();
        let mut found = Vec::new();
        while let Found::Link(start, end) = next(text.as_bytes(), at, container, true).unwrap() {
            found.push(&text[start..end]);
            at = end;
        }
        found
    }

    #[test]
    fn lists_are_found_where_services_put_them() {
        for text in [
            r#"[{"a":1},{"a":2}]"#,
            "{\"a\":1}\n{\"a\":2}\n",
            r#"{"limit":10,"total":2,"data":[{"a":1},{"a":2}]}"#,
            r#"{"shortUrls":{"data":[ {"a":1} , {"a":2} ],"pagination":{"data":[3]}}}"#,
            r#"{"links":{"link_1":{"a":1},"link_2":{"a":2}},"stats":{"total_links":"2"},"statusCode":200}"#,
            r#"{"message":"success: \"ok\"]","more":{"data":1},"result":[{"a":1},{"a":2}]}"#,
        ] {
            assert_eq!(links(text), [r#"{"a":1}"#, r#"{"a":2}"#], "{text}");
        }
        assert_eq!(links(r#"[{"a":"}]\"\\"},[1],null, "x"]"#), [r#"{"a":"}]\"\\"}"#, "[1]", "null", "\"x\""]);
        assert_eq!(links("[]"), Vec::<&str>::new());
    }

    #[test]
    fn what_ends_early_is_asked_for_again() {
        let text = r#"{"total":1,"data":[{"a":"b\"c"},{"d":2}]}"#;
        let (container, first) = find_list(text.as_bytes()).unwrap().unwrap();
        for end in 0..text.len() {
            let part = &text.as_bytes()[..end];
            match find_list(part) {
                Ok(found) => assert!(found.is_none() || end >= first, "{end}"),
                Err(error) => assert!(end == 0, "{error}"),
            }
            if end >= first {
                let found = next(part, first, container, false).unwrap();
                assert!(matches!(found, Found::More) || end >= first + 12, "{end}: {found:?}");
            }
        }
    }

    #[test]
    fn what_is_no_json_is_refused() {
        assert!(find_list(b"\"text\"").is_err());
        assert!(find_list(b"{1}").is_err());
        assert!(find_list(b"{\"a\" 1}").is_err());
        assert!(next(b"{", 0, Container::Array, true).is_err());
        assert!(next(b"]", 0, Container::Lines, true).is_err());
    }
}
