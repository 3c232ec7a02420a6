//! Stores that fail under a running service: every mutation, the ingest and readiness, as a caller sees them.

use std::{
    collections::BTreeMap,
    fs,
    io::{Seek, SeekFrom, Write},
    time::{Duration, Instant},
};

use linkgraph::{
    api,
    contract::{Contract, OperationKind, RootField, Shape, base_name},
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rustix::process::{Resource, geteuid};
use sea_orm::{ConnectionTrait, DatabaseBackend, Statement, TransactionTrait};
use serde_json::{Value as Json, json};

use crate::support::{
    Http, TestDatabase, catalogue,
    disk::Disk,
    eventually,
    faults::{Fault, any_fault, arm},
    process::{self, TestProcess},
    setting,
    stored::rows,
};

/// One call of a mutation.
pub(crate) struct Call {
    pub(crate) token: String,
    pub(crate) document: String,
    pub(crate) variables: Json,
}

/// Makes what the mutation needs, and answers how to call it. `number` is another one each time.
pub(crate) async fn prepare(
    server: &Http,
    database: &TestDatabase,
    contract: &Contract,
    root: &RootField,
    number: u64,
) -> Option<Call> {
    let mutation = &*root.field.name;
    let name = format!("{mutation}{number}").to_lowercase();
    let token = server.register(&name).await;
    let arguments = match mutation {
        // `login`, `forgotPassword` and `sendVerification` change nothing before they answer, but for a job; `redeliver` waits for a delivery that has ended; what
        // is bought is stored at the payment provider first; an import out of an API goes on at once; and `resolveLink` writes to the click log, from which its click
        // is stored later.
        "login"
        | "forgotPassword"
        | "sendVerification"
        | "redeliver"
        | "resolveLink"
        | "createCheckout"
        | "createBillingPortal"
        | "startApiImport" => {
            return None;
        }
        _ => match catalogue::user_arguments(server, database, mutation, &name).await {
            Some(arguments) => arguments,
            None => catalogue::arguments(mutation, &name),
        },
    };
    if mutation.ends_with("Subdomain") && mutation != "claimSubdomain" {
        server.post("/subdomain", &token, json!({ "subdomain": name })).await.expect(201);
    }
    let mut ids = BTreeMap::new();
    for parameter in catalogue::needed(&arguments) {
        ids.insert(parameter, catalogue::make(server, &token, parameter, &name).await);
    }
    let variables = catalogue::with_ids(arguments.clone(), &ids);
    let selection = match contract.types.get(base_name(&root.field.ty)).map(|definition| &definition.shape) {
        Some(Shape::Object(fields)) if fields.iter().any(|field| field.name == "results") => {
            " { results { error { code } } }"
        }
        Some(Shape::Object(_)) => " { __typename }",
        _ => "",
    };
    let [declared, given] = catalogue::as_variables(root);
    Some(Call { token, document: format!("mutation{declared} {{ {mutation}{given}{selection} }}"), variables })
}

/// Whether the mutation says that it was made.
fn is_acknowledged(mutation: &str, answer: &Json) -> bool {
    answer["errors"].is_null() && answer["data"][mutation]["results"][0]["error"].is_null()
}

/// Each mutation of the schema is called again and again while the database fails somewhere in it: what it acknowledges is
/// stored, and what it refuses changed no row. Opened anew, the database holds the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_mutation_is_made_as_a_whole_or_not_at_all() {
    let database = TestDatabase::sqlite();
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "unlimited")]).await;
    let writer = server.api().app.db.sqlite_writer().unwrap();
    let connection = database.connect().await;
    let seed = setting("LINKGRAPH_SOAK_SEED", rand::random::<u32>().into());
    let mut random = StdRng::seed_from_u64(seed);
    let (mut refused, mut acknowledged) = (0, 0);
    let (_, contract, _) = api::contract().unwrap();
    for root in contract.operations.iter().filter(|operation| operation.kind == OperationKind::Mutation) {
        let mutation = &*root.field.name;
        for number in 0..setting("LINKGRAPH_SOAK_FAULTS", 3) {
            let Some(call) = prepare(&server, &database, &contract, root, number).await else { break };
            // A mail's token is a row.
            let mails = "SELECT count(*) FROM jobs WHERE kind LIKE '%_mail'";
            eventually("no mail is left", async || (database.number(mails).await == 0).then_some(())).await;
            let before = rows(&connection).await;
            let fault = any_fault(&mut random);
            arm(&writer, Some(fault)).await;
            let answer = server.graphql(&call.token, &call.document, call.variables).await;
            arm(&writer, None).await;
            let after = rows(&connection).await;
            let shown = format!("seed {seed}: {mutation} with {fault:?}: {answer}");
            if is_acknowledged(mutation, &answer) {
                acknowledged += 1;
                // A preview is made of what the request has, and a token without a session of what the caller knows, and a challenge is
                // signed: nothing is stored.
                let stores =
                    !["previewImport", "confirmAccess", "startPasskey", "startPasskeyLogin", "startPasskeyProof"]
                        .contains(&mutation);
                assert_eq!(before != after, stores, "acknowledged and not stored: {shown}");
                if mutation == "testWebhook" {
                    // Its delivery would change rows while later calls are compared.
                    server.leave(&call.token).await.expect(204);
                }
            } else {
                refused += 1;
                let code = &answer["errors"][0]["extensions"]["code"];
                let code = if code.is_null() { &answer["data"][mutation]["results"][0]["error"]["code"] } else { code };
                assert!(["UNAVAILABLE", "INTERNAL_ERROR"].contains(&code.as_str().unwrap()), "{shown}");
                assert_eq!(before, after, "refused and stored: {shown}");
            }
        }
    }
    assert!(refused > 5 && acknowledged > 5, "{refused} refused, {acknowledged} acknowledged");
    server.stop().await;
    let before = rows(&connection).await;
    connection.close().await.unwrap();
    database.db().await.close().await;
    let connection = database.connect().await;
    assert!(before == rows(&connection).await, "seed {seed}: after the database was opened anew");
    connection.close().await.unwrap();
}

