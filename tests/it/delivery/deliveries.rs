//! Deliveries: signed, tried by the schedule, and what becomes of webhooks that fail.

use std::{
    collections::BTreeMap,
    io::ErrorKind,
    time::{Duration, Instant},
};

use linkgraph::{
    base::{
        clock::{Clock, DAY, HOUR, MINUTE, SECOND, UnixMillis, parse_rfc3339},
        config::Config,
    },
    records::webhooks::delivery::schedule,
};
use serde_json::{Value as Json, json};
use tokio::net::TcpListener;

use crate::{
    on_each_database,
    support::{
        TestDatabase, TestServer, eventually,
        mail::mails,
        receiver::{Arrived, Asked, Behaviour, LEASED, Receiver, id},
    },
};

/// Keys live longer than tokens: these tests move the clock by days.
const SCOPES: [&str; 4] = ["links:read", "links:write", "webhooks:read", "webhooks:manage"];

const SETTINGS: [(&str, &str); 2] =
    [("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true"), ("LINKGRAPH_DEFAULT_PLAN", "unlimited")];

async fn open(database: &TestDatabase) -> (TestServer, String, Receiver) {
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    let key = server.api_key(&token, &SCOPES).await;
    (server, key, Receiver::start().await)
}

fn path_of(webhook: &Json) -> String {
    format!("/api/v1/webhooks/{}", id(webhook))
}

fn time(json: &Json) -> UnixMillis {
    parse_rfc3339(json.as_str().unwrap_or_else(|| panic!("{json}"))).unwrap()
}

/// Whether a signature is the library's for this message. Its own check compares with the real time, and here the clock
/// has been moved.
fn verifies(arrived: &Arrived, secret: &Json) -> bool {
    let library = standardwebhooks::Webhook::new(secret.as_str().unwrap()).unwrap();
    let expected = library.sign(arrived.header("webhook-id"), arrived.timestamp(), arrived.body.as_bytes()).unwrap();
    arrived.header("webhook-signature").split(' ').any(|signature| signature == expected)
}

/// Waits until the delivery has had so many attempts and nothing is under way.
async fn attempted(server: &TestServer, database: &TestDatabase, key: &str, webhook: &Json, attempts: usize) -> Json {
    let delivery =
        server.delivery_that(key, webhook, &format!("{attempts} attempts"), |it| it["attemptCount"] == attempts).await;
    database.settled().await;
    delivery
}

#[on_each_database]
async fn what_a_receiver_gets_verifies_with_the_reference_library(database: TestDatabase) {
    let (server, key, receiver) = open(&database).await;
    let webhook = server.webhook(&key, &receiver.url("/"), &["link.created"]).await;
    let first = webhook["secret"].clone();
    server.link(&key, "one").await;
    let arrived = receiver.wait("/", 1).await.remove(0);
    let library = standardwebhooks::Webhook::new(first.as_str().unwrap()).unwrap();
    library.verify(arrived.body.as_bytes(), &arrived.headers).unwrap();
    assert!(arrived.header("webhook-id").starts_with("msg_"));
    assert!(!verifies(&Arrived { body: arrived.body.replace("one", "two"), ..arrived.clone() }, &first));

    // For a day, both sign.
    let rotate = format!("{}/rotate-secret", path_of(&webhook));
    let second = server.post(&rotate, &key, Json::Null).await.expect(200).json()["secret"].clone();
    for (after, count, old_is_good) in [(0, 2, true), (DAY - MINUTE, 3, true), (2 * MINUTE, 4, false)] {
        database.settled().await;
        server.clock.advance(after);
        server.link(&key, &format!("s{count}")).await;
        let arrived = receiver.wait("/", count).await.remove(count - 1);
        assert_eq!((verifies(&arrived, &first), verifies(&arrived, &second)), (old_is_good, true), "{count}");
        let signatures = if old_is_good { 2 } else { 1 };
        assert_eq!(arrived.header("webhook-signature").split(' ').count(), signatures);
    }
}

