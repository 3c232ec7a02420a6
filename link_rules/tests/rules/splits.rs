//! Splits: shares of visitors, and who moves when weights change.

use std::collections::BTreeMap;

use link_rules::{Kind, Outcome, Rule, compile, decide};

use crate::support::{LINK, Person, Random, condition, destination, split};

/// Visitors of a test of shares, and of one of moves.
const VISITORS: usize = 100_000;
const FEWER: usize = 20_000;

/// Visitors with networks and user agents of their own, always the same.
fn visitors(count: usize) -> Vec<Person> {
    let mut random = Random(7);
    let visitor = |_| Person {
        network: [[0; 8], random.next().to_be_bytes()].concat().try_into().unwrap(),
        user_agent: format!("Mozilla/5.0 ({})", random.below(40)),
        ..Person::default()
    };
    (0..count).map(visitor).collect()
}

/// The destination of each visitor of a link.
fn dealt(link: &[u8; 16], parts: &[(u16, u8)], visitors: &[Person]) -> Vec<u16> {
    let program = compile(link, &[], &split(parts)).unwrap();
    visitors.iter().map(|visitor| decide(program.as_bytes(), visitor).unwrap().destination).collect()
}

/// What was dealt is known beforehand: each node and each processor deals so.
#[test]
fn a_visitor_belongs_to_the_same_part_for_ever() {
    let visitors = visitors(20);
    let parts = [(1, 50), (2, 30), (3, 20)];
    assert_eq!(dealt(&LINK, &parts, &visitors), [1, 3, 1, 1, 3, 3, 1, 1, 2, 2, 1, 3, 3, 3, 2, 1, 1, 2, 3, 2]);
}

#[test]
fn visitors_are_dealt_by_the_weights() {
    let visitors = visitors(VISITORS);
    // The 99.9 % quantiles of χ² with one to seven degrees of freedom.
    let limits = [10.83, 13.82, 16.27, 18.47, 20.52, 22.46, 24.32];
    for weights in [&[1, 1][..], &[90, 10], &[50, 30, 20], &[1, 2, 3, 4], &[100, 1], &[7; 8]] {
        let parts: Vec<(u16, u8)> = (1..).zip(weights.iter().copied()).collect();
        let mut counts = BTreeMap::new();
        for number in dealt(&LINK, &parts, &visitors) {
            *counts.entry(number).or_insert(0.0) += 1.0;
        }
        let whole: f64 = weights.iter().copied().map(f64::from).sum();
        let mut deviation = 0.0;
        for (number, weight) in parts {
            let expected = VISITORS as f64 * f64::from(weight) / whole;
            let count = counts[&number];
            deviation += (count - expected).powi(2) / expected;
            assert!((count - expected).abs() <= VISITORS as f64 * 0.005, "{weights:?}: {count}, expected {expected}");
        }
        assert!(deviation < limits[weights.len() - 2], "{weights:?}: {deviation}");
    }
}

#[test]
fn a_changed_weight_moves_visitors_to_its_part_or_away_from_it_only() {
    let visitors = visitors(FEWER);
    let before = dealt(&LINK, &[(1, 50), (2, 30), (3, 20)], &visitors);
    let moved = |parts: &[(u16, u8)]| -> Vec<(u16, u16)> {
        before.iter().copied().zip(dealt(&LINK, parts, &visitors)).filter(|(before, after)| before != after).collect()
    };
    // From 30 of 100 to 60 of 130: 16.2 % of all.
    let more = moved(&[(1, 50), (2, 60), (3, 20)]);
    assert!(more.iter().all(|(_, after)| *after == 2));
    assert!((3_000..3_460).contains(&more.len()), "{}", more.len());
    let fewer = moved(&[(1, 50), (2, 10), (3, 20)]);
    assert!(!fewer.is_empty() && fewer.iter().all(|(before, _)| *before == 2));
    let added = moved(&[(1, 50), (2, 30), (3, 20), (4, 10)]);
    assert!(!added.is_empty() && added.iter().all(|(_, after)| *after == 4));
    let removed = moved(&[(1, 50), (3, 20)]);
    let of_removed = before.iter().filter(|number| **number == 2).count();
    assert!(removed.len() == of_removed && removed.iter().all(|(before, _)| *before == 2));
    assert_eq!(moved(&[(1, 50), (2, 0), (3, 20)]), removed, "without weight, as if it was not there");
    assert_eq!(moved(&[(3, 20), (1, 50), (2, 30)]), [], "in another order");
    assert_eq!(moved(&[(1, 100), (2, 60), (3, 40)]), [], "the same shares");
}

#[test]
fn links_are_dealt_independently() {
    let visitors = visitors(FEWER);
    let parts = [(1, 1), (2, 1)];
    let (one, other) = (dealt(&LINK, &parts, &visitors), dealt(b"fedcba9876543210", &parts, &visitors));
    let same = one.iter().zip(other).filter(|(one, other)| **one == *other).count();
    assert!((9_750..10_250).contains(&same), "{same}");
}

#[test]
fn network_and_user_agent_tell_visitors_apart_and_a_rule_deals_as_the_link_does() {
    let visitors = visitors(1_000);
    let parts = [(1, 1), (2, 1)];
    let dealt = dealt(&LINK, &parts, &visitors);
    let rules = [Rule { conditions: vec![condition(Kind::Query, Some("a"), &[])], outcome: split(&parts) }];
    let program = compile(&LINK, &rules, &Outcome::To(destination(3))).unwrap();
    let (mut by_agent, mut by_network) = (0, 0);
    for (visitor, number) in visitors.into_iter().zip(dealt) {
        let visitor = Person { query: "a".to_owned(), now: 5, country: Some(*b"DE"), ..visitor };
        let at = |person: &Person| decide(program.as_bytes(), person).unwrap().destination;
        assert_eq!(at(&visitor), number);
        by_agent += i32::from(at(&Person { user_agent: "other".to_owned(), ..visitor.clone() }) != number);
        by_network += i32::from(at(&Person { network: [9; 16], ..visitor }) != number);
    }
    assert!((400..600).contains(&by_agent) && (400..600).contains(&by_network), "{by_agent}, {by_network}");
}
