//! GraphQL types of custom domains.

use std::net::IpAddr;

use async_graphql::{Enum, ID, InputObject, SimpleObject};
use entity::domain;
use serde::{Deserialize, Serialize};

use crate::{
    base::{config::Config, validate::MAX_DOMAIN},
    features::domains::{
        check::{Findings, KEPT_VALUES, Seen, own_address, proof_name},
        hosts::{settings::updated_at, types::HostSettings},
    },
    graphql::{
        directives::{Format, example, format, items, length},
        page::Paged,
        scalars::Timestamp,
    },
    platform::auth::{access::resource, scope::Scope},
    records::domains::{repo::ShownDomain, state::DomainStatus},
};

/// A custom domain: once DNS proves it, the account's own links are served on it.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[graphql(directive = resource::apply(Scope::DomainsRead))]
#[serde(rename_all = "camelCase")]
pub struct CustomDomain {
    /// Identifies the domain.
    #[graphql(directive = example::apply("019aa1c2-a1b2-7c3d-9e4f-5a6b7c8d9e0f".into()))]
    pub(crate) id: ID,
    /// Its name, in lower case, without a dot at the end; other scripts in their ASCII form.
    #[graphql(directive = example::apply("go.example.com".into()))]
    pub(crate) domain: String,
    /// Whether links are served on it.
    #[graphql(directive = example::apply("\"PENDING\"".into()))]
    pub(crate) status: DomainStatus,
    /// What the TXT record must say; it is no secret once it is there.
    #[graphql(directive = example::apply("linkgraph-0f1e2d3c4b5a69788796a5b4c3d2e1f0".into()))]
    pub(crate) verification_token: String,
    /// What to set in DNS, and what the last check found: the TXT record, and either the CNAME record or, as an apex
    /// needs, A and AAAA records, and none that lead elsewhere. Those are known after the first check.
    #[graphql(directive = items::apply(1, MAX_RECORDS))]
    pub(crate) dns_records: Vec<DnsRecordResult>,
    /// When it was added.
    pub(crate) created_at: Timestamp,
    /// When its settings were last changed, or it was added.
    #[serde(default)]
    pub(crate) updated_at: Timestamp,
    /// When DNS first proved it; null while it never did.
    #[graphql(directive = example::apply("2026-11-20T14:50:00.000Z".into()))]
    pub(crate) activated_at: Option<Timestamp>,
    /// Since when its checks fail; null while they don't.
    #[graphql(directive = example::apply("2026-11-24T03:00:00.000Z".into()))]
    pub(crate) failing_since: Option<Timestamp>,
    /// When it was last checked; null before the first check.
    #[graphql(directive = example::apply("2026-11-24T03:00:00.000Z".into()))]
    pub(crate) checked_at: Option<Timestamp>,
    /// What it does beside serving links, once it is served. It goes with the domain, and to no other account.
    #[serde(default)]
    pub(crate) settings: HostSettings,
}

/// A TXT and a CNAME record, and the addresses of the service's host that are kept.
const MAX_RECORDS: i32 = 2 + KEPT_VALUES;

impl Paged for CustomDomain {
    const PAGE: &str = "DomainPageResult";
}

/// Kinds of DNS records.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[graphql(rename_items = "UPPERCASE")]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum DnsRecordType {
    /// Text.
    Txt,
    /// Another name for a host.
    Cname,
    /// An IPv4 address.
    A,
    /// An IPv6 address.
    Aaaa,
}

/// A DNS record to set, and what the last check found in its place.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DnsRecordResult {
    /// Kind of record.
    #[graphql(name = "type", directive = example::apply("\"TXT\"".into()))]
    #[serde(rename = "type")]
    pub(crate) kind: DnsRecordType,
    /// Where it stands.
    #[graphql(directive = example::apply("_linkgraph.go.example.com".into()))]
    pub(crate) name: String,
    /// What it must say.
    #[graphql(directive = example::apply("linkgraph-0f1e2d3c4b5a69788796a5b4c3d2e1f0".into()))]
    pub(crate) value: String,
    /// What it said at the last check, at most 8 values of 100 characters; empty before it.
    #[graphql(directive = items::apply(0, KEPT_VALUES), directive = example::apply("[]".into()))]
    pub(crate) found: Vec<String>,
    /// Whether it said so at the last check; null before it, and when DNS did not answer.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) is_set: Option<bool>,
    /// What went wrong at the last check, such as DNS servers that did not answer; null when nothing did.
    #[graphql(directive = example::apply("DNS servers did not answer in time.".into()))]
    pub(crate) problem: Option<String>,
}

impl CustomDomain {
    /// The domain as the API shows it.
    pub(crate) fn new(ShownDomain { domain, settings }: ShownDomain, config: &Config) -> Self {
        CustomDomain {
            updated_at: Timestamp(updated_at(domain.created_at, settings.as_ref())),
            settings: settings.into(),
            dns_records: records(&domain, config),
            id: domain.id.into(),
            status: DomainStatus::from_stored(&domain.status),
            verification_token: domain.token,
            created_at: Timestamp(domain.created_at),
            activated_at: domain.activated_at.map(Timestamp),
            failing_since: domain.failing_since.map(Timestamp),
            checked_at: domain.checked_at.map(Timestamp),
            domain: domain.name,
        }
    }
}