#[on_each_database]
async fn a_receiver_that_fails_is_tried_15_times_by_the_schedule(database: TestDatabase) {
    let (server, key, receiver) = open(&database).await;
    receiver.set("/", Behaviour::Body(500, format!("broken: {}", "é".repeat(5_000))));
    let webhook = server.webhook(&key, &receiver.url("/"), &["link.created"]).await;
    // Served at the same moments, and healthy: when it has its event, the other would have had its.
    let other = server.webhook(&key, &receiver.url("/other"), &["link.updated"]).await;
    let link = server.link(&key, "one").await;
    let change = format!("/api/v1/links/{}", id(&link));
    for attempts in 1..=schedule::ATTEMPTS {
        let delivery = attempted(&server, &database, &key, &webhook, attempts).await;
        let made = delivery["attempts"].as_array().unwrap();
        assert_eq!(made.len(), attempts);
        for attempt in made {
            assert_eq!((&attempt["statusCode"], &attempt["error"]), (&json!(500), &Json::Null));
            assert_eq!(attempt["responseStart"].as_str().unwrap().chars().count(), 1_000);
        }
        let shown = server.get(&path_of(&webhook), &key).await.json();
        assert_eq!((&shown["failingSince"], &shown["isActive"]), (&made[0]["attemptedAt"], &json!(true)));
        let last = made.last().unwrap();
        let Some(due) = delivery["nextAttemptAt"].as_str() else {
            assert_eq!((attempts, &delivery["status"]), (15, &json!("FAILED")));
            assert!(time(&delivery["completedAt"]) >= time(&last["attemptedAt"]));
            break;
        };
        assert_eq!((&delivery["status"], &delivery["completedAt"]), (&json!("RETRYING"), &Json::Null));
        let ended = time(&last["attemptedAt"]) + last["durationMs"].as_i64().unwrap();
        let wait = parse_rfc3339(due).unwrap() - ended;
        let least = schedule::delay(attempts, 0.0, None).unwrap();
        assert!((least..=schedule::delay(attempts, 1.0, None).unwrap()).contains(&wait), "{attempts}: {wait}");
        // Not sooner.
        let left = parse_rfc3339(due).unwrap() - server.clock.now();
        server.clock.advance((left - 2 * SECOND).max(0));
        server.call("PATCH", &change, &key, json!({ "isActive": attempts % 2 == 0 })).await.expect(200);
        receiver.wait("/other", attempts).await;
        // On a slow machine the two seconds may have passed.
        let arrived = receiver.arrived("/").len();
        let is_due = server.clock.now() >= parse_rfc3339(due).unwrap();
        assert!(arrived == attempts || is_due, "it was tried too soon");
        database.settled().await;
        server.clock.advance(2 * SECOND);
    }
    // Nor ever again.
    server.clock.advance(3 * DAY);
    server.call("PATCH", &change, &key, json!({ "isActive": true })).await.expect(200);
    receiver.wait("/other", 15).await;
    let arrived = receiver.arrived("/");
    assert_eq!(arrived.len(), 15);
    assert!(
        arrived
            .iter()
            .all(|it| it.header("webhook-id") == arrived[0].header("webhook-id") && it.body == arrived[0].body)
    );
    assert!(arrived.is_sorted_by_key(Arrived::timestamp), "each attempt has its own time");
    for (number, pair) in arrived.windows(2).enumerate() {
        let waited = (pair[1].timestamp() - pair[0].timestamp()) * SECOND;
        assert!(waited >= schedule::delay(number + 1, 0.0, None).unwrap() - SECOND, "{number}: {waited}");
    }
    assert!(arrived.iter().all(|it| verifies(it, &webhook["secret"])));
    // The result of a delivery is stored a moment after its arrival.
    server.delivery_that(&key, &other, "the other has all", |it| it["status"] == "SUCCEEDED").await;

    // Asked for again: the same event, by the whole schedule, and no more attempts kept than two schedules make.
    receiver.set("/", Behaviour::Status(204));
    let delivery = server.deliveries(&key, &webhook, "").await.remove(0);
    let redeliver = format!("{}/deliveries/{}/redeliver", path_of(&webhook), id(&delivery));
    let answer = server.post(&redeliver, &key, Json::Null).await.expect(200).json();
    assert_eq!((&answer["status"], &answer["completedAt"]), (&json!("PENDING"), &Json::Null));
    let delivery = attempted(&server, &database, &key, &webhook, 16).await;
    assert_eq!((&delivery["status"], &delivery["nextAttemptAt"]), (&json!("SUCCEEDED"), &Json::Null));
    assert_eq!(delivery["attempts"].as_array().unwrap().len(), 16);
    let again = receiver.arrived("/").remove(15);
    assert_eq!(again.header("webhook-id"), arrived[0].header("webhook-id"));
    assert!(again.timestamp() > arrived[14].timestamp());
    assert_eq!(server.get(&path_of(&webhook), &key).await.json()["failingSince"], Json::Null);
}

