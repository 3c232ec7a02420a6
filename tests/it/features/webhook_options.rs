//! Webhooks for some links, for clicks without bots, and with batches of events.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use linkgraph::{
    across::payload::EventPayload,
    base::clock::SECOND,
    platform::work::event_kind::EventKind,
    records::webhooks::delivery::batch::{MAX_BYTES, MAX_EVENTS},
};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Http, TestDatabase, TestServer,
        admin::Admin,
        eventually,
        process::TestProcess,
        receiver::{Arrived, Behaviour, Receiver, id},
    },
};

const SETTINGS: [(&str, &str); 2] =
    [("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true"), ("LINKGRAPH_DEFAULT_PLAN", "unlimited")];

async fn open(database: &TestDatabase) -> (TestServer, String, Receiver) {
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    (server, token, Receiver::start().await)
}

/// Creates a webhook for these events with these options.
async fn webhook(http: &Http, credential: &str, url: &str, events: &[&str], options: Json) -> Json {
    let mut body = json!({ "name": "x", "url": url, "events": events });
    body.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
    http.post("/webhooks", credential, body).await.expect(201).json()
}

fn options(webhook: &Json) -> Json {
    json!([webhook["batch"], webhook["linkIds"], webhook["excludeBots"]])
}

/// Creates links, a hundred at once.
async fn links(http: &Http, credential: &str, slugs: impl Iterator<Item = String>) -> BTreeSet<String> {
    let slugs: Vec<String> = slugs.collect();
    for slugs in slugs.chunks(100) {
        let links: Vec<Json> =
            slugs.iter().map(|slug| json!({ "destinationUrl": "https://example.com/", "slug": slug })).collect();
        let body = json!({ "links": links });
        // A database that has just come back may refuse one more change. Links that it stored all the same are conflicts then.
        let create = async || {
            Some(http.post("/links/bulk", credential, body.clone()).await).filter(|answer| answer.status != 503)
        };
        eventually("links are created", create).await.expect(200);
    }
    slugs.into_iter().collect()
}

/// Events of a batch.
fn events(arrived: &Arrived) -> Vec<Json> {
    arrived.json()["data"].as_array().unwrap_or_else(|| panic!("no batch: {}", arrived.body)).clone()
}

/// Slugs of the links in batches, in which none may stand twice: each batch once, however often it came.
fn slugs(arrived: &[Arrived]) -> BTreeSet<String> {
    let batches: BTreeMap<&str, &Arrived> = arrived.iter().map(|it| (it.header("webhook-id"), it)).collect();
    let all: Vec<String> = batches
        .values()
        .flat_map(|batch| events(batch))
        .map(|event| event["data"]["slug"].as_str().unwrap().to_owned())
        .collect();
    let different: BTreeSet<String> = all.iter().cloned().collect();
    assert_eq!(different.len(), all.len(), "an event is in two batches");
    different
}

async fn fanned_out(database: &TestDatabase) {
    let sql = "SELECT (SELECT count(*) FROM outbox_events WHERE NOT fanned_out) + (SELECT count(*) FROM open_batches)";
    eventually("all events are in closed batches", async || (database.number(sql).await == 0).then_some(())).await;
}

