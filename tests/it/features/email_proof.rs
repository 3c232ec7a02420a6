//! Proof of e-mail addresses: registering, changing one's address, and undoing a change.

use linkgraph::base::clock::{DAY, HOUR, MINUTE};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{Answer, Http, TestDatabase, TestServer, mail::mailed},
};

const VERIFY: &str = "/app/verify-email?token=";
const UNDO: &str = "/app/undo-email?token=";
const RESET: &str = "reset-password?token=";

async fn verify(server: &Http, token: &str) -> Answer {
    server.post("/auth/verify-email", "", json!({ "token": token })).await
}

/// Asks for another address, and answers the user.
async fn move_to(server: &Http, token: &str, name: &str, email: &str) -> Json {
    let body = json!({ "email": email, "currentPassword": format!("{name}'s password") });
    server.call("PATCH", "/me", token, body).await.expect(200).json()
}

async fn me(server: &Http, token: &str) -> [Json; 3] {
    let me = server.get("/me", token).await.expect(200).json();
    ["email", "pendingEmail", "emailVerifiedAt"].map(|name| me[name].clone())
}

/// A user whose address is proved.
async fn proved(server: &TestServer, database: &TestDatabase, name: &str) -> String {
    let token = server.register(name).await;
    verify(server, &mailed(database, 1, VERIFY).await).await.expect(200);
    token
}

#[on_each_database]
async fn a_registration_is_proved_by_its_mail(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    assert_eq!(me(&server, &token).await, [json!("ada@example.com"), Json::Null, Json::Null]);
    let first = mailed(&database, 1, VERIFY).await;
    // Another mail does not make the first one void.
    let said = server.post("/me/verification", &token, json!({})).await.expect(200).json();
    assert_eq!(said["message"], "A mail is on its way to ada@example.com.");
    mailed(&database, 2, VERIFY).await;
    for wrong in ["", "x", &first[1..]] {
        assert_eq!(verify(&server, wrong).await.expect(401).code(), "UNAUTHENTICATED", "{wrong}");
    }
    verify(&server, &first).await.expect(200);
    let [_, _, proved_at] = me(&server, &token).await;
    assert!(proved_at.is_string());
    assert_eq!(verify(&server, &first).await.expect(401).code(), "UNAUTHENTICATED", "used");
    let said = server.post("/me/verification", &token, json!({})).await.expect(200).json();
    assert_eq!(said["message"], "Your e-mail address is confirmed already.");
    database.no_jobs_left().await;
    mailed(&database, 2, VERIFY).await;
}

#[on_each_database]
async fn a_token_of_a_mail_works_for_a_day(database: TestDatabase) {
    let server = database.start().await;
    server.register("ada").await;
    let late = mailed(&database, 1, VERIFY).await;
    server.clock.advance(DAY - MINUTE);
    let token = server.login("ada").await;
    server.post("/me/verification", &token, json!({})).await.expect(200);
    let fresh = mailed(&database, 2, VERIFY).await;
    server.clock.advance(MINUTE);
    assert_eq!(verify(&server, &late).await.expect(401).code(), "UNAUTHENTICATED");
    verify(&server, &fresh).await.expect(200);
}

#[on_each_database]
async fn a_new_address_waits_for_its_proof(database: TestDatabase) {
    let server = database.start().await;
    let token = proved(&server, &database, "ada").await;
    let [.., proved_at] = me(&server, &token).await;
    let moved = move_to(&server, &token, "ada", "King@example.org").await;
    assert_eq!([&moved["email"], &moved["pendingEmail"]], ["ada@example.com", "king@example.org"]);
    let first = mailed(&database, 2, VERIFY).await;
    // A typing error is mended: the mail to the wrong address proves nothing any more.
    move_to(&server, &token, "ada", "kings@example.org").await;
    let second = mailed(&database, 3, VERIFY).await;
    assert_eq!(verify(&server, &first).await.expect(401).code(), "UNAUTHENTICATED");
    assert_eq!(me(&server, &token).await, [json!("ada@example.com"), json!("kings@example.org"), proved_at.clone()]);
    // The address in force drops the one that waits.
    move_to(&server, &token, "ada", "ada@example.com").await;
    assert_eq!(verify(&server, &second).await.expect(401).code(), "UNAUTHENTICATED");
    assert_eq!(me(&server, &token).await, [json!("ada@example.com"), Json::Null, proved_at]);

    move_to(&server, &token, "ada", "king@example.org").await;
    let third = mailed(&database, 4, VERIFY).await;
    server.post("/auth/forgot-password", "", json!({ "email": "ada@example.com" })).await.expect(200);
    let reset = mailed(&database, 1, RESET).await;
    verify(&server, &third).await.expect(200);
    let [email, pending, _] = me(&server, &token).await;
    assert_eq!((email, pending), (json!("king@example.org"), Json::Null));
    let body = json!({ "token": reset, "password": "from the old mailbox" });
    server.post("/auth/reset-password", "", body).await.expect(401);
    server
        .post("/auth/login", "", json!({ "email": "king@example.org", "password": "ada's password" }))
        .await
        .expect(200);
    server
        .post("/auth/login", "", json!({ "email": "ada@example.com", "password": "ada's password" }))
        .await
        .expect(401);
}

