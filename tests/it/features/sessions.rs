//! Sessions: a cookie makes tokens and opens nothing else, changes its secret, and ends when it is to.

use std::time::Instant;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use entity::session;
use linkgraph::base::clock::{DAY, HOUR, MINUTE};
use reqwest::Method;
use sea_orm::{ConnectionTrait, EntityTrait, QueryOrder, TransactionTrait};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{Answer, Http, TestDatabase, browser::Browser, eventually, mail::reset_token, soon, stored::holds},
};

fn token(answer: &Answer) -> String {
    answer.json()["accessToken"].as_str().unwrap().to_owned()
}

async fn sessions(node: &Http, token: &str) -> Vec<Json> {
    node.get("/me/sessions", token).await.expect(200).json()["sessions"].as_array().unwrap().clone()
}

async fn stored(database: &TestDatabase) -> i64 {
    database.number("SELECT count(*) FROM sessions").await
}

/// Waits until every node refuses the token.
async fn refused_soon(nodes: &[&Http], token: &str) {
    let since = Instant::now();
    for node in nodes {
        eventually("the token is refused", async || (node.get("/links", token).await.status == 401).then_some(()))
            .await;
    }
    assert!(since.elapsed() <= soon(), "after {:?}", since.elapsed());
}

#[on_each_database]
async fn a_cookie_makes_tokens(database: TestDatabase) {
    let server = database.start().await;
    server.register("alice").await;
    let mut browser = Browser::default();
    let body = json!({ "email": "Alice@example.com", "password": "alice's password", "isPersistent": true });
    let answer = browser.send(&server, Method::POST, "/auth/session", body).await.expect(200);
    let (name, rest) = answer.header("set-cookie").split_once('=').unwrap();
    assert_eq!(name, "linkgraph", "the base URL of tests has no TLS");
    let (secret, attributes) = rest.split_once("; ").unwrap();
    assert_eq!((secret.len(), attributes), (43, "Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000"));
    assert_eq!(answer.header("cache-control"), "no-store");
    let json = answer.json();
    assert_eq!((&json["tokenType"], &json["expiresIn"]), (&json!("Bearer"), &json!(3_600)));
    let me = server.get("/me", &token(&answer)).await.expect(200).json();
    for field in ["id", "email", "name", "createdAt"] {
        assert_eq!(json["user"][field], me[field]);
    }

    let answer = browser.refresh(&server).await.expect(200);
    assert_eq!(answer.header("set-cookie"), "", "the secret stays");
    assert_eq!(answer.json()["user"], json["user"]);
    let listed = sessions(&server, &token(&answer)).await;
    let [session] = &*listed else { panic!("{listed:?}") };
    let facts = (&session["browser"], &session["os"], &session["country"], &session["isCurrent"]);
    assert_eq!(facts, (&json!("Firefox"), &json!("Linux"), &Json::Null, &json!(true)));
    server.clock.advance(HOUR + MINUTE);
    server.get("/me", &token(&answer)).await.expect(401);
    server.get("/me", &token(&browser.refresh(&server).await.expect(200))).await.expect(200);

    // Until the browser is closed.
    let (_, other) = Browser::log_in(&server, "alice", false).await;
    assert_eq!(sessions(&server, &other).await.len(), 2);
    let everything = database.everything_stored().await;
    assert!(holds(&everything, b"Firefox"));
    assert!(!holds(&everything, secret.as_bytes()) && !holds(&everything, &URL_SAFE_NO_PAD.decode(secret).unwrap()));

    browser.clone().send(&server, Method::DELETE, "/auth/session", Json::Null).await.expect(204);
    let refused = browser.refresh(&server).await.expect(401);
    assert_eq!((refused.code().as_str(), refused.header("www-authenticate")), ("UNAUTHENTICATED", "Bearer"));
    assert_eq!(browser.cookie, "", "a cookie that is good for nothing is removed");
    browser.refresh(&server).await.expect(401);
    browser.send(&server, Method::DELETE, "/auth/session", Json::Null).await.expect(204);
    assert_eq!(stored(&database).await, 1);
}