/// As it was seen on a disk that had been full: the next refusal must not swallow what follows it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_acknowledged_after_the_disk_was_full_is_there_after_a_new_start() {
    let database = TestDatabase::sqlite();
    let mut process = TestProcess::start(&database, &[]).await;
    let token = process.register("ada").await;
    process.link(&token, "first").await;
    // No file grows any more: writing fails with EFBIG, which SQLite calls an I/O error.
    process.limit(Resource::Fsize, fs::metadata(database.folder.join("linkgraph.db-wal")).unwrap().len());
    let long = json!({ "destinationUrl": format!("https://example.com/{}", "x".repeat(2_000)) });
    let mut made = 0;
    while process.post("/links", &token, long.clone()).await.status != 503 {
        made += 1;
        assert!(made < 1_000, "the limit limits nothing");
    }
    let ready = process.get("/ready", "").await.expect(503);
    assert_eq!(ready.json()["error"]["details"]["failed"], json!(["databaseWriter"]));
    let metrics = process.get("/metrics", "").await.text;
    assert!(!metrics.lines().any(|line| line == "linkgraph_database_refused_changes_total 0"), "{metrics}");
    process.lift_limit(Resource::Fsize);
    process.link(&token, "a").await;
    let a =
        process.get("/links?search=example.com/a", &token).await.json()["data"][0]["id"].as_str().unwrap().to_owned();
    process.call("PATCH", &format!("/links/{a}"), &token, json!({ "slug": "first" })).await.expect(409);
    for slug in ["b", "c", "d"] {
        process.link(&token, slug).await;
        process.follow(slug).await.expect(302);
    }
    process.get("/ready", "").await.expect(200);
    let listed = process.get("/links", &token).await.json();
    assert_eq!(listed["total"], made + 5);
    process.terminate();
    assert!(process.exit().await.success());
    let log = process.log.lock().unwrap().clone();
    assert!(log.contains("The database takes no changes") && log.contains("The database takes changes again"), "{log}");
    let server = database.start().await;
    let clicks = async || {
        let links = server.get("/links?pageSize=100", &token).await.json();
        let counts = links["data"].as_array().unwrap().iter().map(|link| link["clickCount"].as_i64().unwrap());
        (links["total"] == made + 5 && counts.sum::<i64>() == 3).then_some(())
    };
    eventually("all links and clicks are there", clicks).await;
    server.stop().await;
}

