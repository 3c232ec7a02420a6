//! Limits of plans, the usage of them, and the resources of an account that changes to a smaller plan.

use futures_util::future::join_all;
use linkgraph::base::clock::{HOUR, parse_rfc3339, rfc3339};
use sea_orm::{ConnectionTrait, TransactionTrait};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, Http, TestDatabase, TestServer, eventually,
        limits::{LIMITED, granted, is_the_quota},
        noon,
        receiver::{Receiver, id},
        stored::LOCK_WAITS,
        stripe::Stripe,
    },
};

/// Makes it so in the database: what can't be made quickly, or at all, by the API.
async fn set(database: &TestDatabase, sql: &str) {
    let connection = database.connect().await;
    connection.execute_unprepared(sql).await.unwrap();
    connection.close().await.unwrap();
}

fn links(number: usize) -> Json {
    json!({ "destinationUrl": format!("https://example.com/{number}") })
}

#[track_caller]
fn is_over(answer: &Answer, limit: i64, used: i64, resource: &str) {
    assert_eq!((answer.status.as_u16(), answer.code().as_str()), (403, "PLAN_LIMIT_REACHED"), "{answer:?}");
    let details = json!({ "limit": limit, "used": used, "resource": resource });
    assert_eq!(answer.json()["error"]["details"], details);
}

async fn usage(http: &Http, token: &str) -> Json {
    http.get("/billing/usage", token).await.expect(200).json()
}

/// Cancels the only customer's subscription at the provider, which tells the service.
async fn cancel(stripe: &Stripe, server: &TestServer) {
    let customer = stripe.only_customer();
    let subscription = stripe.truth().customers[&customer].live().unwrap().id.clone();
    let events = stripe.truth().cancel(&customer, &subscription, stripe.now());
    stripe.send(server, events).await;
}

/// 32 requests for the last free place: one gets it, whatever it is a place of.
#[on_each_database]
async fn the_last_free_place_is_taken_once(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let other_key = async |name: &str, scopes: Json| {
        server.post("/api-keys", &token, json!({ "name": name, "scopes": scopes })).await
    };
    for number in 0..4 {
        other_key(&number.to_string(), json!([])).await.expect(201);
    }
    let hook = json!({ "name": "x", "url": "https://example.com/hook", "events": ["link.created"] });
    server.post("/webhooks", &token, hook.clone()).await.expect(201);
    for (resource, path, limit) in [
        ("links", "/links", 1_000),
        ("domains", "/domains", 1),
        ("webhooks", "/webhooks", 2),
        ("apiKeys", "/api-keys", 5),
    ] {
        set(&database, "UPDATE accounts SET link_count = 999").await;
        let body = |number: usize| match resource {
            "links" => links(number),
            "domains" => json!({ "domain": format!("d{number}.example") }),
            "webhooks" => hook.clone(),
            _ => json!({ "name": "x", "scopes": [] }),
        };
        let answers = join_all((0..32).map(|number| server.post(path, &token, body(number)))).await;
        let (made, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 201);
        assert_eq!(made.len(), 1, "{resource}");
        refused.iter().for_each(|answer| is_over(answer, limit, limit, resource));
    }
    // Bulks, for the last place but one.
    set(&database, "UPDATE accounts SET link_count = 998").await;
    let bulks = (0..32)
        .map(|number| server.post("/links/bulk", &token, json!({ "links": [links(number), {}, links(number + 100)] })));
    let results: Vec<_> = join_all(bulks)
        .await
        .into_iter()
        .flat_map(|answer| answer.expect(200).json()["results"].as_array().unwrap().clone())
        .collect();
    assert_eq!(results.iter().filter(|result| !result["link"].is_null()).count(), 2);
    let code = |wanted: &str| results.iter().filter(|result| result["error"]["code"] == wanted).count();
    assert_eq!((code("PLAN_LIMIT_REACHED"), code("VALIDATION_ERROR")), (62, 32));
    assert_eq!(database.links().await, 3);
    assert_eq!(database.number("SELECT link_count FROM accounts").await, 1_000);
}

