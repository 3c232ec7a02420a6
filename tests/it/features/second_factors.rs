//! Authenticator apps, recovery codes, and the fresh proof of who has them.

use futures_util::future::join_all;
use linkgraph::base::clock::{MINUTE, SECOND};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{Answer, Http, TestDatabase, TestServer, mail::mailed, process::operate, totp},
};

/// A code of the app. `steps`: how many steps of 30 seconds from the service's now.
fn code(server: &TestServer, secret: &str, steps: i64) -> String {
    totp::code(secret, server.clock.now() / SECOND + 30 * steps)
}

/// Sets up an authenticator app for ada, and answers its secret and the recovery codes.
async fn set_up(server: &TestServer, token: &str) -> (String, Vec<String>) {
    // A step begins now, and does not end within a test.
    server.clock.advance(30 * SECOND - server.clock.now() % (30 * SECOND));
    let started = server.post("/me/totp", token, json!({})).await.expect(200).json();
    let secret = started["secret"].as_str().unwrap().to_owned();
    let codes = server.post("/me/totp/confirm", token, json!({ "code": code(server, &secret, -1) })).await;
    let codes = codes.expect(200).json()["recoveryCodes"].as_array().unwrap().clone();
    (secret, codes.iter().map(|code| code.as_str().unwrap().to_owned()).collect())
}

async fn login(server: &Http) -> Answer {
    server.post("/auth/login", "", json!({ "email": "ada@example.com", "password": "ada's password" })).await
}

/// The challenge that a login answers.
async fn challenge(server: &Http) -> String {
    let answer = login(server).await.expect(401);
    assert_eq!(answer.code(), "SECOND_FACTOR_REQUIRED");
    answer.json()["error"]["details"]["challenge"].as_str().unwrap().to_owned()
}

async fn second_step(server: &Http, challenge: &str, code: &str) -> Answer {
    server.post("/auth/second-factor", "", json!({ "challenge": challenge, "code": code })).await
}

fn token_of(answer: Answer) -> String {
    answer.expect(200).json()["accessToken"].as_str().unwrap().to_owned()
}

async fn security(server: &Http, token: &str) -> Json {
    server.get("/me/security", token).await.expect(200).json()
}

#[on_each_database]
async fn a_login_needs_a_code_once_the_app_is_confirmed(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    assert_eq!(security(&server, &token).await["totpSince"], Json::Null);
    let abandoned = server.post("/me/totp", &token, json!({})).await.expect(200).json();
    assert!(abandoned["uri"].as_str().unwrap().starts_with("otpauth://totp/"), "{abandoned}");
    login(&server).await.expect(200);
    let wrong = server.post("/me/totp/confirm", &token, json!({ "code": "12345" })).await.expect(401);
    assert_eq!(wrong.code(), "INVALID_CREDENTIALS");
    let (secret, codes) = set_up(&server, &token).await;
    assert_ne!(abandoned["secret"], secret, "it begins anew");
    assert_eq!(codes.len(), 10);
    assert_eq!(server.post("/me/totp", &token, json!({})).await.expect(409).code(), "CONFLICT");
    let state = security(&server, &token).await;
    assert!(state["totpSince"].is_string() && state["recoveryCodesLeft"] == 10, "{state}");

    let asked = challenge(&server).await;
    // The code that confirmed the app is used; so is each other one after it was taken once.
    assert_eq!(
        second_step(&server, &asked, &code(&server, &secret, -1)).await.expect(401).code(),
        "INVALID_CREDENTIALS"
    );
    let now = code(&server, &secret, 0);
    let fresh = token_of(second_step(&server, &asked, &now).await);
    server.get("/me", &fresh).await.expect(200);
    assert_eq!(
        second_step(&server, &asked, &now).await.expect(401).code(),
        "INVALID_CREDENTIALS",
        "a code is taken once"
    );
    token_of(second_step(&server, &asked, &code(&server, &secret, 1)).await);
    // Nor is one of an earlier step.
    assert_eq!(second_step(&server, &asked, &now).await.expect(401).code(), "INVALID_CREDENTIALS");
    // A challenge is no token, and a token no challenge.
    server.get("/me", &asked).await.expect(401);
    assert_eq!(second_step(&server, &fresh, "000000").await.expect(401).code(), "UNAUTHENTICATED");
    server.clock.advance(5 * MINUTE + 6 * SECOND);
    assert_eq!(second_step(&server, &asked, &code(&server, &secret, 0)).await.expect(401).code(), "UNAUTHENTICATED");

    let fresh = token_of(second_step(&server, &challenge(&server).await, &code(&server, &secret, 0)).await);
    server.call("DELETE", "/me/totp", &fresh, Json::Null).await.expect(200);
    assert_eq!(server.call("DELETE", "/me/totp", &fresh, Json::Null).await.expect(404).code(), "NOT_FOUND");
    login(&server).await.expect(200);
    assert_eq!(database.number("SELECT count(*) FROM recovery_codes").await, 0);
}

