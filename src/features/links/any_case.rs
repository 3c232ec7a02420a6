//! Slugs on hosts that ignore case. No unique index covers them: a change that creates a link there, gives a link another address, or
//! makes a host ignore case locks the account's row.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use entity::link;
use sea_orm::ConnectionTrait;
use uuid::Uuid;

use crate::{
    app::App,
    base::{error::ApiError, ids::AccountId},
    features::links::place::site,
    records::{domains::hosts::settings_repo, links::slug_repo},
    redirect::cache::Site,
};

/// The hosts of one account that ignore case, out of those that were asked for.
#[derive(Debug, Default)]
pub(crate) struct IgnoringHosts(HashSet<String>);

impl IgnoringHosts {
    /// Selects the hosts that ignore case. The result holds until the transaction ends, if the account's row is locked.
    pub(crate) async fn among<'a>(
        tx: &impl ConnectionTrait,
        account: AccountId,
        hosts: impl Iterator<Item = &'a str>,
    ) -> Result<Self, ApiError> {
        let hosts: BTreeSet<&str> = hosts.filter(|host| !host.is_empty()).collect();
        Ok(IgnoringHosts(settings_repo::ignoring_case(tx, account, hosts).await?))
    }

    /// The site at which visitors find the link.
    pub(crate) fn site<'a>(&self, link: &'a link::Model) -> Site<'a> {
        self.on(site(link))
    }

    /// The site, as its host takes case.
    pub(crate) fn on<'a>(&self, site: Site<'a>) -> Site<'a> {
        Site { ignores_case: self.0.contains(site.host), ..site }
    }

    /// Ids of the links, as they are to be stored, whose address is blocked or another link's if case is ignored. Of several that
    /// clash with each other, the first may have the address.
    pub(crate) async fn clashing<'a>(
        &self,
        app: &App,
        tx: &impl ConnectionTrait,
        account: AccountId,
        links: impl Iterator<Item = &'a link::Model>,
    ) -> Result<HashSet<Uuid>, ApiError> {
        let (mut wanted, mut clashing) = (BTreeMap::new(), HashSet::new());
        for link in links.filter(|link| self.0.contains(&link.host)) {
            let is_blocked = app.redirects.restrictions.blocked_at(self.site(link), &link.slug).is_some();
            let place = (link.host.as_str(), link.slug.to_ascii_lowercase());
            if is_blocked || wanted.contains_key(&place) {
                clashing.insert(link.id);
            } else {
                wanted.insert(place, link.id);
            }
        }
        if wanted.is_empty() {
            return Ok(clashing);
        }
        let places = wanted.keys().map(|(host, slug)| (*host, slug.as_str()));
        for taken in slug_repo::taken(tx, account, places).await? {
            let link = wanted.get(&(taken.host.as_str(), taken.slug.to_ascii_lowercase()));
            clashing.extend(link.filter(|link| **link != taken.id));
        }
        Ok(clashing)
    }
}