/// An account keeps its resources, and they work; it gets no new ones until it is below the plan's limits.
#[on_each_database]
async fn a_smaller_plan_deletes_nothing(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let events = stripe.buy(&server, &token, "pro", "month").await;
    stripe.send(&server, events).await;
    let receiver = Receiver::start().await;
    let link = server.link(&token, "kept").await;
    for number in 0..3 {
        server.post("/domains", &token, json!({ "domain": format!("d{number}.example") })).await.expect(201);
        server.webhook(&token, &receiver.url(&format!("/{number}")), &["link.updated"]).await;
    }
    let mut keys = Vec::new();
    for _ in 0..6 {
        keys.push(server.api_key(&token, &["links:read", "links:write"]).await);
    }
    set(&database, "UPDATE accounts SET link_count = 20000").await;
    cancel(&stripe, &server).await;

    for (path, body, limit, used, resource) in [
        ("/links", links(1), 1_000, 20_000, "links"),
        ("/domains", json!({ "domain": "more.example" }), 1, 3, "domains"),
        (
            "/webhooks",
            json!({ "name": "x", "url": "https://example.com", "events": ["link.created"] }),
            2,
            3,
            "webhooks",
        ),
        ("/api-keys", json!({ "name": "x", "scopes": [] }), 5, 6, "apiKeys"),
    ] {
        is_over(&server.post(path, &token, body).await, limit, used, resource);
    }
    let shown = usage(&server, &token).await;
    assert_eq!(shown["domains"], json!({ "used": 3, "limit": 1 }));
    server.follow("kept").await.expect(302);
    for key in &keys {
        server.get("/api/v1/links", key).await.expect(200);
    }
    let path = format!("/api/v1/links/{}", id(&link));
    server.call("PATCH", &path, &keys[5], json!({ "isActive": false })).await.expect(200);
    for number in 0..3 {
        receiver.wait(&format!("/{number}"), 1).await;
    }
    assert_eq!(server.get("/domains", &token).await.expect(200).json()["total"], 3);
    let domain = server.get("/domains", &token).await.json()["data"][0].clone();
    server.call("DELETE", &format!("/domains/{}", id(&domain)), &token, Json::Null).await.expect(204);
    is_over(&server.post("/domains", &token, json!({ "domain": "more.example" })).await, 1, 2, "domains");
}

#[on_each_database]
async fn the_rate_of_calls_follows_the_plan(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[LIMITED]).await;
    let token = server.register("alice").await;
    let key = server.api_key(&token, &["links:read"]).await;
    let since = server.clock.now();
    let free = granted(&server, &key, 60).await;
    is_the_quota(free, 60, &server, since);
    let events = stripe.buy(&server, &token, "pro", "month").await;
    let bought = server.clock.now();
    stripe.send(&server, events).await;
    is_the_quota(granted(&server, &key, 600).await, 600, &server, bought);
    cancel(&stripe, &server).await;
    // The free plan's requests go on from where they were.
    is_the_quota(free + granted(&server, &key, 60).await, 60, &server, since);
}

#[on_each_database]
async fn usage_counts_what_there_is_and_what_happened(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    stripe.advance(&server, noon().now() - server.clock.now());
    let token = server.register("alice").await;
    let bob = server.register("bob").await;
    let (key, revoked) = (
        server.api_key(&token, &["links:read"]).await,
        server.post("/api-keys", &token, json!({ "name": "x", "scopes": [] })).await,
    );
    let path = format!("/api-keys/{}", id(&revoked.json()["apiKey"]));
    server.call("DELETE", &path, &token, Json::Null).await.expect(204);
    server.post("/domains", &token, json!({ "domain": "d.example" })).await.expect(201);
    server.webhook(&token, "https://example.com/hook", &["link.created"]).await;
    let gone = server.link(&token, "gone").await;
    server.link(&token, "there").await;
    server.link(&bob, "bobs").await;
    for slug in ["gone", "gone", "there", "bobs"] {
        server.follow(slug).await.expect(302);
    }
    eventually("the clicks are counted", async || (usage(&server, &token).await["clicks"]["used"] == 3).then_some(()))
        .await;
    server.call("DELETE", &format!("/links/{}", id(&gone)), &token, Json::Null).await.expect(204);
    for _ in 0..3 {
        server.get("/api/v1/links", &key).await.expect(200);
    }
    server.graphql(&key, "{ a: links { total } b: links { total } }", json!({})).await;
    server.get("/me", &token).await.expect(200);
    let shown = usage(&server, &token).await;
    let period = |shown: &Json| {
        [&shown["periodStart"], &shown["periodEnd"]].map(|time| parse_rfc3339(time.as_str().unwrap()).unwrap())
    };
    let [start, end] = period(&shown);
    assert!(rfc3339(start).ends_with("-01T00:00:00.000Z") && rfc3339(end).ends_with("-01T00:00:00.000Z"), "{shown}");
    assert!(
        (start..end).contains(&server.clock.now()) && (28..=31).contains(&((end - start) / (24 * HOUR))),
        "{shown}"
    );
    assert_eq!(
        shown,
        json!({
            "periodStart": rfc3339(start), "periodEnd": rfc3339(end),
            "links": { "used": 1, "limit": 1_000 }, "clicks": { "used": 3, "limit": null },
            "domains": { "used": 1, "limit": 1 }, "webhooks": { "used": 1, "limit": 2 },
            "apiKeys": { "used": 1, "limit": 5 }, "apiCalls": { "used": 5, "limit": null },
        })
    );
    assert_eq!(usage(&server, &bob).await["clicks"]["used"], 1);
    // The usage of a paid plan counts by the period that is paid for.
    let events = stripe.buy(&server, &token, "pro", "year").await;
    stripe.send(&server, events).await;
    let paid = usage(&server, &token).await;
    let customer = stripe.only_customer();
    let subscription = stripe.truth().customers[&customer].subscriptions[0].clone();
    assert_eq!(period(&paid), [subscription.start * 1_000, subscription.end * 1_000]);
    assert_eq!((&paid["links"]["limit"], &paid["clicks"]["used"]), (&json!(50_000), &json!(3)));
}

