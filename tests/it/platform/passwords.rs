//! Forgotten passwords: a token that is only in the mail, and works once and not for long.

use futures_util::future::join_all;
use linkgraph::base::clock::{MINUTE, SECOND};
use sea_orm::{ConnectionTrait, DatabaseBackend, TransactionTrait};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use crate::{
    on_each_database,
    support::{
        Answer, Http, TestDatabase, eventually,
        mail::{MailServer, mailed, mails, reset_token, token_in},
        stored::holds,
    },
};

async fn forget(http: &Http, email: &str) -> Answer {
    let body = json!({ "email": email });
    let request = http.request(reqwest::Method::POST, "/auth/forgot-password");
    http.send(request.header("x-request-id", "the-same").json(&body)).await
}

async fn reset(http: &Http, token: &str, password: &str) -> Answer {
    http.post("/auth/reset-password", "", json!({ "token": token, "password": password })).await
}

async fn login(http: &Http, name: &str, password: &str) -> Answer {
    http.post("/auth/login", "", json!({ "email": format!("{name}@example.com"), "password": password })).await
}

#[on_each_database]
async fn the_answer_does_not_tell_who_has_an_account(database: TestDatabase) {
    let server = database.start().await;
    server.register("alice").await;
    let unknown = forget(&server, "nobody@example.com").await.expect(200);
    let known = forget(&server, "Alice@Example.com").await.expect(200);
    assert_eq!(known.text, unknown.text);
    let body = known.json();
    assert_eq!(body.as_object().unwrap().keys().collect::<Vec<_>>(), ["message"]);
    database.no_jobs_left().await;
    let mails = mails(&database);
    assert_eq!(mails.len(), 1, "a stranger got a mail: {mails:?}");
    assert!(mails[0].contains("To: alice@example.com"), "{}", mails[0]);
    assert!(mails[0].contains("http://sho.rt/reset-password?token="), "{}", mails[0]);
    assert_eq!(forget(&server, "nobody").await.expect(400).violations(), ["email"]);
    let empty = server.post("/auth/reset-password", "", json!({ "password": "short" })).await.expect(400);
    assert_eq!(empty.violations(), ["token", "password"]);
}

#[on_each_database]
async fn the_token_is_stored_by_its_hash_alone(database: TestDatabase) {
    let server = database.start().await;
    server.register("alice").await;
    forget(&server, "alice@example.com").await.expect(200);
    let token = reset_token(&database, 1).await;
    let stored = database.everything_stored().await;
    assert!(holds(&stored, &Sha256::digest(token.as_bytes())), "what is stored was not found");
    assert!(!holds(&stored, token.as_bytes()), "the token is stored");
    // The bytes of which the token is made are not stored either.
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    let bytes = URL_SAFE_NO_PAD.decode(&token).unwrap();
    assert!(bytes.len() >= 32 && !holds(&stored, &bytes));
}

#[on_each_database]
async fn a_reset_ends_all_sessions_and_opens_new_ones(database: TestDatabase) {
    let server = database.start().await;
    let old = server.register("alice").await;
    let bob = server.register("bob").await;
    server.link(&old, "hers").await;
    let key = server.api_key(&old, &["links:read"]).await;
    forget(&server, "alice@example.com").await.expect(200);
    let token = reset_token(&database, 1).await;
    server.get("/me", &old).await.expect(200);
    assert_eq!(reset(&server, &token, "short").await.expect(400).violations(), ["password"]);
    let answer = reset(&server, &token, "from the mail").await.expect(200);
    assert_eq!(answer.json().as_object().unwrap().keys().collect::<Vec<_>>(), ["message"]);

    assert_eq!(server.get("/me", &old).await.expect(401).code(), "UNAUTHENTICATED");
    server.get("/api-keys", &old).await.expect(401);
    server.get("/links", &old).await.expect(401);
    login(&server, "alice", "alice's password").await.expect(401);
    let session = login(&server, "alice", "from the mail").await.expect(200).json();
    server.get("/me", session["accessToken"].as_str().unwrap()).await.expect(200);
    server.get("/me", &bob).await.expect(200);
    server.get("/api/v1/links", &key).await.expect(200);
}

#[on_each_database]
async fn of_twenty_resets_with_one_token_one_succeeds(database: TestDatabase) {
    let server = database.start().await;
    server.register("alice").await;
    forget(&server, "alice@example.com").await.expect(200);
    let token = reset_token(&database, 1).await;
    let passwords: Vec<String> = (0..20).map(|number| format!("password number {number}")).collect();
    let answers = join_all(passwords.iter().map(|password| reset(&server, &token, password))).await;
    let won: Vec<&String> = passwords
        .iter()
        .zip(&answers)
        .filter(|(_, answer)| answer.status == 200)
        .map(|(password, _)| password)
        .collect();
    let statuses: Vec<u16> = answers.iter().map(|answer| answer.status.as_u16()).collect();
    assert_eq!(won.len(), 1, "{statuses:?}");
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (401, "UNAUTHENTICATED"));
    }
    login(&server, "alice", won[0]).await.expect(200);
    for other in passwords.iter().filter(|password| *password != won[0]).take(2) {
        login(&server, "alice", other).await.expect(401);
    }
    reset(&server, &token, "once more, please").await.expect(401);
    login(&server, "alice", won[0]).await.expect(200);
}

