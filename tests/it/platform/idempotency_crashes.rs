//! Idempotency keys when answers are lost: many retries at once, a service that is killed, a database that fails. Each request is
//! executed once.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use rand::{Rng, SeedableRng, rngs::StdRng};
use sea_orm::ConnectionTrait;
use serde_json::json;
use tokio::{io::AsyncWriteExt, net::TcpStream, time::sleep};

use crate::{
    on_each_database,
    support::{
        Answer, Http, TestDatabase,
        admin::Admin,
        eventually,
        faults::{any_fault, arm},
        idempotency::{assert_replayed, new_link},
        postgres::TestPostgres,
        process::TestProcess,
        setting,
    },
};

const KEYS: &str = "SELECT count(*) FROM idempotency_keys";
const UNLIMITED: [(&str, &str); 1] = [("LINKGRAPH_DEFAULT_PLAN", "unlimited")];

/// Sends one request so many times at once, to these nodes in turn. Each answer is the link, or that the request is being
/// executed; answers the link.
async fn at_once(nodes: &[&Http], credential: &str, key: &str, path: &str, times: usize) -> Answer {
    let body = json!({ "destinationUrl": format!("https://example.com/{key}") });
    let requests = (0..times).map(|number| nodes[number % nodes.len()].post_once(path, credential, key, &body));
    let mut made: Option<Answer> = None;
    let mut first_answers = 0;
    for answer in join_all(requests).await {
        if answer.status == 409 {
            assert_eq!(answer.json()["error"]["details"]["path"], "Idempotency-Key", "{answer:?}");
            continue;
        }
        let answer = answer.expect(201);
        first_answers += usize::from(answer.header("idempotency-replayed").is_empty());
        let made = made.get_or_insert_with(|| answer.clone());
        assert_eq!((&answer.text, answer.header("location")), (&made.text, made.header("location")));
    }
    assert_eq!(first_answers, 1);
    made.unwrap()
}

#[on_each_database]
async fn twenty_retries_at_once_make_one_link(database: TestDatabase) {
    let first = database.start_with(&UNLIMITED).await;
    let directory = database.node();
    // A SQLite has one node.
    let second = if database.url.is_some() { Some(directory.start_with(&UNLIMITED).await) } else { None };
    let nodes: Vec<&Http> = [&first.http].into_iter().chain(second.as_ref().map(|node| &node.http)).collect();
    let token = first.register("ada").await;
    let key = first.api_key(&token, &["links:write"]).await;
    let rounds = i64::try_from(setting("LINKGRAPH_SOAK_RETRIES", 5)).unwrap();
    for round in 0..rounds {
        // Beside others, without a key and with their own.
        let one = format!("one-{round}");
        let other = format!("other-{round}");
        let body = json!({ "destinationUrl": "https://example.com/" });
        let (one, _, plain) = tokio::join!(
            at_once(&nodes, &token, &one, "/links", 20),
            at_once(&nodes, &key, &other, "/api/v1/links", 20),
            join_all((0..5).map(|_| first.post("/links", &token, body.clone()))),
        );
        plain.into_iter().for_each(|answer| _ = answer.expect(201));
        assert!(one.header("location").starts_with("/links/"));
    }
    let all = (database.links().await, database.number(KEYS).await, database.all_events().await);
    assert_eq!(all, (7 * rounds, 2 * rounds, 7 * rounds + 1));
    assert_eq!(database.number("SELECT link_count FROM accounts").await, 7 * rounds);
    for node in [Some(first), second].into_iter().flatten() {
        node.stop().await;
    }
}

