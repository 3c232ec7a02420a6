//! The service's own names, those of its subdomains, and the addresses of links.

use percent_encoding::{CONTROLS, utf8_percent_encode};
use url::Url;

use super::Config;
use crate::base::validate::{host_name, is_domain_name, is_subdomain};

impl Config {
    /// Whether a name, in lower case, is the service's own, or below it: no account can have it as a custom domain.
    pub(crate) fn is_own_name(&self, name: &str) -> bool {
        [self.base_url.host(), &self.subdomain_host, "localhost"]
            .into_iter()
            .any(|own| name.strip_suffix(own).is_some_and(|before| before.is_empty() || before.ends_with('.')))
    }

    /// Whether the name, in lower case, has the form of a custom domain or of a subdomain, as all rows of `hosts` do.
    pub(crate) fn can_be_served(&self, name: &str) -> bool {
        is_domain_name(name) || self.label_of(name).is_some_and(is_subdomain)
    }

    /// The host of an account's subdomain, whose label this is.
    pub(crate) fn host_of(&self, label: &str) -> String {
        format!("{label}.{}", self.subdomain_host)
    }

    /// The label before `.<subdomain host>`. `None`: the host, which must be in lower case, does not end so.
    pub(crate) fn label_of<'a>(&self, host: &'a str) -> Option<&'a str> {
        host.strip_suffix(self.subdomain_host.as_str())?.strip_suffix('.')
    }

    /// The host of a short URL as links have it: empty for the service's own. `None`: no link is there.
    pub(crate) fn host_of_link(&self, url: &Url) -> Option<String> {
        let host = url.host_str()?;
        if self.base_url.is_own_host(host) { Some(String::new()) } else { host_name(host) }
    }

    /// A whole short link: a URI (RFC 3986), in which the UTF-8 of characters beyond ASCII is percent-encoded. `host` is an account's, or
    /// empty for the service's own.
    pub(crate) fn short_url(&self, host: &str, slug: &str) -> String {
        let slug = utf8_percent_encode(slug, CONTROLS);
        if host.is_empty() {
            format!("{}/{slug}", self.base_url.as_str())
        } else if self.label_of(host).is_some() {
            format!("{}/{slug}", self.base_url.with_host(host))
        } else {
            format!("https://{host}/{slug}")
        }
    }
}
