//! Writes a table. All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `country1` |
//! | 4 | when the data were made, in seconds since 1970 |
//! | 1, n | length and text of the name |
//! | 1, n | length and text of the licence |
//! | 1, 2 n | number of countries, and each |
//! | 4 | number of runs of IPv4 |
//! | 4 | number of runs of IPv6 |
//! | … | the runs of IPv4, then those of IPv6 |
//!
//! A run is a byte with the number of its country, 0 for none and 1 for the first, and its length, as a power of two (the lower six
//! bits of a byte) times an odd number: 1, 3 or 5 by the upper two bits, or as three set bits say with the number that follows, less
//! one and halved, in groups of seven bits. Most networks are a power of two long, so most runs take two bytes. What follows the last
//! run is of no country.

use std::{collections::BTreeMap, fmt};

use crate::{Country, MAGIC, Network, Origin, runs::UNKNOWN};

/// The upper two bits of a length whose odd factor follows.
pub(crate) const FACTOR_FOLLOWS: u8 = 3;

/// Why networks can't be written as a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// A network ends before it begins, begins before the one in front of it has ended, or has an address that there is not.
    Order(Network),
    /// There are more than 255 countries.
    Countries,
    /// A country is no two capital letters.
    Country(Country),
    /// Name or licence has more than 255 bytes, or there are more than 2^32 runs.
    Length,
}

impl fmt::Display for Unfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Order(network) => write!(formatter, "{network:?} is out of order"),
            Unfit::Countries => formatter.write_str("there are more than 255 countries"),
            Unfit::Country(code) => write!(formatter, "{} is no country", String::from_utf8_lossy(code)),
            Unfit::Length => formatter.write_str("it is too long"),
        }
    }
}

impl std::error::Error for Unfit {}

/// The bytes of a table of these networks, which are sorted; neighbours may be of one country.
///
/// # Errors
///
/// If the networks overlap or are not sorted, or there are more countries than the format can number.
pub fn encode(origin: &Origin, v4: &[Network], v6: &[Network]) -> Result<Vec<u8>, Unfit> {
    let mut numbers = BTreeMap::new();
    for Network { country, .. } in v4.iter().chain(v6) {
        if !country.iter().all(u8::is_ascii_uppercase) {
            return Err(Unfit::Country(*country));
        }
        numbers.insert(*country, 0_u8);
    }
    for (number, (_, place)) in (1_usize..).zip(&mut numbers) {
        *place = u8::try_from(number).map_err(|_| Unfit::Countries)?;
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend(origin.built_at.to_le_bytes());
    for text in [&origin.name, &origin.licence] {
        bytes.push(u8::try_from(text.len()).map_err(|_| Unfit::Length)?);
        bytes.extend(text.bytes());
    }
    bytes.push(u8::try_from(numbers.len()).map_err(|_| Unfit::Countries)?);
    bytes.extend(numbers.keys().flatten());
    let both = [runs(v4, u32::MAX.into())?, runs(v6, u64::MAX)?];
    for runs in &both {
        bytes.extend(u32::try_from(runs.len()).map_err(|_| Unfit::Length)?.to_le_bytes());
    }
    for (length, country) in both.iter().flatten() {
        bytes.push(numbers.get(country).copied().unwrap_or_default());
        push_length(&mut bytes, *length);
    }
    Ok(bytes)
}

/// Lengths and countries of the runs from address 0 to the end of the last network.
fn runs(networks: &[Network], last_address: u64) -> Result<Vec<(u64, Country)>, Unfit> {
    let mut runs: Vec<(u128, Country)> = Vec::new();
    let mut next = 0_u128;
    for network in networks {
        let (first, end) = (u128::from(network.first), u128::from(network.last) + 1);
        if first < next || end <= first || network.last > last_address {
            return Err(Unfit::Order(*network));
        }
        if first > next {
            runs.push((first - next, UNKNOWN));
        }
        match runs.last_mut() {
            Some((length, country)) if *country == network.country => *length += end - first,
            _ => runs.push((end - first, network.country)),
        }
        next = end;
    }
    // All 2^64 networks of IPv6 are one more than a length can be: they are two runs.
    let halves = |(length, country)| match u64::try_from(length) {
        Ok(length) => vec![(length, country)],
        Err(_) => vec![(1 << 63, country); 2],
    };
    Ok(runs.into_iter().flat_map(halves).collect())
}

fn push_length(bytes: &mut Vec<u8>, length: u64) {
    let power = length.trailing_zeros();
    let half = length.checked_shr(power).unwrap_or_default() >> 1;
    // A power is less than 64, since no run is empty.
    let power = u8::try_from(power).unwrap_or_default();
    if half < u64::from(FACTOR_FOLLOWS) {
        bytes.push(power | (u8::try_from(half).unwrap_or_default() << 6));
        return;
    }
    bytes.push(power | (FACTOR_FOLLOWS << 6));
    let mut rest = half;
    while rest > 0x7f {
        bytes.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}
