//! Hashing passwords: who asks for much waits for itself, and what can be refused is refused without a hash.

use futures_util::future::join_all;
use linkgraph::base::{
    clock::{Clock, MINUTE},
    config::{Config, PasswordHashing},
};
use serde_json::{Value as Json, json};
use tokio::task::JoinHandle;

use crate::{
    on_each_database,
    support::{
        Answer, Http, TestDatabase, TestServer,
        limits::{LIMITED, from, login},
        mail::reset_token,
    },
};

/// Starts a service whose hashes take some 20 ms each, so that the load of the tests lasts.
async fn start_slow(database: &TestDatabase) -> TestServer {
    let settings = database.config_with(&[("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1")]);
    let password_hashing = PasswordHashing { memory_kib: 4_096, passes: 2, only_when_idle: false };
    database.start_configured(Config { password_hashing, ..settings }, Clock::default()).await
}

/// Requests at once, each a task of its own.
fn flood(number: usize, request: impl Fn(usize) -> reqwest::RequestBuilder, http: &Http) -> Vec<JoinHandle<Answer>> {
    let begin = |number| {
        let (http, request) = (http.clone(), request(number));
        tokio::spawn(async move { http.send(request).await })
    };
    (0..number).map(begin).collect()
}

/// Bob logs in again and again beside the requests, and is never refused. Returns their statuses.
async fn log_in_beside(http: &Http, flood: Vec<JoinHandle<Answer>>, client: &str) -> Vec<u16> {
    for _ in 0..7 {
        from(http, client, "/auth/login", &login("bob@example.com", "bob's password")).await.expect(200);
    }
    assert!(flood.iter().any(|request| !request.is_finished()), "the load ended too early");
    let answers: Vec<Answer> = join_all(flood).await.into_iter().map(Result::unwrap).collect();
    for refused in answers.iter().filter(|answer| answer.status == 503) {
        assert_eq!((&*refused.code(), refused.header("retry-after")), ("UNAVAILABLE", "1"));
    }
    answers.iter().map(|answer| answer.status.as_u16()).collect()
}

#[on_each_database]
async fn password_changes_of_one_user_leave_logins_to_others(database: TestDatabase) {
    let server = start_slow(&database).await;
    let token = server.register("alice").await;
    server.register("bob").await;
    let change = |number: usize| {
        let body = json!({ "password": format!("password number {number}"), "currentPassword": "wrong" });
        server.request(reqwest::Method::PATCH, "/me").bearer_auth(&token).json(&body)
    };
    // From the same address.
    let flood = flood(90, change, &server);
    let statuses = log_in_beside(&server, flood, "127.0.0.1").await;
    // As many wait, and more while the first are done.
    assert!(statuses.iter().filter(|status| **status == 503).count() <= 90 - 64, "{statuses:?}");
    assert!(statuses.iter().all(|status| [401, 503].contains(status)), "{statuses:?}");
    server.login("alice").await;
}

#[on_each_database]
async fn logins_from_one_network_leave_logins_to_others(database: TestDatabase) {
    let server = start_slow(&database).await;
    server.register("bob").await;
    // A client of IPv6 has many addresses.
    let guess = |number: usize| {
        let body = login(&format!("{number}@example.com"), "a guess");
        let client = format!("2001:db8:1:1::{number:x}");
        server.request(reqwest::Method::POST, "/auth/login").header("x-forwarded-for", client).json(&body)
    };
    let statuses = log_in_beside(&server, flood(90, guess, &server), "192.0.2.1").await;
    assert!(statuses.iter().all(|status| [401, 503].contains(status)), "{statuses:?}");
}

/// Passwords that were hashed since the service started.
async fn hashes(http: &Http) -> u64 {
    http.metric("linkgraph_password_hashes_total").await.unwrap()
}

#[on_each_database]
async fn what_can_be_refused_needs_no_hash(database: TestDatabase) {
    let server = database.start_with(&[LIMITED]).await;
    let token = server.register("alice").await;
    server.register("bob").await;
    let stored = "SELECT CAST(count(DISTINCT password_hash) + sum(password_changed_at) AS bigint) FROM users";
    let before = database.number(stored).await;
    let change = async |body: Json| server.call("PATCH", "/me", &token, body).await;
    let taken =
        json!({ "email": "Bob@example.com", "password": "a better one", "currentPassword": "alice's password" });
    let again = json!({ "email": "Bob@example.com", "password": "a better one", "name": "Bob" });
    let unknown = json!({ "token": "unknown", "password": "a better one" });
    let registered = hashes(&server).await;
    change(json!({ "password": "short", "currentPassword": "wrong" })).await.expect(400);
    server.post("/auth/register", "", again).await.expect(409);
    server.post("/auth/reset-password", "", unknown).await.expect(401);
    assert_eq!(hashes(&server).await, registered);
    // The password in force is looked at first, and nothing is hashed after it.
    change(taken).await.expect(409);
    assert_eq!(hashes(&server).await, registered + 1);
    for number in 1..=7 {
        let answer = change(json!({ "password": "a better one", "currentPassword": "wrong" })).await;
        let (status, needed) = if number <= 5 { (401, number) } else { (429, 5) };
        assert_eq!((answer.status.as_u16(), hashes(&server).await), (status, registered + 1 + needed), "{answer:?}");
    }
    assert_eq!(database.number(stored).await, before);

    server.post("/auth/forgot-password", "", json!({ "email": "alice@example.com" })).await.expect(200);
    let reset = json!({ "token": reset_token(&database, 1).await, "password": "from the mail" });
    server.clock.advance(30 * MINUTE);
    server.post("/auth/reset-password", "", reset).await.expect(401);
    assert_eq!((hashes(&server).await, database.number(stored).await), (registered + 6, before));
}