#[on_each_database]
async fn options_are_set_shown_and_taken_back(database: TestDatabase) {
    let (server, token, _receiver) = open(&database).await;
    let mallory = server.register("mallory").await;
    let (one, two) = (server.link(&token, "one").await, server.link(&token, "two").await);
    let foreign = server.link(&mallory, "foreign").await;
    let url = "https://hooks.example.com/x";
    let plain = webhook(&server, &token, url, &["link.created"], json!({})).await;
    assert_eq!(options(&plain), json!([false, null, false]));
    let path = format!("/webhooks/{}", id(&plain));
    let patch = async |change: Json| server.call("PATCH", &path, &token, change).await;
    let both = json!([id(&one), id(&two)]);
    let set = json!({ "batch": true, "linkIds": [id(&one), id(&two).to_uppercase(), id(&one)], "excludeBots": true });
    let created = webhook(&server, &token, url, &["link.clicked"], set.clone()).await;
    assert_eq!(options(&created), json!([true, both, true]), "an id counts once");
    let changed = patch(set).await.expect(200).json();
    assert_eq!(options(&changed), json!([true, both, true]));
    assert_eq!(server.get(&path, &token).await.json(), changed);
    for (change, expected) in [
        (json!({ "name": "other" }), json!([true, both, true])),
        (json!({ "linkIds": [id(&two)] }), json!([true, [id(&two)], true])),
        (json!({ "batch": false, "excludeBots": false }), json!([false, [id(&two)], false])),
        (json!({ "linkIds": null }), json!([false, null, false])),
    ] {
        assert_eq!(options(&patch(change.clone()).await.expect(200).json()), expected, "{change}");
    }
    let nobodys = "019aa1c2-0000-7000-8000-000000000000";
    let many: Vec<&str> = std::iter::repeat_n(id(&one), 101).collect();
    for (links, paths) in [
        (json!([]), vec!["linkIds"]),
        (json!(many), vec!["linkIds"]),
        (json!([id(&one), null, 5]), vec!["linkIds.1", "linkIds.2"]),
        (json!(id(&one)), vec!["linkIds"]),
    ] {
        assert_eq!(patch(json!({ "linkIds": links })).await.expect(400).violations(), paths, "{links}");
        let body = json!({ "name": "x", "url": url, "events": ["link.created"], "linkIds": links });
        assert_eq!(server.post("/webhooks", &token, body).await.expect(400).violations(), paths, "{links}");
    }
    for (links, path) in [
        (json!([id(&one), id(&foreign)]), "linkIds.1"),
        (json!(["nonsense", id(&one)]), "linkIds.0"),
        (json!([id(&one), nobodys, "", id(&foreign)]), "linkIds.1"),
    ] {
        let body = json!({ "name": "x", "url": url, "events": ["link.created"], "linkIds": links });
        for answer in [patch(json!({ "linkIds": links })).await, server.post("/webhooks", &token, body).await] {
            assert_eq!(answer.expect(404).json()["error"]["details"], json!({ "path": path }), "{links}");
        }
    }
    let wrong = json!({ "name": "", "batch": "yes", "linkIds": [nobodys], "excludeBots": 1 });
    assert_eq!(patch(wrong).await.expect(400).violations(), ["name", "batch", "excludeBots"]);
    assert_eq!(options(&server.get(&path, &token).await.json()), json!([false, null, false]));

    // In GraphQL an absent variable leaves the links as they are, and null takes them back.
    let change = "mutation($id: ID!, $links: [ID!]) { updateWebhook(id: $id, input: { linkIds: $links, batch: false }) { batch linkIds excludeBots } }";
    for (variables, expected) in
        [(json!({ "links": both }), &both), (json!({}), &both), (json!({ "links": null }), &Json::Null)]
    {
        let mut variables = variables;
        variables["id"] = json!(id(&plain));
        let answer = server.graphql(&token, change, variables).await;
        assert_eq!(&answer["data"]["updateWebhook"]["linkIds"], expected, "{answer}");
    }
}

#[on_each_database]
async fn a_key_widens_nothing_that_it_may_not_read(database: TestDatabase) {
    let (server, token, receiver) = open(&database).await;
    let (one, two) = (server.link(&token, "one").await, server.link(&token, "two").await);
    let options = json!({ "linkIds": [id(&one)], "excludeBots": true });
    let hook = webhook(&server, &token, &receiver.url("/"), &["link.clicked"], options.clone()).await;
    let path = format!("/api/v1/webhooks/{}", id(&hook));
    let manager = server.api_key(&token, &["webhooks:manage", "links:read"]).await;
    for change in
        [json!({ "linkIds": null }), json!({ "linkIds": [id(&one), id(&two)] }), json!({ "excludeBots": false })]
    {
        let answer = server.call("PATCH", &path, &manager, change).await.expect(403);
        assert_eq!(answer.json()["error"]["details"], json!({ "scope": "analytics:read" }));
    }
    let changed = server.call("PATCH", &path, &manager, options).await.expect(200).json();
    assert_eq!(changed["linkIds"], json!([id(&one)]));
    server.call("PATCH", &path, &manager, json!({ "batch": true })).await.expect(200);
}

