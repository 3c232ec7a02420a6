//! A table answers what the networks say that it was made of, whatever they are; and the one that is built in, what its source says.

#![expect(clippy::unwrap_used, reason = "a failed test panics")]

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use country_table::{Country, Damaged, Network, Origin, Table, Unfit, encode};
use proptest::prelude::*;

/// Most that the table may add to the binary.
const MOST_BYTES: usize = 1_500_000;

fn origin() -> Origin {
    Origin { name: "of a test".into(), licence: "CC0-1.0".into(), built_at: 1_781_726_061 }
}

fn v4(address: u64) -> IpAddr {
    Ipv4Addr::from_bits(u32::try_from(address).unwrap()).into()
}

/// The first address of a /64.
fn v6(upper: u64) -> IpAddr {
    Ipv6Addr::from_bits(u128::from(upper) << 64).into()
}

fn table(of_v4: &[Network], of_v6: &[Network]) -> Table {
    Table::read(&encode(&origin(), of_v4, of_v6).unwrap()).unwrap()
}

/// The country by the list of networks, asked one after the other.
fn naive(networks: &[Network], address: u64) -> Option<Country> {
    networks.iter().find(|network| (network.first..=network.last).contains(&address)).map(|network| network.country)
}

/// Networks without overlaps, in their order: of each size, at both ends, side by side, of one country or of several.
fn networks(last: u64) -> impl Strategy<Value = Vec<Network>> {
    let near_end = move |address: u64| last - address % 1_000;
    let address = prop_oneof![0..=last, 0..2_000_u64, (0..=last).prop_map(near_end), Just(0), Just(last)];
    let country = prop_oneof![
        Just(*b"CH"),
        Just(*b"DE"),
        Just(*b"US"),
        "[A-Z]{2}".prop_map(|code| code.as_bytes().try_into().unwrap())
    ];
    let cuts = proptest::collection::btree_set(address, 0..40);
    (cuts, proptest::collection::vec(proptest::option::weighted(0.8, country), 41)).prop_map(
        move |(cuts, countries)| {
            let firsts: Vec<u64> = cuts.into_iter().collect();
            let lasts = firsts.iter().skip(1).map(|next| next - 1).chain([last]);
            let all = firsts.iter().zip(lasts).zip(countries);
            all.filter_map(|((first, last), country)| Some(Network { first: *first, last, country: country? }))
                .collect()
        },
    )
}

/// Addresses at and beside all boundaries.
fn boundaries(networks: &[Network], last: u64) -> Vec<u64> {
    let ends = networks.iter().flat_map(|network| [network.first, network.last]).chain([0, last]);
    ends.flat_map(|end| [end.saturating_sub(1), end, end.saturating_add(1).min(last)]).collect()
}

proptest! {
    #[test]
    fn a_table_answers_what_its_networks_say(
        of_v4 in networks(u32::MAX.into()),
        of_v6 in networks(u64::MAX),
        random in proptest::collection::vec(any::<u64>(), 50),
    ) {
        let table = table(&of_v4, &of_v6);
        prop_assert_eq!(table.origin(), &origin());
        let low = random.iter().map(|number| number >> 32);
        for address in boundaries(&of_v4, u32::MAX.into()).into_iter().chain(low) {
            prop_assert_eq!(table.country(v4(address)), naive(&of_v4, address), "{}", v4(address));
        }
        for address in boundaries(&of_v6, u64::MAX).into_iter().chain(random) {
            // An IPv4-mapped address is in 0:0:0:0.
            let expected = naive(&of_v6, address);
            prop_assert_eq!(table.country(v6(address)), expected, "{}", v6(address));
            let end = Ipv6Addr::from_bits((u128::from(address) << 64) | u128::from(u64::MAX));
            prop_assert_eq!(table.country(end.into()), expected, "{}", end);
        }
        let (again_v4, again_v6) = table.networks();
        prop_assert_eq!(encode(&origin(), &again_v4, &again_v6), encode(&origin(), &of_v4, &of_v6));
    }

    #[test]
    fn no_bytes_make_the_reader_fail_but_by_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200), at in any::<usize>()) {
        let _ = Table::read(&bytes);
        let us = Network { first: 0x0100_0000, last: 0x7fff_ffff, country: *b"US" };
        let mut whole = encode(&origin(), &[us], &[Network { last: u64::MAX, ..us }]).unwrap();
        let at = at % whole.len();
        prop_assert_eq!(Table::read(&whole[..at]).err(), Some(Damaged));
        for byte in bytes {
            whole[at] = byte;
            if let Ok(table) = Table::read(&whole) {
                let _ = (table.country(v4(0)), table.country(v6(u64::MAX)), table.networks());
            }
        }
    }
}