#[on_each_database]
async fn retry_after_is_honoured_within_bounds(database: TestDatabase) {
    let (server, key, receiver) = open(&database).await;
    let webhook = server.webhook(&key, &receiver.url("/"), &["link.created"]).await;
    server.link(&key, "one").await;
    receiver.wait("/", 1).await;
    let delivery = attempted(&server, &database, &key, &webhook, 1).await;
    let redeliver = format!("{}/deliveries/{}/redeliver", path_of(&webhook), id(&delivery));
    for (round, (asked, least, most)) in [
        ("7200", 2 * HOUR, 2 * HOUR),
        ("999999999", DAY, DAY),
        ("0", 4 * SECOND, 6 * SECOND),
        ("-5", 4 * SECOND, 6 * SECOND),
        ("soon", 4 * SECOND, 6 * SECOND),
        ("Tue, 31 Dec 2199 23:59:59 GMT", DAY, DAY),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 4 * SECOND, 6 * SECOND),
    ]
    .into_iter()
    .enumerate()
    {
        receiver.set("/", Behaviour::RetryAfter(if round % 2 == 0 { 503 } else { 429 }, asked.to_owned()));
        server.post(&redeliver, &key, Json::Null).await.expect(200);
        let delivery = attempted(&server, &database, &key, &webhook, round + 2).await;
        let last = delivery["attempts"].as_array().unwrap().last().unwrap().clone();
        let wait = time(&delivery["nextAttemptAt"]) - time(&last["attemptedAt"]) - last["durationMs"].as_i64().unwrap();
        assert!((least..=most).contains(&wait), "{asked}: {wait}");
    }
}

#[on_each_database]
async fn a_success_ends_a_row_of_failures(database: TestDatabase) {
    let (server, key, receiver) = open(&database).await;
    receiver.set("/", Behaviour::Status(404));
    let webhook = server.webhook(&key, &receiver.url("/"), &["link.created"]).await;
    server.link(&key, "one").await;
    for (attempts, status) in [(1, 302), (2, 500), (3, 202)] {
        let delivery = attempted(&server, &database, &key, &webhook, attempts).await;
        assert_eq!(delivery["status"], "RETRYING");
        assert!(!server.get(&path_of(&webhook), &key).await.json()["failingSince"].is_null());
        receiver.set("/", Behaviour::Status(status));
        server.clock.advance(HOUR);
    }
    let delivery = attempted(&server, &database, &key, &webhook, 4).await;
    assert_eq!((&delivery["status"], &delivery["nextAttemptAt"]), (&json!("SUCCEEDED"), &Json::Null));
    let statuses: Vec<&Json> = delivery["attempts"].as_array().unwrap().iter().map(|it| &it["statusCode"]).collect();
    assert_eq!(statuses, [404, 302, 500, 202]);
    assert_eq!(server.get(&path_of(&webhook), &key).await.json()["failingSince"], Json::Null);
}

