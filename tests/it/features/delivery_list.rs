//! The list of deliveries: filtered, paged, nested without a statement for each, and kept for 30 days.

use futures_util::future::join_all;
use linkgraph::base::clock::{Clock, DAY, HOUR, MINUTE};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        TestDatabase, TestServer, eventually,
        receiver::{Behaviour, Receiver, id},
    },
};

const SETTINGS: [(&str, &str); 2] =
    [("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true"), ("LINKGRAPH_DEFAULT_PLAN", "unlimited")];

async fn statements(server: &TestServer) -> f64 {
    server.metric("linkgraph_http_request_sql_statements_sum{route=\"/graphql\"}").await.unwrap_or_default()
}

async fn links(server: &TestServer, token: &str, slugs: impl Iterator<Item = String>) {
    let links: Vec<Json> =
        slugs.map(|slug| json!({ "destinationUrl": "https://example.com/", "slug": slug })).collect();
    server.post("/links/bulk", token, json!({ "links": links })).await.expect(200);
}

#[on_each_database]
async fn deliveries_are_filtered_and_paged_newest_first(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    let webhook = server.webhook(&token, &receiver.url("/"), &["link.created", "link.deleted"]).await;
    let path = format!("/webhooks/{}/deliveries", id(&webhook));
    let empty = json!({ "deliveries": [], "total": 0, "page": 1, "pageSize": 20, "totalPages": 0 });
    assert_eq!(server.get(&path, &token).await.expect(200).json(), empty);
    let mut deleted = Vec::new();
    for number in 0..3 {
        deleted.push(server.link(&token, &format!("d{number}")).await);
    }
    for link in &deleted {
        server.call("DELETE", &format!("/links/{}", id(link)), &token, Json::Null).await.expect(204);
    }
    receiver.wait("/", 6).await;
    // Not tried again while the test runs.
    receiver.set("/", Behaviour::RetryAfter(503, "600".to_owned()));
    links(&server, &token, (0..4).map(|n| format!("f{n}"))).await;
    let count =
        async |query: &str| server.get(&format!("{path}?{query}"), &token).await.expect(200).json()["total"].clone();
    eventually("all are tried", async || {
        (count("status=SUCCEEDED").await == 6 && count("status=RETRYING").await == 4).then_some(())
    })
    .await;
    let all = server.get(&path, &token).await.json();
    assert_eq!((&all["total"], &all["totalPages"]), (&json!(10), &json!(1)));
    let times: Vec<&str> =
        all["deliveries"].as_array().unwrap().iter().map(|it| it["createdAt"].as_str().unwrap()).collect();
    assert!(times.is_sorted_by(|one, next| one >= next), "{times:?}");
    let mut paged = Vec::new();
    for page in 1..=5 {
        let page = server.get(&format!("{path}?pageSize=3&page={page}"), &token).await.expect(200).json();
        assert_eq!((&page["total"], &page["totalPages"]), (&json!(10), &json!(4)));
        paged.extend(page["deliveries"].as_array().unwrap().clone());
    }
    assert_eq!(&Json::Array(paged), &all["deliveries"]);
    for (query, total) in [
        ("event=link.created", 7),
        ("event=link.deleted", 3),
        ("event=link.updated", 0),
        ("status=PENDING", 0),
        ("status=FAILED", 0),
        ("status=RETRYING&event=link.created", 4),
        ("status=RETRYING&event=link.deleted", 0),
        ("status=SUCCEEDED&event=link.deleted&pageSize=1", 3),
    ] {
        let page = server.get(&format!("{path}?{query}"), &token).await.expect(200).json();
        assert_eq!(page["total"], total, "{query}");
        for delivery in page["deliveries"].as_array().unwrap() {
            for (name, value) in
                query.split('&').filter_map(|part| part.split_once('=')).filter(|(name, _)| *name != "pageSize")
            {
                assert_eq!(delivery[name], value, "{query}");
            }
        }
    }
    // The same, nested, with several filters in one request.
    let query = "query($id: ID!) { webhook(id: $id) { \
            failed: deliveries(status: RETRYING, pageSize: 2) { total deliveries { status attempts { statusCode } } } \
            deleted: deliveries(event: \"link.deleted\") { total deliveries { event webhook { id } } } \
            none: deliveries(status: FAILED) { total deliveries { id } } } }";
    let answer = server.graphql(&token, query, json!({ "id": id(&webhook) })).await["data"]["webhook"].clone();
    let one = json!({ "status": "RETRYING", "attempts": [{ "statusCode": 503 }] });
    assert_eq!(answer["failed"], json!({ "total": 4, "deliveries": [one, one] }));
    let one = json!({ "event": "link.deleted", "webhook": { "id": id(&webhook) } });
    assert_eq!(answer["deleted"], json!({ "total": 3, "deliveries": [one, one, one] }));
    assert_eq!(answer["none"], json!({ "total": 0, "deliveries": [] }));
}

