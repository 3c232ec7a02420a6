//! Reads a table, whatever its bytes are; the format is described where it is written.

use std::fmt;

use crate::{
    Country, MAGIC, Origin, Table,
    encode::FACTOR_FOLLOWS,
    runs::{Runs, UNKNOWN},
};

/// Bytes are no table of this version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

impl fmt::Display for Damaged {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the bytes are no table of countries")
    }
}

impl std::error::Error for Damaged {}

pub(crate) fn table(bytes: &[u8]) -> Result<Table, Damaged> {
    let mut bytes = Bytes(bytes);
    if bytes.take(MAGIC.len())? != MAGIC {
        return Err(Damaged);
    }
    let origin = Origin { built_at: bytes.u32()?, name: bytes.text()?, licence: bytes.text()? };
    let mut countries = vec![UNKNOWN];
    for _ in 0..bytes.byte()? {
        countries.push(bytes.array()?);
    }
    let (of_v4, of_v6) = (bytes.u32()?, bytes.u32()?);
    let v4 = runs(&mut bytes, of_v4, &countries, u32::MAX.into(), |start| start as u32)?;
    let v6 = runs(&mut bytes, of_v6, &countries, u64::MAX, |start| start)?;
    if !bytes.0.is_empty() {
        return Err(Damaged);
    }
    Ok(Table { origin, v4, v6 })
}

/// `address` makes an address of a number that is at most `last`.
fn runs<A: Copy + Ord + Into<u64>>(
    bytes: &mut Bytes<'_>,
    number: u32,
    countries: &[Country],
    last: u64,
    address: fn(u64) -> A,
) -> Result<Runs<A>, Damaged> {
    // Each takes two bytes at least: a number that is wrong reserves no memory.
    let number = usize::try_from(number).ok().filter(|number| *number <= bytes.0.len() / 2).ok_or(Damaged)?;
    let mut runs = Runs::with_room(number + 1);
    // `None`: the last address has been.
    let mut start = Some(0_u64);
    for _ in 0..number {
        let from = start.ok_or(Damaged)?;
        let country = *countries.get(usize::from(bytes.byte()?)).ok_or(Damaged)?;
        let to = from.checked_add(bytes.length()? - 1).filter(|to| *to <= last).ok_or(Damaged)?;
        runs.push(address(from), country);
        start = (to < last).then(|| to + 1);
    }
    if let Some(start) = start {
        runs.push(address(start), UNKNOWN);
    }
    Ok(runs)
}

/// The bytes that have not been read yet.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], Damaged> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Damaged> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(Damaged)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn byte(&mut self) -> Result<u8, Damaged> {
        let [byte] = self.array()?;
        Ok(byte)
    }

    fn u32(&mut self) -> Result<u32, Damaged> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn text(&mut self) -> Result<String, Damaged> {
        let length = self.byte()?;
        let text = self.take(length.into())?;
        String::from_utf8(text.to_vec()).map_err(|_| Damaged)
    }

    /// The length of a run: 1 or more.
    fn length(&mut self) -> Result<u64, Damaged> {
        let byte = self.byte()?;
        let half = match byte >> 6 {
            FACTOR_FOLLOWS => self.number()?,
            half => half.into(),
        };
        let factor = half.checked_mul(2).and_then(|double| double.checked_add(1)).ok_or(Damaged)?;
        let power = u32::from(byte & 0x3f);
        if power > factor.leading_zeros() {
            return Err(Damaged);
        }
        Ok(factor << power)
    }

    /// A number in groups of seven bits.
    fn number(&mut self) -> Result<u64, Damaged> {
        let mut number = 0_u64;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Damaged)
    }
}
