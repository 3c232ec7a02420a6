//! State of redirects, shared by all connections.

use std::sync::Arc;

use tokio::sync::Notify;

use super::{
    cache::RedirectCache,
    host_cache::HostCache,
    limits::{self, Uses},
    lookups::{self, Lookups},
    reserved::Reserved,
    restrictions::Restrictions,
    stale::OwnChanges,
};
use crate::{
    base::{clock::Clock, config::Config, metrics::Metrics},
    clicks::Clicks,
    platform::{
        auth::{password::Passwords, revocation::Revocations, watchers::Watchers},
        db::{Db, Purpose},
        http::rate_limit::Limits,
    },
};

/// State of redirects: caches, and what fills and evicts them.
pub struct Redirects {
    pub(crate) config: Arc<Config>,
    pub(crate) clock: Clock,
    pub(crate) db: Db,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) clicks: Arc<Clicks>,
    pub(crate) cache: RedirectCache,
    /// Accounts by the hosts that requests come to.
    pub(crate) hosts: HostCache,
    /// Slugs that are being looked up.
    pub(crate) lookups: Arc<Lookups>,
    /// Redirects of links with a limit, which are being counted.
    pub(crate) uses: Arc<Uses>,
    /// Says that there may be jobs to do.
    pub(crate) jobs_due: Arc<Notify>,
    /// Slugs that links can't have on the service's own host.
    pub(crate) reserved_slugs: Reserved,
    /// Compares passwords of links.
    pub(crate) passwords: Arc<Passwords>,
    /// Limits of guesses at them.
    pub(crate) limits: Arc<Limits>,
    /// Suspended accounts, blocked links and hosts.
    pub(crate) restrictions: Restrictions,
    /// Numbers of this node's own changes in the feed.
    pub(crate) own_changes: OwnChanges,
    /// User tokens that ended before they expire: the feed of changes tells of them as well.
    pub(crate) revocations: Revocations,
    /// Open sockets, which check their credentials again when the feed of changes says so.
    pub(crate) watchers: Arc<Watchers>,
}

impl Redirects {
    /// Creates the state with empty caches.
    pub(crate) fn new(
        config: &Arc<Config>,
        clock: &Clock,
        db: &Db,
        metrics: &Arc<Metrics>,
        clicks: &Arc<Clicks>,
        reserved_slugs: Reserved,
        (passwords, limits): (&Arc<Passwords>, &Arc<Limits>),
    ) -> Self {
        Redirects {
            config: Arc::clone(config),
            clock: clock.clone(),
            db: db.of_purpose(Purpose::Redirects),
            metrics: Arc::clone(metrics),
            clicks: Arc::clone(clicks),
            cache: RedirectCache::default(),
            hosts: HostCache::default(),
            lookups: lookups::lookups(),
            uses: limits::uses(),
            jobs_due: Arc::default(),
            reserved_slugs,
            passwords: Arc::clone(passwords),
            limits: Arc::clone(limits),
            restrictions: Restrictions::default(),
            own_changes: OwnChanges::default(),
            revocations: Revocations::default(),
            watchers: Arc::default(),
        }
    }
}
