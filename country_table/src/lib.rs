//! Networks of the internet and their countries: a table of public-domain data that is part of a binary, and how such a table is
//! written and read. The crate is independent of linkgraph's service.
//!
//! `data/countries.bin` is made by `scripts/country-table`. A table in a file is a list of runs, one after the other from the first
//! address to the last, each with a country (or none) and a length; in memory it is two arrays, and a look-up a binary search.

mod decode;
mod encode;
mod runs;

use std::{net::IpAddr, sync::OnceLock};

use runs::Runs;

pub use self::{
    decode::Damaged,
    encode::{Unfit, encode},
};

/// The data that `scripts/country-table` made.
const BUILT_IN: &[u8] = include_bytes!("../data/countries.bin");

/// The first bytes of a table; the digit is the version of the format.
const MAGIC: &[u8; 8] = b"country1";

/// A country: ISO 3166-1 alpha-2, in capital letters.
pub type Country = [u8; 2];

/// The origin of a table's data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Name of the publisher's data set, such as `IPtoASN`.
    pub name: String,
    /// SPDX identifier of the licence.
    pub licence: String,
    /// When the publisher made it: seconds since 1970-01-01T00:00:00Z.
    pub built_at: u32,
}

/// A network's addresses and its country.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    /// The first address: of IPv4 its 32 bits, of IPv6 the upper 64 bits.
    pub first: u64,
    /// The last address, in the same way.
    pub last: u64,
    /// Where it is.
    pub country: Country,
}

/// A table in memory.
#[derive(Debug, Default)]
pub struct Table {
    origin: Origin,
    v4: Runs<u32>,
    v6: Runs<u64>,
}

impl Table {
    /// The table of this build; it is decoded at the first call.
    pub fn built_in() -> &'static Table {
        static TABLE: OnceLock<Table> = OnceLock::new();
        // Tests read the same bytes: an empty table, which knows no country, is never seen.
        TABLE.get_or_init(|| Table::read(BUILT_IN).unwrap_or_default())
    }

    /// Reads what [`encode`] wrote.
    ///
    /// # Errors
    ///
    /// If the bytes are no table.
    pub fn read(bytes: &[u8]) -> Result<Table, Damaged> {
        decode::table(bytes)
    }

    /// The origin of the data.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The country of an address. `None`: it is of no network that the table knows. An IPv4-mapped IPv6 address is the IPv4 address.
    pub fn country(&self, address: IpAddr) -> Option<Country> {
        match address.to_canonical() {
            IpAddr::V4(address) => self.v4.country(address.to_bits()),
            // No network of the internet is smaller than a /64.
            IpAddr::V6(address) => self.v6.country((address.to_bits() >> 64) as u64),
        }
    }

    /// Networks of IPv4 and of IPv6 with their countries, in their order; neighbours of one country are one.
    pub fn networks(&self) -> (Vec<Network>, Vec<Network>) {
        (self.v4.networks(u32::MAX.into()), self.v6.networks(u64::MAX))
    }
}
