//! Passkeys: as second factor, as only factor, and as fresh proof.

use futures_util::future::join_all;
use linkgraph::base::clock::{MINUTE, SECOND};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, Http, TestDatabase,
        mail::{all_mails, mailed},
        passkey::{Passkey, options},
        process::operate,
        totp,
    },
};

async fn login(server: &Http) -> Answer {
    server.post("/auth/login", "", json!({ "email": "ada@example.com", "password": "ada's password" })).await
}

/// What a login with a passkey asks for. `first_step`: the challenge of one that needs a second factor.
async fn asked(server: &Http, first_step: Json) -> Json {
    server.post("/auth/passkey/start", "", json!({ "challenge": first_step })).await.expect(200).json()
}

async fn log_in(server: &Http, input: Json) -> Answer {
    server.post("/auth/passkey", "", input).await
}

fn token_of(answer: Answer) -> String {
    answer.expect(200).json()["accessToken"].as_str().unwrap().to_owned()
}

fn error(answer: Answer, status: u16) -> (String, String) {
    let error = answer.expect(status).json()["error"].clone();
    (error["code"].as_str().unwrap().to_owned(), error["message"].as_str().unwrap().to_owned())
}

#[on_each_database]
async fn a_passkey_is_a_login_and_a_second_factor(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let mut passkey = Passkey::new();
    let added = passkey.add(&server, &token).await.expect(200).json();
    assert_eq!(added["recoveryCodes"].as_array().unwrap().len(), 10);
    assert_eq!(added["passkey"]["name"], "My phone");
    let listed = server.get("/me/passkeys", &token).await.expect(200).json();
    assert_eq!(listed["passkeys"], json!([added["passkey"]]));

    // Alone: nobody has said who logs in.
    let start = asked(&server, Json::Null).await;
    assert_eq!(
        (&options(&start)["allowCredentials"], &options(&start)["userVerification"]),
        (&json!([]), &json!("required"))
    );
    let fresh = token_of(log_in(&server, passkey.input(&start)).await);
    assert_eq!(server.get("/me", &fresh).await.expect(200).json()["email"], "ada@example.com");
    // Both factors are proved, and just now.
    server.post("/me/recovery-codes", &fresh, json!({})).await.expect(200);
    assert!(server.get("/me/passkeys", &token).await.expect(200).json()["passkeys"][0]["lastUsedAt"].is_string());

    // After the password.
    let refused = login(&server).await.expect(401).json()["error"].clone();
    assert_eq!(
        (&refused["code"], &refused["details"]["factors"]),
        (&json!("SECOND_FACTOR_REQUIRED"), &json!(["PASSKEY"]))
    );
    let start = asked(&server, refused["details"]["challenge"].clone()).await;
    assert_eq!(options(&start)["allowCredentials"].as_array().unwrap().len(), 1);
    token_of(log_in(&server, passkey.input(&start)).await);

    // A recovery code takes its place.
    let code = json!({ "challenge": refused["details"]["challenge"], "code": added["recoveryCodes"][0] });
    server.post("/auth/second-factor", "", code).await.expect(401);
    let renewed = server.post("/me/recovery-codes", &fresh, json!({})).await.expect(200).json();
    let code = json!({ "challenge": refused["details"]["challenge"], "code": renewed["recoveryCodes"][0] });
    server.post("/auth/second-factor", "", code).await.expect(200);

    let removed = format!("/me/passkeys/{}", added["passkey"]["id"].as_str().unwrap());
    let start = asked(&server, Json::Null).await;
    let late = passkey.input(&start);
    server.call("DELETE", &removed, &fresh, Json::Null).await.expect(204);
    server.call("DELETE", &removed, &fresh, Json::Null).await.expect(404);
    assert_eq!(error(log_in(&server, late).await, 401).0, "INVALID_CREDENTIALS", "a removed passkey is none");
    login(&server).await.expect(200);
    assert_eq!(database.number("SELECT count(*) FROM recovery_codes").await, 0);
}

/// What a passkey answers that is changed for this answer alone.
fn with(change: fn(&mut Passkey), passkey: &mut Passkey, start: &Json) -> Json {
    let (origin, host, counter) = (passkey.origin, passkey.host, passkey.counter);
    change(passkey);
    let input = passkey.input(start);
    (passkey.origin, passkey.host, passkey.counter, passkey.is_verifying) = (origin, host, counter, true);
    input
}

