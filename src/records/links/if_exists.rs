//! The choice of a request to create a link when there is one already.

use async_graphql::Enum;

/// What to do when the account has a link to the same destination on the same host.
#[derive(Enum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum IfExists {
    /// Create another one.
    #[default]
    Create,
    /// Answer the oldest of these links as it is, and change nothing: of those that redirect now, have neither `expiresAt` nor
    /// `maxClicks`, rules nor a split, and ask visitors for nothing. Where a slug is asked for, of those that have it. Create a link if
    /// there is none, or if the new one is to ask visitors. An API key without the scope `links:read` gets CONFLICT if there is one.
    Return,
}
