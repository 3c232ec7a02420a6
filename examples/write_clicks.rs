//! Writes a click log as the service would have, for `scripts/load-clicks`: clicks on the links whose ids stand in standard
//! input, some links much more popular than others, by hours and days as people live, in the order of time.
//!
//! write_clicks FOLDER CLICKS DAYS SEED

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a tool for measurements")]

use std::{fs, io, path::Path};

use linkgraph::{
    base::clock::{Clock, DAY, HOUR, UnixMillis},
    clicks::{
        click::{Click, Trigger},
        segment::{append, list, path},
    },
};
use rand::{Rng, SeedableRng, distr::weighted::WeightedIndex, prelude::Distribution, rngs::StdRng};
use uuid::Uuid;

const SEGMENT_BYTES: usize = 64 << 20;
/// Relative number of clicks by hour of the day.
const HOURS: [u32; 24] = [2, 1, 1, 1, 1, 2, 4, 7, 9, 10, 10, 10, 11, 11, 10, 10, 10, 11, 12, 13, 12, 10, 7, 4];
const COUNTRIES: [&str; 24] = [
    "US", "IN", "DE", "GB", "CH", "FR", "BR", "CA", "JP", "AU", "NL", "ES", "IT", "PL", "SE", "AT", "MX", "ID", "TR",
    "ZA", "NG", "KR", "NO", "",
];
const LANGUAGES: [&str; 12] = ["en-US", "en-GB", "de", "fr", "es", "pt-BR", "hi", "ja", "it", "pl", "nl", ""];

fn agents() -> Vec<String> {
    let mut agents = Vec::new();
    for version in 110..140 {
        agents.push(format!("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{version}.0.0.0 Safari/537.36"));
        agents.push(format!("Mozilla/5.0 (Linux; Android 14; Pixel {}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{version}.0.0.0 Mobile Safari/537.36", version % 9));
        agents.push(format!("Mozilla/5.0 (iPhone; CPU iPhone OS 17_{} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.{} Mobile/15E148 Safari/604.1", version % 7, version % 5));
        agents.push(format!("Mozilla/5.0 (X11; Linux x86_64; rv:{version}.0) Gecko/20100101 Firefox/{version}.0"));
        agents.push(format!("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.{} Safari/605.1.15", version % 6));
    }
    agents.extend(
        [
            "Googlebot/2.1 (+http://www.google.com/bot.html)",
            "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
            "curl/8.5.0",
        ]
        .map(str::to_owned),
    );
    agents
}

/// As often as its place in the list is low.
fn skewed(number: usize) -> WeightedIndex<f64> {
    WeightedIndex::new((1..=number).map(|place| 1.0 / place as f64)).expect("weights")
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, clicks, days, seed] = &arguments[..] else { panic!("write_clicks FOLDER CLICKS DAYS SEED < LINKS") };
    let (folder, clicks) = (Path::new(folder), clicks.parse::<u64>().unwrap());
    let (days, seed) = (days.parse::<i64>().unwrap(), seed.parse().unwrap());
    let links: Vec<Uuid> = io::stdin().lines().map(|line| line.unwrap().parse().unwrap()).collect();
    let mut random = StdRng::seed_from_u64(seed);
    let (agents, hosts) = (agents(), skewed(300));
    let (popular, countries, languages, used) =
        (skewed(links.len()), skewed(COUNTRIES.len()), skewed(LANGUAGES.len()), skewed(agents.len()));
    let last = Clock::default().now().div_euclid(DAY);
    let per_hour: u64 = HOURS.iter().map(|weight| u64::from(*weight)).sum();
    fs::create_dir_all(folder).unwrap();
    let mut segment = list(folder).unwrap().last().copied().unwrap_or_default() + 1;
    let mut bytes = Vec::with_capacity(SEGMENT_BYTES + 4_096);
    let (mut written, mut number) = (0, 0);
    for day in 0..days {
        let until_day = clicks * (day.unsigned_abs() + 1) / days.unsigned_abs();
        let of_day = until_day - written;
        let midnight = (last - days + day) * DAY;
        let mut times: Vec<UnixMillis> = Vec::new();
        let mut done = 0;
        for (hour, weight) in (0..).zip(HOURS) {
            done += u64::from(weight);
            while (times.len() as u64) < of_day * done / per_hour {
                times.push(midnight + hour * HOUR + random.random_range(0..HOUR));
            }
        }
        times.sort_unstable();
        for clicked_at in times {
            let agent = used.sample(&mut random);
            // Every fourth visit is one of a few regular visitors.
            let who = if random.random_ratio(1, 4) {
                random.random_range(0..2_000)
            } else {
                random.random_range(2_000..u64::MAX)
            };
            let mut visitor = [0; 16];
            visitor[..8].copy_from_slice(&who.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes());
            visitor[8..].copy_from_slice(
                &(who ^ agent as u64 ^ day.unsigned_abs()).wrapping_mul(0xbf58_476d_1ce4_e5b9).to_le_bytes(),
            );
            let campaign = random.random_ratio(1, 3);
            let click = Click {
                clicked_at,
                link: links[popular.sample(&mut random)],
                visitor,
                is_prefetch: random.random_ratio(1, 100),
                country: COUNTRIES[countries.sample(&mut random)].into(),
                user_agent: agents[agent].as_str().into(),
                referrer_host: match hosts.sample(&mut random) {
                    0 => "".into(),
                    host => format!("site-{host}.example.org").into(),
                },
                language: LANGUAGES[languages.sample(&mut random)].into(),
                utm_source: if campaign { "newsletter" } else { "" }.into(),
                utm_medium: if campaign { "email" } else { "" }.into(),
                utm_campaign: if campaign { format!("week-{}", day / 7) } else { String::new() }.into(),
                trigger: if random.random_ratio(1, 20) { Trigger::Qr } else { Trigger::Link },
                // Few links are divided.
                destination: if random.random_ratio(1, 10) { random.random_range(1..4) } else { 0 },
                ..Click::default()
            };
            append(&mut bytes, segment, number, |out| click.encode(out));
            number += 1;
            if bytes.len() >= SEGMENT_BYTES {
                fs::write(path(folder, segment), &bytes).unwrap();
                bytes.clear();
                (segment, number) = (segment + 1, 0);
            }
        }
        written = until_day;
    }
    fs::write(path(folder, segment), &bytes).unwrap();
}
