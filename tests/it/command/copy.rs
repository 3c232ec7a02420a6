//! `linkgraph copy`: a service goes from SQLite to PostgreSQL, and its callers don't notice.

use std::{collections::BTreeMap, fs};

use linkgraph::{
    base::clock::{Clock, DAY, rfc3339},
    clicks::click::Click,
};
use sea_orm::ConnectionTrait;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::support::{
    Http, TestDatabase, TestServer,
    answers::{Reader, assert_same},
    browser::Browser,
    catalogue::{self, Ids},
    dns::{RecordType::CNAME, TestDns},
    domains::{add, link as link_at, prove, verify},
    eventually,
    idempotency::assert_replayed,
    noon,
    process::binary,
    receiver::{Behaviour, Receiver, id},
    sandbox::LOOPBACK,
    stored::record,
};

const READING: [&str; 6] =
    ["links:read", "analytics:read", "domains:read", "subdomain:read", "webhooks:read", "webhooks:manage"];
/// Clicks that are in the log alone when the database is copied.
const NOT_INGESTED: usize = 7;

/// Tables of a SQLite database with their numbers of rows.
async fn counts(database: &TestDatabase) -> BTreeMap<String, i64> {
    let names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' \
                 AND name <> 'seaql_migrations'";
    let mut counts = BTreeMap::new();
    for name in database.texts(names).await.into_iter().filter(|name| !NOT_COPIED.contains(&name.as_str())) {
        let count = database.number(&format!("SELECT count(*) FROM {name}")).await;
        counts.insert(name, count);
    }
    counts
}

/// Tables of indexes of links, which are made anew.
const NOT_COPIED: [&str; 3] = ["link_indexes", "link_blocks", "link_changes"];

/// Makes a row in each table that is empty and refers to no other: those of features that the test does not use.
async fn fill(database: &TestDatabase) {
    let tables = counts(database).await;
    let connection = database.connect().await;
    for (table, _) in tables.into_iter().filter(|(_, rows)| *rows == 0) {
        let columns = format!("SELECT name || ' ' || lower(type) FROM pragma_table_info('{table}')");
        let references = format!("SELECT count(*) FROM pragma_foreign_key_list('{table}')");
        if database.number(&references).await > 0 {
            continue;
        }
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for column in database.texts(&columns).await {
            let (name, kind) = column.split_once(' ').unwrap();
            names.push(format!("\"{name}\""));
            values.push(match kind {
                _ if kind.contains("uuid") => format!("x'{}'", Uuid::now_v7().simple()),
                _ if kind.contains("blob") => "x'00ff'".to_owned(),
                _ if kind.contains("int") || kind.contains("bool") => "1".to_owned(),
                _ => "'made up'".to_owned(),
            });
        }
        let row = format!("INSERT INTO {table} ({}) VALUES ({})", names.join(", "), values.join(", "));
        connection.execute_unprepared(&row).await.unwrap();
    }
    connection.close().await.unwrap();
}

async fn clicks_of(http: &Http, token: &str, link: &Json) -> i64 {
    http.get(&format!("/links/{}", id(link)), token).await.expect(200).json()["clickCount"].as_i64().unwrap()
}

/// Follows a slug, and waits until the clicks are stored.
async fn follow(http: &Http, token: &str, link: &Json, times: usize) {
    let before = clicks_of(http, token, link).await;
    let slug = link["slug"].as_str().unwrap();
    for number in 0..times {
        http.follow(&format!("{slug}?utm_source=mail-{number}")).await.expect(302);
    }
    let after = before + times as i64;
    let stored = async || (clicks_of(http, token, link).await == after).then_some(());
    eventually("the clicks are stored", stored).await;
}

/// Clicks and visitors of today.
async fn today(http: &Http, token: &str, link: &Json, now: i64) -> (i64, i64) {
    let midnight = rfc3339(now - now.rem_euclid(DAY));
    let path = format!("/analytics/{}/summary?from={midnight}", id(link));
    let totals = http.get(&path, token).await.expect(200).json()["totals"].clone();
    (totals["clicks"].as_i64().unwrap(), totals["uniques"].as_i64().unwrap())
}

