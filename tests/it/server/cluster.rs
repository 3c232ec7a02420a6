//! Three nodes behind a load balancer, of which some fail: nothing is lost, and clients of the others see no errors.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use futures_util::future::join_all;
use serde_json::{Value as Json, json};
use tokio::{
    task::JoinSet,
    time::{Instant, MissedTickBehavior, interval},
};
use tokio_util::sync::CancellationToken;

use crate::support::{
    Http, TestDatabase, answer_time,
    balancer::Balancer,
    eventually,
    postgres::TestPostgres,
    process::{TestProcess, binary},
    receiver::Receiver,
    relay::Relay,
    setting,
};

const SETTINGS: [(&str, &str); 2] =
    [("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true"), ("LINKGRAPH_DEFAULT_PLAN", "unlimited")];
/// Links that are followed.
const FOLLOWED: usize = 5;

struct Cluster {
    database: TestDatabase,
    directories: Vec<TestDatabase>,
    nodes: Vec<TestProcess>,
    balancer: Balancer,
    receiver: Receiver,
    /// API key of the test's account.
    key: String,
}

impl Cluster {
    async fn start() -> Self {
        let database = TestDatabase::postgres().await;
        let nodes = database.node();
        Self::on(database, &nodes).await
    }

    /// On this database, which the nodes reach by this one's URL.
    async fn on(database: TestDatabase, by: &TestDatabase) -> Self {
        let directories: Vec<_> = (0..3).map(|_| by.node()).collect();
        let starting = directories.iter().map(|directory| TestProcess::start(directory, &SETTINGS));
        let nodes = join_all(starting).await;
        let balancer = Balancer::start(nodes.iter().map(|node| node.http.address())).await;
        let token = balancer.http.register("alice").await;
        let receiver = Receiver::start().await;
        balancer.http.webhook(&token, &receiver.url("/"), &["link.created"]).await;
        let key = balancer.http.api_key(&token, &["links:read", "links:write"]).await;
        for number in 0..FOLLOWED {
            balancer.http.link(&key, &format!("f{number}")).await;
            for node in &nodes {
                node.follow(&format!("f{number}")).await.expect(302);
            }
        }
        Cluster { database, directories, nodes, balancer, receiver, key }
    }

    /// Starts a node again, where it was.
    async fn restart(&mut self, number: usize) {
        self.nodes[number] = TestProcess::start(&self.directories[number], &SETTINGS).await;
        self.balancer.moved(number, self.nodes[number].http.address()).await;
    }

    /// Waits until the API of every node works, as readiness does not tell: the balancer asks none that is not ready.
    async fn recovers(&self) {
        let back = Instant::now();
        for node in &self.nodes {
            let link = async || {
                let body = json!({ "destinationUrl": "https://example.com/" });
                (node.post("/api/v1/links", &self.key, body).await.status == 201).then_some(())
            };
            eventually("the API is back", link).await;
        }
        println!("back after {:?}", back.elapsed());
        assert!(back.elapsed() <= answer_time(), "{:?}", back.elapsed());
    }

    /// The database is back: all works again, and nothing is lost.
    async fn outlasted_it(&self, load: Load) {
        self.recovers().await;
        load.goes_on().await;
        let seen = load.stop().await;
        seen.is_well();
        self.settles(&seen).await;
    }

    /// All that was received is stored, and told.
    async fn settles(&self, seen: &Seen) {
        let clicks = async || self.database.clicks().await;
        let first = i64::try_from(FOLLOWED * self.nodes.len()).unwrap();
        let received = first + i64::try_from(seen.redirects).unwrap();
        eventually("all clicks are stored", async || (clicks().await >= received).then_some(())).await;
        eventually("all logs are empty", async || {
            for node in &self.nodes {
                let metrics = node.get("/metrics", "").await.text;
                if !metrics.lines().any(|line| line == "linkgraph_click_log_lag_bytes 0") {
                    return None;
                }
            }
            Some(())
        })
        .await;
        let stored = clicks().await;
        let unseen = i64::try_from(seen.failed_redirects).unwrap();
        assert!((received..=received + unseen).contains(&stored), "{received} received, {stored} stored: {seen:?}");
        let counted = self.database.counted_clicks().await;
        assert_eq!(counted, stored);
        eventually("all events have arrived", async || {
            let arrived: BTreeSet<String> = self
                .receiver
                .arrived("/")
                .iter()
                .map(|it| it.json()["data"]["id"].as_str().unwrap().to_owned())
                .collect();
            seen.created.iter().all(|id| arrived.contains(id)).then_some(())
        })
        .await;
    }
}