#[on_each_database]
async fn whatever_is_wrong_with_an_answer_is_refused_in_the_same_words(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let mut passkey = Passkey::new();
    passkey.counter = 5;
    passkey.add(&server, &token).await.expect(200);
    let mut of_eve = Passkey::added(&server, &server.register("eve").await).await;
    let before = database.texts("SELECT credential FROM passkeys ORDER BY id").await;
    let start = asked(&server, Json::Null).await;
    let other = asked(&server, Json::Null).await;
    let challenge = login(&server).await.json()["error"]["details"]["challenge"].clone();
    let second = asked(&server, challenge).await;
    let refused = [
        ("origin", with(|passkey| passkey.origin = Some("https://evil.example"), &mut passkey, &start)),
        ("host", with(|passkey| passkey.host = Some("evil.example"), &mut passkey, &start)),
        ("no verification", with(|passkey| passkey.is_verifying = false, &mut passkey, &start)),
        ("counter", with(|passkey| passkey.counter = 1, &mut passkey, &start)),
        ("unknown", Passkey::new().input(&start)),
        ("other challenge", json!({ "challenge": start["challenge"], "credential": passkey.get(&options(&other)) })),
        ("other user", of_eve.input(&second)),
    ];
    let mut said = Vec::new();
    for (what, input) in refused {
        let (code, message) = error(log_in(&server, input).await, 401);
        assert_eq!(code, "INVALID_CREDENTIALS", "{what}");
        said.push(message);
    }
    said.dedup();
    assert_eq!(said.len(), 1, "{said:?}");
    let no_json = log_in(&server, json!({ "challenge": start["challenge"], "credential": "{}" })).await.expect(400);
    assert_eq!(no_json.violations(), ["credential"]);
    // None of them used the challenge up, or changed anything.
    assert_eq!(database.texts("SELECT credential FROM passkeys ORDER BY id").await, before);
    token_of(log_in(&server, passkey.input(&start)).await);
    assert_ne!(database.texts("SELECT credential FROM passkeys ORDER BY id").await, before, "the counter goes on");
}

#[on_each_database]
async fn a_challenge_works_once_in_time_and_for_its_purpose(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let mut passkey = Passkey::new();
    let input = passkey.created(&server, &token).await;
    let added = server.post("/me/passkeys", &token, input.clone()).await.expect(200).json();
    let id = added["passkey"]["id"].as_str().unwrap();
    server.call("DELETE", &format!("/me/passkeys/{id}"), &token, Json::Null).await.expect(204);
    assert_eq!(error(server.post("/me/passkeys", &token, input).await, 401).0, "INVALID_CREDENTIALS");
    assert_eq!(database.number("SELECT count(*) FROM passkeys").await, 0);
    let mut passkey = Passkey::added(&server, &token).await;

    let start = asked(&server, Json::Null).await;
    let input = passkey.input(&start);
    let answers = join_all((0..10).map(|_| log_in(&server, input.clone()))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1, "of ten at once one gets in");
    assert_eq!(error(log_in(&server, input).await, 401).0, "INVALID_CREDENTIALS");

    let proof = server.post("/me/confirm-access/passkey", &token, json!({})).await.expect(200).json();
    let registration = server.post("/me/passkeys/start", &token, json!({})).await.expect(200).json();
    let first_step = login(&server).await.json()["error"]["details"]["challenge"].clone();
    let late = asked(&server, Json::Null).await;
    for (what, challenge) in [
        ("a proof", &proof["challenge"]),
        ("a registration", &registration["challenge"]),
        ("a first step", &first_step),
        ("a token", &json!(token)),
    ] {
        let input = json!({ "challenge": challenge, "credential": passkey.get(&options(&proof)) });
        assert_eq!(error(log_in(&server, input).await, 401).0, "UNAUTHENTICATED", "{what}");
    }
    let confirm =
        async |token: &str, input: Json| server.post("/me/confirm-access", token, json!({ "passkey": input })).await;
    assert_eq!(error(confirm(&token, passkey.input(&late)).await, 401).0, "UNAUTHENTICATED");
    let eve = server.register("eve").await;
    Passkey::added(&server, &eve).await;
    assert_eq!(error(confirm(&eve, passkey.input(&proof)).await, 401).0, "UNAUTHENTICATED");
    confirm(&token, passkey.input(&proof)).await.expect(200);
    // A challenge is for who asked.
    let input = Passkey::new().created(&server, &eve).await;
    assert_eq!(error(server.post("/me/passkeys", &token, input).await, 401).0, "UNAUTHENTICATED");

    server.clock.advance(5 * MINUTE + 6 * SECOND);
    assert_eq!(error(log_in(&server, passkey.input(&late)).await, 401).0, "UNAUTHENTICATED");
    let start = json!({ "challenge": first_step });
    assert_eq!(error(server.post("/auth/passkey/start", "", start).await, 401).0, "UNAUTHENTICATED");
}