/// An account with clicks of several months; its token is of now.
async fn months_of_clicks(server: &TestServer, database: &TestDatabase) -> (String, Json) {
    let token = server.register("ada").await;
    let link = server.link(&token, "spring").await;
    let other = server.link(&token, "autumn").await;
    server.register("bob").await;
    for _ in 0..2 {
        let token = server.login("ada").await;
        follow(server, &token, &link, 3).await;
        follow(server, &token, &other, 2).await;
        server.clock.advance(35 * DAY);
    }
    // A node has tomorrow's key of visitors, but not that of such a leap until it looks.
    let keys = format!("SELECT count(*) FROM visitor_keys WHERE day = {}", server.clock.now() / DAY);
    eventually("the day has its key", async || (database.number(&keys).await == 1).then_some(())).await;
    let token = server.login("ada").await;
    follow(server, &token, &link, 2).await;
    (token, link)
}

/// Own hosts of each kind.
async fn hosts(server: &TestServer, token: &str, dns: &TestDns) -> Json {
    for (name, is_kept) in [("go.example.com", true), ("gone.example.com", false)] {
        let domain = add(server, token, name).await;
        prove(dns, name, &[&domain]);
        assert_eq!(verify(server, token, &domain).await["status"], "ACTIVE");
        link_at(server, token, name, "here").await;
        if !is_kept {
            dns.set(CNAME, name, &["elsewhere.example"]);
            assert_eq!(verify(server, token, &domain).await["status"], "FAILING");
        }
    }
    server.post("/subdomain", token, json!({ "subdomain": "ada" })).await.expect(201);
    server.post("/subdomain/activate", token, Json::Null).await.expect(200);
    let settings = json!({ "rootUrl": "https://example.com/root", "ignoresCase": true });
    server.call("PATCH", "/subdomain", token, settings).await.expect(200);
    let other = server.login("bob").await;
    server.post("/subdomain", &other, json!({ "subdomain": "bob" })).await.expect(201);
    server.call("DELETE", "/subdomain", &other, Json::Null).await.expect(204);
    add(server, token, "later.example.com").await
}

/// An import that has ended, with a row that failed, and one that waits for parts.
async fn imports(server: &TestServer, token: &str) -> Json {
    let data = "keyword,url\nimported,https://example.com/\ngraphql,https://example.com/\n";
    let begun = server.post("/imports", token, json!({ "data": data })).await.expect(202).json();
    let path = format!("/imports/{}", id(&begun));
    let ended = eventually("the import ends", async || {
        let import = server.get(&path, token).await.json();
        (import["state"] == "FINISHED").then_some(import)
    })
    .await;
    let open = server.post("/imports", token, json!({})).await.expect(202).json();
    let part = json!({ "number": 1, "data": "keyword,url\n" });
    server.post(&format!("/imports/{}/parts", id(&open)), token, part).await.expect(202);
    ended
}

/// Webhooks, with deliveries that arrived and some that did not.
async fn webhooks(server: &TestServer, token: &str, receiver: &Receiver) -> Json {
    receiver.set("/fails", Behaviour::Body(500, "no\u{1f600}".to_owned()));
    let fails = server.webhook(token, &receiver.url("/fails"), &["link.created"]).await;
    let works = server.webhook(token, &receiver.url("/works"), &["link.created", "link.clicked"]).await;
    let body = json!({ "name": "x", "url": receiver.url("/batches"), "events": ["link.created"], "batch": true });
    let batches = server.post("/webhooks", token, body).await.expect(201).json();
    server.link(token, "winter").await;
    server.delivery_that(token, &batches, "a batch arrives", |delivery| delivery["status"] == "SUCCEEDED").await;
    server.delivery_that(token, &works, "it arrives", |delivery| delivery["status"] == "SUCCEEDED").await;
    server.delivery_that(token, &fails, "it is tried", |delivery| delivery["attemptCount"] != 0).await;
    // Otherwise it would be tried again within seconds.
    let path = format!("/webhooks/{}", id(&fails));
    server.call("PATCH", &path, token, json!({ "isActive": false })).await.expect(200);
    works
}

