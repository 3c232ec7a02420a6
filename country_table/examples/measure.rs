//! Says how long the built-in table takes to be decoded and to be asked, for random addresses; and a file in MaxMind's format, if one is
//! named: `cargo run --release -p country_table --example measure [FILE]`.

use std::{
    error::Error,
    hint::black_box,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    time::Instant,
};

use country_table::{Country, Network, Table};
use maxminddb::{PathElement, Reader};

const ADDRESSES: usize = 1_000_000;
const ROUNDS: usize = 5;

/// Random numbers that are the same each time (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// Nanoseconds for each address in the quickest and the slowest round, and how many have a country.
fn measure(name: &str, addresses: &[IpAddr], look: impl Fn(IpAddr) -> Option<Country>) {
    let (mut quickest, mut slowest, mut known) = (u128::MAX, 0, 0);
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        known = addresses.iter().filter(|address| black_box(look(**address)).is_some()).count();
        let took = begun.elapsed().as_nanos() / addresses.len() as u128;
        (quickest, slowest) = (quickest.min(took), slowest.max(took));
    }
    println!("{name}: {quickest} to {slowest} ns each; {known} of {} have a country", addresses.len());
}

fn main() -> Result<(), Box<dyn Error>> {
    let begun = Instant::now();
    let table = Table::built_in();
    println!("decoded in {} µs", begun.elapsed().as_micros());
    let (_, v6) = table.networks();
    let mut random = Random(54);
    let public: Vec<IpAddr> = std::iter::repeat_with(|| Ipv4Addr::from_bits(random.next() as u32))
        .filter(|address| address.octets()[0] < 224 && !address.is_private())
        .take(ADDRESSES)
        .map(IpAddr::from)
        .collect();
    // An address of IPv6 is of no network, unless it is looked for in one.
    let within = |Network { first, last, .. }: Network, random: &mut Random| {
        let upper = first + random.next() % (last - first).max(1);
        Ipv6Addr::from_bits((u128::from(upper) << 64) | u128::from(random.next())).into()
    };
    let of_v6: Vec<IpAddr> =
        (0..ADDRESSES).map(|_| within(v6[(random.next() % v6.len() as u64) as usize], &mut random)).collect();
    measure("table, IPv4", &public, |address| table.country(address));
    measure("table, IPv6", &of_v6, |address| table.country(address));
    if let Some(file) = std::env::args().nth(1) {
        let reader = Reader::open_readfile(file)?;
        let look = |address| {
            let code = reader.lookup(address).ok()?.decode_path::<&str>(&[PathElement::Key("country_code")]).ok()??;
            code.as_bytes().try_into().ok()
        };
        measure("file, IPv4", &public, look);
        measure("file, IPv6", &of_v6, look);
    }
    Ok(())
}
