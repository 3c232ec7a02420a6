//! The meaning of a DNS check for a domain: decided here, applied elsewhere.

use async_graphql::Enum;
use serde::{Deserialize, Serialize};

use crate::base::clock::{DAY, HOUR, Millis, UnixMillis};

/// How long links work on a domain that fails its checks.
const GRACE: Millis = 14 * DAY;
/// How long checks may be unclear until that counts as failing.
const INCONCLUSIVE: Millis = DAY;
/// How long a new domain is checked every hour.
const EAGER: Millis = 3 * DAY;
/// How long a domain may be pending or suspended before it is checked only once a week.
const FORGOTTEN: Millis = 30 * DAY;

/// Whether links are served on a custom domain.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum DomainStatus {
    /// DNS has not proved it yet: no link is served.
    Pending,
    /// DNS proved it: links are served.
    Active,
    /// Proved before, but not by the last checks: links are served for 14 days.
    Failing,
    /// Failing for 14 days, or proved by another account: no link is served, until a check is good again.
    Suspended,
}

impl DomainStatus {
    /// As it is stored.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            DomainStatus::Pending => "PENDING",
            DomainStatus::Active => "ACTIVE",
            DomainStatus::Failing => "FAILING",
            DomainStatus::Suspended => "SUSPENDED",
        }
    }

    /// Reads the stored form; what this version does not know is not served.
    pub(crate) fn from_stored(text: &str) -> Self {
        [DomainStatus::Pending, DomainStatus::Active, DomainStatus::Failing]
            .into_iter()
            .find(|status| status.as_str() == text)
            .unwrap_or(DomainStatus::Suspended)
    }

    /// Whether links are served.
    pub(crate) const fn is_served(self) -> bool {
        matches!(self, DomainStatus::Active | DomainStatus::Failing)
    }
}

/// The verdict of a DNS check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// DNS proves the domain and leads here.
    Good,
    /// DNS does not prove the domain, or does not lead here.
    Bad,
    /// DNS gave no conclusive answer.
    Unclear,
}

/// The outcome of a domain's checks so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CheckState {
    pub(crate) status: DomainStatus,
    /// When the current series of failed checks began, in Unix milliseconds. `None`: the last conclusive check succeeded.
    pub(crate) failing_since: Option<UnixMillis>,
}

/// The state after a check. `conclusive_at` is the time of the last earlier check that was not unclear.
pub(crate) fn after(
    before: CheckState,
    verdict: Verdict,
    conclusive_at: Option<UnixMillis>,
    now: UnixMillis,
) -> CheckState {
    let lasting = conclusive_at.is_some_and(|at| now - at >= INCONCLUSIVE);
    let verdict = if verdict == Verdict::Unclear && lasting { Verdict::Bad } else { verdict };
    match (before.status, verdict) {
        (_, Verdict::Good) => CheckState { status: DomainStatus::Active, failing_since: None },
        (DomainStatus::Active, Verdict::Bad) => CheckState { status: DomainStatus::Failing, failing_since: Some(now) },
        (DomainStatus::Failing, Verdict::Bad) if before.failing_since.is_none_or(|since| now - since >= GRACE) => {
            CheckState { status: DomainStatus::Suspended, ..before }
        }
        _ => before,
    }
}

/// When to check next.
pub(crate) fn next_check(state: CheckState, verdict: Verdict, created_at: UnixMillis, now: UnixMillis) -> UnixMillis {
    let age = now - created_at;
    now + match state.status {
        DomainStatus::Pending if age < EAGER => HOUR,
        DomainStatus::Pending if age >= FORGOTTEN => 7 * DAY,
        DomainStatus::Suspended if state.failing_since.is_some_and(|since| now - since >= GRACE + FORGOTTEN) => 7 * DAY,
        DomainStatus::Active | DomainStatus::Failing | DomainStatus::Suspended if verdict == Verdict::Unclear => HOUR,
        _ => DAY,
    }
}

#[cfg(test)]
mod tests {
    use super::{DomainStatus::*, Verdict::*, *};

    fn check_state(status: DomainStatus, failing_since: Option<UnixMillis>) -> CheckState {
        CheckState { status, failing_since }
    }

    #[test]
    fn a_check_moves_a_domain_as_documented() {
        let now = 100 * DAY;
        let failing = |days| check_state(Failing, Some(now - days * DAY));
        for (before, verdict, conclusive_at, expected) in [
            (check_state(Pending, None), Good, None, check_state(Active, None)),
            (check_state(Pending, None), Bad, None, check_state(Pending, None)),
            (check_state(Pending, None), Unclear, Some(0), check_state(Pending, None)),
            (check_state(Active, None), Good, Some(0), check_state(Active, None)),
            (check_state(Active, None), Bad, Some(now), check_state(Failing, Some(now))),
            (check_state(Active, None), Unclear, Some(now - DAY + 1), check_state(Active, None)),
            (check_state(Active, None), Unclear, Some(now - DAY), check_state(Failing, Some(now))),
            (failing(13), Bad, Some(now), failing(13)),
            (failing(14), Bad, Some(now), check_state(Suspended, Some(now - 14 * DAY))),
            (failing(14), Unclear, Some(now - 1), failing(14)),
            (failing(14), Unclear, Some(now - DAY), check_state(Suspended, Some(now - 14 * DAY))),
            (failing(13), Good, Some(now), check_state(Active, None)),
            (check_state(Suspended, Some(0)), Bad, Some(now), check_state(Suspended, Some(0))),
            (check_state(Suspended, Some(0)), Good, Some(now), check_state(Active, None)),
        ] {
            assert_eq!(after(before, verdict, conclusive_at, now), expected, "{before:?} {verdict:?}");
        }
    }

    #[test]
    fn checks_become_rarer_for_domains_that_stay_unproved() {
        let now = 100 * DAY;
        for (state, verdict, age, wait) in [
            (check_state(Pending, None), Bad, 3 * DAY - 1, HOUR),
            (check_state(Pending, None), Unclear, 3 * DAY, DAY),
            (check_state(Pending, None), Bad, 30 * DAY, 7 * DAY),
            (check_state(Active, None), Good, 90 * DAY, DAY),
            (check_state(Active, None), Unclear, 90 * DAY, HOUR),
            (check_state(Failing, Some(now)), Bad, 90 * DAY, DAY),
            (check_state(Suspended, Some(now - 43 * DAY)), Bad, 90 * DAY, DAY),
            (check_state(Suspended, Some(now - 44 * DAY)), Bad, 90 * DAY, 7 * DAY),
        ] {
            assert_eq!(next_check(state, verdict, now - age, now), now + wait, "{state:?} {verdict:?} {age}");
        }
    }

    #[test]
    fn the_stored_form_round_trips() {
        for status in [Pending, Active, Failing, Suspended] {
            assert_eq!(DomainStatus::from_stored(status.as_str()), status);
        }
    }
}