#[on_each_database]
async fn gone_disables_at_once_and_the_owner_is_told(database: TestDatabase) {
    let (server, key, receiver) = open(&database).await;
    receiver.set("/gone", Behaviour::Status(410));
    let gone = server.webhook(&key, &receiver.url("/gone"), &["link.created", "webhook.disabled"]).await;
    let other = server.webhook(&key, &receiver.url("/other"), &["webhook.disabled"]).await;
    let links: Vec<Json> =
        (0..5).map(|n| json!({ "destinationUrl": "https://example.com/", "slug": format!("s{n}") })).collect();
    server.post("/api/v1/links/bulk", &key, json!({ "links": links })).await.expect(200);
    let told = receiver.wait("/other", 1).await.remove(0).json();
    let shown = server.get(&path_of(&gone), &key).await.json();
    assert_eq!((&shown["isActive"], &shown["disabledReason"]), (&json!(false), &json!("GONE")));
    assert!(!shown["disabledAt"].is_null());
    assert_eq!((&told["type"], &told["data"]), (&json!("webhook.disabled"), &shown));
    let mail = eventually("the mail", async || mails(&database).pop()).await;
    assert!(mail.contains("alice@example.com") && mail.contains(id(&gone)) && mail.contains("410"), "{mail}");
    assert!(!mail.contains("whsec_"));
    database.settled().await;
    // One was sent; four wait.
    assert_eq!(receiver.arrived("/gone").len(), 1);
    let waiting = server.deliveries(&key, &gone, "&status=PENDING").await.len();
    assert_eq!((waiting, server.deliveries(&key, &gone, "&status=FAILED").await.len()), (4, 1));
    server.clock.advance(2 * DAY);
    server.link(&key, "meanwhile").await;
    database.fanned_out().await;
    receiver.set("/gone", Behaviour::Status(200));
    let on = server.call("PATCH", &path_of(&gone), &key, json!({ "isActive": true })).await.expect(200).json();
    assert_eq!(
        (&on["disabledAt"], &on["disabledReason"], &on["failingSince"]),
        (&Json::Null, &Json::Null, &Json::Null)
    );
    receiver.wait("/gone", 5).await;
    eventually("what waited has arrived", async || {
        (server.deliveries(&key, &gone, "&status=SUCCEEDED").await.len() == 4).then_some(())
    })
    .await;
    assert_eq!(server.deliveries(&key, &gone, "").await.len(), 5, "what happened meanwhile is not added");
    assert_eq!(server.deliveries(&key, &other, "").await.len(), 1, "it is told once");
    assert_eq!(mails(&database).len(), 1);
}

#[on_each_database]
async fn days_of_nothing_but_failures_disable(database: TestDatabase) {
    let (server, key, receiver) = open(&database).await;
    receiver.set("/", Behaviour::Status(500));
    let webhook = server.webhook(&key, &receiver.url("/"), &["link.created"]).await;
    for slug in ["one", "two"] {
        server.link(&key, slug).await;
    }
    let mut before = (0, 0);
    let shown = loop {
        let open = server.deliveries(&key, &webhook, "").await;
        let made = eventually("both are tried", async || {
            let made = receiver.arrived("/").len();
            (made >= before.0 + 2).then_some(made)
        })
        .await;
        eventually("it is noted", async || {
            let attempts = server
                .deliveries(&key, &webhook, "")
                .await
                .iter()
                .map(|it| it["attemptCount"].as_u64().unwrap())
                .sum::<u64>();
            (attempts == made as u64).then_some(())
        })
        .await;
        database.settled().await;
        let shown = server.get(&path_of(&webhook), &key).await.json();
        let since =
            shown["failingSince"].as_str().map(|since| server.clock.now() - parse_rfc3339(since).unwrap()).unwrap();
        if shown["isActive"] == false {
            assert!(made >= 20 && since >= 5 * DAY, "{made} {since}");
            assert!(before.0 < 20 || before.1 < 5 * DAY, "it was due before: {before:?}");
            break shown;
        }
        assert!(made < 20 || since < 5 * DAY, "{made} attempts in {since} ms: {open:?}");
        before = (made, since);
        let due =
            server.deliveries(&key, &webhook, "").await.iter().map(|it| time(&it["nextAttemptAt"])).max().unwrap();
        server.clock.advance((due - server.clock.now()).max(0));
    };
    assert_eq!(shown["disabledReason"], "FAILING");
    let mail = eventually("the mail", async || mails(&database).pop()).await;
    assert!(mail.contains("5 days"), "{mail}");
    let open = server.deliveries(&key, &webhook, "&status=RETRYING").await;
    assert_eq!(open.len(), 2, "they wait");
    receiver.set("/", Behaviour::Status(200));
    server.clock.advance(2 * DAY);
    server.call("PATCH", &path_of(&webhook), &key, json!({ "isActive": true })).await.expect(200);
    eventually("they go on", async || {
        (server.deliveries(&key, &webhook, "&status=SUCCEEDED").await.len() == 2).then_some(())
    })
    .await;
}

