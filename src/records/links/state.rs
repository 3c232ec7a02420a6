//! States of links.

use async_graphql::Enum;

use crate::{base::clock::UnixMillis, redirect::target::Limit};
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
