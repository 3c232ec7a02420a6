//! Passkeys: a second factor that is also a login by itself, since the authenticator verifies its user.

pub(crate) mod check;
pub(crate) mod mutation;
pub(crate) mod ops;
pub(crate) mod query;
pub(crate) mod types;