#[on_each_database]
async fn nested_deliveries_cost_few_statements_whatever_their_number(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    // Not tried again while statements are counted.
    receiver.set("/failing", Behaviour::RetryAfter(503, "600".to_owned()));
    for number in 0..20 {
        let path = if number % 2 == 0 { "/failing" } else { "/healthy" };
        server.webhook(&token, &receiver.url(path), &["link.created", "link.updated"]).await;
    }
    links(&server, &token, (0..5).map(|n| format!("s{n}"))).await;
    eventually("all are tried", async || {
        let sql = "SELECT count(*) FROM deliveries WHERE status <> 'PENDING'";
        (database.number(sql).await == 100).then_some(())
    })
    .await;
    let query = "query($size: Int!) { webhooks(pageSize: $size) { total data { id \
            deliveries(pageSize: 5) { total totalPages deliveries { id messageId event status attempts { attemptedAt statusCode } \
            payload { ... on LinkCreatedEventPayload { data { id } } } webhook { id name } } } \
            failed: deliveries(status: FAILED) { total } } } }";
    let mut costs = Vec::new();
    for size in [2, 20] {
        let before = statements(&server).await;
        let answer = server.graphql(&token, query, json!({ "size": size })).await;
        let webhooks = answer["data"]["webhooks"]["data"].as_array().unwrap_or_else(|| panic!("{answer}"));
        assert_eq!(webhooks.len(), size);
        for webhook in webhooks {
            assert_eq!((&webhook["deliveries"]["total"], &webhook["failed"]["total"]), (&json!(5), &json!(0)));
            for delivery in webhook["deliveries"]["deliveries"].as_array().unwrap() {
                assert_eq!(delivery["webhook"]["id"], webhook["id"]);
                assert!(
                    !delivery["attempts"].as_array().unwrap().is_empty()
                        && !delivery["payload"]["data"]["id"].is_null()
                );
            }
        }
        costs.push(statements(&server).await - before);
    }
    assert!(costs[0] == costs[1] && (1.0..=12.0).contains(&costs[1]), "{costs:?}");
}

/// A caller that may only manage webhooks can cause deliveries, but not read their payloads.
#[on_each_database]
async fn payloads_are_for_readers(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    let manager = server.api_key(&token, &["webhooks:manage"]).await;
    let receiver = Receiver::start().await;
    let webhook = server.webhook(&token, &receiver.url("/"), &["link.created"]).await;
    server.link(&token, "secret").await;
    let delivery = server.delivery_that(&token, &webhook, "it succeeds", |it| it["status"] == "SUCCEEDED").await;
    let again = format!("/api/v1/webhooks/{}/deliveries/{}/redeliver", id(&webhook), id(&delivery));
    server.post(&again, &manager, Json::Null).await.expect(200);
    for (field, allowed) in [
        ("id", true),
        ("status attemptCount", false),
        ("attempts { statusCode }", false),
        ("payload { __typename }", false),
        ("webhook { deliveries { total } }", false),
    ] {
        let query = format!("mutation($w: ID!, $d: ID!) {{ redeliver(webhookId: $w, deliveryId: $d) {{ {field} }} }}");
        let answer = server.graphql(&manager, &query, json!({ "w": id(&webhook), "d": id(&delivery) })).await;
        match allowed {
            true => assert!(answer["errors"].is_null(), "{answer}"),
            false => {
                let extensions = &answer["errors"][0]["extensions"];
                assert_eq!(extensions["code"], "FORBIDDEN", "{field}: {answer}");
                assert_eq!(extensions["details"], json!({ "scope": "webhooks:read" }), "{field}: {answer}");
            }
        }
    }
}

