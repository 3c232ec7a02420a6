//! HTTP as all routes share it: the edge that wraps every request, and refusals.

pub mod edge;
pub mod host_field;
pub mod refusal;
