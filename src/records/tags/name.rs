//! Names of tags.

use crate::base::{
    error::Violations,
    validate::{check_length, check_tag},
};

/// Longest name of a tag, in characters.
pub(crate) const MAX_TAG: i32 = 50;
/// Tags that a link may have.
pub(crate) const MAX_LINK_TAGS: i32 = 20;

/// The name as it is compared: two names that differ in case alone are of one tag.
pub(crate) fn key(name: &str) -> String {
    name.trim_end().to_lowercase()
}

/// Checks the name of a tag.
pub(crate) fn check(name: &str) -> Result<(), String> {
    check_length(name, 1, MAX_TAG)?;
    Ok(check_tag(name)?)
}

/// Notes names in the list at this path that break a rule, and a list that is too long for a link.
pub(crate) fn check_all(path: &str, names: &[String], violations: &mut Violations) {
    if names.len() > MAX_LINK_TAGS.unsigned_abs() as usize {
        violations.add(path, format!("must have at most {MAX_LINK_TAGS} items"));
        return;
    }
    for (index, name) in names.iter().enumerate() {
        if let Err(message) = check(name) {
            violations.add(format!("{path}.{index}"), message);
        }
    }
}
