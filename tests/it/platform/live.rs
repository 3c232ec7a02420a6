//! Subscriptions over WebSockets: the protocol, who may listen, what is told, and what an open socket may cost.

use std::time::{Duration, Instant};

use linkgraph::base::clock::{DAY, MINUTE, SECOND};
use serde_json::{Value as Json, json};
use tokio_tungstenite::tungstenite::Message;

use crate::{
    on_each_database,
    support::{Http, TestDatabase, TestServer, eventually, socket::Socket},
};

const CLICKS: &str =
    "subscription($id: ID!) { clickRecorded(linkId: $id) { browser isBot language utmTerm link { slug clickCount } } }";
const PROTOCOL: &str = "graphql-transport-ws";

fn id(link: &Json) -> Json {
    json!({ "id": link["id"] })
}

/// The code of an operation's one error.
#[track_caller]
fn refused(message: &Json, operation: &str) -> String {
    assert_eq!((&message["type"], &message["id"]), (&json!("error"), &json!(operation)), "{message}");
    assert!(message["payload"][0]["extensions"]["requestId"].is_string(), "{message}");
    message["payload"][0]["extensions"]["code"].as_str().unwrap_or_default().to_owned()
}

async fn metric(server: &Http, name: &str) -> String {
    let metrics = server.get("/metrics", "").await.expect(200).text;
    metrics.lines().find_map(|line| line.strip_prefix(&format!("{name} "))).unwrap_or("none").to_owned()
}

async fn open_sockets(server: &Http) -> String {
    metric(server, "linkgraph_graphql_sockets").await
}

/// Waits until the socket is closed, and returns the code. Clicks that were published before may still arrive.
async fn closed(socket: &mut Socket) -> Json {
    loop {
        let heard = socket.hear().await;
        if heard["type"] != "next" {
            return heard["closed"].clone();
        }
    }
}

/// A subscription is heard of once its first click is.
async fn listening(server: &TestServer, socket: &mut Socket, name: &str, slug: &str, variables: Json) {
    socket.begin(name, CLICKS, variables).await;
    loop {
        server.follow(slug).await.expect(302);
        if !socket.is_silent(Duration::from_millis(400)).await {
            return;
        }
    }
}

#[on_each_database]
async fn clicks_are_told_when_they_are_stored(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let (hers, other) = (server.link(&token, "hers").await, server.link(&token, "other").await);
    let key = server.api_key(&token, &["analytics:read", "links:read"]).await;
    let mut by_user = server.socket(&token).await;
    let header = format!("Bearer {key}");
    let mut by_key = server.open_socket(PROTOCOL, &[("authorization", &header)]).await;
    by_key.say(json!({ "type": "connection_init" })).await;
    assert_eq!(by_key.hear().await["type"], "connection_ack");
    by_user.begin("a", CLICKS, id(&hers)).await;
    by_key.begin("b", CLICKS, id(&hers)).await;
    // Each is answered in order: once these are, the subscriptions are there.
    for socket in [&mut by_user, &mut by_key] {
        socket.begin("q", "{ __typename }", json!({})).await;
        assert_eq!(
            socket.hear().await,
            json!({ "type": "next", "id": "q", "payload": { "data": { "__typename": "Query" } } })
        );
        assert_eq!(socket.hear().await, json!({ "type": "complete", "id": "q" }));
    }
    eventually("both listen", async || {
        (server.api().app.live.listeners(hers["id"].as_str().unwrap().parse().unwrap()) == 2).then_some(())
    })
    .await;
    server.follow("other").await.expect(302);
    for count in 1..=2 {
        server.follow("hers?utm_term=shoes").await.expect(302);
        for (socket, name) in [(&mut by_user, "a"), (&mut by_key, "b")] {
            let click = json!({ "browser": "Firefox", "isBot": false, "language": null, "utmTerm": "shoes", "link": { "slug": "hers", "clickCount": count } });
            let payload = json!({ "data": { "clickRecorded": click } });
            assert_eq!(
                socket.hear().await,
                json!({ "type": "next", "id": name, "payload": payload }),
                "its count is fresh"
            );
        }
    }
    by_user.say(json!({ "type": "complete", "id": "a" })).await;
    // The id is free again.
    by_user.begin("a", CLICKS, id(&other)).await;
    eventually("one listens", async || {
        let listeners = |link: &Json| server.api().app.live.listeners(link["id"].as_str().unwrap().parse().unwrap());
        (listeners(&hers) == 1 && listeners(&other) == 1).then_some(())
    })
    .await;
    server.follow("hers").await.expect(302);
    server.follow("other").await.expect(302);
    assert_eq!(by_user.hear().await["payload"]["data"]["clickRecorded"]["link"]["slug"], "other");
    assert_eq!(by_key.hear().await["payload"]["data"]["clickRecorded"]["link"]["clickCount"], 3);
    assert_eq!(open_sockets(&server).await, "2");
    drop(by_key);
    eventually("the socket is gone", async || (open_sockets(&server).await == "1").then_some(())).await;
    // SIGTERM does the same.
    let hearing = tokio::spawn(async move { by_user.hear().await });
    server.stop().await;
    assert_eq!(hearing.await.unwrap(), json!({ "closed": 1001 }));
}

