//! HTTP as all routes share it: the edge that wraps every request, and refusals.

pub mod client_stream;
pub mod cors;
pub mod edge;
pub mod host_field;
pub mod negotiation;
pub mod pages;
pub mod rate_limit;
pub mod refusal;
pub mod shutdown;
