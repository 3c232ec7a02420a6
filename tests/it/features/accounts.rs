//! Accounts: registering, logging in, changing and deleting oneself.

use futures_util::future::join_all;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{Answer, Http, TestDatabase},
};

fn keys(object: &Json) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

fn login(email: &str, password: &str) -> Json {
    json!({ "email": email, "password": password })
}

/// A login with a request id of the caller's, so that equal answers are equal to the byte.
async fn login_as(http: &Http, body: &Json) -> Answer {
    http.send(http.request(reqwest::Method::POST, "/auth/login").header("x-request-id", "the-same").json(body)).await
}

fn user_with(email: &str) -> Json {
    json!({ "email": email, "password": "correct horse", "name": "Ada Lovelace" })
}

/// The answer of a change to this user that leaves the password.
fn without_token(me: &Json) -> Json {
    let mut answer = me.clone();
    for name in ["accessToken", "tokenType", "expiresIn"] {
        answer[name] = Json::Null;
    }
    answer
}

/// The user with the time of another answer's change, which is later.
#[track_caller]
fn changed(user: &Json, answer: &Json) -> Json {
    let mut changed = user.clone();
    changed["updatedAt"] = answer["updatedAt"].clone();
    assert!(changed["updatedAt"].as_str() > user["updatedAt"].as_str());
    changed
}

#[on_each_database]
async fn registering_answers_a_token_and_the_user(database: TestDatabase) {
    let server = database.start().await;
    let answer = server.post("/auth/register", "", user_with("Ada@Example.COM")).await.expect(201);
    assert_eq!(answer.header("location"), "/me");
    assert_eq!(answer.header("cache-control"), "no-store");
    let session = answer.json();
    assert_eq!(keys(&session), ["accessToken", "tokenType", "expiresIn", "user"]);
    assert_eq!((&session["tokenType"], &session["expiresIn"]), (&json!("Bearer"), &json!(86_400)));
    let user = &session["user"];
    assert_eq!(
        keys(user),
        ["id", "email", "emailVerifiedAt", "pendingEmail", "name", "createdAt", "updatedAt", "account", "memberships"]
    );
    assert_eq!(keys(&user["account"]), ["id", "name", "plan", "createdAt", "updatedAt"]);
    assert_eq!((&user["email"], &user["name"]), (&json!("ada@example.com"), &json!("Ada Lovelace")));
    let token = session["accessToken"].as_str().unwrap();
    assert_eq!(server.get("/me", token).await.expect(200).json(), *user);
    let known = database.everything_stored().await;
    assert!(crate::support::stored::holds(&known, b"ada@example.com"), "what is stored was not found");
    assert!(!crate::support::stored::holds(&known, b"correct horse"), "the password is stored");
}

#[on_each_database]
async fn all_that_is_wrong_with_a_registration_is_told_at_once(database: TestDatabase) {
    let server = database.start().await;
    let long = "x".repeat(201);
    let long_name = "n".repeat(101);
    for (body, paths) in [
        (json!({}), vec!["email", "password", "name"]),
        (json!({ "email": 5, "password": "seven77" }), vec!["email", "password", "name"]),
        (json!({ "email": null, "password": ["x"], "name": {} }), vec!["email", "password", "name"]),
        (json!({ "email": "ada@example", "password": long, "name": long_name }), vec!["email", "password", "name"]),
        (json!({ "email": "ada@example.com", "password": "x", "name": " Ada" }), vec!["password", "name"]),
        (json!({ "email": "a b@example.com", "password": "correct horse", "name": "Ada" }), vec!["email"]),
        (json!({ "email": "ada@example.com", "password": "correct horse", "name": "A\u{0}da" }), vec!["name"]),
        (json!({ "Email": "ada@example.com", "password": "correct horse", "name": "Ada" }), vec!["email", "Email"]),
    ] {
        let answer = server.post("/auth/register", "", body.clone()).await.expect(400);
        assert_eq!(
            (answer.code().as_str(), answer.violations()),
            ("VALIDATION_ERROR", paths.iter().map(|path| (*path).to_owned()).collect()),
            "{body}"
        );
    }
    // Characters are counted, not bytes.
    let mut body = user_with("ada@example.com");
    body["password"] = json!("ü".repeat(200));
    server.post("/auth/register", "", body).await.expect(201);
    assert_eq!(database.number("SELECT count(*) FROM users").await, 1);
}

