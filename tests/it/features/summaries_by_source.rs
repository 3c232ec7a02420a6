//! Sources and channels: of clicks in lists, exports and events, and in summaries.

use linkgraph::base::clock::{DAY, HOUR, rfc3339};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{BROWSER, TestDatabase, eventually, noon, receiver::id},
};

/// Visits in their order: query, referrer, and the source and channel that they are to have.
const VISITS: [(&str, &str, Option<&str>, &str); 12] = [
    ("", "", None, "DIRECT"),
    ("", "https://www.google.de/", Some("Google"), "SEARCH"),
    ("", "https://l.facebook.com/l.php", Some("Facebook"), "SOCIAL"),
    ("", "android-app://com.slack/", Some("Slack"), "MESSAGING"),
    ("", "https://m\u{fc}nchen.example/stadt", Some("xn--mnchen-3ya.example"), "REFERRAL"),
    ("?gclid=secret-1", "https://www.google.com/", Some("Google"), "PAID_SEARCH"),
    ("?fbclid=secret-2", "", Some("Facebook"), "SOCIAL"),
    ("?utm_source=fb&utm_medium=paid_social", "", Some("Facebook"), "PAID_SOCIAL"),
    ("?utm_source=May&utm_medium=email", "https://mail.google.com/", Some("May"), "EMAIL"),
    ("?utm_source=chatgpt.com", "https://chatgpt.com/", Some("ChatGPT"), "AI"),
    ("?qr", "", None, "QR"),
    ("?utm_medium=print", "", None, "OTHER"),
];

/// A list of the most frequent values, of which the counts are exact.
fn top(values: &[Option<&str>], all: usize) -> Json {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for value in values.iter().flatten() {
        match counted.iter_mut().find(|(known, _)| known == value) {
            Some((_, clicks)) => *clicks += 1,
            None => counted.push((*value, 1)),
        }
    }
    counted.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let unknown = all - counted.iter().map(|(_, clicks)| clicks).sum::<usize>();
    let values: Vec<Json> = counted.iter().map(|(value, clicks)| json!({ "value": value, "clicks": clicks })).collect();
    json!({ "values": values, "unknown": unknown, "other": 0, "error": 0 })
}

#[on_each_database]
async fn clicks_are_told_and_counted_by_source_and_channel(database: TestDatabase) {
    let server = database.start_at(&[], noon()).await;
    let token = server.register("ada").await;
    let link = server.link(&token, "to").await;
    let key = server.api_key(&token, &["analytics:read"]).await;
    for (query, referrer, ..) in VISITS {
        let visit = server.request(Method::GET, &format!("/to{query}")).header("user-agent", BROWSER);
        server.send(visit.header("referer", referrer.as_bytes())).await.expect(302);
        // In the order of their times.
        server.clock.advance(1_000);
    }
    let path = format!("/api/v1/analytics/{}", id(&link));
    let listed = eventually("the clicks are ingested", async || {
        let page = server.get(&format!("{path}?limit=100"), &key).await.expect(200);
        assert!(!page.text.contains("secret"), "no id of an ad click is kept: {}", page.text);
        let mut clicks = page.json()["data"].as_array().unwrap().clone();
        clicks.reverse();
        (clicks.len() == VISITS.len()).then_some(clicks)
    })
    .await;
    let expected = |(.., source, channel): (&str, &str, Option<&str>, &str)| json!([source, channel]);
    let told = |click: &Json| json!([click["source"], click["channel"]]);
    for (click, visit) in listed.iter().zip(VISITS) {
        assert_eq!(told(click), expected(visit), "{visit:?}");
    }
    let export = server.get(&format!("{path}/export?format=jsonl"), &key).await.expect(200);
    let rows = export.text.lines().rev().map(|line| serde_json::from_str::<Json>(line).unwrap());
    assert_eq!(rows.collect::<Vec<_>>(), listed);
    // The pages of many links are read by another statement.
    let query = "{ links { data { clicks(limit: 100) { data { source channel } } } } }";
    let nested = server.graphql(&token, query, json!({})).await;
    let nested = nested["data"]["links"]["data"][0]["clicks"]["data"].as_array().unwrap().clone();
    assert_eq!(nested.iter().rev().map(told).collect::<Vec<_>>(), VISITS.map(expected));

    let all = VISITS.len();
    let [sources, channels] =
        [VISITS.map(|(_, _, source, _)| source), VISITS.map(|(.., channel)| Some(channel))].map(|it| it.to_vec());
    // The whole day, and a range that divides a quarter of an hour: single clicks are read there.
    let first = listed[0]["clickedAt"].as_str().unwrap();
    let fifth = listed[4]["clickedAt"].as_str().unwrap();
    let end = rfc3339(server.clock.now() + HOUR);
    for summary in [format!("{path}/summary"), "/api/v1/analytics/summary".to_owned()] {
        for (from, skipped) in [(first, 0), (fifth, 4)] {
            let summary =
                server.get(&format!("{summary}?from={from}&to={end}&limit=100"), &key).await.expect(200).json();
            let shown = &summary["top"];
            assert_eq!(shown["sources"], top(&sources[skipped..], all - skipped), "from the click {skipped}");
            assert_eq!(shown["channels"], top(&channels[skipped..], all - skipped), "from the click {skipped}");
        }
    }
    // Counts stay, without the clicks.
    database.delete_clicks("clicked_at > 0").await;
    server.clock.advance(DAY);
    let summary = server.get(&format!("{path}/summary?limit=100"), &key).await.expect(200).json();
    assert_eq!(summary["top"]["channels"], top(&channels, all));
}

/// The parameters of the destination stand for those that a visit lacks.
#[on_each_database]
async fn a_tagged_destination_says_the_source_of_its_visits(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let input = json!({ "destinationUrl": "https://example.com/?utm_source=linkedin&utm_medium=cpc", "slug": "to" });
    let link = server.call("POST", "/links", &token, input).await.expect(201).json();
    server.follow("to").await.expect(302);
    let path = format!("/analytics/{}", id(&link));
    let page = eventually("the click is ingested", async || {
        let page = server.get(&path, &token).await.expect(200).json();
        (page["total"] == 1).then_some(page)
    })
    .await;
    assert_eq!((&page["data"][0]["source"], &page["data"][0]["channel"]), (&json!("LinkedIn"), &json!("PAID_SOCIAL")));
    let summary = server.get(&format!("{path}/summary"), &token).await.expect(200).json();
    assert_eq!(summary["top"]["channels"], top(&[Some("PAID_SOCIAL")], 1));
}
