//! Subscriptions to what changes: clicks of the account, domains, and deliveries of a webhook.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use linkgraph::{
    across::account_clicks::counts::AccountClicks,
    features::{domains::changes::DomainChanges, webhooks::delivery_changes::DeliveryChanges},
};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        TestDatabase, TestServer, eventually,
        receiver::{Behaviour, Receiver, id},
        socket::Socket,
    },
};

const SETTINGS: [(&str, &str); 2] =
    [("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true"), ("LINKGRAPH_DEFAULT_PLAN", "unlimited")];
const CLICKS: &str = "subscription { accountClicks { at total links { linkId clicks } } }";
const DOMAIN: &str = "subscription($id: ID!) { domainChanged(domainId: $id) { id status checkedAt } }";
const DELIVERIES: &str = "subscription($id: ID!) { deliveryChanged(webhookId: $id) { id event status attemptCount \
    attempts { statusCode } payload { ... on LinkCreatedEventPayload { data { slug } } } webhook { id } } }";

/// Begins a subscription and waits until it is there.
async fn begin(server: &TestServer, socket: &mut Socket, name: &str, query: &str, of: &Json) {
    let live = &server.api().app.live;
    let listeners = || {
        let key = of["id"].as_str().unwrap().parse().unwrap();
        live.topics::<AccountClicks>().listeners(key)
            + live.topics::<DomainChanges>().listeners(key)
            + live.topics::<DeliveryChanges>().listeners(key)
    };
    let before = listeners();
    socket.begin(name, query, json!({ "id": of["id"] })).await;
    eventually("it listens", async || (listeners() > before).then_some(())).await;
}

fn told(message: &Json, field: &str) -> Json {
    assert_eq!(message["type"], "next", "{message}");
    let told = message["payload"]["data"][field].clone();
    assert!(!told.is_null(), "{message}");
    told
}

/// Hears counts until there are so many clicks; answers them by link.
async fn counts(socket: &mut Socket, total: i64) -> BTreeMap<String, i64> {
    let (mut sum, mut links) = (0, BTreeMap::new());
    while sum < total {
        let told = told(&socket.hear().await, "accountClicks");
        sum += told["total"].as_i64().unwrap();
        for link in told["links"].as_array().unwrap() {
            *links.entry(link["linkId"].as_str().unwrap().to_owned()).or_default() += link["clicks"].as_i64().unwrap();
        }
    }
    assert_eq!(sum, total, "a click is told twice");
    links
}

async fn account(server: &TestServer, token: &str) -> Json {
    server.graphql(token, "{ me { account { id } } }", json!({})).await["data"]["me"]["account"].clone()
}

#[on_each_database]
async fn clicks_of_an_account_are_counted_once_a_second(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let links = [server.link(&alice, "one").await, server.link(&alice, "two").await];
    server.link(&bob, "his").await;
    for slug in ["one", "one", "two"] {
        server.follow(slug).await.expect(302);
    }
    database.clicks_become(3).await;
    let key = server.api_key(&alice, &["analytics:read"]).await;
    let (mut by_user, mut by_key) = (server.socket(&alice).await, server.socket(&key).await);
    let whose = account(&server, &alice).await;
    begin(&server, &mut by_user, "1", CLICKS, &whose).await;
    begin(&server, &mut by_key, "1", CLICKS, &whose).await;
    for slug in ["one", "his", "two", "one", "one"] {
        server.follow(slug).await.expect(302);
    }
    let expected = BTreeMap::from([(id(&links[0]).to_owned(), 3), (id(&links[1]).to_owned(), 1)]);
    assert_eq!(counts(&mut by_user, 4).await, expected);
    assert_eq!(counts(&mut by_key, 4).await, expected);
    // One that follows without a pause is told of once a second.
    let (began, mut messages, mut sum, mut followed) = (Instant::now(), 0, 0, 0);
    while began.elapsed() < Duration::from_secs(4) || messages == 0 {
        server.follow("two").await.expect(302);
        followed += 1;
        if !by_key.is_silent(Duration::from_millis(1)).await {
            messages += 1;
        }
    }
    let took = began.elapsed();
    assert!(messages <= took.as_secs() + 1, "{messages} in {took:?}");
    while sum < followed {
        let told = told(&by_user.hear().await, "accountClicks");
        sum += told["total"].as_i64().unwrap();
        assert_eq!(told["links"], json!([{ "linkId": id(&links[1]), "clicks": told["total"] }]));
    }
    assert_eq!(sum, followed);
    // Nothing happens, and nothing is told; a link that is deleted takes nothing back.
    while !by_key.is_silent(Duration::from_millis(1_500)).await {}
    server.call("DELETE", &format!("/links/{}", id(&links[1])), &alice, Json::Null).await.expect(204);
    assert!(by_key.is_silent(Duration::from_millis(1_500)).await);
    server.follow("one").await.expect(302);
    assert_eq!(counts(&mut by_key, 1).await, BTreeMap::from([(id(&links[0]).to_owned(), 1)]));
}

