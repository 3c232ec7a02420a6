//! Shares, and the test of ratios. `LINKGRAPH_SOAK_SPLITS` is the number of simulated splits.

use link_rules::{RatioTest, Share};

use crate::support::{Random, setting};

/// Days that a split is looked at, and visitors of each.
const DAYS: usize = 60;
const VISITORS: usize = 300;

/// Looks at a split after each day, and returns the day of the alarm.
fn alarm(random: &mut Random, weights: &[u8], truth: &[u64]) -> Option<usize> {
    returning_alarm(random, weights, truth, 0)
}

/// The same where so many percent of a day's visitors are those of the day before.
fn returning_alarm(random: &mut Random, weights: &[u8], truth: &[u64], percent: usize) -> Option<usize> {
    let (mut test, mut last) = (RatioTest::default(), 1.0);
    let mut parts = vec![truth.len(); VISITORS];
    (1..=DAYS).find(|_| {
        let mut counts = vec![0; truth.len()];
        // Those at the front come back; all change places, so that others do tomorrow.
        for place in 0..VISITORS {
            if place >= VISITORS * percent / 100 || parts[place] == truth.len() {
                let mut draw = random.below(truth.iter().sum());
                let part = truth.iter().position(|weight| draw.checked_sub(*weight).map(|rest| draw = rest).is_none());
                parts[place] = part.unwrap();
            }
            counts[parts[place]] += 1;
        }
        for place in (1..VISITORS).filter(|_| percent > 0) {
            parts.swap(place, random.below(place as u64 + 1) as usize);
        }
        test.observe(weights, &counts);
        assert!(test.p_value() <= last, "it never rises");
        last = test.p_value();
        test.is_uneven()
    })
}

#[test]
fn sound_splits_raise_an_alarm_in_one_of_twenty_cases_at_most() {
    let runs = setting("LINKGRAPH_SOAK_SPLITS", 400);
    for (weights, truth) in [(&[50, 50][..], &[50, 50][..]), (&[90, 10], &[90, 10]), (&[5, 3, 1, 1], &[5, 3, 1, 1])] {
        let mut random = Random(1);
        let alarms = (0..runs).filter(|_| alarm(&mut random, weights, truth).is_some()).count();
        assert!(alarms * 20 <= runs as usize, "{weights:?}: {alarms} of {runs}");
        println!("{weights:?}: {alarms} of {runs}");
    }
}

#[test]
fn a_few_visitors_who_come_back_raise_no_more_alarms() {
    let runs = setting("LINKGRAPH_SOAK_SPLITS", 400) / 8;
    for percent in [5, 10, 20, 30, 50] {
        let mut random = Random(3);
        let alarms = (0..runs).filter(|_| returning_alarm(&mut random, &[1, 1], &[1, 1], percent).is_some()).count();
        println!("{percent} % come back: {alarms} of {runs}");
        assert!(percent > 5 || alarms * 20 <= runs as usize, "{alarms} of {runs}");
    }
}

#[test]
fn a_shift_of_two_points_is_found() {
    let runs = setting("LINKGRAPH_SOAK_SPLITS", 400) / 8;
    let mut random = Random(2);
    let days: Vec<usize> = (0..runs).filter_map(|_| alarm(&mut random, &[50, 50], &[52, 48])).collect();
    let found = days.len() as f64 / f64::from(runs);
    println!("{found} of {runs}, after {} days", days.iter().sum::<usize>() / days.len());
    assert!(found > 0.9, "{found}");
}

#[test]
fn a_test_goes_on_when_weights_change() {
    let mut test = RatioTest::default();
    assert_eq!(test.p_value(), 1.0);
    for _ in 0..30 {
        test.observe(&[1, 1], &[100, 100]);
        test.observe(&[3, 1], &[150, 50]);
        test.observe(&[1, 0, 1], &[50, 9, 50]);
    }
    assert_eq!(test.p_value(), 1.0);
    let (mut one, mut other, mut both) = (RatioTest::default(), RatioTest::default(), RatioTest::default());
    one.observe(&[1, 1], &[560, 440]);
    other.observe(&[3, 1], &[800, 200]);
    both.observe(&[1, 1], &[560, 440]);
    both.observe(&[3, 1], &[800, 200]);
    assert!(one.p_value() < 0.5 && other.p_value() < 0.5);
    assert!((both.p_value() / (one.p_value() * other.p_value()) - 1.0).abs() < 1e-9, "what was seen before counts");
    test.observe(&[1, 1], &[400, 100]);
    assert!(test.p_value() < 1e-9 && test.is_uneven());
    let alarmed = test.p_value();
    test.observe(&[1, 1], &[100, 400]);
    assert_eq!(test.p_value(), alarmed, "an alarm stays");
    test.observe(&[], &[]);
    test.observe(&[1, 1], &[u64::MAX, 0]);
    test.observe(&[1, 1], &[u64::MAX]);
    assert!(test.p_value() >= 0.0);
}

/// The Bayes factor by its definition: the product of what each visitor was expected with, divided by the share of the weights.
#[test]
fn the_factor_is_that_of_the_paper() {
    let (mut test, mut factor, mut seen) = (RatioTest::default(), 1.0, [0.0; 2]);
    let mut highest: f64 = 1.0;
    for visitor in 0..200 {
        let part = usize::from(visitor % 3 != 0);
        factor *= (500.0 + seen[part]) / (1_000.0 + seen[0] + seen[1]) / 0.5;
        highest = highest.max(factor);
        seen[part] += 1.0;
        test.observe(&[7, 7], &[u64::from(part == 0), u64::from(part == 1)]);
    }
    assert!(highest > 1.5 && (test.p_value() * highest - 1.0).abs() < 1e-9, "{highest}, {}", test.p_value());
}

#[test]
fn intervals_are_those_of_wilson() {
    assert_eq!(Share::of(0, 0), None);
    // Brown, Cai and DasGupta's formula, by hand.
    for (count, of, low, high) in
        [(15, 100, 0.0931, 0.2328), (0, 20, 0.0, 0.1611), (20, 20, 0.8389, 1.0), (1, 2, 0.0945, 0.9055)]
    {
        let share = Share::of(count, of).unwrap();
        assert!((share.low - low).abs() < 5e-5 && (share.high - high).abs() < 5e-5, "{share:?}");
        assert_eq!(share.share, count as f64 / of as f64);
    }
    for of in 1..300 {
        for count in 0..=of {
            let Share { share, low, high } = Share::of(count, of).unwrap();
            assert!(0.0 <= low && low <= share && share <= high && high <= 1.0);
        }
    }
}
