//! Country of an address by the table in the binary, or country, region and city by a database that the operator supplies. A new file in
//! the place of that one is used without a restart.

use std::{fs, net::IpAddr, os::unix::fs::MetadataExt, path::PathBuf, sync::Arc, time::Duration};

use anyhow::Context;
use arc_swap::ArcSwapOption;
use country_table::Table;
use maxminddb::Reader;
use parking_lot::Mutex;
use serde::Deserialize;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::{
    base::{
        clock::{Clock, MINUTE, Millis, SECOND, UnixMillis},
        config::Config,
        error::in_one_line,
    },
    clicks::click::Area,
};

/// How often to look at the clock.
const LOOK: Duration = Duration::from_secs(1);
/// How often to look at the file.
const INTERVAL: Millis = MINUTE;

/// Properties that tell a file from the one before it: device, inode, length in bytes, and the time of its last change
/// (seconds, nanoseconds).
type Identity = (u64, u64, u64, i64, i64);

/// Looks countries up. No address is stored, so a click has its country before its record is written: on the redirect's way, which for the
/// table is a binary search in memory.
pub struct GeoIp {
    path: Option<PathBuf>,
    /// The file of the path. `None`: there is none, and the table of the binary is asked.
    reader: ArcSwapOption<Reader<Vec<u8>>>,
    /// Identity of the file that was last read, or that could not be read. `None`: no file was found so far.
    seen: Mutex<Option<Identity>>,
}

/// Description of the data that are in use.
#[derive(Clone, Debug)]
pub(crate) struct Described {
    /// The name of the data, such as `GeoLite2-Country`: of a file, the kind of database in its metadata.
    pub(crate) name: String,
    /// When they were made. `None`: the file does not say.
    pub(crate) built_at: Option<UnixMillis>,
    /// Whether they are the table in the binary.
    pub(crate) is_built_in: bool,
}

/// The part of a record that says where a network is.
#[derive(Deserialize)]
struct Record<'a> {
    /// Country of the network, as MaxMind and DB-IP write it.
    #[serde(borrow, default)]
    country: Place<'a>,
    /// Country in which the network is registered.
    #[serde(borrow, default)]
    registered_country: Place<'a>,
    /// Country of the network in the files of ip-location-db.
    country_code: Option<&'a str>,
}

#[derive(Deserialize, Default)]
struct Place<'a> {
    iso_code: Option<&'a str>,
}

/// The part of a record that says where in its country a network is, as MaxMind and DB-IP write it.
#[derive(Deserialize)]
struct AreaRecord<'a> {
    #[serde(borrow, default)]
    country: Place<'a>,
    /// The largest first; DB-IP writes no codes.
    #[serde(borrow, default)]
    subdivisions: Vec<Place<'a>>,
    #[serde(borrow, default)]
    city: Named<'a>,
}

#[derive(Deserialize, Default)]
struct Named<'a> {
    #[serde(borrow, default)]
    names: Names<'a>,
}

#[derive(Deserialize, Default)]
struct Names<'a> {
    en: Option<&'a str>,
}

impl GeoIp {
    /// Opens the configured file; without one, the table is made ready.
    pub(crate) fn open(config: &Config) -> anyhow::Result<Self> {
        if config.geoip_db.is_none() {
            Table::built_in();
        }
        let geoip = GeoIp { path: config.geoip_db.clone(), reader: ArcSwapOption::empty(), seen: Mutex::new(None) };
        geoip.reload()?;
        Ok(geoip)
    }

    /// ISO 3166-1 alpha-2, when known.
    pub fn country(&self, address: IpAddr) -> Option<[u8; 2]> {
        let reader = self.reader.load();
        let Some(reader) = reader.as_ref() else { return Table::built_in().country(address) };
        let record = reader.lookup(address).ok()?.decode::<Record<'_>>().ok()??;
        let code = record.country.iso_code.or(record.registered_country.iso_code).or(record.country_code)?;
        let code: [u8; 2] = code.as_bytes().try_into().ok()?;
        code.iter().all(u8::is_ascii_uppercase).then_some(code)
    }

