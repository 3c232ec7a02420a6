//! Several nodes, clocks that jump, and a database that goes away: no event is lost, and none is sent twice without need.

use std::{collections::BTreeSet, time::Duration};

use linkgraph::clock::MINUTE;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        TestDatabase, eventually,
        receiver::{Behaviour, Receiver},
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
    let open = "SELECT count(*) FROM deliveries WHERE status <> 'SUCCEEDED'";
    for number in 0..6 {
        receiver.wait(&format!("/{number}"), LINKS).await;
    }
    eventually("all are noted", async || (database.number(open).await == 0).then_some(())).await;
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

/// A machine that was suspended finds that all its leases have ended.
#[on_each_database]
async fn a_clock_that_jumps_sends_nothing_twice(database: TestDatabase) {
    let server = database.start_with(&SETTINGS).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    receiver.set("/", Behaviour::Slow(Duration::from_millis(1_500)));
    let webhook = server.webhook(&token, &receiver.url("/"), &["link.created"]).await;
    let links: Vec<Json> =
        (0..3).map(|n| json!({ "destinationUrl": "https://example.com/", "slug": format!("s{n}") })).collect();
    server.post("/links/bulk", &token, json!({ "links": links })).await.expect(200);
    receiver.wait("/", 1).await;
    for _ in 0..3 {
        server.clock.advance(10 * MINUTE);
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    eventually("all have arrived", async || {
        (server.deliveries(&token, &webhook, "&status=SUCCEEDED").await.len() == 3).then_some(())
    })
    .await;
    database.settled().await;
    assert_eq!(receiver.arrived("/").len(), 3);
    // And what comes later is delivered as ever.
    server.link(&token, "later").await;
    receiver.wait("/", 4).await;
    server.stop().await;
}
