//! Country of an address, where the operator supplies a database.

use std::net::IpAddr;

use anyhow::Context;
use maxminddb::{Reader, geoip2};

use crate::config::Config;

/// Looks countries up.
pub struct GeoIp {
    reader: Option<Reader<Vec<u8>>>,
}

impl GeoIp {
    /// Opens the configured file; without one, every country is unknown.
    pub fn open(config: &Config) -> anyhow::Result<Self> {
        let reader = config
            .geoip_db
            .as_ref()
            .map(|path| {
                Reader::open_readfile(path)
                    .with_context(|| format!("LINKGRAPH_GEOIP_DB: can't read {}", path.display()))
            })
            .transpose()?;
        Ok(GeoIp { reader })
    }

    /// ISO 3166-1 alpha-2, when known.
    pub fn country(&self, address: IpAddr) -> Option<[u8; 2]> {
        let found = self.reader.as_ref()?.lookup(address).ok()?;
        let country = found.decode::<geoip2::Country<'_>>().ok()??;
        let code = country.country.iso_code.or(country.registered_country.iso_code)?;
        let code: [u8; 2] = code.as_bytes().try_into().ok()?;
        code.iter().all(u8::is_ascii_uppercase).then_some(code)
    }
}
