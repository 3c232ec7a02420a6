//! What a link's rules may be in all.

use link_rules::{Destination, Invalid, Kind, MAX_PROGRAM, Outcome, Rule, compile};

use crate::support::{LINK, condition, destination, rule, split};

fn refused(rules: &[Rule], default: &Outcome) -> Vec<String> {
    compile(&LINK, rules, default).unwrap_err().into_iter().map(|Invalid { at, .. }| at).collect()
}

#[test]
fn what_exceeds_a_limit_is_named() {
    let default = Outcome::To(destination(0));
    let bots = || vec![condition(Kind::IsBot, None, &[])];
    let same = |count: usize| vec![rule(1, bots()); count];
    assert!(compile(&LINK, &same(32), &default).is_ok());
    assert_eq!(refused(&same(33), &default), ["rules"]);
    assert_eq!(refused(&[rule(1, bots()), rule(1, Vec::new())], &default), ["rules[1].conditions"]);
    assert_eq!(refused(&[rule(1, vec![bots()[0].clone(); 9])], &default), ["rules[0].conditions"]);
    let numbered = |count: u16| (1..=count).map(|number| rule(number, bots())).collect::<Vec<_>>();
    assert!(compile(&LINK, &numbered(15), &default).is_ok());
    assert_eq!(refused(&numbered(16), &default), ["rules"]);
    let other = Outcome::To(Destination { number: 1, url: "https://example.org/".to_owned() });
    assert_eq!(refused(&same(2), &other), ["destinationUrl"]);
    assert_eq!(
        refused(&[rule(1, bots()), Rule { conditions: bots(), outcome: other }], &default),
        ["rules[1].destinationUrl"]
    );
}

#[test]
fn what_is_no_split_is_named() {
    let eight: Vec<(u16, u8)> = (1..=8).map(|number| (number, 100)).collect();
    assert!(compile(&LINK, &[], &split(&eight)).is_ok());
    let nine: Vec<(u16, u8)> = (1..=9).map(|number| (number, 1)).collect();
    for (parts, at) in [
        (&[(1, 1)][..], "split"),
        (&nine, "split"),
        (&[(1, 0), (2, 0)], "split"),
        (&[(1, 1), (2, 101)], "split[1].weight"),
        (&[(1, 1), (1, 1)], "split[1].destinationUrl"),
    ] {
        assert_eq!(refused(&[], &split(parts)), [at]);
        let rule = Rule { conditions: vec![condition(Kind::IsBot, None, &[])], outcome: split(parts) };
        assert_eq!(refused(&[rule], &Outcome::To(destination(0))), [format!("rules[0].{at}")]);
    }
}

#[test]
fn a_program_is_as_large_as_the_cache_keeps() {
    let default = Outcome::To(destination(0));
    let names: Vec<String> = (0..50).map(|number| format!("{number:0>100}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let large = |count: usize| vec![rule(1, vec![condition(Kind::Os, None, &names)]); count];
    assert!(compile(&LINK, &large(4), &default).unwrap().as_bytes().len() > MAX_PROGRAM * 4 / 5);
    assert_eq!(refused(&large(5), &default), ["rules"]);
    let long = Outcome::To(Destination { number: 1, url: "https://example.com/".repeat(4_000) });
    assert_eq!(refused(&[], &long), ["rules"]);
}

#[test]
fn a_url_ends_no_header_field() {
    let url = "https://example.com/\r\nset-cookie: a\0".to_owned();
    let program = compile(&LINK, &[], &Outcome::To(Destination { number: 1, url })).unwrap();
    assert!(program.as_bytes().ends_with(b"https://example.com/set-cookie: a"));
}