#[on_each_database]
async fn events_and_deliveries_are_kept_for_30_days(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    let key = server.api_key(&token, &["links:read", "links:write", "webhooks:read", "webhooks:manage"]).await;
    let receiver = Receiver::start().await;
    receiver.set("/", Behaviour::Status(500));
    let webhook = server.webhook(&key, &receiver.url("/"), &["link.created"]).await;
    // More than one batch of each.
    for part in 0..7 {
        let links: Vec<Json> = (0..100)
            .map(|n| json!({ "destinationUrl": "https://example.com/", "slug": format!("s{part}-{n}") }))
            .collect();
        server.post("/api/v1/links/bulk", &key, json!({ "links": links })).await.expect(200);
    }
    eventually("all are fanned out", async || (database.deliveries().await == 700).then_some(())).await;
    receiver.wait("/", 10).await;
    server
        .call("PATCH", &format!("/api/v1/webhooks/{}", id(&webhook)), &key, json!({ "isActive": false }))
        .await
        .expect(200);
    database.settled().await;
    server.stop().await;

    let clock = Clock::default();
    clock.advance(30 * DAY - HOUR);
    let server = database.start_at(&SETTINGS, clock).await;
    server
        .call("PATCH", &format!("/api/v1/webhooks/{}", id(&webhook)), &key, json!({ "isActive": true }))
        .await
        .expect(200);
    receiver.set("/", Behaviour::Status(200));
    receiver.wait("/", 100).await;
    server
        .call("PATCH", &format!("/api/v1/webhooks/{}", id(&webhook)), &key, json!({ "isActive": false }))
        .await
        .expect(200);
    database.settled().await;
    assert_eq!(database.deliveries().await, 700, "29 days are not 30");
    server.link(&key, "young").await;
    server.stop().await;

    let clock = Clock::default();
    clock.advance(30 * DAY + MINUTE);
    let server = database.start_at(&SETTINGS, clock).await;
    eventually("the old ones are gone", async || {
        let left = "SELECT (SELECT count(*) FROM deliveries) + (SELECT count(*) FROM delivery_attempts)";
        (database.number(left).await == 0 && database.all_events().await == 1).then_some(())
    })
    .await;
    assert_eq!(server.deliveries(&key, &webhook, "").await.len(), 0);
}

/// Each delivery of the list is deleted by somebody else meanwhile; nothing breaks.
#[on_each_database]
async fn reading_and_deleting_at_once_is_answered(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    let mut webhooks = Vec::new();
    for _ in 0..6 {
        webhooks.push(server.webhook(&token, &receiver.url("/"), &["link.created"]).await);
    }
    links(&server, &token, (0..50).map(|n| format!("s{n}"))).await;
    receiver.wait("/", 200).await;
    let query = "{ webhooks(pageSize: 6) { data { deliveries(pageSize: 50) { deliveries { attempts { statusCode } payload { __typename } webhook { id } } } } } }";
    let reading = async {
        for _ in 0..20 {
            let answer = server.graphql(&token, query, json!({})).await;
            for error in answer["errors"].as_array().into_iter().flatten() {
                assert_eq!(error["extensions"]["code"], "NOT_FOUND", "{error}");
            }
        }
    };
    let deleting = async {
        for webhook in &webhooks {
            server.call("DELETE", &format!("/webhooks/{}", id(webhook)), &token, Json::Null).await.expect(204);
        }
    };
    join_all([Box::pin(reading) as std::pin::Pin<Box<dyn Future<Output = ()>>>, Box::pin(deleting)]).await;
    eventually("nothing is left", async || (database.deliveries().await == 0).then_some(())).await;
}
