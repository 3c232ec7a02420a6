//! Rules, compiled into bytes that are run as they are.
//!
//! A program is: the version of this form (`u8`), the link's id (16 bytes), the languages that conditions name (a part of texts), the
//! number of destinations (`u8`) and of each its number and where its URL begins and ends in the program (three `u16`), the outcome
//! without rules, the number of rules (`u8`), the rules (parts), the URLs. A rule is the number of its conditions (`u8`), these, and
//! its outcome. A condition is its kind, with the highest bit if it is negated (`u8`), and a part with its values. An outcome is the
//! number of its parts (`u8`), and of each its destination (its place among them) and its weight (`u8`).
//!
//! A part begins with its length (`u16`), a text with its length (`u8`). Time zones are numbers of this build's list of them: a
//! program is run by the build that compiled it, and not stored.

use std::net::IpAddr;

use chrono_tz::TZ_VARIANTS;

use crate::{
    Condition, Destination, Invalid, MAX_PROGRAM, Outcome, Rule,
    condition::Test,
    hours::stretches,
    places::{Country, folded},
    rule::check,
    values::QueryValue,
};

/// The first byte of each program.
pub(crate) const VERSION: u8 = 1;
/// The bit of a condition's kind that says that it is negated.
pub(crate) const NEGATED: u8 = 0x80;
/// Bytes of an entry in the table of destinations.
pub(crate) const ENTRY: usize = 6;
/// What a city without a country has in the place of one.
pub(crate) const ANY_COUNTRY: [u8; 2] = [0; 2];
/// How a query parameter's value is compared.
pub(crate) const IS: u8 = 0;
pub(crate) const CONTAINS: u8 = 1;

/// Rules that were compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program(Vec<u8>);

