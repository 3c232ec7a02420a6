//! Revoked credentials are refused within a second: on every route, on every node, by open sockets, and after a restart.

use std::time::Instant;

use futures_util::future::join_all;
use linkgraph::{
    base::{
        clock::{DAY, HOUR, MINUTE, SECOND},
        ids::UserId,
    },
    redirect::{invalidation, stale::Stale},
};
use sea_orm::{ConnectionTrait, TransactionTrait};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Http, TestDatabase, TestServer, eventually, mail::reset_token, members::join, receiver::id, socket::Socket,
        soon,
    },
};

/// Paths whose operations check the signature only, or load the user as well.
const PATHS: [&str; 6] = ["/links", "/links/{}", "/analytics/{}", "/analytics/{}/summary", "/me", "/webhooks"];
const QUERIES: [&str; 2] = ["{ links { total } }", "{ me { id } }"];

/// Routes of each kind that accept a user token; all others refuse it.
async fn accepting(node: &Http, token: &str, link: &Json) -> Vec<String> {
    let by_path = join_all(PATHS.map(async |path| {
        let answer = node.get(&path.replace("{}", id(link)), token).await;
        let refused = answer.status == 401;
        assert!(refused || answer.status == 200 || answer.status == 404, "{path}: {answer:?}");
        (!refused).then(|| path.to_owned())
    }));
    let by_query = join_all(QUERIES.map(async |query| {
        let answer = node.graphql(token, query, Json::Null).await;
        let code = &answer["errors"][0]["extensions"]["code"];
        assert!(code.is_null() || code == "UNAUTHENTICATED", "{query}: {answer}");
        code.is_null().then(|| query.to_owned())
    }));
    let socket = async {
        let (_, answer) = node.begin_socket(token).await;
        let refused = answer == json!({ "closed": 4403 });
        assert!(refused || answer["type"] == "connection_ack", "{answer}");
        (!refused).then(|| "a socket".to_owned())
    };
    let (mut accepted, more, socket) = futures_util::join!(by_path, by_query, socket);
    accepted.extend(more);
    accepted.push(socket);
    accepted.into_iter().flatten().collect()
}

/// Waits until every route refuses the token.
async fn refused_soon(node: &Http, token: &str, link: &Json, since: Instant) {
    eventually("every route refuses it", async || accepting(node, token, link).await.is_empty().then_some(())).await;
    assert!(since.elapsed() <= soon(), "after {:?}", since.elapsed());
}

async fn accepted_everywhere(node: &Http, token: &str, link: &Json) {
    assert_eq!(accepting(node, token, link).await.len(), PATHS.len() + QUERIES.len() + 1);
}

async fn closed_soon(socket: &mut Socket, since: Instant) {
    assert_eq!(socket.hear().await, json!({ "closed": 4403 }));
    assert!(since.elapsed() <= soon(), "after {:?}", since.elapsed());
}

/// A socket that goes on.
async fn is_open(socket: &mut Socket) {
    socket.say(json!({ "type": "ping" })).await;
    assert_eq!(socket.hear().await, json!({ "type": "pong" }));
}

fn text(answer: &Json, name: &str) -> String {
    answer[name].as_str().unwrap_or_else(|| panic!("no {name}: {answer}")).to_owned()
}

/// Changes alice's password, which was changed `changes` times before. Returns the new token.
async fn change_password(node: &Http, token: &str, changes: usize) -> String {
    let password =
        |changes| if changes == 0 { "alice's password".to_owned() } else { format!("her password {changes}") };
    let change = json!({ "password": password(changes + 1), "currentPassword": password(changes) });
    text(&node.call("PATCH", "/me", token, change).await.expect(200).json(), "accessToken")
}

/// Has a reset mail sent to alice, the first of this database, and answers its token.
async fn forget(node: &Http, database: &TestDatabase) -> String {
    node.post("/auth/forgot-password", "", json!({ "email": "alice@example.com" })).await.expect(200);
    reset_token(database, 1).await
}

async fn key_id(node: &Http, token: &str) -> String {
    text(&node.get("/api-keys", token).await.expect(200).json()["data"][0], "id")
}

