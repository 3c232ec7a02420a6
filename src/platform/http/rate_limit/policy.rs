//! The one table of rate limits, and what its rows count by.

use std::{net::IpAddr, time::Duration};

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{
    base::{
        ids::{AccountId, ApiKeyId, UserId},
        tier::Plan,
    },
    platform::auth::{
        caller::{Call, Caller},
        client::ClientNet,
    },
};

/// The unit of [`Policy::Cost`]: time of a processor, or of PostgreSQL.
const COST_UNIT: Duration = Duration::from_micros(100);

/// The cost of work that took so long, in units.
pub(crate) fn cost_of(time: Duration) -> u64 {
    u64::try_from(time.as_nanos().div_ceil(COST_UNIT.as_nanos())).unwrap_or(u64::MAX)
}

/// A rate limit policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    /// Requests of one API key; in GraphQL each root field is one.
    PublicApi(Plan),
    /// Uses of one public operation (register, login, …) from one client address.
    Authentication,
    /// Uses of one public operation that only reads, and refreshes of sessions, from one client address.
    PublicRead,
    /// Uses of one public operation of apps from one client address.
    OfApps,
    /// Operations on subdomains by one user, with a user token.
    Subdomain,
    /// Cost of GraphQL documents, and of reads over REST, of one user, of the API keys of one account, or of one client without a
    /// credential: the unit is [`COST_UNIT`].
    Cost,
    /// Wrong passwords for one e-mail address from one network.
    LoginFailures,
    /// Wrong passwords for one e-mail address from all networks that its user has never logged in from.
    UnknownLoginFailures,
    /// Passwords that such networks may try for one e-mail address once they have used up these failures.
    LoginTurns,
    /// Mails to one e-mail address that somebody asks for by naming it: to reset its password, or to prove it.
    Mails,
    /// Codes of an authenticator app that are tried for one user. Right ones do not count.
    SecondFactor,
    /// Invitations that the members of one account send: each is a mail to somebody who did not ask for it.
    Invitations,
    /// Passwords that one network tries for one link or report. Right ones do not count.
    LinkGuesses,
    /// Passwords that are tried for one link or report by all networks. Right ones do not count.
    AllLinkGuesses,
    /// Pages of the web that are fetched for one account.
    PageFetches,
    /// Cost of the pages of one account's reports, which others open; the unit is that of [`Policy::Cost`].
    ReportPages,
}

/// How a policy counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Algorithm {
    /// GCRA: the quota at once, then as fast as the window gives it back.
    Bucket,
    /// A fixed window from the first count on. It can be read without counting, and be reset.
    Window,
}

/// The fallback while Redis should be asked and does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WithoutRedis {
    /// This node counts by itself.
    Local,
    /// Requests pass.
    Pass,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QuotaPolicy {
    /// The name in headers, metrics and keys of Redis.
    pub(crate) name: &'static str,
    /// Units that a window grants.
    pub(crate) quota: u32,
    /// Length of the window in seconds.
    pub(crate) window: u32,
    pub(crate) algorithm: Algorithm,
    pub(crate) without_redis: WithoutRedis,
    /// The name under which the networks of clients are counted as well. `None`: the policy does not count clients.
    pub(crate) networks: Option<&'static str>,
}

/// The quota of a client's network, as a multiple of the client's own.
const CLIENTS_OF_NETWORK: u32 = 10;

impl Policy {
    pub(crate) fn all() -> impl Iterator<Item = Policy> {
        let others = [
            Policy::Authentication,
            Policy::PublicRead,
            Policy::OfApps,
            Policy::Subdomain,
            Policy::Cost,
            Policy::LoginFailures,
            Policy::UnknownLoginFailures,
            Policy::LoginTurns,
            Policy::Mails,
            Policy::SecondFactor,
            Policy::Invitations,
            Policy::LinkGuesses,
            Policy::AllLinkGuesses,
            Policy::PageFetches,
            Policy::ReportPages,
        ];
        Plan::ALL.into_iter().map(Policy::PublicApi).chain(others)
    }

