//! The cookie of a session (RFC 6265bis), and the requests that may bear it.

use axum::http::{HeaderMap, HeaderValue, header};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::base::{
    clock::{Millis, SECOND},
    config::BaseUrl,
    error::{ApiError, Code},
    random,
};

/// The session's: no request that another site causes bears it.
const SESSION: Cookie = Cookie { name: "linkgraph", same_site: "Strict" };
/// That of a sign-in by the identity provider, whose answer comes as a link from there.
pub(crate) const SIGN_IN: Cookie = Cookie { name: "linkgraph-sign-in", same_site: "Lax" };

/// A field that forms can't send, and scripts of other origins only after a preflight, which is refused.
pub(crate) const MARK: &str = "x-linkgraph";

/// A cookie of the service's host alone, which no script reads.
pub(crate) struct Cookie {
    name: &'static str,
    same_site: &'static str,
}

impl Cookie {
    /// With TLS a name that browsers take for a secure cookie of this host alone (RFC 6265bis §4.1.3.2), and refuse without.
    fn name(&self, base_url: &BaseUrl) -> String {
        format!("{}{}", if base_url.is_https() { "__Host-" } else { "" }, self.name)
    }

    /// The value in a request. `None`: there is no such cookie.
    pub(crate) fn value<'a>(&self, headers: &'a HeaderMap, base_url: &BaseUrl) -> Option<&'a str> {
        let own = self.name(base_url);
        let fields = headers.get_all(header::COOKIE).iter().filter_map(|field| field.to_str().ok());
        let mut pairs = fields.flat_map(|field| field.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(name, _)| *name == own).map(|(_, value)| value)
    }

    /// The field `Set-Cookie`. `max_age`: how long the browser keeps it; none: until the browser is closed.
    pub(crate) fn set(
        &self,
        base_url: &BaseUrl,
        value: &str,
        max_age: Option<Millis>,
    ) -> Result<HeaderValue, ApiError> {
        let (name, same_site) = (self.name(base_url), self.same_site);
        let secure = if base_url.is_https() { "; Secure" } else { "" };
        let max_age = max_age.map(|max_age| format!("; Max-Age={}", max_age / SECOND)).unwrap_or_default();
        let field = format!("{name}={value}; Path=/; HttpOnly; SameSite={same_site}{secure}{max_age}");
        field.parse().map_err(ApiError::internal)
    }

    /// The field `Set-Cookie` that removes it.
    pub(crate) fn removal(&self, base_url: &BaseUrl) -> Result<HeaderValue, ApiError> {
        self.set(base_url, "", Some(0))
    }
}

/// The secret of a session: 32 random bytes.
pub(crate) struct Secret([u8; 32]);

impl Secret {
    pub(crate) fn generate() -> Result<Self, ApiError> {
        random::bytes().map(Secret).map_err(ApiError::internal)
    }

    /// As it is stored: SHA-256.
    pub(crate) fn hash(&self) -> Vec<u8> {
        Sha256::digest(self.0).to_vec()
    }

    /// Whether it is the one whose hash is stored, in constant time.
    pub(crate) fn is(&self, stored: &[u8]) -> bool {
        self.hash().ct_eq(stored).into()
    }

    /// The secret in the request's cookie; none when there is no such cookie, or what it holds can't be one.
    pub(crate) fn of(headers: &HeaderMap, base_url: &BaseUrl) -> Option<Self> {
        let value = SESSION.value(headers, base_url)?;
        Some(Secret(URL_SAFE_NO_PAD.decode(value).ok()?.try_into().ok()?))
    }

    /// The field `Set-Cookie`. `max_age`: how long the browser keeps it; none: until the browser is closed.
    pub(crate) fn set_cookie(&self, base_url: &BaseUrl, max_age: Option<Millis>) -> Result<HeaderValue, ApiError> {
        SESSION.set(base_url, &URL_SAFE_NO_PAD.encode(self.0), max_age)
    }
}

