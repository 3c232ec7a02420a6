//! Accounts take turns with their jobs: none keeps those of others waiting.

use std::{
    io::{Read, Write},
    net::TcpListener,
    sync::mpsc,
    time::Duration,
};

use entity::{account, job, user, webhook};
use linkgraph::base::clock::DAY;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseConnection, EntityTrait, PaginatorTrait, QueryFilter,
    QueryOrder,
};
use serde_json::json;
use uuid::Uuid;

use crate::{
    on_each_database,
    support::{TestDatabase, eventually},
};

const MAILS: &str = "webhook_disabled_mail";

/// Enqueues mails to the account's user about its webhook.
async fn enqueue_mails(connection: &DatabaseConnection, account: Uuid, number: usize) {
    let user = user::Entity::find().filter(user::Column::AccountId.eq(account)).one(connection).await.unwrap().unwrap();
    let webhook = webhook::Entity::find().filter(webhook::Column::AccountId.eq(account));
    let webhook = webhook.one(connection).await.unwrap().unwrap();
    let payload = json!({ "webhook": webhook.id, "user": user.id }).to_string();
    let jobs = (0..number).map(|_| job::ActiveModel {
        id: Set(Uuid::now_v7()),
        kind: Set(MAILS.to_owned()),
        payload: Set(payload.clone()),
        account_id: Set(Some(account)),
        run_at: Set(1),
        attempts: Set(0),
        leased_until: Set(None),
        created_at: Set(1),
    });
    job::Entity::insert_many(jobs).exec_without_returning(connection).await.unwrap();
}

/// The account's mails that a worker has at work.
async fn at_work(connection: &DatabaseConnection, account: Uuid) -> u64 {
    let leased = job::Entity::find().filter(job::Column::AccountId.eq(account));
    leased.filter(job::Column::LeasedUntil.is_not_null()).count(connection).await.unwrap()
}

/// Jobs that do not end have half of the places at most, and the others begin at once, behind however many of them.
#[on_each_database]
async fn one_accounts_jobs_leave_places_to_others(database: TestDatabase) {
    // Takes connections, and never says a word.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let smtp = format!("smtp://{}", silent.local_addr().unwrap());
    let server =
        database.start_with(&[("LINKGRAPH_SMTP_URL", &smtp), ("LINKGRAPH_MAIL_FROM", "linkgraph@sho.rt")]).await;
    for name in ["alice", "bob"] {
        let token = server.register(name).await;
        let body = json!({ "name": "CRM", "url": "https://hooks.example.com/", "events": ["link.created"] });
        server.post("/webhooks", &token, body).await.expect(201);
    }
    let connection = database.connect().await;
    connection.execute_unprepared("UPDATE webhooks SET disabled_reason = 'GONE'").await.unwrap();
    let accounts = account::Entity::find().order_by_asc(account::Column::CreatedAt).order_by_asc(account::Column::Id);
    let accounts = accounts.all(&connection).await.unwrap();
    let [alice, bob] = [accounts[0].id, accounts[1].id];
    enqueue_mails(&connection, alice, 300).await;
    eventually("alice's begin", async || (at_work(&connection, alice).await >= 2).then_some(())).await;
    enqueue_mails(&connection, bob, 3).await;
    eventually("bob's begin", async || (at_work(&connection, bob).await == 2).then_some(())).await;
    assert_eq!((at_work(&connection, alice).await, at_work(&connection, bob).await), (2, 2));
    connection.close().await.unwrap();
    drop(silent);
}

/// A stand-in for a service whose API takes each request and answers none until the test ends. The receiver is told of each.
fn silent_api() -> (String, mpsc::Receiver<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (told, asked) = mpsc::channel();
    std::thread::spawn(move || {
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept() {
            held.push(stream);
            if told.send(()).is_err() {
                return;
            }
        }
    });
    (url, asked)
}

/// A stand-in for a service that takes a second for each page of links, and has more than anybody waits for.
fn slow_api() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for page in 0.. {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 8_192]);
            std::thread::sleep(Duration::from_secs(1));
            let link = |number| json!({ "shortCode": format!("p{page}-{number}"), "longUrl": "https://a.example/" });
            let body = json!({ "shortUrls": { "data": (0..100).map(link).collect::<Vec<_>>() } }).to_string();
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            let _ = stream.write_all((head + &body).as_bytes());
        }
    });
    url
}

#[on_each_database]
async fn imports_from_slow_apis_hold_up_no_other_import(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true")]).await;
    let (silent, asked) = silent_api();
    for (name, url, is_dry_run) in
        [("alice", slow_api(), true), ("carol", slow_api(), true), ("dave", slow_api(), false), ("erin", silent, false)]
    {
        let token = server.register(name).await;
        let input = json!({ "source": "SHLINK", "key": "k", "url": url, "isDryRun": is_dry_run });
        server.post("/imports/from-api", &token, input).await.expect(202);
    }
    eventually("the silent API is asked", async || asked.try_recv().ok()).await;
    let dry = "SELECT count(*) FROM imports WHERE is_dry_run AND done > 0";
    eventually("the dry runs have begun", async || (database.number(dry).await == 2).then_some(())).await;
    let token = server.register("bob").await;
    for is_dry_run in [true, false] {
        let file = "keyword,url,title,timestamp,ip,clicks\na,https://a.example/,A,2024-01-31 18:30:00,127.0.0.1,7\n";
        let input = json!({ "data": file, "source": "YOURLS", "isDryRun": is_dry_run });
        let begun = server.post("/imports", &token, input).await.expect(202).json();
        let path = format!("/imports/{}", begun["id"].as_str().unwrap());
        let ended = eventually("bob's import ends", async || {
            let import = server.get(&path, &token).await.expect(200).json();
            (!import["finishedAt"].is_null()).then_some(import)
        })
        .await;
        assert_eq!((&ended["state"], &ended["created"]), (&json!("FINISHED"), &json!(1)), "{ended}");
    }
    assert_eq!(database.number("SELECT count(*) FROM imports WHERE finished_at IS NULL").await, 4);
}

/// Nodes of the version before enqueue jobs without an account, and all imports as one kind.
#[on_each_database]
async fn jobs_of_the_version_before_go_on(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true")]).await;
    let token = server.register("alice").await;
    server.post("/domains", &token, json!({ "domain": "go.example.com" })).await.expect(201);
    let (url, asked) = silent_api();
    let input = json!({ "source": "SHLINK", "key": "k", "url": url, "isDryRun": true });
    server.post("/imports/from-api", &token, input).await.expect(202);
    eventually("the API is asked", async || asked.try_recv().ok()).await;
    server.stop().await;

    let connection = database.connect().await;
    let name = "m20261126_000036_job_accounts";
    let steps = migration::names().rev().position(|migration| migration == name).unwrap() + 1;
    migration::down(&connection, Some(steps)).await.unwrap();
    let kinds = async || database.jobs("run_import").await;
    assert_eq!(kinds().await, 1);
    migration::up(&connection, None).await.unwrap();
    let owned = "SELECT count(*) FROM jobs JOIN accounts ON accounts.id = jobs.account_id";
    assert_eq!(database.number(owned).await, 2);
    connection.close().await.unwrap();

    let clock = linkgraph::base::clock::Clock::default();
    clock.advance(DAY);
    let _server = database.start_at(&[("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true")], clock).await;
    eventually("the API is asked again", async || asked.try_recv().ok()).await;
    let kind = "SELECT count(*) FROM jobs WHERE kind = 'dry_run_import' AND account_id IS NOT NULL";
    assert_eq!((kinds().await, database.number(kind).await), (0, 1));
}