#[on_each_database]
async fn of_events_about_links_only_those_of_the_chosen_come(database: TestDatabase) {
    let (server, token, receiver) = open(&database).await;
    let (one, two) = (server.link(&token, "one").await, server.link(&token, "two").await);
    server.clock.advance(SECOND);
    let kinds = ["link.created", "link.updated", "link.deleted", "link.clicked", "api_key.created"];
    let hook = webhook(&server, &token, &receiver.url("/"), &kinds, json!({ "linkIds": [id(&one)] })).await;
    server.link(&token, "three").await;
    for link in [&two, &one] {
        server.follow(link["slug"].as_str().unwrap()).await.expect(302);
    }
    database.clicks_become(2).await;
    for link in [&two, &one] {
        let path = format!("/links/{}", id(link));
        server.call("PATCH", &path, &token, json!({ "isActive": false })).await.expect(200);
        server.call("DELETE", &path, &token, Json::Null).await.expect(204);
    }
    server.post("/api-keys", &token, json!({ "name": "k", "scopes": [] })).await.expect(201);
    receiver.wait("/", 4).await;
    fanned_out(&database).await;
    eventually("all are delivered", async || {
        (server.deliveries(&token, &hook, "&status=PENDING").await.is_empty()).then_some(())
    })
    .await;
    let mut arrived: Vec<String> = receiver.arrived("/").iter().map(Arrived::kind).collect();
    arrived.sort_unstable();
    assert_eq!(arrived, ["api_key.created", "link.clicked", "link.deleted", "link.updated"]);
    assert!(receiver.arrived("/").iter().all(|it| !it.body.contains(id(&two))));
    // Clicks that nobody asks for are not recorded.
    assert_eq!(database.events("link.clicked").await, 1);
    // The link is gone, and its id stays: nobody's events come instead, and the list may be sent as it was read.
    let path = format!("/webhooks/{}", id(&hook));
    assert_eq!(server.get(&path, &token).await.json()["linkIds"], json!([id(&one)]));
    let change = json!({ "linkIds": [id(&one)] });
    assert_eq!(server.call("PATCH", &path, &token, change).await.expect(200).json()["linkIds"], json!([id(&one)]));
    let body = json!({ "name": "x", "url": receiver.url("/"), "events": ["link.clicked"], "linkIds": [id(&one)] });
    let refused = server.post("/webhooks", &token, body).await.expect(404);
    assert_eq!(refused.json()["error"]["details"], json!({ "path": "linkIds.0" }));
}

#[on_each_database]
async fn clicks_of_bots_come_to_who_wants_them(database: TestDatabase) {
    let (server, token, receiver) = open(&database).await;
    server.link(&token, "busy").await;
    let visit = async |agent: &str| {
        server.send(server.request(Method::GET, "/busy").header("user-agent", agent)).await.expect(302);
    };
    let (bot, person) = (
        "Googlebot/2.1 (+http://www.google.com/bot.html)",
        "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
    );
    webhook(&server, &token, &receiver.url("/people"), &["link.clicked"], json!({ "excludeBots": true })).await;
    visit(bot).await;
    visit(person).await;
    receiver.wait("/people", 1).await;
    database.clicks_become(2).await;
    assert_eq!(database.events("link.clicked").await, 1);
    // Another webhook asks for all of them.
    webhook(&server, &token, &receiver.url("/all"), &["link.clicked"], json!({})).await;
    visit(bot).await;
    visit(person).await;
    receiver.wait("/all", 2).await;
    receiver.wait("/people", 2).await;
    fanned_out(&database).await;
    database.all_delivered().await;
    let bots = |path: &str| -> Vec<bool> {
        let mut bots: Vec<bool> =
            receiver.arrived(path).iter().map(|it| it.json()["data"]["click"]["isBot"].as_bool().unwrap()).collect();
        bots.sort_unstable();
        bots
    };
    assert_eq!((bots("/people"), bots("/all")), (vec![false, false], vec![false, true]));
}

