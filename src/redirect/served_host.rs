//! An account's host as redirects need it: the account, and the host's settings.

use std::sync::Arc;

use compact_str::CompactString;
use entity::{host, host_app, host_page, host_setting};
use quick_cache::Weighter;

use super::{
    association::{self, read},
    cache::Site,
};
use crate::{
    base::{
        config::BaseUrl,
        ids::AccountId,
        validate::color,
        weight::{self, ByKey},
    },
    platform::http::pages::visitor::Brand,
};

/// A host of an account, as the cache keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServedHost {
    /// The account whose links it serves.
    pub(crate) account: AccountId,
    /// The account whose links it serves, too, while a transfer moves them. `None`: there is none.
    former: Option<AccountId>,
    /// Whether slugs are found in any case.
    pub(crate) ignores_case: bool,
    /// Whether links that do not say so themselves forward the query of a visit.
    pub(crate) forwards_query: bool,
    /// Whether a link of it is a pattern: paths without a link are looked up by patterns.
    pub(crate) has_patterns: bool,
    /// Answers to requests that no link redirects. `None`: it has none of its own.
    own: Option<Arc<OwnAnswers>>,
}

/// A host's answers where no link redirects. URLs are serialised, and `None` is nowhere.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct OwnAnswers {
    /// For `/`.
    pub(crate) root: Option<Box<str>>,
    /// For paths without a link that redirects.
    pub(crate) not_found: Option<Box<str>>,
    /// For links after their end that have no URL of their own for that.
    pub(crate) expired: Option<Box<str>>,
    /// For `/favicon.ico`.
    pub(crate) favicon: Option<Box<str>>,
    /// The file `/robots.txt`. `None`: the usual one.
    pub(crate) robots: Option<Box<str>>,
    /// The contact in `/.well-known/security.txt`. `None`: the service's.
    pub(crate) security_contact: Option<Box<str>>,
    /// The file that says which apps of Apple's systems open its links.
    pub(crate) apple_apps: Option<Box<str>>,
    /// The file that says which Android apps open its links.
    pub(crate) android_apps: Option<Box<str>>,
    /// Look and texts of the pages that visitors see. `None`: the service's.
    brand: Option<Box<Brand>>,
}

impl OwnAnswers {
    /// Bytes of memory that they take.
    fn weight(&self) -> u64 {
        let OwnAnswers { root, not_found, expired, favicon, robots, security_contact, apple_apps, android_apps, brand } =
            self;
        let texts = [root, not_found, expired, favicon, robots, security_contact, apple_apps, android_apps];
        let texts: u64 = texts.into_iter().flatten().map(|text| weight::of_text(text)).sum();
        size_of::<Self>() as u64 + texts + brand.as_deref().map_or(0, Brand::weight)
    }
}

impl ServedHost {
    /// The host with what its account has set for it, if anything.
    pub(crate) fn new(
        host: &host::Model,
        settings: Option<host_setting::Model>,
        apps: Option<&host_app::Model>,
        brand: Option<Brand>,
        has_patterns: bool,
    ) -> Self {
        let (account, former) = (AccountId(host.account_id), host.former_account_id.map(AccountId));
        let (ignores_case, forwards_query) =
            settings.as_ref().map_or((false, false), |settings| (settings.ignores_case, settings.forwards_query));
        let text = |text: Option<String>| text.map(String::into_boxed_str);
        let mut own = OwnAnswers {
            apple_apps: text(apps.and_then(association::apple_file)),
            android_apps: text(apps.and_then(association::android_file)),
            brand: brand.map(Box::new),
            ..OwnAnswers::default()
        };
        if let Some(settings) = settings {
            own = OwnAnswers {
                root: text(settings.root_url),
                not_found: text(settings.not_found_url),
                expired: text(settings.expired_url),
                favicon: text(settings.favicon_url),
                robots: text(settings.robots_text),
                security_contact: text(settings.security_contact),
                ..own
            };
        }
        let own = (own != OwnAnswers::default()).then(|| Arc::new(own));
        ServedHost { account, former, ignores_case, forwards_query, has_patterns, own }
    }

    /// The site at which its links are looked up.
    pub(crate) fn site<'a>(&self, name: &'a str) -> Site<'a> {
        Site { host: name, account: self.account, former: self.former, ignores_case: self.ignores_case }
    }

    /// Look and texts of its pages. `None`: the service's.
    pub(crate) fn brand(&self) -> Option<&Brand> {
        self.own.as_deref()?.brand.as_deref()
    }

    /// One of its own answers. `None`: it has none of this kind.
    pub(crate) fn own(&self, of: impl FnOnce(&OwnAnswers) -> &Option<Box<str>>) -> Option<&str> {
        of(self.own.as_deref()?).as_deref()
    }
}

/// Look and texts as they are stored.
pub(super) fn brand(pages: &host_page::Model, base_url: &BaseUrl) -> Brand {
    let stored = |text: &Option<String>| text.as_deref().and_then(|text| color(text).ok());
    let logo = pages.logo.as_deref().map(|path| format!("{}{path}", base_url.as_str()));
    Brand::new(stored(&pages.accent_color), stored(&pages.background_color), logo, read(&pages.texts))
}

/// Weighs names of hosts with their own answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByHost;

impl Weighter<CompactString, ServedHost> for ByHost {
    fn weight(&self, name: &CompactString, host: &ServedHost) -> u64 {
        ByKey.weight(name, host) + host.own.as_deref().map_or(0, OwnAnswers::weight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_weighs_as_much_as_its_urls() {
        let host =
            host::Model { name: "go.example.com".to_owned(), account_id: AccountId::new().0, former_account_id: None };
        let weight = |root_url: Option<String>| {
            let settings = host_setting::Model {
                host: host.name.clone(),
                account_id: host.account_id,
                root_url,
                not_found_url: None,
                expired_url: None,
                favicon_url: None,
                robots_text: None,
                security_contact: None,
                ignores_case: true,
                default_tags: None,
                forwards_query: true,
                updated_at: 0,
            };
            ByHost.weight(&"go.example.com".into(), &ServedHost::new(&host, Some(settings), None, None, false))
        };
        assert_eq!(
            weight(None),
            ByHost.weight(&"go.example.com".into(), &ServedHost::new(&host, None, None, None, false))
        );
        assert!((1_024..1_024 + 256).contains(&(weight(Some("u".repeat(1_024))) - weight(None))));
    }
}
