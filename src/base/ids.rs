//! A type for each kind of id, so that one can't be passed for another. All are UUIDv7; callers see opaque strings. Those that only a
//! feature and its neighbours know stand with its records.

use uuid::{NoContext, Timestamp, Uuid};

/// Declares ids: a description and a name for each.
macro_rules! ids {
    ($($(#[$doc:meta])* $vis:vis $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis struct $name(pub uuid::Uuid);

        impl $name {
            /// A new id, greater than every one made before by this process.
            $vis fn new() -> Self {
                Self(uuid::Uuid::now_v7())
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0, f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                uuid::Uuid::parse_str(text).map(Self)
            }
        }
    )*};
}
pub(crate) use ids;

ids! {
    /// The tenant.
    pub AccountId
    /// A login.
    pub UserId
    /// A user's place in an account.
    pub MembershipId
    /// An invitation to an account.
    pub InvitationId
    /// A transfer of links to another account.
    pub TransferId
    /// A login in a browser.
    pub SessionId
    /// A short link.
    pub LinkId
    /// An API key.
    pub ApiKeyId
    /// A custom domain of an account.
    pub DomainId
    /// A webhook.
    pub WebhookId
    /// An event on its way to a webhook.
    pub DeliveryId
}

impl LinkId {
    /// When the link was made: Unix milliseconds, as a UUIDv7 begins (RFC 9562 §5.7).
    pub(crate) fn made_at(self) -> i64 {
        let (high, low, _, _) = self.0.as_fields();
        (i64::from(high) << 16) | i64::from(low)
    }

    /// An id that is in order among those that were made at this time: Unix milliseconds.
    #[must_use]
    pub(crate) fn of_time(millis: i64) -> Self {
        let millis = millis.unsigned_abs();
        let nanos = u32::try_from(millis % 1_000 * 1_000_000).unwrap_or_default();
        Self(Uuid::new_v7(Timestamp::from_unix(NoContext, millis / 1_000, nanos)))
    }
}