/// The field `Set-Cookie` that removes the cookie.
pub(crate) fn removal(base_url: &BaseUrl) -> Result<HeaderValue, ApiError> {
    SESSION.removal(base_url)
}

/// Refuses a request that a page of another origin may have caused: browsers say so in `Sec-Fetch-Site` (Fetch Metadata), and
/// those that do not, as without TLS, name the page's origin.
pub(crate) fn check_origin(headers: &HeaderMap) -> Result<(), ApiError> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let is_same_origin = match (headers.get("sec-fetch-site"), text("origin"), text("host")) {
        (Some(site), ..) => site == "same-origin",
        (None, Some(origin), Some(host)) => {
            origin.split_once("://").is_some_and(|(_, authority)| authority.eq_ignore_ascii_case(host))
        }
        // No browser sends a POST or a DELETE without either.
        (None, None, _) => true,
        (None, Some(_), None) => false,
    };
    if is_same_origin && text(MARK) == Some("1") {
        return Ok(());
    }
    let message = format!("This takes a request from a page of this service, with the header {MARK}: 1.");
    Err(ApiError::new(Code::Forbidden, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(fields: &[(&'static str, &'static str)]) -> HeaderMap {
        fields.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn a_cookie_is_read_as_it_was_set() {
        for (base_url, start, end) in [
            ("https://sho.rt", "__Host-linkgraph=", "; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=90"),
            ("http://localhost:8080", "linkgraph=", "; Path=/; HttpOnly; SameSite=Strict; Max-Age=90"),
        ] {
            let base_url = BaseUrl::parse(base_url).unwrap();
            let secret = Secret::generate().unwrap();
            let set = secret.set_cookie(&base_url, Some(90_999)).unwrap();
            let set = set.to_str().unwrap();
            assert!(set.starts_with(start) && set.ends_with(end), "{set}");
            let pair = format!("a=b; {}", set.split(';').next().unwrap());
            let sent = HeaderMap::from_iter([(header::COOKIE, pair.parse().unwrap())]);
            assert!(Secret::of(&sent, &base_url).unwrap().is(&secret.hash()));
            assert!(!Secret::generate().unwrap().is(&secret.hash()));
            let removed = removal(&base_url).unwrap();
            let gone = HeaderMap::from_iter([(header::COOKIE, removed)]);
            assert!(Secret::of(&gone, &base_url).is_none());
        }
        let base_url = BaseUrl::parse("https://sho.rt").unwrap();
        for cookie in ["linkgraph=AAAA", "__Host-linkgraph=", "__Host-linkgraph=AAAA", "__Host-linkgraph", ""] {
            assert!(Secret::of(&headers(&[("cookie", cookie)]), &base_url).is_none(), "{cookie}");
        }
    }

    #[test]
    fn pages_of_other_origins_are_refused() {
        let marked = (MARK, "1");
        for (fields, is_taken) in [
            (&[marked, ("sec-fetch-site", "same-origin")][..], true),
            (&[marked, ("sec-fetch-site", "same-origin"), ("origin", "null")], true),
            (&[marked], true),
            (&[marked, ("origin", "http://10.0.0.7:8080"), ("host", "10.0.0.7:8080")], true),
            (&[("sec-fetch-site", "same-origin")], false),
            (&[(MARK, "0"), ("sec-fetch-site", "same-origin")], false),
            (&[marked, ("sec-fetch-site", "same-site")], false),
            (&[marked, ("sec-fetch-site", "cross-site"), ("origin", "http://a"), ("host", "a")], false),
            (&[marked, ("sec-fetch-site", "none")], false),
            (&[marked, ("origin", "http://10.0.0.7:8081"), ("host", "10.0.0.7:8080")], false),
            (&[marked, ("origin", "null"), ("host", "10.0.0.7:8080")], false),
            (&[marked, ("origin", "http://a")], false),
            (&[], false),
        ] {
            assert_eq!(check_origin(&headers(fields)).is_ok(), is_taken, "{fields:?}");
        }
    }
}