/// Killed at random moments, and asked again until it answers: for each key there is one link, and its answer is always the same.
#[on_each_database]
async fn a_service_that_is_killed_makes_one_link_for_each_key(database: TestDatabase) {
    let seed = setting("LINKGRAPH_SOAK_SEED", rand::random::<u32>().into());
    let mut random = StdRng::seed_from_u64(seed);
    let mut process = TestProcess::start(&database, &UNLIMITED).await;
    let token = process.register("ada").await;
    let rounds = setting("LINKGRAPH_SOAK_KEY_KILLS", 8);
    let (mut lost, mut replayed) = (0, 0);
    // How long a request takes here; another machine, or another load, is faster.
    let mut usual = Duration::from_millis(10);
    for round in 0..rounds {
        let body = json!({ "destinationUrl": format!("https://example.com/{round}") });
        let request = process.request(reqwest::Method::POST, "/links").bearer_auth(&token);
        let request = request.header("idempotency-key", format!("k{round}")).json(&body).build().unwrap();
        let sending = tokio::spawn(process.client.execute(request));
        // A moment of the way, which is the subject.
        sleep(usual.mul_f64(random.random_range(0.0..1.2))).await;
        process.kill();
        let heard = match sending.await.unwrap() {
            Ok(answer) => answer.text().await.ok(),
            Err(_) => None,
        };
        process = TestProcess::start(&database, &UNLIMITED).await;
        let sent = Instant::now();
        let again = process.post_once("/links", &token, &format!("k{round}"), &body).await.expect(201);
        if again.header("idempotency-replayed").is_empty() {
            usual = sent.elapsed();
        }
        if let Some(heard) = heard {
            assert_eq!(again.text, heard, "seed {seed}");
        } else {
            lost += 1;
            replayed += usize::from(again.header("idempotency-replayed") == "true");
        }
        assert_replayed_by_now(&process, &token, round, &again).await;
    }
    println!("{rounds} kills: {lost} answers were lost, {replayed} of them after the change");
    let rounds = i64::try_from(rounds).unwrap();
    let all = (database.links().await, database.number(KEYS).await, database.all_events().await);
    assert_eq!(all, (rounds, rounds, rounds), "seed {seed}");
}

async fn assert_replayed_by_now(process: &TestProcess, token: &str, round: u64, before: &Answer) {
    let body = json!({ "destinationUrl": format!("https://example.com/{round}") });
    let again = process.post_once("/links", token, &format!("k{round}"), &body).await.expect(201);
    assert_eq!((&again.text, again.header("idempotency-replayed")), (&before.text, "true"));
}

/// The client has gone when the link is made, and the service is killed then: the answer is there all the same.
#[on_each_database]
async fn an_answer_that_nobody_heard_is_given_after_a_kill(database: TestDatabase) {
    let mut process = TestProcess::start(&database, &UNLIMITED).await;
    let token = process.register("ada").await;
    let body = json!({ "name": "ci", "scopes": ["links:read"] });
    let (text, address) = (body.to_string(), process.address());
    let mut client = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "POST /api-keys HTTP/1.1\r\nhost: sho.rt\r\nauthorization: Bearer {token}\r\nidempotency-key: \"k\"\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{text}",
        text.len()
    );
    client.write_all(request.as_bytes()).await.unwrap();
    eventually("the key is made", async || (database.number(KEYS).await == 1).then_some(())).await;
    process.kill();
    drop(client);
    let process = TestProcess::start(&database, &UNLIMITED).await;
    let answer = process.post_once("/api-keys", &token, "k", &body).await.expect(201);
    assert_eq!(answer.header("idempotency-replayed"), "true");
    let key = answer.json()["key"].as_str().unwrap().to_owned();
    process.get("/api/v1/links", &key).await.expect(200);
    assert_eq!(database.number("SELECT count(*) FROM api_keys").await, 1);
}

