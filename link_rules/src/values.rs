//! Values of conditions as texts, but for places and times: each is read from its text and written in its normal form.

use std::{fmt, net::IpAddr, str::FromStr};

use ipnet::{IpNet, Ipv4Net};
use serde::{Deserialize, Serialize};

/// Bytes of a host's name (RFC 1035, 2.3.4), and of each label.
const MAX_HOST: usize = 253;
const MAX_LABEL: usize = 63;
/// Bits of the prefix of IPv4-mapped IPv6 addresses (RFC 4291, 2.5.5.2).
const MAPPED: u8 = 96;

/// A visitor's device. Televisions, consoles and glasses are none of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Device {
    /// A phone.
    Mobile,
    /// A tablet, if its user agent says so: that of an iPad is a Mac's.
    Tablet,
    /// A desktop computer or a laptop.
    Desktop,
}

impl Device {
    const ALL: [(Device, &'static str); 3] =
        [(Device::Mobile, "MOBILE"), (Device::Tablet, "TABLET"), (Device::Desktop, "DESKTOP")];
}

impl FromStr for Device {
    type Err = &'static str;

    /// Reads a name in any case: `mobile` as a click has it, or `MOBILE`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Device::ALL.into_iter().find(|(_, name)| name.eq_ignore_ascii_case(text.trim()));
        known.map(|(device, _)| device).ok_or("MOBILE, TABLET or DESKTOP")
    }
}

impl fmt::Display for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Device::ALL.into_iter().find(|(device, _)| device == self);
        formatter.write_str(known.map_or("", |(_, name)| name))
    }
}

/// The name of an operating system or browser, compared without case.
#[derive(Clone, Debug)]
pub(crate) struct Name(pub(crate) String);

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl FromStr for Name {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.trim();
        if name.is_empty() { Err("a name, such as iOS or Safari") } else { Ok(Name(name.to_owned())) }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A language tag in the case that RFC 5646 recommends (2.1.1): `pt-BR` for `pt-br`. Fails, saying what it must be, for a text that is none.
pub fn language_tag(text: &str) -> Result<String, &'static str> {
    text.parse().map(|Tag(tag)| tag)
}

/// A language tag (RFC 5646), in the case that the RFC recommends (2.1.1).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tag(pub(crate) String);

impl FromStr for Tag {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut tag = String::with_capacity(text.len());
        let (mut is_well_formed, mut after_singleton) = (true, false);
        for (at, subtag) in text.trim().split('-').enumerate() {
            is_well_formed &=
                (1..=8).contains(&subtag.len()) && subtag.bytes().all(|byte| byte.is_ascii_alphanumeric());
            is_well_formed &= at > 0 || subtag.len() > 1 && subtag.bytes().all(|byte| byte.is_ascii_alphabetic());
            let mut subtag = subtag.to_ascii_lowercase();
            match subtag.len() {
                2 if at > 0 && !after_singleton => subtag.make_ascii_uppercase(),
                4 if at > 0 && !after_singleton => subtag[..1].make_ascii_uppercase(),
                _ => {}
            }
            after_singleton |= subtag.len() == 1;
            tag = if at == 0 { subtag } else { tag + "-" + &subtag };
        }
        // What ends with a singleton names nothing.
        is_well_formed &= tag.rsplit('-').next().is_some_and(|last| last.len() > 1);
        if is_well_formed { Ok(Tag(tag)) } else { Err("a language tag of BCP 47, such as fr or pt-BR; * is none") }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// What a query parameter's value has to be: `=text` or `~text`. Case counts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum QueryValue {
    /// This text; it may be empty.
    Is(String),
    /// A text in which this one is.
    Contains(String),
}

impl FromStr for QueryValue {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match (text.strip_prefix('='), text.strip_prefix('~')) {
            (Some(text), _) => Ok(QueryValue::Is(text.to_owned())),
            (_, Some(text)) if !text.is_empty() => Ok(QueryValue::Contains(text.to_owned())),
            _ => {
                Err("= and the parameter's value, or ~ and a part of it; without values, the parameter has to be there")
            }
        }
    }
}

impl fmt::Display for QueryValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QueryValue::Is(text) => write!(formatter, "={text}"),
            QueryValue::Contains(text) => write!(formatter, "~{text}"),
        }
    }
}

/// A host, in lower case, which stands for its subdomains, too. `None`: the visit has no referrer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Referrer(pub(crate) Option<String>);

/// What `Referrer(None)` is in texts.
const NO_REFERRER: &str = "none";

impl FromStr for Referrer {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let host = text.trim().trim_end_matches('.').to_ascii_lowercase();
        if host == NO_REFERRER {
            return Ok(Referrer(None));
        }
        let is_label = |label: &str| {
            (1..=MAX_LABEL).contains(&label.len())
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
                && !label.starts_with('-')
                && !label.ends_with('-')
        };
        if host.len() <= MAX_HOST && host.split('.').all(is_label) {
            return Ok(Referrer(Some(host)));
        }
        Err(
            "a host such as example.com, in ASCII and without scheme, port and path, or none for visits without referrer",
        )
    }
}

impl fmt::Display for Referrer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.as_deref().unwrap_or(NO_REFERRER))
    }
}

/// A network; one of IPv4-mapped IPv6 addresses is the network of IPv4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Network(pub(crate) IpNet);

impl FromStr for Network {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let network = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        let network = network.map_err(|_| "a network such as 192.0.2.0/24 or 2001:db8::/32, or an address")?.trunc();
        let mapped = |bits: u8| {
            let IpAddr::V4(address) = network.addr().to_canonical() else { return None };
            Ipv4Net::new(address, bits).ok()
        };
        let of_v4 = match network {
            IpNet::V6(_) => network.prefix_len().checked_sub(MAPPED).and_then(mapped),
            IpNet::V4(_) => None,
        };
        Ok(Network(of_v4.map_or(network, IpNet::V4)))
    }
}

impl fmt::Display for Network {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