#[on_each_database]
async fn batches_have_all_events_of_a_kind_and_one_signature(database: TestDatabase) {
    let (server, token, receiver) = open(&database).await;
    let hook =
        webhook(&server, &token, &receiver.url("/"), &["link.created", "link.deleted"], json!({ "batch": true })).await;
    let single = webhook(&server, &token, &receiver.url("/single"), &["link.created"], json!({})).await;
    let made = links(&server, &token, (0..250).map(|n| format!("s{n}"))).await;
    let listed = server.get("/links?pageSize=2", &token).await.json()["data"].clone();
    for link in listed.as_array().unwrap() {
        server.call("DELETE", &format!("/links/{}", id(link)), &token, Json::Null).await.expect(204);
    }
    receiver.wait("/single", 250).await;
    fanned_out(&database).await;
    let deliveries = eventually("all are delivered", async || {
        let found = server.deliveries(&token, &hook, "").await;
        found.iter().all(|it| it["status"] == "SUCCEEDED").then_some(found)
    })
    .await;
    let arrived = receiver.arrived("/");
    assert_eq!(arrived.len(), deliveries.len());
    assert!(arrived.len() < 20, "{} are not batches", arrived.len());
    let created: Vec<Arrived> = arrived.iter().filter(|it| it.kind() == "link.created").cloned().collect();
    assert_eq!(slugs(&created), made);
    let library = standardwebhooks::Webhook::new(hook["secret"].as_str().unwrap()).unwrap();
    let alone: BTreeMap<String, Json> =
        receiver.arrived("/single").iter().map(|it| (it.json()["data"]["slug"].to_string(), it.json())).collect();
    let of_single: BTreeSet<String> =
        receiver.arrived("/single").iter().map(|it| it.header("webhook-id").to_owned()).collect();
    assert_eq!(server.deliveries(&token, &single, "").await[0]["batchSize"], Json::Null);
    for batch in &arrived {
        library.verify(batch.body.as_bytes(), &batch.headers).unwrap();
        let (json, all) = (batch.json(), events(batch));
        assert_eq!(json.as_object().unwrap().keys().collect::<Vec<_>>(), ["type", "timestamp", "data"]);
        assert!((1..=usize::try_from(MAX_EVENTS).unwrap()).contains(&all.len()) && batch.body.len() <= MAX_BYTES);
        for event in &all {
            assert_eq!(event["type"], json["type"], "of one kind");
            EventPayload::read(EventKind::parse(&batch.kind()).unwrap(), &event.to_string()).unwrap();
            // The event is whole, as it is sent by itself.
            let by_itself = alone.get(&event["data"]["slug"].to_string()).filter(|_| batch.kind() == "link.created");
            assert!(by_itself.is_none_or(|by_itself| by_itself == event), "{event}");
        }
        assert!(all.iter().any(|event| event["timestamp"] == json["timestamp"]));
        // Receivers that get both tell them apart.
        assert!(!of_single.contains(batch.header("webhook-id")));
        let delivery = deliveries.iter().find(|it| it["messageId"] == batch.header("webhook-id")).unwrap();
        assert_eq!((&delivery["batchSize"], &delivery["event"]), (&json!(all.len()), &json["type"]));
        assert_eq!(delivery["attempts"].as_array().unwrap().len(), 1);
    }

    // Read back, page by page.
    let largest = created.iter().max_by_key(|it| events(it).len()).unwrap();
    let query = "query($id: ID!, $page: Int!) { webhookDeliveries(webhookId: $id, pageSize: 20) { deliveries { messageId \
            payload { ... on LinkCreatedEventPayload { type timestamp data { slug } } } \
            payloads(page: $page, pageSize: 30) { total page pageSize totalPages data { ... on LinkCreatedEventPayload { type timestamp data { slug } } } } } } }";
    let mut read = Vec::new();
    for page in 1..=5 {
        let answer = server.graphql(&token, query, json!({ "id": id(&hook), "page": page })).await;
        let found = answer["data"]["webhookDeliveries"]["deliveries"].as_array().unwrap_or_else(|| panic!("{answer}"));
        let delivery = found.iter().find(|it| it["messageId"] == largest.header("webhook-id")).unwrap();
        let payloads = &delivery["payloads"];
        let size = events(largest).len();
        assert_eq!((&payloads["total"], &payloads["totalPages"]), (&json!(size), &json!(size.div_ceil(30))));
        read.extend(payloads["data"].as_array().unwrap().clone());
        assert_eq!(delivery["payload"]["data"]["slug"], events(largest)[0]["data"]["slug"]);
    }
    let brief = |event: &Json| json!([event["type"], event["timestamp"], event["data"]["slug"]]);
    assert_eq!(read.iter().map(brief).collect::<Vec<_>>(), events(largest).iter().map(brief).collect::<Vec<_>>());
    let query = "query($id: ID!) { webhookDeliveries(webhookId: $id, pageSize: 1) { deliveries { payload { __typename } \
            payloads { total data { __typename } } none: payloads(page: 2) { total data { __typename } } } } }";
    let answer = server.graphql(&token, query, json!({ "id": id(&single) })).await;
    let one = json!({ "__typename": "LinkCreatedEventPayload" });
    let expected =
        json!({ "payload": one, "payloads": { "total": 1, "data": [one] }, "none": { "total": 1, "data": [] } });
    assert_eq!(answer["data"]["webhookDeliveries"]["deliveries"][0], expected, "{answer}");

    // A key reads them only with the scope of their data.
    let key = server.api_key(&token, &["webhooks:read"]).await;
    let query = "query($id: ID!) { webhookDeliveries(webhookId: $id) { deliveries { payloads { data { ... on LinkCreatedEventPayload { data { slug } } } } } } }";
    let refused = server.graphql(&key, query, json!({ "id": id(&hook) })).await;
    assert_eq!(refused["errors"][0]["extensions"]["details"]["scope"], "links:read", "{refused}");
}

