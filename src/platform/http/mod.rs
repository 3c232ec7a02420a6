//! HTTP as all routes share it: the edge that wraps every request, and refusals.

pub(crate) mod bodies;
pub mod client_stream;
pub(crate) mod coding;
pub(crate) mod cors;
pub(crate) mod edge;
pub(crate) mod etag;
pub(crate) mod host_field;
pub(crate) mod json;
pub(crate) mod negotiation;
pub(crate) mod pages;
pub mod rate_limit;
pub(crate) mod refusal;
pub(crate) mod shared_password;
pub mod shutdown;
