//! Several nodes on one PostgreSQL: a change through one takes effect on all.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use linkgraph::base::clock::{DAY, MINUTE};
use sea_orm::{ConnectionTrait, TransactionTrait};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Http, TestDatabase, TestServer,
        admin::Admin,
        eventually,
        mail::{mails, reset_token},
        process::{TestProcess, binary},
        receiver::id,
        soon,
    },
};

/// Nodes on one database, each with a data directory of its own.
struct Cluster {
    database: TestDatabase,
    nodes: Vec<TestServer>,
    _directories: Vec<TestDatabase>,
}

impl Cluster {
    /// They start at the same time, on an empty database.
    async fn start(size: usize) -> Self {
        let database = TestDatabase::postgres().await;
        let directories: Vec<_> = (0..size).map(|_| database.node()).collect();
        let nodes = join_all(directories.iter().map(TestDatabase::start)).await;
        Cluster { database, nodes, _directories: directories }
    }

    /// How long it takes until a slug leads there on all nodes.
    async fn shown(&self, slug: &str, destination: &str) -> Duration {
        let since = Instant::now();
        for node in &self.nodes {
            eventually("the change shows", async || (leads(node, slug).await == destination).then_some(())).await;
        }
        since.elapsed()
    }

    async fn stop(self) {
        for node in self.nodes {
            node.stop().await;
        }
    }
}

/// Where a slug leads; empty if nowhere.
async fn leads(node: &Http, slug: &str) -> String {
    let answer = node.follow(slug).await;
    if answer.status == 404 { String::new() } else { answer.expect(302).header("location").to_owned() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_shows_on_all_nodes_within_a_second() {
    const ROUNDS: usize = 30;
    let cluster = Cluster::start(3).await;
    let token = cluster.nodes[0].register("alice").await;
    let link = cluster.nodes[0].link(&token, "here").await;
    let path = format!("/links/{}", link["id"].as_str().unwrap());
    cluster.shown("here", "https://example.com/here").await;
    let mut took = Vec::new();
    let mut change = async |body: Json, slug: &str, destination: &str| {
        cluster.nodes[took.len() % 3].call("PATCH", &path, &token, body).await.expect(200);
        took.push(cluster.shown(slug, destination).await);
    };
    for round in 0..ROUNDS {
        let destination = format!("https://example.org/{round}");
        change(json!({ "destinationUrl": destination }), "here", &destination).await;
    }
    let last = format!("https://example.org/{}", ROUNDS - 1);
    change(json!({ "isActive": false }), "here", "").await;
    change(json!({ "isActive": true }), "here", &last).await;
    change(json!({ "slug": "there" }), "here", "").await;
    took.push(cluster.shown("there", &last).await);
    cluster.nodes[1].call("DELETE", &path, &token, Json::Null).await.expect(204);
    took.push(cluster.shown("there", "").await);
    took.sort();
    println!("median {:?}, longest {:?} of {}", took[took.len() / 2], took[took.len() - 1], took.len());
    assert!(took[took.len() - 1] <= soon(), "{took:?}");
    cluster.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hosts_and_accounts_go_on_all_nodes() {
    let cluster = Cluster::start(2).await;
    let [one, two] = [&cluster.nodes[0], &cluster.nodes[1]];
    let token = one.register("ada").await;
    let at = async |node: &TestServer, host: &str, status: u16| {
        let since = Instant::now();
        eventually("the host is known", async || (node.at_host(host, "/a").await.status == status).then_some(())).await;
        assert!(since.elapsed() <= soon(), "{host}: {status} after {:?}", since.elapsed());
    };
    at(two, "ada.sho.rt", 404).await;
    one.post("/subdomain", &token, json!({ "subdomain": "ada" })).await.expect(201);
    let body = json!({ "destinationUrl": "https://example.com/", "slug": "a", "domain": "ada.sho.rt" });
    one.post("/subdomain/activate", &token, Json::Null).await.expect(200);
    two.post("/links", &token, body).await.expect(201);
    at(two, "ada.sho.rt", 302).await;
    at(one, "ada.sho.rt", 302).await;
    two.call("DELETE", "/subdomain", &token, Json::Null).await.expect(204);
    at(one, "ada.sho.rt", 404).await;

    one.link(&token, "mine").await;
    cluster.shown("mine", "https://example.com/mine").await;
    two.leave(&token).await.expect(204);
    assert!(cluster.shown("mine", "").await <= soon());
    cluster.stop().await;
}

/// A number that was taken earlier may be committed later.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_that_commits_late_is_not_overlooked() {
    let cluster = Cluster::start(2).await;
    let token = cluster.nodes[0].register("alice").await;
    for slug in ["late", "early"] {
        cluster.nodes[0].link(&token, slug).await;
        cluster.shown(slug, &format!("https://example.com/{slug}")).await;
    }
    let connection = cluster.database.connect().await;
    let late = connection.begin().await.unwrap();
    for change in [
        "UPDATE links SET destination_url = 'https://example.org/' WHERE slug = 'late'",
        "INSERT INTO invalidations (what, recorded_at) SELECT json_build_object('link', json_build_object( \
         'host', host, 'account', account_id, 'slug', slug))::text, 0 FROM links WHERE slug = 'late'",
    ] {
        late.execute_unprepared(change).await.unwrap();
    }
    let early = cluster.nodes[0].get("/links?search=early", &token).await.json()["data"][0]["id"].clone();
    let path = format!("/links/{}", early.as_str().unwrap());
    cluster.nodes[0].call("PATCH", &path, &token, json!({ "isActive": false })).await.expect(200);
    cluster.shown("early", "").await;
    for node in &cluster.nodes {
        assert_eq!(leads(node, "late").await, "https://example.com/late");
    }
    late.commit().await.unwrap();
    assert!(cluster.shown("late", "https://example.org/").await <= soon());
    connection.close().await.unwrap();
    cluster.stop().await;
}

/// Else each change would cost its own node another look, for which there may be no database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_forgets_its_own_changes_once() {
    let cluster = Cluster::start(2).await;
    let [one, two] = [&cluster.nodes[0], &cluster.nodes[1]];
    let token = one.register("alice").await;
    for (slug, node) in [("own", one), ("last", two)] {
        let link = one.link(&token, slug).await;
        cluster.shown(slug, &format!("https://example.com/{slug}")).await;
        let change = json!({ "destinationUrl": "https://example.org/" });
        node.call("PATCH", &format!("/links/{}", id(&link)), &token, change).await.expect(200);
        assert_eq!(leads(node, slug).await, "https://example.org/");
    }
    // The first has read of both.
    cluster.shown("last", "https://example.org/").await;
    Admin::of(&cluster.database).await.allow_connections(false).await;
    assert_eq!(leads(one, "own").await, "https://example.org/");
    cluster.stop().await;
}

/// No node accepts a token or key from memory after another node has revoked it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_revoked_on_one_node_is_refused_by_all_at_once() {
    let cluster = Cluster::start(2).await;
    let [one, two] = [&cluster.nodes[0], &cluster.nodes[1]];
    let token = one.register("alice").await;
    let key = two.api_key(&token, &["links:read"]).await;
    one.get("/api/v1/links", &key).await.expect(200);
    let id = one.get("/api-keys", &token).await.json()["data"][0]["id"].as_str().unwrap().to_owned();
    two.call("DELETE", &format!("/api-keys/{id}"), &token, Json::Null).await.expect(204);
    one.get("/api/v1/links", &key).await.expect(401);

    one.get("/me", &token).await.expect(200);
    let change = json!({ "password": "another password", "currentPassword": "alice's password" });
    two.call("PATCH", "/me", &token, change).await.expect(200);
    one.get("/me", &token).await.expect(401);
    cluster.stop().await;
}

