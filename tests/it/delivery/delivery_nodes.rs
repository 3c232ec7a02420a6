//! Several nodes, clocks that jump, and locks of others: no event is lost, and none is sent twice without need.

use std::{collections::BTreeSet, time::Duration};

use linkgraph::base::clock::MINUTE;
use sea_orm::{ConnectionTrait, TransactionTrait};
use serde_json::{Value as Json, json};
use tokio::net::TcpListener;

use crate::{
    on_each_database,
    support::{
        TestDatabase, eventually,
        receiver::{Asked, Behaviour, Receiver, id},
        stored::LOCK_WAITS,
    },
};

const SETTINGS: [(&str, &str); 2] =
    [("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true"), ("LINKGRAPH_DEFAULT_PLAN", "unlimited")];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_share_the_work() {
    const LINKS: usize = 60;
    let database = TestDatabase::postgres().await;
    let other = database.node();
    let nodes = [database.start_with(&SETTINGS).await, other.start_with(&SETTINGS).await];
    let token = nodes[0].register("alice").await;
    let receiver = Receiver::start().await;
    for number in 0..6 {
        let path = format!("/{number}");
        receiver.set(&path, Behaviour::Slow(Duration::from_millis(5)));
        nodes[number % 2].webhook(&token, &receiver.url(&path), &["link.created"]).await;
    }
    for number in 0..LINKS {
        nodes[number % 2].link(&token, &format!("s{number}")).await;
    }
    for number in 0..6 {
        receiver.wait(&format!("/{number}"), LINKS).await;
    }
    database.all_delivered().await;
    let attempts = database.number("SELECT count(*) FROM delivery_attempts").await;
    assert_eq!(attempts, i64::try_from(6 * LINKS).unwrap());
    for number in 0..6 {
        let arrived = receiver.arrived(&format!("/{number}"));
        let ids: BTreeSet<&str> = arrived.iter().map(|it| it.header("webhook-id")).collect();
        assert_eq!((ids.len(), arrived.len()), (LINKS, LINKS), "each once");
    }
    let [one, two] = nodes;
    // One node ends, and the other goes on alone.
    one.stop().await;
    two.link(&token, "after").await;
    receiver.wait("/0", LINKS + 1).await;
    two.stop().await;
}

/// Fan-out locks the webhooks of an account in the order of their ids. Results that are stored together lock theirs in the same order,
/// whether they succeeded or failed: otherwise the two could deadlock.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_lock_webhooks_in_the_order_of_fan_out() {
    let database = TestDatabase::postgres().await;
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    let receiver = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", receiver.local_addr().unwrap());
    let first = server.webhook(&token, &url, &["webhook.disabled"]).await;
    let second = server.webhook(&token, &url, &["webhook.disabled"]).await;
    let other = server.webhook(&token, &url, &["webhook.disabled"]).await;
    let connection = database.connect().await;
    let failing = format!("UPDATE webhooks SET failures = 1 WHERE id = '{}'", id(&second));
    connection.execute_unprepared(&failing).await.unwrap();

    let asked = async |webhook: &Json| {
        server.post(&format!("/webhooks/{}/test", id(webhook)), &token, Json::Null).await.expect(200);
        Asked::next(&receiver).await
    };
    let lock = async |webhook: &Json| {
        let tx = connection.begin().await.unwrap();
        let lock = format!("SELECT * FROM webhooks WHERE id = '{}' FOR UPDATE", id(webhook));
        tx.execute_unprepared(&lock).await.unwrap();
        tx
    };

    // While the result of one webhook waits for a lock, results of two others come in, which are then stored together.
    let request = asked(&other).await;
    let other_lock = lock(&other).await;
    request.answer(500).await;
    database.becomes("the result of another waits", LOCK_WAITS, 1).await;
    let (to_first, to_second) = (asked(&first).await, asked(&second).await);
    let first_lock = lock(&first).await;
    to_first.answer(500).await;
    to_second.answer(204).await;
    other_lock.rollback().await.unwrap();
    let stored = format!("SELECT count(*) FROM deliveries WHERE webhook_id = '{}' AND attempts > 0", id(&other));
    database.becomes("it is stored", &stored, 1).await;
    database.becomes("the others wait for the first webhook", LOCK_WAITS, 1).await;
    let free = format!("SELECT id FROM webhooks WHERE id = '{}' FOR UPDATE SKIP LOCKED", id(&second));
    let free = format!("SELECT count(*) FROM ({free}) AS free");
    assert_eq!(database.number(&free).await, 1, "the second was locked before the first");

    first_lock.rollback().await.unwrap();
    let first = format!("SELECT count(*) FROM webhooks WHERE id = '{}' AND failures > 0", id(&first));
    database.becomes("the failure is noted", &first, 1).await;
    let second = format!("SELECT count(*) FROM webhooks WHERE id = '{}' AND failures = 0", id(&second));
    database.becomes("the success is noted", &second, 1).await;
    connection.close().await.unwrap();
    server.stop().await;
}

/// A machine that was suspended finds that all its leases have ended.
#[on_each_database]
async fn a_clock_that_jumps_sends_nothing_twice(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    let (slow, receiver) = (TcpListener::bind("127.0.0.1:0").await.unwrap(), Receiver::start().await);
    let url = format!("http://{}/", slow.local_addr().unwrap());
    let webhook = server.webhook(&token, &url, &["link.created"]).await;
    let other = server.webhook(&token, &receiver.url("/other"), &["webhook.disabled"]).await;
    let links: Vec<Json> =
        (0..3).map(|n| json!({ "destinationUrl": "https://example.com/", "slug": format!("s{n}") })).collect();
    server.post("/links/bulk", &token, json!({ "links": links })).await.expect(200);
    // While the first exchange lasts, its lease ends again and again, and the service looks for what is due: it finds the other webhook.
    let first = Asked::next(&slow).await;
    for jump in 1..=3 {
        server.clock.advance(10 * MINUTE);
        server.post(&format!("/webhooks/{}/test", id(&other)), &token, Json::Null).await.expect(200);
        receiver.wait("/other", jump).await;
    }
    let mut ids = Vec::new();
    let mut answer = async |request: Asked| {
        ids.push(request.arrived.header("webhook-id").to_owned());
        request.answer(204).await;
    };
    answer(first).await;
    for _ in 0..2 {
        answer(Asked::next(&slow).await).await;
    }
    let succeeded = async || server.deliveries(&token, &webhook, "&status=SUCCEEDED").await.len();
    eventually("all have succeeded", async || (succeeded().await == 3).then_some(())).await;
    database.settled().await;
    // And what comes later is delivered as ever: as the next, since nothing came twice.
    server.link(&token, "later").await;
    answer(Asked::next(&slow).await).await;
    let different: BTreeSet<&String> = ids.iter().collect();
    assert_eq!((ids.len(), different.len()), (4, 4), "{ids:?}");
}
