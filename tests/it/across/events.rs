//! Events: each change tells those who asked, exactly what the API shows, and nobody else.

use std::collections::{BTreeMap, BTreeSet};

use linkgraph::{
    across::payload::EventPayload,
    api::rest::selection,
    base::clock::SECOND,
    contract::{Contract, Field},
    platform::work::event_kind::{EventKind, MAX_DATA},
};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Http, TestDatabase, TestServer, eventually,
        process::TestProcess,
        receiver::{Arrived, Receiver, id},
    },
};

const SETTINGS: [(&str, &str); 2] =
    [("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true"), ("LINKGRAPH_DEFAULT_PLAN", "unlimited")];

/// Events that need more than this account to happen: others' tests see to them.
fn asked_for() -> Vec<&'static str> {
    EventKind::ALL.iter().map(|kind| kind.as_str()).filter(|name| *name != "webhook.test").collect()
}

/// Sends a test event to the webhook and waits for it: what was to come before has come.
async fn barrier(http: &Http, credential: &str, webhook: &Json, receiver: &Receiver, path: &str) -> Vec<Arrived> {
    eventually("all events are fanned out and delivered", async || {
        let open = http.deliveries(credential, webhook, "&status=PENDING").await.len();
        (open == 0).then_some(())
    })
    .await;
    let before = receiver.arrived(path).iter().filter(|it| it.kind() == "webhook.test").count();
    http.post(&format!("/webhooks/{}/test", id(webhook)), credential, Json::Null).await.expect(200);
    eventually("the test event arrives", async || {
        let arrived = receiver.arrived(path);
        (arrived.iter().filter(|it| it.kind() == "webhook.test").count() > before).then_some(arrived)
    })
    .await
}

async fn open(database: &TestDatabase) -> TestServer {
    database.start_with(&SETTINGS).await
}

/// Type and data of what arrived, but for tests, as texts to compare.
fn facts(arrived: &[Arrived]) -> BTreeMap<String, usize> {
    let mut facts = BTreeMap::new();
    for arrived in arrived.iter().filter(|arrived| arrived.kind() != "webhook.test") {
        let json = arrived.json();
        *facts.entry(format!("{} {}", arrived.kind(), json["data"])).or_default() += 1;
    }
    facts
}

fn fact(kind: &str, data: &Json) -> (String, usize) {
    (format!("{kind} {data}"), 1)
}

/// All that can be selected of an event's payload, from the contract. Of two payloads at once it can't: a field of one has the
/// name of another's, with another type.
fn selection_of(contract: &Contract, kind: &str) -> String {
    let (name, _) = contract.types.iter().find(|(_, known)| known.event.as_deref() == Some(kind)).unwrap();
    let fields: &[Field] = contract.object(name).unwrap();
    let fields = fields.iter().map(|field| {
        let inner = selection::select(contract, &field.ty).unwrap();
        format!("{}{}", field.name, selection::to_text(&inner))
    });
    format!("__typename ... on {name} {{ {} }}", fields.collect::<Vec<_>>().join(" "))
}

