//! The outcome of an attempt for its delivery and its webhook. Pure functions: other modules of the folder apply it.

use crate::{
    base::clock::{DAY, Millis, UnixMillis},
    records::webhooks::delivery::schedule,
};

/// A webhook is disabled when it has had no success for so long, in milliseconds…
const FAILING_TOO_LONG: Millis = 5 * DAY;
/// …and at least so many failures meanwhile.
const FAILING_TOO_OFTEN: i32 = 20;

/// The outcome of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The receiver has it.
    Succeeded,
    /// The attempt failed. The next one is due this long after its end, in milliseconds.
    Retry(UnixMillis),
    /// The last attempt failed: the delivery is given up.
    Failed,
    /// The receiver answered 410: the delivery is given up, and the webhook is disabled.
    Gone,
}

/// The outcome of the attempt with this number, from 1. `status` is `None` without a response, `random` from 0 to 1.
pub(crate) fn decide(status: Option<u16>, attempts: usize, random: f64, retry_after: Option<UnixMillis>) -> Outcome {
    match status {
        Some(200..=299) => Outcome::Succeeded,
        Some(410) => Outcome::Gone,
        _ => schedule::delay(attempts, random, retry_after).map_or(Outcome::Failed, Outcome::Retry),
    }
}

/// Whether a webhook is to be disabled that has had `failures` and no success since `failing_since` (Unix milliseconds).
pub(crate) fn is_hopeless(failing_since: Option<UnixMillis>, failures: i32, now: UnixMillis) -> bool {
    failures >= FAILING_TOO_OFTEN && failing_since.is_some_and(|since| now - since >= FAILING_TOO_LONG)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::clock::MINUTE;

    #[test]
    fn only_time_and_number_together_disable_a_webhook() {
        let now = 100 * DAY;
        assert!(is_hopeless(Some(now - 5 * DAY), 20, now));
        assert!(!is_hopeless(Some(now - 5 * DAY + 1), 20, now));
        assert!(!is_hopeless(Some(now - 50 * DAY), 19, now));
        assert!(!is_hopeless(Some(now - MINUTE), 10_000, now));
        assert!(!is_hopeless(None, 10_000, now));
    }

    proptest! {
        #[test]
        fn only_2xx_succeeds_and_only_410_is_gone(status in proptest::option::of(100u16..600), attempts in 1usize..20, random in 0.0..1.0f64) {
            let outcome = decide(status, attempts, random, None);
            prop_assert_eq!(outcome == Outcome::Succeeded, status.is_some_and(|status| status / 100 == 2));
            prop_assert_eq!(outcome == Outcome::Gone, status == Some(410));
            if !matches!(outcome, Outcome::Succeeded | Outcome::Gone) {
                prop_assert_eq!(outcome == Outcome::Failed, attempts >= schedule::ATTEMPTS);
            }
        }
    }
}