#[on_each_database]
async fn what_is_refused_begins_no_session(database: TestDatabase) {
    let server = database.start().await;
    server.register("alice").await;
    let good = json!({ "email": "alice@example.com", "password": "alice's password" });
    for (fields, status) in [
        (&[][..], 403),
        (&[("x-linkgraph", "0")], 403),
        (&[("x-linkgraph", "1"), ("sec-fetch-site", "cross-site")], 403),
        (&[("x-linkgraph", "1"), ("sec-fetch-site", "same-site")], 403),
        (&[("x-linkgraph", "1"), ("origin", "https://evil.example")], 403),
    ] {
        for path in ["/auth/session", "/auth/session/refresh"] {
            let mut request = server.request(Method::POST, path).json(&good);
            for (name, value) in fields {
                request = request.header(*name, *value);
            }
            let answer = server.send(request).await.expect(status);
            assert_eq!((answer.code().as_str(), answer.header("set-cookie")), ("FORBIDDEN", ""), "{path} {fields:?}");
        }
    }
    let mut browser = Browser::default();
    for (body, status, code, violations) in [
        (json!({ "email": "alice@example.com", "password": "wrong" }), 401, "INVALID_CREDENTIALS", &[][..]),
        (json!({ "email": "nobody@example.com", "password": "wrong" }), 401, "INVALID_CREDENTIALS", &[]),
        (json!({}), 400, "VALIDATION_ERROR", &["email", "password"]),
        (json!({ "email": 1, "password": null }), 400, "VALIDATION_ERROR", &["email", "password"]),
        (
            json!({ "email": "a@b.example", "password": "x", "isPersistent": "yes", "remember": true }),
            400,
            "VALIDATION_ERROR",
            &["isPersistent", "remember"],
        ),
        (json!([]), 400, "BAD_REQUEST", &[]),
    ] {
        let answer = browser.send(&server, Method::POST, "/auth/session", body.clone()).await.expect(status);
        assert_eq!(
            (answer.code().as_str(), answer.violations()),
            (code, violations.iter().map(|it| (*it).to_owned()).collect())
        );
        assert_eq!(answer.header("set-cookie"), "", "{body}");
    }
    assert_eq!(stored(&database).await, 0);
}

/// One quota for both ways to log in.
#[on_each_database]
async fn logins_are_limited(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_RATE_LIMITS", "on")]).await;
    let body = json!({ "email": "nobody@example.com", "password": "wrong" });
    for _ in 0..5 {
        server.post("/auth/login", "", body.clone()).await.expect(401);
    }
    let body = json!({ "email": "another@example.com", "password": "wrong" });
    for _ in 0..5 {
        Browser::default().send(&server, Method::POST, "/auth/session", body.clone()).await.expect(401);
    }
    let body = json!({ "email": "a-third@example.com", "password": "wrong" });
    let answer = Browser::default().send(&server, Method::POST, "/auth/session", body).await.expect(429);
    assert_eq!(answer.code(), "RATE_LIMITED");
    let mut stranger = Browser { cookie: format!("linkgraph={}", "A".repeat(43)) };
    let (mut asked, started) = (0, Instant::now());
    while stranger.refresh(&server).await.status == 401 {
        stranger.cookie = format!("linkgraph={}", "A".repeat(43));
        asked += 1;
        assert!(asked < 100);
    }
    // One a second comes back.
    assert!((60..=60 + started.elapsed().as_secs()).contains(&asked), "{asked} are answered");
}

