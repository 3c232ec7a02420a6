//! Pages of reports in memory, so that a flood of requests for one counts its clicks once a minute.

use bytes::Bytes;

use super::ReportId;
use crate::base::{
    clock::{MINUTE, UnixMillis},
    shared_cache::{Cached, SharedCache},
};

/// Bytes of pages held at most.
const MAX_BYTES: u64 = 16 << 20;

/// A page of a report.
#[derive(Clone, Debug)]
pub(crate) struct ReportPage {
    /// The entity tag (RFC 9110 §8.8.3).
    pub(crate) tag: String,
    pub(crate) json: Bytes,
}

impl Cached for ReportPage {
    fn weight(&self) -> u64 {
        (self.json.len() + self.tag.len()) as u64
    }
}

/// Pages that were asked for lately, each of a report as it was at its last change.
pub(crate) type ReportPages = SharedCache<(ReportId, UnixMillis), ReportPage>;

/// Numbers on a page are a minute old at most.
pub(crate) fn report_pages() -> ReportPages {
    SharedCache::new(MAX_BYTES, MINUTE)
}