/// The access rules of GraphQL over HTTP apply, with the same messages.
#[on_each_database]
async fn who_may_not_listen_is_told_why(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_INTROSPECTION", "false")]).await;
    let (alice, mallory) = (server.register("alice").await, server.register("mallory").await);
    let link = server.link(&alice, "hers").await;
    let no_scope = server.api_key(&alice, &["links:read"]).await;
    for (credential, code) in [("", "UNAUTHENTICATED"), (&no_scope, "FORBIDDEN"), (&mallory, "NOT_FOUND")] {
        let mut socket = server.socket(credential).await;
        socket.begin("1", CLICKS, id(&link)).await;
        assert_eq!(refused(&socket.hear().await, "1"), code);
        // The socket goes on.
        socket.say(json!({ "type": "ping", "payload": { "n": 1 } })).await;
        assert_eq!(socket.hear().await, json!({ "type": "pong", "payload": { "n": 1 } }));
    }
    let mut socket = server.socket(&alice).await;
    let two = "subscription { a: clickRecorded(linkId: \"x\") { id } b: clickRecorded(linkId: \"x\") { id } }";
    let spread = "subscription { ...f } fragment f on LiveEvents { clickRecorded(linkId: \"x\") { id } }";
    let many = format!("{{ {} }}", (0..41).map(|n| format!("a{n}: me {{ id }} ")).collect::<String>());
    for (query, code) in [
        ("{ nothing }", "GRAPHQL_VALIDATION_FAILED"),
        ("{ me {", "GRAPHQL_PARSE_FAILED"),
        ("subscription { clickRecorded(linkId: \"x\") { nothing } }", "GRAPHQL_VALIDATION_FAILED"),
        ("subscription { clickRecorded { id } }", "GRAPHQL_VALIDATION_FAILED"),
        ("subscription { clickRecorded(linkId: \"x\") { id } }", "NOT_FOUND"),
        (two, "GRAPHQL_VALIDATION_FAILED"),
        (spread, "NOT_FOUND"),
        (&many, "QUERY_TOO_COMPLEX"),
    ] {
        socket.begin("1", query, json!({})).await;
        assert_eq!(refused(&socket.hear().await, "1"), code, "{query}");
    }
    socket.begin("1", "{ __schema { queryType { name } } }", json!({})).await;
    assert_eq!(socket.hear().await["payload"], json!({ "data": { "__schema": null } }), "it is switched off");
    assert_eq!(socket.hear().await["type"], "complete");
    // Queries and mutations have one result, with data and errors as anywhere.
    let create =
        "mutation { createLink(input: { destinationUrl: \"https://example.com/\", slug: \"made\" }) { slug } }";
    socket.begin("2", create, json!({})).await;
    assert_eq!(socket.hear().await["payload"], json!({ "data": { "createLink": { "slug": "made" } } }));
    assert_eq!(socket.hear().await["type"], "complete");
    socket.begin("3", create, json!({})).await;
    let answer = socket.hear().await;
    assert_eq!((&answer["type"], &answer["payload"]["data"]), (&json!("next"), &json!({ "createLink": null })));
    assert_eq!(answer["payload"]["errors"][0]["extensions"]["code"], "CONFLICT");
    assert_eq!(socket.hear().await["type"], "complete");
    // HTTP has one answer, and a subscription many.
    let answer = server.graphql(&alice, CLICKS, id(&link)).await;
    assert_eq!(answer["errors"][0]["extensions"]["code"], "GRAPHQL_VALIDATION_FAILED", "{answer}");
    assert_eq!(server.get("/graphql/ws", &alice).await.expect(400).code(), "BAD_REQUEST");
    assert_eq!(server.post("/graphql/ws", &alice, json!({})).await.expect(405).code(), "METHOD_NOT_ALLOWED");
}

