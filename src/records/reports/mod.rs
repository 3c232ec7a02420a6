//! Reports on clicks.

pub(crate) mod cache;
pub(crate) mod repo;

crate::base::ids::ids! {
    /// A report.
    pub(crate) ReportId
}
