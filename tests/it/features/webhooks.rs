//! Webhooks: created, changed, listed and deleted as the rules say, and their secrets shown once.

use futures_util::future::join_all;
use linkgraph::{
    api,
    base::clock::SECOND,
    contract::{OperationKind, Shape},
    platform::work::event_kind::EventKind,
};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, Http, TestDatabase, TestServer, eventually,
        receiver::{Arrived, Behaviour, Receiver, id},
    },
};

const FIELDS: [&str; 13] = [
    "id",
    "name",
    "url",
    "events",
    "batch",
    "linkIds",
    "excludeBots",
    "isActive",
    "createdAt",
    "updatedAt",
    "failingSince",
    "disabledAt",
    "disabledReason",
];
const URL: &str = "https://hooks.example.com/x";

fn keys(json: &Json) -> Vec<&str> {
    json.as_object().unwrap().keys().map(String::as_str).collect()
}

async fn create(http: &Http, credential: &str, body: Json) -> Answer {
    http.post("/webhooks", credential, body).await
}

/// A service whose webhooks may reach the test, and may be many.
async fn open(database: &TestDatabase) -> TestServer {
    let settings = [("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true"), ("LINKGRAPH_DEFAULT_PLAN", "unlimited")];
    database.start_with(&settings).await
}

/// One table of events: the schema's payload types, the union, and the names that callers may write are the same.
#[test]
fn the_contract_names_each_event_once() {
    let (_, contract, _) = api::contract().unwrap();
    let all: Vec<&str> = EventKind::ALL.iter().map(|kind| kind.as_str()).collect();
    let Shape::Union(members) = &contract.types["EventPayload"].shape else { panic!("it is no union") };
    let of_members: Vec<&str> = members.iter().map(|member| contract.types[member].event.as_deref().unwrap()).collect();
    assert_eq!(of_members, all);
    assert_eq!(contract.types.values().filter(|definition| definition.event.is_some()).count(), all.len());
    for input in ["CreateWebhookInput", "UpdateWebhookInput"] {
        let events = contract.input(input).unwrap().iter().find(|field| field.name == "events").unwrap();
        assert_eq!(events.rules.values.as_ref().unwrap(), &all, "{input}");
    }
    let list = contract.operation(OperationKind::Query, "webhookDeliveries").unwrap();
    let filter = list.field.arguments.iter().find(|argument| argument.name == "event").unwrap();
    assert_eq!(filter.rules.values.as_ref().unwrap(), &all);
    for name in ["Webhook", "Delivery", "AttemptResult"] {
        let fields = contract.object(name).unwrap();
        assert!(fields.iter().all(|field| !field.name.to_lowercase().contains("secret")), "{name} shows a secret");
    }
}

#[on_each_database]
async fn a_webhook_is_created_through_both_doors(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let key = server.api_key(&token, &["webhooks:read", "webhooks:manage", "links:read", "analytics:read"]).await;
    for (path, credential) in [("/webhooks", &token), ("/api/v1/webhooks", &key)] {
        // In any order, and twice: each counts once, in the order of the documentation.
        let events = ["webhook.disabled", "link.clicked", "link.created", "link.clicked"];
        let body = json!({ "name": "CRM", "url": "HTTPS://Hooks.Example.com:443/a b?c=d", "events": events });
        let answer = server.post(path, credential, body).await.expect(201);
        let mut webhook = answer.json();
        let secret = webhook.as_object_mut().unwrap().remove("secret").unwrap();
        assert!(secret.as_str().unwrap().starts_with("whsec_"), "{secret}");
        standardwebhooks::Webhook::new(secret.as_str().unwrap()).unwrap();
        assert_eq!(keys(&webhook), FIELDS);
        let created_at = webhook["createdAt"].as_str().unwrap();
        let expected = json!({
            "id": id(&webhook),
            "name": "CRM",
            "url": "https://hooks.example.com/a%20b?c=d",
            "events": ["link.created", "link.clicked", "webhook.disabled"],
            "batch": false,
            "linkIds": null,
            "excludeBots": false,
            "isActive": true,
            "createdAt": created_at,
            "updatedAt": created_at,
            "failingSince": null,
            "disabledAt": null,
            "disabledReason": null,
        });
        assert_eq!(webhook, expected);
        assert_eq!(answer.header("location"), format!("{path}/{}", id(&webhook)));
        assert_eq!(server.get(answer.header("location"), credential).await.expect(200).json(), webhook);
    }
}

