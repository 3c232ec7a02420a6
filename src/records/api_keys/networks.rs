//! The networks that a key may be used from.

use std::net::IpAddr;

use ipnet::IpNet;

/// Networks of a key at most.
pub(crate) const MAX_NETWORKS: usize = 20;

/// Networks; none: everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Networks(Vec<IpNet>);

impl Networks {
    /// Reads the stored form. What this version can't read opens nothing.
    pub(crate) fn from_stored(text: Option<&str>) -> Self {
        let parse = |network: &str| network.parse().unwrap_or_else(|_| IpNet::from(IpAddr::from([0, 0, 0, 0])));
        Networks(text.unwrap_or_default().split_whitespace().map(parse).collect())
    }

    /// The stored form. `None`: everywhere.
    pub(crate) fn stored(&self) -> Option<String> {
        if self.0.is_empty() { None } else { Some(self.written().join(" ")) }
    }

    /// In CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3).
    pub(crate) fn written(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }

    /// Adds an address, or a network of which bits beyond the prefix do not count. Fails with a sentence for a person.
    pub(crate) fn add(&mut self, text: &str) -> Result<(), &'static str> {
        let network = text.trim().parse::<IpNet>().or_else(|_| text.trim().parse::<IpAddr>().map(IpNet::from));
        let network = network.map_err(|_| "must be a network such as 192.0.2.0/24, or an address")?.trunc();
        if !self.0.contains(&network) {
            self.0.push(network);
        }
        Ok(())
    }

    /// Whether a client at this address is in one of them.
    pub(crate) fn contain(&self, client: IpAddr) -> bool {
        let client = client.to_canonical();
        self.0.is_empty() || self.0.iter().any(|network| network.contains(&client))
    }

    /// Whether each of the others is a part of one of these.
    pub(crate) fn cover(&self, others: &Networks) -> bool {
        let is_part = |other: &IpNet| self.0.iter().any(|network| network.contains(other));
        self.0.is_empty() || (!others.0.is_empty() && others.0.iter().all(is_part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn networks(texts: &[&str]) -> Networks {
        let mut networks = Networks::default();
        texts.iter().for_each(|text| networks.add(text).unwrap());
        networks
    }

    #[test]
    fn networks_are_stored_as_they_are_read() {
        let some = networks(&["192.0.2.77/24", "2001:db8::/32", "192.0.2.0/24", " 198.51.100.7 "]);
        assert_eq!(some.written(), ["192.0.2.0/24", "2001:db8::/32", "198.51.100.7/32"]);
        assert_eq!(Networks::from_stored(some.stored().as_deref()), some);
        assert_eq!(Networks::default().stored(), None);
        for wrong in ["", "localhost", "192.0.2.0/33", "192.0.2", "*", "192.0.2.0/24,192.0.3.0/24"] {
            assert!(Networks::default().add(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn addresses_are_in_networks_and_networks_in_each_other() {
        let some = networks(&["192.0.2.0/24", "2001:db8::/32"]);
        for (client, is_in) in [
            ("192.0.2.255", true),
            ("::ffff:192.0.2.1", true),
            ("192.0.3.1", false),
            ("2001:db8:1::1", true),
            ("::1", false),
        ] {
            assert_eq!(some.contain(client.parse().unwrap()), is_in, "{client}");
        }
        assert!(Networks::default().contain("::1".parse().unwrap()));
        assert!(!Networks::from_stored(Some("damaged")).contain("192.0.2.1".parse().unwrap()));
        assert!(some.cover(&networks(&["192.0.2.128/25"])) && Networks::default().cover(&Networks::default()));
        assert!(!some.cover(&networks(&["192.0.2.0/23"])) && !some.cover(&Networks::default()));
    }
}