#[on_each_database]
async fn a_bad_minute_does_not_disable(database: TestDatabase) {
    let (server, key, receiver) = open(&database).await;
    receiver.set("/", Behaviour::Status(500));
    let webhook = server.webhook(&key, &receiver.url("/"), &["link.created"]).await;
    for part in 0..3 {
        let links: Vec<Json> = (0..100)
            .map(|n| json!({ "destinationUrl": "https://example.com/", "slug": format!("s{part}-{n}") }))
            .collect();
        server.post("/api/v1/links/bulk", &key, json!({ "links": links })).await.expect(200);
    }
    receiver.wait("/", 300).await;
    eventually("all have failed", async || {
        let sql = "SELECT count(*) FROM deliveries WHERE status = 'RETRYING'";
        (database.number(sql).await == 300).then_some(())
    })
    .await;
    let shown = server.get(&path_of(&webhook), &key).await.json();
    assert_eq!((&shown["isActive"], &shown["disabledAt"]), (&json!(true), &Json::Null));
    assert!(!shown["failingSince"].is_null());
}

/// A change of a webhook applies to all deliveries that have not begun, also in a backlog.
#[on_each_database]
async fn what_is_switched_off_gets_no_more_of_a_backlog(database: TestDatabase) {
    let (server, key, receiver) = open(&database).await;
    receiver.set("/", Behaviour::Slow(Duration::from_millis(250)));
    let webhook = server.webhook(&key, &receiver.url("/"), &["link.created"]).await;
    let links: Vec<Json> =
        (0..60).map(|n| json!({ "destinationUrl": "https://example.com/", "slug": format!("s{n}") })).collect();
    server.post("/api/v1/links/bulk", &key, json!({ "links": links })).await.expect(200);
    receiver.wait("/", 3).await;
    server.call("PATCH", &path_of(&webhook), &key, json!({ "isActive": false })).await.expect(200);
    let before = receiver.arrived("/").len();
    database.settled().await;
    let after = receiver.arrived("/").len();
    assert!(after - before <= 8, "{before} before, {after} after");
    let waiting = server.deliveries(&key, &webhook, "&status=PENDING").await.len();
    assert_eq!(waiting, 60 - after);
    receiver.set("/elsewhere", Behaviour::Status(200));
    let moved = json!({ "isActive": true, "url": receiver.url("/elsewhere") });
    server.call("PATCH", &path_of(&webhook), &key, moved).await.expect(200);
    receiver.wait("/elsewhere", waiting).await;
    assert_eq!(receiver.arrived("/").len(), after);
}