    /// The policy's row. `None`: it limits nothing.
    pub(crate) const fn quota_policy(self) -> Option<QuotaPolicy> {
        use {Algorithm::*, WithoutRedis::*};
        let (name, quota, window, algorithm, without_redis) = match self {
            Policy::PublicApi(plan) => match plan.requests_per_minute() {
                Some(quota) => ("default", quota, 60, Bucket, Local),
                None => return None,
            },
            Policy::Authentication => ("authentication", 10, 60, Bucket, Local),
            Policy::PublicRead => ("public-read", 60, 60, Bucket, Local),
            // Mobile networks put thousands of users behind one IPv4 address.
            Policy::OfApps => ("apps", 600, 60, Bucket, Local),
            Policy::Subdomain => ("subdomain", 60, 60, Bucket, Pass),
            // A fifth of one processor, and more in a minute than any dashboard, code generator or audit asks for: 10,000
            // small documents or 1,000 full introspections.
            Policy::Cost => ("api-cost", 120_000, 60, Bucket, Local),
            Policy::LoginFailures => ("login-failures", 5, 15 * 60, Window, Local),
            Policy::UnknownLoginFailures => ("unknown-login-failures", 100, 24 * 60 * 60, Window, Local),
            Policy::LoginTurns => ("login-turns", 1, 30, Window, Local),
            Policy::Mails => ("mails", 5, 15 * 60, Window, Local),
            // Three of a million codes are right at a time, so that who knows the password is in after 23 years on average:
            // 10^6 / 3 / 2 / 20 = 8,333 days.
            Policy::SecondFactor => ("second-factor", 20, 24 * 60 * 60, Bucket, Local),
            // Two sets of those that may wait.
            Policy::Invitations => ("invitations", 200, 24 * 60 * 60, Bucket, Local),
            // How long passwords hold out against so many guesses is calculated in `records/links/gate.rs`.
            Policy::LinkGuesses => ("link-password", 5, 15 * 60, Bucket, Local),
            Policy::AllLinkGuesses => ("link-password-all", 60, 60 * 60, Bucket, Local),
            // More links than somebody makes by hand; no server is to get a flood from this one.
            Policy::PageFetches => ("page-fetches", 120, 60 * 60, Bucket, Local),
            // A count of a million clicks in 5 seconds, or of roll-ups in 10 milliseconds: as much as the account's own questions.
            Policy::ReportPages => ("report-pages", 120_000, 60, Bucket, Local),
        };
        let networks = match self {
            Policy::Authentication => Some("authentication-network"),
            Policy::PublicRead => Some("public-read-network"),
            Policy::OfApps => Some("apps-network"),
            Policy::Cost => Some("api-cost-network"),
            _ => None,
        };
        Some(QuotaPolicy { name, quota, window, algorithm, without_redis, networks })
    }
}

impl QuotaPolicy {
    /// The time in which a bucket regains one unit.
    pub(crate) fn interval(&self) -> Duration {
        Duration::from_secs(self.window.into()) / self.quota.max(1)
    }

    /// The buckets that one request takes from: the subject's, and that of its network, if networks are counted.
    pub(crate) fn buckets(&self, subject: Subject) -> Vec<(Key, QuotaPolicy)> {
        let network = self.networks.zip(subject.network);
        let network = network.map(|(name, key)| {
            (key, QuotaPolicy { name, quota: self.quota.saturating_mul(CLIENTS_OF_NETWORK), networks: None, ..*self })
        });
        [(subject.key, *self)].into_iter().chain(network).collect()
    }
}

/// A counter's key: the bytes of a random id, or a hash. No IP address and no e-mail address is kept anywhere, and one
/// of a megabyte, sent by an attacker, takes 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key([u8; 16]);

impl Key {
    /// An e-mail address, in lower case.
    pub(crate) fn of_email(email: &str) -> Self {
        Self::hash(&[email.as_bytes()])
    }

    /// An e-mail address, in lower case, and a client network.
    pub(crate) fn of_email_and_network(email: &str, network: ClientNet) -> Self {
        Self::hash(&[email.as_bytes(), &network.octets()])
    }

    /// A random id, and a client network.
    pub(crate) fn of_id_and_network(id: Uuid, network: ClientNet) -> Self {
        Self::hash(&[id.as_bytes(), &network.octets()])
    }

    fn hash(parts: &[&[u8]]) -> Self {
        let mut hash = Sha256::new();
        parts.iter().for_each(|part| hash.update(part));
        let mut short = [0; 16];
        short.copy_from_slice(&hash.finalize()[..16]);
        Key(short)
    }

    /// The key of the policy's count in Redis.
    pub(crate) fn in_redis(self, quota_policy: &QuotaPolicy) -> String {
        format!("linkgraph:limit:{}:{}", quota_policy.name, hex::encode(self.0))
    }
}

impl From<ApiKeyId> for Key {
    fn from(id: ApiKeyId) -> Self {
        Key(id.0.into_bytes())
    }
}

impl From<AccountId> for Key {
    fn from(id: AccountId) -> Self {
        Key(id.0.into_bytes())
    }
}

impl From<Uuid> for Key {
    fn from(id: Uuid) -> Self {
        Key(id.into_bytes())
    }
}

impl From<UserId> for Key {
    fn from(id: UserId) -> Self {
        Key(id.0.into_bytes())
    }
}