#[on_each_database]
async fn a_token_works_for_thirty_minutes(database: TestDatabase) {
    let server = database.start().await;
    server.register("alice").await;
    forget(&server, "alice@example.com").await.expect(200);
    let expired = reset_token(&database, 1).await;
    server.clock.advance(30 * MINUTE);
    assert_eq!(reset(&server, &expired, "much too late").await.expect(401).code(), "UNAUTHENTICATED");
    forget(&server, "alice@example.com").await.expect(200);
    let live = reset_token(&database, 2).await;
    server.clock.advance(29 * MINUTE);
    for wrong in ["", "x", "\u{0}", &live[1..], &format!("{live} "), &live.to_uppercase()] {
        assert_eq!(reset(&server, wrong, "anybody's password").await.expect(401).code(), "UNAUTHENTICATED");
    }
    reset(&server, &live, "just in time").await.expect(200);
    login(&server, "alice", "alice's password").await.expect(401);
    login(&server, "alice", "just in time").await.expect(200);
}

/// Tokens of an older mail, or of the former address, are refused.
#[on_each_database]
async fn a_change_of_password_or_address_ends_older_tokens(database: TestDatabase) {
    let server = database.start().await;
    let session = server.register("alice").await;
    for _ in 0..2 {
        forget(&server, "alice@example.com").await.expect(200);
    }
    let newer = reset_token(&database, 2).await;
    let older = token_in(&mails(&database)[0]);
    assert_ne!(older, newer);
    let me = json!({ "email": "liddell@example.com", "currentPassword": "alice's password" });
    server.call("PATCH", "/me", &session, me).await.expect(200);
    reset(&server, &older, "read in the old mailbox").await.expect(401);
    reset(&server, &newer, "read in the old mailbox").await.expect(401);
    let proof = mailed(&database, 2, "verify-email?token=").await;
    server.post("/auth/verify-email", "", json!({ "token": proof })).await.expect(200);

    for _ in 0..2 {
        forget(&server, "liddell@example.com").await.expect(200);
    }
    let newer = reset_token(&database, 4).await;
    let older = token_in(&mails(&database)[2]);
    reset(&server, &newer, "from the newer mail").await.expect(200);
    reset(&server, &older, "from the older mail").await.expect(401);

    forget(&server, "liddell@example.com").await.expect(200);
    let mailed = reset_token(&database, 5).await;
    let session = login(&server, "liddell", "from the newer mail").await.expect(200).json();
    let me = json!({ "password": "chosen by hand", "currentPassword": "from the newer mail" });
    server.call("PATCH", "/me", session["accessToken"].as_str().unwrap(), me).await.expect(200);
    reset(&server, &mailed, "from the last mail").await.expect(401);
    login(&server, "liddell", "chosen by hand").await.expect(200);
}

/// A request does not overwrite a change that was made since it began.
#[on_each_database]
async fn changes_of_a_user_wait_for_one_another(database: TestDatabase) {
    let server = database.start().await;
    let session = server.register("alice").await;
    let connection = database.connect().await;
    let meanwhile = async |request: reqwest::RequestBuilder, sql: &str| {
        let tx = connection.begin().await.unwrap();
        tx.execute_unprepared("UPDATE users SET name = name").await.unwrap();
        let http = server.http.clone();
        let answer = tokio::spawn(async move { http.send(request).await });
        if connection.get_database_backend() == DatabaseBackend::Postgres {
            database.waits_for_locks(1).await;
        }
        tx.execute_unprepared(sql).await.unwrap();
        tx.commit().await.unwrap();
        answer.await.unwrap()
    };
    let patch = |body: Json| server.request(reqwest::Method::PATCH, "/me").bearer_auth(&session).json(&body);
    let is =
        async |condition: &str| database.number(&format!("SELECT count(*) FROM users WHERE {condition}")).await == 1;

    let rename = patch(json!({ "name": "Alice Liddell" }));
    meanwhile(rename, "UPDATE users SET email = 'liddell@example.com'").await.expect(200);
    assert!(is("name = 'Alice Liddell' AND email = 'liddell@example.com'").await, "the address was brought back");

    forget(&server, "liddell@example.com").await.expect(200);
    let body = json!({ "token": reset_token(&database, 1).await, "password": "from the mail" });
    let reset = server.request(reqwest::Method::POST, "/auth/reset-password").json(&body);
    meanwhile(reset, "UPDATE users SET name = 'Alice'").await.expect(200);
    assert!(is("name = 'Alice'").await, "the name was brought back");

    let session = login(&server, "liddell", "from the mail").await.expect(200).json();
    let body = json!({ "email": "eve@example.com", "currentPassword": "from the mail" });
    let token = session["accessToken"].as_str().unwrap();
    let takeover = server.request(reqwest::Method::PATCH, "/me").bearer_auth(token).json(&body);
    let answer = meanwhile(takeover, "UPDATE users SET password_hash = 'reset'").await.expect(401);
    assert_eq!(answer.code(), "INVALID_CREDENTIALS");
    assert!(is("email = 'liddell@example.com' AND password_hash = 'reset'").await);
    connection.close().await.unwrap();
}

