//! Guessed passwords: guesses do not succeed, and do not lock the user out.

use std::net::IpAddr;

use futures_util::future::join_all;
use linkgraph::{
    base::{
        clock::{DAY, MINUTE, SECOND},
        ids::UserId,
    },
    features::accounts::known_networks,
    platform::{auth::client::ClientNet, http::rate_limit::Guess},
};
use reqwest::Method;
use serde_json::json;
use tokio::task::JoinHandle;

use crate::{
    on_each_database,
    support::{
        Answer, Http, TestDatabase, TestServer, eventually,
        limits::{LIMITED, assert_limited, from, login, standing},
        mail::reset_token,
        stored::holds,
    },
};

const BEHIND_PROXY: (&str, &str) = ("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1");
const ALICE: &str = "alice@example.com";
const NOBODY: &str = "nobody@example.com";
const RIGHT: &str = "alice's password";
/// The address that alice has registered from.
const HOME: &str = "203.0.113.77";

async fn start(database: &TestDatabase) -> TestServer {
    database.start_with(&[LIMITED, BEHIND_PROXY]).await
}

async fn register(http: &Http) -> String {
    let body = json!({ "email": ALICE, "password": RIGHT, "name": "Alice" });
    let session = from(http, HOME, "/auth/register", &body).await.expect(201).json();
    session["accessToken"].as_str().unwrap().to_owned()
}

async fn log_in(http: &Http, client: &str, email: &str, password: &str) -> Answer {
    from(http, client, "/auth/login", &login(email, password)).await
}

/// The same, under way.
fn begin(http: &Http, client: &str, email: &str, password: &str) -> JoinHandle<Answer> {
    let (http, client, body) = (http.clone(), client.to_owned(), login(email, password));
    tokio::spawn(async move { from(&http, &client, "/auth/login", &body).await })
}

fn network(client: &str) -> ClientNet {
    client.parse::<IpAddr>().unwrap().into()
}

/// Counts a hundred wrong passwords, each from another network, and takes the turn that is given at once.
async fn guess_a_hundred_times(server: &TestServer, email: &str) {
    let limits = &server.api().app.limits;
    for number in 0..100 {
        let counted = limits.count_login_failure(Guess::new(email, network(&format!("198.18.0.{number}"))), true).await;
        assert!(counted.is_ok(), "{number}: {counted:?}");
    }
    assert!(limits.wait_for_login(Guess::new(email, network("198.18.1.1"))).await.is_ok());
}

async fn are_waiting(server: &TestServer, number: usize) {
    let what = format!("{number} logins wait");
    eventually(&what, async || (server.api().app.limits.waiting_logins() == number).then_some(())).await;
}

#[on_each_database]
async fn five_failures_refuse_one_network_at_one_address(database: TestDatabase) {
    let server = start(&database).await;
    let token = register(&server).await;
    // Whether there is such a user makes no difference, nor does the address's case.
    for (number, email) in [ALICE, NOBODY].into_iter().enumerate() {
        for host in 0..5 {
            let email = if host % 2 == 0 { email.to_owned() } else { email.to_uppercase() };
            // Within its /64 an IPv6 client chooses.
            let client = format!("2001:db8:0:{number}::{host:x}");
            log_in(&server, &client, &email, "wrong").await.expect(401);
        }
        for password in [RIGHT, "wrong"] {
            let answer = log_in(&server, &format!("2001:db8:0:{number}::77"), email, password).await;
            assert_limited(&answer);
            let seconds: u64 = answer.header("retry-after").parse().unwrap();
            assert!((800..=901).contains(&seconds), "{seconds}");
        }
        log_in(&server, &format!("2001:db8:0:{number}::78"), "bob@example.com", "wrong").await.expect(401);
        log_in(&server, &format!("2001:db8:0:8{number}::"), email, "wrong").await.expect(401);
    }
    // Nor is the current password guessed by another way.
    let change = async |client: &str, current: &str| {
        let body = json!({ "password": "a better one", "currentPassword": current });
        let request = server.request(Method::PATCH, "/me").bearer_auth(&token).header("x-forwarded-for", client);
        server.send(request.json(&body)).await
    };
    assert_limited(&change("2001:db8::99", RIGHT).await);
    // Alice gets in where she has been before, and where she has not.
    for client in [HOME, "192.0.2.1"] {
        log_in(&server, client, ALICE, RIGHT).await.expect(200);
    }
    for _ in 0..5 {
        change("192.0.2.2", "wrong").await.expect(401);
    }
    assert_limited(&change("192.0.2.2", "wrong").await);
    assert_limited(&log_in(&server, "192.0.2.2", ALICE, RIGHT).await);
    change("192.0.2.3", RIGHT).await.expect(200);

    server.clock.advance(14 * MINUTE);
    assert_limited(&log_in(&server, "192.0.2.2", ALICE, "a better one").await);
    server.clock.advance(MINUTE);
    log_in(&server, "192.0.2.2", ALICE, "a better one").await.expect(200);
    // A user who got in has all tries again.
    for (failures, client) in [(4, "192.0.2.4"), (1, "192.0.2.4"), (4, "192.0.2.5")] {
        for _ in 0..failures {
            log_in(&server, client, ALICE, "wrong").await.expect(401);
        }
        log_in(&server, client, ALICE, "a better one").await.expect(200);
    }
}

