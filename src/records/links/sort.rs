//! Orders of lists.

use async_graphql::Enum;

/// Order of a list of links.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkSort {
    /// The link that was created last comes first.
    Newest,
    /// The link that was created first comes first.
    Oldest,
    /// The link that was followed most often comes first, bots and clicks before its import included; of several, the newest.
    MostClicked,
    /// The link that was followed last comes first, bots included. Links that were never followed come after all others,
    /// the newest first.
    LastClicked,
}

impl LinkSort {
    /// Whether it is the order of how much links are followed.
    pub(crate) const fn is_by_activity(self) -> bool {
        matches!(self, LinkSort::MostClicked | LinkSort::LastClicked)
    }
}