#[on_each_database]
async fn a_full_batch_does_not_wait_and_another_waits_a_second(database: TestDatabase) {
    let (server, token, receiver) = open(&database).await;
    let hook = webhook(&server, &token, &receiver.url("/"), &["link.created"], json!({ "batch": true })).await;
    let began = Instant::now();
    server.link(&token, "lonely").await;
    let alone = receiver.wait("/", 1).await.remove(0);
    assert!(alone.at - began >= Duration::from_secs(1), "{:?}", alone.at - began);
    assert_eq!(events(&alone).len(), 1);
    let all = links(&server, &token, (0..130).map(|n| format!("s{n}"))).await;
    fanned_out(&database).await;
    let arrived = eventually("all arrive", async || {
        let arrived = receiver.arrived("/");
        (arrived.iter().map(|it| events(it).len()).sum::<usize>() == 131).then_some(arrived)
    })
    .await;
    assert_eq!(slugs(&arrived[1..]), all);
    assert!(arrived.len() <= 4, "{} batches", arrived.len());
    assert_eq!(server.deliveries(&token, &hook, "").await.len(), arrived.len());
}

/// A body that was sent once is sent as it was, however often, and whatever the webhook asks for since.
#[on_each_database]
async fn a_batch_that_is_sent_again_is_the_same(database: TestDatabase) {
    let (server, token, receiver) = open(&database).await;
    receiver.set("/", Behaviour::Status(500));
    let hook = webhook(&server, &token, &receiver.url("/"), &["link.created"], json!({ "batch": true })).await;
    let path = format!("/webhooks/{}", id(&hook));
    let made = links(&server, &token, (0..5).map(|n| format!("s{n}"))).await;
    let delivery = server.delivery_that(&token, &hook, "it fails", |it| it["status"] == "RETRYING").await;
    database.settled().await;
    receiver.set("/", Behaviour::Status(204));
    server.call("PATCH", &path, &token, json!({ "batch": false })).await.expect(200);
    let redeliver = format!("{path}/deliveries/{}/redeliver", id(&delivery));
    server.post(&redeliver, &token, Json::Null).await.expect(200);
    server.delivery_that(&token, &hook, "it succeeds", |it| it["status"] == "SUCCEEDED").await;
    let arrived = receiver.arrived("/");
    assert!(arrived.len() >= 2);
    assert!(
        arrived
            .iter()
            .all(|it| it.body == arrived[0].body && it.header("webhook-id") == arrived[0].header("webhook-id"))
    );
    assert_eq!(slugs(&arrived), made);
    // A test has the shape that the webhook gets.
    for (batch, expected) in [(false, json!(false)), (true, json!(true))] {
        server.call("PATCH", &path, &token, json!({ "batch": batch })).await.expect(200);
        let before = receiver.arrived("/").len();
        let tested = server.post(&format!("{path}/test"), &token, Json::Null).await.expect(200).json();
        assert_eq!(tested["batchSize"], if batch { json!(1) } else { Json::Null });
        let arrived = receiver.wait("/", before + 1).await.remove(before);
        assert_eq!((arrived.kind().as_str(), json!(arrived.json()["data"].is_array())), ("webhook.test", expected));
    }
}

