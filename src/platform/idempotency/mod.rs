//! Requests that are executed once, however often they are sent: idempotency keys, as
//! [draft-ietf-httpapi-idempotency-key-header](https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/)
//! has them. No operation is known by name here.

pub(crate) mod key;
pub(crate) mod once;
pub(crate) mod repo;
pub(crate) mod seal;
