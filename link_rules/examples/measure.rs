//! Says how long decisions take, for a visit whose facts are at hand: `cargo run --release -p link_rules --example measure`.

use std::{
    error::Error,
    hint::black_box,
    net::{IpAddr, Ipv4Addr},
    time::Instant,
};

use link_rules::{
    Agent, Condition, Destination, Device, Kind, Outcome, Part, Rule, Visit, Visitor, Written, compile, decide, explain,
};

/// So many short rounds that some are not interrupted.
const ROUNDS: usize = 501;
/// Decisions of a round.
const COUNT: u32 = 1_000;
const LINK: [u8; 16] = *b"0123456789abcdef";
const USER_AGENT: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
    Version/26.0 Mobile/15E148 Safari/604.1";

/// A phone in Germany, with this query.
struct Phone {
    query: String,
}

impl Visit for Phone {
    fn agent(&self) -> Agent<'_> {
        Agent { device: Some(Device::Mobile), os: Some("iOS"), browser: Some("Safari"), is_bot: false }
    }

    fn country(&self) -> Option<[u8; 2]> {
        Some(*b"DE")
    }

    fn region(&self) -> Option<&str> {
        Some("DE-BY")
    }

    fn city(&self) -> Option<&str> {
        Some("Munich")
    }

    fn accept_language(&self) -> &str {
        "de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7"
    }

    fn query(&self) -> &str {
        &self.query
    }

    fn now(&self) -> i64 {
        1_795_000_000_000
    }

    fn referrer_host(&self) -> Option<&str> {
        Some("www.example.com")
    }

    fn address(&self) -> Option<IpAddr> {
        Some(Ipv4Addr::new(192, 0, 2, 1).into())
    }

    fn visitor(&self) -> Visitor<'_> {
        Visitor { network: [7; 16], user_agent: USER_AGENT.as_bytes() }
    }
}

fn destination(number: u16) -> Destination {
    Destination { number, url: format!("https://example.com/landing/{number}?utm_source=newsletter") }
}

fn rule(number: u16, kind: Kind, key: Option<&str>, values: &[&str]) -> Result<Rule, Box<dyn Error>> {
    let values = values.iter().map(|value| (*value).to_owned()).collect();
    let written = Written { kind, values, key: key.map(str::to_owned), negated: false };
    Ok(Rule { conditions: vec![Condition::read(&written)?], outcome: Outcome::To(destination(number)) })
}

fn split(count: u16) -> Outcome {
    Outcome::Split((1..=count).map(|number| Part { destination: destination(number), weight: 10 }).collect())
}

/// Nanoseconds for each decision in the quickest round, and in the one in the middle.
fn measure(name: &str, rules: &[Rule], default: &Outcome, phone: &Phone, count: u32) -> Result<(), Box<dyn Error>> {
    let program = compile(&LINK, rules, default).map_err(|invalid| format!("{invalid:?}"))?;
    let program = program.as_bytes();
    let time = |run: &dyn Fn()| {
        let round = |_| {
            let begun = Instant::now();
            (0..count).for_each(|_| run());
            begun.elapsed().as_nanos() / u128::from(count)
        };
        let mut rounds: Vec<u128> = (0..ROUNDS).map(round).collect();
        rounds.sort_unstable();
        format!("{} and {} ns", rounds[0], rounds[ROUNDS / 2])
    };
    let decided = time(&|| drop(black_box(decide(black_box(program), black_box(phone)))));
    let explained = time(&|| drop(black_box(explain(black_box(program), black_box(phone)))));
    let rule = decide(program, phone)?.rule;
    println!("{name}: decided in {decided} (by {rule:?}), explained in {explained}; {} bytes", program.len());
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let phone = Phone { query: "utm_source=mail&ref=a".to_owned() };
    let default = Outcome::To(destination(0));
    let (phones, tablets) = (rule(1, Kind::Device, None, &["MOBILE"])?, rule(1, Kind::Device, None, &["TABLET"])?);
    measure("no rule", &[], &default, &phone, COUNT)?;
    measure("1 rule for phones", &[phones], &default, &phone, COUNT)?;
    measure("1 rule for tablets", std::slice::from_ref(&tablets), &default, &phone, COUNT)?;
    measure("32 rules for tablets", &vec![tablets.clone(); 32], &default, &phone, COUNT)?;
    let of_each_kind = [
        rule(1, Kind::Os, None, &["Android", "Windows"])?,
        rule(2, Kind::Browser, None, &["Instagram", "Facebook"])?,
        rule(3, Kind::Country, None, &["FR", "IT", "ES", "PT"])?,
        rule(4, Kind::City, None, &["FR:Paris", "Berlin"])?,
        rule(5, Kind::Language, None, &["fr", "es"])?,
        rule(6, Kind::Query, Some("ref"), &["=b", "~c"])?,
        rule(7, Kind::WeeklyHours, Some("Asia/Tokyo"), &["MON 09:00-09:01"])?,
        rule(8, Kind::Address, None, &["10.0.0.0/8", "2001:db8::/32"])?,
    ];
    let rules: Vec<Rule> = of_each_kind.iter().cycle().take(32).cloned().collect();
    measure("32 rules of eight kinds", &rules, &default, &phone, COUNT)?;
    measure("split in 2", &[], &split(2), &phone, COUNT)?;
    measure("split in 8", &[], &split(8), &phone, COUNT)?;
    // The worst that an author and a visitor can do together.
    let needles: Vec<String> = (0..50).map(|number| format!("~{}b{number}", "a".repeat(9))).collect();
    let needles: Vec<&str> = needles.iter().map(String::as_str).collect();
    let searches = vec![rule(1, Kind::Query, Some("a"), &needles)?; 32];
    measure("1,600 searches in 2 KiB", &searches, &default, &Phone { query: format!("a={}", "a".repeat(4_000)) }, 1)?;
    Ok(())
}
