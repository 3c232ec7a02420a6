//! Compares the built-in table with files of networks and countries on random addresses: `compare NAME=V4.csv,V6.csv…`, each line
//! `first,last,CC`. Where the last two files agree, how often the others say the same is printed too. `scripts/country-table --compare`
//! fetches files and calls it.

use std::{
    error::Error,
    fs,
    net::{IpAddr, Ipv4Addr},
};

use country_table::{Country, Network, Table};

const ADDRESSES: usize = 100_000;

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

/// A network by all bits of its addresses: files other than ours have smaller ones than a /64.
type Range = (u128, u128, Country);

struct Source {
    name: String,
    v4: Vec<Range>,
    v6: Vec<Range>,
}

fn read(file: &str) -> Result<Vec<Range>, Box<dyn Error>> {
    let bits = |text: &str| -> Result<u128, Box<dyn Error>> {
        Ok(match text.parse()? {
            IpAddr::V4(address) => u128::from(address.to_bits()),
            IpAddr::V6(address) => address.to_bits(),
        })
    };
    let mut ranges = Vec::new();
    for line in fs::read_to_string(file)?.lines() {
        let [first, last, code] = line.split(',').collect::<Vec<_>>()[..] else { return Err(line.into()) };
        ranges.push((bits(first)?, bits(last)?, code.as_bytes().try_into()?));
    }
    ranges.sort_unstable();
    Ok(ranges)
}

fn look(ranges: &[Range], address: u128) -> Option<Country> {
    let after = ranges.partition_point(|(first, ..)| *first <= address);
    let (_, last, country) = ranges[after.checked_sub(1)?];
    (address <= last).then_some(country)
}

/// Whether an address is one that a client on the internet can have.
fn is_public(address: Ipv4Addr) -> bool {
    let [a, b, ..] = address.octets();
    let is_shared = a == 100 && b & 0xc0 == 64;
    let is_special =
        address.is_private() || address.is_loopback() || address.is_link_local() || address.is_documentation();
    a != 0 && a < 224 && !is_shared && !is_special && !(a == 198 && b & 0xfe == 18)
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn compare(title: &str, sources: &[Source], addresses: &[u128], of: fn(&Source) -> &Vec<Range>) {
    println!("\n{title}");
    let answers: Vec<Vec<Option<Country>>> =
        sources.iter().map(|source| addresses.iter().map(|address| look(of(source), *address)).collect()).collect();
    for (source, found) in sources.iter().zip(&answers) {
        let known = found.iter().flatten().count();
        println!("  {}: {} networks, {:.1} % known", source.name, of(source).len(), percent(known, found.len()));
    }
    for (i, one) in answers.iter().enumerate() {
        for (j, other) in answers.iter().enumerate().skip(i + 1) {
            let both: Vec<_> = one.iter().zip(other).filter_map(|(one, other)| Some(((*one)?, (*other)?))).collect();
            let differ = both.iter().filter(|(one, other)| one != other).count();
            let names = (&sources[i].name, &sources[j].name);
            println!("  {} and {}: {:.1} % differ, where both know", names.0, names.1, percent(differ, both.len()));
        }
    }
    let [others @ .., one, other] = answers.as_slice() else { return };
    let agreed: Vec<usize> = (0..addresses.len()).filter(|at| one[*at].is_some() && one[*at] == other[*at]).collect();
    println!("  the last two agree on {:.1} %; of these", percent(agreed.len(), addresses.len()));
    for (source, found) in sources.iter().zip(others) {
        let right = agreed.iter().filter(|at| found[**at] == one[**at]).count();
        let unknown = agreed.iter().filter(|at| found[**at].is_none()).count();
        let wrong = agreed.len() - right - unknown;
        let share = |part| percent(part, agreed.len());
        let name = &source.name;
        println!(
            "    {name}: {:.1} % the same, {:.1} % unknown, {:.1} % another",
            share(right),
            share(unknown),
            share(wrong)
        );
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let table = Table::built_in();
    let (v4, v6) = table.networks();
    let wide = |Network { first, last, country }: &Network| {
        (u128::from(*first) << 64, (u128::from(*last) << 64) | u128::from(u64::MAX), *country)
    };
    let mut sources = vec![Source {
        name: table.origin().name.clone(),
        v4: v4.iter().map(|network| (network.first.into(), network.last.into(), network.country)).collect(),
        v6: v6.iter().map(wide).collect(),
    }];
    for argument in std::env::args().skip(1) {
        let (name, files) = argument.split_once('=').ok_or("NAME=V4.csv,V6.csv")?;
        let (v4, v6) = files.split_once(',').ok_or("NAME=V4.csv,V6.csv")?;
        sources.push(Source { name: name.to_owned(), v4: read(v4)?, v6: read(v6)? });
    }
    let mut random = Random(54);
    let public: Vec<u128> = std::iter::repeat_with(|| Ipv4Addr::from_bits(random.next() as u32))
        .filter(|address| is_public(*address))
        .take(ADDRESSES)
        .map(|address| address.to_bits().into())
        .collect();
    compare("IPv4, any public address alike", &sources, &public, |source| &source.v4);
    for (title, of) in [
        ("IPv4, any network of any file alike", (|source| &source.v4) as fn(&Source) -> &Vec<Range>),
        ("IPv6, any network of any file alike", |source| &source.v6),
    ] {
        let mut any = || {
            let ranges = of(&sources[(random.next() % sources.len() as u64) as usize]);
            let (first, last, _) = ranges[(random.next() % ranges.len() as u64) as usize];
            let number = (u128::from(random.next()) << 64) | u128::from(random.next());
            first + number % (last - first + 1)
        };
        let addresses: Vec<u128> = (0..ADDRESSES).map(|_| any()).collect();
        compare(title, &sources, &addresses, of);
    }
    Ok(())
}
