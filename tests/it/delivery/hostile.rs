//! Receivers that mean harm, or are merely broken: each costs little time and memory, and others none.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        TestDatabase, TestServer, eventually, free_port,
        process::TestProcess,
        receiver::{Behaviour, Receiver, id},
    },
};

const SETTINGS: [(&str, &str); 2] =
    [("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true"), ("LINKGRAPH_DEFAULT_PLAN", "unlimited")];

/// Sends a test event there and answers the delivery after its first attempt.
async fn first_attempt(server: &TestServer, token: &str, url: &str) -> Json {
    let webhook = server.webhook(token, url, &["webhook.disabled"]).await;
    server.post(&format!("/webhooks/{}/test", id(&webhook)), token, Json::Null).await.expect(200);
    server.delivery_that(token, &webhook, &format!("an attempt at {url}"), |it| it["attemptCount"] == 1).await
}

/// 15 seconds of real time pass, for all of them together.
#[on_each_database]
async fn each_exchange_is_over_within_its_bounds(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    for (path, behaviour) in [
        ("/hang", Behaviour::Hang),
        ("/drip200", Behaviour::Drip(200)),
        ("/drip500", Behaviour::Drip(500)),
        ("/endless200", Behaviour::Endless(200)),
        ("/endless500", Behaviour::Endless(500)),
        ("/reset", Behaviour::Reset),
        ("/redirect", Behaviour::Redirect("/target")),
        ("/headers", Behaviour::Headers(8_000)),
        ("/more-headers", Behaviour::Headers(300_000)),
        ("/nul", Behaviour::Body(400, "a\0b\u{1}\u{fffd}".to_owned())),
    ] {
        receiver.set(path, behaviour);
    }
    let closed = free_port();
    let late = "The exchange was not over after 15 seconds.";
    let (quick, slow) = (false, true);
    let cases = [
        (receiver.url("/hang"), "RETRYING", json!(null), json!(late), slow),
        // The receiver said that it has it.
        (receiver.url("/drip200"), "SUCCEEDED", json!(200), json!(late), slow),
        (receiver.url("/drip500"), "RETRYING", json!(500), json!(late), slow),
        (receiver.url("/endless200"), "SUCCEEDED", json!(200), json!(null), quick),
        (receiver.url("/endless500"), "RETRYING", json!(500), json!(null), quick),
        (receiver.url("/reset"), "RETRYING", json!(null), json!("The connection was reset."), quick),
        (receiver.url("/redirect"), "RETRYING", json!(307), json!(null), quick),
        (receiver.url("/headers"), "SUCCEEDED", json!(200), json!(null), quick),
        (receiver.url("/more-headers"), "RETRYING", json!(null), json!("The answer's headers are too large."), quick),
        (receiver.url("/nul"), "RETRYING", json!(400), json!(null), quick),
        (format!("http://127.0.0.1:{closed}/"), "RETRYING", json!(null), json!("The connection was refused."), quick),
    ];
    join_all(cases.iter().map(async |(url, status, code, error, is_slow)| {
        let delivery = first_attempt(&server, &token, url).await;
        let attempt = &delivery["attempts"][0];
        assert_eq!(
            (&delivery["status"], &attempt["statusCode"], &attempt["error"]),
            (&json!(status), code, error),
            "{url}"
        );
        let took = Duration::from_millis(attempt["durationMs"].as_u64().unwrap());
        assert_eq!(took >= Duration::from_secs(15), *is_slow, "{url}: {took:?}");
        let start = attempt["responseStart"].as_str().unwrap_or_default();
        assert!(start.chars().count() <= 1_000, "{url}");
        if url.contains("endless") {
            assert_eq!(start, "e".repeat(1_000), "{url}");
        }
        if url.ends_with("/nul") {
            assert_eq!(start, "ab\u{1}\u{fffd}");
        }
    }))
    .await;
    assert_eq!(receiver.arrived("/target").len(), 0, "a redirect is not followed");
}

/// 19 of 20 hang: the 20th notices nothing.
#[on_each_database]
async fn those_that_hang_delay_nobody_else(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    for number in 0..19 {
        let path = format!("/hang{number}");
        receiver.set(&path, Behaviour::Hang);
        server.webhook(&token, &receiver.url(&path), &["link.created"]).await;
    }
    server.webhook(&token, &receiver.url("/healthy"), &["link.created"]).await;
    let mut created = HashMap::new();
    for number in 0..50 {
        let slug = format!("s{number}");
        created.insert(slug.clone(), Instant::now());
        server.link(&token, &slug).await;
    }
    let arrived = receiver.wait("/healthy", 50).await;
    for arrived in arrived {
        let slug = arrived.json()["data"]["slug"].as_str().unwrap().to_owned();
        let took = arrived.at - created[&slug];
        // An exchange that hangs takes 15 s.
        assert!(took < Duration::from_secs(14), "{slug}: {took:?}");
    }
    for number in 0..19 {
        let arrived = receiver.wait(&format!("/hang{number}"), 1).await;
        // The next one begins when the one before is given up: on a slow machine that may be by now.
        let is_alone = arrived.windows(2).all(|it| it[1].at - it[0].at > Duration::from_secs(10));
        assert!(is_alone, "one exchange at once with one that hangs: {arrived:?}");
    }
}

#[on_each_database]
async fn a_proxy_of_the_environment_is_not_used(database: TestDatabase) {
    let (receiver, canary) = (Receiver::start().await, Receiver::start().await);
    let proxy = canary.url("");
    let names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
    let settings: Vec<(&str, &str)> = names.iter().map(|name| (*name, &*proxy)).chain(SETTINGS).collect();
    let process = TestProcess::start(&database, &settings).await;
    let token = process.register("alice").await;
    process.webhook(&token, &receiver.url("/"), &["link.created"]).await;
    process.link(&token, "direct").await;
    receiver.wait("/", 1).await;
    assert_eq!(canary.connections(), 0);
}

/// One that answers is served several at a time; when it begins to fail, one at a time again.
#[on_each_database]
async fn a_webhook_has_few_connections(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    receiver.set("/", Behaviour::Slow(Duration::from_millis(20)));
    server.webhook(&token, &receiver.url("/"), &["link.created"]).await;
    for part in 0..3 {
        let links: Vec<Json> = (0..100)
            .map(|n| json!({ "destinationUrl": "https://example.com/", "slug": format!("s{part}-{n}") }))
            .collect();
        server.post("/links/bulk", &token, json!({ "links": links })).await.expect(200);
    }
    receiver.wait("/", 300).await;
    eventually("all are noted", async || {
        let sql = "SELECT count(*) FROM deliveries WHERE status = 'SUCCEEDED' AND attempts = 1";
        (database.number(sql).await == 300).then_some(())
    })
    .await;
    assert_eq!(receiver.arrived("/").len(), 300);
    assert!(receiver.connections() <= 8, "{}", receiver.connections());
}
