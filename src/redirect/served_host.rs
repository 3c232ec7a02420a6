//! An account's host as redirects need it: the account, and the host's settings.

use std::sync::Arc;

use compact_str::CompactString;
use entity::{host, host_setting};
use quick_cache::Weighter;

use super::cache::Site;
use crate::base::{
    ids::AccountId,
    weight::{self, ByKey},
};

/// A host of an account, as the cache keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServedHost {
    /// The account whose links it serves.
    pub(crate) account: AccountId,
    /// Whether slugs are found in any case.
    pub(crate) ignores_case: bool,
    /// Whether links that do not say so themselves forward the query of a visit.
    pub(crate) forwards_query: bool,
    /// URLs for requests that no link redirects. `None`: it has none.
    urls: Option<Arc<Urls>>,
}

/// Where a host leads without a link, or after a link's end. Each is a serialised URL; `None` is nowhere.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Urls {
    /// For `/`.
    pub(crate) root: Option<Box<str>>,
    /// For paths without a link that redirects.
    pub(crate) not_found: Option<Box<str>>,
    /// For links after their end that have no URL of their own for that.
    pub(crate) expired: Option<Box<str>>,
}

impl ServedHost {
    /// The host with what its account has set for it, if anything.
    pub(crate) fn new(host: &host::Model, settings: Option<host_setting::Model>) -> Self {
        let account = AccountId(host.account_id);
        let Some(settings) = settings else {
            return ServedHost { account, ignores_case: false, forwards_query: false, urls: None };
        };
        let text = |url: Option<String>| url.map(String::into_boxed_str);
        let urls = Urls {
            root: text(settings.root_url),
            not_found: text(settings.not_found_url),
            expired: text(settings.expired_url),
        };
        let urls = (urls != Urls::default()).then(|| Arc::new(urls));
        ServedHost { account, ignores_case: settings.ignores_case, forwards_query: settings.forwards_query, urls }
    }

    /// The site at which its links are looked up.
    pub(crate) fn site<'a>(&self, name: &'a str) -> Site<'a> {
        Site { host: name, account: self.account, ignores_case: self.ignores_case }
    }

    /// One of its URLs. `None`: it leads nowhere.
    pub(crate) fn url(&self, of: impl FnOnce(&Urls) -> &Option<Box<str>>) -> Option<&str> {
        of(self.urls.as_deref()?).as_deref()
    }
}

/// Weighs names of hosts with the URLs of their settings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByHost;

impl Weighter<CompactString, ServedHost> for ByHost {
    fn weight(&self, name: &CompactString, host: &ServedHost) -> u64 {
        let urls = host.urls.as_deref().map_or(0, |urls| {
            let texts = [&urls.root, &urls.not_found, &urls.expired].into_iter().flatten();
            size_of::<Urls>() as u64 + texts.map(|url| weight::of_text(url)).sum::<u64>()
        });
        ByKey.weight(name, host) + urls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_weighs_as_much_as_its_urls() {
        let host = host::Model { name: "go.example.com".to_owned(), account_id: AccountId::new().0 };
        let weight = |root_url: Option<String>| {
            let settings = host_setting::Model {
                host: host.name.clone(),
                account_id: host.account_id,
                root_url,
                not_found_url: None,
                expired_url: None,
                ignores_case: true,
                default_tags: None,
                forwards_query: true,
            };
            ByHost.weight(&"go.example.com".into(), &ServedHost::new(&host, Some(settings)))
        };
        assert_eq!(weight(None), ByHost.weight(&"go.example.com".into(), &ServedHost::new(&host, None)));
        assert!((1_024..1_024 + 256).contains(&(weight(Some("u".repeat(1_024))) - weight(None))));
    }
}
