//! Subdomains: claimed by one, activated, released, and free again after their time.

use linkgraph::base::clock::{DAY, HOUR, MINUTE};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, Http, TestDatabase, TestServer,
        limits::{LIMITED, exhaust},
    },
};

const FIELDS: [&str; 8] = ["id", "subdomain", "host", "status", "claimedAt", "updatedAt", "activatedAt", "settings"];

async fn claim(http: &Http, token: &str, label: &str) -> Answer {
    http.post("/subdomain", token, json!({ "subdomain": label })).await
}

/// Claims the label and serves links on it for so long.
async fn serve(server: &TestServer, token: &str, label: &str, time: i64) {
    claim(server, token, label).await.expect(201);
    server.post("/subdomain/activate", token, Json::Null).await.expect(200);
    server.clock.advance(time);
}

async fn release(http: &Http, token: &str) {
    http.call("DELETE", "/subdomain", token, Json::Null).await.expect(204);
}

fn path(answer: &Answer) -> Json {
    answer.json()["error"]["details"]["path"].clone()
}

async fn at_once(claims: Vec<(Http, String, String)>) -> Vec<u16> {
    let claims: Vec<_> = claims
        .into_iter()
        .map(|(http, token, label)| tokio::spawn(async move { claim(&http, &token, &label).await }))
        .collect();
    let mut statuses = Vec::new();
    for claim in claims {
        let answer = claim.await.unwrap();
        assert!(answer.status != 409 || path(&answer) == "subdomain", "{answer:?}");
        statuses.push(answer.status.as_u16());
    }
    statuses.sort_unstable();
    statuses
}

#[on_each_database]
async fn a_subdomain_is_claimed_activated_and_released_through_both_doors(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let key = server.api_key(&token, &["subdomain:read", "subdomain:manage", "links:write"]).await;
    for (prefix, credential, label) in [("", &token, "Ada"), ("/api/v1", &key, "ada-2")] {
        let at = |path: &str| format!("{prefix}{path}");
        for (method, path) in [("GET", "/subdomain"), ("POST", "/subdomain/activate"), ("DELETE", "/subdomain")] {
            assert_eq!(server.call(method, &at(path), credential, Json::Null).await.expect(404).code(), "NOT_FOUND");
        }
        let answer = server.post(&at("/subdomain"), credential, json!({ "subdomain": label })).await.expect(201);
        assert_eq!(answer.header("location"), at("/subdomain"));
        let claimed = answer.json();
        assert_eq!(claimed.as_object().unwrap().keys().collect::<Vec<_>>(), FIELDS);
        let host = format!("{}.sho.rt", label.to_lowercase());
        assert_eq!(
            (&claimed["status"], &claimed["activatedAt"], &claimed["host"]),
            (&json!("CLAIMED"), &Json::Null, &json!(host))
        );
        assert_eq!(server.get(&at("/subdomain"), credential).await.expect(200).json(), claimed);
        let link = json!({ "destinationUrl": "https://example.com/", "slug": "a", "domain": host });
        server.post(&at("/links"), credential, link.clone()).await.expect(404);
        server.at_host(&host, "/a").await.expect(404);

        let active = server.post(&at("/subdomain/activate"), credential, Json::Null).await.expect(200).json();
        assert!(active["status"] == "ACTIVE" && active["activatedAt"].is_string(), "{active}");
        server.clock.advance(5);
        let again = server.post(&at("/subdomain/activate"), credential, Json::Null).await.expect(200).json();
        assert_eq!(again, active);
        let link = server.post(&at("/links"), credential, link).await.expect(201).json();
        assert_eq!((&link["domain"], &link["shortUrl"]), (&json!(host), &json!(format!("http://{host}/a"))));
        server.at_host(&host, "/a").await.expect(302);
        server.call("DELETE", &at("/subdomain"), credential, Json::Null).await.expect(204);
        server.at_host(&host, "/a").await.expect(404);
    }
    for kind in ["claimed", "activated", "released"] {
        assert_eq!(database.events(&format!("subdomain.{kind}")).await, 2, "{kind}");
    }
    // As GraphQL has it, and as HTTP has it at an address of its own.
    let none = server.graphql(&token, "{ subdomain { id } subscription { id } }", json!({})).await;
    assert_eq!(none, json!({ "data": { "subdomain": null, "subscription": null } }));
    for (path, credential) in [("/subdomain", &token), ("/api/v1/subdomain", &key)] {
        assert_eq!(server.get(path, credential).await.expect(404).code(), "NOT_FOUND", "{path}");
    }
    assert_eq!(server.get("/billing/subscription", &token).await.expect(200).json(), Json::Null);
    let document = server.get("/openapi.json", "").await.expect(200).json();
    let answers = |path: &str| document["paths"][path]["get"]["responses"].clone();
    let schema = |path: &str| answers(path)["200"]["content"]["application/json"]["schema"].clone();
    assert_eq!(schema("/subdomain"), json!({ "$ref": "#/components/schemas/SubdomainClaim" }));
    assert_eq!(
        (answers("/subdomain")["404"].is_null(), answers("/billing/subscription")["404"].is_null()),
        (false, true)
    );
    assert_eq!(schema("/billing/subscription")["anyOf"][1], json!({ "type": "null" }));
}

