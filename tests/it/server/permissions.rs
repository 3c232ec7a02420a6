//! Files of the service are readable by their owner alone, whatever umask it was started with and whatever was there.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::json;

use crate::{
    on_each_database,
    support::{
        Http, TestDatabase, eventually,
        mail::reset_token,
        process::{TestProcess, command},
    },
};

/// The binary, begun with a umask of its own.
fn with_umask(umask: &str, settings: &[(String, String)], arguments: &[&str]) -> Command {
    let mut started = Command::new("/bin/sh");
    let binary = command(settings).get_program().to_owned();
    started.args(["-c", &format!("umask {umask}; exec \"$0\" \"$@\"")]).arg(binary).args(arguments);
    started.env_clear().envs(settings.iter().cloned());
    started
}

/// A folder with all that is in it, and the mode of each.
fn modes(folder: &Path) -> Vec<(PathBuf, bool, u32)> {
    let mut found = vec![(folder.to_owned(), true, mode(folder))];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // SQLite and the click log take files away by themselves.
        let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
        if metadata.is_dir() {
            found.extend(modes(&path));
        } else {
            found.push((path, false, metadata.permissions().mode() & 0o7777));
        }
    }
    found
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[track_caller]
fn are_the_owners(folder: &Path, names: &[&str]) {
    let found = modes(folder);
    for (path, is_folder, mode) in &found {
        assert_eq!(*mode, if *is_folder { 0o700 } else { 0o600 }, "{:o} {}", mode, path.display());
    }
    let held = |name: &&&str| found.iter().any(|(path, ..)| path.to_str().unwrap().contains(**name));
    let missing: Vec<_> = names.iter().filter(|name| !held(name)).collect();
    assert!(missing.is_empty(), "{missing:?}: {found:?}");
}

/// Makes everything that the service keeps in files.
async fn use_everything(http: &Http, database: &TestDatabase) {
    let token = http.register("alice").await;
    http.link(&token, "spring").await;
    http.follow("spring").await.expect(302);
    http.post("/auth/forgot-password", "", json!({ "email": "alice@example.com" })).await.expect(200);
    reset_token(database, 1).await;
}

#[on_each_database]
async fn everything_is_the_owners_from_its_beginning(database: TestDatabase) {
    let is_sqlite = database.url.is_none();
    let names = if is_sqlite {
        &["linkgraph.db", "-wal", "-shm", "-turn", "-mark", "jwt-secret", "lock", "log-id", ".log", ".eml", "saved"][..]
    } else {
        &["lock", "log-id", ".log", ".eml"]
    };
    for umask in ["000", "077", "0777"] {
        // Made by the service, and so are its parents.
        let folder = database.folder.join(format!("parent{umask}")).join("data");
        let inner = TestDatabase::at(folder.clone(), database.url.clone());
        let settings = inner.settings(&[]);
        let mut process = TestProcess::of(with_umask(umask, &settings, &[])).await;
        if umask == "000" {
            use_everything(&process, &inner).await;
            if is_sqlite {
                let target = folder.join("saved").display().to_string();
                let status = with_umask(umask, &settings, &["backup", &target]).status().unwrap();
                assert!(status.success());
            }
            are_the_owners(&folder, names);
        }
        are_the_owners(folder.parent().unwrap(), &[]);
        process.kill();
    }
}

#[on_each_database]
async fn what_was_open_to_others_is_closed_at_the_start(database: TestDatabase) {
    let server = database.start().await;
    use_everything(&server, &database).await;
    server.stop().await;
    // Files that a crash leaves, and those that older versions kept.
    for name in ["visitor-salt", "jwt-secret.new", "clicks/log-id.new", "mail/x.new"] {
        fs::write(database.folder.join(name), "left").unwrap();
    }
    // Somebody else's, as in a working directory: it is not touched.
    let (program, outside) = (database.folder.join("program"), TestDatabase::sqlite());
    fs::write(outside.folder.join("linked"), "").unwrap();
    std::os::unix::fs::symlink(outside.folder.join("linked"), database.folder.join("mail/link")).unwrap();
    for (path, is_folder, _) in modes(&database.folder) {
        if path.file_name().is_some_and(|name| name != "link") {
            fs::set_permissions(&path, Permissions::from_mode(if is_folder { 0o777 } else { 0o666 })).unwrap();
        }
    }
    fs::write(&program, "").unwrap();
    fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(outside.folder.join("linked"), Permissions::from_mode(0o644)).unwrap();

    let server = database.start().await;
    assert_eq!((mode(&program), mode(&outside.folder.join("linked"))), (0o755, 0o644));
    fs::remove_file(&program).unwrap();
    fs::remove_file(database.folder.join("mail/link")).unwrap();
    eventually("it is ready", async || (server.get("/ready", "").await.status == 200).then_some(())).await;
    are_the_owners(&database.folder, &["lock", "log-id", ".log", ".eml", "x.new"]);
}

/// The folder of a database that is elsewhere belongs to somebody else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_elsewhere_is_closed_and_its_folder_is_not() {
    let (database, elsewhere) = (TestDatabase::sqlite(), TestDatabase::sqlite());
    fs::set_permissions(&elsewhere.folder, Permissions::from_mode(0o755)).unwrap();
    let file = elsewhere.folder.join("other.db");
    let url = format!("sqlite://{}?mode=rwc", file.display());
    let settings = database.settings(&[("DATABASE_URL", &url)]);
    let beside = |suffix: &str| PathBuf::from(format!("{}{suffix}", file.display()));
    for _ in 0..2 {
        let mut process = TestProcess::of(with_umask("000", &settings, &[])).await;
        process.link(&process.login_or_register("alice").await, &uuid::Uuid::now_v7().simple().to_string()).await;
        for suffix in ["", "-wal", "-shm"] {
            assert_eq!(mode(&beside(suffix)), 0o600, "{suffix}");
        }
        assert_eq!(mode(&elsewhere.folder), 0o755);
        are_the_owners(&database.folder, &[]);
        // As a crash leaves it, and an older version has made it.
        process.kill();
        for suffix in ["", "-wal", "-shm"] {
            fs::set_permissions(beside(suffix), Permissions::from_mode(0o644)).unwrap();
        }
    }
}

impl Http {
    async fn login_or_register(&self, name: &str) -> String {
        let body = json!({ "email": format!("{name}@example.com"), "password": format!("{name}'s password") });
        match self.post("/auth/login", "", body).await {
            answer if answer.status == 200 => answer.json()["accessToken"].as_str().unwrap().to_owned(),
            _ => self.register(name).await,
        }
    }
}
