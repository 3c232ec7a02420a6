//! The client's address: the peer's, or what a trusted proxy says of it.

use std::net::{IpAddr, Ipv6Addr};

use ipnet::IpNet;

use crate::platform::db::Owner;

/// The address of the client. Entries of `X-Forwarded-For` are trusted from right to left, as long as the hop that added the
/// entry is a trusted proxy; clients can forge the entries left of those. At an unreadable entry, the hop that added it counts as
/// the client.
pub(crate) fn client_address<'a>(
    peer: IpAddr,
    forwarded_for: impl DoubleEndedIterator<Item = &'a [u8]>,
    trusted: &[IpNet],
) -> IpAddr {
    trace(peer, forwarded_for, trusted).0
}

/// Whether the client is certainly on this machine. It is not certain when a trusted proxy sends an unreadable entry.
pub(crate) fn is_local<'a>(
    peer: IpAddr,
    forwarded_for: impl DoubleEndedIterator<Item = &'a [u8]>,
    trusted: &[IpNet],
) -> bool {
    let (client, is_certain) = trace(peer, forwarded_for, trusted);
    is_certain && client.is_loopback()
}

/// The address of the client as far as it can be determined, and whether all entries of trusted proxies were readable.
fn trace<'a>(
    peer: IpAddr,
    forwarded_for: impl DoubleEndedIterator<Item = &'a [u8]>,
    trusted: &[IpNet],
) -> (IpAddr, bool) {
    let mut client = peer.to_canonical();
    if trusted.is_empty() {
        return (client, true);
    }
    let hops = forwarded_for.rev().flat_map(|value| std::str::from_utf8(value).unwrap_or("?").rsplit(','));
    for hop in hops {
        if !trusted.iter().any(|network| network.contains(&client)) {
            break;
        }
        match parse_hop(hop.trim()) {
            Some(address) => client = address,
            None => return (client, false),
        }
    }
    (client, true)
}

/// An address with or without a port.
fn parse_hop(text: &str) -> Option<IpAddr> {
    let address = text
        .parse()
        .or_else(|_| text.parse::<std::net::SocketAddr>().map(|socket| socket.ip()))
        .or_else(|_| text.trim_matches(['[', ']']).parse())
        .ok()?;
    Some(IpAddr::to_canonical(&address))
}

/// The network that counts as one client: an IPv4 address, or the /64 that an IPv6 client can choose its address from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientNet(IpAddr);

impl From<IpAddr> for ClientNet {
    fn from(address: IpAddr) -> Self {
        ClientNet(match address.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        })
    }
}

impl From<ClientNet> for Owner {
    fn from(client: ClientNet) -> Self {
        Owner::Client(client.0)
    }
}

impl ClientNet {
    /// The /48 that an IPv6 client's /64 is one of 65,536 in: what a provider gives a customer (RFC 6177). None for IPv4.
    pub(crate) fn site(self) -> Option<Self> {
        match self.0 {
            IpAddr::V4(_) => None,
            IpAddr::V6(address) => Some(ClientNet(IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 80 << 80)))),
        }
    }

    /// The network's address, as bytes.
    pub fn octets(self) -> [u8; 16] {
        match self.0 {
            IpAddr::V4(address) => address.to_ipv6_mapped().octets(),
            IpAddr::V6(address) => address.octets(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let trusted: Vec<IpNet> = trusted.iter().map(|network| network.parse().unwrap()).collect();
        client_address(peer.parse().unwrap(), forwarded.iter().map(|value| value.as_bytes()), &trusted).to_string()
    }

    #[test]
    fn only_trusted_hops_are_believed() {
        let proxies = &["10.0.0.0/8"];
        assert_eq!(seen("203.0.113.9", &["198.51.100.1"], &[]), "203.0.113.9");
        assert_eq!(seen("203.0.113.9", &["198.51.100.1"], proxies), "203.0.113.9");
        assert_eq!(seen("10.0.0.1", &["198.51.100.1"], proxies), "198.51.100.1");
        assert_eq!(seen("10.0.0.1", &["1.2.3.4, 198.51.100.1, 10.0.0.2"], proxies), "198.51.100.1");
        assert_eq!(seen("10.0.0.1", &["1.2.3.4", "198.51.100.1:4711"], proxies), "198.51.100.1");
        assert_eq!(seen("10.0.0.1", &["198.51.100.1, nonsense"], proxies), "10.0.0.1");
        assert_eq!(seen("::ffff:10.0.0.1", &["[2001:db8::1]"], proxies), "2001:db8::1");
        assert_eq!(seen("10.0.0.1", &[], proxies), "10.0.0.1");
    }

    #[test]
    fn a_hop_that_cannot_be_read_may_be_anyone() {
        let local = |peer: &str, forwarded: &[&[u8]], trusted: &[&str]| {
            let trusted: Vec<IpNet> = trusted.iter().map(|network| network.parse().unwrap()).collect();
            is_local(peer.parse().unwrap(), forwarded.iter().copied(), &trusted)
        };
        let proxies = &["127.0.0.0/8"];
        let open: [&[&[u8]]; 4] = [&[], &[b"127.0.0.1"], &[b"::1"], &[b"127.0.0.1:4711, 127.0.0.2"]];
        for forwarded in open {
            assert!(local("127.0.0.1", forwarded, proxies), "{forwarded:?}");
        }
        let closed: [&[&[u8]]; 7] = [
            &[b"unknown"],
            &[b""],
            &[b"\xff"],
            &[b"127.0.0.1", b"_hidden"],
            &[b"127.0.0.1, unknown"],
            &[b"127.0.0.1,"],
            &[b"198.51.100.1"],
        ];
        for forwarded in closed {
            assert!(!local("127.0.0.1", forwarded, proxies), "{forwarded:?}");
        }
        assert!(local("::1", &[], &[]) && local("::ffff:127.0.0.1", &[], &[]));
        assert!(!local("203.0.113.9", &[b"127.0.0.1"], proxies));
    }

    #[test]
    fn an_ipv6_client_is_its_64() {
        let net = |text: &str| ClientNet::from(text.parse::<IpAddr>().unwrap());
        assert_eq!(net("2001:db8::1"), net("2001:db8::ffff:1"));
        assert_ne!(net("2001:db8::1"), net("2001:db8:0:1::1"));
        assert_eq!(net("::ffff:192.0.2.1"), net("192.0.2.1"));
        assert_ne!(net("192.0.2.1"), net("192.0.2.2"));
        let site = |text: &str| net(text).site();
        assert_eq!(site("2001:db8:0:1::1"), site("2001:db8:0:ffff::1"));
        assert_ne!(site("2001:db8:0:1::1"), site("2001:db8:1:1::1"));
        assert_eq!((site("192.0.2.1"), site("::ffff:192.0.2.1")), (None, None));
    }
}
