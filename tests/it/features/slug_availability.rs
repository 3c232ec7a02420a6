//! The availability of slugs, which forms ask for while one is typed. The creation of a link judges the answer.

use linkgraph::base::clock::DAY;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Http, TestDatabase,
        dns::TestDns,
        domains::{hosts, set, start_with_subdomains},
        eventually,
        process::operate,
        receiver::id,
    },
};

/// The state of the slug, over both doors.
async fn state(http: &Http, token: &str, host: &str, slug: &str) -> String {
    let path = format!("/links/availability?slug={slug}&domain={host}");
    let rest = http.get(&path, token).await.expect(200).json();
    let query = "query ($slug: String!, $domain: String) { slugAvailability(slug: $slug, domain: $domain) { slug domain state } }";
    let answer = http.graphql(token, query, json!({ "slug": slug, "domain": host })).await;
    assert_eq!(answer["data"]["slugAvailability"], rest, "{answer}");
    assert_eq!((&rest["slug"], &rest["domain"]), (&json!(slug), &json!(host)));
    rest["state"].as_str().unwrap().to_owned()
}

async fn create(http: &Http, token: &str, host: &str, slug: &str) -> (u16, Json) {
    let body = json!({ "destinationUrl": "https://example.com/", "slug": slug, "domain": host });
    let answer = http.post("/links", token, body).await;
    (answer.status.as_u16(), answer.json())
}

/// The state, which is what a creation, made after it, meets.
async fn judged(http: &Http, token: &str, host: &str, slug: &str) -> String {
    let state = state(http, token, host, slug).await;
    let expected = match &*state {
        "FREE" => 201,
        "TAKEN" => 409,
        "RESERVED" => 400,
        _ => panic!("{state}"),
    };
    let (status, body) = create(http, token, host, slug).await;
    assert_eq!(status, expected, "{host}/{slug}: {state}, but {body}");
    state
}

#[on_each_database]
async fn a_slug_is_free_if_a_link_gets_it(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let other = server.register("eve").await;
    let [own, domain, subdomain] = hosts(&server, &token, &dns).await;
    for host in [&own, &domain, &subdomain] {
        assert_eq!(judged(&server, &token, host, "spring").await, "FREE", "{host}");
        assert_eq!(judged(&server, &token, host, "spring").await, "TAKEN", "{host}");
        assert_eq!(judged(&server, &token, host, "SPRING").await, "FREE", "{host}");
        let reserved = judged(&server, &token, host, "Links").await;
        assert_eq!(reserved, if *host == own { "RESERVED" } else { "FREE" }, "{host}");
        // A blocked link leaves its address to nobody, even when it is deleted.
        let (_, link) = create(&server, &token, host, "blocked").await;
        operate(&database, &["links", "block", &format!("{host}/blocked"), "--reason", "test"]).await;
        eventually("it is blocked", async || (server.at_host(host, "/blocked").await.status == 410).then_some(()))
            .await;
        server.call("DELETE", &format!("/links/{}", id(&link)), &token, Json::Null).await.expect(204);
        assert_eq!(judged(&server, &token, host, "blocked").await, "TAKEN", "{host}");
    }
    // The links of others are as taken as one's own, and what they leave is taken for a while.
    assert_eq!(judged(&server, &other, &own, "spring").await, "TAKEN");
    assert_eq!(judged(&server, &other, &own, "printed").await, "FREE");
    assert_eq!(judged(&server, &token, &own, "printed").await, "TAKEN");
    server.leave(&other).await.expect(204);
    assert_eq!(judged(&server, &token, &own, "printed").await, "TAKEN");
    server.clock.advance(91 * DAY);
    let token = server.login("ada").await;
    assert_eq!(judged(&server, &token, &own, "printed").await, "FREE");
}

#[on_each_database]
async fn a_link_may_keep_its_slug_and_change_its_case(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let other = server.register("eve").await;
    let [own, _, subdomain] = hosts(&server, &token, &dns).await;
    set(&server, &token, &subdomain, false, json!({ "ignoresCase": true })).await;
    for (slug, expected) in [("Autumn", "FREE"), ("aUTUMN", "TAKEN"), ("WINTER", "FREE"), ("winter", "TAKEN")] {
        assert_eq!(judged(&server, &token, &subdomain, slug).await, expected, "{slug}");
    }
    for (host, changed, of_others) in [(&own, "FREE", "FREE"), (&subdomain, "FREE", "TAKEN")] {
        let (_, link) = create(&server, &token, host, "Spring").await;
        let of = async |slug: &str, own: &str| {
            let path = format!("/links/availability?slug={slug}&domain={host}{own}");
            server.get(&path, &token).await.expect(200).json()["state"].as_str().unwrap().to_owned()
        };
        let this = format!("&linkId={}", id(&link));
        assert_eq!(of("Spring", "").await, "TAKEN", "{host}");
        assert_eq!(of("Spring", &this).await, "FREE", "{host}");
        assert_eq!(of("sPRING", &this).await, changed, "{host}");
        assert_eq!(of("sPRING", "").await, of_others, "{host}");
        // A link of somebody else frees nothing.
        let path = format!("/links/availability?slug=Spring&domain={own}{this}");
        server.get(&path, &other).await.expect(404);
    }
}

#[on_each_database]
async fn what_is_no_slug_or_no_domain_is_said(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    for (query, status, code, field) in [
        ("slug=a%20b", 400, "VALIDATION_ERROR", "slug"),
        ("slug=", 400, "VALIDATION_ERROR", "slug"),
        ("domain=sho.rt", 400, "VALIDATION_ERROR", "slug"),
        ("slug=spring&domain=other.example.com", 404, "NOT_FOUND", "domain"),
        ("slug=spring&domain=..", 404, "NOT_FOUND", "domain"),
    ] {
        let answer = server.get(&format!("/links/availability?{query}"), &token).await.expect(status);
        assert_eq!(answer.code(), code, "{query}");
        assert!(answer.text.contains(&format!("\"{field}\"")), "{query}: {answer:?}");
    }
    let free = server.get("/links/availability?slug=spring", &token).await.expect(200).json();
    assert_eq!(free, json!({ "slug": "spring", "domain": "sho.rt", "state": "FREE" }));
}
