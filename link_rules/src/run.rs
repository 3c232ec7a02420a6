//! Runs a program: decides where a visit is led, and explains why.

use std::{borrow::Cow, net::IpAddr, ops::Range};

use crate::{
    Damaged, Kind, Visit,
    bytes::Reader,
    language::begins_with,
    places::folded,
    program::{ANY_COUNTRY, ENTRY, IS, NEGATED, VERSION},
    split,
    visit::Seen,
};

/// Bytes of a query that conditions look at, so that a long one can't be searched for long by many of them.
const MAX_QUERY: usize = 2 * 1024;

/// Where a visit is led.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The place, from 0 on, of the rule that matched. `None`: none did.
    pub rule: Option<usize>,
    /// The number of the destination.
    pub destination: u16,
    /// Where in the program its URL is.
    pub url: Range<usize>,
}

/// What became of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// All its conditions held: the visit is led by it.
    Matched,
    /// The condition with this place, from 0 on, is the first that did not hold.
    Failed(usize),
    /// An earlier rule matched.
    NotReached,
}

/// A decision, and why it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What became of each rule.
    pub rules: Vec<Judged>,
    /// Where the visit is led.
    pub decision: Decision,
}

/// Decides where a visit is led. Nothing is allocated, but for parameters of a query with escapes.
///
/// # Errors
///
/// If the bytes are no program of this build.
pub fn decide(program: &[u8], visit: &impl Visit) -> Result<Decision, Damaged> {
    run(program, visit, |_| {})
}

/// Decides as [`decide`] does, and says what became of each rule.
///
/// # Errors
///
/// If the bytes are no program of this build.
pub fn explain(program: &[u8], visit: &impl Visit) -> Result<Explanation, Damaged> {
    let mut rules = Vec::new();
    let decision = run(program, visit, |judged| rules.push(judged))?;
    Ok(Explanation { rules, decision })
}

fn run(program: &[u8], visit: &impl Visit, mut tell: impl FnMut(Judged)) -> Result<Decision, Damaged> {
    let mut reader = Reader(program);
    if reader.byte()? != VERSION {
        return Err(Damaged);
    }
    let link = reader.array()?;
    let languages = reader.part()?;
    let count = usize::from(reader.byte()?);
    let destinations = reader.take(count * ENTRY)?;
    let mut outcome = parts(&mut reader)?;
    let mut seen = Seen::new(visit, languages.0);
    let mut matched = None;
    for place in 0..usize::from(reader.byte()?) {
        let mut rule = reader.part()?;
        let judged = if matched.is_some() { Judged::NotReached } else { judge(&mut rule, &mut seen)? };
        if judged == Judged::Matched {
            outcome = parts(&mut rule)?;
            matched = Some(place);
        }
        tell(judged);
    }
    let place = match outcome.0 {
        [place, _] => *place,
        parts => {
            let parts = parts.as_chunks().0.iter();
            let numbered = parts.map(|[place, weight]| Ok((*place, entry(destinations, *place)?.0, *weight)));
            split::choose(&link, visit.visitor(), numbered)?.ok_or(Damaged)?
        }
    };
    let (destination, from, until) = entry(destinations, place)?;
    let url = from.into()..until.into();
    program.get(url.clone()).ok_or(Damaged)?;
    Ok(Decision { rule: matched, destination, url })
}

/// The parts of an outcome: of each, place and weight.
fn parts<'a>(reader: &mut Reader<'a>) -> Result<Reader<'a>, Damaged> {
    let count = usize::from(reader.byte()?);
    reader.take(count * 2)
}

/// The number of the destination at this place, and where its URL begins and ends.
fn entry(Reader(destinations): Reader<'_>, place: u8) -> Result<(u16, u16, u16), Damaged> {
    let mut entry = Reader(destinations.get(usize::from(place) * ENTRY..).ok_or(Damaged)?);
    Ok((entry.short()?, entry.short()?, entry.short()?))
}

/// Judges a rule; if it matches, its outcome is what is still to be read.
fn judge<V: Visit>(rule: &mut Reader<'_>, seen: &mut Seen<'_, V>) -> Result<Judged, Damaged> {
    for place in 0..usize::from(rule.byte()?) {
        let head = rule.byte()?;
        let kind = Kind::ALL.get(usize::from(head & !NEGATED)).ok_or(Damaged)?;
        if holds(*kind, rule.part()?, seen)? == (head & NEGATED != 0) {
            return Ok(Judged::Failed(place));
        }
    }
    Ok(Judged::Matched)
}

