//! Annotations: written down, listed by time and link, changed and deleted, each account's own.

use sea_orm::ConnectionTrait;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{TestDatabase, receiver::id},
};

const PATH: &str = "/analytics/annotations";

#[on_each_database]
async fn annotations_are_listed_by_time_and_link(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let [spring, summer] = [server.link(&alice, "spring").await, server.link(&alice, "summer").await];
    let write = async |hour: u32, text: &str, link: Option<&Json>| {
        let body =
            json!({ "occurredAt": format!("2026-11-24T{hour:02}:00:00.000Z"), "text": text, "linkId": link.map(id) });
        server.post(PATH, &alice, body).await.expect(201).json()
    };
    let sent = write(8, "Newsletter sent", None).await;
    write(7, "Poster hung up", Some(&spring)).await;
    write(9, "Talk", Some(&summer)).await;
    let made = server.get(&format!("{PATH}/{}", id(&sent)), &alice).await.expect(200).json();
    assert_eq!(made, sent);
    assert_eq!((&sent["text"], &sent["linkId"]), (&json!("Newsletter sent"), &Json::Null));
    let texts = async |query: &str| {
        let page = server.get(&format!("{PATH}?{query}"), &alice).await.expect(200).json();
        let texts: Vec<_> = page["data"].as_array().unwrap().iter().map(|it| it["text"].clone()).collect();
        assert_eq!(page["total"], texts.len(), "{page}");
        texts
    };
    assert_eq!(texts("").await, ["Talk", "Newsletter sent", "Poster hung up"]);
    assert_eq!(texts(&format!("linkId={}", id(&spring))).await, ["Newsletter sent", "Poster hung up"]);
    let hour = "from=2026-11-24T07:00:00Z&to=2026-11-24T09:00:00Z";
    assert_eq!(texts(hour).await, ["Newsletter sent", "Poster hung up"]);
    let query = "query($id: ID) { annotations(linkId: $id, pageSize: 1) { data { text linkId } total } }";
    let first = server.graphql(&alice, query, json!({ "id": id(&summer) })).await;
    let talk = json!({ "data": [{ "text": "Talk", "linkId": id(&summer) }], "total": 2 });
    assert_eq!(first["data"]["annotations"], talk);
    // Nobody else's link, and nobody else's annotation.
    server.get(&format!("{PATH}?linkId={}", id(&spring)), &bob).await.expect(404);
    let body = json!({ "occurredAt": "2026-11-24T07:00:00Z", "text": "x", "linkId": id(&spring) });
    server.post(PATH, &bob, body).await.expect(404);
    let place = format!("{PATH}/{}", id(&sent));
    for (method, body) in [("GET", Json::Null), ("PATCH", json!({ "text": "Bob's" })), ("DELETE", Json::Null)] {
        server.call(method, &place, &bob, body).await.expect(404);
    }
    assert_eq!(server.get(PATH, &bob).await.expect(200).json()["total"], 0);
    assert_eq!(server.get(&place, &alice).await.json(), sent);
    // They go with their link.
    server.call("DELETE", &format!("/links/{}", id(&spring)), &alice, Json::Null).await.expect(204);
    assert_eq!(texts("").await, ["Talk", "Newsletter sent"]);
}

#[on_each_database]
async fn annotations_change_as_they_are_told(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let body = json!({ "occurredAt": "2026-11-24T07:00:00Z", "text": "Newsletter sent" });
    let made = server.post(PATH, &token, body.clone()).await.expect(201);
    let annotation = made.json();
    let place = format!("{PATH}/{}", id(&annotation));
    assert_eq!(made.header("location"), place);
    for (body, violation) in [
        (json!({ "text": " " }), "text"),
        (json!({ "text": "a\nb" }), "text"),
        (json!({ "text": "a".repeat(201) }), "text"),
        (json!({ "occurredAt": "yesterday" }), "occurredAt"),
        (json!({ "linkId": null }), "linkId"),
    ] {
        assert_eq!(server.call("PATCH", &place, &token, body).await.expect(400).violations(), [violation]);
    }
    assert_eq!(server.get(&place, &token).await.json(), annotation);
    server.clock.advance(1_000);
    let later = json!({ "occurredAt": "2026-11-24T08:00:00Z", "expectedUpdatedAt": annotation["updatedAt"] });
    let changed = server.call("PATCH", &place, &token, later.clone()).await.expect(200).json();
    assert_eq!((&changed["occurredAt"], &changed["text"]), (&json!("2026-11-24T08:00:00.000Z"), &annotation["text"]));
    server.call("PATCH", &place, &token, later).await.expect(412);
    // A key that may only read writes nothing.
    let key = server.api_key(&token, &["analytics:read"]).await;
    server.get(&format!("/api/v1{PATH}"), &key).await.expect(200);
    server.post(&format!("/api/v1{PATH}"), &key, body.clone()).await.expect(403);
    server.call("DELETE", &format!("/api/v1{place}"), &key, Json::Null).await.expect(403);
    assert_eq!(server.get(&place, &token).await.json(), changed);
    server.call("DELETE", &place, &token, Json::Null).await.expect(204);
    server.call("DELETE", &place, &token, Json::Null).await.expect(404);

    // An account has a thousand.
    server.post(PATH, &token, body.clone()).await.expect(201);
    let connection = database.connect().await;
    let uuid = |number| match database.url {
        Some(_) => format!("'{number:032x}'::uuid"),
        None => format!("x'{number:032x}'"),
    };
    for number in 1..1_000 {
        let values = format!("{}, (SELECT account_id FROM annotations LIMIT 1), {number}, 'x', 0, 0", uuid(number));
        let row = format!(
            "INSERT INTO annotations (id, account_id, occurred_at, text, created_at, updated_at) VALUES ({values})"
        );
        connection.execute_unprepared(&row).await.unwrap();
    }
    connection.close().await.unwrap();
    let refused = server.post(PATH, &token, body).await.expect(403).json();
    assert_eq!(
        (&refused["error"]["code"], &refused["error"]["details"]["limit"]),
        (&json!("PLAN_LIMIT_REACHED"), &json!(1_000))
    );
}
