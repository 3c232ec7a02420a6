//! Second factors of users: authenticator apps and recovery codes.

pub(crate) mod repo;