#[on_each_database]
async fn a_label_that_is_none_or_is_reserved_is_refused(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    for label in [
        "",
        "ab",
        "-ab",
        "ab-",
        "a--b",
        "a_b",
        "a.b",
        "a b",
        "é-a",
        "www",
        "WWW",
        "Admin",
        "mail",
        "mta-sts",
        "MTA-STS",
        "ns1",
        &"a".repeat(64),
    ] {
        assert_eq!(claim(&server, &token, label).await.expect(400).violations(), ["subdomain"], "{label}");
    }
    claim(&server, &token, &"a".repeat(63)).await.expect(201);
}

#[on_each_database]
async fn a_label_that_served_links_is_anybodys_again_thirty_days_after_its_release(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    serve(&server, &alice, "shared", HOUR).await;
    assert_eq!(path(&claim(&server, &bob, "Shared").await.expect(409)), "subdomain");
    assert_eq!(path(&claim(&server, &alice, "second").await.expect(409)), "subdomain");
    release(&server, &alice).await;
    for token in [&alice, &bob] {
        claim(&server, token, "shared").await.expect(409);
    }
    server.clock.advance(30 * DAY - MINUTE);
    let bob = server.login("bob").await;
    claim(&server, &bob, "shared").await.expect(409);
    server.clock.advance(MINUTE);
    claim(&server, &bob, "shared").await.expect(201);
    // An account that goes releases what it has, and no sooner is it free.
    let alice = server.login("alice").await;
    serve(&server, &alice, "second", 2 * HOUR).await;
    server.leave(&alice).await.expect(204);
    assert_eq!(database.number("SELECT count(*) FROM hosts").await, 0);
    release(&server, &bob).await;
    claim(&server, &bob, "second").await.expect(409);
    server.clock.advance(30 * DAY);
    claim(&server, &server.login("bob").await, "second").await.expect(201);
}

/// Nobody can close labels to others by claiming and releasing them, one after the other.
#[on_each_database]
async fn a_label_that_served_links_for_less_than_an_hour_is_free_at_once(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    claim(&server, &alice, "claimed").await.expect(201);
    release(&server, &alice).await;
    claim(&server, &bob, "claimed").await.expect(201);
    server.clock.advance(10 * HOUR);
    // Claimed for long, and active for a moment.
    server.post("/subdomain/activate", &bob, Json::Null).await.expect(200);
    server.clock.advance(HOUR - MINUTE);
    server.leave(&bob).await.expect(204);
    assert_eq!(database.number("SELECT count(*) FROM subdomains").await, 0);
    claim(&server, &alice, "claimed").await.expect(201);
}