#[on_each_database]
async fn a_passkey_is_added_once_and_as_the_service_asks_for_it(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let changes: [fn(&mut Passkey); 3] = [
        |passkey| passkey.origin = Some("https://evil.example"),
        |passkey| passkey.host = Some("evil.example"),
        |passkey| passkey.is_verifying = false,
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut passkey = Passkey::new();
        change(&mut passkey);
        assert_eq!(error(passkey.add(&server, &token).await, 401).0, "INVALID_CREDENTIALS", "{number}");
    }
    let mut passkey = Passkey::new();
    let input = passkey.created(&server, &token).await;
    let nameless = json!({ "challenge": input["challenge"], "credential": input["credential"], "name": " " });
    assert_eq!(server.post("/me/passkeys", &token, nameless).await.expect(400).violations(), ["name"]);
    server.post("/me/passkeys", &token, input).await.expect(200);
    let eve = server.register("eve").await;
    assert_eq!(error(passkey.add(&server, &eve).await, 409).0, "CONFLICT", "it is ada's");
    assert_eq!(database.number("SELECT count(*) FROM recovery_codes").await, 10, "eve got none");

    let asked = server.post("/me/passkeys/start", &token, json!({})).await.expect(200).json();
    let options = options(&asked);
    assert_eq!(options["excludeCredentials"].as_array().unwrap().len(), 1);
    assert_eq!(options["rp"]["id"], "sho.rt");
    let selection = &options["authenticatorSelection"];
    assert_eq!((&selection["residentKey"], &selection["userVerification"]), (&json!("required"), &json!("required")));
    for _ in 1..20 {
        let again = Passkey::new().add(&server, &token).await.expect(200).json();
        assert_eq!(again["recoveryCodes"], json!([]), "the codes of the first factor stay");
    }
    assert_eq!(error(server.post("/me/passkeys/start", &token, json!({})).await, 409).0, "CONFLICT");

    let listed = server.get("/me/passkeys", &token).await.expect(200).json();
    let first = format!("/me/passkeys/{}", listed["passkeys"][0]["id"].as_str().unwrap());
    server.clock.advance(10 * MINUTE + SECOND);
    for refused in [
        server.post("/me/passkeys/start", &token, json!({})).await,
        server.call("DELETE", &first, &token, Json::Null).await,
    ] {
        assert_eq!(refused.expect(403).json()["error"]["details"]["reason"], "PROOF_REQUIRED");
    }
    assert_eq!(database.number("SELECT count(*) FROM passkeys").await, 20);
}

#[on_each_database]
async fn a_passkey_is_a_fresh_proof(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let mut passkey = Passkey::added(&server, &token).await;
    server.clock.advance(10 * MINUTE + SECOND);
    let key = json!({ "name": "ci", "scopes": ["links:read"] });
    server.post("/api-keys", &token, key.clone()).await.expect(403);
    let confirm = async |body: Json| server.post("/me/confirm-access", &token, body).await;
    assert_eq!(confirm(json!({ "currentPassword": "ada's password" })).await.expect(400).violations(), ["code"]);
    let start = server.post("/me/confirm-access/passkey", &token, json!({})).await.expect(200).json();
    let input = passkey.input(&start);
    assert_eq!(confirm(json!({ "code": "123456", "passkey": input })).await.expect(400).violations(), ["passkey"]);
    let fresh = token_of(confirm(json!({ "passkey": input })).await);
    server.post("/api-keys", &fresh, key).await.expect(201);
    assert_eq!(error(confirm(json!({ "passkey": input })).await, 401).0, "INVALID_CREDENTIALS", "it works once");
}

#[on_each_database]
async fn factors_stand_beside_each_other(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    server.clock.advance(30 * SECOND - server.clock.now() % (30 * SECOND));
    let factors = async || login(&server).await.expect(401).json()["error"]["details"]["factors"].clone();
    let mut passkey = Passkey::new();
    let added = passkey.add(&server, &token).await.expect(200).json();
    let started = server.post("/me/totp", &token, json!({})).await.expect(200).json();
    assert_eq!(factors().await, json!(["PASSKEY"]), "the app is not confirmed yet");
    let code = totp::code(started["secret"].as_str().unwrap(), server.clock.now() / SECOND);
    let confirmed = server.post("/me/totp/confirm", &token, json!({ "code": code })).await.expect(200).json();
    assert_eq!(confirmed["recoveryCodes"], json!([]));
    assert_eq!(factors().await, json!(["TOTP", "PASSKEY"]));
    let id = added["passkey"]["id"].as_str().unwrap();
    server.call("DELETE", &format!("/me/passkeys/{id}"), &token, Json::Null).await.expect(204);
    assert_eq!(factors().await, json!(["TOTP"]));
    assert_eq!(database.number("SELECT count(*) FROM recovery_codes").await, 10);
    Passkey::added(&server, &token).await;
    server.call("DELETE", "/me/totp", &token, Json::Null).await.expect(200);
    assert_eq!(factors().await, json!(["PASSKEY"]));
    assert_eq!(database.number("SELECT count(*) FROM recovery_codes").await, 10);
    operate(&database, &["accounts", "remove-second-factor", "ada@example.com"]).await;
    login(&server).await.expect(200);
    assert_eq!(database.number("SELECT count(*) FROM passkeys").await, 0);
}

