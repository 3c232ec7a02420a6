//! Annotations of clicks.

pub(crate) mod repo;

crate::base::ids::ids! {
    /// An annotation.
    pub(crate) AnnotationId
}