#[on_each_database]
async fn an_account_claims_three_labels_a_day(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    claim(&server, &bob, "bobs").await.expect(201);
    for label in ["one", "two", "three"] {
        // A claim that fails does not count.
        claim(&server, &alice, "bobs").await.expect(409);
        claim(&server, &alice, "www").await.expect(400);
        claim(&server, &alice, label).await.expect(201);
        release(&server, &alice).await;
        server.clock.advance(HOUR);
    }
    let stored = "SELECT (SELECT count(*) FROM subdomains) * 1000 + (SELECT count(*) FROM outbox_events)";
    let before = database.number(stored).await;
    let answer = claim(&server, &alice, "four").await.expect(429);
    assert_eq!(answer.code(), "RATE_LIMITED");
    let seconds: i64 = answer.header("retry-after").parse().unwrap();
    // The first was three hours ago.
    assert!((20 * 3_600..=21 * 3_600).contains(&seconds), "{seconds}");
    let query = "mutation { claimSubdomain(input: { subdomain: \"four\" }) { id } }";
    let error = server.graphql(&alice, query, json!({})).await["errors"][0]["extensions"].clone();
    assert_eq!(error["code"], "RATE_LIMITED", "{error}");
    assert_eq!(database.number(stored).await, before, "a refusal changes nothing");
    let key = server.api_key(&alice, &["subdomain:manage"]).await;
    server.post("/api/v1/subdomain", &key, json!({ "subdomain": "four" })).await.expect(429);

    server.clock.advance((seconds - 60) * 1_000);
    let alice = server.login("alice").await;
    claim(&server, &alice, "four").await.expect(429);
    server.clock.advance(MINUTE);
    claim(&server, &alice, "four").await.expect(201);
    release(&server, &alice).await;
    claim(&server, &alice, "five").await.expect(429);
    assert_eq!(database.number("SELECT count(*) FROM subdomain_claims").await, 4, "three of hers, and his");
    server.leave(&alice).await.expect(204);
    assert_eq!(database.number("SELECT count(*) FROM subdomain_claims").await, 1);
}

#[on_each_database]
async fn of_32_accounts_that_claim_a_label_one_gets_it(database: TestDatabase) {
    let server = database.start().await;
    let mut claims = Vec::new();
    for n in 0..32 {
        claims.push((server.http.clone(), server.register(&format!("user{n}")).await, "wanted".to_owned()));
    }
    let winners = |statuses: Vec<u16>| (statuses[0], statuses[1..].iter().filter(|status| **status == 409).count());
    assert_eq!(winners(at_once(claims.clone()).await), (201, 31));
    // A label whose time is over is won as well by one alone.
    for (http, token, _) in &claims {
        http.call("DELETE", "/subdomain", token, Json::Null).await;
    }
    server.clock.advance(30 * DAY);
    for (n, (http, token, _)) in claims.iter_mut().enumerate() {
        *token = http.login(&format!("user{n}")).await;
    }
    assert_eq!(winners(at_once(claims).await), (201, 31));
    assert_eq!(database.number("SELECT count(*) FROM subdomains").await, 1);
}

#[on_each_database]
async fn one_account_gets_one_label_of_32(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let claims = (0..32).map(|n| (server.http.clone(), token.clone(), format!("label{n}"))).collect();
    let statuses = at_once(claims).await;
    assert_eq!((statuses[0], &statuses[1..]), (201, &[409; 31][..]));
    assert_eq!(database.number("SELECT count(*) FROM subdomains").await, 1);
}

#[on_each_database]
async fn a_user_has_sixty_operations_a_minute_over_all_of_them(database: TestDatabase) {
    let server = database.start_with(&[LIMITED]).await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let key = server.api_key(&alice, &["subdomain:read"]).await;
    let mut turn = 0;
    exhaust(60, 1_000, 404, async || {
        turn += 1;
        match turn % 4 {
            0 => server.post("/subdomain/activate", &alice, Json::Null).await,
            1 => server.call("DELETE", "/subdomain", &alice, Json::Null).await,
            2 => server.get("/subdomain", &alice).await,
            _ => {
                let answer = server.post("/graphql", &alice, json!({ "query": "{ subdomain { id } }" })).await;
                // As REST would have said it, which answers 404 where GraphQL answers null.
                let code = answer.json()["errors"][0]["extensions"]["code"].as_str().unwrap_or("NOT_FOUND").to_owned();
                let status = if code == "RATE_LIMITED" { 429 } else { 404 };
                let error = json!({ "success": false, "error": { "code": code } }).to_string();
                Answer { status: status.try_into().unwrap(), text: error, ..answer }
            }
        }
    })
    .await;
    // Others are not concerned, nor are other operations, keys, and those who are nobody.
    server.get("/subdomain", &bob).await.expect(404);
    server.get("/links", &alice).await.expect(200);
    server.get("/subdomain", &key).await.expect(404);
    for _ in 0..70 {
        server.get("/subdomain", "nonsense").await.expect(401);
    }
    server.get("/subdomain", "").await.expect(401);
}
