//! Days of a deprecation: since when a part of the schema is deprecated, and until when it stays.

use super::{ContractError, Deprecation, refuse};
use crate::base::clock::{DAY, UnixMillis, parse_rfc3339};

/// Days that what is deprecated stays at least.
const LEAST_DAYS: i64 = 365;

/// Reads the days out of the reason, such as `Since 2027-03-01, until 2028-03-01: use title.`
pub(super) fn deprecation(owner: &str, reason: String) -> Result<Deprecation, ContractError> {
    match (day_after(&reason, "since "), day_after(&reason, "until ")) {
        (Some(since), Some(until)) if until - since >= LEAST_DAYS * DAY => Ok(Deprecation { reason, since, until }),
        _ => refuse!(
            "@deprecated on {owner}: the reason says since when and until when it stays, at least {LEAST_DAYS} days later, such as \
             \"Since 2027-03-01, until 2028-03-01: use title.\""
        ),
    }
}

fn day_after(reason: &str, word: &str) -> Option<UnixMillis> {
    let lower = reason.to_ascii_lowercase();
    let day = lower.split_once(word)?.1.get(..10)?;
    parse_rfc3339(&format!("{day}T00:00:00Z"))
}