#[on_each_database]
async fn an_address_has_one_user_in_whatever_case(database: TestDatabase) {
    let server = database.start().await;
    server.post("/auth/register", "", user_with("Ada@Example.com")).await.expect(201);
    let answer = server.post("/auth/register", "", user_with("aDA@exAmple.COM")).await.expect(409);
    assert_eq!(
        (answer.code(), &answer.json()["error"]["details"]),
        ("CONFLICT".to_owned(), &json!({ "path": "email" }))
    );
    server.post("/auth/login", "", login("ADA@EXAMPLE.COM", "correct horse")).await.expect(200);
    assert_eq!(database.number("SELECT count(*) FROM accounts").await, 1, "a refused user left an account behind");
}

#[on_each_database]
async fn of_eight_who_register_one_address_at_once_one_succeeds(database: TestDatabase) {
    let server = database.start().await;
    let addresses = ["eve@example.com", "Eve@example.com", "EVE@EXAMPLE.COM", "eve@Example.com"];
    let asking = (0..8).map(|number| server.post("/auth/register", "", user_with(addresses[number % 4])));
    let mut statuses: Vec<u16> = join_all(asking).await.iter().map(|answer| answer.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409, 409, 409, 409, 409]);
    assert_eq!(database.number("SELECT count(*) FROM users").await, 1);
    assert_eq!(database.number("SELECT count(*) FROM accounts").await, 1);
}

#[on_each_database]
async fn a_failed_login_does_not_tell_who_has_an_account(database: TestDatabase) {
    let server = database.start().await;
    server.register("alice").await;
    let right = login_as(&server, &login("Alice@example.com", "alice's password")).await.expect(200);
    assert_eq!(keys(&right.json()), ["accessToken", "tokenType", "expiresIn", "user"]);
    assert_eq!(right.header("location"), "", "nothing was created");
    let wrong = login_as(&server, &login("alice@example.com", "Alice's password")).await.expect(401);
    assert_eq!(wrong.code(), "INVALID_CREDENTIALS");
    for (email, password) in [
        ("nobody@example.com", "alice's password"),
        ("not an address", "x"),
        ("", ""),
        ("alice@example.com\u{0}", "alice's password"),
        ("alice@example.com", ""),
        (" alice@example.com", "alice's password"),
    ] {
        let other = login_as(&server, &login(email, password)).await.expect(401);
        assert_eq!(other.text, wrong.text, "{email:?}");
        assert_eq!(other.header("www-authenticate"), wrong.header("www-authenticate"), "{email:?}");
    }
    let empty = server.post("/auth/login", "", json!({ "password": 1 })).await.expect(400);
    assert_eq!(empty.violations(), ["email", "password"]);
}

#[on_each_database]
async fn a_stale_credential_keeps_nobody_out(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    server.clock.advance(2 * linkgraph::base::clock::DAY);
    server.get("/me", &token).await.expect(401);
    for stale in [&*token, "not.a.token", "lg_live_nonsense"] {
        server.post("/auth/login", stale, login("alice@example.com", "alice's password")).await.expect(200);
    }
    server.post("/auth/register", &token, user_with("new@example.com")).await.expect(201);
    server.post("/auth/forgot-password", &token, json!({ "email": "new@example.com" })).await.expect(200);
}

#[on_each_database]
async fn a_user_changes_what_is_named_and_nothing_else(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let before = server.get("/me", &token).await.json();
    let nothing = json!({ "name": null, "email": null, "password": null, "currentPassword": null });
    let refused = server.call("PATCH", "/me", &token, nothing).await.expect(400);
    assert_eq!(refused.violations(), ["name", "email", "password", "currentPassword"]);
    let after = server.call("PATCH", "/me", &token, json!({ "name": "Alice Liddell" })).await.expect(200);
    let mut expected = before.clone();
    expected["name"] = json!("Alice Liddell");
    // The account is named for its first owner.
    expected["account"]["name"] = json!("Alice Liddell");
    expected["memberships"][0]["account"]["name"] = json!("Alice Liddell");
    let expected = changed(&expected, &after.json());
    assert_eq!(after.json(), without_token(&expected));
    assert_eq!(server.get("/me", &token).await.json(), expected, "the token still works");
    let wrong = json!({ "name": "", "email": "x", "password": "short", "currentPassword": 1 });
    let answer = server.call("PATCH", "/me", &token, wrong).await.expect(400);
    assert_eq!(answer.violations(), ["name", "email", "password", "currentPassword"]);
    let key = server.api_key(&token, &["links:read"]).await;
    server.get("/me", &key).await.expect(200);
    for method in ["PATCH", "DELETE"] {
        let body = if method == "PATCH" { json!({ "name": "Key" }) } else { Json::Null };
        assert_eq!(server.call(method, "/me", &key, body).await.expect(401).code(), "UNAUTHENTICATED", "{method}");
    }
    assert_eq!(server.get("/me", &token).await.json(), expected);
}