/// The cookie of a live session alone, at every operation of the contract, at GraphQL and at the socket.
#[on_each_database]
async fn a_cookie_opens_nothing_else(database: TestDatabase) {
    let server = database.start().await;
    server.register("alice").await;
    let (mut browser, alice) = Browser::log_in(&server, "alice", true).await;
    let link = server.link(&alice, "hers").await;
    let before = server.get("/links", &alice).await.json();
    let openapi = server.get("/openapi.json", "").await.expect(200).json();
    let mut refused = 0;
    for (path, operations) in openapi["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            // Operations without a security requirement take no credential at all.
            if operation["security"].as_array().is_none_or(|security| security.is_empty()) {
                continue;
            }
            let path = path.replace("{linkId}", link["id"].as_str().unwrap());
            let body = if method == "get" { Json::Null } else { json!({}) };
            let answer = browser.send(&server, method.to_uppercase().parse().unwrap(), &path, body).await;
            assert_eq!((answer.status.as_u16(), answer.code().as_str()), (401, "UNAUTHENTICATED"), "{method} {path}");
            refused += 1;
        }
    }
    assert!(refused > 60, "{refused} operations");
    for query in ["{ me { id } }", "{ sessions { sessions { id } } }", "mutation { releaseSubdomain }"] {
        let answer = browser.send(&server, Method::POST, "/graphql", json!({ "query": query })).await;
        assert_eq!(answer.json()["errors"][0]["extensions"]["code"], "UNAUTHENTICATED", "{query}");
    }
    let mut socket = server.open_socket("graphql-transport-ws", &[("cookie", &browser.cookie)]).await;
    socket.say(json!({ "type": "connection_init" })).await;
    assert_eq!(socket.hear().await["type"], "connection_ack", "as anybody");
    socket.begin("1", "subscription { accountClicks { at } }", Json::Null).await;
    let answer = socket.hear().await;
    assert_eq!(answer["payload"][0]["extensions"]["code"], "UNAUTHENTICATED", "{answer}");
    assert_eq!(server.get("/links", &alice).await.json(), before);
    browser.refresh(&server).await.expect(200);
}

#[on_each_database]
async fn the_secret_changes_once_a_day(database: TestDatabase) {
    let server = database.start().await;
    server.register("alice").await;
    let (mut browser, _) = Browser::log_in(&server, "alice", true).await;
    let first = browser.clone();
    server.clock.advance(DAY);
    // Three tabs at once: one of them gets the new secret.
    let mut tabs = [browser.clone(), browser.clone(), browser.clone()];
    let [one, two, three] = &mut tabs;
    let answers = futures_util::join!(one.refresh(&server), two.refresh(&server), three.refresh(&server));
    let answers = [answers.0.expect(200), answers.1.expect(200), answers.2.expect(200)];
    let set: Vec<&Browser> = tabs
        .iter()
        .zip(&answers)
        .filter(|(_, answer)| !answer.header("set-cookie").is_empty())
        .map(|it| it.0)
        .collect();
    let [rotated] = &*set else { panic!("{} got one", set.len()) };
    assert_ne!(rotated.cookie, first.cookie);
    browser = (*rotated).clone();
    // Until the browser is known to have it, and a minute longer, the one before is taken.
    server.clock.advance(30_000);
    first.clone().refresh(&server).await.expect(200);
    assert_eq!(browser.refresh(&server).await.expect(200).header("set-cookie"), "");
    server.clock.advance(MINUTE - 20_000);
    first.clone().refresh(&server).await.expect(200);
    server.clock.advance(20_000);
    first.clone().refresh(&server).await.expect(401);
    browser.refresh(&server).await.expect(200);
    assert_eq!(stored(&database).await, 1);

    // An answer that was lost: the browser goes on with what it has, and is given another secret.
    server.clock.advance(DAY);
    let lost = browser.clone().refresh(&server).await.expect(200);
    assert_ne!(lost.header("set-cookie"), "");
    server.clock.advance(2 * DAY);
    let before = browser.clone();
    browser.refresh(&server).await.expect(200);
    assert_ne!(browser.cookie, before.cookie);
    browser.refresh(&server).await.expect(200);
}

