//! Looks names up, by the system's servers or the configured one.

use std::{
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use hickory_resolver::{
    Resolver, ResolverBuilder, TokioResolver,
    config::{ConnectionConfig, LookupIpStrategy, NameServerConfig, ResolverConfig},
    net::{DnsError, NetError, runtime::TokioRuntimeProvider},
    proto::{
        op::ResponseCode,
        rr::{Name, RData, RecordType},
    },
};

use crate::base::config::Config;

/// How long one lookup may take.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Why a lookup says nothing about the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LookupError {
    /// No server answered in time.
    Timeout,
    /// The servers answered that they can't answer, such as SERVFAIL.
    ServerFailure,
}

/// Looks names up, without a cache, so that recent changes are seen.
pub(crate) struct Dns {
    resolver: TokioResolver,
}

impl Dns {
    pub(crate) fn new(config: &Config) -> anyhow::Result<Self> {
        let mut builder = match config.dns_server {
            Some(address) => asking(address),
            // As resolv.conf(5) says: without the file, the server on this machine.
            None => Resolver::builder_tokio().unwrap_or_else(|error| {
                tracing::warn!(%error, "LINKGRAPH_DNS_SERVER is not set and the system names no DNS server: asking 127.0.0.1");
                asking(SocketAddr::from(([127, 0, 0, 1], 53)))
            }),
        };
        let options = builder.options_mut();
        options.cache_size = 0;
        options.timeout = Duration::from_secs(2);
        options.attempts = 1;
        options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
        Ok(Dns { resolver: builder.build()? })
    }

    /// The texts of the name's TXT records, the strings of each joined. Empty: there are none.
    pub(crate) async fn texts(&self, name: &str) -> Result<Vec<String>, LookupError> {
        let found = self.records(name, RecordType::TXT).await?;
        let texts = found.iter().filter_map(|data| match data {
            RData::TXT(text) => {
                let bytes: Vec<u8> = text.txt_data.iter().flat_map(|part| part.iter().copied()).collect();
                Some(String::from_utf8_lossy(&bytes).into_owned())
            }
            _ => None,
        });
        Ok(texts.collect())
    }

    /// The targets of the name's CNAME records, in lower case without final dot. Empty: the name is no alias.
    pub(crate) async fn aliases(&self, name: &str) -> Result<Vec<String>, LookupError> {
        let found = self.records(name, RecordType::CNAME).await?;
        let targets = found.iter().filter_map(|data| match data {
            RData::CNAME(target) => Some(target.0.to_lowercase().to_ascii().trim_end_matches('.').to_owned()),
            _ => None,
        });
        Ok(targets.collect())
    }

    /// The addresses of a host, of both families, aliases followed. Empty: it has none.
    pub(crate) async fn addresses(&self, host: &str) -> Result<Vec<IpAddr>, LookupError> {
        let lookup = self.resolver.lookup_ip(host);
        match tokio::time::timeout(TIMEOUT, lookup).await {
            Ok(Ok(found)) => Ok(found.iter().collect()),
            Ok(Err(error)) => nothing_or_failure(&error),
            Err(_) => Err(LookupError::Timeout),
        }
    }

    async fn records(&self, name: &str, kind: RecordType) -> Result<Vec<RData>, LookupError> {
        // An invalid name has no records.
        let Ok(mut name) = Name::from_utf8(name) else { return Ok(Vec::new()) };
        // The name is fully qualified: the resolver's search list is not tried.
        name.set_fqdn(true);
        match tokio::time::timeout(TIMEOUT, self.resolver.lookup(name, kind)).await {
            Ok(Ok(found)) => Ok(found.answers().iter().map(|record| record.data.clone()).collect()),
            Ok(Err(error)) => nothing_or_failure(&error),
            Err(_) => Err(LookupError::Timeout),
        }
    }
}

fn asking(server: SocketAddr) -> ResolverBuilder<TokioRuntimeProvider> {
    let connections = [ConnectionConfig::udp(), ConnectionConfig::tcp()].map(|mut connection| {
        connection.port = server.port();
        connection
    });
    let server = NameServerConfig::new(server.ip(), true, connections.into());
    let servers = ResolverConfig::from_parts(None, Vec::new(), vec![server]);
    Resolver::builder_with_config(servers, TokioRuntimeProvider::default())
}

fn nothing_or_failure<T>(error: &NetError) -> Result<Vec<T>, LookupError> {
    match error {
        NetError::Dns(DnsError::NoRecordsFound(answer))
            if matches!(answer.response_code, ResponseCode::NXDomain | ResponseCode::NoError) =>
        {
            Ok(Vec::new())
        }
        NetError::Timeout => Err(LookupError::Timeout),
        _ => Err(LookupError::ServerFailure),
    }
}
