//! Targets are judged in one order, and unpacked as they were packed.

use proptest::prelude::*;

use super::{Intent::*, Verdict::*, *};

const PLAIN: Parts<'static> = Parts {
    link: LinkId(Uuid::from_bytes([1; 16])),
    account: AccountId(Uuid::from_bytes([2; 16])),
    destination_url: "https://example.com/",
    starts_at: None,
    expires_at: None,
    expired_url: None,
    limit: None,
    forwards_query: None,
    gate: Gate { asks_first: false, notice: "", password_hash: "" },
    card: "",
    app: "",
    program: None,
};
const GATE: Gate<'static> = Gate { asks_first: true, notice: "", password_hash: "" };

const PROGRAM: Program<'static> = Program { split_stops_at: 7, bytes: b"rules" };

/// The order of decisions: disabled, not begun, ended, and then whether it is counted.
#[test]
fn a_request_is_judged_in_this_order() {
    let limit = |max, used| Some(Limit { max, used });
    let (past, future) = (Some(999), Some(1_001));
    let judged = |parts: &Parts<'_>| [Follow, Look, Confirm].map(|intent| Target::new(parts).judge(1_000, || intent));
    for (parts, verdicts) in [
        (PLAIN, [Redirect; 3]),
        (Parts { expired_url: Some("https://example.com/over"), ..PLAIN }, [Redirect; 3]),
        (Parts { forwards_query: Some(true), ..PLAIN }, [Redirect; 3]),
        (Parts { forwards_query: Some(false), expires_at: past, ..PLAIN }, [Ended; 3]),
        (Parts { program: Some(PROGRAM), ..PLAIN }, [Redirect; 3]),
        (Parts { card: "{}", ..PLAIN }, [Redirect; 3]),
        (Parts { card: "{}", expires_at: past, ..PLAIN }, [Ended; 3]),
        (Parts { app: "{}", ..PLAIN }, [Redirect; 3]),
        (Parts { app: "{}", gate: GATE, ..PLAIN }, [Ask, Ask, Redirect]),
        (Parts { gate: GATE, ..PLAIN }, [Ask, Ask, Redirect]),
        (Parts { gate: Gate { notice: "a", ..Gate::default() }, ..PLAIN }, [Ask, Ask, Redirect]),
        (Parts { gate: Gate { password_hash: "a", ..Gate::default() }, ..PLAIN }, [Ask, Ask, Redirect]),
        (Parts { gate: GATE, program: Some(PROGRAM), ..PLAIN }, [Ask, Ask, Redirect]),
        (Parts { gate: GATE, limit: limit(2, 0), ..PLAIN }, [Ask, Ask, Count]),
        (Parts { gate: GATE, limit: limit(2, 2), ..PLAIN }, [Ended; 3]),
        (Parts { gate: GATE, starts_at: future, ..PLAIN }, [NotBegun; 3]),
        (Parts { program: Some(PROGRAM), expires_at: past, ..PLAIN }, [Ended; 3]),
        (Parts { program: Some(PROGRAM), limit: limit(1, 0), ..PLAIN }, [Ask, Ask, Count]),
        (Parts { starts_at: past, ..PLAIN }, [Redirect; 3]),
        (Parts { starts_at: Some(1_000), ..PLAIN }, [Redirect; 3]),
        (Parts { starts_at: future, ..PLAIN }, [NotBegun; 3]),
        (Parts { expires_at: future, ..PLAIN }, [Redirect; 3]),
        (Parts { expires_at: Some(1_000), ..PLAIN }, [Ended; 3]),
        (Parts { expires_at: past, ..PLAIN }, [Ended; 3]),
        (Parts { starts_at: past, expires_at: future, ..PLAIN }, [Redirect; 3]),
        (Parts { starts_at: future, expires_at: past, ..PLAIN }, [NotBegun; 3]),
        (Parts { limit: limit(2, 0), ..PLAIN }, [Count, Ask, Count]),
        (Parts { limit: limit(1, 0), ..PLAIN }, [Ask, Ask, Count]),
        (Parts { limit: limit(2, 2), ..PLAIN }, [Ended; 3]),
        (Parts { limit: limit(2, 3), ..PLAIN }, [Ended; 3]),
        (Parts { limit: limit(2, 1), expires_at: past, ..PLAIN }, [Ended; 3]),
        (Parts { limit: limit(2, 1), expires_at: future, ..PLAIN }, [Count, Ask, Count]),
        (Parts { limit: limit(2, 2), starts_at: future, ..PLAIN }, [NotBegun; 3]),
    ] {
        assert_eq!(judged(&parts), verdicts, "{parts:?}");
        assert_eq!(Target::new(&parts).disabled().judge(1_000, || Follow), Disabled);
    }
    assert!(Target::new(&PLAIN).is_plain() && !Target::new(&Parts { starts_at: past, ..PLAIN }).is_plain());
}