/// A node is killed during a long job: another node may take the job within a minute.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_jobs_of_a_dead_node_are_done_by_another() {
    let database = TestDatabase::postgres().await;
    // Takes connections, and never says a word.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let smtp = format!("smtp://{}", silent.local_addr().unwrap());
    let settings = [("LINKGRAPH_SMTP_URL", &*smtp), ("LINKGRAPH_MAIL_FROM", "linkgraph@sho.rt")];
    let mut dying = TestProcess::start(&database, &settings).await;
    dying.register("alice").await;
    dying.post("/auth/forgot-password", "", json!({ "email": "alice@example.com" })).await.expect(200);
    let lease = async || database.number("SELECT coalesce(max(leased_until), 0) FROM jobs").await;
    let taken = eventually("the job is taken", async || Some(lease().await).filter(|until| *until > 0)).await;
    let renewed = eventually("the lease is renewed", async || Some(lease().await).filter(|until| *until > taken)).await;
    dying.kill();

    let other = database.node();
    let living = other.start().await;
    assert!(renewed - living.clock.now() <= MINUTE);
    assert_eq!(database.jobs_where("password_reset_mail", "attempts = 0").await, 1);
    assert!(mails(&other).is_empty(), "the lease of the killed node has not ended");
    living.clock.advance(renewed - living.clock.now());
    reset_token(&other, 1).await;
    living.stop().await;
}

