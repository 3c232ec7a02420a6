//! UTM templates.

pub(crate) mod repo;

crate::base::ids::ids! {
    /// A UTM template.
    pub(crate) UtmTemplateId
}
