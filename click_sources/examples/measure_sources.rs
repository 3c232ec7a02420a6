//! Measures how long a look-up takes, of the referrers of the tests: `cargo run --release -p click_sources --example measure_sources`.

use std::{hint::black_box, time::Instant};

use click_sources::{Visit, classify};

const VISITS: u32 = 5_000_000;

fn main() {
    let lines = include_str!("../tests/data/referrers.tsv").lines().filter_map(|line| line.split_once("://"));
    let hosts: Vec<&str> = lines.filter_map(|(_, rest)| rest.split(['/', '?', '\t']).next()).collect();
    let visits =
        [("by referrer", ""), ("by a known utm_source", "facebook"), ("by an unknown utm_source", "newsletter-of-may")];
    for (of, utm_source) in visits {
        let began = Instant::now();
        for referrer_host in hosts.iter().copied().cycle().take(VISITS as usize) {
            black_box(classify(black_box(&Visit { referrer_host, utm_source, ..Visit::default() })));
        }
        println!("{of}: {:?}", began.elapsed() / VISITS);
    }
}
