//! What rules ask about a visit, each at most once.

use std::net::IpAddr;

use chrono_tz::{TZ_VARIANTS, Tz};

use crate::{Damaged, Device, hours::minute_of_week, language::preferred};

/// Facts that a user agent tells. `None`: it does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agent<'a> {
    /// The device.
    pub device: Option<Device>,
    /// Family of the operating system.
    pub os: Option<&'a str>,
    /// Family of the browser, or the app that shows the page in itself.
    pub browser: Option<&'a str>,
    /// Whether it is a bot's.
    pub is_bot: bool,
}

/// What tells visitors apart where a link is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visitor<'a> {
    /// The client's network, as statistics have it: an address of IPv4 (mapped to IPv6), or the /64 of one of IPv6.
    pub network: [u8; 16],
    /// The user agent.
    pub user_agent: &'a [u8],
}

/// A visit. A method is called when the first condition asks, and once at most; what is asked by none is not read.
pub trait Visit {
    /// Facts about the user agent.
    fn agent(&self) -> Agent<'_>;
    /// The country: ISO 3166-1 alpha-2, in capital letters. `None`: it is unknown.
    fn country(&self) -> Option<[u8; 2]>;
    /// The region: ISO 3166-2, such as `DE-BY`. `None`: it is unknown.
    fn region(&self) -> Option<&str>;
    /// The city's name, in English. `None`: it is unknown.
    fn city(&self) -> Option<&str>;
    /// The header `Accept-Language`; empty where there is none.
    fn accept_language(&self) -> &str;
    /// The query of the short URL as it was sent, without its `?`; empty where there is none.
    fn query(&self) -> &str;
    /// The time, in Unix milliseconds.
    fn now(&self) -> i64;
    /// The host of the page that the visit comes from. `None`: the visit does not say.
    fn referrer_host(&self) -> Option<&str>;
    /// The client's address. `None`: it is unknown.
    fn address(&self) -> Option<IpAddr>;
    /// What the visitor is told apart by.
    fn visitor(&self) -> Visitor<'_>;
}

/// A visit with what was already asked.
pub(crate) struct Seen<'v, V> {
    pub(crate) visit: &'v V,
    /// The texts of all languages in the program.
    languages: &'v [u8],
    agent: Option<Agent<'v>>,
    country: Option<Option<[u8; 2]>>,
    region: Option<Option<&'v str>>,
    city: Option<Option<&'v str>>,
    language: Option<Option<&'v str>>,
    query: Option<&'v str>,
    now: Option<i64>,
    /// A zone's number, and the minute of the week there.
    minute: Option<(u16, Option<u16>)>,
    referrer_host: Option<Option<&'v str>>,
    address: Option<Option<IpAddr>>,
}

impl<'v, V: Visit> Seen<'v, V> {
    pub(crate) fn new(visit: &'v V, languages: &'v [u8]) -> Self {
        Seen {
            visit,
            languages,
            agent: None,
            country: None,
            region: None,
            city: None,
            language: None,
            query: None,
            now: None,
            minute: None,
            referrer_host: None,
            address: None,
        }
    }

    pub(crate) fn agent(&mut self) -> Agent<'v> {
        *self.agent.get_or_insert_with(|| self.visit.agent())
    }

    pub(crate) fn country(&mut self) -> Option<[u8; 2]> {
        *self.country.get_or_insert_with(|| self.visit.country())
    }

    pub(crate) fn region(&mut self) -> Option<&'v str> {
        *self.region.get_or_insert_with(|| self.visit.region())
    }

    pub(crate) fn city(&mut self) -> Option<&'v str> {
        *self.city.get_or_insert_with(|| self.visit.city())
    }

    pub(crate) fn query(&mut self) -> &'v str {
        self.query.get_or_insert_with(|| self.visit.query())
    }

    pub(crate) fn now(&mut self) -> i64 {
        *self.now.get_or_insert_with(|| self.visit.now())
    }

    pub(crate) fn referrer_host(&mut self) -> Option<&'v str> {
        *self.referrer_host.get_or_insert_with(|| self.visit.referrer_host())
    }

    /// The address; an IPv4-mapped one of IPv6 is that of IPv4.
    pub(crate) fn address(&mut self) -> Option<IpAddr> {
        *self.address.get_or_insert_with(|| self.visit.address().map(|address| address.to_canonical()))
    }

    /// The language that the visitor prefers among those of the program.
    pub(crate) fn language(&mut self) -> Result<Option<&'v str>, Damaged> {
        if self.language.is_none() {
            self.language = Some(preferred(self.visit.accept_language(), self.languages)?);
        }
        Ok(self.language.flatten())
    }

    /// The minute of the week in the zone with this number. Most programs name one zone: the last is remembered.
    pub(crate) fn minute(&mut self, number: u16) -> Result<Option<u16>, Damaged> {
        if let Some((known, minute)) = self.minute
            && known == number
        {
            return Ok(minute);
        }
        let zone: Tz = *TZ_VARIANTS.get(usize::from(number)).ok_or(Damaged)?;
        let minute = minute_of_week(zone, self.now());
        self.minute = Some((number, minute));
        Ok(minute)
    }
}