#[on_each_database]
async fn each_change_arrives_as_the_api_shows_it(database: TestDatabase) {
    let server = open(&database).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    let webhook = server.webhook(&token, &receiver.url("/all"), &asked_for()).await;
    let mut expected = BTreeMap::new();

    let link = server.link(&token, "single").await;
    expected.extend([fact("link.created", &link)]);
    let links = json!({ "links": [
            { "destinationUrl": "https://example.com/1", "slug": "b1" },
            { "destinationUrl": "nonsense" },
            { "destinationUrl": "https://example.com/2", "slug": "b2" },
            { "destinationUrl": "https://example.com/3", "slug": "b1" },
        ] });
    let results = server.post("/links/bulk", &token, links).await.expect(200).json()["results"].clone();
    let made: Vec<&Json> =
        results.as_array().unwrap().iter().map(|it| &it["link"]).filter(|it| !it.is_null()).collect();
    assert_eq!(made.len(), 2);
    expected.extend(made.iter().map(|link| fact("link.created", link)));
    let path = format!("/links/{}", id(&link));
    server.clock.advance(SECOND);
    let change = json!({ "destinationUrl": "https://example.com/\"quoted\"?ü=<&>", "slug": "renamed" });
    let updated = server.call("PATCH", &path, &token, change).await.expect(200).json();
    expected.extend([fact("link.updated", &updated)]);

    server.follow("renamed?utm_source=mail&utm_term=red+shoes&utm_content=top").await.expect(302);
    let click = eventually("the click is stored", async || {
        server.get(&format!("/analytics/{}", id(&link)), &token).await.json()["data"]
            .as_array()
            .unwrap()
            .first()
            .cloned()
    })
    .await;
    let followed = server.get(&path, &token).await.json();
    assert_eq!(followed["clickCount"], 1);
    expected.extend([fact("link.clicked", &json!({ "click": click, "link": followed }))]);

    server.call("DELETE", &path, &token, Json::Null).await.expect(204);
    expected.extend([fact("link.deleted", &followed)]);
    let body = json!({ "name": "k", "scopes": ["links:read"] });
    let key = server.post("/api-keys", &token, body).await.expect(201).json();
    expected.extend([fact("api_key.created", &key["apiKey"])]);
    server.call("DELETE", &format!("/api-keys/{}", id(&key["apiKey"])), &token, Json::Null).await.expect(204);
    let revoked = server.get("/api-keys", &token).await.json()["data"][0].clone();
    assert!(!revoked["revokedAt"].is_null());
    expected.extend([fact("api_key.revoked", &revoked)]);

    let claimed = server.post("/subdomain", &token, json!({ "subdomain": "alpinist" })).await.expect(201).json();
    expected.extend([fact("subdomain.claimed", &claimed)]);
    let activated = server.post("/subdomain/activate", &token, Json::Null).await.expect(200).json();
    expected.extend([fact("subdomain.activated", &activated)]);
    let body = json!({ "rootUrl": "https://example.com/root", "notFoundUrl": "https://example.com/lost" });
    let changed = server.call("PATCH", "/subdomain", &token, body.clone()).await.expect(200).json();
    assert_eq!(changed["settings"]["rootUrl"], body["rootUrl"]);
    expected.extend([fact("subdomain.updated", &changed)]);
    server.call("DELETE", "/subdomain", &token, Json::Null).await.expect(204);
    expected.extend([fact("subdomain.released", &changed)]);
    let domain = server.post("/domains", &token, json!({ "domain": "go.example.com" })).await.expect(201).json();
    expected.extend([fact("domain.created", &domain)]);
    let path = format!("/domains/{}", id(&domain));
    let domain = server.call("PATCH", &path, &token, body).await.expect(200).json();
    expected.extend([fact("domain.updated", &domain)]);
    server.call("DELETE", &path, &token, Json::Null).await.expect(204);
    expected.extend([fact("domain.deleted", &domain)]);

    receiver.wait("/all", expected.len()).await;
    let arrived = barrier(&server, &token, &webhook, &receiver, "/all").await;
    assert_eq!(facts(&arrived), expected);
    for arrived in &arrived {
        let json = arrived.json();
        assert_eq!(json.as_object().unwrap().keys().collect::<Vec<_>>(), ["type", "timestamp", "data"]);
        assert!(json["timestamp"].as_str().unwrap().len() == 24, "{json}");
        assert_eq!(arrived.header("content-type"), "application/json");
        assert!(arrived.header("user-agent").starts_with("linkgraph/"));
    }
    let tested = arrived.iter().find(|it| it.kind() == "webhook.test").unwrap().json()["data"].clone();
    assert_eq!(tested, server.get(&format!("/webhooks/{}", id(&webhook)), &token).await.json());

    // Each is read back as it was sent.
    let mut deliveries = Vec::new();
    for kind in arrived.iter().map(|it| it.kind()).collect::<BTreeSet<_>>() {
        let query = format!(
            "query($id: ID!, $kind: String!) {{ webhookDeliveries(webhookId: $id, event: $kind, pageSize: 100) {{ \
                 deliveries {{ messageId event status attemptCount payload {{ {} }} }} }} }}",
            selection_of(&server.api().contract, &kind)
        );
        let answer = server.graphql(&token, &query, json!({ "id": id(&webhook), "kind": kind })).await;
        let found = answer["data"]["webhookDeliveries"]["deliveries"].as_array();
        deliveries.extend(found.unwrap_or_else(|| panic!("{answer}")).clone());
    }
    assert_eq!(deliveries.len(), arrived.len());
    for arrived in &arrived {
        let delivery = deliveries.iter().find(|it| it["messageId"] == arrived.header("webhook-id")).unwrap();
        let mut payload = delivery["payload"].clone();
        let type_name = payload.as_object_mut().unwrap().remove("__typename").unwrap();
        assert_eq!(server.api().contract.types[type_name.as_str().unwrap()].event, Some(arrived.kind()));
        assert_eq!((&payload, &delivery["event"]), (&arrived.json(), &json!(arrived.kind())));
    }
}