#[on_each_database]
async fn of_ten_who_use_one_code_at_once_one_gets_in(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let (secret, codes) = set_up(&server, &token).await;
    let asked = challenge(&server).await;
    for code in [code(&server, &secret, 0), codes[0].clone()] {
        let answers = join_all((0..10).map(|_| second_step(&server, &asked, &code))).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1, "{code}");
    }
}

#[on_each_database]
async fn a_recovery_code_works_once(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let (secret, codes) = set_up(&server, &token).await;
    let asked = challenge(&server).await;
    let in_other_words = codes[3].to_uppercase().replace('-', " ");
    let fresh = token_of(second_step(&server, &asked, &in_other_words).await);
    second_step(&server, &asked, &codes[3]).await.expect(401);
    assert_eq!(security(&server, &fresh).await["recoveryCodesLeft"], 9);
    let renewed = server.post("/me/recovery-codes", &fresh, json!({})).await.expect(200).json();
    second_step(&server, &asked, &codes[4]).await.expect(401);
    token_of(second_step(&server, &asked, renewed["recoveryCodes"][0].as_str().unwrap()).await);
    token_of(second_step(&server, &asked, &code(&server, &secret, 0)).await);
    let stored = database.everything_stored().await;
    for code in codes.iter().chain([&secret]) {
        assert!(!crate::support::stored::holds(&stored, code.as_bytes()), "{code}");
    }
}

#[on_each_database]
async fn a_changed_password_voids_a_challenge(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let (secret, _) = set_up(&server, &token).await;
    let asked = challenge(&server).await;
    let body = json!({ "password": "a better password", "currentPassword": "ada's password" });
    server.call("PATCH", "/me", &token, body).await.expect(200);
    assert_eq!(second_step(&server, &asked, &code(&server, &secret, 0)).await.expect(401).code(), "UNAUTHENTICATED");
}

#[on_each_database]
async fn codes_can_not_be_guessed_and_recovery_codes_still_work(database: TestDatabase) {
    let server =
        database.start_with(&[("LINKGRAPH_RATE_LIMITS", "on"), ("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.0/8")]).await;
    let token = server.register("ada").await;
    let (secret, codes) = set_up(&server, &token).await;
    let asked = challenge(&server).await;
    let from = async |number: usize, code: &str| {
        let request = server.http.request(reqwest::Method::POST, "/auth/second-factor");
        let request = request.header("x-forwarded-for", format!("203.0.113.{number}"));
        server.http.send(request.json(&json!({ "challenge": asked, "code": code }))).await
    };
    let right = code(&server, &secret, 0);
    let wrong = if right == "000000" { "000001" } else { "000000" };
    let mut refused = 0;
    for number in 0..25 {
        match from(number, wrong).await.code().as_str() {
            "INVALID_CREDENTIALS" => {}
            "RATE_LIMITED" => refused += 1,
            other => panic!("{other}"),
        }
    }
    assert!((4..=6).contains(&refused), "{refused}");
    assert_eq!(from(30, &right).await.expect(429).code(), "RATE_LIMITED");
    from(31, &codes[0]).await.expect(200);
    // Who is in already stays in.
    server.get("/me", &token).await.expect(200);
}

#[on_each_database]
async fn who_has_a_second_factor_proves_it_again_before_what_matters(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let (secret, _) = set_up(&server, &token).await;
    server.clock.advance(10 * MINUTE + SECOND);
    let key = json!({ "name": "ci", "scopes": ["links:read"] });
    let email = json!({ "email": "king@example.org", "currentPassword": "ada's password" });
    let password = json!({ "password": "a better password", "currentPassword": "ada's password" });
    let refused: [(&str, &str, Json); 6] = [
        ("POST", "/api-keys", key.clone()),
        ("PATCH", "/me", email),
        ("PATCH", "/me", password),
        ("DELETE", "/me", json!({ "currentPassword": "ada's password" })),
        ("DELETE", "/me/totp", Json::Null),
        ("POST", "/me/recovery-codes", json!({})),
    ];
    let state = async || {
        let me = server.get("/me", &token).await.expect(200).json();
        let mut rows = Vec::new();
        for table in ["api_keys", "totps", "recovery_codes", "jobs"] {
            rows.push(database.number(&format!("SELECT count(*) FROM {table}")).await);
        }
        (me, rows)
    };
    database.no_jobs_left().await;
    let before = state().await;
    for (method, path, body) in &refused {
        let answer = server.call(method, path, &token, body.clone()).await.expect(403);
        let error = &answer.json()["error"];
        assert_eq!(
            (&error["code"], &error["details"]["reason"]),
            (&json!("FORBIDDEN"), &json!("PROOF_REQUIRED")),
            "{method} {path}"
        );
    }
    assert_eq!(state().await, before, "nothing was changed");
    server.call("PATCH", "/me", &token, json!({ "name": "Ada King" })).await.expect(200);

    let confirm = async |body: Json| server.post("/me/confirm-access", &token, body).await;
    assert_eq!(confirm(json!({ "currentPassword": "ada's password" })).await.expect(400).violations(), ["code"]);
    confirm(json!({ "code": "x" })).await.expect(401);
    let fresh = token_of(confirm(json!({ "code": code(&server, &secret, 0) })).await);
    server.post("/api-keys", &fresh, key.clone()).await.expect(201);
    server.post("/api-keys", &token, key).await.expect(403);
    server.call("DELETE", "/me/totp", &fresh, Json::Null).await.expect(200);
}

