//! `linkgraph restore`, and starts that are refused since files of the data directory don't belong together.

use std::{fs, path::Path};

use sea_orm::ConnectionTrait;
use serde_json::json;

use crate::support::{
    TestDatabase,
    process::{TestProcess, line},
};

/// Names and contents of the files in a folder, but for the lock and what is below.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.metadata().unwrap().is_file());
    let mut found: Vec<_> = files
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .filter(|(name, _)| !name.ends_with("-shm") && !name.ends_with("-turn"))
        .collect();
    found.sort();
    found
}

/// Runs a command that is refused; what it said. No file is changed.
async fn refused(database: &TestDatabase, arguments: &[&str], named: &[&str]) {
    let before = files(&database.folder);
    let (code, said) = line(database, &[("LINKGRAPH_LOG", "off")], arguments).await;
    assert_eq!(code, Some(1), "{said}");
    for part in named {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(before, files(&database.folder), "{said}");
}

/// A service with the link `kept` in a backup and the link `later` in the write-ahead log alone, killed.
async fn left_by_a_kill(backup: &Path) -> (TestDatabase, String) {
    let database = TestDatabase::sqlite();
    let mut process = TestProcess::start(&database, &[]).await;
    let token = process.register("ada").await;
    process.link(&token, "kept").await;
    let (code, said) = line(&database, &[], &["backup", backup.to_str().unwrap()]).await;
    assert_eq!(code, Some(0), "{said}");
    process.link(&token, "later").await;
    process.kill();
    (database, token)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_that_is_copied_over_the_database_is_refused_and_restored_well() {
    let target = TestDatabase::empty_sqlite();
    let backup = target.folder.join("backup.db");
    let (database, token) = left_by_a_kill(&backup).await;
    let file = database.folder.join("linkgraph.db");
    // As it is, it goes on.
    let mut process = TestProcess::start(&database, &[]).await;
    process.follow("later").await.expect(302);
    process.link(&token, "latest").await;
    process.kill();

    fs::copy(&backup, &file).unwrap();
    let cause = ["DATABASE_URL", "linkgraph.db is another database", "linkgraph restore"];
    refused(&database, &[], &cause).await;
    refused(&database, &["migrate"], &cause).await;
    refused(&database, &["accounts", "list"], &cause).await;

    let (code, said) = line(&database, &[], &["restore", backup.to_str().unwrap()]).await;
    assert!(code == Some(0) && said.contains("restored") && said.contains("linkgraph.db-before-20"), "{said}");
    let names: Vec<String> = files(&database.folder).into_iter().map(|(name, _)| name).collect();
    for kept in ["Z", "Z-wal", "Z-mark"] {
        assert!(names.iter().any(|name| name.contains("-before-") && name.ends_with(kept)), "{kept}: {names:?}");
    }
    let process = TestProcess::start(&database, &[]).await;
    process.get("/ready", "").await.expect(200);
    process.follow("kept").await.expect(302);
    process.follow("later").await.expect(404);
    process.link(&token, "new").await;
    refused_while_running(&database, &backup).await;
    drop(process);
    let process = TestProcess::start(&database, &[]).await;
    process.follow("new").await.expect(302);
}

async fn refused_while_running(database: &TestDatabase, backup: &Path) {
    let (code, said) = line(database, &[], &["restore", backup.to_str().unwrap()]).await;
    assert!(code == Some(1) && said.contains("stop linkgraph"), "{said}");
}

/// What was kept aside can be restored in turn, with what only its log has.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_can_be_undone() {
    let target = TestDatabase::empty_sqlite();
    let backup = target.folder.join("backup.db");
    let (database, _) = left_by_a_kill(&backup).await;
    let (code, said) = line(&database, &[], &["restore", backup.to_str().unwrap()]).await;
    assert_eq!(code, Some(0), "{said}");
    let is_kept = |name: &str| name.contains("-before-") && name.ends_with('Z');
    let kept = files(&database.folder).into_iter().map(|(name, _)| name).find(|name| is_kept(name)).unwrap();
    let kept = database.folder.join(kept).display().to_string();
    let (code, said) = line(&database, &[], &["restore", &kept]).await;
    assert_eq!(code, Some(0), "{said}");
    let process = TestProcess::start(&database, &[]).await;
    process.follow("later").await.expect(302);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_whole_backup_is_not_restored() {
    let target = TestDatabase::empty_sqlite();
    let backup = target.folder.join("backup.db");
    let (database, _) = left_by_a_kill(&backup).await;
    let path = |name: &str| target.folder.join(name).display().to_string();
    refused(&database, &["restore", &path("nowhere")], &["there is no such file"]).await;
    let own = database.folder.join("linkgraph.db").display().to_string();
    refused(&database, &["restore", &own], &["is the database itself"]).await;
    fs::write(path("text"), "this is no database, though long enough for a header".repeat(99)).unwrap();
    refused(&database, &["restore", &path("text")], &["can't be restored", "not a database"]).await;
    let mut bytes = fs::read(&backup).unwrap();
    let half = bytes.len() / 2;
    bytes[half..half + 20_000].fill(0xff);
    fs::write(path("damaged"), bytes).unwrap();
    refused(&database, &["restore", &path("damaged")], &["can't be restored"]).await;
    fs::write(path("empty"), "").unwrap();
    refused(&database, &["restore", &path("empty")], &["is no database of linkgraph"]).await;
    let newer = TestDatabase::at(target.folder.join("newer"), None);
    fs::create_dir(&newer.folder).unwrap();
    fs::copy(&backup, newer.folder.join("linkgraph.db")).unwrap();
    let connection = newer.connect().await;
    let later = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m29991231_000001_future', 0)";
    connection.execute_unprepared(later).await.unwrap();
    connection.close().await.unwrap();
    refused(&database, &["restore", &path("newer/linkgraph.db")], &["newer linkgraph"]).await;
    let process = TestProcess::start(&database, &[]).await;
    process.follow("later").await.expect(302);
}

/// An empty file where a service has been is no new service: its links would lead nowhere.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_empty_database_beside_the_log_and_the_secret_is_refused() {
    let target = TestDatabase::empty_sqlite();
    let backup = target.folder.join("backup.db");
    let (database, _) = left_by_a_kill(&backup).await;
    let mut process = TestProcess::start(&database, &[]).await;
    process.terminate();
    assert!(process.exit().await.success());
    let file = database.folder.join("linkgraph.db");
    for mark in [true, false] {
        if !mark {
            // As an older version left it.
            fs::remove_file(database.folder.join("linkgraph.db-mark")).unwrap();
        }
        fs::write(&file, "").unwrap();
        refused(&database, &[], &["DATABASE_URL", "empty", "linkgraph restore"]).await;
    }
    let (code, said) = line(&database, &[], &["restore", backup.to_str().unwrap()]).await;
    assert_eq!(code, Some(0), "{said}");
    let process = TestProcess::start(&database, &[]).await;
    process.follow("kept").await.expect(302);
}

/// A service whose database is damaged changes nothing in it, since a backup is to replace it; links in memory go on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_database_takes_no_changes() {
    let database = TestDatabase::sqlite();
    let mut process = TestProcess::start(&database, &[]).await;
    let token = process.register("ada").await;
    process.link(&token, "kept").await;
    process.terminate();
    assert!(process.exit().await.success());
    // A table that nothing here reads has a page whose cells lie outside of it.
    let root = database.number("SELECT rootpage FROM sqlite_schema WHERE name = 'operator_actions'").await;
    let file = database.folder.join("linkgraph.db");
    let mut bytes = fs::read(&file).unwrap();
    let page = usize::try_from(root - 1).unwrap() * 4096;
    bytes[page + 3..page + 8].copy_from_slice(&[0x00, 0xff, 0xff, 0xff, 0xff]);
    fs::write(&file, bytes).unwrap();

    let mut process = TestProcess::start(&database, &[]).await;
    let ready = process.get("/ready", "").await.expect(503);
    assert_eq!(ready.json()["error"]["details"]["failed"], json!(["database"]));
    let link = json!({ "destinationUrl": "https://example.com/", "slug": "gone" });
    let answer = process.post("/links", &token, link).await.expect(503);
    assert_eq!(answer.json()["error"]["code"], "UNAVAILABLE");
    let changed = process.call("PATCH", "/me", &token, json!({ "name": "Eve" })).await;
    assert_eq!(changed.status, 503, "{}", changed.text);
    process.follow("kept").await.expect(302);
    process.get("/links", &token).await.expect(200);
    process.kill();
    assert_eq!(database.links().await, 1);
    assert_eq!(database.number("SELECT count(*) FROM users WHERE name = 'Eve'").await, 0);
}
