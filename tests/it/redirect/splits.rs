//! Splits of links: who is led to which part, and what reports say of them.

use linkgraph::base::clock::{HOUR, rfc3339};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{Http, TestDatabase, TestServer, eventually, noon, receiver::id},
};

const BEHIND_PROXY: (&str, &str) = ("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1");

fn part(name: &str, weight: i32) -> Json {
    json!({ "destinationUrl": format!("https://{name}.example/"), "label": name, "weight": weight })
}

async fn set(http: &Http, token: &str, link: &Json, input: Json) -> Json {
    http.call("PUT", &format!("/links/{}/split", id(link)), token, input).await.expect(200).json()
}

/// The part to which each of many visitors is led.
async fn led(server: &TestServer, visitors: u32) -> Vec<String> {
    let mut led = Vec::new();
    for number in 0..visitors {
        let address = format!("10.1.{}.{}", number / 200, number % 200);
        let agent = format!("Mozilla/5.0 (X11; Linux x86_64; rv:{}.0) Gecko/20100101 Firefox/128.0", number % 7);
        let request = server.request(Method::GET, "/to").header("user-agent", agent).header("x-forwarded-for", address);
        led.push(server.send(request).await.expect(302).header("location").to_owned());
    }
    led
}

fn count(led: &[String], name: &str) -> usize {
    led.iter().filter(|url| **url == format!("https://{name}.example/")).count()
}

