//! Settings that are wrong, and what the binary says then.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio::net::TcpListener;

use crate::{
    on_each_database,
    support::{
        TestDatabase,
        process::{TestProcess, binary, line},
    },
};

/// The one line of a start that is refused, in which nothing is said twice and no secret at all.
async fn refusal(database: &TestDatabase, settings: &[(&str, &str)], arguments: &[&str]) -> String {
    let (code, said) = line(database, settings, arguments).await;
    assert_eq!(code, Some(1), "{said}");
    ending(&said).1
}

/// The lines of a refused start before the last one, and the last one, in which nothing is said twice. No secret is in any.
fn ending(said: &str) -> (Vec<String>, String) {
    assert!(!said.contains("hunter2") && !said.contains("ada"), "{said}");
    let mut lines: Vec<String> = said.split_inclusive('\n').map(str::to_owned).collect();
    let last = lines.pop().unwrap();
    let mut parts: Vec<&str> = last.trim_end().split(": ").collect();
    parts.sort_unstable();
    assert!(parts.windows(2).all(|pair| pair[0] != pair[1]), "{said}");
    (lines, last)
}

#[tokio::test]
async fn an_unknown_variable_ends_every_command_that_reads_settings() {
    let database = TestDatabase::empty_sqlite();
    let copy = database.folder.join("copy.db").display().to_string();
    let commands: [&[&str]; 5] = [&[], &["serve"], &["migrate"], &["health"], &["backup", &copy]];
    for arguments in commands {
        for (unknown, nearest) in
            [("LINKGRAPH_BASEURL", "LINKGRAPH_BASE_URL"), ("LINKGRAPH_DATABASE_URL", "DATABASE_URL")]
        {
            let said = refusal(&database, &[(unknown, "hunter2")], arguments).await;
            assert_eq!(said, format!("linkgraph: {unknown}: is not a setting: the nearest one is {nearest}\n"));
        }
    }
    assert!(!database.folder.join("linkgraph.db").exists(), "nothing was begun");
    for arguments in [&["schema"][..], &["--help"]] {
        assert!(binary(&database, &[("LINKGRAPH_BASEURL", "x")], arguments).await.status.success(), "{arguments:?}");
    }
}

#[tokio::test]
async fn a_wrong_filter_or_base_url_says_what_to_write() {
    let database = TestDatabase::sqlite();
    for (variable, value, advice) in [
        ("LINKGRAPH_LOG", "loud", "must be off, error, warn, info, debug or trace"),
        ("LINKGRAPH_LOG", "info,linkgraph=loud", "info,linkgraph=debug"),
        ("LINKGRAPH_BASE_URL", "go.example.com", "write https://go.example.com\n"),
        ("LINKGRAPH_BASE_URL", "localhost:8080", "write http://localhost:8080\n"),
        ("LINKGRAPH_BASE_URL", "https://go.example.com/x", "must look like https://go.example.com"),
    ] {
        let said = refusal(&database, &[(variable, value)], &[]).await;
        assert!(said.starts_with(&format!("linkgraph: {variable}: ")) && said.contains(advice), "{value}: {said}");
    }
}

#[tokio::test]
async fn a_database_that_does_not_answer_is_named_without_credentials() {
    let database = TestDatabase::sqlite();
    // It takes connections, and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silent = format!("127.0.0.1:{}/links", silent.local_addr().unwrap().port());
    let folder = database.folder.display().to_string();
    // A label is too long to be asked for: no server of the network hears of it.
    let nowhere = format!("{}.invalid", "n".repeat(64));
    let cases = [
        ("postgres://ada:hunter2@127.0.0.1:1/links", "127.0.0.1:1/links", "refused"),
        (&format!("postgres://ada:hunter2@{nowhere}/links"), &format!("{nowhere}:5432/links"), "lookup"),
        (&format!("postgres://ada:hunter2@{silent}"), &silent, "no answer"),
        ("postgres://ada:hunter2@127.0.0.1:port/links", "must be a URL", "port"),
        (&format!("sqlite://{folder}/none/x.db"), &format!("{folder}/none/x.db"), "open"),
    ];
    let (began, database) = (Instant::now(), &database);
    let refused = cases.map(async |(url, named, why)| {
        let output = binary(database, &[("DATABASE_URL", url)], &["migrate"]).await;
        let (waits, said) = ending(&String::from_utf8([output.stdout, output.stderr].concat()).unwrap());
        assert!(waits.iter().all(|line| line.contains(" WARN ") && line.contains(named)), "{url}: {waits:?}");
        assert!(said.starts_with("linkgraph: DATABASE_URL: ") && said.contains(named), "{url}: {said}");
        assert!(output.status.code() == Some(1) && said.contains(why), "{url}: {said}");
    });
    join_all(refused).await;
    assert!(began.elapsed() < Duration::from_secs(20));
}

/// A file or a collector of logs shows codes of colours as they are; and what a start finds made is no news.
#[on_each_database]
async fn the_log_has_no_colours_and_no_notices(database: TestDatabase) {
    for _ in 0..2 {
        let mut process = TestProcess::start(&database, &[]).await;
        process.register(if database.folder.join("again").exists() { "bob" } else { "alice" }).await;
        std::fs::write(database.folder.join("again"), "").unwrap();
        process.terminate();
        assert!(process.exit().await.success());
        let log = process.log.lock().unwrap().clone();
        assert!(log.contains("linkgraph is ready") && !log.contains('\u{1b}'), "{log:?}");
        assert!(!log.contains("already exists") && !log.contains("skipping"), "{log}");
    }
}
