//! GraphQL types of what is told live.

use async_graphql::SimpleObject;

use crate::{
    across::account_clicks::counts::{Counted, MAX_LINKS},
    base::ids::LinkId,
    features::analytics::summary_types::TopLinkPoint,
    graphql::{
        directives::{example, items},
        scalars::{Timestamp, count},
    },
};

/// Clicks of the account that were stored since the message before, or since the subscription began.
#[derive(SimpleObject, Debug)]
pub(crate) struct AccountClicksResult {
    /// When they were counted.
    #[graphql(directive = example::apply("2026-11-20T14:35:03.000Z".into()))]
    pub(crate) at: Timestamp,
    /// All of them, those of bots included.
    #[graphql(directive = example::apply("13".into()))]
    pub(crate) total: i32,
    /// The links that were followed, the most followed first: at most 50, of the 200 that were followed last. Clicks that were
    /// stored more than a minute after they were made count in `total` alone.
    #[graphql(directive = items::apply(0, MAX_LINKS))]
    pub(crate) links: Vec<TopLinkPoint>,
}

impl From<&Counted> for AccountClicksResult {
    fn from(counted: &Counted) -> Self {
        AccountClicksResult {
            at: Timestamp(counted.at),
            total: count(counted.total),
            links: counted.links.iter().map(|(link, clicks)| TopLinkPoint::new(LinkId(*link), *clicks)).collect(),
        }
    }
}
