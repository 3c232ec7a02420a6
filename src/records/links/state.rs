//! States of links, and fields of theirs that can be taken away.

use async_graphql::Enum;

use crate::{
    base::{clock::UnixMillis, error::Violations},
    redirect::target::Limit,
};
use entity::link;
use serde::{Deserialize, Serialize};

/// What becomes of a visitor who follows a link now.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum LinkState {
    /// It redirects to its destination.
    Active,
    /// It is switched off: it answers 404.
    Inactive,
    /// `startsAt` is in the future: until then it answers 404.
    Scheduled,
    /// `expiresAt` has passed: it redirects to `expiredUrl`, or else answers 410.
    Expired,
    /// It was followed `maxClicks` times: it redirects to `expiredUrl`, or else answers 410.
    UsedUp,
    /// The operator of the service has blocked it: it answers 410.
    Blocked,
}

impl LinkState {
    /// The state of a link, with its limit if it has one, at this time. `is_blocked`: the operator has blocked it.
    pub(crate) fn of(link: &link::Model, limit: Option<Limit>, is_blocked: bool, now: UnixMillis) -> Self {
        if is_blocked {
            LinkState::Blocked
        } else if !link.is_active {
            LinkState::Inactive
        } else if link.starts_at.is_some_and(|at| now < at) {
            LinkState::Scheduled
        } else if link.expires_at.is_some_and(|at| now >= at) {
            LinkState::Expired
        } else if limit.is_some_and(Limit::is_used_up) {
            LinkState::UsedUp
        } else {
            LinkState::Active
        }
    }
}

/// A field of a link that can be taken away from it.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkField {
    /// `startsAt`: the link redirects from now on.
    StartsAt,
    /// `expiresAt`: the link does not expire.
    ExpiresAt,
    /// `expiredUrl`: after its end the link answers 410.
    ExpiredUrl,
    /// `maxClicks`: the link redirects without limit. A limit that is set later begins with no clicks used.
    MaxClicks,
    /// `title`: the link has none.
    Title,
    /// `notes`: the link has none.
    Notes,
    /// `externalId`: the link has none, and another link of the account may get this one.
    ExternalId,
    /// `forwardsQuery`: the link follows its host.
    ForwardsQuery,
    /// `utm`: the destination loses its UTM parameters.
    Utm,
}

impl LinkField {
    /// Number of the fields.
    pub(crate) const ALL: i32 = 9;

    /// The name of the field.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            LinkField::StartsAt => "startsAt",
            LinkField::ExpiresAt => "expiresAt",
            LinkField::ExpiredUrl => "expiredUrl",
            LinkField::MaxClicks => "maxClicks",
            LinkField::Title => "title",
            LinkField::Notes => "notes",
            LinkField::ExternalId => "externalId",
            LinkField::ForwardsQuery => "forwardsQuery",
            LinkField::Utm => "utm",
        }
    }
}

/// Notes fields that are to be cleared and set at once.
pub(crate) fn check_clear(clear: &[LinkField], set: impl Iterator<Item = LinkField>, violations: &mut Violations) {
    for field in set.filter(|field| clear.contains(field)) {
        violations.add("clear", format!("must not name {}, which the same request sets", field.as_str()));
    }
}
