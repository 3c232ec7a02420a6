//! A compiled program decides what the rules mean in the plainest way, for random rules and visits; no bytes make it panic.
//! `LINKGRAPH_SOAK_RULES` is the number of pairs of rules and visit.

use std::cell::Cell;

use link_rules::{Condition, Facts, Outcome, Reason, Rule, Written, compile, decide, explain, warnings};
use proptest::{collection::vec, prelude::*, sample::Index, test_runner::TestRunner};

use crate::support::{LINK, Person, destination, plain, random, rule, setting, split};

/// Visits to each list of rules.
const VISITS: usize = 10;

/// The rules that lead to the destinations 1, 2 and so on.
fn read(rules: &[Vec<Written>]) -> Vec<Rule> {
    let conditions = rules.iter().map(|rule| rule.iter().map(|written| Condition::read(written).unwrap()).collect());
    conditions.zip(1..).map(|(conditions, number)| rule(number, conditions)).collect()
}

fn runner(usual: u32) -> TestRunner {
    let cases = setting("LINKGRAPH_SOAK_RULES", usual) / VISITS as u32;
    TestRunner::new(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) })
}

#[test]
fn a_program_decides_what_its_rules_say() {
    let (matched, missed) = (Cell::new(0), Cell::new(0));
    let visits = vec(random::person(), VISITS..=VISITS);
    let check = |(texts, visits): (Vec<Vec<Written>>, Vec<Person>)| {
        let program = compile(&LINK, &read(&texts), &Outcome::To(destination(0))).unwrap();
        let program = program.as_bytes();
        for person in visits {
            let (judged, place) = plain::judge(&texts, &person);
            let explained = explain(program, &person).unwrap();
            prop_assert_eq!((&explained.rules, explained.decision.rule), (&judged, place));
            person.asked.iter().for_each(|asked| asked.set(0));
            let decision = decide(program, &person).unwrap();
            prop_assert_eq!(&decision, &explained.decision);
            prop_assert!(person.asked().into_iter().all(|asked| asked <= 1), "{:?}", person.asked);
            let led = destination(place.map_or(0, |place| place as u16 + 1));
            prop_assert_eq!(decision.destination, led.number);
            prop_assert_eq!(&program[decision.url], led.url.as_bytes());
            let count = if place.is_some() { &matched } else { &missed };
            count.set(count.get() + 1);
        }
        Ok(())
    };
    let mut runner = runner(10_000);
    let cases = runner.config().cases;
    runner.run(&(random::rules(6), visits), check).unwrap();
    assert!(matched.get() > cases && missed.get() > cases, "{matched:?} matched, {missed:?} did not");
}

#[test]
fn a_condition_that_is_written_and_read_again_is_the_same() {
    let check = |texts: Vec<Vec<Written>>| {
        for condition in read(&texts).into_iter().flat_map(|rule| rule.conditions) {
            let again = Condition::read(&condition.written()).unwrap();
            prop_assert_eq!(again.written(), condition.written());
            prop_assert_eq!(&again, &condition);
            let json = serde_json::to_string(&condition).unwrap();
            prop_assert_eq!(serde_json::from_str::<Condition>(&json).unwrap(), condition);
        }
        Ok(())
    };
    runner(5_000).run(&random::rules(3), check).unwrap();
}

#[test]
fn a_rule_that_is_said_never_to_be_reached_never_decides() {
    let facts =
        Facts { has_countries: true, has_cities: true, trusts_proxies: true, now: 0, systems: &[], browsers: &[] };
    let said = Cell::new(0);
    let check = |(conditions, visits): (Vec<Written>, Vec<Person>)| {
        for (earlier, later, another) in (0..8).flat_map(|at| (0..8).map(move |other| (at, other, (other + 1) % 8))) {
            let pair = [vec![&conditions[earlier]], vec![&conditions[later], &conditions[another]]];
            let pair = pair.map(|rule| rule.into_iter().cloned().collect::<Vec<_>>());
            let warned = warnings(&read(&pair), &facts);
            if conditions[earlier] != conditions[later]
                && conditions[earlier] != conditions[another]
                && warned.iter().any(|warning| warning.reason == Reason::NeverReached(0))
            {
                said.set(said.get() + 1);
                for person in &visits {
                    prop_assert!(plain::judge(&pair, person).1 != Some(1), "{:?}: {:?}", pair, person);
                }
            }
        }
        Ok(())
    };
    let mut runner = runner(4_000);
    runner.run(&(random::of_one_kind(), vec(random::person(), VISITS..=VISITS)), check).unwrap();
    assert!(said.get() > 4 * runner.config().cases, "{said:?} of {}", runner.config().cases);
}

proptest! {
    #[test]
    fn damaged_bytes_are_an_error_or_some_decision(
        texts in random::rules(4), person in random::person(), flips in vec((any::<Index>(), any::<u8>()), 0..4), end: Index,
    ) {
        let program = compile(&LINK, &read(&texts), &split(&[(7, 1), (8, 2)])).unwrap();
        let mut bytes = program.into_bytes();
        bytes.truncate(bytes.len() - end.index(bytes.len()) / 8);
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(decision) = decide(&bytes, &person) {
            prop_assert!(bytes.get(decision.url).is_some());
        }
        prop_assert!(explain(&bytes, &person).is_ok() == decide(&bytes, &person).is_ok());
    }

    #[test]
    fn bytes_of_any_kind_are_an_error_or_some_decision(mut bytes in vec(any::<u8>(), 1..200), person in random::person()) {
        bytes[0] = 1;
        if let Ok(decision) = decide(&bytes, &person) {
            prop_assert!(bytes.get(decision.url).is_some());
        }
    }
}
