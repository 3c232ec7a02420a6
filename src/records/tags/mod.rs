//! Tags of links.

pub(crate) mod name;
pub(crate) mod repo;

crate::base::ids::ids! {
    /// A tag of links.
    pub(crate) TagId
}
