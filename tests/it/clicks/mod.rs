//! From a visit to a record in the log.

pub(crate) mod click_log;
pub(crate) mod stored;
