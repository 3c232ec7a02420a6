//! Query forwarding: what a visitor's parameters become, by link and by host.

use linkgraph::base::clock::{HOUR, rfc3339};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, BROWSER, Http, TestDatabase,
        dns::TestDns,
        domains::{hosts, set, start_with_subdomains},
        receiver::id,
    },
};

async fn ask(http: &Http, method: Method, host: &str, path: &str) -> Answer {
    http.send(http.request(method, path).header("host", host).header("user-agent", BROWSER)).await
}

#[on_each_database]
async fn a_query_is_forwarded_as_link_and_host_say(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let there = "https://example.com/there?own=1#end";
    let query = "?b=%2B+x&own=2&qr&a=https://evil.example/";
    let with = "https://example.com/there?own=1&b=%2B+x&a=https://evil.example/#end";
    let hosts = hosts(&server, &token, &dns).await;
    for (number, host) in hosts.iter().enumerate() {
        let mut links = Vec::new();
        for (slug, forwards) in [("host", Json::Null), ("yes", json!(true)), ("no", json!(false))] {
            let mut input = json!({ "destinationUrl": there, "slug": slug, "domain": host, "forwardsQuery": forwards });
            // Whatever else the link has.
            if number == 1 {
                input["expiresAt"] = json!(rfc3339(server.clock.now() + HOUR));
                input["expiredUrl"] = json!("https://example.com/over");
            }
            let created = if number % 2 == 0 {
                server.post("/links", &token, input).await.expect(201).json()
            } else {
                let query = "mutation($input: CreateLinkInput!) { createLink(input: $input) { id forwardsQuery } }";
                server.graphql(&token, query, json!({ "input": input })).await["data"]["createLink"].clone()
            };
            assert_eq!(created["forwardsQuery"], forwards, "{created}");
            links.push(created);
        }
        let check = async |expected: [&str; 3], when: &str| {
            for (slug, location) in ["host", "yes", "no"].into_iter().zip(expected) {
                for method in [Method::GET, Method::HEAD] {
                    let answer = ask(&server, method, host, &format!("/{slug}{query}")).await.expect(302);
                    assert_eq!(answer.header("location"), location, "{slug} at {host} {when}");
                    assert_eq!(answer.header("cache-control"), "private, no-store");
                }
                // Without a query there is nothing to forward.
                for nothing in ["", "?", "?qr", "?own=3"] {
                    let answer = ask(&server, Method::GET, host, &format!("/{slug}{nothing}")).await.expect(302);
                    assert_eq!(answer.header("location"), there, "{slug} at {host} {when}");
                }
            }
        };
        check([there, with, there], "at first").await;
        if number > 0 {
            let settings = set(&server, &token, host, false, json!({ "forwardsQuery": true })).await;
            assert_eq!(settings["forwardsQuery"], true);
            check([with, with, there], "where the host forwards").await;
            set(&server, &token, host, true, json!({ "forwardsQuery": false })).await;
        }
        let paths: Vec<String> = links.iter().map(|link| format!("/links/{}", id(link))).collect();
        let patch = async |link: usize, body: Json| server.call("PATCH", &paths[link], &token, body).await;
        patch(1, json!({ "isActive": true })).await.expect(200);
        check([there, with, there], "unchanged where it is absent").await;
        let refused = patch(1, json!({ "forwardsQuery": false, "isActive": null })).await.expect(400);
        assert_eq!(refused.violations(), ["isActive"]);
        check([there, with, there], "unchanged by what is refused").await;
        patch(0, json!({ "forwardsQuery": true })).await.expect(200);
        patch(1, json!({ "forwardsQuery": false })).await.expect(200);
        let cleared = patch(2, json!({ "forwardsQuery": null })).await.expect(200).json();
        assert_eq!(cleared["forwardsQuery"], Json::Null);
        check([with, there, there], "changed").await;
    }
    // The answer to the form of a link with a limit, and what is none of the destination.
    let own = &hosts[0];
    let body = json!({ "destinationUrl": there, "slug": "once", "maxClicks": 1, "forwardsQuery": true, "expiredUrl": "https://example.com/over" });
    server.post("/links", &token, body).await.expect(201);
    assert_eq!(ask(&server, Method::POST, own, &format!("/once{query}")).await.expect(303).header("location"), with);
    assert_eq!(
        ask(&server, Method::GET, own, "/once?a=1").await.expect(302).header("location"),
        "https://example.com/over"
    );
    let host = &hosts[2];
    set(&server, &token, host, false, json!({ "forwardsQuery": true, "rootUrl": "https://example.com/root" })).await;
    assert_eq!(
        ask(&server, Method::GET, host, "/?a=1").await.expect(302).header("location"),
        "https://example.com/root"
    );
    // A head is longer than what is forwarded.
    let long = format!("/host?a={}", "x".repeat(20_000));
    assert_eq!(
        ask(&server, Method::GET, host, &long).await.expect(302).header("location"),
        "https://example.com/there?own=1#end"
    );
    let long = format!("/no?a={}", "x".repeat(7_000));
    server.call("PATCH", "/subdomain", &token, json!({ "forwardsQuery": true })).await.expect(200);
    let longer = ask(&server, Method::GET, host, &long).await.expect(302).header("location").len();
    assert!(longer > 7_000, "{longer}");
}