/// A receiver that hangs has the only permit of the node. Changes of webhooks whose deliveries wait for it take effect.
#[on_each_database]
async fn what_waits_for_an_exchange_is_sent_as_the_webhook_is_then(database: TestDatabase) {
    const LINKS: usize = 30;
    let config = Config { delivery_exchanges: 1, ..database.config_with(&SETTINGS) };
    let server = database.start_configured(config, Clock::default()).await;
    let token = server.register("alice").await;
    let (before, after) = (TcpListener::bind("127.0.0.1:0").await.unwrap(), Receiver::start().await);
    let webhook = async |name: &str, event: &str| {
        let url = format!("http://{}/{name}", before.local_addr().unwrap());
        server.webhook(&token, &url, &[event]).await
    };
    let change = async |webhook: &Json, change: Json| {
        server.call("PATCH", &format!("/webhooks/{}", id(webhook)), &token, change).await.expect(200);
    };
    let hangs = webhook("hangs", "webhook.disabled").await;
    let (moved, off) = (webhook("moved", "link.created").await, webhook("off", "link.created").await);
    let links: Vec<Json> =
        (0..LINKS).map(|n| json!({ "destinationUrl": "https://example.com/", "slug": format!("s{n}") })).collect();
    server.post("/links/bulk", &token, json!({ "links": links })).await.expect(200);

    // Two webhooks have had an exchange, so that the service has read their rows, before the third takes the permit.
    let mut sent = BTreeMap::new();
    let mut is_asked = false;
    let hanging = loop {
        let request = Asked::next(&before).await;
        let path = request.arrived.path.clone();
        if path == "/hangs" {
            break request;
        }
        *sent.entry(path).or_insert(0) += 1;
        if sent.len() == 2 && !is_asked {
            is_asked = true;
            server.post(&format!("/webhooks/{}/test", id(&hangs)), &token, Json::Null).await.expect(200);
            database.becomes("all are served", LEASED, 3).await;
        }
        request.answer(204).await;
    };
    assert!(sent.values().all(|sent| *sent < LINKS), "nothing waits: {sent:?}");
    change(&moved, json!({ "url": after.url("/moved") })).await;
    change(&off, json!({ "isActive": false })).await;
    // The service may use a row for a fifth of a second after it has read it.
    let changed = Instant::now();
    let is_old = async || (changed.elapsed() > Duration::from_millis(200)).then_some(());
    eventually("what the service has read is old", is_old).await;
    drop(hanging);

    let left = |path: &str| LINKS - sent[path];
    after.wait("/moved", left("/moved")).await;
    database.settled().await;
    assert_eq!(after.arrived("/moved").len(), left("/moved"));
    assert_eq!(server.deliveries(&token, &off, "&status=PENDING").await.len(), left("/off"));
    // No lane is left that could still ask, and nobody has.
    let more = before.into_std().unwrap().accept();
    assert_eq!(more.unwrap_err().kind(), ErrorKind::WouldBlock);
}

/// Each attempt is counted and kept, whatever is asked for at the same time.
#[on_each_database]
async fn asking_again_at_the_same_time_loses_no_attempt(database: TestDatabase) {
    let (server, key, receiver) = open(&database).await;
    let webhook = server.webhook(&key, &receiver.url("/"), &["link.created"]).await;
    server.link(&key, "one").await;
    receiver.wait("/", 1).await;
    let delivery = server.delivery_that(&key, &webhook, "one attempt", |it| it["attemptCount"] == 1).await;
    let redeliver = format!("{}/deliveries/{}/redeliver", path_of(&webhook), id(&delivery));
    let asking = (0..2).map(|_| async {
        for _ in 0..100 {
            server.post(&redeliver, &key, Json::Null).await.expect(200);
        }
    });
    futures_util::future::join_all(asking).await;
    server.delivery_that(&key, &webhook, "it succeeds", |it| it["status"] == "SUCCEEDED").await;
    database.settled().await;
    let delivery = server.deliveries(&key, &webhook, "").await.remove(0);
    let arrived = receiver.arrived("/").len();
    assert!(arrived > 5, "{arrived}");
    assert_eq!(delivery["attemptCount"], arrived);
    let kept = delivery["attempts"].as_array().unwrap().len();
    assert!((arrived.min(15)..=arrived.min(30)).contains(&kept), "{kept} of {arrived}");
}
