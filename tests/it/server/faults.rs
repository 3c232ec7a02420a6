//! Databases that fail in the middle of a change: what was acknowledged is stored, and what was refused is not, whatever
//! fails and whenever; also after a restart.

use std::collections::BTreeMap;

use linkgraph::platform::db::{Db, Transaction};
use rand::{Rng, SeedableRng, rngs::StdRng};
use sea_orm::{ConnectionTrait, DatabaseBackend, DbErr, Statement};
use tokio::task::yield_now;

use crate::{
    on_each_database,
    support::{
        TestDatabase, eventually,
        faults::{Fault, arm},
        setting,
    },
};

/// A change of the table that the histories write.
#[derive(Clone, Debug)]
enum Change {
    Put(i64, String),
    /// Fails when the key is taken.
    Add(i64, String),
    Remove(i64),
}

type Rows = BTreeMap<i64, String>;

impl Change {
    fn random(random: &mut StdRng) -> Self {
        let key = random.random_range(0..12);
        // A large one needs pages of its own.
        let length = if random.random_ratio(1, 3) { random.random_range(0..30_000) } else { 20 };
        let value = format!("{}{}", random.random_range(0..1_000), "x".repeat(length));
        match random.random_range(0..5) {
            0 | 1 => Change::Put(key, value),
            2 | 3 => Change::Add(key, value),
            _ => Change::Remove(key),
        }
    }

    fn apply(&self, rows: &mut Rows) {
        match self {
            Change::Put(key, value) | Change::Add(key, value) => _ = rows.insert(*key, value.clone()),
            Change::Remove(key) => _ = rows.remove(key),
        }
    }

    fn shown(&self) -> String {
        format!("{self:?}").chars().take(16).collect()
    }

    /// `asks_back`: as a query that answers what it changed.
    async fn execute(&self, db: &impl ConnectionTrait, asks_back: bool) -> Result<(), DbErr> {
        let insert = "INSERT INTO model (key, value) VALUES ($1, $2)";
        let (sql, values) = match self {
            Change::Put(key, value) => {
                let sql = format!("{insert} ON CONFLICT (key) DO UPDATE SET value = excluded.value");
                (sql, vec![(*key).into(), value.clone().into()])
            }
            Change::Add(key, value) => (insert.to_owned(), vec![(*key).into(), value.clone().into()]),
            Change::Remove(key) => ("DELETE FROM model WHERE key = $1".to_owned(), vec![(*key).into()]),
        };
        let backend = db.get_database_backend();
        if asks_back {
            let statement = Statement::from_sql_and_values(backend, format!("{sql} RETURNING key"), values);
            db.query_one_raw(statement).await.map(drop)
        } else {
            db.execute_raw(Statement::from_sql_and_values(backend, sql, values)).await.map(drop)
        }
    }
}

async fn rows(db: &impl ConnectionTrait) -> Rows {
    let all = Statement::from_string(db.get_database_backend(), "SELECT key, value FROM model");
    let rows = db.query_all_raw(all).await.unwrap();
    rows.iter().map(|row| (row.try_get_by_index(0).unwrap(), row.try_get_by_index(1).unwrap())).collect()
}

/// The same, short enough to be shown.
fn brief(rows: &Rows) -> Vec<(i64, &str, usize)> {
    rows.iter().map(|(key, value)| (*key, value.trim_end_matches('x'), value.len())).collect()
}

/// Makes the next changes fail, or none.
async fn choose_fault(db: &Db, random: &mut StdRng, is_calm: bool) {
    if let Some(writer) = db.sqlite_writer() {
        let fault = match random.random_range(0..8) {
            _ if is_calm => None,
            0 | 1 => Some(Fault::Full(random.random_range(0..4))),
            2 | 3 => Some(Fault::Interrupt(random.random_range(0..60))),
            4 => Some(Fault::Veto(random.random_range(0..2))),
            _ => None,
        };
        eprintln!("fault {fault:?}");
        arm(&writer, fault).await;
    } else if !is_calm && random.random_ratio(1, 4) {
        // Idle connections die.
        let others = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity \
                      WHERE datname = current_database() AND pid <> pg_backend_pid()";
        let _ = db.read().execute_unprepared(others).await;
    }
}

/// Drops the future after it was polled once or twice; answers its output if it was faster.
async fn cancel<T>(future: impl Future<Output = T>, polls: u32) -> Option<T> {
    let giving_up = async {
        for _ in 0..polls {
            yield_now().await;
        }
    };
    tokio::select! {
        biased;
        output = future => Some(output),
        () = giving_up => None,
    }
}

/// Waits until no session of a PostgreSQL does anything: connections are given back behind their callers' backs.
async fn settle(db: &Db) {
    if db.backend() == DatabaseBackend::Postgres {
        let busy = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() \
                    AND state IS DISTINCT FROM 'idle'";
        let busy = Statement::from_string(DatabaseBackend::Postgres, busy);
        eventually("sessions are idle", async || {
            let row = db.read().query_one_raw(busy.clone()).await.ok()??;
            (row.try_get_by_index::<i64>(0).ok()? == 0).then_some(())
        })
        .await;
    }
}

/// How one step may have ended: as the model says, or also without what it did.
enum Outcome {
    Known,
    Unknown(Rows),
}