impl Program {
    /// The bytes that [`crate::decide`] and [`crate::explain`] take: at most [`MAX_PROGRAM`].
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The bytes themselves.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Compiles the rules of the link with this id; without any that matches, it leads to `default`. Control characters of URLs are left
/// out, so that none ends a header field.
///
/// # Errors
///
/// With all values that are not allowed, or if the program would have more than [`MAX_PROGRAM`] bytes.
pub fn compile(link: &[u8; 16], rules: &[Rule], default: &Outcome) -> Result<Program, Vec<Invalid>> {
    let invalid = check(rules, default);
    if !invalid.is_empty() {
        return Err(invalid);
    }
    write(link, rules, default).filter(|program| program.len() <= MAX_PROGRAM).map(Program).ok_or_else(|| {
        vec![Invalid::new("rules", format!("must have at most {MAX_PROGRAM} bytes, with all values and destinations"))]
    })
}

/// `None`: a length or position is beyond `u16`.
fn write(link: &[u8; 16], rules: &[Rule], default: &Outcome) -> Option<Vec<u8>> {
    let mut destinations: Vec<&Destination> = Vec::new();
    for destination in rules.iter().map(|rule| &rule.outcome).chain([default]).flat_map(Outcome::destinations) {
        if !destinations.iter().any(|known| known.number == destination.number) {
            destinations.push(destination);
        }
    }
    let mut bytes = vec![VERSION];
    bytes.extend(link);
    part(&mut bytes, &languages(rules))?;
    bytes.push(u8::try_from(destinations.len()).ok()?);
    let table = bytes.len();
    bytes.resize(table + destinations.len() * ENTRY, 0);
    outcome(&mut bytes, default, &destinations)?;
    bytes.push(u8::try_from(rules.len()).ok()?);
    for rule in rules {
        let mut body = vec![u8::try_from(rule.conditions.len()).ok()?];
        for Condition { test, negated } in &rule.conditions {
            body.push(test.kind() as u8 | if *negated { NEGATED } else { 0 });
            part(&mut body, &payload(test)?)?;
        }
        outcome(&mut body, &rule.outcome, &destinations)?;
        part(&mut bytes, &body)?;
    }
    for (at, destination) in destinations.iter().enumerate() {
        let from = u16::try_from(bytes.len()).ok()?;
        bytes.extend(destination.url.bytes().filter(|byte| !byte.is_ascii_control()));
        let until = u16::try_from(bytes.len()).ok()?;
        let entry = [destination.number, from, until].map(u16::to_le_bytes);
        bytes[table + at * ENTRY..][..ENTRY].copy_from_slice(entry.as_flattened());
    }
    Some(bytes)
}

/// All languages that conditions name, each once.
fn languages(rules: &[Rule]) -> Vec<u8> {
    let mut all: Vec<&str> = Vec::new();
    for condition in rules.iter().flat_map(|rule| &rule.conditions) {
        if let Test::Language(tags) = &condition.test {
            all.extend(tags.iter().map(|tag| &*tag.0));
        }
    }
    all.sort_unstable();
    all.dedup();
    let mut bytes = Vec::new();
    all.into_iter().for_each(|tag| text(&mut bytes, tag));
    bytes
}

fn outcome(bytes: &mut Vec<u8>, outcome: &Outcome, destinations: &[&Destination]) -> Option<()> {
    let place = |number: u16| u8::try_from(destinations.iter().position(|known| known.number == number)?).ok();
    match outcome {
        Outcome::To(destination) => bytes.extend([1, place(destination.number)?, 1]),
        Outcome::Split(parts) => {
            bytes.push(u8::try_from(parts.len()).ok()?);
            for part in parts {
                bytes.extend([place(part.destination.number)?, part.weight]);
            }
        }
    }
    Some(())
}

fn part(bytes: &mut Vec<u8>, content: &[u8]) -> Option<()> {
    bytes.extend(u16::try_from(content.len()).ok()?.to_le_bytes());
    bytes.extend(content);
    Some(())
}

/// A text of at most [`crate::MAX_VALUE`] bytes, as values and keys are.
fn text(bytes: &mut Vec<u8>, text: impl AsRef<[u8]>) {
    bytes.push(text.as_ref().len() as u8);
    bytes.extend(text.as_ref());
}

/// The values of a condition.
fn payload(test: &Test) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    match test {
        Test::Device(devices) => bytes.push(devices.iter().fold(0, |all, device| all | 1 << *device as u8)),
        Test::Os(names) | Test::Browser(names) => names.iter().for_each(|name| text(&mut bytes, &name.0)),
        Test::Country(countries) => countries.iter().for_each(|country| bytes.extend(country.0)),
        Test::Region(regions) => regions.iter().for_each(|region| text(&mut bytes, &region.0)),
        Test::City(cities) => {
            for city in cities {
                bytes.extend(city.country.map_or(ANY_COUNTRY, |Country(code)| code));
                let name: String = folded(&city.name).collect();
                bytes.extend(u16::try_from(name.len()).ok()?.to_le_bytes());
                bytes.extend(name.as_bytes());
            }
        }
        Test::Language(tags) => tags.iter().for_each(|tag| text(&mut bytes, &tag.0)),
        Test::Query(name, values) => {
            text(&mut bytes, name);
            for value in values {
                let (how, value) = match value {
                    QueryValue::Is(value) => (IS, value),
                    QueryValue::Contains(value) => (CONTAINS, value),
                };
                bytes.push(how);
                text(&mut bytes, value);
            }
        }
        Test::TimeWindow(zone, windows) => {
            for window in windows {
                let (from, until) = window.moments(*zone);
                bytes.extend([from, until].map(i64::to_le_bytes).as_flattened());
            }
        }
        Test::WeeklyHours(zone, hours) => {
            let number = TZ_VARIANTS.iter().position(|known| known == zone)?;
            bytes.extend(u16::try_from(number).ok()?.to_le_bytes());
            for (from, until) in stretches(hours) {
                bytes.extend([from, until].map(u16::to_le_bytes).as_flattened());
            }
        }
        Test::Referrer(hosts) => hosts.iter().for_each(|host| text(&mut bytes, host.0.as_deref().unwrap_or_default())),
        Test::Address(networks) => {
            for network in networks {
                bytes.push(network.0.prefix_len());
                match network.0.addr() {
                    IpAddr::V4(address) => text(&mut bytes, address.octets().as_slice()),
                    IpAddr::V6(address) => text(&mut bytes, address.octets().as_slice()),
                }
            }
        }
        Test::IsBot => {}
    }
    Some(bytes)
}
