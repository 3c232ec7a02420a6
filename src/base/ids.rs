//! A type for each kind of id, so that one can't be passed for another. All are UUIDv7; callers see opaque strings.

use std::{fmt, str::FromStr};

use uuid::{NoContext, Timestamp, Uuid};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub Uuid);

        impl $name {
            /// A new id, greater than every one made before by this process.
            pub fn new() -> Self {
                Self(Uuid::now_v7())
            }
        }

        impl $name {
            /// An id that is in order among those that were made at this time: Unix milliseconds.
            #[must_use]
            pub fn of_time(millis: i64) -> Self {
                let millis = millis.unsigned_abs();
                let nanos = u32::try_from(millis % 1_000 * 1_000_000).unwrap_or_default();
                Self(Uuid::new_v7(Timestamp::from_unix(NoContext, millis / 1_000, nanos)))
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::parse_str(text).map(Self)
            }
        }
    )*};
}

ids! {
    /// The tenant.
    AccountId
    /// A login.
    UserId
    /// A login in a browser.
    SessionId
    /// A short link.
    LinkId
    /// A tag of links.
    TagId
    /// A UTM template.
    UtmTemplateId
    /// An API key.
    ApiKeyId
    /// A custom domain of an account.
    DomainId
    /// A webhook.
    WebhookId
    /// An import of links.
    ImportId
    /// An event on its way to a webhook.
    DeliveryId
}