#[on_each_database]
async fn without_limits_there_are_none(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "unlimited")]).await;
    let token = server.register("alice").await;
    let shown = usage(&server, &token).await;
    for name in ["links", "clicks", "domains", "webhooks", "apiKeys", "apiCalls"] {
        assert_eq!(shown[name], json!({ "used": 0, "limit": null }), "{name}");
    }
    let plans = server.get("/billing/plans", &token).await.expect(200).json();
    let last = plans["plans"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (&last["id"], &last["limits"]["links"], &last["monthlyPrice"]),
        (&json!("unlimited"), &Json::Null, &Json::Null)
    );
}

/// An account goes while its clicks are ingested, which locks links first and usage then: both get through.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_goes_while_its_clicks_come_in() {
    let database = TestDatabase::postgres().await;
    let server = database.start().await;
    let token = server.register("alice").await;
    server.link(&token, "one").await;
    let usage = "INSERT INTO daily_usage (account_id, day, clicks, api_calls) SELECT id, 1, 1, 0 FROM accounts \
                 ON CONFLICT (account_id, day) DO UPDATE SET clicks = daily_usage.clicks + 1";
    set(&database, usage).await;
    let connection = database.connect().await;
    let ingest = connection.begin().await.unwrap();
    ingest.execute_unprepared("UPDATE links SET click_count = click_count + 1").await.unwrap();
    let goes = tokio::spawn({
        let (http, token) = (server.http.clone(), token.clone());
        async move { http.leave(&token).await }
    });
    database.waits_for_locks(1).await;
    ingest.execute_unprepared(usage).await.unwrap();
    ingest.commit().await.unwrap();
    goes.await.unwrap().expect(204);
    assert_eq!(database.number("SELECT count(*) FROM daily_usage").await, 0);
    connection.close().await.unwrap();
    server.stop().await;
}

/// A request for the usage of one account stores the calls of all accounts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_goes_away_loses_no_calls() {
    let database = TestDatabase::postgres().await;
    let server = database.start_at(&[], noon()).await;
    let token = server.register("alice").await;
    let key = server.api_key(&token, &["links:read"]).await;
    let connection = database.connect().await;
    let other = connection.begin().await.unwrap();
    other.execute_unprepared("LOCK TABLE daily_usage IN EXCLUSIVE MODE").await.unwrap();
    for _ in 0..3 {
        server.get("/api/v1/links", &key).await.expect(200);
    }
    let client = tokio::spawn({
        let (http, token) = (server.http.clone(), token.clone());
        async move { http.get("/billing/usage", &token).await }
    });
    // Its calls are being stored.
    database.waits_for_locks(1).await;
    client.abort();
    database.becomes("its statement has ended", LOCK_WAITS, 0).await;
    other.rollback().await.unwrap();
    connection.close().await.unwrap();
    assert_eq!(usage(&server, &token).await["apiCalls"]["used"], 3);
    server.stop().await;
}