    /// Region and city, as far as the file in use has them.
    pub(crate) fn area(&self, address: IpAddr) -> Area {
        let reader = self.reader.load();
        // Files of countries alone are not searched for what they can't have.
        let read = || {
            reader.as_ref().filter(|reader| has_areas(reader))?.lookup(address).ok()?.decode::<AreaRecord<'_>>().ok()?
        };
        let Some(record) = read() else { return Area::default() };
        let region = record.country.iso_code.zip(record.subdivisions.first().and_then(|region| region.iso_code));
        Area {
            region: region.map(|(country, region)| format!("{country}-{region}").into()),
            city: record.city.names.en.map(Into::into),
        }
    }

    /// Whether the data in use have countries: files about providers, such as those of GeoIP ASN, have none.
    pub(crate) fn has_countries(&self) -> bool {
        const WITHOUT: [&str; 5] = ["ASN", "ISP", "Connection-Type", "Domain", "Anonymous"];
        let is_without = |kind: &str| WITHOUT.iter().any(|word| kind.contains(word));
        !self.reader.load().as_ref().is_some_and(|reader| is_without(&reader.metadata().database_type))
    }

    /// Whether the file in use has regions and cities.
    pub(crate) fn has_areas(&self) -> bool {
        self.reader.load().as_ref().is_some_and(|reader| has_areas(reader))
    }

    /// The data that are in use.
    pub(crate) fn described(&self) -> Described {
        let reader = self.reader.load();
        let Some(metadata) = reader.as_ref().map(|reader| reader.metadata()) else {
            let origin = Table::built_in().origin();
            let built_at = i64::from(origin.built_at) * SECOND;
            return Described { name: origin.name.clone(), built_at: Some(built_at), is_built_in: true };
        };
        let built_at = i64::try_from(metadata.build_epoch).ok().filter(|seconds| *seconds > 0);
        Described {
            name: metadata.database_type.clone(),
            built_at: built_at.map(|seconds| seconds.saturating_mul(SECOND)),
            is_built_in: false,
        }
    }

    /// Reads the file if it has changed, and returns whether it did. A file that can't be read is not tried again until it
    /// changes; the database read before stays in use.
    pub fn reload(&self) -> anyhow::Result<bool> {
        let Some(path) = &self.path else { return Ok(false) };
        let unreadable = || format!("LINKGRAPH_GEOIP_DB: can't read {}", path.display());
        let mut seen = self.seen.lock();
        let identity = match fs::metadata(path) {
            Ok(file) => Some((file.dev(), file.ino(), file.len(), file.mtime(), file.mtime_nsec())),
            // A missing file may be about to be replaced: the database that was read before stays in use.
            Err(_) if seen.is_some() => return Ok(false),
            Err(error) => return Err(error).with_context(unreadable),
        };
        if *seen == identity {
            return Ok(false);
        }
        *seen = identity;
        self.reader.store(Some(Arc::new(Reader::open_readfile(path).with_context(unreadable)?)));
        Ok(true)
    }
}

fn has_areas(reader: &Reader<Vec<u8>>) -> bool {
    ["City", "Enterprise"].iter().any(|word| reader.metadata().database_type.contains(word))
}