#[on_each_database]
async fn an_address_that_another_has_taken_meanwhile_is_refused(database: TestDatabase) {
    let server = database.start().await;
    let token = proved(&server, &database, "ada").await;
    move_to(&server, &token, "ada", "bob@example.com").await;
    let proof = mailed(&database, 2, VERIFY).await;
    server.register("bob").await;
    let refused = verify(&server, &proof).await.expect(409);
    assert_eq!(
        (refused.code().as_str(), &refused.json()["error"]["details"]),
        ("CONFLICT", &json!({ "path": "email" }))
    );
    let [email, pending, _] = me(&server, &token).await;
    assert_eq!((email, pending), (json!("ada@example.com"), json!("bob@example.com")), "nothing was changed");
}

#[on_each_database]
async fn the_old_address_undoes_a_change_for_a_week(database: TestDatabase) {
    let server = database.start().await;
    let token = proved(&server, &database, "ada").await;
    // A thief who knows the password takes the account to another address, and another one.
    for (number, email) in ["thief@example.org", "thief2@example.org"].into_iter().enumerate() {
        move_to(&server, &token, "ada", email).await;
        verify(&server, &mailed(&database, 2 + number, VERIFY).await).await.expect(200);
    }
    let undo = mailed(&database, 2, UNDO).await;
    let first_undo = {
        let mails = crate::support::mail::all_mails(&database);
        let mail = mails.iter().find(|mail| mail.contains(UNDO) && mail.contains("ada@example.com")).unwrap();
        mail.split_once(UNDO).unwrap().1.split_whitespace().next().unwrap().to_owned()
    };
    assert_ne!(undo, first_undo);
    // Nobody else gets the old address meanwhile.
    let body = json!({ "email": "ada@example.com", "password": "another's password", "name": "Eve" });
    assert_eq!(server.post("/auth/register", "", body.clone()).await.expect(409).code(), "CONFLICT");
    server.clock.advance(7 * DAY - HOUR);
    let answer = server.post("/auth/undo-email-change", "", json!({ "token": first_undo })).await.expect(200);
    assert!(answer.json()["message"].as_str().unwrap().contains("yours again"));
    // The thief's password and tokens are void, and so is the mail to the thief's first address.
    for email in ["ada@example.com", "thief@example.org", "thief2@example.org"] {
        let login = json!({ "email": email, "password": "ada's password" });
        server.post("/auth/login", "", login).await.expect(401);
    }
    server.get("/me", &token).await.expect(401);
    server.post("/auth/undo-email-change", "", json!({ "token": undo })).await.expect(401);
    server.post("/auth/undo-email-change", "", json!({ "token": first_undo })).await.expect(401);
    let reset = mailed(&database, 1, RESET).await;
    let body = json!({ "token": reset, "password": "a better password" });
    server.post("/auth/reset-password", "", body).await.expect(200);
    let login = json!({ "email": "ada@example.com", "password": "a better password" });
    let token =
        server.post("/auth/login", "", login).await.expect(200).json()["accessToken"].as_str().unwrap().to_owned();
    let [email, _, proved_at] = me(&server, &token).await;
    assert!(email == "ada@example.com" && proved_at.is_string());
}

#[on_each_database]
async fn an_undo_is_over_after_a_week_and_the_address_is_free(database: TestDatabase) {
    let server = database.start().await;
    let token = proved(&server, &database, "ada").await;
    move_to(&server, &token, "ada", "king@example.org").await;
    verify(&server, &mailed(&database, 2, VERIFY).await).await.expect(200);
    let undo = mailed(&database, 1, UNDO).await;
    server.clock.advance(7 * DAY);
    server.post("/auth/undo-email-change", "", json!({ "token": undo })).await.expect(401);
    server.register("ada").await;
}

#[on_each_database]
async fn an_address_that_was_never_proved_can_undo_nothing(database: TestDatabase) {
    let server = database.start().await;
    // Somebody's mistyped address belongs to a stranger.
    let token = server.register("ada").await;
    move_to(&server, &token, "ada", "right@example.org").await;
    verify(&server, &mailed(&database, 2, VERIFY).await).await.expect(200);
    database.no_jobs_left().await;
    assert!(!crate::support::mail::all_mails(&database).iter().any(|mail| mail.contains(UNDO)));
    let [email, ..] = me(&server, &token).await;
    assert_eq!(email, "right@example.org");
}

#[on_each_database]
async fn users_are_told_of_what_others_may_have_done(database: TestDatabase) {
    let server = database.start().await;
    let token = proved(&server, &database, "ada").await;
    server.api_key(&token, &["links:read"]).await;
    mailed(&database, 1, "It begins with lg_live_").await;
    let body = json!({ "password": "a better password", "currentPassword": "ada's password" });
    server.call("PATCH", "/me", &token, body).await.expect(200);
    mailed(&database, 1, "Your password was changed").await;
    // Who has not proved the address is told nothing: it may be a stranger's.
    let bob = server.register("bob").await;
    server.api_key(&bob, &["links:read"]).await;
    database.no_jobs_left().await;
    mailed(&database, 1, "It begins with lg_live_").await;
}