/// A real disk fills up and is emptied again and again under a load of redirects: each one that was answered is stored or
/// counted as dropped, and each link that was acknowledged is there, also after a new start.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_fills_and_empties_loses_nothing_that_is_not_counted() {
    let rounds = setting("LINKGRAPH_SOAK_DISK_ROUNDS", 1);
    // Room for the log and the clicks of each round, and for little else.
    let Some(disk) = Disk::mount(setting("LINKGRAPH_SOAK_DISK_MIB", 50 + 110 * rounds)) else {
        // Root may not mount in a container without the right to.
        let is_excused = !geteuid().is_root() || std::env::var_os("LINKGRAPH_TEST_NO_MOUNT").is_some();
        assert!(is_excused, "no disk could be mounted; LINKGRAPH_TEST_NO_MOUNT=1 leaves this test out");
        eprintln!("not tested: this user may not mount a disk");
        return;
    };
    let database = TestDatabase::sqlite();
    let settings = [("LINKGRAPH_DATA_DIR", disk.folder().to_str().unwrap()), ("LINKGRAPH_DEFAULT_PLAN", "unlimited")];
    let mut process = TestProcess::start(&database, &settings).await;
    let token = process.register("ada").await;
    process.link(&token, "hot").await;
    // Clicks as long as can be, so that the log's reserved room is soon used up.
    let long = "x".repeat(600);
    let campaign =
        ["source", "medium", "campaign", "term", "content"].map(|name| format!("utm_{name}={long}")).join("&");
    let path = format!("/hot?{campaign}");
    let visit = async || {
        let request = process.request(reqwest::Method::GET, &path).header("user-agent", &long);
        process.send(request).await.expect(302);
    };
    let metric = async |name: &str| -> u64 { process.metric(name).await.unwrap_or_else(|| panic!("{name}")) };
    let (mut visits, mut made) = (0, 1);
    for round in 0..rounds {
        disk.fill();
        let dropped = metric("linkgraph_clicks_dropped_total").await;
        while metric("linkgraph_clicks_dropped_total").await < dropped + 50 {
            for _ in 0..50 {
                visit().await;
                visits += 1;
            }
            let body = json!({ "destinationUrl": "https://example.com/", "slug": format!("r{round}v{visits}") });
            made += i64::from(process.post("/links", &token, body).await.status == 201);
        }
        assert_eq!(process.get("/ready", "").await.status, 503);
        disk.empty();
        eventually("it is ready again", async || {
            visit().await;
            visits += 1;
            (process.get("/ready", "").await.status == 200).then_some(())
        })
        .await;
        process.link(&token, &format!("after{round}")).await;
        made += 1;
    }
    let dropped = metric("linkgraph_clicks_dropped_total").await;
    eventually("all is ingested", async || {
        (metric("linkgraph_clicks_ingested_total").await + dropped == visits).then_some(())
    })
    .await;
    process.terminate();
    assert!(process.exit().await.success());
    let process = TestProcess::start(&database, &settings).await;
    let hot = process.get("/links?search=hot", &token).await.json();
    assert_eq!(hot["data"][0]["clickCount"].as_u64().unwrap() + dropped, visits);
    assert_eq!(process.get("/links", &token).await.json()["total"], made);
}

/// A long read, such as a backup, keeps SQLite's write-ahead log from being emptied. Changes do not wait for its end, not even
/// while ingest takes small steps after a failure.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_read_holds_no_change_up_after_a_failure() {
    let database = TestDatabase::sqlite();
    let server = database.start().await;
    let token = server.register("ada").await;
    server.link(&token, "hot").await;
    let connection = database.connect().await;
    let reading = connection.begin().await.unwrap();
    reading.query_one_raw(Statement::from_string(DatabaseBackend::Sqlite, "SELECT count(*) FROM links")).await.unwrap();

    let writer = server.api().app.db.sqlite_writer().unwrap();
    arm(&writer, Some(Fault::Full(0))).await;
    eventually("a transaction of ingest failed", async || {
        server.follow("hot").await.expect(302);
        let metrics = server.get("/metrics", "").await.text;
        (!metrics.contains("linkgraph_database_refused_changes_total 0\n")).then_some(())
    })
    .await;
    arm(&writer, None).await;
    eventually("changes are made again", async || {
        let body = json!({ "destinationUrl": "https://example.com/", "slug": "again" });
        (server.post("/links", &token, body).await.status == 201).then_some(())
    })
    .await;
    let mut held_up = 0;
    for number in 0..200 {
        for _ in 0..10 {
            server.follow("hot").await.expect(302);
        }
        let began = Instant::now();
        server.link(&token, &format!("s{number}")).await;
        held_up += u32::from(began.elapsed() > Duration::from_secs(2));
    }
    // A disk may be slow now and then. Who waits for the reader waits 5 s, each time.
    assert!(held_up <= 20, "{held_up} of 200");
    drop(reading);
    server.stop().await;
}