#[on_each_database]
async fn what_breaks_the_protocol_is_closed_with_its_code(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let link = server.link(&token, "hers").await;
    for protocol in ["", "graphql-ws"] {
        let address = server.base.strip_prefix("http://").unwrap();
        let stream = tokio::net::TcpStream::connect(address).await.unwrap();
        use tokio_tungstenite::tungstenite::client::IntoClientRequest;
        let mut request = format!("ws://{address}/graphql/ws").into_client_request().unwrap();
        if protocol.is_empty() {
            let (mut stream, _) = tokio_tungstenite::client_async(request, stream).await.unwrap();
            let closed = futures_util::StreamExt::next(&mut stream).await.unwrap().unwrap();
            assert!(matches!(&closed, Message::Close(Some(frame)) if u16::from(frame.code) == 4406), "{closed:?}");
        } else {
            request.headers_mut().insert("sec-websocket-protocol", protocol.parse().unwrap());
            // No protocol is chosen, which this client takes for a failure.
            tokio_tungstenite::client_async(request, stream).await.unwrap_err();
        }
    }
    let mut silent = server.open_socket(PROTOCOL, &[]).await;
    for message in [
        Message::text("{nope"),
        Message::text("[]"),
        Message::text("{\"type\":\"start\",\"id\":\"1\",\"payload\":{}}"),
        Message::text("{\"type\":\"subscribe\",\"id\":\"\",\"payload\":{\"query\":\"{a}\"}}"),
        Message::binary("{\"type\":\"ping\"}"),
    ] {
        let mut socket = server.open_socket(PROTOCOL, &[]).await;
        socket.send(message.clone()).await;
        assert_eq!(socket.hear().await, json!({ "closed": 4400 }), "{message}");
    }
    let mut socket = server.socket(&token).await;
    socket.say(json!({ "type": "subscribe", "id": "1", "payload": { "variables": {} } })).await;
    assert_eq!(socket.hear().await, json!({ "closed": 4400 }));
    let mut socket = server.open_socket(PROTOCOL, &[]).await;
    socket.begin("1", "{ __typename }", json!({})).await;
    assert_eq!(socket.hear().await, json!({ "closed": 4401 }));
    let mut socket = server.socket("").await;
    socket.say(json!({ "type": "connection_init" })).await;
    assert_eq!(socket.hear().await, json!({ "closed": 4429 }));
    let mut socket = server.socket(&token).await;
    socket.begin("1", CLICKS, id(&link)).await;
    socket.begin("1", "{ __typename }", json!({})).await;
    assert_eq!(socket.hear().await, json!({ "closed": 4409 }));
    for authorization in
        [json!("Bearer nope"), json!("nope"), json!(1), json!("Bearer lg_live_nope"), json!("a\nb"), json!("")]
    {
        let mut socket = server.open_socket(PROTOCOL, &[]).await;
        socket.say(json!({ "type": "connection_init", "payload": { "Authorization": authorization } })).await;
        assert_eq!(socket.hear().await, json!({ "closed": 4403 }), "{authorization}");
    }
    let mut socket = server.socket("").await;
    socket.send(Message::text(" ".repeat(64 * 1024 + 1))).await;
    assert_eq!(socket.hear().await, json!({ "closed": 1009 }));
    assert_eq!(silent.hear().await, json!({ "closed": 4408 }));
    eventually("all are gone", async || (open_sockets(&server).await == "0").then_some(())).await;
}

/// A key that was revoked, a password that was changed, a user who is gone, a token that expired.
#[on_each_database]
async fn a_credential_that_is_no_good_any_more_closes_its_sockets(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let link = server.link(&token, "hers").await;
    let key = server.api_key(&token, &["analytics:read"]).await;
    let (mut by_key, mut by_user) = (server.socket(&key).await, server.socket(&token).await);
    listening(&server, &mut by_key, "1", "hers", id(&link)).await;
    listening(&server, &mut by_user, "1", "hers", id(&link)).await;
    server.clock.advance(MINUTE + SECOND);
    server.follow("hers").await.expect(302);
    assert_eq!(by_user.hear().await["type"], "next", "it was good");
    let keys = server.get("/api-keys", &token).await.json();
    let path = format!("/api-keys/{}", keys["data"][0]["id"].as_str().unwrap());
    server.call("DELETE", &path, &token, Json::Null).await.expect(204);
    assert_eq!(closed(&mut by_key).await, 4403);
    let change = json!({ "password": "another password of hers", "currentPassword": "alice's password" });
    server.call("PATCH", "/me", &token, change).await.expect(200);
    assert_eq!(closed(&mut by_user).await, 4403);
    let bob = server.register("bob").await;
    let mut expiring = server.socket(&bob).await;
    server.clock.advance(DAY + MINUTE);
    assert_eq!(expiring.hear().await, json!({ "closed": 4403 }));
    let bob = server.login("bob").await;
    let mut deleted = server.socket(&bob).await;
    server.leave(&bob).await.expect(204);
    assert_eq!(deleted.hear().await, json!({ "closed": 4403 }));
}