#[on_each_database]
async fn a_new_address_or_password_needs_the_current_password(database: TestDatabase) {
    let server = database.start().await;
    server.register("bob").await;
    let token = server.register("alice").await;
    let change = async |body: Json| server.call("PATCH", "/me", &token, body).await;
    for body in [
        json!({ "email": "liddell@example.com" }),
        json!({ "password": "a better one" }),
        json!({ "password": "a better one", "currentPassword": "bob's password" }),
        json!({ "name": "Eve", "email": "bob@example.com", "currentPassword": "wrong" }),
    ] {
        assert_eq!(change(body.clone()).await.expect(401).code(), "INVALID_CREDENTIALS", "{body}");
    }
    let mut me = server.get("/me", &token).await.json();
    assert_eq!((&me["name"], &me["email"]), (&json!("alice"), &json!("alice@example.com")), "nothing was changed");
    let taken = change(json!({ "email": "BOB@example.com", "currentPassword": "alice's password" })).await.expect(409);
    assert_eq!((taken.code(), &taken.json()["error"]["details"]), ("CONFLICT".to_owned(), &json!({ "path": "email" })));
    let same = json!({ "email": "ALICE@example.com", "currentPassword": "alice's password" });
    let same = change(same).await.expect(200).json();
    assert_eq!(same, without_token(&changed(&me, &same)), "one's own address is not taken");
    let moved =
        change(json!({ "email": "Liddell@example.com", "currentPassword": "alice's password" })).await.expect(200);
    me["pendingEmail"] = json!("liddell@example.com");
    assert_eq!(moved.json(), without_token(&changed(&me, &moved.json())), "the new address waits");
    server.post("/auth/login", "", login("liddell@example.com", "alice's password")).await.expect(401);
    server.post("/auth/login", "", login("alice@example.com", "alice's password")).await.expect(200);

    let key = server.api_key(&token, &["links:read"]).await;
    change(json!({ "password": "a better one", "currentPassword": "alice's password" })).await.expect(200);
    assert_eq!(server.get("/me", &token).await.expect(401).code(), "UNAUTHENTICATED", "made before the change");
    server.get("/links", &token).await.expect(401);
    server.get("/api/v1/links", &key).await.expect(200);
    server.post("/auth/login", "", login("alice@example.com", "alice's password")).await.expect(401);
    let session = server.post("/auth/login", "", login("alice@example.com", "a better one")).await.expect(200);
    server.get("/me", session.json()["accessToken"].as_str().unwrap()).await.expect(200);
}

#[on_each_database]
async fn a_deleted_account_leaves_nothing(database: TestDatabase) {
    let server = database.start().await;
    let bob = server.register("bob").await;
    server.link(&bob, "his").await;
    let token = server.register("alice").await;
    let key = server.api_key(&token, &["links:read", "links:write"]).await;
    for slug in ["hers", "hers-too"] {
        server.link(&token, slug).await;
        server.follow(slug).await.expect(302);
    }
    server.follow("his").await.expect(302);
    server.post("/auth/forgot-password", "", json!({ "email": "alice@example.com" })).await.expect(200);
    let reset = crate::support::mail::reset_token(&database, 1).await;
    database.clicks_become(3).await;

    let answer = server.leave(&token).await.expect(204);
    assert_eq!(answer.text, "");
    server.follow("hers").await.expect(404);
    server.follow("hers-too").await.expect(404);
    server.follow("his").await.expect(302);
    assert_eq!(server.get("/me", &token).await.expect(401).code(), "UNAUTHENTICATED");
    server.call("DELETE", "/me", &token, Json::Null).await.expect(401);
    let link = json!({ "destinationUrl": "https://example.com" });
    server.post("/links", &token, link.clone()).await.expect(401);
    server.get("/links", &token).await.expect(401);
    for path in ["/me", "/api/v1/links"] {
        assert_eq!(server.get(path, &key).await.expect(401).code(), "UNAUTHENTICATED", "{path}");
    }
    server.post("/api/v1/links", &key, link).await.expect(401);
    let late = json!({ "token": reset, "password": "from the mail" });
    server.post("/auth/reset-password", "", late).await.expect(401);
    server.post("/auth/login", "", login("alice@example.com", "alice's password")).await.expect(401);
    // His old click and his new one.
    database.clicks_become(2).await;
    for table in ["accounts", "users", "links", "known_networks"] {
        assert_eq!(database.number(&format!("SELECT count(*) FROM {table}")).await, 1, "{table}");
    }
    for table in ["api_keys", "password_resets", "subdomain_claims"] {
        assert_eq!(database.number(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }

    let again = server.register("alice").await;
    assert_eq!(server.get("/links", &again).await.json()["total"], 0);
    server.link(&again, "anew").await;
    server.follow("anew").await.expect(302);
}