/// Looks for a new file until told to stop.
pub(crate) async fn run(geoip: Arc<GeoIp>, clock: Clock, stop: CancellationToken) {
    if geoip.path.is_none() {
        return;
    }
    let mut looked = UnixMillis::MIN;
    while !stop.is_cancelled() {
        let now = clock.now();
        if now.saturating_sub(looked) >= INTERVAL {
            looked = now;
            // The whole file is read at once, which blocks for a while.
            let reader = Arc::clone(&geoip);
            match tokio::task::spawn_blocking(move || reader.reload()).await {
                Ok(Ok(true)) => tracing::info!("The GeoIP database was read anew"),
                Ok(Ok(false)) => {}
                Ok(Err(error)) => tracing::warn!(error = in_one_line(&error), "The GeoIP database stays as it was"),
                Err(error) => tracing::error!(%error, "Reading the GeoIP database panicked"),
            }
        }
        stop.run_until_cancelled(sleep(LOOK)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Metadata or a record: a map of MaxMind's format with these keys, whose values are encoded.
    fn map(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
        let mut bytes = vec![(7 << 5) | entries.len() as u8];
        for (key, value) in entries {
            bytes.extend(text(key));
            bytes.extend(value);
        }
        bytes
    }

    fn text(text: &str) -> Vec<u8> {
        let length = text.len() as u8;
        // From 29 bytes on, the number beyond them follows.
        let head = if length < 29 { vec![(2 << 5) | length] } else { vec![(2 << 5) | 29, length - 29] };
        [head, text.as_bytes().to_vec()].concat()
    }

    /// A database whose lower half of all addresses has the record, and whose upper half has none.
    fn database(record: Vec<u8>, built_at: u32) -> GeoIp {
        let short = |number: u8| vec![(5 << 5) | 1, number];
        let build_epoch = [vec![4, 2], built_at.to_be_bytes().to_vec()].concat();
        let metadata = map(&[
            ("binary_format_major_version", short(2)),
            ("binary_format_minor_version", short(0)),
            ("build_epoch", build_epoch),
            ("database_type", text("country ipvAll")),
            ("description", map(&[])),
            ("ip_version", short(4)),
            ("languages", vec![0, 4]),
            ("node_count", vec![(6 << 5) | 1, 1]),
            ("record_size", short(24)),
        ]);
        // One node: the record at the beginning of the data, and nothing.
        let node = vec![0, 0, 17, 0, 0, 1];
        let bytes = [node, vec![0; 16], record, b"\xab\xcd\xefMaxMind.com".to_vec(), metadata].concat();
        let reader = Reader::from_source(bytes).unwrap();
        GeoIp { path: None, reader: ArcSwapOption::from_pointee(reader), seen: Mutex::new(None) }
    }

    #[test]
    fn files_of_both_forms_are_read() {
        let place = |code: &str| map(&[("iso_code", text(code)), ("is_in_european_union", vec![1, 7])]);
        let low = "1.2.3.4".parse().unwrap();
        for (record, expected) in [
            (map(&[("country", place("CH")), ("registered_country", place("DE"))]), Some(*b"CH")),
            (map(&[("registered_country", place("DE"))]), Some(*b"DE")),
            (map(&[("country_code", text("JP"))]), Some(*b"JP")),
            (map(&[("country_code", text("jp"))]), None),
            (map(&[("continent", place("EU"))]), None),
        ] {
            let geoip = database(record, 1_781_726_061);
            assert_eq!(geoip.country(low), expected);
            assert_eq!(geoip.country("200.1.2.3".parse().unwrap()), None);
        }
    }

    /// Records of MaxMind's own test file.
    #[test]
    fn files_with_cities_tell_region_and_city() {
        let reader = Reader::from_source(include_bytes!("../../tests/data/city.mmdb").to_vec()).unwrap();
        let geoip = GeoIp { path: None, reader: ArcSwapOption::from_pointee(reader), seen: Mutex::new(None) };
        assert!(geoip.has_areas());
        for (address, country, region, city) in [
            ("81.2.69.142", Some(*b"GB"), Some("GB-ENG"), Some("London")),
            ("89.160.20.112", Some(*b"SE"), Some("SE-E"), Some("Linköping")),
            ("2001:218::1", Some(*b"JP"), None, None),
            ("198.51.100.1", None, None, None),
        ] {
            let address = address.parse().unwrap();
            let area = geoip.area(address);
            assert_eq!((geoip.country(address), area.region.as_deref(), area.city.as_deref()), (country, region, city));
        }
        let countries = database(map(&[]), 1);
        assert_eq!((countries.has_areas(), countries.area("1.2.3.4".parse().unwrap())), (false, Area::default()));
    }

    #[test]
    fn the_data_in_use_are_described() {
        let file = database(map(&[]), 1_781_726_061).described();
        assert_eq!((&*file.name, file.built_at, file.is_built_in), ("country ipvAll", Some(1_781_726_061_000), false));
        assert_eq!(database(map(&[]), 0).described().built_at, None);
        let none = GeoIp { path: None, reader: ArcSwapOption::empty(), seen: Mutex::new(None) };
        assert_eq!((&*none.described().name, none.described().is_built_in), ("IPtoASN", true));
        assert_eq!(none.country("1.0.0.1".parse().unwrap()), Some(*b"US"));
    }
}
