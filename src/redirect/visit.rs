//! What rules ask about a request. Each fact is read when a condition asks for it.

use std::{borrow::Cow, cell::OnceCell, net::IpAddr};

use compact_str::CompactString;
use link_rules::{Agent, Visit, Visitor};

use super::{Redirects, head::Head};
use crate::{
    base::clock::UnixMillis,
    clicks::{
        agent,
        click::Area,
        texts::{referrer_host, user_agent},
    },
    platform::auth::client::ClientNet,
};

/// A request for a link with rules or a split.
pub(super) struct RequestVisit<'a> {
    redirects: &'a Redirects,
    head: &'a Head<'a>,
    client: IpAddr,
    /// Whether an app asks, whose HTTP client may be one that bots use, too.
    is_app: bool,
    area: OnceCell<Area>,
    referrer_host: OnceCell<Cow<'a, str>>,
}

impl<'a> RequestVisit<'a> {
    pub(super) fn new(redirects: &'a Redirects, head: &'a Head<'a>, peer: IpAddr) -> Self {
        let client = head.client(&redirects.config, peer);
        RequestVisit { redirects, head, client, is_app: false, area: OnceCell::new(), referrer_host: OnceCell::new() }
    }

    /// The visit of an app at this address.
    pub(super) fn of_app(redirects: &'a Redirects, head: &'a Head<'a>, client: IpAddr) -> Self {
        RequestVisit { redirects, head, client, is_app: true, area: OnceCell::new(), referrer_host: OnceCell::new() }
    }

    fn area(&self) -> &Area {
        self.area.get_or_init(|| self.redirects.clicks.geoip.area(self.client))
    }
}

/// Facts about a user agent, as rules know them.
pub(crate) fn facts(agent: agent::Agent) -> Agent<'static> {
    Agent {
        device: agent.device.and_then(|device| device.parse().ok()),
        os: agent.os,
        browser: agent.browser,
        is_bot: agent.is_bot,
    }
}

impl Visit for RequestVisit<'_> {
    fn agent(&self) -> Agent<'_> {
        let facts = facts(self.redirects.clicks.agents.read(&user_agent(self.head.user_agent)));
        Agent { is_bot: facts.is_bot && !self.is_app, ..facts }
    }

    fn country(&self) -> Option<[u8; 2]> {
        self.redirects.clicks.geoip.country(self.client)
    }

    fn region(&self) -> Option<&str> {
        self.area().region.as_ref().map(CompactString::as_str)
    }

    fn city(&self) -> Option<&str> {
        self.area().city.as_ref().map(CompactString::as_str)
    }

    fn accept_language(&self) -> &str {
        std::str::from_utf8(self.head.accept_language).unwrap_or_default()
    }

    fn query(&self) -> &str {
        self.head.query
    }

    fn now(&self) -> UnixMillis {
        self.redirects.clock.now()
    }

    fn referrer_host(&self) -> Option<&str> {
        let host = self.referrer_host.get_or_init(|| referrer_host(self.head.referrer));
        Some(&**host).filter(|host| !host.is_empty())
    }

    fn address(&self) -> Option<IpAddr> {
        Some(self.client)
    }

    fn visitor(&self) -> Visitor<'_> {
        Visitor { network: ClientNet::from(self.client).octets(), user_agent: self.head.user_agent }
    }
}
