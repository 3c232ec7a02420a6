//! Members of accounts: invitations, roles, and the account that a user works in.

pub(crate) mod invitation_mail;
pub(crate) mod invitation_ops;
pub(crate) mod membership;
pub(crate) mod mutation;
pub(crate) mod ops;
pub(crate) mod query;
pub(crate) mod types;
