//! The origins whose pages may call the API.

use axum::http::HeaderValue;

use super::{base_url::BaseUrl, reader::entries};

/// The origins (RFC 6454) from which browsers may call the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CorsOrigins {
    Any,
    /// Only these, in the form that browsers send in `Origin`.
    Only(Vec<HeaderValue>),
}

pub(super) fn parse(text: &str) -> Result<CorsOrigins, String> {
    if text == "*" {
        return Ok(CorsOrigins::Any);
    }
    let origins = entries(text).map(|text| {
        let origin = origin(text).and_then(|origin| HeaderValue::try_from(origin).ok());
        origin.ok_or_else(|| format!("{text} is not an origin, such as https://app.example.com"))
    });
    let origins = origins.collect::<Result<Vec<_>, _>>()?;
    if origins.is_empty() {
        return Err("must be * or origins such as https://app.example.com, separated by commas".into());
    }
    Ok(CorsOrigins::Only(origins))
}

/// The origin (RFC 6454) that a text names, in the form that browsers send. It has the same parts as a base URL. A pattern such as
/// `https://*.example.com` would match no origin, and hosts of URLs may have characters that end a value of a header, which no name of a host
/// has.
pub(crate) fn origin(text: &str) -> Option<String> {
    let url = BaseUrl::parse(text).ok()?;
    let is_of_origin = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:/[]".contains(&byte);
    url.as_str().bytes().all(is_of_origin).then(|| url.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_read_as_browsers_write_them() {
        let only = |origins: &[&'static str]| {
            Ok(CorsOrigins::Only(origins.iter().map(|origin| HeaderValue::from_static(origin)).collect()))
        };
        assert_eq!(parse("*"), Ok(CorsOrigins::Any));
        assert_eq!(parse("https://app.example.com"), only(&["https://app.example.com"]));
        assert_eq!(
            parse("HTTPS://App.Example.com:443/, http://[::1]:3000 ,"),
            only(&["https://app.example.com", "http://[::1]:3000"])
        );
        assert_eq!(parse("https://bücher.example"), only(&["https://xn--bcher-kva.example"]));
        for none in ["https://*.example.com", "https://a.example;script-src", "https://a.example/b", "null", ""] {
            assert_eq!(origin(none), None, "{none}");
        }
    }
}
