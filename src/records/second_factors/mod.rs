//! Second factors of users: authenticator apps, passkeys and recovery codes.

pub(crate) mod passkey_repo;
pub(crate) mod repo;
