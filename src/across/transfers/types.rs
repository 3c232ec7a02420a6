//! GraphQL types of transfers.

use async_graphql::{ID, InputObject, SimpleObject};

use super::ops::Shown;
use crate::{
    graphql::{
        directives::{embedded, example, items},
        page::Paged,
        scalars::{Timestamp, count},
    },
    records::transfers::state::TransferState,
};

/// Links, or a custom domain with all links on it, that one account gives to another. The links keep ids, addresses, clicks and reports; they
/// redirect all the time.
#[derive(SimpleObject, Clone, Debug)]
pub(crate) struct Transfer {
    /// Identifies the transfer.
    #[graphql(directive = example::apply("019aa1c2-c3f4-7a6e-9d30-5b7c1e2f4a61".into()))]
    pub(crate) id: ID,
    /// The account that gives.
    #[graphql(directive = embedded::apply())]
    pub(crate) from_account: TransferAccount,
    /// The account that gets.
    #[graphql(directive = embedded::apply())]
    pub(crate) to_account: TransferAccount,
    /// The custom domain. Null: only the links of `shortUrls` are given.
    #[graphql(directive = example::apply("go.example.com".into()))]
    pub(crate) domain: Option<String>,
    /// The links that are given one by one, the oldest first; empty for a domain, which has all of its links with it.
    #[graphql(
        directive = items::apply(0, MAX_LINKS),
        directive = example::apply("[\"https://sho.rt/spring\"]".into())
    )]
    pub(crate) short_urls: Vec<String>,
    /// Number of links: when they were offered, and once accepted, then.
    #[graphql(directive = example::apply("1".into()))]
    pub(crate) link_count: i32,
    /// Number of links that belong to the account that gets already.
    #[graphql(directive = example::apply("0".into()))]
    pub(crate) moved_links: i32,
    /// How far it is.
    #[graphql(directive = example::apply("\"OFFERED\"".into()))]
    pub(crate) state: TransferState,
    /// When it was offered.
    pub(crate) created_at: Timestamp,
    /// When the offer expires, 7 days later; and once it is accepted, when it leaves the list.
    #[graphql(directive = example::apply("2026-11-27T14:33:38.125Z".into()))]
    pub(crate) expires_at: Timestamp,
}

/// Links that are offered at once.
pub(crate) const MAX_LINKS: i32 = 100;

/// An account that takes part in a transfer, as the other one sees it.
#[derive(SimpleObject, Clone, Debug)]
pub(crate) struct TransferAccount {
    /// Identifies the account.
    #[graphql(directive = example::apply("019aa1c2-a7c4-7d1e-8b52-4f6e8a0c2e00".into()))]
    pub(crate) id: ID,
    /// Its display name.
    #[graphql(directive = example::apply("Analytical Engines".into()))]
    pub(crate) name: String,
}

impl Paged for Transfer {
    const PAGE: &str = "TransferPageResult";
}

impl From<Shown> for Transfer {
    fn from(Shown { transfer, from, to, short_urls }: Shown) -> Self {
        Transfer {
            id: transfer.id.into(),
            from_account: TransferAccount { id: transfer.account_id.into(), name: from },
            to_account: TransferAccount { id: transfer.to_account_id.into(), name: to },
            domain: transfer.domain,
            short_urls,
            link_count: count(transfer.link_count),
            moved_links: count(transfer.moved_links),
            state: TransferState::from_stored(&transfer.state),
            created_at: Timestamp(transfer.created_at),
            expires_at: Timestamp(transfer.expires_at),
        }
    }
}

/// What to give, and to whom.
#[derive(InputObject, Debug)]
pub(crate) struct OfferTransferInput {
    /// The id of the account that gets it, which its members see as `account.id`.
    #[graphql(directive = example::apply("019aa1c2-a7c4-7d1e-8b52-4f6e8a0c2e00".into()))]
    pub(crate) to_account_id: ID,
    /// Ids of links on the service's own host. Null, or absent: a domain is given.
    #[graphql(directive = items::apply(1, MAX_LINKS), directive = example::apply("[\"019aa1c2-9b1d-7f2a-8c3e-2d4f6a8b0c11\"]".into()))]
    pub(crate) link_ids: Option<Vec<ID>>,
    /// The id of a custom domain, which is given with its settings and all links on it. Null, or absent: links are given.
    pub(crate) domain_id: Option<ID>,
}
