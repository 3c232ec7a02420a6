//! Visits and rules of tests.

pub(crate) mod allocations;
pub(crate) mod plain;
pub(crate) mod random;

use std::{cell::Cell, net::IpAddr};

use link_rules::{Agent, Condition, Destination, Device, Kind, Outcome, Part, Rule, Visit, Visitor, Written};

/// The id of the link.
pub(crate) const LINK: [u8; 16] = *b"0123456789abcdef";

/// A visit, which counts what it is asked, in the order of [`Visit`]'s methods.
#[derive(Clone, Debug, Default)]
pub(crate) struct Person {
    pub(crate) device: Option<Device>,
    pub(crate) os: Option<String>,
    pub(crate) browser: Option<String>,
    pub(crate) is_bot: bool,
    pub(crate) country: Option<[u8; 2]>,
    pub(crate) region: Option<String>,
    pub(crate) city: Option<String>,
    pub(crate) accept_language: String,
    pub(crate) query: String,
    pub(crate) now: i64,
    pub(crate) referrer_host: Option<String>,
    pub(crate) address: Option<IpAddr>,
    pub(crate) network: [u8; 16],
    pub(crate) user_agent: String,
    pub(crate) asked: [Cell<u32>; 10],
}

impl Person {
    fn ask(&self, what: usize) {
        self.asked[what].set(self.asked[what].get() + 1);
    }

    /// How often each was asked.
    pub(crate) fn asked(&self) -> [u32; 10] {
        self.asked.each_ref().map(Cell::get)
    }
}

impl Visit for Person {
    fn agent(&self) -> Agent<'_> {
        self.ask(0);
        Agent { device: self.device, os: self.os.as_deref(), browser: self.browser.as_deref(), is_bot: self.is_bot }
    }

    fn country(&self) -> Option<[u8; 2]> {
        self.ask(1);
        self.country
    }

    fn region(&self) -> Option<&str> {
        self.ask(2);
        self.region.as_deref()
    }

    fn city(&self) -> Option<&str> {
        self.ask(3);
        self.city.as_deref()
    }

    fn accept_language(&self) -> &str {
        self.ask(4);
        &self.accept_language
    }

    fn query(&self) -> &str {
        self.ask(5);
        &self.query
    }

    fn now(&self) -> i64 {
        self.ask(6);
        self.now
    }

    fn referrer_host(&self) -> Option<&str> {
        self.ask(7);
        self.referrer_host.as_deref()
    }

    fn address(&self) -> Option<IpAddr> {
        self.ask(8);
        self.address
    }

    fn visitor(&self) -> Visitor<'_> {
        self.ask(9);
        Visitor { network: self.network, user_agent: self.user_agent.as_bytes() }
    }
}

/// A condition as a caller writes it: `!COUNTRY DE|FR`, `QUERY(ref) =a`.
pub(crate) fn written(kind: Kind, key: Option<&str>, values: &[&str]) -> Written {
    let values = values.iter().map(|value| (*value).to_owned()).collect();
    Written { kind, values, key: key.map(str::to_owned), negated: false }
}

/// The same condition, read.
pub(crate) fn condition(kind: Kind, key: Option<&str>, values: &[&str]) -> Condition {
    Condition::read(&written(kind, key, values)).unwrap()
}

/// A destination with this number, and a URL of its own.
pub(crate) fn destination(number: u16) -> Destination {
    Destination { number, url: format!("https://example.com/{number}") }
}

/// A rule that leads to the destination with this number.
pub(crate) fn rule(number: u16, conditions: Vec<Condition>) -> Rule {
    Rule { conditions, outcome: Outcome::To(destination(number)) }
}

/// A split among destinations with these numbers and weights.
pub(crate) fn split(parts: &[(u16, u8)]) -> Outcome {
    let parts = parts.iter().map(|(number, weight)| Part { destination: destination(*number), weight: *weight });
    Outcome::Split(parts.collect())
}

/// The size of a test that can be larger: from the environment, or the usual one.
pub(crate) fn setting(name: &str, usual: u32) -> u32 {
    std::env::var(name).map_or(usual, |size| size.parse().unwrap())
}

/// Random numbers: SplitMix64 (Steele, Lea and Flood, 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// From 0 on, less than `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }
}
