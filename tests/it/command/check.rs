//! `linkgraph check`: what it finds, and that it changes nothing.

use std::{fs, path::Path};

use sea_orm::ConnectionTrait;
use tokio::net::TcpListener;

use crate::{
    on_each_database,
    support::{
        TestDatabase,
        dns::{RecordType, TestDns},
        eventually,
        mail::MailServer,
        process::{TestProcess, binary, command, line},
        redis::TestRedis,
        stripe::{Fault, Stripe},
    },
};

const COUNTRIES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/country.mmdb");

/// Exit code and lines of a check.
struct Checked {
    code: Option<i32>,
    lines: String,
}

impl Checked {
    /// The line of a subject, with its grade.
    #[track_caller]
    fn is(&self, grade: &str, subject: &str, text: &str) {
        let start = format!("{grade:<4} {subject:<14} ");
        let found = self.lines.lines().any(|line| line.starts_with(&start) && line.contains(text));
        assert!(found, "{grade} {subject}: {text}\n{}", self.lines);
    }
}

async fn check(database: &TestDatabase, more: &[(&str, &str)]) -> Checked {
    let output = binary(database, more, &["check"]).await;
    let lines = String::from_utf8(output.stdout).unwrap();
    let failed = lines.lines().filter(|line| line.starts_with("fail ")).count();
    assert_eq!(output.status.code(), Some(i32::from(failed > 0)), "{lines}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.lines().count(), usize::from(failed > 0), "{said}");
    assert!(!lines.contains("hunter2") && !said.contains("hunter2"), "{lines}{said}");
    for line in lines.lines() {
        assert!(["ok   ", "warn ", "fail "].iter().any(|grade| line.starts_with(grade)), "{line}");
    }
    Checked { code: output.status.code(), lines }
}

/// The same for `check --deep`.
async fn check_all(database: &TestDatabase) -> Checked {
    let output = binary(database, &[], &["check", "--deep"]).await;
    Checked { code: output.status.code(), lines: String::from_utf8(output.stdout).unwrap() }
}

/// Paths below a folder with their sizes and times, sorted.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let metadata = entry.metadata().unwrap();
        if metadata.is_dir() {
            found.extend(files(&entry.path()));
        }
        found.push(format!("{} {} {:?}", entry.path().display(), metadata.len(), metadata.modified().unwrap()));
    }
    found.sort_unstable();
    found
}