#[on_each_database]
async fn what_did_not_happen_is_not_told(database: TestDatabase) {
    let server = open(&database).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    let link = server.link(&token, "taken").await;
    let other = server.link(&token, "other").await;
    let key = server.post("/api-keys", &token, json!({ "name": "k", "scopes": [] })).await.expect(201).json();
    let revoke = format!("/api-keys/{}", id(&key["apiKey"]));
    server.call("DELETE", &revoke, &token, Json::Null).await.expect(204);
    server.clock.advance(SECOND);
    // All before was too early.
    let webhook = server.webhook(&token, &receiver.url("/all"), &asked_for()).await;
    let body = json!({ "destinationUrl": "https://example.com/", "slug": "taken" });
    server.post("/links", &token, body.clone()).await.expect(409);
    server.post("/links", &token, json!({ "destinationUrl": "x" })).await.expect(400);
    server.post("/links/bulk", &token, json!({ "links": [body, { "destinationUrl": "x" }] })).await.expect(200);
    let path = format!("/links/{}", id(&other));
    server.call("PATCH", &path, &token, json!({ "slug": "taken" })).await.expect(409);
    server.call("PATCH", &path, &token, json!({ "slug": "a b" })).await.expect(400);
    server.call("DELETE", &revoke, &token, Json::Null).await.expect(204);
    server.call("DELETE", "/links/nonsense", &token, Json::Null).await.expect(404);
    server.follow("nowhere").await.expect(404);
    server.call("PATCH", &format!("/webhooks/{}", id(&webhook)), &token, json!({ "name": "quiet" })).await.expect(200);
    database.fanned_out().await;
    let arrived = barrier(&server, &token, &webhook, &receiver, "/all").await;
    assert_eq!(arrived.iter().map(Arrived::kind).collect::<Vec<_>>(), ["webhook.test"], "{link}");
}

