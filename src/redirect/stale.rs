//! Invalidations: cached data and credentials that nodes must evict, revoke or check again.

use std::collections::HashSet;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::cache::Site;
use crate::base::{
    clock::UnixMillis,
    ids::{AccountId, MembershipId, SessionId, UserId},
};

/// The kinds that are kept until the revoked tokens have expired: a node reads all of them when it starts.
pub(super) const LASTING: [&str; 3] = ["user_tokens", "membership", "session"];

/// Cached data or credentials that nodes must evict, revoke or check again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stale {
    /// The link, or miss, at a host and slug.
    Link {
        /// The host; empty for the service's own.
        host: String,
        /// The account whose link it is.
        account: Uuid,
        /// The slug.
        slug: String,
    },
    /// The account to which the host of this name belongs.
    Host(String),
    /// All cached links and hosts of an account, and the credentials of its open sockets.
    Account(Uuid),
    /// User tokens that are older than the password.
    UserTokens {
        /// The user's account.
        account: Uuid,
        /// The user.
        user: Uuid,
        /// Tokens are revoked if their password was set before: Unix milliseconds.
        not_before: UnixMillis,
    },
    /// User tokens of a membership that was changed or has ended.
    Membership {
        /// The account.
        account: Uuid,
        /// The membership.
        membership: Uuid,
        /// Tokens that know an earlier change are revoked: Unix milliseconds.
        changed_at: UnixMillis,
    },
    /// User tokens of a session that has ended.
    Session {
        /// The account of the session's user.
        account: Uuid,
        /// The session.
        session: Uuid,
        /// When it ended: Unix milliseconds.
        ended_at: UnixMillis,
    },
    /// Credentials of an account that are stored as rows, such as API keys: its open sockets check theirs again.
    Credentials(Uuid),
    /// The operator's restrictions: they are read again.
    Restrictions,
}

impl Stale {
    /// The link, or miss, of a slug at a site.
    pub(crate) fn link(site: Site<'_>, slug: &str) -> Self {
        Stale::Link { host: site.host.to_owned(), account: site.account.0, slug: slug.to_owned() }
    }

    /// All tokens of the user that were made before the password was set at `not_before` (Unix milliseconds).
    pub fn user_tokens(account: AccountId, user: UserId, not_before: UnixMillis) -> Self {
        Stale::UserTokens { account: account.0, user: user.0, not_before }
    }

    /// All tokens of a membership that know an earlier change of it than that at `changed_at` (Unix milliseconds).
    pub(crate) fn membership(account: AccountId, membership: MembershipId, changed_at: UnixMillis) -> Self {
        Stale::Membership { account: account.0, membership: membership.0, changed_at }
    }

    /// All tokens of a session that ended.
    pub(crate) fn session(account: AccountId, session: SessionId, ended_at: UnixMillis) -> Self {
        Stale::Session { account: account.0, session: session.0, ended_at }
    }

    /// Whether it is read at the next start.
    pub(super) fn lasts(&self) -> bool {
        matches!(self, Stale::UserTokens { .. } | Stale::Membership { .. } | Stale::Session { .. })
    }
}

/// Numbers of this node's own changes, which it applied at the commit and skips in the feed.
#[derive(Debug, Default)]
pub(crate) struct OwnChanges(pub(super) Mutex<HashSet<i64>>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalidations_have_a_stable_json_form() {
        let (account, text) = (Uuid::nil(), |stale| serde_json::to_string(&stale).unwrap());
        let link = Stale::link(Site::exact("go.example", AccountId(account)), "a");
        let written = r#"{"link":{"host":"go.example","account":"00000000-0000-0000-0000-000000000000","slug":"a"}}"#;
        assert_eq!(text(link.clone()), written);
        assert_eq!(serde_json::from_str::<Stale>(written).unwrap(), link);
        assert_eq!(text(Stale::Host("go.example".to_owned())), r#"{"host":"go.example"}"#);
        assert_eq!(text(Stale::Restrictions), r#""restrictions""#);
        assert_eq!(text(Stale::Account(account)), r#"{"account":"00000000-0000-0000-0000-000000000000"}"#);
        assert_eq!(text(Stale::Credentials(account)), r#"{"credentials":"00000000-0000-0000-0000-000000000000"}"#);
        for (kind, stale) in LASTING.into_iter().zip([
            Stale::user_tokens(AccountId(account), UserId(account), 1),
            Stale::membership(AccountId(account), MembershipId(account), 1),
            Stale::session(AccountId(account), SessionId(account), 1),
        ]) {
            assert!(stale.lasts());
            let written = text(stale);
            assert!(written.starts_with(&format!(r#"{{"{kind}":{{"account":"00"#)), "{written}");
        }
    }
}