/// A node stalls during a job for longer than its lease, and another node claims the job: the first one neither releases it nor
/// counts its failure.
#[on_each_database]
async fn a_job_that_another_has_is_left_to_it(database: TestDatabase) {
    const OTHERS: i64 = 7_000_000_000_000;
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let smtp = format!("smtp://{}", silent.local_addr().unwrap());
    let settings = [("LINKGRAPH_SMTP_URL", &*smtp), ("LINKGRAPH_MAIL_FROM", "linkgraph@sho.rt")];
    let server = database.start_with(&settings).await;
    for name in ["alice", "bob"] {
        server.register(name).await;
    }
    let forget = async |email: &str| {
        server.post("/auth/forgot-password", "", json!({ "email": email })).await.expect(200);
    };
    forget("alice@example.com").await;
    let begun = silent.accept().await.unwrap();
    let connection = database.connect().await;
    connection
        .execute_unprepared(&format!("UPDATE jobs SET leased_until = {OTHERS} WHERE kind = 'password_reset_mail'"))
        .await
        .unwrap();
    drop((begun, silent));

    // The worker takes the next job when it has stored the outcome of this one.
    forget("bob@example.com").await;
    eventually("the next one fails", async || {
        (database.jobs_where("password_reset_mail", "attempts > 0").await > 0).then_some(())
    })
    .await;
    let left = format!("SELECT count(*) FROM jobs WHERE leased_until = {OTHERS} AND attempts = 0");
    assert_eq!(database.number(&left).await, 1);
    connection.close().await.unwrap();
}

/// Clicks that a killed node left in its log are ingested by `drain`: by two processes at the same time, and by one more after them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_clicks_of_a_dead_node_are_drained_once() {
    const CLICKS: i64 = 200;
    let (database, living) = (TestDatabase::postgres().await, TestDatabase::sqlite());
    let mut dying = TestProcess::start(&database, &[]).await;
    let token = dying.register("alice").await;
    dying.link(&token, "followed").await;
    let connection = database.connect().await;
    let held = connection.begin().await.unwrap();
    held.execute_unprepared("LOCK TABLE clicks").await.unwrap();
    for _ in 0..CLICKS {
        dying.follow("followed").await.expect(302);
    }
    dying.kill();
    // Ends the killed node's statements, so that only the processes below wait for the lock.
    let own = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    database.number(&format!("SELECT count(pg_terminate_backend(pid)) {own}")).await;

    let drain = async |directory: String| {
        let output = binary(&database, &[], &["drain", "--data-dir", &directory]).await;
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let copies = ["one", "two"].map(|name| {
        let copy = living.folder.join(name).join("clicks");
        std::fs::create_dir_all(&copy).unwrap();
        for file in std::fs::read_dir(database.folder.join("clicks")).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), copy.join(file.file_name())).unwrap();
        }
        living.folder.join(name).display().to_string()
    });
    let [one, two] = copies.clone().map(&drain);
    let release = async {
        let waiting = async || database.number(&format!("SELECT count(*) {own}")).await;
        database.waits_for_locks(1).await;
        // Not for longer than PostgreSQL lets it wait: on a slow machine the other may come later.
        let patience = Instant::now() + Duration::from_secs(2);
        while waiting().await < 2 && Instant::now() < patience {}
        held.commit().await.unwrap();
    };
    let (one, two, ()) = futures_util::join!(one, two, release);
    // Each process ingests what the other has not, or fails because of the other.
    let ingested = |(out, err): &(String, String)| match out.strip_suffix(" clicks ingested\n") {
        Some(number) => Some(number.parse::<i64>().unwrap()),
        None => {
            assert!(err.contains("another process ingests a copy"), "{out} {err}");
            None
        }
    };
    match (ingested(&one), ingested(&two)) {
        (Some(one), Some(two)) => assert_eq!(one + two, CLICKS),
        // A process that failed may have ingested some before.
        (Some(ingested), None) | (None, Some(ingested)) => assert!((1..=CLICKS).contains(&ingested), "{ingested}"),
        (None, None) => panic!("{one:?} {two:?}"),
    }
    let stored = async || database.clicks().await;
    assert_eq!(stored().await, CLICKS);
    assert_eq!(drain(copies[0].clone()).await.0, "0 clicks ingested\n");
    let wrong = drain(living.folder.join("three").display().to_string()).await;
    assert!(wrong.1.starts_with("linkgraph: --data-dir: there is no click log in"), "{wrong:?}");
    assert!(!living.folder.join("three").exists());

    // It comes back after all.
    let process = TestProcess::start(&database, &[]).await;
    process.follow("followed").await.expect(302);
    eventually("the new click is stored", async || (stored().await > CLICKS).then_some(())).await;
    assert_eq!(stored().await, CLICKS + 1);
    assert_eq!(database.counted_clicks().await, CLICKS + 1);
    connection.close().await.unwrap();
}

