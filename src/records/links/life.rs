//! The life of links: when they begin and end, and how often they may be followed.

use entity::link;

use crate::{
    base::{clock::UnixMillis, error::Violations, patch::Patch},
    redirect::target::Limit,
};

/// Redirects that a limit may allow at most.
pub(crate) const MAX_CLICKS: i32 = 1_000_000;

/// The life of a link, as a request sets it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Life {
    /// When it begins to redirect.
    pub(crate) starts_at: Patch<UnixMillis>,
    /// When it ceases to redirect.
    pub(crate) expires_at: Patch<UnixMillis>,
    /// Where it leads after its end, as written.
    pub(crate) expired_url: Patch<String>,
    /// How often it redirects at most.
    pub(crate) max_clicks: Patch<i32>,
}

impl Life {
    /// The limit of a new link.
    pub(crate) fn limit(&self) -> Option<Limit> {
        self.max_clicks.flatten().map(|max| Limit { max: max.into(), used: 0 })
    }

    /// Notes a limit that is out of bounds.
    pub(crate) fn check_limit(&self, violations: &mut Violations) {
        if self.max_clicks.flatten().is_some_and(|max| !(1..=MAX_CLICKS).contains(&max)) {
            violations.add("maxClicks", format!("must be between 1 and {MAX_CLICKS}"));
        }
    }

    /// Writes the times into a link's row.
    pub(crate) fn write_into(&self, link: &mut link::Model) {
        link.starts_at = self.starts_at.unwrap_or(link.starts_at);
        link.expires_at = self.expires_at.unwrap_or(link.expires_at);
    }

    /// Notes that a link would end before it begins.
    pub(crate) fn check_window(&self, link: &link::Model, violations: &mut Violations) {
        if link.starts_at.zip(link.expires_at).is_none_or(|(starts_at, expires_at)| starts_at < expires_at) {
            return;
        }
        match self.expires_at {
            Some(Some(_)) => violations.add("expiresAt", "must be later than startsAt"),
            _ => violations.add("startsAt", "must be earlier than expiresAt"),
        }
    }
}
