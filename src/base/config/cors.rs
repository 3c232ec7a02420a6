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
    let origins = entries(text).map(origin).collect::<Result<Vec<_>, _>>()?;
    if origins.is_empty() {
        return Err("must be * or origins such as https://app.example.com, separated by commas".into());
    }
    Ok(CorsOrigins::Only(origins))
}

/// An origin has the same parts as a base URL. A pattern such as `https://*.example.com` would match no origin.
fn origin(text: &str) -> Result<HeaderValue, String> {
    let url = BaseUrl::parse(text).ok().filter(|_| !text.contains('*'));
    let origin = url.and_then(|url| HeaderValue::from_str(url.as_str()).ok());
    origin.ok_or_else(|| format!("{text} is not an origin, such as https://app.example.com"))
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
    }
}
