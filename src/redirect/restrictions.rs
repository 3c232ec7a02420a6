//! The operator's restrictions, in the memory of each node, so that redirects and signature-only routes need no query. Only
//! operators' commands add restrictions: clients can't make the memory grow.

use std::collections::{HashMap, HashSet};

use arc_swap::ArcSwap;
use compact_str::CompactString;
use sea_orm::DbErr;
use url::Host;
use uuid::Uuid;

use super::{cache::Site, restriction_repo as repo};
use crate::{
    base::{clock::UnixMillis, ids::AccountId},
    platform::db::Db,
};

/// The restrictions in force, as they were last read.
#[derive(Debug, Default)]
pub(crate) struct Restrictions(ArcSwap<Known>);

#[derive(Debug, Default)]
struct Known {
    suspended: HashSet<Uuid>,
    /// When links were blocked, by each key of their address.
    links: HashMap<CompactString, UnixMillis>,
    hosts: HashSet<String>,
}

/// The differences that [`Restrictions::reload`] found. Cached targets of these are stale.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Changed {
    /// Accounts that were suspended or restored.
    pub(crate) accounts: Vec<AccountId>,
    /// Keys of the addresses of links that were blocked or unblocked.
    pub(crate) links: Vec<CompactString>,
}

impl Restrictions {
    /// Reads all restrictions again. Evict the differences from the redirect cache after this call, not before: otherwise targets
    /// could be cached again by the old restrictions.
    pub(crate) async fn reload(&self, db: &Db) -> Result<Changed, DbErr> {
        let suspended = repo::suspended_accounts(db.read()).await?.into_iter().collect();
        let mut links = HashMap::new();
        for link in repo::blocked_links(db.read()).await? {
            let site = Site::exact(&link.host, AccountId(link.account_id));
            // If the host ignores case, the slug is blocked in any case.
            links.extend(site.keys(&link.slug).map(|key| (key, link.blocked_at)));
        }
        let hosts = repo::blocked_hosts(db.read()).await?.into_iter().map(|host| host.name).collect();
        Ok(self.replace(Known { suspended, links, hosts }))
    }

    fn replace(&self, known: Known) -> Changed {
        let before = self.0.load();
        let accounts = before.suspended.symmetric_difference(&known.suspended).copied().map(AccountId).collect();
        let only_in = |one: &Known, other: &Known| -> Vec<CompactString> {
            one.links.keys().filter(|key| !other.links.contains_key(*key)).cloned().collect()
        };
        let links = [only_in(&before, &known), only_in(&known, &before)].concat();
        self.0.store(known.into());
        Changed { accounts, links }
    }

    /// Whether the account is suspended.
    pub(crate) fn is_suspended(&self, account: AccountId) -> bool {
        self.0.load().suspended.contains(&account.0)
    }

    /// When the link at this address was blocked, also if it is gone since. None: it is not blocked.
    pub(crate) fn blocked_at(&self, site: Site<'_>, slug: &str) -> Option<UnixMillis> {
        let known = self.0.load();
        if known.links.is_empty() { None } else { known.links.get(&*site.key(slug)).copied() }
    }

    /// Whether no link may lead to the host: it, or a name above it, is blocked.
    pub(crate) fn is_blocked(&self, host: &Host<&str>) -> bool {
        let known = self.0.load();
        if known.hosts.is_empty() {
            return false;
        }
        match host {
            Host::Domain(name) => above(name).any(|name| known.hosts.contains(name)),
            address => known.hosts.contains(&address.to_string()),
        }
    }
}

/// A name in DNS, without the dot at its end, and all names above it.
pub(crate) fn above(name: &str) -> impl Iterator<Item = &str> {
    let name = name.strip_suffix('.').unwrap_or(name);
    std::iter::successors(Some(name), |name| name.split_once('.').map(|(_, above)| above))
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;

    #[test]
    fn a_host_is_blocked_with_all_below_it_and_none_beside_it() {
        let restrictions = Restrictions::default();
        let is_blocked = |url: &str| restrictions.is_blocked(&Url::parse(url).unwrap().host().unwrap());
        assert!(!is_blocked("https://evil.example/"));
        let hosts = ["evil.example", "192.0.2.1", "[2001:db8::1]"].map(str::to_owned).into();
        restrictions.replace(Known { hosts, ..Known::default() });
        for url in [
            "https://evil.example/",
            "http://EVIL.example.:8080/x?y",
            "https://a.b.evil.example/",
            "http://192.0.2.1/",
            "http://0xc0000201/",
            "http://[2001:db8:0::1]:1/",
        ] {
            assert!(is_blocked(url), "{url}");
        }
        for url in ["https://notevil.example/", "https://example/", "http://192.0.2.11/", "https://evil.example.org/"] {
            assert!(!is_blocked(url), "{url}");
        }
    }

    #[test]
    fn each_change_is_reported_once() {
        let (restrictions, account) = (Restrictions::default(), AccountId::new());
        let known = |suspended: &[AccountId], links: &[&str]| Known {
            suspended: suspended.iter().map(|account| account.0).collect(),
            links: links.iter().map(|key| ((*key).into(), 7)).collect(),
            hosts: HashSet::new(),
        };
        let own = Site::own(account);
        let changed = restrictions.replace(known(&[account], &["a", "b"]));
        assert_eq!((changed.accounts, changed.links.len()), (vec![account], 2));
        assert_eq!((restrictions.is_suspended(account), restrictions.blocked_at(own, "a")), (true, Some(7)));
        assert_eq!(restrictions.replace(known(&[account], &["a", "b"])), Changed::default());
        let changed = restrictions.replace(known(&[], &["b", "c"]));
        let links = vec!["a".into(), "c".into()];
        assert_eq!(changed, Changed { accounts: vec![account], links });
        assert_eq!((restrictions.is_suspended(account), restrictions.blocked_at(own, "a")), (false, None));
    }
}