#[on_each_database]
async fn a_new_password_ends_every_older_token(database: TestDatabase) {
    let server = database.start().await;
    let bob = server.register("bob").await;
    let hers = server.link(&bob, "bobs").await;
    let mut token = server.register("alice").await;
    let link = server.link(&token, "hers").await;
    let mut tokens = vec![server.login("alice").await];
    // Several within a second, by which tokens say when they were issued.
    for change in 0..4 {
        let mut socket = server.socket(&token).await;
        let fresh = change_password(&server, &token, change).await;
        let since = Instant::now();
        tokens.push(std::mem::replace(&mut token, fresh));
        for old in &tokens {
            assert_eq!(accepting(&server, old, &link).await, [""; 0], "at once");
        }
        accepted_everywhere(&server, &token, &link).await;
        closed_soon(&mut socket, since).await;
    }
    accepted_everywhere(&server, &bob, &hers).await;

    let change = json!({ "input": { "password": "the last", "currentPassword": "her password 4" } });
    let mutation = "mutation($input: UpdateMeInput!) { updateMe(input: $input) { \
                        user { email account { plan } } accessToken tokenType expiresIn } }";
    let answer = server.graphql(&token, mutation, change).await["data"]["updateMe"].clone();
    let user = &answer["user"];
    let rest = (&user["email"], &answer["tokenType"], &answer["expiresIn"], &user["account"]["plan"]);
    assert_eq!(rest, (&json!("alice@example.com"), &json!("Bearer"), &json!(86_400), &json!("free")));
    assert_eq!(accepting(&server, &token, &link).await, [""; 0]);
    let fresh = text(&answer, "accessToken");
    let answer = server.call("PATCH", "/me", &fresh, json!({ "name": "Ada" })).await.expect(200).json();
    assert!(answer["accessToken"].is_null() && answer["tokenType"].is_null() && answer["expiresIn"].is_null());
    assert_eq!((&answer["name"], &answer["email"]), (&json!("Ada"), &json!("alice@example.com")));
    accepted_everywhere(&server, &fresh, &link).await;
}

#[on_each_database]
async fn a_change_that_is_refused_revokes_nothing(database: TestDatabase) {
    let server = database.start().await;
    server.register("bob").await;
    let token = server.register("alice").await;
    let (link, key) = (server.link(&token, "hers").await, server.api_key(&token, &["links:read"]).await);
    let wrong = json!({ "password": "another one", "currentPassword": "wrong", "revokeApiKeys": true });
    server.call("PATCH", "/me", &token, wrong).await.expect(401);
    let taken = json!({ "email": "bob@example.com", "password": "another one", "revokeApiKeys": true,
                            "currentPassword": "alice's password" });
    server.call("PATCH", "/me", &token, taken).await.expect(409);
    let reset = json!({ "token": "unknown", "password": "another one", "revokeApiKeys": true });
    server.post("/auth/reset-password", "", reset).await.expect(401);
    accepted_everywhere(&server, &token, &link).await;
    server.get("/api/v1/links", &key).await.expect(200);
    for (table, condition) in [
        ("invalidations", "what LIKE '%user_tokens%'"),
        ("api_keys", "revoked_at > 0"),
        ("outbox_events", "kind = 'api_key.revoked'"),
    ] {
        assert_eq!(database.number(&format!("SELECT count(*) FROM {table} WHERE {condition}")).await, 0, "{table}");
    }
}

