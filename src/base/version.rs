//! Versions of resources: the time of a resource's last change. An update may say which it was made from, so that two people who edit the
//! same resource do not overwrite each other's changes.

use crate::base::{
    clock::UnixMillis,
    error::{ApiError, Code},
};

/// The versions that an update expects. The default expects none: whatever the resource is, it is changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expected(Vec<Vec<UnixMillis>>);

impl Expected {
    /// Expects one of these versions, too.
    pub(crate) fn and(mut self, one_of: Vec<UnixMillis>) -> Self {
        self.0.push(one_of);
        self
    }

    /// Fails with PRECONDITION_FAILED when the resource, whose row is locked, has another version.
    pub(crate) fn check(&self, version: UnixMillis) -> Result<(), ApiError> {
        let is_met = self.0.iter().all(|one_of| one_of.contains(&version));
        if is_met { Ok(()) } else { Err(Code::PreconditionFailed.into()) }
    }
}

/// The version after a change at this time: another one than before, also when both changes are made in one millisecond or the clock went
/// back.
pub(crate) fn next(before: UnixMillis, now: UnixMillis) -> UnixMillis {
    now.max(before.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_conditions_must_be_met() {
        let expected = |conditions: &[&[UnixMillis]]| {
            conditions
                .iter()
                .fold(Expected::default(), |expected, one_of| expected.and(one_of.to_vec()))
                .check(7)
                .is_ok()
        };
        assert!(expected(&[]) && expected(&[&[7]]) && expected(&[&[6, 7], &[7]]));
        assert!(!expected(&[&[]]) && !expected(&[&[6]]) && !expected(&[&[7], &[8]]));
    }

    #[test]
    fn each_change_makes_another_version() {
        assert_eq!((next(5, 9), next(9, 9), next(9, 3)), (9, 10, 10));
    }
}
