//! Plans and payment. An account pays at a provider; what it may use follows what the provider shows.

pub(crate) mod event;
pub(crate) mod inbound;
pub(crate) mod mutation;
pub(crate) mod ops;
pub(crate) mod query;
pub(crate) mod route;
pub(crate) mod sandbox;
pub(crate) mod subscription;
pub(crate) mod sync;
pub(crate) mod types;
pub(crate) mod usage;
