//! The life of links: when they begin and end, and how often they may be followed.

use entity::link;

use crate::{
    base::{clock::UnixMillis, error::Violations},
    records::links::state::LinkField,
    redirect::target::Limit,
};

/// Redirects that a limit may allow at most.
pub(crate) const MAX_CLICKS: i32 = 1_000_000;

/// The life of a link, as a request sets it. `None`: the request does not set the field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Life {
    /// When it begins to redirect.
    pub(crate) starts_at: Option<UnixMillis>,
    /// When it ceases to redirect.
    pub(crate) expires_at: Option<UnixMillis>,
    /// Where it leads after its end, as written.
    pub(crate) expired_url: Option<String>,
    /// How often it redirects at most.
    pub(crate) max_clicks: Option<i32>,
}

impl Life {
    /// The fields that the request sets.
    pub(crate) fn fields(&self) -> impl Iterator<Item = LinkField> {
        [
            (LinkField::StartsAt, self.starts_at.is_some()),
            (LinkField::ExpiresAt, self.expires_at.is_some()),
            (LinkField::ExpiredUrl, self.expired_url.is_some()),
            (LinkField::MaxClicks, self.max_clicks.is_some()),
        ]
        .into_iter()
        .filter_map(|(field, is_set)| is_set.then_some(field))
    }

    /// The limit of a new link.
    pub(crate) fn limit(&self) -> Option<Limit> {
        self.max_clicks.map(|max| Limit { max: max.into(), used: 0 })
    }

    /// Notes a limit that is out of bounds.
    pub(crate) fn check_limit(&self, violations: &mut Violations) {
        if self.max_clicks.is_some_and(|max| !(1..=MAX_CLICKS).contains(&max)) {
            violations.add("maxClicks", format!("must be between 1 and {MAX_CLICKS}"));
        }
    }

    /// Notes that a link would end before it begins.
    pub(crate) fn check_window(&self, link: &link::Model, violations: &mut Violations) {
        if link.starts_at.zip(link.expires_at).is_none_or(|(starts_at, expires_at)| starts_at < expires_at) {
            return;
        }
        match self.expires_at {
            Some(_) => violations.add("expiresAt", "must be later than startsAt"),
            None => violations.add("startsAt", "must be earlier than expiresAt"),
        }
    }
}
