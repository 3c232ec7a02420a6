//! Imports of links.

pub(crate) mod jobs;
pub(crate) mod mapping;
pub(crate) mod repo;
pub(crate) mod results_repo;
pub(crate) mod state;

crate::base::ids::ids! {
    /// An import of links.
    pub(crate) ImportId
}