/// A client that goes on is told the same wait each time, and let in after it, whichever limit is met first.
#[on_each_database]
async fn the_longest_wait_is_told(database: TestDatabase) {
    let server = start(&database).await;
    register(&server).await;
    let log_in = async |path: &str, client: &str, email: &str, password: &str| {
        let request = server.request(Method::POST, path).header("x-forwarded-for", client);
        server.send(request.header("x-linkgraph", "1").json(&login(email, password))).await
    };
    let is_told = |answer: &Answer| {
        assert_limited(answer);
        let wait: i64 = answer.header("retry-after").parse().unwrap();
        assert!((800..=900).contains(&wait) && answer.header("ratelimit").contains("login-failures"), "{answer:?}");
        wait
    };
    for (path, client) in [("/auth/session", "192.0.2.1"), ("/auth/login", "192.0.2.2")] {
        for _ in 0..5 {
            log_in(path, client, ALICE, "wrong").await.expect(401);
        }
        let mut wait = 0;
        for _ in 0..15 {
            wait = is_told(&log_in(path, client, ALICE, "wrong").await);
        }
        server.clock.advance(wait * SECOND);
        log_in(path, client, ALICE, RIGHT).await.expect(200);
    }
    // The client's own quota is used up as well.
    let client = "192.0.2.3";
    for email in [ALICE, NOBODY] {
        for _ in 0..5 {
            log_in("/auth/session", client, email, "wrong").await.expect(401);
        }
    }
    for email in [ALICE, NOBODY] {
        is_told(&log_in("/auth/session", client, email, "wrong").await);
    }
}

#[on_each_database]
async fn a_hundred_failures_slow_strange_networks_and_no_known_one(database: TestDatabase) {
    let server = start(&database).await;
    register(&server).await;
    for email in [ALICE, NOBODY] {
        guess_a_hundred_times(&server, email).await;
    }
    let there = begin(&server, "192.0.2.1", ALICE, RIGHT);
    let nobody = begin(&server, "192.0.2.1", NOBODY, RIGHT);
    are_waiting(&server, 2).await;
    // On a network that the user has logged in from, logins are not delayed.
    log_in(&server, HOME, ALICE, RIGHT).await.expect(200);
    log_in(&server, HOME, ALICE, "wrong").await.expect(401);
    assert!(!there.is_finished() && !nobody.is_finished());
    server.clock.advance(30 * SECOND);
    there.await.unwrap().expect(200);
    let unknown = nobody.await.unwrap().expect(401);
    assert_eq!(standing(&unknown).0, "login-failures", "{unknown:?}");
    are_waiting(&server, 0).await;
    // The network is a known one of the user now.
    log_in(&server, "192.0.2.1", ALICE, RIGHT).await.expect(200);

    // A wrong password that was delayed gets the same response as one for an unknown address.
    let wrong = begin(&server, "192.0.2.2", ALICE, "wrong");
    are_waiting(&server, 1).await;
    server.clock.advance(30 * SECOND);
    let wrong = wrong.await.unwrap().expect(401);
    let without_id = |answer: &Answer| answer.json()["error"].clone();
    assert_eq!(without_id(&wrong), without_id(&unknown));
    assert_eq!(standing(&wrong).1, standing(&unknown).1);
    // After a day nothing is left of it.
    server.clock.advance(DAY);
    log_in(&server, "192.0.2.3", ALICE, RIGHT).await.expect(200);
}