/// One that is asked for again before it is full takes no more events: others come after it.
#[on_each_database]
async fn an_open_batch_that_is_sent_at_once_is_closed(database: TestDatabase) {
    let (server, token, receiver) = open(&database).await;
    let hook = webhook(&server, &token, &receiver.url("/"), &["link.created"], json!({ "batch": true })).await;
    let mut made = links(&server, &token, (0..5).map(|n| format!("s{n}"))).await;
    let open = server.delivery_that(&token, &hook, "a batch has them", |it| it["batchSize"] == 5).await;
    let redeliver = format!("/webhooks/{}/deliveries/{}/redeliver", id(&hook), id(&open));
    server.post(&redeliver, &token, Json::Null).await.expect(200);
    made.extend(links(&server, &token, (0..5).map(|n| format!("t{n}"))).await);
    eventually("all arrive", async || (slugs(&receiver.arrived("/")) == made).then_some(())).await;
    // A batch that was sent before it was requested again is sent twice.
    let sizes: BTreeMap<_, _> =
        receiver.arrived("/").iter().map(|it| (it.header("webhook-id").to_owned(), events(it).len())).collect();
    assert_eq!(sizes.into_values().collect::<Vec<_>>(), [5, 5]);
}

#[on_each_database]
async fn what_is_deleted_leaves_no_batch(database: TestDatabase) {
    let (server, token, receiver) = open(&database).await;
    receiver.set("/", Behaviour::Status(500));
    let hook = webhook(&server, &token, &receiver.url("/"), &["link.created"], json!({ "batch": true })).await;
    links(&server, &token, (0..120).map(|n| format!("s{n}"))).await;
    receiver.wait("/", 1).await;
    server.call("DELETE", &format!("/webhooks/{}", id(&hook)), &token, Json::Null).await.expect(204);
    eventually("nothing is left", async || {
            let left = "SELECT (SELECT count(*) FROM deliveries) + (SELECT count(*) FROM batch_events) + (SELECT count(*) FROM open_batches)";
            (database.number(left).await == 0).then_some(())
        })
        .await;
}

/// An inactive webhook gets no more events; those that wait in a batch go on with it.
#[on_each_database]
async fn a_webhook_that_is_switched_off_keeps_its_batch(database: TestDatabase) {
    let (server, token, receiver) = open(&database).await;
    let hook = webhook(&server, &token, &receiver.url("/"), &["link.created"], json!({ "batch": true })).await;
    let path = format!("/webhooks/{}", id(&hook));
    let made = links(&server, &token, (0..7).map(|n| format!("s{n}"))).await;
    let taken = "SELECT count(*) FROM batch_events";
    eventually("a batch has them", async || (database.number(taken).await == 7).then_some(())).await;
    server.call("PATCH", &path, &token, json!({ "isActive": false })).await.expect(200);
    links(&server, &token, (0..3).map(|n| format!("t{n}"))).await;
    fanned_out(&database).await;
    server.call("PATCH", &path, &token, json!({ "isActive": true })).await.expect(200);
    receiver.wait("/", 1).await;
    eventually("it is noted", async || {
        server.deliveries(&token, &hook, "").await.iter().all(|it| it["status"] == "SUCCEEDED").then_some(())
    })
    .await;
    assert_eq!(slugs(&receiver.arrived("/")), made);
}

/// The largest events there are fill a batch by its length.
#[on_each_database]
async fn a_body_has_at_most_256_kib(database: TestDatabase) {
    let (server, token, receiver) = open(&database).await;
    webhook(&server, &token, &receiver.url("/"), &["link.clicked"], json!({ "batch": true })).await;
    let slug = "s".repeat(64);
    let body = json!({ "destinationUrl": format!("https://example.com/{}", "x".repeat(2_028)), "slug": slug });
    server.post("/links", &token, body).await.expect(201);
    for _ in 0..120 {
        server.follow(&slug).await.expect(302);
    }
    let arrived = eventually("all arrive", async || {
        let arrived = receiver.arrived("/");
        (arrived.iter().map(|it| events(it).len()).sum::<usize>() == 120).then_some(arrived)
    })
    .await;
    assert!(
        arrived.iter().all(|it| it.body.len() <= MAX_BYTES),
        "{:?}",
        arrived.iter().map(|it| it.body.len()).collect::<Vec<_>>()
    );
    let clicks: BTreeSet<String> =
        arrived.iter().flat_map(events).map(|event| event["data"]["click"]["id"].to_string()).collect();
    assert_eq!(clicks.len(), 120, "each click is told once");
}