#[on_each_database]
async fn an_app_is_set_up_with_a_fresh_proof_alone(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    server.clock.advance(10 * MINUTE + SECOND);
    // All else goes on as before for who has no second factor.
    server.api_key(&token, &["links:read"]).await;
    let refused = server.post("/me/totp", &token, json!({})).await.expect(403).json();
    assert_eq!(refused["error"]["details"]["reason"], "PROOF_REQUIRED");
    assert_eq!(database.number("SELECT count(*) FROM totps").await, 0);
    let confirm = async |body: Json| server.post("/me/confirm-access", &token, body).await;
    assert_eq!(confirm(json!({ "code": "123456" })).await.expect(400).violations(), ["currentPassword"]);
    confirm(json!({ "currentPassword": "wrong" })).await.expect(401);
    let fresh = token_of(confirm(json!({ "currentPassword": "ada's password" })).await);
    set_up(&server, &fresh).await;
}

#[on_each_database]
async fn a_session_takes_the_second_step_and_keeps_its_proof(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let (secret, _) = set_up(&server, &token).await;
    let session = async |path: &str, cookie: &str, body: Json| {
        let request = server.http.request(reqwest::Method::POST, path).header("x-linkgraph", "1");
        server.http.send(request.header("cookie", cookie).json(&body)).await
    };
    let password = json!({ "email": "ada@example.com", "password": "ada's password" });
    let refused = session("/auth/session", "", password).await.expect(401);
    assert_eq!((refused.code().as_str(), refused.header("set-cookie")), ("SECOND_FACTOR_REQUIRED", ""));
    let asked = refused.json()["error"]["details"]["challenge"].clone();
    let wrong = session("/auth/session", "", json!({ "challenge": asked, "code": "x" })).await.expect(401);
    assert_eq!(wrong.code(), "INVALID_CREDENTIALS");
    assert_eq!(
        session("/auth/session", "", json!({ "challenge": 1 })).await.expect(400).violations(),
        ["challenge", "code"]
    );
    let begun = session(
        "/auth/session",
        "",
        json!({ "challenge": asked, "code": code(&server, &secret, 0), "isPersistent": true }),
    )
    .await
    .expect(200);
    let cookie = begun.header("set-cookie").split(';').next().unwrap().to_owned();
    server.clock.advance(11 * MINUTE);
    let refreshed = session("/auth/session/refresh", &cookie, json!({})).await.expect(200);
    let newest = refreshed
        .header("set-cookie")
        .split(';')
        .next()
        .filter(|cookie| !cookie.is_empty())
        .unwrap_or(&cookie)
        .to_owned();
    let stale = refreshed.json()["accessToken"].as_str().unwrap().to_owned();
    server.post("/me/recovery-codes", &stale, json!({})).await.expect(403);
    let fresh = server.post("/me/confirm-access", &stale, json!({ "code": code(&server, &secret, 0) })).await;
    server.post("/me/recovery-codes", &token_of(fresh), json!({})).await.expect(200);
    let again = session("/auth/session/refresh", &newest, json!({})).await.expect(200);
    let again = again.json()["accessToken"].as_str().unwrap().to_owned();
    server.post("/me/recovery-codes", &again, json!({})).await.expect(200);
}

#[on_each_database]
async fn an_operator_helps_who_has_lost_the_factor(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    set_up(&server, &token).await;
    challenge(&server).await;
    let said =
        operate(&database, &["accounts", "remove-second-factor", "Ada@example.com", "--reason", "phone lost"]).await;
    assert!(said.contains("password alone"), "{said}");
    login(&server).await.expect(200);
    let said = operate(&database, &["accounts", "remove-second-factor", "ada@example.com"]).await;
    assert!(said.contains("has no second factor"), "{said}");
    let actions = operate(&database, &["actions", "--json"]).await;
    assert!(actions.contains("account.remove_second_factor") && actions.contains("phone lost"), "{actions}");
}

#[on_each_database]
async fn an_undone_change_of_the_address_removes_the_thief_s_app(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let verify =
        async |token: String| server.post("/auth/verify-email", "", json!({ "token": token })).await.expect(200);
    verify(mailed(&database, 1, "verify-email?token=").await).await;
    let body = json!({ "email": "thief@example.org", "currentPassword": "ada's password" });
    server.call("PATCH", "/me", &token, body).await.expect(200);
    verify(mailed(&database, 2, "verify-email?token=").await).await;
    set_up(&server, &token).await;
    let undo = mailed(&database, 1, "undo-email?token=").await;
    server.post("/auth/undo-email-change", "", json!({ "token": undo })).await.expect(200);
    assert_eq!(database.number("SELECT count(*) FROM totps").await, 0);
    assert_eq!(database.number("SELECT count(*) FROM recovery_codes").await, 0);
}