#[on_each_database]
async fn what_a_socket_costs_is_bounded(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let link = server.link(&token, "hers").await;
    let mut socket = server.socket(&token).await;
    for number in 0..20 {
        socket.begin(&number.to_string(), CLICKS, id(&link)).await;
    }
    socket.begin("20", CLICKS, id(&link)).await;
    assert_eq!(refused(&socket.hear().await, "20"), "RATE_LIMITED");
    let mut others = Vec::new();
    for _ in 0..4 {
        let mut other = server.socket(&token).await;
        for number in 0..20 {
            other.begin(&number.to_string(), CLICKS, id(&link)).await;
        }
        others.push(other);
    }
    let link_id = link["id"].as_str().unwrap().parse().unwrap();
    eventually("100 subscriptions", async || (server.api().app.live.listeners(link_id) == 100).then_some(())).await;
    let mut one_more = server.socket(&token).await;
    one_more.begin("1", CLICKS, id(&link)).await;
    assert_eq!(refused(&one_more.hear().await, "1"), "RATE_LIMITED");
    for _ in 6..100 {
        others.push(server.socket(&token).await);
    }
    let mut too_many = server.open_socket(PROTOCOL, &[]).await;
    let authorization = format!("Bearer {token}");
    too_many.say(json!({ "type": "connection_init", "payload": { "authorization": authorization } })).await;
    assert_eq!(too_many.hear().await, json!({ "closed": 1013 }));
    drop(others);
    eventually("there is room again", async || (server.api().app.live.listeners(link_id) == 20).then_some(())).await;
    one_more.begin("1", "{ me { id } }", json!({})).await;
    assert_eq!(one_more.hear().await["type"], "next");
    // A client that is silent is asked, and one that does not answer is gone.
    assert_eq!(socket.pings, 0);
    for (pings, silent) in [(1, 21 * SECOND), (2, 41 * SECOND)] {
        server.clock.advance(silent);
        let deadline = Instant::now() + Duration::from_secs(30);
        while socket.pings < pings {
            assert!(Instant::now() < deadline, "{} of {pings} pings", socket.pings);
            socket.is_silent(Duration::from_millis(200)).await;
        }
        // As it reads on, it answers, and is asked once.
        socket.is_silent(Duration::from_secs(2)).await;
        assert_eq!(socket.pings, pings);
    }
    eventually("the one that does not read is gone", async || (open_sockets(&server).await == "1").then_some(())).await;
}

/// Whichever node stores it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_click_on_any_node_is_told_once_on_each() {
    let database = TestDatabase::postgres().await;
    let other = database.node();
    let nodes = [database.start().await, other.start().await];
    let token = nodes[0].register("alice").await;
    let link = nodes[0].link(&token, "hers").await;
    nodes[0].follow("hers").await.expect(302);
    database.clicks_become(1).await;
    let mut sockets = Vec::new();
    for node in &nodes {
        let mut socket = node.socket(&token).await;
        socket.begin("1", CLICKS, id(&link)).await;
        sockets.push(socket);
        let link = link["id"].as_str().unwrap().parse().unwrap();
        eventually("it listens", async || (node.api().app.live.listeners(link) == 1).then_some(())).await;
    }
    for count in 2..6 {
        nodes[count % 2].follow("hers").await.expect(302);
        for socket in &mut sockets {
            let told = socket.hear().await;
            assert_eq!(told["payload"]["data"]["clickRecorded"]["link"]["clickCount"], count, "{told}");
        }
    }
    for socket in &mut sockets {
        assert!(socket.is_silent(Duration::from_millis(600)).await, "it was told");
    }
    for node in nodes {
        node.stop().await;
    }
}
