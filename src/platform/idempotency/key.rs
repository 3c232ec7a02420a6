//! Idempotency keys, as callers write them.

use axum::http::{HeaderMap, HeaderName};

use crate::base::error::ApiError;

/// The header of a request.
pub(crate) const HEADER: HeaderName = HeaderName::from_static("idempotency-key");
/// The same, as documents and errors write it.
pub(crate) const HEADER_NAME: &str = "Idempotency-Key";
/// The header of a response that replays a stored answer.
pub(crate) const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
/// The same, as documents write it.
pub(crate) const REPLAYED_NAME: &str = "Idempotency-Replayed";
/// Longest key, in characters.
pub(crate) const MAX_KEY: usize = 255;

/// A text that the caller makes up for a request, the same each time that the request is sent.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct IdempotencyKey(String);

impl IdempotencyKey {
    /// Parses a key. Fails with the rule that it breaks.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let is_printable = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        if is_printable && (1..=MAX_KEY).contains(&text.len()) {
            Ok(IdempotencyKey(text.to_owned()))
        } else {
            Err(format!("must have 1 to {MAX_KEY} printable characters of ASCII"))
        }
    }

    /// The key in the headers of a request, if there is one: a string of RFC 9651 in double quotes, or bare text, as many clients
    /// send it.
    pub(crate) fn of_headers(headers: &HeaderMap) -> Result<Option<Self>, ApiError> {
        let mut given = headers.get_all(HEADER).iter();
        let Some(value) = given.next() else { return Ok(None) };
        let key = if given.next().is_some() {
            Err("must be given once".to_owned())
        } else {
            // Whatever is not ASCII is refused below.
            let text = String::from_utf8_lossy(value.as_bytes());
            match text.strip_prefix('"') {
                Some(quoted) => unquoted(quoted)
                    .ok_or_else(|| "must end with the double quote that closes it".to_owned())
                    .and_then(|text| IdempotencyKey::parse(&text)),
                None => IdempotencyKey::parse(&text),
            }
        };
        key.map(Some).map_err(|reason| ApiError::invalid_field(HEADER_NAME, reason))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The text of a quoted string, of which the opening quote is read: a backslash stands before a quote and a backslash.
/// `None`: it is not closed, is closed too early, or has a backslash before something else.
fn unquoted(quoted: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = quoted.chars();
    loop {
        match rest.next()? {
            '"' => return rest.next().is_none().then_some(text),
            '\\' => text.push(rest.next().filter(|escaped| matches!(escaped, '"' | '\\'))?),
            plain => text.push(plain),
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn read(values: &[&[u8]]) -> Result<String, String> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(HEADER, HeaderValue::from_bytes(value).unwrap());
        }
        match IdempotencyKey::of_headers(&headers) {
            Ok(key) => Ok(key.map_or_else(|| "none".to_owned(), |key| key.0)),
            Err(error) => Err(format!("{} {}", error.violations[0].path, error.violations[0].message)),
        }
    }

    #[test]
    fn a_key_is_a_quoted_string_or_bare_text() {
        let long = "k".repeat(MAX_KEY);
        for (value, key) in [
            ("\"8e03978e-40d5-43dd-bc93-6894a57f9324\"", "8e03978e-40d5-43dd-bc93-6894a57f9324"),
            ("8e03978e-40d5-43dd-bc93-6894a57f9324", "8e03978e-40d5-43dd-bc93-6894a57f9324"),
            (r#""a \"b\" \\ c""#, r#"a "b" \ c"#),
            ("order 17: a", "order 17: a"),
            (r#"a"b"#, r#"a"b"#),
            (&long, &long),
            (&format!("\"{long}\""), &long),
        ] {
            assert_eq!(read(&[value.as_bytes()]).as_deref(), Ok(key), "{value}");
        }
        assert_eq!(read(&[]).as_deref(), Ok("none"));
    }

    #[test]
    fn any_other_is_refused() {
        let long = "k".repeat(MAX_KEY + 1);
        for (value, message) in [
            (&b""[..], "printable"),
            (b"\"\"", "printable"),
            (b"a\tb", "printable"),
            ("schl\u{fc}ssel".as_bytes(), "printable"),
            (b"\xff", "printable"),
            (long.as_bytes(), "1 to 255"),
            (b"\"open", "closes"),
            (b"\"", "closes"),
            (b"\"a\"b", "closes"),
            (b"\"a\";b=1", "closes"),
            (b"\"a\\n\"", "closes"),
        ] {
            let refused = read(&[value]).unwrap_err();
            assert!(refused.starts_with("Idempotency-Key must ") && refused.contains(message), "{value:?}: {refused}");
        }
        assert_eq!(read(&[b"a", b"a"]).unwrap_err(), "Idempotency-Key must be given once");
    }
}
