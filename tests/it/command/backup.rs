//! `linkgraph backup`: what is restored from it is what was there.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use sea_orm::{ConnectionTrait, Statement};
use serde_json::Value as Json;

use crate::support::{
    Http, TestDatabase, eventually,
    process::{TestProcess, line},
};

/// Runs the command beside a service; its exit code and what it said.
async fn back_up(database: &TestDatabase, more: &[(&str, &str)], file: &Path) -> (Option<i32>, String) {
    line(database, more, &["backup", file.to_str().unwrap()]).await
}

/// An empty directory with the backup as its database.
fn restored(file: &Path) -> TestDatabase {
    let database = TestDatabase::sqlite();
    fs::copy(file, database.folder.join("linkgraph.db")).unwrap();
    database
}

async fn values(database: &TestDatabase, sql: &str) -> Vec<String> {
    let connection = database.connect().await;
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    let rows = connection.query_all_raw(statement).await.unwrap();
    connection.close().await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

/// All slugs, sorted, once each.
async fn slugs(http: &Http, token: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for page in 1.. {
        let answer = http.get(&format!("/links?fields=slug&pageSize=100&page={page}"), token).await.expect(200).json();
        let data = answer["data"].as_array().unwrap();
        found.extend(data.iter().map(|link| link["slug"].as_str().unwrap().to_owned()));
        if data.len() < 100 {
            break;
        }
    }
    found.sort();
    found.dedup();
    found
}

async fn clicks(http: &Http, token: &str, link: &Json) -> i64 {
    let path = format!("/links/{}", link["id"].as_str().unwrap());
    http.get(&path, token).await.expect(200).json()["clickCount"].as_i64().unwrap()
}

async fn has_clicks(http: &Http, token: &str, link: &Json, number: i64) {
    eventually("the clicks are counted", async || (clicks(http, token, link).await == number).then_some(())).await;
}

async fn follow(http: &Http, slug: &str, times: usize) {
    for _ in 0..times {
        http.follow(slug).await.expect(302);
    }
}

fn names(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_under_load_is_the_database_of_one_moment() {
    let database = TestDatabase::sqlite();
    let service = TestProcess::start(&database, &[]).await;
    let token = service.register("ada").await;
    let key = service.api_key(&token, &["links:read"]).await;
    let link = service.link(&token, "before").await;
    follow(&service, "before", 20).await;
    has_clicks(&service, &token, &link, 20).await;

    let file = database.folder.join("backup.db");
    let is_over = AtomicBool::new(false);
    let created = async |writer: usize| {
        let mut number = 0;
        while !is_over.load(Ordering::Relaxed) {
            service.link(&token, &format!("during-{writer}-{number}")).await;
            follow(&service, "before", 1).await;
            number += 1;
        }
        number
    };
    let copied = async {
        // Some are there by now.
        eventually("links are created", async || (slugs(&service, &token).await.len() > 10).then_some(())).await;
        let before = slugs(&service, &token).await;
        let (code, said) = back_up(&database, &[], &file).await;
        let after = slugs(&service, &token).await;
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(
            (code, said),
            (Some(0), format!("{}: {} bytes\n", file.display(), fs::metadata(&file).unwrap().len()))
        );
        (before, after)
    };
    let ((before, after), first, second) = tokio::join!(copied, created(1), created(2));
    assert_eq!(slugs(&service, &token).await.len(), first + second + 1, "none was refused");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let beside: Vec<PathBuf> = names(&database.folder)
        .into_iter()
        .filter(|path| path.to_string_lossy().contains("backup.db") && *path != file)
        .collect();
    assert!(beside.is_empty(), "{beside:?}");

    let copy = restored(&file);
    assert_eq!(values(&copy, "PRAGMA integrity_check").await, ["ok"]);
    assert!(values(&copy, "SELECT hex(key) FROM visitor_keys").await.is_empty(), "the day's key outlives no day");
    let restored = TestProcess::start(&copy, &[]).await;
    // Its secret is new: users log in again. API keys go on.
    restored.get("/links", &token).await.expect(401);
    restored.get("/api/v1/links", &key).await.expect(200);
    let token = restored.login("ada").await;
    let found = slugs(&restored, &token).await;
    assert!(before.iter().all(|slug| found.contains(slug)), "{before:?} {found:?}");
    assert!(found.iter().all(|slug| after.contains(slug)), "{found:?} {after:?}");
    let counted = clicks(&restored, &token, &link).await;
    assert!(counted >= 20, "{counted}");
    follow(&restored, "before", 3).await;
    has_clicks(&restored, &token, &link, counted + 3).await;
}

/// Clicks that were ingested after the backup are ingested again, once, as far as the log still has their segments.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restored_database_takes_up_the_log_beside_it() {
    let database = TestDatabase::sqlite();
    let mut service = TestProcess::start(&database, &[]).await;
    let token = service.register("ada").await;
    let link = service.link(&token, "spring").await;
    follow(&service, "spring", 5).await;
    has_clicks(&service, &token, &link, 5).await;
    let file = database.folder.join("backup.db");
    assert_eq!(back_up(&database, &[], &file).await.0, Some(0));
    service.link(&token, "later").await;
    follow(&service, "spring", 7).await;
    follow(&service, "later", 2).await;
    has_clicks(&service, &token, &link, 12).await;
    service.terminate();
    assert!(service.exit().await.success());

    let path = |name: &str| database.folder.join(name);
    fs::copy(&file, path("linkgraph.db")).unwrap();
    assert!(!path("linkgraph.db-wal").exists(), "a service that has stopped leaves none");
    let mut service = TestProcess::start(&database, &[]).await;
    // The signing secret is still there.
    has_clicks(&service, &token, &link, 12).await;
    assert_eq!(slugs(&service, &token).await, ["spring"]);
    service.kill();
    let service = TestProcess::start(&database, &[]).await;
    follow(&service, "spring", 1).await;
    has_clicks(&service, &token, &link, 13).await;
}

/// The database knows a place in a log whose segments are gone: new ones come after it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restored_database_does_without_the_segments_that_it_knows() {
    let database = TestDatabase::sqlite();
    let service = TestProcess::start(&database, &[]).await;
    let token = service.register("ada").await;
    let link = service.link(&token, "spring").await;
    follow(&service, "spring", 5).await;
    has_clicks(&service, &token, &link, 5).await;
    let file = database.folder.join("backup.db");
    assert_eq!(back_up(&database, &[], &file).await.0, Some(0));

    let copy = restored(&file);
    fs::create_dir(copy.folder.join("clicks")).unwrap();
    for kept in ["jwt-secret", "clicks/log-id"] {
        fs::copy(database.folder.join(kept), copy.folder.join(kept)).unwrap();
    }
    drop(service);
    let service = TestProcess::start(&copy, &[]).await;
    follow(&service, "spring", 4).await;
    has_clicks(&service, &token, &link, 9).await;
}

