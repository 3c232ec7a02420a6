//! What a request does to a field that may be empty.

/// A change of a field that may be empty, as JSON merge patch has it (RFC 7396): `None` leaves it as it is, and `Some(None)`, a null of
/// the request, takes its value away. In a request that creates something, both are a field without a value.
pub(crate) type Patch<T> = Option<Option<T>>;