/// The newest secret is confirmed and, by a request with the one before that read the session meanwhile, taken for lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_that_a_browser_has_is_not_replaced() {
    let database = TestDatabase::postgres().await;
    let server = database.start().await;
    server.register("alice").await;
    let (mut browser, _) = Browser::log_in(&server, "alice", true).await;
    let mut late = browser.clone();
    server.clock.advance(DAY);
    browser.refresh(&server).await.expect(200);
    assert_ne!(browser.cookie, late.cookie);
    server.clock.advance(2 * MINUTE);

    // Both read the session, and their changes wait: the confirmation first.
    let rows = database.connect().await;
    let lock = rows.begin().await.unwrap();
    lock.execute_unprepared("SELECT * FROM sessions FOR UPDATE").await.unwrap();
    let release = async {
        database.waits_for_locks(1).await;
        let late = late.refresh(&server);
        let release = async {
            database.waits_for_locks(2).await;
            lock.rollback().await.unwrap();
        };
        futures_util::join!(late, release).0
    };
    let (confirmed, late) = futures_util::join!(browser.refresh(&server), release);
    assert_eq!(confirmed.expect(200).header("set-cookie"), "");
    assert_eq!(late.expect(200).header("set-cookie"), "");
    browser.refresh(&server).await.expect(200);
    server.stop().await;
}

/// The rows of all sessions, to the last column.
async fn rows(database: &TestDatabase) -> Vec<session::Model> {
    session::Entity::find().order_by_asc(session::Column::Id).all(&database.connect().await).await.unwrap()
}

#[on_each_database]
async fn what_is_refused_changes_no_session(database: TestDatabase) {
    let server = database.start().await;
    server.register("bob").await;
    server.register("alice").await;
    let (browser, alice) = Browser::log_in(&server, "alice", true).await;
    Browser::log_in(&server, "bob", true).await;
    let key = server.api_key(&alice, &["links:read", "api-keys:manage"]).await;
    let hers = sessions(&server, &alice).await[0]["id"].as_str().unwrap().to_owned();
    // Each use from now on would be noted, and change the secret.
    server.clock.advance(2 * DAY);
    let (alice, bob) = (server.login("alice").await, server.login("bob").await);
    let before = rows(&database).await;

    for field in [("sec-fetch-site", "cross-site"), ("origin", "https://evil.example"), ("x-linkgraph", "0")] {
        for (method, path) in [(Method::POST, "/auth/session/refresh"), (Method::DELETE, "/auth/session")] {
            let mark = if field.0 == "x-linkgraph" { field.1 } else { "1" };
            let mut request =
                server.request(method, path).header("cookie", &browser.cookie).header("x-linkgraph", mark);
            if field.0 != "x-linkgraph" {
                request = request.header(field.0, field.1);
            }
            server.send(request).await.expect(403);
        }
    }
    let path = format!("/me/sessions/{hers}");
    server.call("DELETE", &path, &bob, Json::Null).await.expect(404);
    for (method, path) in [("DELETE", path.as_str()), ("DELETE", "/me/sessions"), ("GET", "/me/sessions")] {
        server.call(method, path, &key, Json::Null).await.expect(401);
    }
    for query in [
        "mutation($id: ID!) { other: endSession(id: $id) all: endOtherSessions { endedCount } }",
        "mutation($id: ID!) { endSession(id: $id) }",
    ] {
        let answer = server.graphql(&key, query, json!({ "id": hers })).await;
        assert_eq!(answer["errors"][0]["extensions"]["code"], "UNAUTHENTICATED");
    }
    for change in [
        json!({ "password": "a new password", "currentPassword": "wrong" }),
        json!({ "password": "a new password", "currentPassword": "alice's password", "email": "bob@example.com" }),
        json!({ "password": "short", "currentPassword": "alice's password" }),
    ] {
        let answer = server.call("PATCH", "/me", &alice, change).await;
        assert!(answer.status.is_client_error(), "{answer:?}");
    }
    let reset = json!({ "token": "q1Zc0sW4y8oG3m5tXrB7uJ2kLhN6vPdAeFiQzKwYxTs", "password": "yet another one" });
    server.post("/auth/reset-password", "", reset).await.expect(401);
    assert_eq!(rows(&database).await, before);
}