/// The memory of a million links: one byte more than their ids and their destination.
#[test]
fn a_plain_link_has_no_more_than_its_ids_its_destination_and_a_byte() {
    assert_eq!(Target::new(&PLAIN).as_bytes().len(), 1 + 16 + 16 + PLAIN.destination_url.len());
}

#[test]
fn what_is_no_url_ends_no_header_field() {
    let url = "https://example.com/\r\nset-cookie: a\0";
    let target = Target::new(&Parts { destination_url: url, expired_url: Some(url), expires_at: Some(1), ..PLAIN });
    assert_eq!(target.location(), b"https://example.com/set-cookie: a");
    assert_eq!(target.expired_location(), target.location());
}

proptest! {
    #[test]
    fn a_target_has_the_parts_that_were_packed(
        link: [u8; 16], account: [u8; 16], destination_url in "https://[a-z/]{1,2000}",
        starts_at: Option<i64>, expires_at: Option<i64>, expired_url in prop::option::of("https://[a-z/]{1,2000}"),
        limit in prop::option::of((1_i64..10, 0_i64..10)), forwards_query: Option<bool>, now: i64,
        rules in prop::option::of((any::<i64>(), prop::collection::vec(any::<u8>(), 0..30_000))),
        asks_first: bool, notice in "\\PC{0,500}", password_hash in "[$a-z0-9]{0,100}",
        card in "\\PC{0,500}", app in "\\PC{0,500}",
    ) {
        let limit = limit.map(|(max, used)| Limit { max, used });
        let parts = Parts {
            link: LinkId(Uuid::from_bytes(link)), account: AccountId(Uuid::from_bytes(account)),
            destination_url: &destination_url, starts_at, expires_at, expired_url: expired_url.as_deref(), limit,
            forwards_query,
            gate: Gate { asks_first, notice: &notice, password_hash: &password_hash },
            card: &card,
            app: &app,
            program: rules.as_ref().map(|(split_stops_at, bytes)| Program { split_stops_at: *split_stops_at, bytes }),
        };
        let target = Target::from_bytes(Target::new(&parts).as_bytes());
        prop_assert_eq!((target.link(), target.account()), (parts.link, parts.account));
        prop_assert_eq!(target.location(), destination_url.as_bytes());
        prop_assert_eq!(target.forwards_query(), forwards_query);
        prop_assert_eq!(target.program(), parts.program);
        prop_assert_eq!(target.card().unwrap_or_default(), card.as_bytes());
        prop_assert_eq!(target.app().unwrap_or_default(), app.as_bytes());
        prop_assert_eq!(target.notice(), &notice);
        prop_assert_eq!(target.password_hash().unwrap_or_default(), &password_hash);
        let has_flags = starts_at.is_some()
            || expires_at.is_some()
            || limit.is_some()
            || parts.gate != Gate::default()
            || forwards_query.is_some()
            || rules.is_some()
            || !card.is_empty()
            || !app.is_empty();
        let expired = expired_url.as_deref().filter(|_| has_flags).unwrap_or_default();
        prop_assert_eq!(target.expired_location(), expired.as_bytes());
        let verdict = target.judge(now, || Follow);
        let has_begun = starts_at.is_none_or(|at| at <= now);
        let has_ended = expires_at.is_some_and(|at| at <= now) || limit.is_some_and(Limit::is_used_up);
        prop_assert_eq!(verdict == NotBegun, !has_begun);
        prop_assert_eq!(verdict == Ended, has_begun && has_ended);
        prop_assert!(target.clone().disabled().location().is_empty());
    }
}
