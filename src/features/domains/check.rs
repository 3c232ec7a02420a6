//! The DNS check of a domain: whether DNS proves its ownership, and leads to this service.

use std::{net::IpAddr, time::Duration};

use entity::domain;
use serde::{Deserialize, Serialize};

use crate::{
    app::App,
    base::{clock::UnixMillis, config::Config, error::ApiError, ids::AccountId},
    platform::net::dns::LookupError,
    records::domains::state::Verdict,
};

/// How long a check waits until others have ended.
const MAX_WAIT: Duration = Duration::from_secs(5);
/// Values that are kept of each lookup, and characters of each: whoever owns a name may write much below it.
pub(crate) const KEPT_VALUES: i32 = 8;
const KEPT_CHARACTERS: usize = 100;

/// The lookup result for one type of DNS records.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Seen {
    pub(crate) found: Vec<String>,
    /// Whether the required record is set. `None`: DNS did not answer.
    pub(crate) is_set: Option<bool>,
    /// The problem of the lookup, in words; `None`: it had none.
    pub(crate) problem: Option<String>,
}

/// The stored findings of the last check.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Findings {
    /// TXT records.
    pub(crate) texts: Seen,
    /// CNAME targets of the name.
    pub(crate) aliases: Seen,
    /// Addresses of the name.
    pub(crate) addresses: Seen,
    /// Addresses of the service's own host.
    pub(crate) own_addresses: Vec<IpAddr>,
    /// Whether another account has proved the name.
    pub(crate) is_taken: bool,
    /// The last check that was not unclear.
    pub(crate) conclusive_at: Option<UnixMillis>,
}

impl Findings {
    /// Reads the findings of a domain's last check; `None`: no check has run, or its findings can't be read.
    pub(crate) fn of(domain: &domain::Model) -> Option<Self> {
        serde_json::from_str(domain.found.as_deref()?).ok()
    }
}

#[derive(Debug)]
pub(crate) struct Check {
    /// The verdict of DNS.
    pub(crate) verdict: Verdict,
    /// When it was asked.
    pub(crate) started_at: UnixMillis,
    /// The findings to store.
    pub(crate) findings: Findings,
    texts: Vec<String>,
}

impl Check {
    /// Whether a token is among the TXT records.
    pub(crate) fn saw(&self, token: &str) -> bool {
        has_token(&self.texts, token)
    }
}

fn has_token(texts: &[String], token: &str) -> bool {
    texts.iter().any(|text| text.trim() == token)
}

/// The name of the TXT record that proves a domain.
pub(crate) fn proof_name(domain: &str) -> String {
    format!("_linkgraph.{domain}")
}

/// The address in the base URL. `None`: it has a host name.
pub(crate) fn own_address(config: &Config) -> Option<IpAddr> {
    config.base_url.host().trim_matches(['[', ']']).parse().ok()
}

/// Checks a domain in DNS. Must not be called within a transaction. Fails with UNAVAILABLE when the account has too many checks.
pub(crate) async fn check(app: &App, domain: &domain::Model) -> Result<Check, ApiError> {
    let turn = tokio::time::timeout(MAX_WAIT, app.domain_checks.acquire(AccountId(domain.account_id))).await;
    let _turn = turn.map_err(|_| ApiError::unavailable())??;
    let started_at = app.clock.now();
    let proof = proof_name(&domain.name);
    // The dot at the end makes the name absolute, so that no search list is tried.
    let whole = format!("{}.", domain.name);
    let (texts, aliases, addresses, own) =
        tokio::join!(app.dns.texts(&proof), app.dns.aliases(&domain.name), app.dns.addresses(&whole), async {
            match own_address(&app.config) {
                Some(address) => Ok(vec![address]),
                None => app.dns.addresses(app.config.base_url.host()).await,
            }
        });
    let hosts = [app.config.base_url.host(), app.config.subdomain_host.as_str()];
    let proved = texts.as_ref().ok().map(|texts| has_token(texts, &domain.token));
    let alias = aliases.as_ref().ok().map(|found| found.iter().any(|name| hosts.contains(&name.as_str())));
    let address = match (&addresses, &own) {
        (Ok(found), Ok(own)) => Some(!found.is_empty() && found.iter().all(|address| own.contains(address))),
        _ => None,
    };
    let routed = match (alias, address) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    };
    let verdict = match (proved, routed) {
        (Some(true), Some(true)) => Verdict::Good,
        (Some(false), _) | (_, Some(false)) => Verdict::Bad,
        _ => Verdict::Unclear,
    };
    let mut of_addresses = seen(address, &addresses);
    if let (Ok(_), Err(error)) = (&addresses, &own) {
        of_addresses.problem = Some(format!("The service's own addresses: {}", problem(*error)));
    }
    let findings = Findings {
        texts: seen(proved, &texts),
        aliases: seen(alias, &aliases),
        addresses: of_addresses,
        own_addresses: own.unwrap_or_default().into_iter().take(KEPT_VALUES.unsigned_abs() as usize).collect(),
        is_taken: false,
        conclusive_at: (verdict != Verdict::Unclear).then_some(started_at),
    };
    Ok(Check { verdict, started_at, findings, texts: texts.unwrap_or_default() })
}

fn seen<T: ToString>(is_set: Option<bool>, looked_up: &Result<Vec<T>, LookupError>) -> Seen {
    match looked_up {
        Ok(found) => {
            let kept = |value: &T| value.to_string().chars().take(KEPT_CHARACTERS).collect();
            Seen {
                found: found.iter().take(KEPT_VALUES.unsigned_abs() as usize).map(kept).collect(),
                is_set,
                problem: None,
            }
        }
        Err(error) => Seen { found: Vec::new(), is_set, problem: Some(problem(*error).to_owned()) },
    }
}

const fn problem(error: LookupError) -> &'static str {
    match error {
        LookupError::Timeout => "DNS servers did not answer in time.",
        LookupError::ServerFailure => "DNS servers answered that they can't answer, such as SERVFAIL.",
    }
}
