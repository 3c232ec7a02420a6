//! Delivers events to webhooks.

pub(crate) mod exchanges;
pub(crate) mod fan_out;
pub(crate) mod outcome;
pub(crate) mod results;
pub(crate) mod worker;
