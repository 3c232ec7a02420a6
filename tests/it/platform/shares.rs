//! Connections to the database: nobody waits for one while holding another, each purpose has its own, and what nobody waits for ends.

use std::{
    pin::pin,
    time::{Duration, Instant},
};

use futures_util::{FutureExt, future::join_all};
use reqwest::Method;
use sea_orm::{ConnectionTrait, DatabaseBackend, Statement, TransactionTrait};
use serde_json::json;
use tokio::time::timeout;

use crate::{
    on_each_database,
    support::{Http, TestDatabase, answers::Reader, eventually},
};

/// All of these are answered well, and none waits as long as one that waits for a connection in vain.
async fn answered(http: &Http, token: &str, documents: impl IntoIterator<Item = String>) {
    let asked = documents.into_iter().map(|document| async move {
        let answer = http.post("/graphql", token, json!({ "query": document })).await;
        assert!(answer.status == 200 && answer.json()["errors"].is_null(), "{document}: {answer:?}");
    });
    join_all(asked).await;
}

#[on_each_database]
async fn no_query_waits_for_others_of_its_kind(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "unlimited")]).await;
    let reader = Reader::with_one_of_each(&server, "ada").await;
    // Accepted, each was answered.
    reader.repeated(&server.http, 30).await;
    for document in reader.repeated(&server.http, 4).await {
        answered(&server.http, &reader.token, vec![document; 48]).await;
    }
    let path = format!("/analytics/{}?from={}", reader.ids["linkId"], reader.range[0]);
    let answers = join_all((0..48).map(|_| server.get(&path, &reader.token))).await;
    answers.into_iter().for_each(|answer| _ = answer.expect(200));
}

/// A statement that takes half a minute.
fn endless(backend: DatabaseBackend) -> Statement {
    let sql = match backend {
        DatabaseBackend::Postgres => "SELECT pg_sleep(30)",
        _ => {
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1000000000) SELECT count(*) FROM n"
        }
    };
    Statement::from_string(backend, sql)
}

#[on_each_database]
async fn a_statement_ends_with_its_caller(database: TestDatabase) {
    let server = database.start().await;
    let db = &server.api().app.db;
    for _ in 0..3 {
        let began = Instant::now();
        let mut callers: Vec<_> = (0..8).map(|_| Box::pin(db.read().query_all_raw(endless(db.backend())))).collect();
        for caller in &mut callers {
            assert!(timeout(Duration::from_millis(20), pin!(caller)).await.is_err());
        }
        drop(callers);
        // On the same connections.
        let one = || Statement::from_string(db.backend(), "SELECT 1");
        join_all((0..8).map(|_| db.read().query_one_raw(one()).map(Result::unwrap))).await;
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    }
    // In a transaction, too: its connection is as good as any other afterwards.
    let tx = db.begin().await.unwrap();
    if db.backend() == DatabaseBackend::Postgres {
        assert!(timeout(Duration::from_millis(20), tx.query_all_raw(endless(db.backend()))).await.is_err());
        assert!(tx.execute_unprepared("SELECT 1").await.is_err());
    }
    drop(tx);
    let tx = timeout(Duration::from_secs(10), db.begin()).await.unwrap().unwrap();
    tx.execute_unprepared("SELECT 1").await.unwrap();
    tx.commit().await.unwrap();
}

/// Requests that wait in the database leave nothing there when their clients go away.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_hangs_up_leaves_no_statement_behind() {
    let database = TestDatabase::postgres().await;
    let server = database.start().await;
    let token = server.register("ada").await;
    server.link(&token, "spring").await;
    let other = database.connect().await;
    let locked = other.begin().await.unwrap();
    locked.execute_unprepared("LOCK TABLE links IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let waiting = || Statement::from_string(DatabaseBackend::Postgres, waiting);
    let number =
        async || -> i64 { other.query_one_raw(waiting()).await.unwrap().unwrap().try_get_by_index(0).unwrap() };
    for path in ["/links?search=spring", "/links"] {
        let mut asked = Box::pin(server.send(server.request(Method::GET, path).bearer_auth(&token)));
        eventually("it waits", async || {
            let _ = timeout(Duration::from_millis(10), &mut asked).await;
            (number().await > 0).then_some(())
        })
        .await;
        let began = Instant::now();
        drop(asked);
        eventually("nothing waits", async || (number().await == 0).then_some(())).await;
        // PostgreSQL itself would end it after 3 s, which is how long it waits for a lock.
        assert!(began.elapsed() < Duration::from_secs(2), "{path}: {:?}", began.elapsed());
    }
    locked.rollback().await.unwrap();
    server.get("/links", &token).await.expect(200);
    server.stop().await;
}