#[on_each_database]
async fn a_message_lists_50_links_and_counts_all(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let slugs: Vec<String> = (0..60).map(|n| format!("s{n}")).collect();
    let links: Vec<Json> =
        slugs.iter().map(|slug| json!({ "destinationUrl": "https://example.com/", "slug": slug })).collect();
    server.post("/links/bulk", &token, json!({ "links": links })).await.expect(200);
    let mut socket = server.socket(&token).await;
    begin(
        &server,
        &mut socket,
        "1",
        "subscription { accountClicks { total links { linkId clicks link { slug } } } }",
        &account(&server, &token).await,
    )
    .await;
    let mut total = 0;
    for slug in &slugs {
        server.follow(slug).await.expect(302);
    }
    while total < 60 {
        let told = told(&socket.hear().await, "accountClicks");
        let listed = told["links"].as_array().unwrap();
        assert!(
            listed.len() <= 50 && listed.iter().all(|link| link["clicks"] == 1 && link["link"]["slug"].is_string()),
            "{told}"
        );
        total += told["total"].as_i64().unwrap();
    }
    assert_eq!(total, 60);
}

#[on_each_database]
async fn a_domain_is_told_when_it_is_checked_until_it_is_deleted(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    let domain = server.post("/domains", &token, json!({ "domain": "go.example.com" })).await.expect(201).json();
    let other = server.post("/domains", &token, json!({ "domain": "other.example.com" })).await.expect(201).json();
    let mut socket = server.socket(&token).await;
    begin(&server, &mut socket, "1", DOMAIN, &domain).await;
    let path = format!("/domains/{}", id(&domain));
    server.post(&format!("/domains/{}/verify", id(&other)), &token, Json::Null).await;
    let verified = server.post(&format!("{path}/verify"), &token, Json::Null).await.expect(200).json();
    let told = loop {
        let told = told(&socket.hear().await, "domainChanged");
        if told["checkedAt"] == verified["checkedAt"] {
            break told;
        }
    };
    assert_eq!((&told["id"], &told["status"]), (&domain["id"], &json!("PENDING")));
    server.call("DELETE", &path, &token, Json::Null).await.expect(204);
    assert_eq!(socket.hear().await, json!({ "type": "complete", "id": "1" }));
}