#[on_each_database]
async fn a_new_one_a_running_one_and_a_stopped_one_are_checked_and_left_alone(database: TestDatabase) {
    let database = database.emptied().await;
    let server = TestDns::start().await;
    let dns = server.setting();
    let (usual, late) =
        ([("LINKGRAPH_DNS_SERVER", &*dns)], [("LINKGRAPH_DNS_SERVER", &*dns), ("LINKGRAPH_AUTO_MIGRATE", "false")]);
    let before = files(&database.folder);
    let checked = check(&database, &usual).await;
    checked.is("ok", "database", "no tables yet; the start makes them");
    let countries = checked.lines.lines().find(|line| line.contains(" geoip ")).unwrap();
    assert!(countries.contains("the built-in table: IPtoASN of 20") && !countries.starts_with("fail"), "{countries}");
    checked.is("ok", "click log", "not there yet");
    assert_eq!(files(&database.folder), before);
    check(&database, &late).await.is("fail", "database", "`linkgraph migrate`");

    let mut process = TestProcess::start(&database, &[]).await;
    process.register("alice").await;
    let checked = check(&database, &usual).await;
    checked.is("ok", "database", "up to date");
    checked.is("ok", "database", if database.url.is_some() { "PostgreSQL 1" } else { "SQLite 3." });
    checked.is("ok", "click log", "a service uses it");
    process.register("bob").await;
    process.terminate();
    assert!(process.exit().await.success());

    let before = files(&database.folder);
    let checked = check(&database, &usual).await;
    checked.is("ok", "database", "up to date");
    checked.is("ok", "click log", "no service runs on it");
    assert_eq!(files(&database.folder), before, "nothing is left");

    let connection = database.connect().await;
    let newest = "DELETE FROM seaql_migrations WHERE version = (SELECT max(version) FROM seaql_migrations)";
    connection.execute_unprepared(newest).await.unwrap();
    check(&database, &usual).await.is("warn", "database", "1 migrations behind; the start applies them");
    check(&database, &late).await.is("fail", "database", "1 migrations behind");
    let newer = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m29991231_000001_future', 0)";
    connection.execute_unprepared(newer).await.unwrap();
    check(&database, &usual).await.is("fail", "database", "a newer linkgraph has changed it");
    connection.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_that_works_is_ok() {
    let database = TestDatabase::sqlite();
    let (stripe, redis, sink, dns) =
        (Stripe::start().await, TestRedis::start().await, MailServer::start(0, "").await, TestDns::start().await);
    dns.set(RecordType::A, "sho.rt", &["192.0.2.1"]);
    let smtp = format!("smtp://127.0.0.1:{}", sink.port);
    let (redis_url, dns_server) = (redis.url(), dns.setting());
    let mut settings = stripe.settings();
    settings.extend([
        ("LINKGRAPH_BASE_URL", "https://sho.rt".to_owned()),
        ("LINKGRAPH_SMTP_URL", smtp),
        ("LINKGRAPH_MAIL_FROM", "no-reply@sho.rt".to_owned()),
        ("LINKGRAPH_GEOIP_DB", COUNTRIES.to_owned()),
        ("LINKGRAPH_DNS_SERVER", dns_server),
        ("REDIS_URL", redis_url),
    ]);
    let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    // Redis is given a few milliseconds, which a busy machine does not always have.
    let checked = eventually("Redis answers in time", async || {
        let checked = check(&database, &settings).await;
        checked.lines.contains("ok   redis").then_some(checked)
    })
    .await;
    checked.is("ok", "settings", "https://sho.rt at 127.0.0.1:0");
    checked.is("ok", "redis", "127.0.0.1:");
    checked.is("ok", "dns", "sho.rt is at 192.0.2.1");
    checked.is("ok", "payments", "in test mode; 4 prices");
    checked.is("ok", "sign-in", "by password");
    for (subject, text) in
        [("mail", "takes mail from no-reply@sho.rt"), ("geoip", "Country"), ("data directory", "MiB free")]
    {
        let line = checked.lines.lines().find(|line| line.contains(&format!(" {subject} "))).unwrap();
        assert!(line.contains(text) && !line.starts_with("fail"), "{line}");
    }
    assert_eq!((checked.lines.lines().count(), checked.code), (10, Some(0)), "{}", checked.lines);
    assert!(sink.taken().is_empty() && sink.offered() == 0, "no mail is sent");
    assert!(stripe.asked("POST").is_empty(), "nothing is made at Stripe");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_that_fails_is_said_at_once() {
    let database = TestDatabase::sqlite();
    let stripe = Stripe::start().await;
    stripe.fail("GET /v1/subscriptions", Fault::Status(401, None), 1);
    let file = database.folder.join("a-file");
    fs::write(&file, "no GeoIP database").unwrap();
    let file = file.display().to_string();
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silent = silent.local_addr().unwrap();
    let mut settings = stripe.settings();
    settings.extend([
        ("LINKGRAPH_DATA_DIR", file.clone()),
        ("DATABASE_URL", "postgres://ada:hunter2@127.0.0.1:1/links".to_owned()),
        ("LINKGRAPH_SMTP_URL", "smtp://ada:hunter2@127.0.0.1:1".to_owned()),
        ("LINKGRAPH_MAIL_FROM", "no-reply@sho.rt".to_owned()),
        ("LINKGRAPH_GEOIP_DB", file),
        ("LINKGRAPH_DNS_SERVER", "127.0.0.1:1".to_owned()),
        ("REDIS_URL", format!("redis://ada:hunter2@{silent}/0")),
    ]);
    let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let checked = check(&database, &settings).await;
    for (subject, named) in [
        ("data directory", "a-file: not a directory"),
        ("click log", "LINKGRAPH_DATA_DIR"),
        ("database", "DATABASE_URL: can't connect to 127.0.0.1:1/links: "),
        ("redis", "REDIS_URL: can't connect to 127.0.0.1:"),
        ("mail", "LINKGRAPH_SMTP_URL: 127.0.0.1:1: "),
        ("dns", "LINKGRAPH_DNS_SERVER: 127.0.0.1:1 "),
        ("geoip", "LINKGRAPH_GEOIP_DB: can't read"),
        ("payments", "LINKGRAPH_STRIPE_SECRET_KEY: "),
    ] {
        checked.is("fail", subject, named);
    }
    checked.is("warn", "settings", "without https");
    check(&database, &[("LINKGRAPH_BASEURL", "hunter2")]).await.is("fail", "settings", "LINKGRAPH_BASE_URL");
}

/// The start and the check name the same directory and the same cause.
#[tokio::test]
async fn a_data_directory_that_cannot_be_made_is_named_with_the_cause() {
    let database = TestDatabase::sqlite();
    let file = database.folder.join("a-file");
    fs::write(&file, "").unwrap();
    let below_file = file.join("below").join("data").display().to_string();
    for (folder, above, at_start, checked) in [
        (&*below_file, &*file.display().to_string(), "Not a directory", "not a directory"),
        ("/proc/linkgraph", "/proc", "No such file or directory", "the file system keeps no files"),
    ] {
        let settings = [("LINKGRAPH_DATA_DIR", folder)];
        let (code, said) = line(&database, &settings, &[]).await;
        let named = format!("LINKGRAPH_DATA_DIR: can't create {folder}: ");
        assert!(code == Some(1) && said.starts_with(&format!("linkgraph: {named}{at_start}")), "{said}");
        check(&database, &settings).await.is("fail", "data directory", &format!("{named}{above}: {checked}"));
    }
}

/// The start and the check name the limit, and not what it would make fail first.
#[tokio::test]
async fn too_little_address_space_is_said_to_be_that() {
    let database = TestDatabase::sqlite();
    for (arguments, told) in [("", "linkgraph: "), (" check", "fail address space  ")] {
        let binary = command(&[]);
        let script = format!("ulimit -v 600000; exec {}{arguments}", binary.get_program().to_str().unwrap());
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &script]).env_clear().envs(database.settings(&[]));
        let output = tokio::task::spawn_blocking(move || shell.output().unwrap()).await.unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        let named = format!("{told}the limit of address space (ulimit -v) is 585 MiB: ");
        assert!(said.starts_with(&named) && said.contains(" MiB are needed"), "{said}");
        assert!(output.status.code() == Some(1) && !said.contains("DATABASE_URL"), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_price_that_is_another_is_named() {
    let database = TestDatabase::sqlite();
    let stripe = Stripe::start().await;
    for (name, price, grade, text) in [
        (
            "LINKGRAPH_STRIPE_PRICE_PRO_MONTH",
            "price_unknown",
            "fail",
            "LINKGRAPH_STRIPE_PRICE_PRO_MONTH: price_unknown: ",
        ),
        ("LINKGRAPH_STRIPE_PRICE_PRO_MONTH", "price_by", "fail", "price_by is not paid by the month"),
        ("LINKGRAPH_STRIPE_PRICE_PRO_MONTH", "price_bm", "warn", "price_bm has another amount"),
    ] {
        let mut settings = stripe.settings();
        settings.retain(|(known, value)| *known != name && value != price);
        settings.push((name, price.to_owned()));
        let settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
        check(&database, &settings).await.is(grade, "payments", text);
    }
}

/// Damaged pages of SQLite's file are found, an index that is not its table's by `--deep`, and so are damaged records of the click log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damaged_files_are_found() {
    let database = TestDatabase::sqlite();
    let mut process = TestProcess::start(&database, &[]).await;
    let token = process.register("alice").await;
    process.link(&token, "zebra-of-the-index").await;
    process.terminate();
    assert!(process.exit().await.success());
    database.leave_records((0..100).map(|number| vec![number; 100]));
    let checked = check_all(&database).await;
    checked.is("ok", "database", "whole");
    checked.is("ok", "click log", "100 clicks in it, whole");

    let file = database.folder.join("linkgraph.db");
    let whole = fs::read(&file).unwrap();
    let slug = b"zebra-of-the-index";
    // A leaf of an index begins with 10 (https://sqlite.org/fileformat2.html#b_tree_pages).
    let is_in_index = |at: &usize| whole[*at..].starts_with(slug) && whole[at / 4096 * 4096] == 10;
    let at = (4096..whole.len() - slug.len()).find(is_in_index).unwrap();
    let mut damaged = whole.clone();
    damaged[at] = b'Z';
    fs::write(&file, &damaged).unwrap();
    check(&database, &[]).await.is("ok", "database", "whole");
    check_all(&database).await.is("fail", "database", "damaged: ");

    let half = whole.len() / 2 / 4096 * 4096;
    damaged = whole.clone();
    damaged[half..half + 8192].fill(0xff);
    fs::write(&file, &damaged).unwrap();
    let before = files(&database.folder);
    check(&database, &[]).await.is("fail", "database", "damaged: ");
    assert_eq!(files(&database.folder), before, "nothing is changed");
    fs::write(&file, &whole).unwrap();

    let clicks = database.folder.join("clicks");
    let last = linkgraph::clicks::segment::list(&clicks).unwrap().pop().unwrap();
    let path = linkgraph::clicks::segment::path(&clicks, last);
    let mut bytes = fs::read(&path).unwrap();
    bytes[5_000..5_016].fill(0xff);
    fs::write(&path, &bytes).unwrap();
    let checked = check_all(&database).await;
    checked.is("warn", "click log", "99 clicks in it; 116 bytes are damaged");
    checked.is("warn", "click log", "1 other clicks are lost");
}