#[on_each_database]
async fn a_session_ends_when_it_is_idle_or_old(database: TestDatabase) {
    let server = database.start().await;
    server.register("alice").await;
    let (mut kept, _) = Browser::log_in(&server, "alice", true).await;
    let (mut closed, _) = Browser::log_in(&server, "alice", false).await;
    server.clock.advance(DAY - MINUTE);
    closed.refresh(&server).await.expect(200);
    server.clock.advance(DAY);
    closed.refresh(&server).await.expect(401);
    kept.refresh(&server).await.expect(200);
    for _ in 0..3 {
        server.clock.advance(29 * DAY);
        kept.refresh(&server).await.expect(200);
    }
    server.clock.advance(DAY + MINUTE);
    kept.refresh(&server).await.expect(401);
}

#[on_each_database]
async fn an_ended_session_is_refused_on_every_node(database: TestDatabase) {
    let server = database.start().await;
    // An SQLite has one node.
    let second = if database.url.is_some() { Some(database.node().start().await) } else { None };
    let nodes: Vec<&Http> = std::iter::once(&*server).chain(second.as_deref()).collect();
    server.register("alice").await;
    server.register("bob").await;
    let bob = Browser::log_in(&server, "bob", true).await.1;
    let mut browsers = Vec::new();
    for _ in 0..4 {
        browsers.push(Browser::log_in(&server, "alice", true).await);
    }
    let listed = sessions(&server, &browsers[0].1).await;
    assert_eq!(listed.iter().filter(|session| session["isCurrent"] == true).count(), 1);
    let hers = listed.iter().find(|session| session["isCurrent"] == true).unwrap()["id"].as_str().unwrap().to_owned();
    let path = format!("/me/sessions/{hers}");
    server.call("DELETE", &path, &bob, Json::Null).await.expect(404);
    server.call("DELETE", "/me/sessions/none", &bob, Json::Null).await.expect(404);
    assert_eq!(sessions(&server, &bob).await.len(), 1);

    // By another session, by itself, and all others at once.
    let mut socket = server.socket(&browsers[0].1).await;
    server.call("DELETE", &path, &browsers[1].1, Json::Null).await.expect(204);
    refused_soon(&nodes, &browsers[0].1).await;
    assert_eq!(socket.hear().await, json!({ "closed": 4403 }));
    browsers[0].0.refresh(&server).await.expect(401);
    browsers[1].0.send(&server, Method::DELETE, "/auth/session", Json::Null).await.expect(204);
    refused_soon(&nodes, &browsers[1].1).await;
    let query = "mutation { endOtherSessions { endedCount } }";
    assert_eq!(server.graphql(&browsers[2].1, query, Json::Null).await["data"]["endOtherSessions"]["endedCount"], 1);
    refused_soon(&nodes, &browsers[3].1).await;
    for node in &nodes {
        node.get("/links", &browsers[2].1).await.expect(200);
        node.get("/links", &bob).await.expect(200);
        node.get("/me", &browsers[3].1).await.expect(401);
    }
    // A token of no session ends all.
    let program = server.login("alice").await;
    let ended = server.call("DELETE", "/me/sessions", &program, Json::Null).await.expect(200).json();
    assert_eq!(ended, json!({ "endedCount": 1 }));
    refused_soon(&nodes, &browsers[2].1).await;
    server.get("/links", &program).await.expect(200);

    // After a restart as well.
    let clock = server.clock.clone();
    server.stop().await;
    let server = database.start_at(&[], clock).await;
    for (_, token) in &browsers {
        server.get("/links", token).await.expect(401);
    }
    server.get("/links", &bob).await.expect(200);
    server.stop().await;
    if let Some(second) = second {
        second.stop().await;
    }
}

