//! Questions about clicks.

use crate::{
    base::{clock::UnixMillis, ids::LinkId},
    click_store::{
        condition::{ClickDimension, Condition},
        rows::ClickFilter,
    },
};

/// The link or account whose clicks are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    Link(LinkId),
    /// All of the account's links.
    Account,
}

/// The clicks that are asked about: those of a subject in a time that keep all conditions.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) subject: Subject,
    /// Start of the range, in Unix milliseconds. `None`: the first click.
    pub(crate) from: Option<UnixMillis>,
    /// End of the range (exclusive), in Unix milliseconds. `None`: now.
    pub(crate) to: Option<UnixMillis>,
    /// Whether clicks of bots count.
    pub(crate) with_bots: bool,
    /// The filter. Without conditions, roll-ups answer; with some, single clicks are read.
    pub(crate) conditions: Vec<Condition>,
    /// The dimension by whose values clicks are counted. `None`: a breakdown is not asked for.
    pub(crate) dimension: Option<ClickDimension>,
    /// Most clicks that are read one by one for the answer.
    pub(crate) max_clicks: u64,
    /// Host of short URLs that are on no custom domain, as conditions name it.
    pub(crate) own_host: String,
}

impl Question {
    /// The range and whether bots count, without the conditions.
    pub(crate) fn click_filter(&self) -> ClickFilter {
        ClickFilter { from: self.from, to: self.to, humans_only: !self.with_bots }
    }

    /// Whether the link with these properties keeps the conditions on links.
    pub(crate) fn is_about(&self, link: &LinkFacts) -> bool {
        self.conditions.iter().all(|condition| match condition.dimension {
            ClickDimension::Link => condition.holds([&*link.id.0.to_string()]),
            ClickDimension::Domain => condition.holds([link.host_or(&self.own_host)]),
            ClickDimension::Tag => condition.holds(link.tags.iter().map(String::as_str)),
            _ => true,
        })
    }
}

/// The properties of a link by which its clicks are filtered and broken down.
#[derive(Clone, Debug)]
pub(crate) struct LinkFacts {
    pub(crate) id: LinkId,
    /// Custom host of its short URL; empty: the service's own.
    pub(crate) host: String,
    pub(crate) slug: String,
    /// Names of its tags; none if nobody asks for them.
    pub(crate) tags: Vec<String>,
    /// Clicks that it has had, at least.
    pub(crate) clicks: u64,
    /// Clicks that are no longer stored singly.
    pub(crate) expired: u64,
}

impl LinkFacts {
    /// Host of the link's short URL, if that of links on no custom domain is `own_host`.
    pub(crate) fn host_or<'a>(&'a self, own_host: &'a str) -> &'a str {
        if self.host.is_empty() { own_host } else { &self.host }
    }
}