#[on_each_database]
async fn only_those_who_asked_are_told(database: TestDatabase) {
    let server = open(&database).await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let receiver = Receiver::start().await;
    let all = server.webhook(&bob, &receiver.url("/bob"), &asked_for()).await;
    let deleted = server.webhook(&alice, &receiver.url("/deleted"), &["link.deleted"]).await;
    let both = server.webhook(&alice, &receiver.url("/both"), &["link.created", "link.deleted"]).await;
    let link = server.link(&alice, "hers").await;
    server.follow("hers").await.expect(302);
    database.clicks_become(1).await;
    server.call("DELETE", &format!("/links/{}", id(&link)), &alice, Json::Null).await.expect(204);
    receiver.wait("/both", 2).await;
    database.fanned_out().await;
    let kinds = |arrived: Vec<Arrived>| {
        arrived.iter().map(Arrived::kind).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    assert_eq!(kinds(barrier(&server, &bob, &all, &receiver, "/bob").await), ["webhook.test"]);
    assert_eq!(
        kinds(barrier(&server, &alice, &deleted, &receiver, "/deleted").await),
        ["link.deleted", "webhook.test"]
    );
    assert_eq!(
        kinds(barrier(&server, &alice, &both, &receiver, "/both").await),
        ["link.created", "link.deleted", "webhook.test"]
    );
    // Nobody listens for clicks: none are recorded.
    assert_eq!(database.events("link.clicked").await, 0);
    // One event has one id for all who get it.
    let ids: BTreeSet<String> = ["/deleted", "/both"]
        .iter()
        .flat_map(|path| receiver.arrived(path))
        .filter(|it| it.kind() == "link.deleted")
        .map(|it| it.header("webhook-id").to_owned())
        .collect();
    assert_eq!(ids.len(), 1);
}

#[on_each_database]
async fn each_click_is_told_of_bots_included(database: TestDatabase) {
    let server = open(&database).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    let webhook = server.webhook(&token, &receiver.url("/"), &["link.clicked"]).await;
    server.link(&token, "busy").await;
    for _ in 0..50 {
        server.follow("busy").await.expect(302);
    }
    let bot = server
        .request(reqwest::Method::GET, "/busy")
        .header("user-agent", "Googlebot/2.1 (+http://www.google.com/bot.html)");
    server.send(bot).await.expect(302);
    server.send(server.request(reqwest::Method::HEAD, "/busy")).await.expect(302);
    receiver.wait("/", 51).await;
    let arrived = barrier(&server, &token, &webhook, &receiver, "/").await;
    let clicks: BTreeSet<String> = arrived
        .iter()
        .filter(|it| it.kind() == "link.clicked")
        .map(|it| it.json()["data"]["click"]["id"].to_string())
        .collect();
    assert_eq!((clicks.len(), arrived.len()), (51, 52));
    let bots = arrived.iter().filter(|it| it.json()["data"]["click"]["isBot"] == true).count();
    assert_eq!(bots, 1);
    // Off, and nothing is recorded any more.
    server
        .call("PATCH", &format!("/webhooks/{}", id(&webhook)), &token, json!({ "isActive": false }))
        .await
        .expect(200);
    server.follow("busy").await.expect(302);
    database.clicks_become(52).await;
    assert_eq!(database.events("link.clicked").await, 51);
}

/// The longest texts that a payload can have, of characters that JSON writes longest.
#[on_each_database]
async fn the_largest_payload_is_small(database: TestDatabase) {
    let server = open(&database).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    server.webhook(&token, &receiver.url("/"), &["link.clicked", "api_key.created"]).await;
    let url = format!("https://example.com/?utm_source={}", "\\".repeat(1_007));
    let body = json!({
        "destinationUrl": url,
        "slug": "s".repeat(64),
        "expiredUrl": url,
        "startsAt": "2020-01-01T00:00:00Z",
        "expiresAt": "9999-12-31T23:59:59Z",
        "title": "🦀".repeat(200),
        "notes": "🦀".repeat(1_000),
        "externalId": "🦀".repeat(128),
        "tags": (0..20).map(|n| format!("{}{n:02}", "🦀".repeat(48))).collect::<Vec<_>>(),
    });
    server.post("/links", &token, body).await.expect(201);
    let text = "%22".repeat(300);
    let visit = server
        .request(
            reqwest::Method::GET,
            &format!(
                "/{}?utm_source={text}&utm_medium={text}&utm_campaign={text}&utm_term={text}&utm_content={text}",
                "s".repeat(64)
            ),
        )
        .header("accept-language", "\"".repeat(300))
        .header("referer", format!("https://{}.example/", "a".repeat(63)));
    server.send(visit).await.expect(302);
    let scopes: Vec<&str> = linkgraph::platform::auth::scope::Scope::ALL.iter().map(|scope| scope.as_str()).collect();
    server.post("/api-keys", &token, json!({ "name": "\"".repeat(100), "scopes": scopes })).await.expect(201);
    for arrived in receiver.wait("/", 2).await {
        assert!(
            arrived.json()["data"].to_string().len() < MAX_DATA && arrived.body.len() < 20_000,
            "{} {}",
            arrived.kind(),
            arrived.body.len()
        );
        let kind = EventKind::parse(&arrived.kind()).unwrap();
        EventPayload::read(kind, &arrived.body).unwrap();
    }
}

/// Committed is delivered: the process is killed between the two, and a new one goes on.
#[on_each_database]
async fn kill_9_after_the_commit_loses_no_event(database: TestDatabase) {
    const LINKS: usize = 20;
    let receiver = Receiver::start().await;
    let mut expected = BTreeSet::new();
    let mut token = String::new();
    for round in 0..4 {
        let mut process = TestProcess::start(&database, &SETTINGS).await;
        if round == 0 {
            token = process.register("alice").await;
            process.webhook(&token, &receiver.url("/"), &["link.created"]).await;
        }
        let links: Vec<Json> = (0..LINKS)
            .map(|n| json!({ "destinationUrl": "https://example.com/", "slug": format!("s{round}-{n}") }))
            .collect();
        process.post("/links/bulk", &token, json!({ "links": links })).await.expect(200);
        expected.extend((0..LINKS).map(|n| format!("s{round}-{n}")));
        // At different points: before fan-out, and while it delivers.
        tokio::time::sleep(std::time::Duration::from_millis(60 * round)).await;
        process.kill();
    }
    let process = TestProcess::start(&database, &SETTINGS).await;
    let arrived = eventually("all events arrive", async || {
        let arrived = receiver.arrived("/");
        let slugs: BTreeSet<String> =
            arrived.iter().map(|it| it.json()["data"]["slug"].as_str().unwrap().to_owned()).collect();
        (slugs == expected).then_some(arrived)
    })
    .await;
    database.all_delivered().await;
    assert_eq!(database.deliveries().await, i64::try_from(expected.len()).unwrap());
    let ids: BTreeSet<&str> = arrived.iter().map(|it| it.header("webhook-id")).collect();
    assert_eq!(ids.len(), expected.len(), "doubles have the same id");
    assert!(arrived.len() <= expected.len() + 4 * 8, "at most what was on its way was doubled: {}", arrived.len());
    drop(process);
}
