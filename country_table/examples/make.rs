//! Makes the table of a database in MaxMind's format whose records have `country_code`: `make FILE NAME LICENCE OUTPUT [SAMPLE]`.
//! Each network of the file is looked up in the table before it is written. SAMPLE gets some addresses with what the file says of them,
//! for the tests. `scripts/country-table` calls it.

use std::{
    collections::BTreeMap,
    error::Error,
    fmt::Write as _,
    fs,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use country_table::{Country, Network, Origin, Table, encode};
use maxminddb::{PathElement, Reader, WithinOptions};

/// Codes that the family has beside those of ISO 3166-1: Africa and Europe as a whole, Asia and the Pacific, nowhere.
const NO_COUNTRIES: [&str; 5] = ["AP", "EU", "XX", "ZZ", "T1"];
/// Every this many networks the sample has one of.
const SAMPLED: usize = 500;

type Boxed = Box<dyn Error>;

fn main() -> Result<(), Boxed> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, name, licence, output, sample @ ..] = arguments.as_slice() else {
        return Err("make FILE NAME LICENCE OUTPUT [SAMPLE]".into());
    };
    let reader = Reader::open_readfile(file)?;
    let (mut v4, mut v6) = (Vec::new(), Vec::new());
    let mut left_out: BTreeMap<String, u64> = BTreeMap::new();
    for found in reader.networks(WithinOptions::default())? {
        let found = found?;
        let Some(code) = found.decode_path::<String>(&[PathElement::Key("country_code")])? else { continue };
        let country: Option<Country> = code.as_bytes().try_into().ok();
        let Some(country) = country.filter(|_| !NO_COUNTRIES.contains(&code.as_str())) else {
            *left_out.entry(code).or_default() += 1;
            continue;
        };
        let network = found.network()?;
        let prefix = u32::from(network.prefix());
        match network.network() {
            IpAddr::V4(address) => {
                let first = u64::from(address.to_bits());
                let last = first + (1 << (32 - prefix)) - 1;
                v4.push(Network { first, last, country });
            }
            IpAddr::V6(_) if prefix > 64 => return Err(format!("{network} is smaller than a /64").into()),
            IpAddr::V6(address) => {
                let first = (address.to_bits() >> 64) as u64;
                let last = first + (u64::MAX >> prefix);
                v6.push(Network { first, last: if prefix == 64 { first } else { last }, country });
            }
        }
    }
    let built_at = u32::try_from(reader.metadata().build_epoch)?;
    let origin = Origin { name: name.clone(), licence: licence.clone(), built_at };
    let bytes = encode(&origin, &v4, &v6)?;
    let table = Table::read(&bytes)?;

    let mut tsv = String::new();
    let as_v4: fn(u64) -> IpAddr = |address| Ipv4Addr::from_bits(address as u32).into();
    let as_v6: fn(u64) -> IpAddr = |address| Ipv6Addr::from_bits(u128::from(address) << 64).into();
    for (networks, address) in [(&v4, as_v4), (&v6, as_v6)] {
        let firsts: Vec<u64> = networks.iter().map(|network| network.first).collect();
        for (index, network) in networks.iter().enumerate() {
            for end in [network.first, network.last] {
                let found = table.country(address(end));
                if found != Some(network.country) {
                    return Err(format!("{}: {found:?} instead of {:?}", address(end), network.country).into());
                }
                if index % SAMPLED == 0 {
                    writeln!(tsv, "{}\t{}", address(end), String::from_utf8_lossy(&network.country))?;
                }
            }
            let after = network.last.wrapping_add(1);
            if firsts.get(index + 1) != Some(&after) {
                if table.country(address(after)).is_some() {
                    return Err(format!("{} has a country", address(after)).into());
                }
                if index % SAMPLED == 0 {
                    writeln!(tsv, "{}\t", address(after))?;
                }
            }
        }
    }
    fs::write(output, &bytes)?;
    if let [sample] = sample {
        fs::write(sample, tsv)?;
    }
    println!(
        "{} and {} networks in {} bytes, made at {built_at}; without country: {left_out:?}",
        v4.len(),
        v6.len(),
        bytes.len()
    );
    Ok(())
}