#[test]
fn networks_that_are_no_table_are_refused() {
    let network = |first, last| Network { first, last, country: *b"CH" };
    let of = |v4: &[Network]| encode(&origin(), v4, &[]).err();
    assert_eq!(of(&[network(5, 9), network(9, 12)]), Some(Unfit::Order(network(9, 12))));
    assert_eq!(of(&[network(5, 4)]), Some(Unfit::Order(network(5, 4))));
    assert_eq!(of(&[network(0, 1 << 32)]), Some(Unfit::Order(network(0, 1 << 32))));
    let nowhere = Network { country: *b"c\0", ..network(5, 9) };
    assert_eq!(of(&[nowhere]), Some(Unfit::Country(*b"c\0")));
    let codes = (b'A'..=b'Z').flat_map(|one| (b'A'..=b'Z').map(move |other| [one, other]));
    let many: Vec<_> = (0..).zip(codes).map(|(at, country)| Network { country, ..network(at, at) }).collect();
    assert_eq!(of(&many[..255]), None);
    assert_eq!(of(&many), Some(Unfit::Countries));
    let long = Origin { name: "x".repeat(256), ..origin() };
    assert_eq!(encode(&long, &[], &[]).err(), Some(Unfit::Length));
}

#[test]
fn an_empty_table_knows_no_country() {
    for table in [table(&[], &[]), Table::default()] {
        assert_eq!((table.country(v4(0)), table.country(v6(u64::MAX))), (None, None));
    }
}

#[test]
fn an_ipv4_mapped_address_is_the_ipv4_address() {
    let swiss = Network { first: 0xc000_0200, last: 0xc000_02ff, country: *b"CH" };
    let lowest = Network { first: 0, last: 0, country: *b"US" };
    let table = table(&[swiss], &[lowest]);
    let of = |address: &str| table.country(address.parse().unwrap());
    assert_eq!(of("::ffff:192.0.2.1"), Some(*b"CH"));
    assert_eq!(of("::ffff:192.0.3.1"), None);
    assert_eq!(of("::192.0.2.1"), Some(*b"US"), "an address of IPv6 that is no mapped one");
}

#[test]
fn the_built_in_table_answers_what_its_source_says() {
    let sample = include_str!("data/sample.tsv");
    let mut known = 0;
    for line in sample.lines() {
        let (address, code) = line.split_once('\t').unwrap();
        let found = Table::built_in().country(address.parse().unwrap());
        assert_eq!(found.map(|code| String::from_utf8(code.to_vec()).unwrap()).unwrap_or_default(), code, "{address}");
        known += usize::from(found.is_some());
    }
    assert!(known > 1_000, "{known}");
}

#[test]
fn the_built_in_table_is_public_domain_and_of_the_size_that_it_may_have() {
    let bytes = include_bytes!("../data/countries.bin");
    assert!(bytes.len() <= MOST_BYTES, "{}", bytes.len());
    let origin = Table::built_in().origin();
    assert_eq!((origin.name.as_str(), origin.licence.as_str()), ("IPtoASN", "PDDL-1.0"));
    assert!(origin.built_at > 1_780_000_000);
    let (of_v4, of_v6) = Table::built_in().networks();
    assert!(of_v4.len() > 200_000 && of_v6.len() > 50_000, "{} {}", of_v4.len(), of_v6.len());
    let written = encode(origin, &of_v4, &of_v6).unwrap();
    assert_eq!(written, bytes, "there is one way to write a table");
    assert!(!of_v4.iter().chain(&of_v6).any(|network| matches!(&network.country, b"AP" | b"EU" | b"ZZ")));
}

#[test]
fn addresses_that_nobody_has_are_of_no_country() {
    for address in [
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "127.0.0.1",
        "169.254.1.1",
        "172.16.0.1",
        "192.168.1.1",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:10.1.2.3",
        "fd00::1",
        "fe80::1",
        "ff02::1",
        "2001:db8::1",
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    ] {
        assert_eq!(Table::built_in().country(address.parse().unwrap()), None, "{address}");
    }
}