/// Whether one of the values is true of the visit. What is unknown is none of them.
fn holds<V: Visit>(kind: Kind, mut values: Reader<'_>, seen: &mut Seen<'_, V>) -> Result<bool, Damaged> {
    let names = |values: Reader<'_>, known: Option<&str>| {
        known.map_or(Ok(false), |known| values.any(Reader::text, |name| known.as_bytes().eq_ignore_ascii_case(name)))
    };
    match kind {
        Kind::Device => {
            let devices = values.byte()?;
            Ok(seen.agent().device.is_some_and(|device| devices & 1 << device as u8 != 0))
        }
        Kind::Os => names(values, seen.agent().os),
        Kind::Browser => names(values, seen.agent().browser),
        Kind::Country => {
            let country = seen.country();
            values.any(Reader::array, |code| Some(code) == country)
        }
        Kind::Region => names(values, seen.region()),
        Kind::City => {
            let Some(city) = seen.city() else { return Ok(false) };
            while !values.is_empty() {
                let (code, name) = (values.array()?, values.part()?);
                let name = std::str::from_utf8(name.0).map_err(|_| Damaged)?;
                if folded(city).eq(name.chars()) && (code == ANY_COUNTRY || Some(code) == seen.country()) {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Kind::Language => match seen.language()? {
            Some(range) => values.any(Reader::text, |tag| begins_with(range, tag)),
            None => Ok(false),
        },
        Kind::Query => has_parameter(seen.query(), values),
        Kind::TimeWindow => {
            let now = seen.now();
            values.any(|values| Ok(values.long()?..values.long()?), |window| window.contains(&now))
        }
        Kind::WeeklyHours => match seen.minute(values.short()?)? {
            Some(minute) => values.any(|values| Ok(values.short()?..values.short()?), |hours| hours.contains(&minute)),
            None => Ok(false),
        },
        Kind::Referrer => {
            let referrer = seen.referrer_host();
            values.any(Reader::text, |host| match referrer {
                Some(referrer) => is_below(referrer, host),
                None => host.is_empty(),
            })
        }
        Kind::Address => {
            let Some(address) = seen.address() else { return Ok(false) };
            values.any(|values| Ok((values.byte()?, values.text()?)), |(bits, network)| is_in(address, network, bits))
        }
        Kind::IsBot => Ok(seen.agent().is_bot),
    }
}

/// Whether the query has the parameter, with one of the values if there are any.
fn has_parameter(query: &str, mut values: Reader<'_>) -> Result<bool, Damaged> {
    let name = values.text()?;
    let query = query.as_bytes();
    let pairs = form_urlencoded::parse(query.get(..MAX_QUERY).unwrap_or(query));
    let found = pairs.filter(|(known, _)| known.as_bytes() == name).map(|(_, value)| value);
    let is_one = |value: Cow<'_, str>| {
        let is = |(how, text): (u8, &[u8])| {
            if how == IS {
                value.as_bytes() == text
            } else {
                std::str::from_utf8(text).is_ok_and(|text| value.contains(text))
            }
        };
        values.any(|values| Ok((values.byte()?, values.text()?)), is)
    };
    for value in found {
        if values.is_empty() || is_one(value)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the name is the host or one below it. Both are in ASCII.
fn is_below(name: &str, host: &[u8]) -> bool {
    let Some(before) = name.len().checked_sub(host.len()) else { return false };
    let (below, end) = name.as_bytes().split_at(before);
    !host.is_empty() && end.eq_ignore_ascii_case(host) && matches!(below, [] | [.., b'.'])
}

/// Whether the address is in the network: the bits that count are the same.
fn is_in(address: IpAddr, network: &[u8], bits: u8) -> bool {
    match (address, <[u8; 4]>::try_from(network), <[u8; 16]>::try_from(network)) {
        (IpAddr::V4(address), Ok(network), _) => {
            let differing = address.to_bits() ^ u32::from_be_bytes(network);
            differing.leading_zeros() >= bits.into()
        }
        (IpAddr::V6(address), _, Ok(network)) => {
            let differing = address.to_bits() ^ u128::from_be_bytes(network);
            differing.leading_zeros() >= bits.into()
        }
        _ => false,
    }
}
