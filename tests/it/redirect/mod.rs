//! From a request to its answer.

pub(crate) mod any_case;
pub(crate) mod apps;
pub(crate) mod cards;
pub(crate) mod connections;
pub(crate) mod forwarding;
pub(crate) mod gates;
pub(crate) mod host_pages;
pub(crate) mod hosts;
pub(crate) mod life;
pub(crate) mod limits;
pub(crate) mod pasted;
pub(crate) mod previews;
pub(crate) mod rules;
pub(crate) mod slugs;
pub(crate) mod splits;
pub(crate) mod visits;