#[on_each_database]
async fn a_reset_and_a_deletion_end_tokens_and_a_restart_changes_nothing(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let (hers, his) = (server.link(&alice, "hers").await, server.link(&bob, "his").await);
    let token = forget(&server, &database).await;
    let mut socket = server.socket(&alice).await;
    server.post("/auth/reset-password", "", json!({ "token": token, "password": "from the mail" })).await.expect(200);
    let since = Instant::now();
    assert_eq!(accepting(&server, &alice, &hers).await, [""; 0]);
    closed_soon(&mut socket, since).await;
    let mut socket = server.socket(&bob).await;
    server.leave(&bob).await.expect(204);
    let since = Instant::now();
    assert_eq!(accepting(&server, &bob, &his).await, [""; 0]);
    closed_soon(&mut socket, since).await;
    assert_eq!(
        server.post("/links", &bob, json!({ "destinationUrl": "https://example.com/" })).await.code(),
        "UNAUTHENTICATED"
    );
    let login = json!({ "email": "alice@example.com", "password": "from the mail" });
    let fresh = text(&server.post("/auth/login", "", login).await.expect(200).json(), "accessToken");
    // By then other changes are deleted.
    server.clock.advance(2 * HOUR);
    invalidation::delete_old(&server.api().app.redirects).await.unwrap();
    let clock = server.clock.clone();
    server.stop().await;

    let server = database.start_at(&[], clock).await;
    assert_eq!(accepting(&server, &alice, &hers).await, [""; 0]);
    assert_eq!(accepting(&server, &bob, &his).await, [""; 0]);
    accepted_everywhere(&server, &fresh, &hers).await;
    let revocations = "SELECT count(*) FROM invalidations";
    assert_eq!(database.number(revocations).await, 2);
    server.clock.advance(DAY - 2 * HOUR + MINUTE);
    assert_eq!(accepting(&server, &alice, &hers).await, [""; 0], "expired by now, but for its leeway");
    server.clock.advance(HOUR);
    invalidation::delete_old(&server.api().app.redirects).await.unwrap();
    assert_eq!(database.number(revocations).await, 0);
}

/// As a command does, beside the running service: on SQLite too.
#[on_each_database]
async fn what_another_process_revokes_is_noticed(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let link = server.link(&token, "hers").await;
    let mut socket = server.socket(&token).await;
    let user: UserId = text(&server.get("/me", &token).await.json(), "id").parse().unwrap();
    server.follow("hers").await.expect(302);
    let db = database.db().await;
    for round in 0..3 {
        let tx = db.begin().await.unwrap();
        let now = server.clock.now();
        let account =
            linkgraph::records::accounts::repo::user_by_email(&tx, "alice@example.com").await.unwrap().unwrap();
        let account = linkgraph::base::ids::AccountId(account.account_id);
        // First nothing that concerns her.
        let user = if round == 2 { user } else { UserId::new() };
        let recorded = invalidation::record(&tx, &[Stale::user_tokens(account, user, now)], now).await.unwrap();
        assert_eq!(recorded.len(), 1);
        accepted_everywhere(&server, &token, &link).await;
        tx.commit().await.unwrap();
    }
    let since = Instant::now();
    refused_soon(&server, &token, &link, since).await;
    closed_soon(&mut socket, since).await;
    db.close().await;
}

#[on_each_database]
async fn a_key_that_ends_closes_its_sockets(database: TestDatabase) {
    let server = database.start().await;
    let (token, bob) = (server.register("alice").await, server.register("bob").await);
    let expires_at = linkgraph::base::clock::rfc3339(server.clock.now() + HOUR);
    let expiring = json!({ "name": "for an hour", "scopes": [], "expiresAt": expires_at });
    let expiring = text(&server.post("/api-keys", &token, expiring).await.expect(201).json(), "key");
    let (kept, revoked) = (server.api_key(&token, &[]).await, server.api_key(&token, &[]).await);
    let newest = key_id(&server, &token).await;
    let mut ending = [server.socket(&revoked).await, server.socket(&revoked).await];
    let mut others = [server.socket(&kept).await, server.socket(&token).await, server.socket(&bob).await];
    let mut expiring = server.socket(&expiring).await;
    server.call("DELETE", &format!("/api-keys/{newest}"), &token, Json::Null).await.expect(204);
    let since = Instant::now();
    for socket in &mut ending {
        closed_soon(socket, since).await;
    }
    for socket in others.iter_mut().chain([&mut expiring]) {
        is_open(socket).await;
    }
    server.clock.advance(HOUR);
    assert_eq!(expiring.hear().await, json!({ "closed": 4403 }));
    for socket in &mut others {
        is_open(socket).await;
    }
    let [mut by_kept, mut by_token, mut by_bob] = others;
    server.leave(&bob).await.expect(204);
    closed_soon(&mut by_bob, Instant::now()).await;
    // A token lasts for a day and five seconds.
    server.clock.advance(DAY - HOUR);
    is_open(&mut by_token).await;
    server.clock.advance(5 * SECOND);
    assert_eq!(by_token.hear().await, json!({ "closed": 4403 }));
    is_open(&mut by_kept).await;
    let fresh = server.login("alice").await;
    server.leave(&fresh).await.expect(204);
    closed_soon(&mut by_kept, Instant::now()).await;
}