/// One transaction with some changes, of which some may fail or be cancelled.
async fn transaction(db: &Db, random: &mut StdRng, model: &mut Rows) -> Outcome {
    if random.random_ratio(1, 10) {
        drop(cancel(db.begin(), random.random_range(1..4)).await);
        return Outcome::Known;
    }
    let Ok(tx) = db.begin().await else { return Outcome::Known };
    let (mut changed, mut has_failed) = (model.clone(), false);
    for _ in 0..random.random_range(1..5) {
        let change = Change::random(random);
        let asks_back = random.random_ratio(1, 4);
        let answer = if random.random_ratio(1, 15) {
            cancel(change.execute(&tx, asks_back), random.random_range(1..3)).await
        } else {
            Some(change.execute(&tx, asks_back).await)
        };
        eprintln!("  {} {answer:?}", change.shown());
        match answer {
            Some(Ok(())) => {
                assert!(!has_failed, "a statement was executed in a transaction that had failed");
                change.apply(&mut changed);
            }
            // Code that goes on after an error must not store half of its changes.
            _ => has_failed = true,
        }
    }
    finish(tx, random, model, changed, has_failed).await
}

async fn finish(tx: Transaction, random: &mut StdRng, model: &mut Rows, changed: Rows, has_failed: bool) -> Outcome {
    match random.random_range(0..10) {
        0 => {
            eprintln!("drop");
            drop(tx);
        }
        1 => {
            let answer = tx.rollback().await;
            eprintln!("rollback {answer:?}");
        }
        2 => {
            let before = std::mem::replace(model, changed);
            let answer = cancel(tx.commit(), random.random_range(1..4)).await;
            eprintln!("cancelled commit {answer:?}");
            return match answer {
                Some(Ok(())) if !has_failed => Outcome::Known,
                Some(Ok(())) => panic!("a failed transaction was committed"),
                Some(Err(_)) => {
                    *model = before;
                    Outcome::Known
                }
                None if has_failed => {
                    *model = before;
                    Outcome::Known
                }
                None => Outcome::Unknown(before),
            };
        }
        _ => {
            let committed = tx.commit().await;
            eprintln!("commit {committed:?}");
            assert!(!(has_failed && committed.is_ok()), "a failed transaction was committed");
            if committed.is_ok() {
                *model = changed;
            }
        }
    }
    Outcome::Known
}

/// Compares the rows with the model: those of a snapshot, and those of a reader's connection.
async fn check(db: &Db, random: &mut StdRng, model: &Rows) {
    choose_fault(db, random, true).await;
    settle(db).await;
    // On PostgreSQL each dead connection answers one statement with an error.
    eventually("a reader is answered", async || db.read().execute_unprepared("SELECT 1").await.ok()).await;
    let snapshot = eventually("there is a snapshot", async || db.snapshot().await.ok()).await;
    assert_eq!(brief(&snapshot.reading(rows(&snapshot)).await), brief(model), "a snapshot");
    snapshot.rollback().await.unwrap();
    assert_eq!(brief(&rows(db.read()).await), brief(model), "a reader");
}

async fn history(database: &TestDatabase, seed: u64) {
    let mut random = StdRng::seed_from_u64(seed);
    let db = database.db().await;
    let mut model = rows(db.read()).await;
    for _ in 0..random.random_range(5..25) {
        choose_fault(&db, &mut random, false).await;
        let outcome = if random.random_ratio(1, 2) {
            let change = Change::random(&mut random);
            let answer = change.execute(db.write(), random.random_ratio(1, 3)).await;
            eprintln!("single {} {answer:?}", change.shown());
            if answer.is_ok() {
                change.apply(&mut model);
            }
            Outcome::Known
        } else {
            transaction(&db, &mut random, &mut model).await
        };
        if let Outcome::Unknown(before) = outcome {
            choose_fault(&db, &mut random, true).await;
            settle(&db).await;
            // It queues up behind the cancelled commit.
            let tx = eventually("it begins", async || db.begin().await.ok()).await;
            let stored = rows(&tx).await;
            tx.rollback().await.unwrap();
            assert!(stored == model || stored == before, "half a commit");
            model = stored;
        } else if random.random_ratio(1, 4) {
            check(&db, &mut random, &model).await;
        }
    }
    check(&db, &mut random, &model).await;
    db.close().await;
    let db = database.db().await;
    assert_eq!(brief(&rows(db.read()).await), brief(&model), "after a restart");
    db.close().await;
}

/// Random statements with faults at random places: after each, and after a restart, the tables hold what was acknowledged
/// and nothing else.
#[on_each_database]
async fn what_is_acknowledged_is_stored_and_what_is_refused_is_not(database: TestDatabase) {
    let db = database.db().await;
    let key = if db.backend() == DatabaseBackend::Postgres { "BIGINT" } else { "INTEGER" };
    // Each fault of a PostgreSQL ends sessions, and new ones take their time.
    let one_in = if db.backend() == DatabaseBackend::Postgres { 6 } else { 1 };
    let create = format!("CREATE TABLE model (key {key} PRIMARY KEY, value TEXT NOT NULL)");
    db.write().execute_unprepared(&create).await.unwrap();
    db.close().await;
    let first = setting("LINKGRAPH_SOAK_SEED", rand::rng().random_range(0..1_000_000_000));
    for seed in first..first + setting("LINKGRAPH_SOAK_HISTORIES", 150) / one_in {
        eprintln!("LINKGRAPH_SOAK_SEED={seed}");
        history(&database, seed).await;
    }
}