#[on_each_database]
async fn only_so_many_wait_and_they_hold_nothing(database: TestDatabase) {
    let server = start(&database).await;
    let token = register(&server).await;
    // More than there are connections to the database.
    let emails: Vec<String> = (0..12).map(|number| format!("user{number}@example.com")).collect();
    join_all(emails.iter().map(|email| guess_a_hundred_times(&server, email))).await;
    let mut waiting = Vec::new();
    for (of, email) in emails.iter().enumerate() {
        waiting.extend((0..4).map(|number| begin(&server, &format!("192.0.{of}.{number}"), email, "wrong")));
    }
    are_waiting(&server, 48).await;
    let refused = log_in(&server, "192.0.2.9", &emails[0], "wrong").await.expect(429);
    assert_eq!((refused.code().as_str(), refused.header("retry-after")), ("RATE_LIMITED", "30"));
    server.link(&token, "spring").await;
    server.get("/me", &token).await.expect(200);
    log_in(&server, HOME, ALICE, RIGHT).await.expect(200);
    // Turns are given one by one.
    server.clock.advance(30 * SECOND);
    let answers = join_all(waiting).await;
    for (email, answers) in emails.iter().zip(answers.chunks(4)) {
        let statuses: Vec<u16> = answers.iter().map(|answer| answer.as_ref().unwrap().status.as_u16()).collect();
        let tried = statuses.iter().filter(|status| **status == 401).count();
        assert!(tried == 1 && statuses.iter().all(|status| matches!(status, 401 | 429)), "{email}: {statuses:?}");
        for refused in answers.iter().map(|answer| answer.as_ref().unwrap()).filter(|answer| answer.status == 429) {
            assert_limited(refused);
            assert!(refused.header("retry-after").parse::<u64>().unwrap() <= 30, "{refused:?}");
        }
    }
    are_waiting(&server, 0).await;
}

/// A user whom others' failures slow gets in so.
#[on_each_database]
async fn a_reset_makes_its_network_known(database: TestDatabase) {
    let server = start(&database).await;
    register(&server).await;
    guess_a_hundred_times(&server, ALICE).await;
    let client = "192.0.2.1";
    from(&server, client, "/auth/forgot-password", &json!({ "email": ALICE })).await.expect(200);
    let body = json!({ "token": reset_token(&database, 1).await, "password": "from the mail" });
    from(&server, client, "/auth/reset-password", &body).await.expect(200);
    log_in(&server, client, ALICE, "from the mail").await.expect(200);
}

#[on_each_database]
async fn known_networks_are_kept_without_an_address(database: TestDatabase) {
    let secrets = |text| ("LINKGRAPH_JWT_SECRETS", text);
    let old = "old:0123456789abcdef0123456789abcdef";
    let rotated = "new:fedcba9876543210fedcba9876543210,old:0123456789abcdef0123456789abcdef";
    let server = database.start_with(&[LIMITED, BEHIND_PROXY, secrets(old)]).await;
    register(&server).await;
    log_in(&server, "2001:db8:77:77::1", ALICE, RIGHT).await.expect(200);
    let stored = database.everything_stored().await;
    assert!(holds(&stored, ALICE.as_bytes()), "what is stored was not found");
    for client in [HOME, "2001:db8:77:77::1"] {
        let address: IpAddr = client.parse().unwrap();
        let mapped = network(client).octets();
        assert!(!holds(&stored, client.as_bytes()) && !holds(&stored, &mapped), "{address}");
    }
    server.stop().await;

    // By a node that starts anew, another one, and after a rotation of the secret.
    let other = database.node();
    let other = if database.url.is_some() { &other } else { &database };
    for (directory, secret) in [(&database, old), (other, old), (other, rotated)] {
        let server = directory.start_with(&[LIMITED, BEHIND_PROXY, secrets(secret)]).await;
        guess_a_hundred_times(&server, ALICE).await;
        for client in [HOME, "2001:db8:77:77::2"] {
            log_in(&server, client, ALICE, RIGHT).await.expect(200);
        }
        server.stop().await;
    }
}

#[on_each_database]
async fn the_networks_of_twenty_logins_are_kept_for_ninety_days(database: TestDatabase) {
    let server = start(&database).await;
    register(&server).await;
    let app = &server.api().app;
    let session = log_in(&server, HOME, ALICE, RIGHT).await.expect(200).json();
    let user = UserId(session["user"]["id"].as_str().unwrap().parse().unwrap());
    let client = |number: u8| IpAddr::from([192, 0, 2, number]);
    let rows = async || database.number("SELECT count(*) FROM known_networks").await;
    for number in 0..25 {
        server.clock.advance(MINUTE);
        known_networks::remember(app, user, client(number), None).await;
    }
    assert_eq!(rows().await, 20);
    let seen = async |number| known_networks::seen_at(app, Some(user), client(number)).await.unwrap_or_default();
    for number in 0..25 {
        assert_eq!(seen(number).await.is_some(), number >= 5, "{number}");
        assert!(known_networks::seen_at(app, None, client(number)).await.is_ok_and(|seen| seen.is_none()));
    }
    // A note is renewed when it is a day old, and not before.
    let noted = seen(24).await;
    known_networks::remember(app, user, client(24), noted).await;
    assert_eq!(seen(24).await, noted);
    server.clock.advance(DAY);
    known_networks::remember(app, user, client(24), noted).await;
    assert!(seen(24).await > noted && rows().await == 20);
    server.clock.advance(89 * DAY + MINUTE);
    assert_eq!((seen(23).await, seen(24).await.is_some()), (None, true));
    known_networks::remember(app, user, client(100), None).await;
    assert_eq!(rows().await, 2, "those that are too old go");
}