/// Statements of the API's requests at one of so many nodes, by route.
async fn statements(size: usize) -> BTreeMap<String, String> {
    let cluster = Cluster::start(size).await;
    let node = &cluster.nodes[0];
    let token = node.register("alice").await;
    let key = node.api_key(&token, &["links:read", "links:write", "analytics:read"]).await;
    let created = node.link(&key, "a").await;
    let path = format!("/api/v1/links/{}", id(&created));
    node.get("/api/v1/links", &key).await.expect(200);
    node.get(&path, &key).await.expect(200);
    node.call("PATCH", &path, &key, json!({ "isActive": false })).await.expect(200);
    node.get(&format!("/api/v1/analytics/{}/summary", id(&created)), &key).await.expect(200);
    node.call("DELETE", &path, &key, Json::Null).await.expect(204);
    let query = "{ links { data { id } total } domains { total } webhooks { total } }";
    assert!(node.graphql(&token, query, Json::Null).await["errors"].is_null());
    let metrics = node.get("/metrics", "").await.expect(200).text;
    let name = "linkgraph_http_request_sql_statements_sum{route=";
    let found = metrics.lines().filter_map(|line| line.strip_prefix(name)?.split_once("} "));
    let found = found.map(|(route, sum)| (route.to_owned(), sum.to_owned())).collect();
    cluster.stop().await;
    found
}

/// Each is one round trip; a change has two more, for BEGIN and COMMIT.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_takes_no_more_statements_with_more_nodes() {
    let alone = statements(1).await;
    assert!(alone.len() > 5, "{alone:?}");
    println!("{alone:#?}");
    assert_eq!(statements(3).await, alone);
}

/// As when a machine loses its power: the connection is not closed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn locks_of_a_node_that_vanished_are_given_up() {
    let cluster = Cluster::start(1).await;
    let node = &cluster.nodes[0];
    let token = node.register("alice").await;
    let link = node.link(&token, "a").await;
    let vanished = node.api().app.db.begin().await.unwrap();
    vanished.execute_unprepared("SELECT * FROM links FOR UPDATE").await.unwrap();
    let change = json!({ "isActive": false });
    node.call("PATCH", &format!("/links/{}", id(&link)), &token, change).await.expect(200);
    assert!(vanished.commit().await.is_err());
    cluster.stop().await;
}

/// Nodes with another base URL refuse each other's tokens: whichever starts later says so, and so does the check.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_with_another_base_url_says_so() {
    let database = TestDatabase::postgres().await;
    let (other, strange) = (database.node(), database.node());
    let doubt = |own: &str, other: &str| {
        format!(
            "LINKGRAPH_BASE_URL: it is {own}, and {other} at other nodes on this database: they refuse each other's tokens"
        )
    };
    let [usual, another] = ["http://go.example.net", "http://go.example.org"];
    let with = |url: &'static str| [("LINKGRAPH_BASE_URL", url)];
    let seen = async |number: i64| {
        eventually("the node is seen", async || {
            (database.number("SELECT count(*) FROM nodes").await == number).then_some(())
        })
        .await;
    };
    let first = TestProcess::start(&database, &with(usual)).await;
    seen(1).await;
    let same = TestProcess::start(&other, &with(usual)).await;
    seen(2).await;
    let late = TestProcess::start(&strange, &with(another)).await;
    eventually("it says so", async || late.log.lock().unwrap().contains(&doubt(another, usual)).then_some(())).await;
    for node in [&first, &same] {
        assert!(!node.log.lock().unwrap().contains("refuse each other's tokens"));
    }
    let check =
        async |node: &TestDatabase, url| String::from_utf8(binary(node, &with(url), &["check"]).await.stdout).unwrap();
    let said = check(&database, usual).await;
    assert!(said.contains("warn database") && said.contains(&doubt(usual, another)), "{said}");
    // A node that has not been seen for hours has gone.
    let connection = database.connect().await;
    connection.execute_unprepared("UPDATE nodes SET seen_at = 0").await.unwrap();
    connection.close().await.unwrap();
    let said = check(&database, another).await;
    assert!(!said.contains("refuse each other's tokens"), "{said}");
}

/// A database that takes no new row of a node, as one that is full, is still swept.
#[on_each_database]
async fn a_node_that_is_not_noted_deletes_what_has_expired(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    server.link(&token, "printed").await;
    server.leave(&token).await.expect(204);
    let retired = "SELECT count(*) FROM retired_slugs";
    assert_eq!(database.number(retired).await, 1);
    server.clock.advance(91 * DAY);
    let clock = server.clock.clone();
    server.stop().await;
    database.refuse("INSERT", "nodes", "TRUE").await;
    let server = database.start_at(&[], clock).await;
    database.becomes("the slug is forgotten", retired, 0).await;
    server.stop().await;
}