/// A member's own key lives on with another role, and its sockets end all the same: they would go on with what the role no longer allows.
#[on_each_database]
async fn who_loses_a_right_hears_no_more(database: TestDatabase) {
    let server = database.start().await;
    let ada = server.register("ada").await;
    let (max, by_max) = join(&server, &database, &ada, "max", "MEMBER").await;
    let (ann, by_ann) = join(&server, &database, &ada, "ann", "MEMBER").await;
    let account_key = server.api_key(&ada, &["webhooks:read"]).await;
    let mut others = [server.socket(&ada).await, server.socket(&account_key).await];
    let change = json!({ "role": "VIEWER" });
    for (user, token, method, change) in [(max, by_max, "PATCH", change), (ann, by_ann, "DELETE", Json::Null)] {
        let (key, kept) =
            (server.api_key(&token, &["webhooks:read"]).await, server.api_key(&token, &["links:read"]).await);
        let mut ending = [server.socket(&token).await, server.socket(&key).await];
        let mut kept = server.socket(&kept).await;
        assert!(server.call(method, &format!("/members/{user}"), &ada, change).await.status.is_success());
        let since = Instant::now();
        for socket in &mut ending {
            closed_soon(socket, since).await;
        }
        if method == "PATCH" {
            is_open(&mut kept).await;
        } else {
            closed_soon(&mut kept, since).await;
        }
    }
    for socket in &mut others {
        is_open(socket).await;
    }
}

#[on_each_database]
async fn a_new_password_revokes_all_keys_when_asked(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let bobs = server.api_key(&bob, &["links:read"]).await;
    let events = async || database.events("api_key.revoked").await;
    let mut token = alice;
    let mut kept = server.api_key(&token, &["links:read"]).await;
    token = change_password(&server, &token, 0).await;
    server.get("/api/v1/links", &kept).await.expect(200);
    let nothing = json!({ "name": "Ada", "revokeApiKeys": true });
    server.call("PATCH", "/me", &token, nothing).await.expect(200);
    server.get("/api/v1/links", &kept).await.expect(200);
    assert_eq!(events().await, 0);

    for (number, by_mail) in [(1, false), (2, true)] {
        let more = server.api_key(&token, &["links:read"]).await;
        let mut sockets = [server.socket(&kept).await, server.socket(&more).await];
        let password = format!("without keys {number}");
        let body = if by_mail {
            let reset =
                json!({ "token": forget(&server, &database).await, "password": password, "revokeApiKeys": true });
            let answer = server.post("/auth/reset-password", "", reset).await.expect(200).json();
            assert!(text(&answer, "message").contains("all API keys are revoked"));
            json!({ "email": "alice@example.com", "password": password })
        } else {
            let change = json!({ "password": password, "currentPassword": "her password 1", "revokeApiKeys": true });
            server.call("PATCH", "/me", &token, change).await.expect(200);
            json!({ "email": "alice@example.com", "password": password })
        };
        let since = Instant::now();
        for (socket, key) in sockets.iter_mut().zip([&kept, &more]) {
            closed_soon(socket, since).await;
            server.get("/api/v1/links", key).await.expect(401);
        }
        assert_eq!(events().await, 2 * number);
        token = text(&server.post("/auth/login", "", body).await.expect(200).json(), "accessToken");
        let keys = server.get("/api-keys", &token).await.expect(200).json();
        assert!(keys["data"].as_array().unwrap().iter().all(|key| key["revokedAt"].is_string()), "{keys}");
        kept = server.api_key(&token, &["links:read"]).await;
    }
    server.get("/api/v1/links", &bobs).await.expect(200);
}