/// Redirects go on while the ingest fails at random places; afterwards each click is stored once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_click_is_ingested_once_whatever_fails() {
    let database = TestDatabase::sqlite();
    let server = database.start().await;
    let token = server.register("ada").await;
    server.link(&token, "hot").await;
    let writer = server.api().app.db.sqlite_writer().unwrap();
    let seed = setting("LINKGRAPH_SOAK_SEED", rand::random::<u32>().into());
    let mut random = StdRng::seed_from_u64(seed);
    let visits = setting("LINKGRAPH_SOAK_VISITS", 600);
    for visit in 0..visits {
        if visit % 20 == 0 {
            arm(&writer, Some(any_fault(&mut random))).await;
        }
        server.follow("hot").await.expect(302);
    }
    arm(&writer, None).await;
    let visits = i64::try_from(visits).unwrap();
    eventually("all are ingested", async || (database.counted_clicks().await >= visits).then_some(())).await;
    server.stop().await;
    assert_eq!(database.clicks_and_counts().await, (visits, visits), "seed {seed}");
}

/// Pages of the file are overwritten while the service is away: it does not start, or says that it is not ready.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_file_leaves_no_service_that_is_ready() {
    let database = TestDatabase::sqlite();
    let server = database.start().await;
    let token = server.register("ada").await;
    for number in 0..40 {
        let destination = format!("https://example.com/{}", "x".repeat(1_500));
        server
            .post("/links", &token, json!({ "destinationUrl": destination, "slug": format!("s{number}") }))
            .await
            .expect(201);
    }
    server.stop().await;
    let file = database.folder.join("linkgraph.db");
    let whole = fs::read(&file).unwrap();
    let pages = whole.len() / 4096;
    let mut random = StdRng::seed_from_u64(setting("LINKGRAPH_SOAK_SEED", rand::random::<u32>().into()));
    for _ in 0..setting("LINKGRAPH_SOAK_DAMAGES", 4) {
        let mut damaged = fs::File::options().write(true).open(&file).unwrap();
        let page = random.random_range(0..pages);
        damaged.seek(SeekFrom::Start((page * 4096) as u64)).unwrap();
        damaged.write_all(&random.random::<[u8; 32]>().repeat(128)).unwrap();
        drop(damaged);
        let output = process::command(&database.settings(&[]));
        if let Some(mut process) = TestProcess::try_start(output).await {
            let ready = process.get("/ready", "").await;
            assert_eq!(ready.status, 503, "page {page} of {pages}: {}", ready.text);
            let metrics = process.get("/metrics", "").await.text;
            assert!(metrics.lines().any(|line| line == "linkgraph_database_damaged 1"), "{metrics}");
            process.kill();
        }
        for name in ["linkgraph.db-wal", "linkgraph.db-shm"] {
            let _ = fs::remove_file(database.folder.join(name));
        }
        fs::write(&file, &whole).unwrap();
    }
    database.start().await.stop().await;
}

/// Room for a database but none for the log: visitors are redirected, and nobody is told that the node is ready.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_too_small_for_the_log_is_not_ready() {
    let database = TestDatabase::sqlite();
    let script = format!("ulimit -S -f 8192; exec {}", process::command(&[]).get_program().to_str().unwrap());
    let mut shell = std::process::Command::new("bash");
    shell.args(["-c", &script]).env_clear().envs(database.settings(&[]));
    let process = TestProcess::of(shell).await;
    let ready = process.get("/ready", "").await.expect(503);
    assert_eq!(ready.json()["error"]["details"]["failed"], json!(["clickLog"]));
    let token = process.register("ada").await;
    process.link(&token, "small").await;
    process.follow("small").await.expect(302);
}
