//! Where the service is reached.

use std::net::IpAddr;

use url::Url;

/// The service's own address.
#[derive(Clone, Debug)]
pub struct BaseUrl {
    text: String,
    host: String,
}

impl BaseUrl {
    /// The address without a slash at its end.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Its host, in lower case, without the port.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// The address with another host: same scheme, same port.
    pub(crate) fn with_host(&self, host: &str) -> String {
        self.text.replacen(&format!("://{}", self.host), &format!("://{host}"), 1)
    }

    /// Whether a host, without a port, is the service's own. Loopback names always are, so that a machine reaches its
    /// own service under any of them.
    pub(crate) fn is_own_host(&self, host: &str) -> bool {
        let host = host.strip_suffix('.').unwrap_or(host);
        host.eq_ignore_ascii_case(&self.host) || is_loopback(host)
    }

    /// Whether it is reached by TLS.
    pub(crate) fn is_https(&self) -> bool {
        self.text.starts_with("https:")
    }

    /// Whether only this machine reaches it, as in development.
    pub(crate) fn is_loopback(&self) -> bool {
        is_loopback(&self.host)
    }

    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if !text.contains("://") {
            let base_url = Self::parse(&format!("https://{text}"))?;
            let scheme = if base_url.is_loopback() { "http" } else { "https" };
            return Err(format!("has no scheme: write {scheme}://{text}"));
        }
        let shape = "must look like https://go.example.com, with nothing after the host and port";
        let url = Url::parse(text).map_err(|_| shape)?;
        let host = url.host_str().unwrap_or_default().to_owned();
        let bare = matches!(url.path(), "" | "/") && url.query().is_none() && url.fragment().is_none();
        let has_credentials = !url.username().is_empty() || url.password().is_some();
        if !matches!(url.scheme(), "http" | "https") || host.is_empty() || !bare || has_credentials {
            return Err(shape.into());
        }
        Ok(BaseUrl { text: url.as_str().trim_end_matches('/').to_owned(), host })
    }
}

pub(super) fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|ip| ip.to_canonical().is_loopback())
}