fn records(domain: &domain::Model, config: &Config) -> Vec<DnsRecordResult> {
    let Findings { mut texts, aliases, addresses, own_addresses, is_taken, .. } =
        Findings::of(domain).unwrap_or_default();
    if is_taken {
        texts.problem = Some("Another account has proved this name.".to_owned());
    }
    let record = |kind, name: String, value: String, Seen { found, is_set, problem }| DnsRecordResult {
        kind,
        name,
        value,
        found,
        is_set,
        problem,
    };
    let mut records = vec![record(DnsRecordType::Txt, proof_name(&domain.name), domain.token.clone(), texts)];
    let own_addresses = match own_address(config) {
        Some(address) => vec![address],
        None => {
            let host = config.base_url.host().to_owned();
            records.push(record(DnsRecordType::Cname, domain.name.clone(), host, aliases));
            own_addresses
        }
    };
    for own in own_addresses {
        let kind = if own.is_ipv4() { DnsRecordType::A } else { DnsRecordType::Aaaa };
        records.push(record(kind, domain.name.clone(), own.to_string(), of_family(&addresses, own)));
    }
    records
}

/// Narrows the address lookup to one of the service's addresses: the values of its family, and whether it is set.
fn of_family(seen: &Seen, own: IpAddr) -> Seen {
    let found: Vec<IpAddr> = seen.found.iter().filter_map(|address| address.parse().ok()).collect();
    let is_set = seen.is_set.map(|_| found.contains(&own));
    let problem = match seen.is_set {
        Some(false) if is_set == Some(true) => Some("There are addresses that are not this service's.".to_owned()),
        _ => seen.problem.clone(),
    };
    let found = found.iter().filter(|address| address.is_ipv4() == own.is_ipv4()).map(IpAddr::to_string).collect();
    Seen { found, is_set, problem }
}

/// A custom domain to add.
#[derive(InputObject, Debug)]
pub(crate) struct CreateDomainInput {
    /// Name of the domain, such as `go.example.com`. Not a public suffix such as `co.uk`, and not this service's own.
    /// Names in other scripts are accepted, and stored in their ASCII form.
    #[graphql(
        directive = length::apply(1, MAX_DOMAIN),
        directive = format::apply(Format::DomainName),
        directive = example::apply("go.example.com".into())
    )]
    pub(crate) domain: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use entity::host_setting;

    use crate::{
        features::domains::{
            event::event,
            hosts::settings::{MAX_CONTACT, MAX_HOST_URL, MAX_ROBOTS},
        },
        platform::work::event_kind::EventKind,
    };

    /// Domain owners control the values in DNS: even the largest must fit into an event.
    #[test]
    fn the_largest_domain_can_be_sent() {
        let config = Config::read(&|_| None).unwrap();
        let longest = |text: &str| Seen {
            found: vec![text.repeat(100); 8],
            is_set: Some(false),
            problem: Some("DNS servers answered that they can't answer, such as SERVFAIL.".to_owned()),
        };
        let address = "2001:db8:1111:2222:3333:4444:5555:6666";
        let findings = Findings {
            texts: longest("\0"),
            aliases: longest("\\"),
            addresses: Seen { found: vec![address.to_owned(); 8], ..longest("") },
            own_addresses: vec![address.parse().unwrap(); 8],
            is_taken: true,
            conclusive_at: Some(0),
        };
        let domain = domain::Model {
            id: uuid::Uuid::nil(),
            account_id: uuid::Uuid::nil(),
            name: "a".repeat(253),
            token: "linkgraph-00000000000000000000000000000000".to_owned(),
            status: "SUSPENDED".to_owned(),
            created_at: 0,
            activated_at: Some(0),
            failing_since: Some(0),
            checked_at: Some(0),
            found: Some(serde_json::to_string(&findings).unwrap()),
        };
        let url = Some(format!("https://example.com/?{}", "a".repeat(MAX_HOST_URL as usize - 21)));
        let settings = host_setting::Model {
            host: domain.name.clone(),
            account_id: domain.account_id,
            root_url: url.clone(),
            not_found_url: url.clone(),
            expired_url: url.clone(),
            favicon_url: url,
            robots_text: Some("\"".repeat(MAX_ROBOTS as usize)),
            security_contact: Some("a".repeat(MAX_CONTACT as usize)),
            ignores_case: true,
            default_tags: Some(vec!["\u{1f980}".repeat(50); 20].join(",")),
            forwards_query: true,
            updated_at: 0,
        };
        let shown = ShownDomain { domain, settings: Some(settings) };
        assert!(event(EventKind::DomainFailing, &shown, &config).is_ok());
        assert_eq!(CustomDomain::new(shown, &config).dns_records.len(), 10);
    }
}
