//! Summaries by trigger and by destination: what visitors followed, and where they were led.

use linkgraph::base::clock::{DAY, HOUR, MINUTE, UnixMillis, day, rfc3339};
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::{
    on_each_database,
    support::{BROWSER, Http, TestDatabase, TestServer, eventually, noon, receiver::id},
};

const BOT: &str = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

/// A list of the most frequent values, of which the counts are exact.
fn top(values: &[(&str, usize)], unknown: usize) -> Json {
    let values: Vec<Json> = values.iter().map(|(value, clicks)| json!({ "value": value, "clicks": clicks })).collect();
    json!({ "values": values, "unknown": unknown, "other": 0, "error": 0 })
}

/// Summary of a link, or of the account (`None`), read by an API key.
async fn summary(http: &Http, key: &str, link: Option<&Json>, query: &str) -> Json {
    let path = link.map_or_else(|| "summary".to_owned(), |link| format!("{}/summary", id(link)));
    let answer = http.get(&format!("/api/v1/analytics/{path}?{query}"), key).await.expect(200);
    assert!(!answer.text.contains("example"), "no URL: {}", answer.text);
    answer.json()
}

fn range(from: UnixMillis, to: UnixMillis) -> String {
    format!("from={}&to={}", rfc3339(from), rfc3339(to))
}

/// Visits by many people, every third with `?qr`: how many were led to either part of the split, and how many scanned.
async fn visits(server: &TestServer, people: usize) -> ([usize; 2], usize) {
    let mut led = [0; 2];
    for number in 0..people {
        let path = if number % 3 == 0 { "/to?qr" } else { "/to" };
        let request = server.request(Method::GET, path).header("user-agent", BROWSER);
        let answer = server.send(request.header("x-forwarded-for", format!("10.0.0.{number}"))).await.expect(302);
        led[usize::from(answer.header("location").contains("//b."))] += 1;
    }
    (led, people.div_ceil(3))
}

#[on_each_database]
async fn clicks_count_by_what_was_followed_and_where_it_led(database: TestDatabase) {
    let server = database.start_at(&[("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1")], noon()).await;
    let token = server.register("ada").await;
    let (link, other) = (server.link(&token, "to").await, server.link(&token, "other").await);
    let key = server.api_key(&token, &["analytics:read"]).await;
    let parts = ["a", "b"].map(|name| json!({ "destinationUrl": format!("https://{name}.example/"), "weight": 50 }));
    server.call("PUT", &format!("/links/{}/split", id(&link)), &token, json!({ "parts": parts })).await.expect(200);
    let began = server.clock.now();
    let ([a, b], scans) = visits(&server, 40).await;
    assert!(a > 0 && b > 0, "{a} and {b}");
    // No split leads here, and a bot is counted apart.
    server.follow("other").await.expect(302);
    server.send(server.request(Method::GET, "/other?qr").header("user-agent", BOT)).await.expect(302);

    let by_frequency = |mut values: Vec<(&'static str, usize)>, unknown| {
        values.sort_by_key(|(_, clicks)| std::cmp::Reverse(*clicks));
        top(&values, unknown)
    };
    let is = async |link: Option<&Json>, query: &str, clicks: usize, triggers: Json, destinations: Json| {
        let shown = eventually("all clicks are counted", async || {
            let summary = summary(&server, &key, link, query).await;
            (summary["totals"]["clicks"] == clicks).then_some(summary["top"].clone())
        });
        let shown = shown.await;
        assert_eq!((&shown["triggers"], &shown["destinations"]), (&triggers, &destinations), "{query}");
    };
    let of_link = by_frequency(vec![("LINK", 40 - scans), ("QR", scans)], 0);
    is(Some(&link), "", 40, of_link.clone(), by_frequency(vec![("1", a), ("2", b)], 0)).await;
    is(Some(&other), "", 2, top(&[("LINK", 1), ("QR", 1)], 0), top(&[("0", 2)], 0)).await;
    is(Some(&other), "includeBots=false", 1, top(&[("LINK", 1)], 0), top(&[("0", 1)], 0)).await;
    // Numbers mean nothing across links.
    is(None, "", 42, by_frequency(vec![("LINK", 41 - scans), ("QR", scans + 1)], 0), top(&[], 42)).await;

    // Days that are over, ranges that divide a quarter of an hour, and clicks that are deleted since.
    server.clock.advance(DAY);
    let ([c, d], _) = visits(&server, 40).await;
    let both = by_frequency(vec![("1", a + c), ("2", b + d)], 0);
    is(Some(&link), "", 80, by_frequency(vec![("LINK", 80 - 2 * scans), ("QR", 2 * scans)], 0), both).await;
    let now = server.clock.now();
    let of_first = by_frequency(vec![("1", a), ("2", b)], 0);
    is(Some(&link), &range(began - 1, began + HOUR), 40, of_link.clone(), of_first.clone()).await;
    is(None, &range(began + HOUR, now + MINUTE), 40, of_link.clone(), top(&[], 40)).await;
    database.delete_clicks("clicked_at > 0").await;
    is(Some(&link), &range(began - HOUR, began + HOUR), 40, of_link, of_first).await;
}

