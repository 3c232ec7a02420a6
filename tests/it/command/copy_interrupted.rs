//! `linkgraph copy` when it is killed, and when it must not begin.

use std::{
    fs,
    process::{Child, Command, Stdio},
};

use linkgraph::base::clock::DAY;
use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, Statement, TransactionTrait};

use crate::support::{
    TestDatabase, eventually,
    process::{TestProcess, command, line},
    receiver::id,
    stored::stored_click,
};

/// More than two chunks.
const CLICKS: usize = 9_000;
/// After each third statement that stores rows, the copy waits for a lock that the test holds.
const STOPS: [&str; 2] = [
    "CREATE SEQUENCE statements",
    "CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE number bigint := nextval('statements'); \
     BEGIN IF number % 3 = 0 THEN PERFORM pg_advisory_xact_lock_shared(number); END IF; RETURN NULL; END $$",
];
const MOST_STOPS: usize = 200;

/// A data directory with an account and clicks of several months.
async fn source() -> TestDatabase {
    let database = TestDatabase::sqlite();
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "unlimited")]).await;
    let link = server.link(&server.register("ada").await, "spring").await;
    let (link, now) = (id(&link).parse().unwrap(), server.clock.now());
    server.stop().await;
    let clicks = (0..CLICKS).map(|number| stored_click(link, now - number as i64 * DAY / 100));
    database.store_clicks(clicks.collect()).await;
    database
}

fn arguments(target: &TestDatabase) -> [&str; 3] {
    ["copy", "--to", target.url.as_deref().unwrap()]
}