#[on_each_database]
async fn a_visitor_stays_with_a_part_and_weights_move_no_more_than_they_must(database: TestDatabase) {
    let server = database.start_at(&[BEHIND_PROXY], noon()).await;
    let token = server.register("ada").await;
    let link = server.link(&token, "to").await;
    let own = link["destinationUrl"].as_str().unwrap();
    let shown = set(&server, &token, &link, json!({ "parts": [part("a", 50), part("b", 50)] })).await;
    let numbers = |shown: &Json| -> Vec<Json> {
        shown["parts"].as_array().unwrap().iter().map(|part| part["destination"]["number"].clone()).collect()
    };
    assert_eq!(numbers(&shown), [1, 2]);
    let first = led(&server, 300).await;
    // 300 fair coins: 3.9 standard deviations are a chance of 1 in 10,000, and the draws are always the same but for the link's id.
    assert!((110..=190).contains(&count(&first, "a")), "{}", count(&first, "a"));
    assert_eq!(led(&server, 300).await, first, "each visitor goes where they went");

    // Half of the visitors of `b` are to go to `c`, and nobody else anywhere.
    let shown = set(&server, &token, &link, json!({ "parts": [part("c", 25), part("a", 50), part("b", 25)] })).await;
    assert_eq!(numbers(&shown), [3, 1, 2]);
    let second = led(&server, 300).await;
    let moved = first.iter().zip(&second).filter(|(before, after)| before != after);
    let wrongly = moved.clone().filter(|(before, after)| before.contains("//a.") && after.contains("//b."));
    assert_eq!(wrongly.count(), 0, "a part whose weight is less gets nobody from one whose weight is the same");
    assert!(count(&second, "c") > 40, "{}", count(&second, "c"));

    // A part that comes back gets its visitors back.
    set(&server, &token, &link, json!({ "parts": [part("a", 50), part("c", 50)] })).await;
    let back = set(&server, &token, &link, json!({ "parts": [part("a", 50), part("b", 50)] })).await;
    assert_eq!(numbers(&back), [1, 2]);
    assert_eq!(led(&server, 300).await, first);
    let rules = server.get(&format!("/links/{}/rules", id(&link)), &token).await.expect(200).json();
    let known: Vec<_> = rules["destinations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| json!([it["number"], it["label"], it["isRetired"]]))
        .collect();
    assert_eq!(known, [json!([1, "a", false]), json!([2, "b", false]), json!([3, "c", true])]);

    // It stops by itself, without anything being evicted.
    let stops = json!({ "parts": [part("a", 50), part("b", 50)], "autoStopsAt": rfc3339(server.clock.now() + HOUR) });
    set(&server, &token, &link, stops).await;
    assert_eq!(led(&server, 20).await, first[..20]);
    server.clock.advance(HOUR);
    assert_eq!(led(&server, 20).await, vec![own; 20]);
    set(&server, &token, &link, json!({ "parts": [] })).await;
    assert_eq!(led(&server, 5).await, vec![own; 5]);
}

#[on_each_database]
async fn a_report_tells_shares_and_whether_they_are_as_they_should_be(database: TestDatabase) {
    let server = database.start_at(&[BEHIND_PROXY], noon()).await;
    let token = server.register("ada").await;
    let link = server.link(&token, "to").await;
    let path = format!("/links/{}/split/report", id(&link));
    let report = async || server.get(&path, &token).await.expect(200).json();
    assert_eq!(report().await["parts"], json!([]));
    set(&server, &token, &link, json!({ "parts": [part("a", 60), part("b", 40), part("c", 0)] })).await;
    let mut led_to = [0; 2];
    for _ in 0..2 {
        let led = led(&server, 60).await;
        led_to = ["a", "b"].map(|name| count(&led, name));
        server.clock.advance(HOUR);
    }
    let full = eventually("120 clicks", async || {
        let report = report().await;
        let clicks: i64 = report["parts"].as_array().unwrap().iter().map(|part| part["clicks"].as_i64().unwrap()).sum();
        (clicks == 120).then_some(report)
    })
    .await;
    let [a, b, c] = [0, 1, 2].map(|part| full["parts"][part].clone());
    assert_eq!(
        (a["visitors"].as_u64(), b["visitors"].as_u64()),
        (Some(led_to[0] as u64), Some(led_to[1] as u64)),
        "{full}"
    );
    assert_eq!((&a["expectedShare"], &c["clicks"], &c["share"]["share"]), (&json!(0.6), &json!(0), &json!(0.0)));
    let share = |part: &Json, end: &str| part["share"][end].as_f64().unwrap();
    assert!((share(&a, "share") - led_to[0] as f64 / 60.0).abs() < 1e-9 && share(&a, "low") < share(&a, "share"));
    assert_eq!(full["isUneven"], false, "{full}");

    // A rule's split has a report of its own.
    let rule = json!({ "conditions": [{ "kind": "IS_BOT", "negated": true }], "split": [part("x", 1), part("y", 1)] });
    let rules = format!("/links/{}/rules", id(&link));
    server.call("PUT", &rules, &token, json!({ "rules": [rule] })).await.expect(200);
    let led = led(&server, 40).await;
    let of_rule = eventually("40 clicks", async || {
        let report = server.get(&format!("{path}?rule=1"), &token).await.expect(200).json();
        let clicks = |part: usize| report["parts"][part]["clicks"].as_u64().unwrap();
        (clicks(0) + clicks(1) == 40).then_some(report)
    })
    .await;
    assert_eq!(of_rule["parts"][0]["clicks"], count(&led, "x"), "{of_rule}");
    server.get(&format!("{path}?rule=2"), &token).await.expect(404);
    assert_eq!(report().await["parts"][0]["clicks"], a["clicks"], "the link's own is as it was");

    // Who may read statistics and no links learns numbers and no URLs.
    let key = server.api_key(&token, &["analytics:read"]).await;
    for path in [format!("/api/v1{path}"), format!("/api/v1{path}?rule=1")] {
        let told = server.get(&path, &key).await.expect(200);
        assert!(!told.text.contains(".example"), "{}", told.text);
        assert!(told.json()["parts"][0]["clicks"].is_number());
    }
    let query = "query($id: ID!) { a: splitReport(linkId: $id) { parts { destination { url } } } }";
    let refused = server.graphql(&key, query, json!({ "id": link["id"] })).await;
    assert_eq!(refused["errors"][0]["extensions"]["details"], json!({ "scope": "links:read" }), "{refused}");

    // A change begins anew.
    server.clock.advance(HOUR);
    set(&server, &token, &link, json!({ "parts": [part("a", 50), part("b", 50)] })).await;
    assert_eq!(report().await["parts"][0]["clicks"], 0);
}