/// Waits until each event is with the receivers that get it now.
async fn all_delivered(database: &TestDatabase) {
    let waiting = "SELECT (SELECT count(*) FROM outbox_events WHERE NOT fanned_out) + (SELECT count(*) FROM deliveries \
                   JOIN webhooks ON webhooks.id = webhook_id WHERE webhooks.is_active AND completed_at IS NULL)";
    eventually("all is delivered", async || (database.number(waiting).await == 0).then_some(())).await;
    database.settled().await;
}

fn leave_clicks(database: &TestDatabase, link: &Json, number: usize) {
    let link = id(link).parse().unwrap();
    let clicked = |number| Clock::default().now() - 60_000 + number as i64;
    let click = |number| Click {
        clicked_at: clicked(number),
        link,
        visitor: [9; 16],
        country: "CH".into(),
        ..Click::default()
    };
    database.leave_records((0..number).map(|number| record(&click(number))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_answer_is_the_same_on_the_copy() {
    let (dns, receiver) = (TestDns::start().await, Receiver::start().await);
    let server_name = dns.setting();
    let settings = [
        LOOPBACK,
        ("LINKGRAPH_SUBDOMAIN_HOST", "sho.rt"),
        ("LINKGRAPH_DEFAULT_PLAN", "pro"),
        ("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true"),
        ("LINKGRAPH_DNS_SERVER", server_name.as_str()),
    ];
    let sqlite = TestDatabase::sqlite();
    let clock = noon();
    clock.advance(-70 * DAY);
    let server = sqlite.start_at(&settings, clock.clone()).await;
    let (token, link) = months_of_clicks(&server, &sqlite).await;
    let domain = hosts(&server, &token, &dns).await;
    let webhook = webhooks(&server, &token, &receiver).await;
    server.buy(&token, "business", "month").await;
    let key = server.api_key(&token, &READING).await;
    let revoked = server.post("/api-keys", &token, json!({ "name": "old", "scopes": ["links:read"] })).await.json();
    server.call("DELETE", &format!("/api-keys/{}", id(&revoked["apiKey"])), &token, Json::Null).await.expect(204);
    server.post("/auth/forgot-password", "", json!({ "email": "bob@example.com" })).await.expect(200);
    Browser::log_in(&server, "bob", true).await;
    let eve = server.register("eve").await;
    let left = server.link(&eve, "left").await;
    catalogue::user_arguments(&server, &sqlite, "removeIdentity", "eve").await;
    catalogue::user_arguments(&server, &sqlite, "renewRecoveryCodes", "eve").await;
    server.register("fay").await;
    let by_passkey = catalogue::user_arguments(&server, &sqlite, "loginWithPasskey", "fay").await.unwrap();
    server.post("/auth/passkey", "", by_passkey["input"].clone()).await.expect(200);
    server.post("/invitations", &token, json!({ "email": "new@example.com", "role": "MEMBER" })).await.expect(201);
    catalogue::user_arguments(&server, &sqlite, "acceptTransfer", "bob").await;
    let body = json!({ "destinationUrl": "https://example.com/", "slug": "few", "maxClicks": 3, "tags": ["few"], "title": "Few" });
    let limited = server.post_once("/links", &token, "a-key", &body).await.expect(201);
    follow(&server, &eve, &left, 1).await;
    for mutation in ["setLinkRules", "setLinkSplit"] {
        let input = &catalogue::arguments(mutation, "")["input"];
        let path = format!("/links/{}/{}", id(&link), if mutation == "setLinkRules" { "rules" } else { "split" });
        server.call("PUT", &path, &token, input.clone()).await.expect(200);
    }
    let apps = catalogue::arguments("setHostApps", "")["input"].clone();
    let path = format!("/apps/hosts/{}", domain["domain"].as_str().unwrap());
    server.call("PUT", &path, &token, apps).await.expect(200);
    let pages = catalogue::arguments("setHostPages", "")["input"].clone();
    let path = format!("/domains/hosts/{}/pages", domain["domain"].as_str().unwrap());
    server.call("PUT", &path, &token, pages).await.expect(200);
    let import = imports(&server, &token).await;

    let now = server.clock.now();
    let range = [rfc3339(now - 90 * DAY), rfc3339(now + DAY)];
    let ids = [
        ("linkId", id(&link)),
        ("domainId", id(&domain)),
        ("webhookId", id(&webhook)),
        ("importId", id(&import)),
        ("apiKeyId", id(&revoked["apiKey"])),
    ];
    let mut ids = Ids::from(ids.map(|(name, id)| (name, id.to_owned())));
    catalogue::complete(&server, &token, "copied", &mut ids).await;
    let ada = Reader { token: token.clone(), key, ids, range: range.clone() };
    let bob = Reader { token: server.login("bob").await, key: String::new(), ids: Ids::new(), range };
    all_delivered(&sqlite).await;
    let by_key = ada.by_key(&server).await;
    // They are stored within seconds.
    let used = async || sqlite.number("SELECT coalesce(sum(api_calls), 0) FROM daily_usage").await as usize;
    eventually("the key's calls are stored", async || (used().await == by_key.len()).then_some(())).await;
    let (by_token, of_bob) = (ada.by_token(&server).await, bob.by_token(&server).await);
    assert!(by_token.values().any(|answer| answer.contains("FAILING")), "{by_token:#?}");
    let visited = today(&server, &token, &link, now).await;
    server.stop().await;
    leave_clicks(&sqlite, &left, NOT_INGESTED);

    fill(&sqlite).await;
    // As if a batch took more events, for long.
    let open =
        format!("INSERT INTO open_batches SELECT id, webhook_id, event, 1, {} FROM deliveries LIMIT 1", i64::MAX);
    sqlite.connect().await.execute_unprepared(&open).await.unwrap();
    // As if the rows with the greatest numbers had been deleted.
    let last = sqlite.number("SELECT seq FROM sqlite_sequence WHERE name = 'invalidations'").await;
    let given = format!("UPDATE sqlite_sequence SET seq = {} WHERE name = 'invalidations'", last + 5);
    sqlite.connect().await.execute_unprepared(&given).await.unwrap();
    let tables = counts(&sqlite).await;
    let empty: Vec<_> = tables.iter().filter(|(_, rows)| **rows == 0).collect();
    assert!(empty.is_empty(), "the test copies no row of {empty:?}: use the feature above");
    let before = fs::read(sqlite.folder.join("linkgraph.db")).unwrap();

    let node = TestDatabase::empty_postgres().await;
    let output = binary(&sqlite, &[], &["copy", "--to", node.url.as_deref().unwrap()]).await;
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success(), "{said}");
    let rows: i64 = tables.values().sum();
    assert!(said.contains(&format!("{rows} rows of {} tables copied and verified", tables.len())), "{said}");
    assert!(said.contains(&format!("links: {} rows copied", tables["links"])), "{said}");
    assert!(before == fs::read(sqlite.folder.join("linkgraph.db")).unwrap(), "the source is as it was");

    let postgres = TestDatabase::at(sqlite.folder.clone(), node.url.clone());
    let server = postgres.start_at(&settings, clock.clone()).await;
    assert_same(&by_token, &ada.by_token(&server).await);
    assert_same(&of_bob, &bob.by_token(&server).await);
    assert_same(&by_key, &ada.by_key(&server).await);
    let all = 1 + NOT_INGESTED as i64;
    eventually("the rest of the log is ingested", async || {
        (clicks_of(&server, &eve, &left).await == all).then_some(())
    })
    .await;
    follow(&server, &eve, &left, 1).await;
    assert_eq!(clicks_of(&server, &eve, &left).await, all + 1, "each is ingested once");
    follow(&server, &token, &link, 1).await;
    let (clicks, visitors) = today(&server, &token, &link, now).await;
    assert_eq!((clicks, visitors), (visited.0 + 1, visited.1), "today's visitor is known");
    // A number of a row is never given again.
    server.call("PATCH", &format!("/links/{}", id(&link)), &token, json!({ "slug": "other" })).await.expect(200);
    let next = format!("SELECT min(id) FROM invalidations WHERE id > {last}");
    assert_eq!(postgres.number(&next).await, last + 6);
    let again = server.post_once("/links", &token, "a-key", &body).await;
    assert_replayed(&limited, &again);
    // Another node has the secret that signs tokens.
    let other = node.start_at(&settings, clock).await;
    other.get("/me", &token).await.expect(200);
    other.stop().await;
    server.stop().await;
}