/// On the node that did it at once, on the other within a second.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_nodes_know_within_a_second() {
    let database = TestDatabase::postgres().await;
    let other = database.node();
    let nodes: [TestServer; 2] = [database.start().await, other.start().await];
    let [one, two] = &nodes;
    let (mut token, bob) = (one.register("alice").await, two.register("bob").await);
    let (hers, his) = (one.link(&token, "hers").await, two.link(&bob, "his").await);
    let key = one.api_key(&token, &[]).await;
    let newest = key_id(one, &token).await;
    for change in 0..3 {
        let (here, there) = (&nodes[change % 2], &nodes[(change + 1) % 2]);
        accepted_everywhere(there, &token, &hers).await;
        let (mut socket, mut by_key) = (there.socket(&token).await, there.socket(&key).await);
        let fresh = change_password(here, &token, change).await;
        let since = Instant::now();
        refused_soon(there, &token, &hers, since).await;
        closed_soon(&mut socket, since).await;
        is_open(&mut by_key).await;
        for node in &nodes {
            accepted_everywhere(node, &fresh, &hers).await;
        }
        token = fresh;
    }
    let (mut by_key, mut by_bob) = (two.socket(&key).await, one.socket(&bob).await);
    one.call("DELETE", &format!("/api-keys/{newest}"), &token, Json::Null).await.expect(204);
    closed_soon(&mut by_key, Instant::now()).await;
    two.leave(&bob).await.expect(204);
    let since = Instant::now();
    refused_soon(one, &bob, &his, since).await;
    closed_soon(&mut by_bob, since).await;
    let reset = json!({ "token": forget_at_any(&nodes, [&database, &other]).await, "password": "from the mail" });
    two.post("/auth/reset-password", "", reset).await.expect(200);
    refused_soon(one, &token, &hers, Instant::now()).await;
    for node in nodes {
        node.stop().await;
    }
}

/// Both wait for the account, in either order: no key is left that the thief of a token made at the same time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_is_created_meanwhile_is_revoked_or_refused() {
    let database = TestDatabase::postgres().await;
    let server = database.start().await;
    let mut token = server.register("alice").await;
    let connection = database.connect().await;
    let password = |round| if round == 0 { "alice's password".to_owned() } else { format!("her password {round}") };
    for (round, create_first) in [(0, true), (1, false)] {
        let held = connection.begin().await.unwrap();
        held.execute_unprepared("SELECT 1 FROM accounts FOR UPDATE").await.unwrap();
        let create = {
            let (http, token) = (server.http.clone(), token.clone());
            async move { http.post("/api-keys", &token, json!({ "name": "a thief's", "scopes": [] })).await }
        };
        let change = {
            let (http, token) = (server.http.clone(), token.clone());
            let body =
                json!({ "password": password(round + 1), "currentPassword": password(round), "revokeApiKeys": true });
            async move { http.call("PATCH", "/me", &token, body).await }
        };
        let (created, changed) = if create_first {
            let created = tokio::spawn(create);
            database.waits_for_locks(1).await;
            (created, tokio::spawn(change))
        } else {
            let changed = tokio::spawn(change);
            database.waits_for_locks(1).await;
            (tokio::spawn(create), changed)
        };
        database.waits_for_locks(2).await;
        held.rollback().await.unwrap();
        created.await.unwrap().expect(if create_first { 201 } else { 401 });
        token = text(&changed.await.unwrap().expect(200).json(), "accessToken");
        assert_eq!(database.number("SELECT count(*) FROM api_keys WHERE revoked_at IS NULL").await, 0);
    }
    connection.close().await.unwrap();
    server.stop().await;
}

/// As [`forget`], where any node may write the mail.
async fn forget_at_any(nodes: &[TestServer; 2], folders: [&TestDatabase; 2]) -> String {
    nodes[0].post("/auth/forgot-password", "", json!({ "email": "alice@example.com" })).await.expect(200);
    let mails = async || folders.iter().flat_map(|folder| crate::support::mail::mails(folder)).next();
    crate::support::mail::token_in(&eventually("the mail", mails).await)
}