#[tokio::test]
async fn what_can_not_be_backed_up_is_told_in_a_line_and_leaves_nothing() {
    let database = TestDatabase::empty_sqlite();
    let target = TestDatabase::empty_sqlite();
    let file = target.folder.join("backup.db");
    let postgres = ("DATABASE_URL", "postgres://nobody@127.0.0.1:1/none");
    let (code, said) = back_up(&database, &[postgres], &file).await;
    assert!(code == Some(1) && said.starts_with("linkgraph: DATABASE_URL") && said.contains("pg_dump"), "{said}");
    let (code, said) = back_up(&database, &[], &file).await;
    assert!(code == Some(1) && said.contains("can't open the database"), "{said}");
    assert!(names(&database.folder).is_empty(), "there is no database, and none is made");
    fs::write(database.folder.join("linkgraph.db"), "this is no database, though long enough for a header".repeat(99))
        .unwrap();
    let (code, said) = back_up(&database, &[], &file).await;
    assert!(code == Some(1) && said.contains("not a database"), "{said}");
    let (code, said) = back_up(&database, &[], &target.folder.join("nowhere/backup.db")).await;
    assert!(code == Some(1) && said.contains("nowhere"), "{said}");
    assert!(names(&target.folder).is_empty());
    fs::write(&file, "kept").unwrap();
    let (code, said) = back_up(&database, &[], &file).await;
    assert!(code == Some(1) && said.contains("is there already"), "{said}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "kept");
}