/// Mail to odd addresses is possible, and what is impossible is not tried forever.
#[on_each_database]
async fn a_mail_that_nobody_can_get_is_given_up(database: TestDatabase) {
    let server = database.start().await;
    let odd = ["a.b", "a+tag", "o'hara", "{x}", "-dash-", "1", "a!b#c$d%e&f*g/h=i?j^k_l`m|n~o", &"x".repeat(64)];
    // Longer than RFC 5321 §4.5.3.1.1 allows, which no mail can be addressed to.
    let impossible = "x".repeat(65);
    for local in odd.iter().chain([&*impossible].iter()) {
        let email = format!("{local}@mail.example.com");
        let body = json!({ "email": email, "password": "correct horse", "name": "Ada" });
        server.post("/auth/register", "", body).await.expect(201);
        forget(&server, &email).await.expect(200);
    }
    database.no_jobs_left().await;
    assert_eq!(mails(&database).len(), odd.len());
    server.stop().await;

    let sink = MailServer::start(1, "550 no such mailbox").await;
    let url = format!("smtp://127.0.0.1:{}", sink.port);
    let settings = [("LINKGRAPH_SMTP_URL", &*url), ("LINKGRAPH_MAIL_FROM", "no-reply@sho.rt")];
    let server = database.start_with(&settings).await;
    forget(&server, "a.b@mail.example.com").await.expect(200);
    database.no_jobs_left().await;
    assert_eq!((sink.offered(), sink.taken().len()), (1, 0));
    forget(&server, "a.b@mail.example.com").await.expect(200);
    database.no_jobs_left().await;
    assert_eq!((sink.offered(), sink.taken().len()), (2, 1), "the next one is sent");
}

#[on_each_database]
async fn a_mail_that_the_mail_server_puts_off_is_sent_later(database: TestDatabase) {
    let sink = MailServer::start(2, "451 come back later").await;
    let url = format!("smtp://127.0.0.1:{}", sink.port);
    let settings = [("LINKGRAPH_SMTP_URL", &*url), ("LINKGRAPH_MAIL_FROM", "Links <no-reply@sho.rt>")];
    let before = database.start().await;
    before.register("alice").await;
    database.no_jobs_left().await;
    before.stop().await;
    let server = database.start_with(&settings).await;
    forget(&server, "alice@example.com").await.expect(200);
    for (refused, wait) in [(1, 5 * SECOND), (2, 10 * SECOND)] {
        let attempts = async || {
            let attempts = database.number("SELECT CAST(coalesce(sum(attempts), 0) AS bigint) FROM jobs").await;
            (attempts == refused).then_some(())
        };
        eventually(&format!("refusal {refused}"), attempts).await;
        assert_eq!((sink.offered(), sink.taken().len()), (usize::try_from(refused).unwrap(), 0));
        server.clock.advance(wait);
    }
    eventually("the mail is taken", async || (!sink.taken().is_empty()).then_some(())).await;
    database.no_jobs_left().await;
    let taken = sink.taken();
    assert_eq!((taken.len(), sink.offered()), (1, 3), "{taken:?}");
    for line in ["MAIL FROM:<no-reply@sho.rt>", "RCPT TO:<alice@example.com>", "To: alice@example.com", "Links"] {
        assert!(taken[0].contains(line), "{line}: {}", taken[0]);
    }
    assert_eq!(mails(&database), Vec::<String>::new(), "it became a file, too");
    reset(&server, &token_in(&taken[0]), "from the mail").await.expect(200);
    login(&server, "alice", "from the mail").await.expect(200);
}

/// The same through GraphQL.
#[on_each_database]
async fn a_password_is_reset_through_graphql(database: TestDatabase) {
    let server = database.start().await;
    server.register("alice").await;
    let forgot = "mutation { forgotPassword(input: { email: \"alice@example.com\" }) { message } }";
    let answer = server.graphql("", forgot, Json::Null).await;
    assert!(answer["data"]["forgotPassword"]["message"].is_string(), "{answer}");
    let token = reset_token(&database, 1).await;
    let change = "mutation($input: ResetPasswordInput!) { resetPassword(input: $input) { message } }";
    let input = json!({ "input": { "token": token, "password": "from the mail" } });
    let answer = server.graphql("", change, input.clone()).await;
    assert!(answer["data"]["resetPassword"]["message"].is_string(), "{answer}");
    let answer = server.graphql("", change, input).await;
    assert_eq!(answer["errors"][0]["extensions"]["code"], "UNAUTHENTICATED", "{answer}");
    login(&server, "alice", "from the mail").await.expect(200);
}