/// The answers that clients got.
#[derive(Debug, Default)]
struct Seen {
    redirects: u64,
    failed_redirects: u64,
    /// Ids of links.
    created: Vec<String>,
    /// Status and body of the other answers.
    failed_creations: Vec<(u16, String)>,
    slowest: Duration,
}

impl Seen {
    /// The database was away: the API said so, soon, and visitors did not notice.
    fn is_well(&self) {
        println!("slowest answer {:?}; {} refused", self.slowest, self.failed_creations.len());
        assert!(self.slowest <= answer_time(), "{self:?}");
        let is_told = |failed: &(u16, String)| failed.0 == 503 && failed.1 == "UNAVAILABLE";
        assert!(!self.failed_creations.is_empty() && self.failed_creations.iter().all(is_told), "{self:?}");
        assert_eq!(self.failed_redirects, 0);
    }
}

/// Clients that follow and create links all the time.
struct Load {
    stop: CancellationToken,
    clients: JoinSet<()>,
    seen: Arc<Mutex<Seen>>,
}

impl Load {
    fn start(cluster: &Cluster) -> Self {
        let mut load = Load { stop: CancellationToken::new(), clients: JoinSet::new(), seen: Arc::default() };
        for number in 0..6 {
            let (http, key) = (cluster.balancer.http.clone(), cluster.key.clone());
            let (stop, seen) = (load.stop.clone(), Arc::clone(&load.seen));
            load.clients.spawn(async move {
                // Leaves processor time to the tests beside it.
                let mut pace = interval(Duration::from_millis(10));
                pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
                while !stop.is_cancelled() {
                    pace.tick().await;
                    if number < 2 {
                        create(&http, &key, &seen).await
                    } else {
                        follow(&http, number % FOLLOWED, &seen).await
                    }
                }
            });
        }
        load
    }

    /// Waits until so many more redirects and links were answered.
    async fn goes_on(&self) {
        let so_far = || {
            let seen = self.seen.lock().unwrap();
            (seen.redirects, seen.created.len())
        };
        let (redirects, created) = so_far();
        eventually("the load goes on", async || {
            let now = so_far();
            (now.0 > redirects + 100 && now.1 > created + 10).then_some(())
        })
        .await;
    }

    /// Waits until so many more calls of the API have failed.
    async fn notices(&self) {
        let failed = || self.seen.lock().unwrap().failed_creations.len();
        let before = failed();
        eventually("the API notices", async || (failed() > before + 1).then_some(())).await;
    }

    fn redirects(&self) -> u64 {
        self.seen.lock().unwrap().redirects
    }

    async fn stop(self) -> Seen {
        self.stop.cancel();
        self.clients.join_all().await;
        Arc::into_inner(self.seen).unwrap().into_inner().unwrap()
    }
}

async fn follow(http: &Http, number: usize, seen: &Mutex<Seen>) {
    let answer = http.follow(&format!("f{number}")).await;
    let mut seen = seen.lock().unwrap();
    if answer.status == 302 { seen.redirects += 1 } else { seen.failed_redirects += 1 }
}

