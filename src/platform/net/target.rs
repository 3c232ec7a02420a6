//! The addresses that a webhook may reach: public ones only, so that no account reaches the operator's network through the service.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

use crate::base::validate::check_destination_url;

/// Domains that no public name belongs to: of this machine (RFC 6761), of networks without a public name (`internal`, which ICANN
/// reserved in 2024; RFC 8375), and of multicast DNS (RFC 6762).
const PRIVATE_DOMAINS: [&str; 4] = ["localhost", "internal", "local", "home.arpa"];

/// The parsed URL of a webhook, or of another service's API: what a destination of a link may be, but no address and no name of this
/// machine or its network, unless private targets are allowed. Names are judged again by what they resolve to, at each connection.
pub(crate) fn check_url(text: &str, allow_private: bool) -> Result<Url, &'static str> {
    let url = check_destination_url(text)?;
    if allow_private || url.host().is_some_and(|host| may_be_public(&host)) {
        Ok(url)
    } else {
        Err("must lead to a public address")
    }
}

/// Judges the parsed host, whatever spelling the address was written in.
pub(crate) fn may_be_public(host: &Host<&str>) -> bool {
    match host {
        Host::Ipv4(address) => is_public((*address).into()),
        Host::Ipv6(address) => is_public((*address).into()),
        Host::Domain(name) => is_public_name(name.trim_end_matches('.')),
    }
}

/// Whether a name, in lower case and without final dot, can be a public one: a single label is a name of a private network.
fn is_public_name(name: &str) -> bool {
    let is_below = |domain| name.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    name.contains('.') && !PRIVATE_DOMAINS.into_iter().any(is_below)
}

/// Whether the address is somewhere on the internet, and not reserved for anything else (IANA's special-purpose
/// registries; RFC 6890).
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let reserved = match address.octets() {
        // This network; private; loopback; multicast, reserved and broadcast.
        [0 | 10 | 127 | 224..=255, ..] => true,
        // Shared by carrier-grade NAT.
        [100, 64..=127, ..] => true,
        // Link-local, with the clouds' metadata.
        [169, 254, ..] => true,
        [172, 16..=31, ..] => true,
        // Protocol assignments, documentation, 6to4 relays.
        [192, 0, 0 | 2, _] | [192, 88, 99, _] => true,
        [192, 168, ..] => true,
        // Benchmarks.
        [198, 18..=19, ..] => true,
        // Documentation.
        [198, 51, 100, _] | [203, 0, 113, _] => true,
        // Alibaba Cloud's metadata stands within 100.64.0.0/10; Oracle's 192.0.0.192 within 192.0.0.0/24.
        _ => false,
    };
    !reserved
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    // Only 2000::/3 is global unicast: loopback, mapped and translated IPv4 (::ffff:0:0/96, 64:ff9b::/96, 64:ff9b:1::/48),
    // unique local, link-local and multicast addresses are outside.
    match address.segments() {
        // Protocol assignments, with Teredo and ORCHID; documentation; 6to4, which carries an IPv4 address.
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0x0db8, ..] | [0x2002, ..] => false,
        // Documentation (RFC 9637).
        [0x3fff, 0..=0x0fff, ..] => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_addresses_are_public() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "93.184.215.14",
            "100.63.255.255",
            "100.128.0.0",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "198.20.0.1",
            "223.255.255.255",
            "2606:4700::1111",
            "2a00:1450::1",
            "2001:4860:4860::8888",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn names_of_private_networks_are_not_public() {
        for name in [
            "intranet",
            "localhost",
            "a.localhost",
            "metadata.google.internal",
            "internal",
            "printer.local",
            "a.b.local",
        ]
        .into_iter()
        .chain(["home.arpa", "router.home.arpa", "a.b.home.arpa"])
        {
            assert!(!is_public_name(name), "{name}");
        }
        for name in [
            "example.com",
            "internal.example",
            "my-internal.example",
            "notlocal.co",
            "xlocal.xinternal",
            "arpa.example",
        ]
        .into_iter()
        .chain(["work.arpa", "xhome.arpa", "local.internal.example"])
        {
            assert!(is_public_name(name), "{name}");
        }
    }

    #[test]
    fn all_others_are_not() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.100.100.200",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.1.2.3",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::808:808",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:10::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:808:808::",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }
}
