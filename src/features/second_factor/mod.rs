//! Second factors: authenticator apps (TOTP, RFC 6238), passkeys, and the recovery codes that take their place.

pub(crate) mod check;
pub(crate) mod codes;
pub(crate) mod mutation;
pub(crate) mod ops;
pub(crate) mod passkeys;
pub(crate) mod query;
pub(crate) mod types;