async fn create(http: &Http, key: &str, seen: &Mutex<Seen>) {
    let began = Instant::now();
    let answer = http.post("/api/v1/links", key, json!({ "destinationUrl": "https://example.com/" })).await;
    let mut seen = seen.lock().unwrap();
    seen.slowest = seen.slowest.max(began.elapsed());
    if answer.status == 201 {
        seen.created.push(answer.json()["id"].as_str().unwrap().to_owned());
    } else {
        let code = serde_json::from_str::<Json>(&answer.text).map(|body| body["error"]["code"].to_string());
        let code = code.unwrap_or_default().trim_matches('"').to_owned();
        seen.failed_creations.push((answer.status.as_u16(), code));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_is_killed_takes_nothing_with_it() {
    let mut cluster = Cluster::start().await;
    let load = Load::start(&cluster);
    for round in 0..setting("LINKGRAPH_SOAK_NODE_KILLS", 2) {
        // The third has its peace.
        let number = usize::try_from(round).unwrap() % 2;
        load.goes_on().await;
        cluster.nodes[number].kill();
        load.goes_on().await;
        cluster.restart(number).await;
    }
    load.goes_on().await;
    let seen = load.stop().await;
    println!(
        "{} redirects and {} links; unanswered {:?}",
        seen.redirects,
        seen.created.len(),
        cluster.balancer.failed()
    );
    // Only requests that were under way at the killed nodes failed.
    let failed = cluster.balancer.failed();
    assert_eq!(failed[2], 0, "{failed:?}");
    assert_eq!(failed.iter().sum::<u64>(), seen.failed_redirects + seen.failed_creations.len() as u64, "{seen:?}");
    cluster.settles(&seen).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_restart_one_by_one_and_nobody_notices() {
    let mut cluster = Cluster::start().await;
    let load = Load::start(&cluster);
    for _ in 0..setting("LINKGRAPH_SOAK_ROLLS", 1) {
        for number in 0..3 {
            load.goes_on().await;
            cluster.nodes[number].terminate();
            assert!(cluster.nodes[number].exit().await.success());
            cluster.restart(number).await;
        }
    }
    let seen = load.stop().await;
    println!("{} redirects and {} links", seen.redirects, seen.created.len());
    assert_eq!((seen.failed_redirects, &seen.failed_creations), (0, &Vec::new()), "{:?}", cluster.balancer.failed());
    cluster.settles(&seen).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_restarts_stops_no_visitor() {
    let mut postgres = TestPostgres::start().await;
    let cluster = Cluster::on(postgres.database(), &postgres.database()).await;
    let load = Load::start(&cluster);
    load.goes_on().await;
    postgres.stop().await;
    load.notices().await;
    postgres.start_again().await;
    cluster.outlasted_it(load).await;
}

/// It closes no connection and answers nothing, as on a machine that hangs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_freezes_stops_no_visitor() {
    let postgres = TestPostgres::start().await;
    let cluster = Cluster::on(postgres.database(), &postgres.database()).await;
    let load = Load::start(&cluster);
    load.goes_on().await;
    let frozen = postgres.freeze(Duration::from_secs(8));
    let redirects = load.redirects();
    let asked = cluster.nodes.iter().flat_map(|node| {
        ["/ready", "/unknown", "/api/v1/links"].map(async |path| {
            let began = Instant::now();
            node.get(path, &cluster.key).await.expect(503);
            assert!(began.elapsed() <= answer_time(), "{path}: {:?}", began.elapsed());
        })
    });
    join_all(asked).await;
    frozen.over().await;
    assert!(load.redirects() > redirects + 100);
    cluster.outlasted_it(load).await;
}

/// The network fails without closing connections: existing ones never carry data again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_network_that_fails_stops_no_visitor() {
    let postgres = TestPostgres::start().await;
    let relay = Relay::start(postgres.port()).await;
    let cluster = Cluster::on(postgres.database(), &postgres.database_at(relay.port())).await;
    let load = Load::start(&cluster);
    load.goes_on().await;
    relay.cut();
    load.notices().await;
    relay.mend();
    cluster.recovers().await;
    load.goes_on().await;
    // For a moment only.
    relay.cut();
    relay.mend();
    cluster.outlasted_it(load).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_neither_starts_nor_stays_for_a_database_that_hangs() {
    let postgres = TestPostgres::start().await;
    let database = postgres.database();
    let mut node = TestProcess::start(&database, &SETTINGS).await;
    let token = node.register("alice").await;
    let frozen = postgres.freeze(Duration::from_secs(12));
    let asked = tokio::spawn({
        let (http, token) = (node.http.clone(), token.clone());
        async move { http.get("/me", &token).await }
    });
    let (began, other) = (Instant::now(), database.node());
    let start = async {
        let output = binary(&other, &[], &[]).await;
        (output, began.elapsed())
    };
    let stop = async {
        eventually("the request has begun", async || (began.elapsed() > Duration::from_millis(100)).then_some(()))
            .await;
        node.terminate();
        (node.exit().await, began.elapsed())
    };
    let ((started, gave_up), (stopped, ended)) = tokio::join!(start, stop);
    let told = String::from_utf8(started.stderr).unwrap();
    assert!(!started.status.success() && told.contains("linkgraph: DATABASE_URL: can't connect"), "{told}");
    // It waits for 4 s, and its start takes a second where processors are few. The database is frozen for longer.
    assert!(gave_up <= 2 * answer_time(), "{gave_up:?}");
    assert!(stopped.success() && ended <= 2 * answer_time(), "{ended:?}");
    asked.await.unwrap().expect(503);
    frozen.over().await;
}
