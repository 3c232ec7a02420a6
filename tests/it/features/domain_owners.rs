//! One name and several accounts: who gets it, and how it changes hands.

use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        TestDatabase,
        dns::TestDns,
        domains::{NAME, add, get, link, prove, start, verify},
        receiver::id,
    },
};

#[on_each_database]
async fn only_one_of_many_accounts_proves_a_name(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start(&database, &dns).await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let (hers, his) = (add(&server, &alice, NAME).await, add(&server, &bob, NAME).await);
    prove(&dns, NAME, &[&hers, &his]);
    let racing: Vec<_> = (0..16)
        .map(|n| {
            let (http, token) = (server.http.clone(), if n % 2 == 0 { alice.clone() } else { bob.clone() });
            let path = format!("/domains/{}/verify", id(if n % 2 == 0 { &hers } else { &his }));
            tokio::spawn(async move { http.post(&path, &token, Json::Null).await })
        })
        .collect();
    for (n, answer) in racing.into_iter().enumerate() {
        let answer = answer.await.unwrap();
        assert!(matches!(answer.status.as_u16(), 200 | 409), "{n}: {answer:?}");
    }
    let (hers, his) = (get(&server, &alice, &hers).await, get(&server, &bob, &his).await);
    let mut statuses = [hers["status"].as_str().unwrap(), his["status"].as_str().unwrap()];
    statuses.sort_unstable();
    assert_eq!(statuses, ["ACTIVE", "PENDING"]);
    let (winner, loser, lost) = if hers["status"] == "ACTIVE" { (&alice, &bob, &his) } else { (&bob, &alice, &hers) };
    let answer = server.post(&format!("/domains/{}/verify", id(lost)), loser, Json::Null).await.expect(409);
    assert_eq!(answer.json()["error"]["details"], json!({ "path": "domain" }));
    let seen = get(&server, loser, lost).await;
    assert_eq!(seen["dnsRecords"][0]["problem"], "Another account has proved this name.");
    link(&server, winner, NAME, "a").await;
    let body = json!({ "destinationUrl": "https://example.org/", "slug": "b", "domain": NAME });
    server.post("/links", loser, body).await.expect(404);
    assert_eq!(database.number("SELECT count(*) FROM hosts").await, 1);
    // A third one need not try.
    let carol = server.register("carol").await;
    let answer = server.post("/domains", &carol, json!({ "domain": NAME })).await.expect(409);
    assert_eq!((answer.code().as_str(), &answer.json()["error"]["details"]["path"]), ("CONFLICT", &json!("domain")));
}

/// When the former owner's token is gone from DNS, the name goes to the account that proves it, without the former owner's links.
#[on_each_database]
async fn a_name_changes_hands(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start(&database, &dns).await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let (hers, his) = (add(&server, &alice, NAME).await, add(&server, &bob, NAME).await);
    prove(&dns, NAME, &[&hers]);
    verify(&server, &alice, &hers).await;
    link(&server, &alice, NAME, "a").await;
    server.at_host(NAME, "/a").await.expect(302);
    assert_eq!(verify(&server, &bob, &his).await["status"], "PENDING");
    prove(&dns, NAME, &[&his]);
    assert_eq!(verify(&server, &bob, &his).await["status"], "ACTIVE");
    server.at_host(NAME, "/a").await.expect(404);
    let lost = get(&server, &alice, &hers).await;
    assert!(lost["status"] == "SUSPENDED" && lost["failingSince"].is_string(), "{lost}");
    assert_eq!(database.events("domain.failing").await, 1);
    let body = json!({ "destinationUrl": "https://example.net/a", "slug": "a", "domain": NAME });
    server.post("/links", &bob, body.clone()).await.expect(201);
    assert_eq!(server.at_host(NAME, "/a").await.expect(302).header("location"), "https://example.net/a");
    server.post("/links", &alice, body).await.expect(404);
    // And back.
    prove(&dns, NAME, &[&hers]);
    assert_eq!(verify(&server, &alice, &hers).await["status"], "ACTIVE");
    assert_eq!(server.at_host(NAME, "/a").await.expect(302).header("location"), "https://example.org/a");
    // An account that goes leaves the name to others.
    server.leave(&alice).await.expect(204);
    server.at_host(NAME, "/a").await.expect(404);
    prove(&dns, NAME, &[&his]);
    assert_eq!(verify(&server, &bob, &his).await["status"], "ACTIVE");
    server.at_host(NAME, "/a").await.expect(302);
}