/// Committed is delivered: the process is killed while batches take events, are closed and are sent.
#[on_each_database]
async fn kill_9_loses_no_event_of_a_batch(database: TestDatabase) {
    let receiver = Receiver::start().await;
    let (mut expected, mut token) = (BTreeSet::new(), String::new());
    for round in 0..6 {
        let mut process = TestProcess::start(&database, &SETTINGS).await;
        if round == 0 {
            token = process.register("alice").await;
            webhook(&process, &token, &receiver.url("/"), &["link.created"], json!({ "batch": true })).await;
        }
        expected.extend(links(&process, &token, (0..130).map(|n| format!("s{round}-{n}"))).await);
        // At different points: before fan-out, while a batch is open, and while it is sent.
        tokio::time::sleep(Duration::from_millis(250 * round)).await;
        process.kill();
    }
    let process = TestProcess::start(&database, &SETTINGS).await;
    let arrived = eventually("all events arrive", async || {
        let arrived = receiver.arrived("/");
        (slugs(&arrived) == expected).then_some(arrived)
    })
    .await;
    let open =
        "SELECT (SELECT count(*) FROM deliveries WHERE status <> 'SUCCEEDED') + (SELECT count(*) FROM open_batches)";
    eventually("all are noted", async || (database.number(open).await == 0).then_some(())).await;
    let mut bodies: BTreeMap<&str, &str> = BTreeMap::new();
    for batch in &arrived {
        let first = bodies.entry(batch.header("webhook-id")).or_insert(&batch.body);
        assert_eq!(*first, batch.body, "what is doubled is the same");
    }
    assert_eq!(database.deliveries().await, i64::try_from(bodies.len()).unwrap());
    drop(process);
}

/// Batches that a database interrupts by going away go on when it is there again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_goes_away_loses_no_event_of_a_batch() {
    let database = TestDatabase::postgres().await;
    let (server, token, receiver) = open(&database).await;
    webhook(&server, &token, &receiver.url("/"), &["link.created"], json!({ "batch": true })).await;
    let admin = Admin::of(&database).await;
    let mut expected = BTreeSet::new();
    for round in 0..4 {
        expected.extend(links(&server, &token, (0..130).map(|n| format!("s{round}-{n}"))).await);
        // While events are taken up, while a batch is open, and while it is sent.
        tokio::time::sleep(Duration::from_millis(350 * round)).await;
        admin.allow_connections(false).await;
        server.get("/links", &token).await.expect(503);
        admin.allow_connections(true).await;
        eventually("the database is back", async || (server.get("/links", &token).await.status == 200).then_some(()))
            .await;
    }
    let arrived = eventually("all events arrive", async || {
        let arrived = receiver.arrived("/");
        (slugs(&arrived) == expected).then_some(arrived)
    })
    .await;
    let mut bodies: BTreeMap<&str, &str> = BTreeMap::new();
    for batch in &arrived {
        assert_eq!(*bodies.entry(batch.header("webhook-id")).or_insert(&batch.body), batch.body);
    }
    let open =
        "SELECT (SELECT count(*) FROM deliveries WHERE status <> 'SUCCEEDED') + (SELECT count(*) FROM open_batches)";
    eventually("all are noted", async || (database.number(open).await == 0).then_some(())).await;
    server.stop().await;
}

/// An event comes into one batch, whichever node finds it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_share_batches() {
    let database = TestDatabase::postgres().await;
    let other = database.node();
    let nodes = [database.start_with(&SETTINGS).await, other.start_with(&SETTINGS).await];
    let token = nodes[0].register("alice").await;
    let receiver = Receiver::start().await;
    for path in ["/0", "/1"] {
        webhook(&nodes[0], &token, &receiver.url(path), &["link.created"], json!({ "batch": true })).await;
    }
    let mut expected = BTreeSet::new();
    for number in 0..120 {
        let slug = format!("s{number}");
        nodes[number % 2].link(&token, &slug).await;
        expected.insert(slug);
    }
    for path in ["/0", "/1"] {
        eventually("all arrive", async || (slugs(&receiver.arrived(path)) == expected).then_some(())).await;
    }
    let open =
        "SELECT (SELECT count(*) FROM deliveries WHERE status <> 'SUCCEEDED') + (SELECT count(*) FROM open_batches)";
    eventually("all are noted", async || (database.number(open).await == 0).then_some(())).await;
    let sizes = database.number("SELECT sum(batch_size) FROM deliveries").await;
    assert_eq!((sizes, database.number("SELECT count(*) FROM batch_events").await), (240, 240));
    for node in nodes {
        node.stop().await;
    }
}