#[on_each_database]
async fn each_change_of_a_delivery_is_told(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    // Not tried again but by request, however slow this machine is.
    receiver.set("/", Behaviour::RetryAfter(503, "600".to_owned()));
    let webhook = server.webhook(&token, &receiver.url("/"), &["link.created"]).await;
    server.webhook(&token, &receiver.url("/other"), &["link.created"]).await;
    server.link(&token, "before").await;
    receiver.wait("/other", 1).await;
    server.delivery_that(&token, &webhook, "it fails", |it| it["status"] == "RETRYING").await;
    database.settled().await;
    let mut socket = server.socket(&token).await;
    begin(&server, &mut socket, "1", DELIVERIES, &webhook).await;
    server.link(&token, "after").await;
    let heard = async |socket: &mut Socket, status: &str| loop {
        let told = told(&socket.hear().await, "deliveryChanged");
        assert_eq!((&told["webhook"]["id"], &told["event"]), (&webhook["id"], &json!("link.created")));
        if told["status"] == status {
            break told;
        }
        assert_eq!(told["status"], "PENDING");
    };
    let failed = heard(&mut socket, "RETRYING").await;
    assert_eq!(
        (&failed["payload"]["data"]["slug"], &failed["attempts"]),
        (&json!("after"), &json!([{ "statusCode": 503 }]))
    );
    receiver.set("/", Behaviour::Status(204));
    // The other one, which was made before.
    let deliveries = server.deliveries(&token, &webhook, "").await;
    let before = deliveries.iter().find(|it| it["id"] != failed["id"]).unwrap();
    let redeliver = format!("/webhooks/{}/deliveries/{}/redeliver", id(&webhook), id(before));
    server.post(&redeliver, &token, Json::Null).await.expect(200);
    let again = heard(&mut socket, "SUCCEEDED").await;
    assert_eq!(
        (&again["payload"]["data"]["slug"], &again["attempts"].as_array().unwrap().len()),
        (&json!("before"), &2)
    );
    assert!(socket.is_silent(Duration::from_millis(600)).await);
    server.call("DELETE", &format!("/webhooks/{}", id(&webhook)), &token, Json::Null).await.expect(204);
    loop {
        let message = socket.hear().await;
        if message["type"] == "complete" {
            break;
        }
    }
}

/// Old deliveries that only move up in the list of due ones are not published; those that succeed are, however many there are.
#[on_each_database]
async fn a_backlog_is_told_as_it_goes(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    // Not tried again before the clock is moved, however long the first attempts take.
    receiver.set("/", Behaviour::RetryAfter(503, "60".to_owned()));
    let webhook = server.webhook(&token, &receiver.url("/"), &["link.created"]).await;
    for part in 0..3 {
        let links: Vec<Json> = (0..100)
            .map(|n| json!({ "destinationUrl": "https://example.com/", "slug": format!("s{part}-{n}") }))
            .collect();
        server.post("/links/bulk", &token, json!({ "links": links })).await.expect(200);
    }
    let retrying = "SELECT count(*) FROM deliveries WHERE status = 'RETRYING'";
    eventually("all have failed", async || (database.number(retrying).await == 300).then_some(())).await;
    database.settled().await;
    let mut socket = server.socket(&token).await;
    let query = "subscription($id: ID!) { deliveryChanged(webhookId: $id) { id status } }";
    begin(&server, &mut socket, "1", query, &webhook).await;
    receiver.set("/", Behaviour::Slow(Duration::from_millis(50)));
    server.clock.advance(120_000);
    let mut succeeded = BTreeMap::new();
    while succeeded.len() < 250 {
        let told = told(&socket.hear().await, "deliveryChanged");
        assert_eq!(told["status"], "SUCCEEDED", "it is no news: {told}");
        *succeeded.entry(told["id"].as_str().unwrap().to_owned()).or_insert(0) += 1;
    }
    assert!(succeeded.values().all(|times| *times == 1), "told once");
}

/// Such deliveries are not among the newest, and may be due only between two polls.
#[on_each_database]
async fn old_deliveries_that_are_requested_again_are_told(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    let webhook = server.webhook(&token, &receiver.url("/"), &["link.created"]).await;
    let succeeded = "SELECT count(*) FROM deliveries WHERE status = 'SUCCEEDED'";
    let (mut old, mut all) = (Vec::new(), 0);
    for (part, number) in [("old", 8), ("new", 100)] {
        old = server.deliveries(&token, &webhook, "").await;
        let links: Vec<Json> = (0..number)
            .map(|n| json!({ "destinationUrl": "https://example.com/", "slug": format!("{part}-{n}") }))
            .collect();
        server.post("/links/bulk", &token, json!({ "links": links })).await.expect(200);
        all += number;
        eventually("all have succeeded", async || (database.number(succeeded).await == all).then_some(())).await;
    }
    assert_eq!(old.len(), 8);
    database.settled().await;
    let mut socket = server.socket(&token).await;
    let query = "subscription($id: ID!) { deliveryChanged(webhookId: $id) { id status attemptCount } }";
    begin(&server, &mut socket, "1", query, &webhook).await;
    for delivery in &old {
        let redeliver = format!("/webhooks/{}/deliveries/{}/redeliver", id(&webhook), id(delivery));
        server.post(&redeliver, &token, Json::Null).await.expect(200);
        loop {
            let told = told(&socket.hear().await, "deliveryChanged");
            assert_eq!(told["id"], delivery["id"]);
            if told["status"] == "SUCCEEDED" {
                assert_eq!(told["attemptCount"], 2);
                break;
            }
            assert_eq!(told["status"], "PENDING");
        }
    }
}