fn start(source: &TestDatabase, target: &TestDatabase) -> Child {
    let mut copy: Command = command(&source.settings(&[]));
    copy.args(arguments(target)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Holds the locks that the copy stops at, on one connection.
async fn stops(target: &TestDatabase) -> (DatabaseConnection, DatabaseTransaction) {
    let connection = target.connect().await;
    for statement in STOPS {
        connection.execute_unprepared(statement).await.unwrap();
    }
    let tables = "SELECT relname::text FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition \
                  AND relnamespace = 'public'::regnamespace AND relname <> 'seaql_migrations'";
    for table in target.texts(tables).await {
        let trigger = format!("CREATE TRIGGER stop AFTER INSERT ON {table} FOR EACH STATEMENT EXECUTE FUNCTION stop()");
        connection.execute_unprepared(&trigger).await.unwrap();
    }
    let holding = connection.begin().await.unwrap();
    let hold = format!("SELECT count(pg_advisory_lock(number)) FROM generate_series(1, {MOST_STOPS}) AS number");
    holding.execute_unprepared(&hold).await.unwrap();
    (connection, holding)
}

/// The stop at which a copy waits now.
async fn waiting(target: &TestDatabase) -> Option<i64> {
    let sql = "SELECT objid::text FROM pg_locks WHERE locktype = 'advisory' AND NOT granted \
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    target.texts(sql).await.pop().map(|number| number.parse().unwrap())
}

async fn counts(database: &TestDatabase, tables: &[String]) -> Vec<i64> {
    let mut counts = Vec::new();
    for table in tables {
        counts.push(database.number(&format!("SELECT count(*) FROM {table}")).await);
    }
    counts
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_that_is_killed_goes_on_where_it_was() {
    let (source, target) = (source().await, TestDatabase::empty_postgres().await);
    target.db().await.close().await;
    let (connection, holding) = stops(&target).await;
    let (mut kills, mut last) = (0, 0);
    let mut copy = start(&source, &target);
    loop {
        // A stopped copy has rows that are stored and not committed.
        let stopped = async || match (copy.try_wait().unwrap(), waiting(&target).await) {
            (Some(status), _) => Some(Err(status)),
            (None, Some(number)) if number > last => Some(Ok(number)),
            _ => None,
        };
        match eventually("the copy stops or ends", stopped).await {
            Err(status) => {
                assert!(status.success(), "{status}");
                break;
            }
            Ok(number) => last = number,
        }
        copy.kill().unwrap();
        copy.wait().unwrap();
        kills += 1;
        if kills == 2 {
            let (code, said) = line(&target, &[], &["serve"]).await;
            assert!(code == Some(1) && said.contains("a copy to this database is not finished"), "{said}");
            let other = TestDatabase::sqlite();
            other.start().await.stop().await;
            let (code, said) = line(&other, &[], &arguments(&target)).await;
            assert!(code == Some(1) && said.contains("the unfinished copy of another data directory"), "{said}");
        }
        // The next one begins while the server still works for the last.
        copy = start(&source, &target);
        let release =
            Statement::from_string(holding.get_database_backend(), format!("SELECT pg_advisory_unlock({last})"));
        assert!(holding.query_one_raw(release).await.unwrap().unwrap().try_get_by_index::<bool>(0).unwrap());
    }
    assert!(kills >= 3, "{kills}");
    holding.rollback().await.unwrap();
    connection.close().await.unwrap();

    let names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    let mut tables = source.texts(names).await;
    // The copy adds the secret of the data directory.
    tables.retain(|table| table != "shared_secrets");
    assert_eq!(counts(&target, &tables).await, counts(&source, &tables).await);
    let distinct = (target.different_clicks("id").await, source.different_clicks("id").await);
    assert_eq!(distinct, (CLICKS as i64, CLICKS as i64));
    let (code, said) = line(&source, &[], &arguments(&target)).await;
    assert!(code == Some(1) && said.contains("`linkgraph copy` needs an empty database"), "{said}");
}

/// Names of the tables in a PostgreSQL.
async fn tables(database: &TestDatabase) -> Vec<String> {
    database.texts("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY 1").await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn accounts_are_not_left_behind() {
    let source = source().await;
    let target = TestDatabase::empty_postgres().await;
    let url = target.url.as_deref().unwrap();
    let moved = [("DATABASE_URL", url)];
    let (code, said) = line(&source, &moved, &["serve"]).await;
    assert!(code == Some(1) && said.contains("`linkgraph copy --to postgres://…`"), "{said}");
    assert!(said.contains("linkgraph.db has accounts (1)") && !said.contains(url), "{said}");
    assert_eq!(tables(&target).await, [""; 0]);
    // Migrated, it is as empty.
    assert_eq!(crate::support::process::binary(&source, &moved, &["migrate"]).await.status.code(), Some(0));
    assert!(line(&source, &moved, &["serve"]).await.1.contains("linkgraph copy"));
    let output = crate::support::process::binary(&source, &moved, &["copy"]).await;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut service = TestProcess::start(&source, &moved).await;
    service.login("ada").await;
    service.terminate();
    assert!(service.exit().await.success());

    // Without that file the service begins anew.
    let (file, empty) = (source.folder.join("linkgraph.db"), TestDatabase::empty_postgres().await);
    fs::rename(&file, source.folder.join("old.db")).unwrap();
    TestProcess::start(&source, &[("DATABASE_URL", empty.url.as_deref().unwrap())]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_can_not_be_copied_is_refused_and_nothing_is_changed() {
    let (source, target) = (source().await, TestDatabase::empty_postgres().await);
    let refused = async |from: &TestDatabase, more: &[(&str, &str)], to: &str, reason: &str| {
        let (code, said) = line(from, more, &["copy", "--to", to]).await;
        assert!(code == Some(1) && said.contains(reason), "{reason}: {said}");
    };
    let url = target.url.as_deref().unwrap();
    let nothing = TestDatabase::empty_sqlite();
    refused(&nothing, &[], url, "there is no SQLite database").await;
    assert_eq!(fs::read_dir(&nothing.folder).unwrap().count(), 0);
    refused(&source, &[], "sqlite://other.db", "must be the URL of a PostgreSQL").await;
    refused(&source, &[], "postgres://nobody:hunter2@127.0.0.1:1/x", "PostgreSQL at 127.0.0.1:1").await;
    let mut service = TestProcess::start(&source, &[]).await;
    refused(&source, &[], url, "stop linkgraph before its database is copied").await;
    service.terminate();
    assert!(service.exit().await.success());
    // A database of an older version, and one that is damaged.
    let file = source.folder.join("linkgraph.db");
    let whole = fs::read(&file).unwrap();
    let connection = source.connect().await;
    migration::down(&connection, Some(1)).await.unwrap();
    connection.close().await.unwrap();
    refused(&source, &[], url, "`linkgraph migrate`, with DATABASE_URL unset").await;
    let mut damaged = whole.clone();
    let half = damaged.len() / 2;
    damaged[half..half + 20_000].fill(0xff);
    fs::write(&file, damaged).unwrap();
    refused(&source, &[], url, "damaged").await;
    fs::write(&file, whole).unwrap();
    assert_eq!(tables(&target).await, [""; 0]);

    let connection = target.connect().await;
    connection.execute_unprepared("CREATE TABLE orders (id int PRIMARY KEY)").await.unwrap();
    refused(&source, &[], url, "the database has tables of something else").await;
    assert_eq!(tables(&target).await, ["orders"]);
    connection.execute_unprepared("DROP TABLE orders").await.unwrap();
    connection.close().await.unwrap();
    let server = target.start().await;
    refused(&source, &[], url, "is in use").await;
    server.register("bob").await;
    refused(&source, &[], url, "is in use").await;
    assert_eq!(target.texts("SELECT email FROM users").await, ["bob@example.com"]);
    assert!(!tables(&target).await.contains(&"unfinished_copy".to_owned()));
    server.stop().await;
}
