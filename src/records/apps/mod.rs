//! Apps that open short links: what hosts say of them, and the keys by which they ask where links lead.

pub(crate) mod files;
pub(crate) mod host_repo;
pub(crate) mod key_repo;

crate::base::ids::ids! {
    /// A publishable key.
    pub(crate) PublishableKeyId
}
