//! What several features do together.

pub(crate) mod account_deletion;
pub(crate) mod events;