#[on_each_database]
async fn all_violations_come_at_once_under_the_callers_names(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let path = format!("/webhooks/{}", id(&server.webhook(&token, URL, &["link.created"]).await));
    let before = server.get(&path, &token).await.json();
    let long = format!("https://example.com/{}", "x".repeat(2_048));
    let many: Vec<&str> = std::iter::repeat_n("link.created", 101).collect();
    for (change, paths) in [
        (
            json!({ "name": "", "url": "ftp://example.com", "events": ["link.created", "nope", "link.*"] }),
            vec!["name", "url", "events.1", "events.2"],
        ),
        (json!({ "name": " x", "events": [] }), vec!["name", "events"]),
        (json!({ "name": "x".repeat(101), "url": long }), vec!["name", "url"]),
        (json!({ "name": 5, "url": {}, "events": "link.created" }), vec!["name", "url", "events"]),
        (json!({ "events": ["link.created", 5, null] }), vec!["events.1", "events.2"]),
        (json!({ "events": many }), vec!["events"]),
        (json!({ "url": "/relative" }), vec!["url"]),
        (json!({ "url": "https://user:secret@example.com/" }), vec!["url"]),
        (json!({ "url": "http://127.0.0.1:9/" }), vec!["url"]),
        (json!({ "url": "http://localhost/" }), vec!["url"]),
        (json!({ "url": "http://[::1]/" }), vec!["url"]),
    ] {
        let mut whole = json!({ "name": "x", "url": URL, "events": ["link.created"] });
        whole.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let answer = create(&server, &token, whole).await.expect(400);
        assert_eq!(
            (answer.code().as_str(), answer.violations()),
            ("VALIDATION_ERROR", paths.iter().map(|path| (*path).to_owned()).collect()),
            "{change}"
        );
        let answer = server.call("PATCH", &path, &token, change.clone()).await.expect(400);
        assert_eq!(answer.violations(), paths, "{change}");
    }
    assert_eq!(create(&server, &token, json!({})).await.expect(400).violations(), ["name", "url", "events"]);
    let answer = server.call("PATCH", &path, &token, json!({ "isActive": "yes" })).await.expect(400);
    assert_eq!(answer.violations(), ["isActive"]);
    let query =
        "mutation { createWebhook(input: { name: \"\", url: \"http://10.0.0.1/\", events: [\"nope\"] }) { secret } }";
    let error = &server.graphql(&token, query, json!({})).await["errors"][0]["extensions"];
    assert_eq!(error["code"], "VALIDATION_ERROR");
    let paths: Vec<&str> =
        error["validationErrors"].as_array().unwrap().iter().map(|it| it["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["name", "url", "events.0"]);
    for query in ["?status=DONE", "?event=nope", "?status=FAILED&event=*&page=0&pageSize=101"] {
        let answer = server.get(&format!("{path}/deliveries{query}"), &token).await.expect(400);
        assert!(!answer.violations().is_empty(), "{query}");
    }
    assert_eq!(server.get("/webhooks", &token).await.json()["data"], json!([before]), "nothing was changed");
}

#[on_each_database]
async fn the_secret_is_shown_by_create_and_rotate_alone(database: TestDatabase) {
    let server = open(&database).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    let webhook = server.webhook(&token, &receiver.url("/"), &["webhook.test"]).await;
    let path = format!("/webhooks/{}", id(&webhook));
    let rotated = server.post(&format!("{path}/rotate-secret"), &token, Json::Null).await.expect(200).json();
    assert_eq!(keys(&rotated).len(), FIELDS.len() + 1);
    let secrets = [webhook["secret"].as_str().unwrap(), rotated["secret"].as_str().unwrap()];
    assert_ne!(secrets[0], secrets[1]);
    server.post(&format!("{path}/test"), &token, Json::Null).await.expect(200);
    let arrived = receiver.wait("/", 1).await;
    server.delivery_that(&token, &webhook, "it succeeds", |delivery| delivery["status"] == "SUCCEEDED").await;
    let fields = "id name url events isActive createdAt updatedAt failingSince disabledAt disabledReason";
    let query = format!(
        "{{ webhooks {{ data {{ {fields} deliveries {{ deliveries {{ id messageId payload {{ __typename \
             ... on WebhookTestEventPayload {{ type data {{ {fields} }} }} }} webhook {{ {fields} }} }} }} }} }} }}"
    );
    for answer in [
        server.get(&path, &token).await,
        server.get("/webhooks", &token).await,
        server.get(&format!("{path}/deliveries"), &token).await,
        server.call("PATCH", &path, &token, json!({ "name": "other" })).await,
        server.post("/graphql", &token, json!({ "query": query })).await,
    ] {
        let answer = answer.expect(200);
        assert!(!answer.text.contains("whsec_") && !answer.text.contains("errors"), "{answer:?}");
    }
    assert!(!arrived[0].body.contains("whsec_"), "{arrived:?}");
    let stored = database.everything_stored().await;
    for table in ["outbox_events", "jobs"] {
        assert_eq!(database.number(&format!("SELECT count(*) FROM {table} WHERE payload LIKE '%whsec%'")).await, 0);
    }
    assert!(crate::support::stored::holds(&stored, secrets[1].as_bytes()), "the service signs with it");
    let asked = server.graphql(&token, "{ webhooks { data { secret } } }", json!({})).await;
    assert!(asked["data"].is_null(), "{asked}");
}

#[on_each_database]
async fn a_plan_has_so_many_webhooks_also_in_a_race(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let body = json!({ "name": "x", "url": URL, "events": ["link.created"] });
    let answers = join_all((0..16).map(|_| create(&server, &token, body.clone()))).await;
    let (made, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 201);
    assert_eq!((made.len(), refused.len()), (2, 14));
    for answer in refused {
        let answer = answer.expect(403);
        assert_eq!(answer.code(), "PLAN_LIMIT_REACHED");
        let details = json!({ "limit": 2, "used": 2, "resource": "webhooks" });
        assert_eq!(answer.json()["error"]["details"], details);
    }
    let path = format!("/webhooks/{}", id(&made[0].json()));
    server.call("DELETE", &path, &token, Json::Null).await.expect(204);
    create(&server, &token, body).await.expect(201);
}

/// The walk over all operations knows links and keys; this one has a delivery, too.
#[on_each_database]
async fn nobody_finds_anothers_webhook(database: TestDatabase) {
    let server = open(&database).await;
    let (alice, mallory) = (server.register("alice").await, server.register("mallory").await);
    let receiver = Receiver::start().await;
    let webhook = server.webhook(&alice, &receiver.url("/"), &["link.created"]).await;
    let own = server.webhook(&mallory, &receiver.url("/own"), &["link.created"]).await;
    let path = format!("/webhooks/{}", id(&webhook));
    let delivery = server.post(&format!("{path}/test"), &alice, Json::Null).await.expect(200).json();
    server.delivery_that(&alice, &webhook, "it succeeds", |delivery| delivery["status"] == "SUCCEEDED").await;
    for (method, path, body) in [
        ("GET", path.clone(), Json::Null),
        ("PATCH", path.clone(), json!({ "url": receiver.url("/stolen") })),
        ("DELETE", path.clone(), Json::Null),
        ("GET", format!("{path}/deliveries"), Json::Null),
        ("POST", format!("{path}/test"), Json::Null),
        ("POST", format!("{path}/rotate-secret"), Json::Null),
        ("POST", format!("{path}/deliveries/{}/redeliver", id(&delivery)), Json::Null),
        ("POST", format!("/webhooks/{}/deliveries/{}/redeliver", id(&own), id(&delivery)), Json::Null),
    ] {
        assert_eq!(server.call(method, &path, &mallory, body).await.expect(404).code(), "NOT_FOUND", "{method} {path}");
    }
    let query = "query($id: ID!) { webhook(id: $id) { id } }";
    let answer = server.graphql(&mallory, query, json!({ "id": id(&webhook) })).await;
    assert_eq!(answer["errors"][0]["extensions"]["code"], "NOT_FOUND");
    assert_eq!(server.get("/webhooks", &mallory).await.json()["total"], 1);
    assert_eq!(receiver.arrived("/").len() + receiver.arrived("/own").len() + receiver.arrived("/stolen").len(), 1);
}

#[on_each_database]
async fn a_change_leaves_what_it_does_not_name(database: TestDatabase) {
    let server = open(&database).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    let mut webhook = server.webhook(&token, &receiver.url("/"), &["link.created"]).await;
    webhook.as_object_mut().unwrap().remove("secret");
    let path = format!("/webhooks/{}", id(&webhook));
    for change in [
        json!({ "name": "another" }),
        json!({ "events": ["link.deleted", "link.updated"] }),
        json!({ "url": receiver.url("/moved") }),
        json!({ "isActive": false }),
    ] {
        server.clock.advance(SECOND);
        let answer = server.call("PATCH", &path, &token, change.clone()).await.expect(200).json();
        assert!(answer["updatedAt"].as_str() > webhook["updatedAt"].as_str(), "{answer}");
        webhook["updatedAt"] = answer["updatedAt"].clone();
        for (name, value) in change.as_object().unwrap().iter().filter(|(name, _)| FIELDS.contains(&name.as_str())) {
            webhook[name] = value.clone();
        }
        if change.get("events").is_some_and(Json::is_array) {
            webhook["events"] = json!(["link.updated", "link.deleted"]);
        }
        assert_eq!(answer, webhook, "{change}");
        assert_eq!(server.get(&path, &token).await.json(), webhook);
    }
    // Nothing is sent to what is off, and nothing is kept for it.
    let refused = server.post(&format!("{path}/test"), &token, Json::Null).await.expect(409);
    assert_eq!(
        (refused.code().as_str(), &refused.json()["error"]["details"]["path"]),
        ("CONFLICT", &json!("isActive"))
    );
    let link = server.link(&token, "off").await;
    server.call("DELETE", &format!("/links/{}", id(&link)), &token, Json::Null).await.expect(204);
    database.fanned_out().await;
    server.call("PATCH", &path, &token, json!({ "isActive": true })).await.expect(200);
    server.post(&format!("{path}/test"), &token, Json::Null).await.expect(200);
    let arrived = receiver.wait("/moved", 1).await;
    assert_eq!(arrived.iter().map(Arrived::kind).collect::<Vec<_>>(), ["webhook.test"]);
    assert_eq!(server.deliveries(&token, &webhook, "").await.len(), 1);
}

#[on_each_database]
async fn what_is_deleted_gets_nothing_and_leaves_nothing(database: TestDatabase) {
    let server = open(&database).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    receiver.set("/gone", Behaviour::Status(500));
    let webhook = server.webhook(&token, &receiver.url("/gone"), &["link.created"]).await;
    let kept = server.webhook(&token, &receiver.url("/kept"), &["link.created"]).await;
    for number in 0..3 {
        server.link(&token, &format!("s{number}")).await;
    }
    receiver.wait("/gone", 3).await;
    receiver.wait("/kept", 3).await;
    let path = format!("/webhooks/{}", id(&webhook));
    server.call("DELETE", &path, &token, Json::Null).await.expect(204);
    server.get(&path, &token).await.expect(404);
    server.get(&format!("{path}/deliveries"), &token).await.expect(404);
    let of_others = "SELECT count(*) FROM deliveries WHERE webhook_id NOT IN (SELECT id FROM webhooks)";
    eventually("its deliveries are gone", async || (database.number(of_others).await == 0).then_some(())).await;
    let orphans = "SELECT count(*) FROM delivery_attempts WHERE delivery_id NOT IN (SELECT id FROM deliveries)";
    assert_eq!(database.number(orphans).await, 0);
    let before = receiver.arrived("/gone").len();
    server.clock.advance(60 * SECOND);
    server.link(&token, "after").await;
    receiver.wait("/kept", 4).await;
    assert_eq!(receiver.arrived("/gone").len(), before);
    eventually("all arrived", async || {
        let deliveries = server.deliveries(&token, &kept, "").await;
        (deliveries.len() == 4 && deliveries.iter().all(|it| it["status"] == "SUCCEEDED")).then_some(())
    })
    .await;
    // An account takes all of it along.
    server.leave(&token).await.expect(204);
    eventually("nothing is left", async || {
            let left = "SELECT (SELECT count(*) FROM deliveries) + (SELECT count(*) FROM webhooks) + (SELECT count(*) FROM delivery_attempts)";
            (database.number(left).await == 0).then_some(())
        })
        .await;
}
