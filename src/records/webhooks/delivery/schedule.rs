//! When a failed delivery is tried again: the schedule that Standard Webhooks recommends, to 15 attempts in 8 days.

use crate::base::clock::{DAY, HOUR, MINUTE, Millis, SECOND, UnixMillis};

/// Attempts of a delivery.
pub const ATTEMPTS: usize = DELAYS.len() + 1;
/// How long to wait after each failed attempt but the last.
const DELAYS: [UnixMillis; 14] = [
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    DAY,
    DAY,
    DAY,
    DAY,
    DAY,
    DAY,
];
/// How far a delay is moved at random, so that receivers that fail together are not tried together again.
const JITTER: f64 = 0.2;
/// The longest wait that a receiver can ask for with `Retry-After`.
const MAX_RETRY_AFTER: Millis = DAY;

/// How long to wait after this many attempts, in milliseconds. `None`: there is no further attempt. `random`, from 0 to 1, decides
/// the jitter. A longer `retry_after` is respected, up to a day.
pub fn delay(attempts: usize, random: f64, retry_after: Option<Millis>) -> Option<Millis> {
    let planned = *DELAYS.get(attempts.checked_sub(1)?)?;
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a day in milliseconds is exact")]
    let moved = (planned as f64 * (1.0 - JITTER + 2.0 * JITTER * random.clamp(0.0, 1.0))) as UnixMillis;
    Some(moved.max(retry_after.unwrap_or_default().min(MAX_RETRY_AFTER)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_schedule_has_15_attempts_in_8_days() {
        assert_eq!(ATTEMPTS, 15);
        let all: Vec<Millis> = (1..15).map(|attempts| delay(attempts, 0.5, None).unwrap()).collect();
        assert_eq!(all, DELAYS);
        assert_eq!((delay(0, 0.5, None), delay(15, 0.5, None), delay(99, 0.5, None)), (None, None, None));
        assert!(DELAYS.iter().sum::<UnixMillis>() > 8 * DAY);
    }

    proptest! {
        #[test]
        fn jitter_and_retry_after_stay_within_bounds(attempts in 1usize..15, random in 0.0..1.0f64, asked in proptest::option::of(-DAY..100 * DAY)) {
            let (planned, waited) = (DELAYS[attempts - 1], delay(attempts, random, asked).unwrap());
            prop_assert!(waited >= planned * 8 / 10);
            prop_assert!(waited <= (planned * 12 / 10).max(asked.unwrap_or(0).min(DAY)));
            if let Some(asked) = asked {
                prop_assert!(waited >= asked.min(DAY));
            }
        }

        #[test]
        fn deliveries_that_fail_together_are_retried_at_different_times(one in 0.0..1.0f64, other in 0.0..1.0f64) {
            prop_assume!((one - other).abs() > 0.01);
            prop_assert_ne!(delay(2, one, None), delay(2, other, None));
        }

        #[test]
        fn a_whole_schedule_takes_6_to_10_days(randoms in proptest::collection::vec(0.0..1.0f64, 14)) {
            let total: Millis = randoms.iter().enumerate().map(|(done, random)| delay(done + 1, *random, None).unwrap()).sum();
            prop_assert!((6 * DAY..10 * DAY).contains(&total));
        }
    }
}