#[on_each_database]
async fn who_may_not_listen_to_changes_is_told_why(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let (alice, mallory) = (server.register("alice").await, server.register("mallory").await);
    let domain = server.post("/domains", &alice, json!({ "domain": "go.example.com" })).await.expect(201).json();
    let webhook = server.webhook(&alice, "http://127.0.0.1:9/", &["link.created"]).await;
    let none = server.api_key(&alice, &["links:read"]).await;
    let webhooks = server.api_key(&alice, &["webhooks:read"]).await;
    let nobody = json!({});
    for (credential, query, of, code) in [
        (&none, CLICKS, &nobody, "FORBIDDEN analytics:read"),
        (&none, DOMAIN, &domain, "FORBIDDEN domains:read"),
        (&none, DELIVERIES, &webhook, "FORBIDDEN webhooks:read"),
        (&webhooks, DELIVERIES, &webhook, "FORBIDDEN links:read"),
        (&mallory, DOMAIN, &domain, "NOT_FOUND "),
        (&mallory, DELIVERIES, &webhook, "NOT_FOUND "),
    ] {
        let mut socket = server.socket(credential).await;
        socket.begin("1", query, json!({ "id": of["id"] })).await;
        let message = socket.hear().await;
        let extensions = &message["payload"][0]["extensions"];
        let told = format!(
            "{} {}",
            extensions["code"].as_str().unwrap_or_default(),
            extensions["details"]["scope"].as_str().unwrap_or_default()
        );
        assert_eq!(told, code, "{message}");
    }
    // A key that is revoked hears no more of it.
    let mut socket = server.socket(&webhooks).await;
    begin(&server, &mut socket, "1", "subscription($id: ID!) { deliveryChanged(webhookId: $id) { id } }", &webhook)
        .await;
    for key in server.get("/api-keys", &alice).await.json()["data"].as_array().unwrap() {
        server.call("DELETE", &format!("/api-keys/{}", id(key)), &alice, Json::Null).await.expect(204);
    }
    assert_eq!(socket.hear().await, json!({ "closed": 4403 }));
    eventually("nobody listens", async || {
        let key = webhook["id"].as_str().unwrap().parse().unwrap();
        (server.api().app.live.topics::<DeliveryChanges>().listeners(key) == 0).then_some(())
    })
    .await;
}

/// The same news come from each node, wherever clicks are stored and events delivered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_of_any_node_are_told_on_each() {
    let database = TestDatabase::postgres().await;
    let other = database.node();
    let nodes = [database.start_with(&SETTINGS).await, other.start_with(&SETTINGS).await];
    let token = nodes[0].register("alice").await;
    let link = nodes[0].link(&token, "hers").await;
    let receiver = Receiver::start().await;
    let webhook = nodes[0].webhook(&token, &receiver.url("/"), &["link.created"]).await;
    let whose = account(&nodes[0], &token).await;
    let mut sockets = Vec::new();
    for node in &nodes {
        let (mut clicks, mut deliveries) = (node.socket(&token).await, node.socket(&token).await);
        begin(node, &mut clicks, "1", CLICKS, &whose).await;
        begin(node, &mut deliveries, "1", DELIVERIES, &webhook).await;
        sockets.push((clicks, deliveries));
    }
    for number in 0..10 {
        nodes[number % 2].follow("hers").await.expect(302);
    }
    nodes[1].link(&token, "new").await;
    for (clicks, deliveries) in &mut sockets {
        assert_eq!(counts(clicks, 10).await, BTreeMap::from([(id(&link).to_owned(), 10)]));
        while told(&deliveries.hear().await, "deliveryChanged")["status"] != "SUCCEEDED" {}
    }
    for node in nodes {
        node.stop().await;
    }
}