/// The subject of a limit: a key and, of a client that may have many addresses, its network's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Subject {
    pub(crate) key: Key,
    /// The key of the client's network. `None`: no network is counted.
    pub(crate) network: Option<Key>,
}

impl Subject {
    /// A client of one public operation: an IPv4 address; or an IPv6 address' /64, in its /48.
    pub(crate) fn of_client(operation: &str, client: IpAddr) -> Self {
        let client = ClientNet::from(client);
        // The /48 is told apart from its first /64, which has the same bytes.
        let key =
            |kind: &str, network: ClientNet| Key::hash(&[kind.as_bytes(), operation.as_bytes(), &network.octets()]);
        Subject { key: key("", client), network: client.site().map(|site| key("/48 ", site)) }
    }
}

impl Subject {
    /// The payer of a call: a user, the account of an API key, or a client. `None`: nobody, as the plan of the key limits nothing.
    pub(crate) fn payer(call: &Call) -> Option<Self> {
        match &call.caller {
            Caller::Anonymous | Caller::Refused => Some(Subject::of_client("", call.client)),
            Caller::User(user) => Some(Key::from(user.user).into()),
            Caller::ApiKey(key) if key.plan == Plan::Unlimited => None,
            Caller::ApiKey(key) => Some(Key::from(key.account).into()),
        }
    }
}

impl From<Key> for Subject {
    fn from(key: Key) -> Self {
        Subject { key, network: None }
    }
}

/// The decision of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    /// Whether the request may go on, and was counted if it was to be.
    pub(crate) granted: bool,
    pub(crate) remaining: u32,
    /// Until the quota is whole again; of a refusal, until the same would be granted.
    pub(crate) reset: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_of_one_network_have_ten_quotas_together() {
        for (policy, name, quota) in
            [(Policy::Authentication, "authentication-network", 100), (Policy::Cost, "api-cost-network", 1_200_000)]
        {
            let quota_policy = policy.quota_policy().unwrap();
            let buckets = |client: &str| quota_policy.buckets(Subject::of_client("", client.parse().unwrap()));
            let [own, network] = &*buckets("2001:db8:1:1::1") else { panic!("{policy:?}") };
            assert_eq!((network.1.name, network.1.quota), (name, quota));
            let [other, same_network] = &*buckets("2001:db8:1:2::1") else { panic!("{policy:?}") };
            assert_eq!((own.0 == other.0, network.0 == same_network.0), (false, true));
            assert_eq!(buckets("192.0.2.1").len(), 1);
        }
    }

    #[test]
    fn names_tell_policies_apart_but_for_plans() {
        let mut names: Vec<&str> = Policy::all().filter_map(|policy| Some(policy.quota_policy()?.name)).collect();
        assert_eq!(names.len(), 18);
        names.dedup();
        let logins = ["login-failures", "unknown-login-failures", "login-turns"];
        let others = ["default", "authentication", "public-read", "apps", "subdomain", "api-cost"];
        let more = [
            "mails",
            "second-factor",
            "invitations",
            "link-password",
            "link-password-all",
            "page-fetches",
            "report-pages",
        ];
        assert_eq!(names, [&others[..], &logins, &more].concat());
    }

    #[test]
    fn an_interval_is_a_whole_number_of_microseconds() {
        for quota_policy in Policy::all().filter_map(Policy::quota_policy) {
            assert_eq!(
                quota_policy.interval() * quota_policy.quota,
                Duration::from_secs(quota_policy.window.into()),
                "{quota_policy:?}"
            );
            assert_eq!(quota_policy.interval().subsec_nanos() % 1_000, 0, "{quota_policy:?}");
        }
    }

    #[test]
    fn a_client_is_counted_for_each_operation_and_by_its_64() {
        let of = |operation, client: &str| Subject::of_client(operation, client.parse().unwrap());
        assert_eq!(of("login", "2001:db8::1"), of("login", "2001:db8::ffff:1"));
        assert_ne!(of("login", "192.0.2.1"), of("register", "192.0.2.1"));
        assert_eq!(of("login", "192.0.2.1").network, None);
        let (one, other) = (of("login", "2001:db8::1"), of("login", "2001:db8:0:1::1"));
        assert!(one.key != other.key && one.network == other.network && one.network != Some(one.key));
        assert_ne!(one.network, of("login", "2001:db8:1::1").network);
        let quota_policy = Policy::LoginFailures.quota_policy().unwrap();
        let kept = Key::of_email("alice@example.com").in_redis(&quota_policy);
        assert!(kept.starts_with("linkgraph:limit:login-failures:") && !kept.contains("alice"), "{kept}");
    }
}
