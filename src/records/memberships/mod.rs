//! Members of accounts, and invitations.

pub(crate) mod invitation_repo;
pub(crate) mod mail;
pub(crate) mod repo;