#[on_each_database]
async fn a_new_password_ends_the_other_sessions(database: TestDatabase) {
    let server = database.start().await;
    server.register("alice").await;
    let (mut own, token_of_own) = Browser::log_in(&server, "alice", true).await;
    let (mut other, _) = Browser::log_in(&server, "alice", true).await;
    let change = json!({ "password": "a new password", "currentPassword": "alice's password" });
    let changed = server.call("PATCH", "/me", &token_of_own, change).await.expect(200).json();
    assert_eq!(changed["expiresIn"], 3_600);
    server.get("/links", &token_of_own).await.expect(401);
    let fresh = changed["accessToken"].as_str().unwrap();
    assert_eq!(sessions(&server, fresh).await.len(), 1);
    other.refresh(&server).await.expect(401);
    server.get("/links", &token(&own.refresh(&server).await.expect(200))).await.expect(200);

    // A reset ends all.
    server.post("/auth/forgot-password", "", json!({ "email": "alice@example.com" })).await.expect(200);
    let reset = json!({ "token": reset_token(&database, 1).await, "password": "yet another one" });
    server.post("/auth/reset-password", "", reset).await.expect(200);
    own.refresh(&server).await.expect(401);
    assert_eq!(stored(&database).await, 0);

    // And so does the user's end.
    let body = json!({ "email": "alice@example.com", "password": "yet another one" });
    let last = own.send(&server, Method::POST, "/auth/session", body).await.expect(200);
    let body = json!({ "currentPassword": "yet another one" });
    server.call("DELETE", "/me", &token(&last), body).await.expect(204);
    own.refresh(&server).await.expect(401);
    assert_eq!(stored(&database).await, 0);
}

#[on_each_database]
async fn the_oldest_of_too_many_ends(database: TestDatabase) {
    let server = database.start().await;
    server.register("alice").await;
    let (mut first, token_of_first) = Browser::log_in(&server, "alice", true).await;
    for _ in 0..49 {
        server.clock.advance(1);
        Browser::log_in(&server, "alice", true).await;
    }
    first.refresh(&server).await.expect(200);
    server.clock.advance(1);
    let (_, newest) = Browser::log_in(&server, "alice", true).await;
    assert_eq!((stored(&database).await, sessions(&server, &newest).await.len()), (50, 50));
    first.refresh(&server).await.expect(401);
    server.get("/links", &token_of_first).await.expect(401);
}

/// A database that takes no changes of sessions ends none.
#[on_each_database]
async fn a_use_that_can_not_be_noted_is_answered(database: TestDatabase) {
    let server = database.start().await;
    server.register("alice").await;
    let (mut browser, _) = Browser::log_in(&server, "alice", true).await;
    database.refuse("UPDATE", "sessions", "TRUE").await;
    server.clock.advance(2 * DAY);
    for _ in 0..2 {
        let answer = browser.refresh(&server).await.expect(200);
        assert_eq!(answer.header("set-cookie"), "", "a secret that is not stored is not given");
        server.get("/me", &token(&answer)).await.expect(200);
    }
    database.allow("sessions").await;
    assert_ne!(browser.refresh(&server).await.expect(200).header("set-cookie"), "");
    browser.refresh(&server).await.expect(200);
}

#[on_each_database]
async fn the_instance_says_whether_it_needs_a_user(database: TestDatabase) {
    let server = database
        .start_with(&[
            ("LINKGRAPH_REGISTRATION", "closed"),
            ("LINKGRAPH_RATE_LIMITS", "on"),
            ("LINKGRAPH_SUBDOMAIN_HOST", "links.example"),
        ])
        .await;
    let query = "{ instance { needsSetup registration baseUrl subdomainHost isMailConfigured version \
                 countryData { name builtAt isBuiltIn } } }";
    let ask = async || server.graphql("", query, Json::Null).await["data"]["instance"].clone();
    let started = Instant::now();
    let answer = ask().await;
    assert_eq!((&answer["needsSetup"], &answer["registration"]), (&json!(true), &json!("CLOSED")));
    assert_eq!(answer["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(answer["subdomainHost"], "links.example");
    assert_eq!(
        (&answer["countryData"]["name"], &answer["countryData"]["isBuiltIn"]),
        (&json!("IPtoASN"), &json!(true))
    );
    assert!(answer["countryData"]["builtAt"].as_str().is_some_and(|time| time >= "2026-06-17"), "{answer}");
    server.register("alice").await;
    assert_eq!(ask().await["needsSetup"], false);
    let mut asked = 2;
    while server.graphql("", query, Json::Null).await["errors"].is_null() {
        asked += 1;
        assert!(asked < 100);
    }
    // One a second comes back.
    assert!((60..=60 + started.elapsed().as_secs()).contains(&asked), "{asked} are answered");
}