#[on_each_database]
async fn a_session_begins_with_a_passkey(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let mut passkey = Passkey::added(&server, &token).await;
    let session = async |body: Json| {
        let request = server.http.request(reqwest::Method::POST, "/auth/session").header("x-linkgraph", "1");
        server.http.send(request.json(&body)).await
    };
    let start = asked(&server, Json::Null).await;
    let mut input = passkey.input(&start);
    input["isPersistent"] = true.into();
    let begun = session(input.clone()).await.expect(200);
    assert!(begun.header("set-cookie").contains("Max-Age"), "{begun:?}");
    let fresh = begun.json()["accessToken"].as_str().unwrap().to_owned();
    server.post("/me/recovery-codes", &fresh, json!({})).await.expect(200);
    assert_eq!(session(input).await.expect(401).code(), "INVALID_CREDENTIALS");
    assert_eq!(session(json!({ "credential": "{}" })).await.expect(400).violations(), ["challenge"]);
    let more = json!({ "challenge": "x", "credential": "{}", "code": "1" });
    assert_eq!(session(more).await.expect(400).violations(), ["code"]);
}

#[on_each_database]
async fn a_suspended_user_and_one_of_a_company_are_kept_out(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let mut passkey = Passkey::added(&server, &token).await;
    let start = asked(&server, Json::Null).await;
    operate(&database, &["accounts", "suspend", "ada@example.com"]).await;
    let input = passkey.input(&start);
    let refused = log_in(&server, input.clone()).await.expect(403).json();
    assert_eq!(refused["error"]["details"]["reason"], "ACCOUNT_SUSPENDED");
    operate(&database, &["accounts", "restore", "ada@example.com"]).await;
    // The refusal has not used it up.
    log_in(&server, input).await.expect(200);
    let start = asked(&server, Json::Null).await;
    server.stop().await;

    let server = database
        .start_with(&[
            ("LINKGRAPH_PASSWORD_LOGIN", "off"),
            ("LINKGRAPH_PROXY_USER_HEADER", "Remote-Email"),
            ("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1"),
        ])
        .await;
    for refused in
        [log_in(&server, passkey.input(&start)).await, server.post("/auth/passkey/start", "", json!({})).await]
    {
        assert_eq!(refused.expect(403).json()["error"]["details"]["reason"], "PASSWORD_LOGIN_OFF");
    }
}

#[on_each_database]
async fn a_host_that_is_an_address_has_no_passkeys(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_BASE_URL", "http://127.0.0.1:1234")]).await;
    let token = server.register("ada").await;
    for (path, token) in
        [("/me/passkeys/start", &*token), ("/auth/passkey/start", ""), ("/me/confirm-access/passkey", &*token)]
    {
        let refused = server.post(path, token, json!({})).await.expect(403).json();
        assert_eq!(refused["error"]["details"]["reason"], "PASSKEYS_OFF", "{path}");
    }
}

#[on_each_database]
async fn what_happens_to_passkeys_is_mailed_and_undone_with_the_address(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let verify =
        async |token: String| server.post("/auth/verify-email", "", json!({ "token": token })).await.expect(200);
    verify(mailed(&database, 1, "verify-email?token=").await).await;
    Passkey::added(&server, &token).await;
    database.no_jobs_left().await;
    let told = |what: &str| all_mails(&database).iter().any(|mail| mail.contains(what));
    assert!(told("A passkey was added"));
    let body = json!({ "email": "thief@example.org", "currentPassword": "ada's password" });
    server.call("PATCH", "/me", &token, body).await.expect(200);
    server.clock.advance(SECOND);
    verify(mailed(&database, 2, "verify-email?token=").await).await;
    server.clock.advance(SECOND);
    Passkey::added(&server, &token).await;
    let undo = mailed(&database, 1, "undo-email?token=").await;
    server.post("/auth/undo-email-change", "", json!({ "token": undo })).await.expect(200);
    assert_eq!(database.number("SELECT count(*) FROM passkeys").await, 1, "that of before stays");
    assert_eq!(database.number("SELECT count(*) FROM recovery_codes").await, 10);
    // So it is after a reset of the password, as it is with an authenticator app.
    let reset = mailed(&database, 1, "reset-password?token=").await;
    server
        .post("/auth/reset-password", "", json!({ "token": reset, "password": "a better password" }))
        .await
        .expect(200);
    assert_eq!(database.number("SELECT count(*) FROM passkeys").await, 1);
}
