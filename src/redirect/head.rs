//! The parts of a request that a redirect reads.

use std::{borrow::Cow, net::IpAddr};

use axum::http::{HeaderName, Request, header};

use crate::{
    base::{
        config::Config,
        validate::{MAX_DOMAIN, without_port},
    },
    platform::{auth::client::client_address, http::pages::visitor::Language},
};

/// A request's line and the fields that matter, wherever they were parsed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head<'a> {
    /// `GET` and so on.
    pub(crate) method: &'a str,
    /// The path, as it came.
    pub(crate) path: &'a str,
    /// The query string: everything after the first `?`.
    pub(crate) query: &'a str,
    /// `User-Agent`. This and the three fields below are empty if the request has none.
    pub(crate) user_agent: &'a [u8],
    pub(crate) referrer: &'a [u8],
    pub(crate) accept_language: &'a [u8],
    pub(crate) authorization: &'a [u8],
    /// Whether a browser prefetches the page, or shows a preview of it.
    pub(crate) is_prefetch: bool,
    /// The authority in the request's line, or else `Host`.
    host: Option<&'a [u8]>,
    forwarded_host: Option<&'a [u8]>,
    forwarded_for: Vec<&'a [u8]>,
}

impl<'a, B> From<&'a Request<B>> for Head<'a> {
    fn from(request: &'a Request<B>) -> Self {
        let uri = request.uri();
        let mut head = Head::new(request.method().as_str(), uri.path(), uri.query().unwrap_or_default());
        head.host = uri.authority().map(|authority| authority.as_str().as_bytes());
        for (name, value) in request.headers() {
            head.note(name.as_str(), value.as_bytes());
        }
        head
    }
}

impl<'a> Head<'a> {
    /// The head of a request without header fields.
    pub(crate) fn new(method: &'a str, path: &'a str, query: &'a str) -> Self {
        Head { method, path, query, ..Head::default() }
    }

    /// The same with another referrer.
    pub(crate) fn with_referrer<'b>(&self, referrer: &'b [u8]) -> Head<'b>
    where
        'a: 'b,
    {
        Head { referrer, ..self.clone() }
    }

    /// Reads a header field. Of several with one name the first counts, but for the forwarded host and addresses.
    pub(crate) fn note(&mut self, name: &str, value: &'a [u8]) {
        let is = |known: &HeaderName| name.eq_ignore_ascii_case(known.as_str());
        let first = |field: &mut &'a [u8]| {
            if field.is_empty() {
                *field = value;
            }
        };
        if is(&header::HOST) {
            self.host.get_or_insert(value);
        } else if is(&header::USER_AGENT) {
            first(&mut self.user_agent);
        } else if is(&header::REFERER) {
            first(&mut self.referrer);
        } else if is(&header::ACCEPT_LANGUAGE) {
            first(&mut self.accept_language);
        } else if is(&header::AUTHORIZATION) {
            first(&mut self.authorization);
        } else if is(&FORWARDED_HOST) {
            // The last of several was added by the nearest proxy, which is the trusted one.
            self.forwarded_host = Some(value);
        } else if is(&FORWARDED_FOR) {
            self.forwarded_for.push(value);
        } else if PREFETCH.iter().any(is) {
            let value = text(value);
            self.is_prefetch |= value.contains("prefetch") || value.contains("preview");
        }
    }

    /// The visitor's language, for pages.
    pub(crate) fn language(&self) -> &'static Language {
        Language::of(self.accept_language)
    }

    /// Whether the method is GET or HEAD.
    pub(crate) fn is_reading(&self) -> bool {
        matches!(self.method, "GET" | "HEAD")
    }

    /// The address of the client that asks, which a trusted proxy may tell.
    pub(crate) fn client(&self, config: &Config, peer: IpAddr) -> IpAddr {
        client_address(peer, self.forwarded_for.iter().copied(), &config.trusted_proxies)
    }

    /// The host that the request names. `None`: the service's own, or none. `Some(None)`: a name that no account can have, which is
    /// neither looked up nor cached.
    pub(crate) fn foreign_host(&self, config: &Config, peer: IpAddr) -> Option<Option<Cow<'a, str>>> {
        let host = without_port(self.named_host(config, peer)?);
        if config.base_url.is_own_host(host) {
            return None;
        }
        let name = host.strip_suffix('.').unwrap_or(host);
        if name.len() > MAX_DOMAIN.unsigned_abs() as usize {
            return Some(None);
        }
        let name = if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(name.to_ascii_lowercase())
        } else {
            Cow::Borrowed(name)
        };
        Some(Some(name).filter(|name| config.can_be_served(name)))
    }

    /// The authority that the request names, or that a trusted proxy names in `X-Forwarded-Host`.
    fn named_host(&self, config: &Config, peer: IpAddr) -> Option<&'a str> {
        if let Some(forwarded) = self.forwarded_host
            && config.trusted_proxies.iter().any(|network| network.contains(&peer.to_canonical()))
        {
            return text(forwarded).rsplit(',').next().map(str::trim);
        }
        self.host.map(text)
    }
}

const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
/// Header fields by which browsers announce a prefetch (Fetch specification, `Sec-Purpose`); `X-Purpose` is of older Safaris.
const PREFETCH: [HeaderName; 4] = [
    HeaderName::from_static("sec-purpose"),
    HeaderName::from_static("purpose"),
    HeaderName::from_static("x-purpose"),
    HeaderName::from_static("x-moz"),
];

/// The value as text. Bytes that are not UTF-8 become `?`, which is no host name.
fn text(value: &[u8]) -> &str {
    std::str::from_utf8(value).unwrap_or("?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefetches_of_browsers_are_recognised() {
        let prefetch = |name: &str, value: &'static str| {
            let mut head = Head::default();
            head.note(name, value.as_bytes());
            head.is_prefetch
        };
        for (name, value) in [
            ("sec-purpose", "prefetch"),
            ("Sec-Purpose", "prefetch;prerender"),
            ("sec-purpose", "prefetch;anonymous-client-ip"),
            ("sec-purpose", "prefetch;prerender;preview"),
            ("purpose", "prefetch"),
            ("purpose", "preview"),
            ("x-purpose", "preview"),
            ("X-Moz", "prefetch"),
        ] {
            assert!(prefetch(name, value), "{name}: {value}");
        }
        for (name, value) in
            [("sec-purpose", ""), ("purpose", "navigation"), ("x-moz", "livebookmarks"), ("referer", "prefetch")]
        {
            assert!(!prefetch(name, value), "{name}: {value}");
        }
    }

    #[test]
    fn of_several_fields_the_first_counts() {
        let mut head = Head::new("GET", "/a", "");
        for (name, value) in [("Host", "one"), ("HOST", "two"), ("user-agent", "first"), ("User-Agent", "second")] {
            head.note(name, value.as_bytes());
        }
        assert_eq!((head.host, head.user_agent), (Some(&b"one"[..]), &b"first"[..]));
    }
}