/// PostgreSQL waits for a standby that there is not: the change is on its disk, and the service never hears of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kill_between_the_commit_and_its_answer_makes_one_link() {
    let postgres = TestPostgres::start().await;
    let database = postgres.database();
    let mut process = TestProcess::start(&database, &UNLIMITED).await;
    let token = process.register("ada").await;
    let connection = database.connect().await;
    let wait_for = async |standby: &str| {
        let set = format!("ALTER SYSTEM SET synchronous_standby_names = '{standby}'");
        connection.execute_unprepared(&set).await.unwrap();
        connection.execute_unprepared("SELECT pg_reload_conf()").await.unwrap();
    };
    wait_for("nobody").await;
    // PostgreSQL reads its configuration some time after it is asked to: a transaction is committed again and again, until one waits.
    let writer = database.connect().await;
    let writing = tokio::spawn(async move {
        while writer.execute_unprepared("COMMENT ON DATABASE postgres IS 'written'").await.is_ok() {}
    });
    let ended = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
                 WHERE wait_event = 'SyncRep' AND query LIKE 'COMMENT%'";
    database.becomes("commits wait", ended, 1).await;
    writing.await.unwrap();
    // Only a transaction that has written to this table has such a lock: jobs of the service commit others.
    let waiting = "SELECT count(*) FROM pg_stat_activity JOIN pg_locks USING (pid) \
                   WHERE wait_event = 'SyncRep' AND query LIKE 'COMMIT%' \
                   AND relation = 'idempotency_keys'::regclass AND mode = 'RowExclusiveLock'";
    let (http, credential) = (process.http.clone(), token.clone());
    let sending = tokio::spawn(async move {
        let request = http.request(reqwest::Method::POST, "/links").bearer_auth(credential);
        request.header("idempotency-key", "k").json(&new_link("one")).send().await.is_ok()
    });
    database.becomes("it commits", waiting, 1).await;
    process.kill();
    assert!(!sending.await.unwrap(), "nothing was answered");
    assert_eq!(database.links().await, 0, "nobody sees it yet");
    wait_for("").await;
    let process = TestProcess::start(&database, &UNLIMITED).await;
    let answer = process.post_once("/links", &token, "k", &new_link("one")).await.expect(201);
    assert_eq!(answer.header("idempotency-replayed"), "true", "{answer:?}");
    process.follow("one").await.expect(302);
    assert_eq!((database.links().await, database.number(KEYS).await, database.all_events().await), (1, 1, 1));
    connection.close().await.unwrap();
}

/// Whatever fails: a key is stored with its link or not at all, and the same request, sent again, makes up for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_database_refused_left_no_key() {
    let database = TestDatabase::sqlite();
    let server = database.start_with(&UNLIMITED).await;
    let token = server.register("ada").await;
    let writer = server.api().app.db.sqlite_writer().unwrap();
    let seed = setting("LINKGRAPH_SOAK_SEED", rand::random::<u32>().into());
    let mut random = StdRng::seed_from_u64(seed);
    let (mut made, mut refused) = (0, 0);
    for number in 0..i64::try_from(setting("LINKGRAPH_SOAK_KEY_FAULTS", 40)).unwrap() {
        let key = format!("k{number}");
        let body = json!({ "destinationUrl": format!("https://example.com/{}", "x".repeat(1_900)), "slug": key });
        let fault = any_fault(&mut random);
        arm(&writer, Some(fault)).await;
        let first = server.post_once("/links", &token, &key, &body).await;
        arm(&writer, None).await;
        let is_made = first.status == 201;
        assert!(is_made || first.status.is_server_error(), "seed {seed}: {fault:?}: {first:?}");
        let stored = (database.links().await, database.number(KEYS).await, database.all_events().await);
        let expected = number + i64::from(is_made);
        assert_eq!(stored, (expected, expected, expected), "seed {seed}: {fault:?}: {first:?}");
        if is_made {
            made += 1;
            assert_replayed(&first, &server.post_once("/links", &token, &key, &body).await);
        } else {
            refused += 1;
            let second = server.post_once("/links", &token, &key, &body).await.expect(201);
            assert_eq!(second.header("idempotency-replayed"), "", "seed {seed}: {fault:?}");
        }
    }
    assert!(made > 3 && refused > 3, "seed {seed}: {made} made, {refused} refused");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_its_database_a_request_with_a_key_is_unavailable() {
    let database = TestDatabase::postgres().await;
    let server = database.start().await;
    let token = server.register("ada").await;
    let made = server.post_once("/links", &token, "before", &new_link("before")).await.expect(201);
    let admin = Admin::of(&database).await;
    admin.allow_connections(false).await;
    for key in ["before", "k"] {
        let refused = server.post_once("/links", &token, key, &new_link(key)).await.expect(503);
        assert_eq!((refused.code().as_str(), refused.header("idempotency-replayed")), ("UNAVAILABLE", ""));
        assert!(!refused.header("retry-after").is_empty());
    }
    admin.allow_connections(true).await;
    let again = async || {
        let answer = server.post_once("/links", &token, "k", &new_link("k")).await;
        (answer.status != 503).then_some(answer)
    };
    eventually("the database is back", again).await.expect(201);
    assert_replayed(&made, &server.post_once("/links", &token, "before", &new_link("before")).await);
    assert_eq!((database.links().await, database.number(KEYS).await), (2, 2));
    server.stop().await;
}