/// Slots, totals and parts of a day of a link, or of its account, as version 2 wrote them: three clicks of one person with a computer,
/// in one slot.
fn of_version_2(slot: u8, links: &[Uuid]) -> [Vec<u8>; 3] {
    // Counts of people are doubled, lengths of lists are fourfold, and 2 says that unknown clicks follow.
    let (three, one_value, only_unknown) = (3 << 1, 1 << 2, 2);
    let (mut tops, mut parts) = (vec![2], vec![1]);
    for dimension in 0..9 {
        match dimension {
            // By its place among common values.
            4 => tops.extend([one_value, 1, three]),
            _ => tops.extend([only_unknown, three]),
        }
        parts.push(slot);
    }
    tops.push(u8::try_from(links.len()).unwrap() << 2);
    parts.push(u8::try_from(links.len()).unwrap());
    for link in links {
        tops.extend(link.as_bytes());
        tops.push(three);
        parts.extend(link.as_bytes());
        parts.extend([1, slot + 97, three]);
    }
    parts.push(0);
    [vec![2, slot + 96, 3, 0, 1, 0], tops, if links.is_empty() { vec![2] } else { parts }]
}

/// What was counted before an update does not say what was followed: it is not taken for a visit of the short URL.
#[on_each_database]
async fn documents_of_the_version_before_are_read_and_added_to(database: TestDatabase) {
    let server = database.start_at(&[], noon()).await;
    let token = server.register("ada").await;
    let link = server.link(&token, "to").await;
    let key = server.api_key(&token, &["analytics:read"]).await;
    let today = day(server.clock.now());
    let link_id: Uuid = id(&link).parse().unwrap();
    let connection = database.connect().await;
    // From one to a quarter past.
    for (subject, links) in [("id", vec![]), ("account_id", vec![link_id])] {
        let columns = of_version_2(4, &links).map(|bytes| {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            if database.is_postgres() { format!("decode('{hex}', 'hex')") } else { format!("x'{hex}'") }
        });
        let columns = columns.join(", ");
        let insert = "INSERT INTO click_days (day, subject, slots, tops, parts)";
        let insert = format!("{insert} SELECT {today}, {subject}, {columns} FROM links");
        connection.execute_unprepared(&insert).await.unwrap();
    }
    connection.close().await.unwrap();
    let midnight = UnixMillis::from(today) * DAY;
    let check = async |clicks: usize, from: UnixMillis, to: UnixMillis, named: usize| {
        for link in [Some(&link), None] {
            let query = range(from, to);
            let shown = eventually("the clicks are counted", async || {
                let summary = summary(&server, &key, link, &query).await;
                (summary["totals"]["clicks"] == clicks).then_some(summary["top"].clone())
            });
            let shown = shown.await;
            let (all, unknown) = ([("LINK", named), ("0", named)], clicks - named);
            let [triggers, destinations] = all.map(|value| top(&[value][..usize::from(named > 0)], unknown));
            assert_eq!(shown["triggers"], triggers, "{link:?} {query}");
            assert_eq!(shown["channels"], top(&[("DIRECT", named)][..usize::from(named > 0)], unknown));
            assert_eq!(shown["sources"], top(&[], clicks));
            assert_eq!(shown["destinations"], if link.is_some() { destinations } else { top(&[], clicks) });
            assert_eq!(shown["devices"], top(&[("desktop", clicks)], 0));
        }
    };
    check(3, midnight, midnight + DAY, 0).await;
    server.follow("to").await.expect(302);
    server.follow("to").await.expect(302);
    check(5, midnight, midnight + DAY, 2).await;
    // Parts of the day.
    check(3, midnight + HOUR, midnight + 2 * HOUR, 0).await;
    check(2, midnight + 2 * HOUR, midnight + DAY, 2).await;
}
