//! Requests that are answered while the database or the disk is away, and after it is back.

use std::{
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::{
    Answer, TestDatabase,
    admin::Admin,
    answer_time, eventually, process,
    receiver::{Behaviour, Receiver, id},
    setting,
    stripe::{Stripe, plan},
};

fn gives_nothing_away(answer: &Answer) {
    let text = answer.text.to_lowercase();
    for word in ["postgres", "sqlx", "database \"", "it_0", "connection", "not currently accepting", "sql", "panicked"]
    {
        assert!(!text.contains(word), "{word}: {answer:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_its_database_the_service_redirects_and_says_so() {
    let database = TestDatabase::postgres().await;
    let server = database.start().await;
    let token = server.register("alice").await;
    let key = server.api_key(&token, &["links:read", "links:write"]).await;
    let id = server.link(&token, "cached").await["id"].as_str().unwrap().to_owned();
    let changed = server.link(&token, "not-cached").await;
    // A new link is in memory; a changed one is looked up.
    let path = format!("/links/{}", changed["id"].as_str().unwrap());
    server.call("PATCH", &path, &token, json!({ "isActive": true })).await.expect(200);
    server.follow("cached").await.expect(302);
    let admin = Admin::of(&database).await;
    admin.allow_connections(false).await;

    for round in 0..3 {
        let body = json!({ "destinationUrl": "https://example.com/" });
        let answers = [
            server.get("/links", &token).await,
            server.get("/api/v1/links", &key).await,
            server.post("/links", &token, body).await,
            server.get("/me", &token).await,
            server.get("/ready", "").await,
        ];
        for answer in answers {
            let answer = answer.expect(503);
            assert_eq!(answer.code(), "UNAVAILABLE");
            assert!(answer.header("retry-after").parse::<u64>().unwrap() >= 1, "{answer:?}");
            if answer.json()["error"]["details"].is_null() {
                gives_nothing_away(&answer);
            } else {
                assert_eq!(answer.json()["error"]["details"], json!({ "failed": ["database"] }));
            }
        }
        let graphql = server.graphql(&token, "{ links { total } }", json!({})).await;
        assert_eq!(graphql["errors"][0]["extensions"]["code"], "UNAVAILABLE", "{graphql}");
        assert_eq!(
            server.follow("cached").await.expect(302).header("location"),
            "https://example.com/cached",
            "{round}"
        );
        let missed = server.follow("not-cached").await.expect(503);
        assert_eq!(missed.header("content-type"), "text/html; charset=utf-8");
        assert!(!missed.header("retry-after").is_empty());
        gives_nothing_away(&missed);
        server.get("/health", "").await.expect(200);
    }

    admin.allow_connections(true).await;
    eventually("the clicks are ingested", async || {
        let answer = server.get(&format!("/links/{id}"), &token).await;
        (answer.status == 200 && answer.json()["clickCount"] == 4).then_some(())
    })
    .await;
    server.get("/ready", "").await.expect(200);
    server.follow("not-cached").await.expect(302);
    server.link(&token, "after").await;
    server.stop().await;
}

/// Idle connections that PostgreSQL has ended, as a restart does, fail no read and no transaction that begins.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ended_connections_cost_no_request() {
    let database = TestDatabase::postgres().await;
    let server = database.start().await;
    let token = server.register("ada").await;
    let admin = Admin::of(&database).await;
    for round in 0..3 {
        // Several connections are idle now.
        let lists = (0..16).map(|_| server.get("/links", &token));
        join_all(lists).await.into_iter().for_each(|list| drop(list.expect(200)));
        admin.end_connections().await;
        let slug = format!("link-{round}");
        let link = server.link(&token, &slug).await;
        admin.end_connections().await;
        server.get("/links", &token).await.expect(200);
        // A changed link is evicted: the redirect below looks it up.
        let change = json!({ "destinationUrl": "https://example.com/changed" });
        server.call("PATCH", &format!("/links/{}", id(&link)), &token, change).await.expect(200);
        admin.end_connections().await;
        server.follow(&slug).await.expect(302);
    }
    assert_eq!(database.links().await, 3);
    server.stop().await;
}

/// Every redirect of a cached link that was answered meanwhile is a click afterwards.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn under_load_an_outage_of_the_database_costs_no_click() {
    let outage = Duration::from_secs(setting("LINKGRAPH_SOAK_OUTAGE", 6));
    let database = TestDatabase::postgres().await;
    let service = process::TestProcess::start(&database, &[]).await;
    let token = service.register("alice").await;
    service.link(&token, "busy").await;
    service.follow("busy").await.expect(302);
    let (stop, admin) = (CancellationToken::new(), Admin::of(&database).await);
    let visitors: Vec<_> = (0..4)
        .map(|_| {
            let (http, stop) = (service.http.clone(), stop.clone());
            tokio::spawn(async move {
                let mut received = 0_i64;
                while !stop.is_cancelled() {
                    http.follow("busy").await.expect(302);
                    received += 1;
                }
                received
            })
        })
        .collect();
    let stored = async || database.clicks().await;
    eventually("the load is on", async || (stored().await > 100).then_some(())).await;
    admin.allow_connections(false).await;
    tokio::time::sleep(outage).await;
    admin.allow_connections(true).await;
    let (back, before) = (Instant::now(), stored().await);
    eventually("clicks are stored again", async || (stored().await > before).then_some(())).await;
    stop.cancel();
    let mut received = 1;
    for visitor in visitors {
        received += visitor.await.unwrap();
    }
    let mut now = stored().await;
    while now < received {
        // However long it takes: it goes on.
        now = eventually("more are stored", async || Some(stored().await).filter(|more| *more > now)).await;
    }
    println!("{outage:?} without a database: {received} redirects, all stored {:?} after it", back.elapsed());
    assert_eq!(now, received);
    eventually("the log is drained", async || {
        let metrics = service.get("/metrics", "").await.expect(200).text;
        metrics.lines().any(|line| line == "linkgraph_click_log_lag_bytes 0").then_some(())
    })
    .await;
    assert_eq!(stored().await, received);
}

/// Without a database the account of an uncached host is unknown: the API is served, and links are unavailable.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_its_database_hosts_that_are_not_known_have_the_api_alone() {
    let database = TestDatabase::postgres().await;
    let server = database.start().await;
    let token = server.register("ada").await;
    server.post("/subdomain", &token, json!({ "subdomain": "ada" })).await.expect(201);
    server.post("/subdomain/activate", &token, json!(null)).await.expect(200);
    let link = json!({ "destinationUrl": "https://example.com/", "slug": "known", "domain": "ada.sho.rt" });
    server.post("/links", &token, link).await.expect(201);
    server.at_host("ada.sho.rt", "/known").await.expect(302);
    let admin = Admin::of(&database).await;
    admin.allow_connections(false).await;
    server.at_host("ada.sho.rt", "/known").await.expect(302);
    server.at_host("ada.sho.rt", "/health").await.expect(503);
    for host in ["192.0.2.1:8080", "bob.sho.rt", "go.example.com"] {
        server.at_host(host, "/graphql").await.expect(400);
        server.at_host(host, "/health").await.expect(200);
    }
    server.at_host("bob.sho.rt", "/known").await.expect(503);
    assert_eq!(server.get("/internal/tls/ask?domain=bob.sho.rt", "").await.expect(503).code(), "UNAVAILABLE");
    server.get("/internal/tls/ask?domain=ada.sho.rt", "").await.expect(200);
    admin.allow_connections(true).await;
    eventually("the host is known again", async || {
        (server.at_host("bob.sho.rt", "/known").await.status == 404).then_some(())
    })
    .await;
    server.stop().await;
}

/// One call in an outage is answered in less than 5 seconds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_its_database_each_answer_comes_soon() {
    let database = TestDatabase::postgres().await;
    let server = database.start().await;
    let token = server.register("alice").await;
    let admin = Admin::of(&database).await;
    admin.allow_connections(false).await;
    let calls: Vec<_> = (0..40)
        .map(|_| {
            let (http, token) = (server.http.clone(), token.clone());
            tokio::spawn(async move {
                let started = Instant::now();
                http.get("/links", &token).await.expect(503);
                started.elapsed()
            })
        })
        .collect();
    for call in calls {
        let took = call.await.unwrap();
        assert!(took < answer_time(), "{took:?}");
    }
    admin.allow_connections(true).await;
    eventually("it works again", async || (server.get("/links", &token).await.status == 200).then_some(())).await;
    server.stop().await;
}

/// A delivery that is sent while the database is unavailable is recorded when it is back, and not sent again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_delivery_outlasts_an_outage_of_the_database() {
    let database = TestDatabase::postgres().await;
    let server = database.start_with(&[("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true")]).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    receiver.set("/", Behaviour::Slow(Duration::from_millis(700)));
    let webhook = server.webhook(&token, &receiver.url("/"), &["link.created", "link.clicked"]).await;
    server.link(&token, "one").await;
    server.follow("one").await.expect(302);
    receiver.wait("/", 1).await;
    let admin = Admin::of(&database).await;
    admin.allow_connections(false).await;
    // A click during the outage, whose event is sent after it.
    server.follow("one").await.expect(302);
    eventually("the exchange is over and more", async || {
        let received = receiver.arrived("/");
        (received[0].at.elapsed() > Duration::from_secs(3)).then_some(())
    })
    .await;
    admin.allow_connections(true).await;
    eventually("all is noted", async || {
        let answer = server.get(&format!("/webhooks/{}/deliveries?status=SUCCEEDED", id(&webhook)), &token).await;
        (answer.status == 200 && answer.json()["total"] == 3).then_some(())
    })
    .await;
    assert_eq!(receiver.arrived("/").len(), 3);
    server.link(&token, "two").await;
    receiver.wait("/", 4).await;
    server.stop().await;
}

/// An event that can't be noted is not taken: the payment provider sends it again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payment_outlasts_an_outage_of_the_database() {
    let database = TestDatabase::postgres().await;
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let events = stripe.buy(&server, &token, "pro", "month").await;
    let admin = Admin::of(&database).await;
    admin.allow_connections(false).await;
    let answer = stripe.deliver(&server, &events[0]).await.expect(503);
    assert_eq!(answer.code(), "UNAVAILABLE");
    gives_nothing_away(&answer);
    admin.allow_connections(true).await;
    eventually("the database is back", async || (server.get("/ready", "").await.status == 200).then_some(())).await;
    // It goes away while the provider is looked at: what was seen is not stored, and the event is not noted.
    // Less than the service waits for one answer.
    stripe.slow(2_000, 2_000);
    let asked = stripe.asked("GET").len();
    let away = async {
        eventually("the look has begun", async || (stripe.asked("GET").len() >= asked + 2).then_some(())).await;
        admin.allow_connections(false).await;
    };
    let (answer, ()) = tokio::join!(stripe.deliver(&server, &events[0]), away);
    answer.expect(503);
    admin.allow_connections(true).await;
    stripe.slow(0, 0);
    eventually("the database is back", async || (server.get("/ready", "").await.status == 200).then_some(())).await;
    assert_eq!(database.number("SELECT count(*) FROM provider_events").await, 0);
    assert_eq!(plan(&server, &token).await, "free");
    stripe.send(&server, events).await;
    assert_eq!(plan(&server, &token).await, "pro");
    server.stop().await;
}

/// A disk that takes no more clicks keeps nobody from being redirected, and what is lost is counted.
///
/// The disk is full by `ulimit -f`: no file of the process grows beyond it, until its limit is lifted. The database is
/// elsewhere.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_full_disk_redirects_go_on_and_lost_clicks_are_counted() {
    let database = TestDatabase::postgres().await;
    let settings = database.settings(&[]);
    let server = database.start().await;
    let token = server.register("alice").await;
    server.link(&token, "full").await;
    server.stop().await;

    let binary = process::command(&settings);
    // Ignored in the shell, SIGXFSZ stays ignored in what it becomes: writing fails with EFBIG.
    let script = format!("trap '' XFSZ; ulimit -S -f 8; exec {}", binary.get_program().to_str().unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).env_clear().envs(settings).stdin(Stdio::null());
    let running = process::TestProcess::of(shell).await;
    let metric = async |name: &str| -> f64 { running.metric(name).await.unwrap_or_else(|| panic!("{name}")) };
    for visit in 1..=20 {
        running.follow("full").await.expect(302);
        let ready = running.get("/ready", "").await.expect(503);
        assert_eq!(ready.json()["error"]["details"]["failed"], json!(["clickLog"]));
        assert_eq!(metric("linkgraph_clicks_dropped_total").await, f64::from(visit));
    }
    running.lift_limit(rustix::process::Resource::Fsize);
    let mut visits = 20;
    eventually("it recovers by itself", async || {
        running.follow("full").await.expect(302);
        visits += 1;
        (running.get("/ready", "").await.status == 200).then_some(())
    })
    .await;
    let logged = metric("linkgraph_clicks_logged_total").await;
    assert!(logged >= 1.0);
    assert_eq!(logged + metric("linkgraph_clicks_dropped_total").await, f64::from(visits), "every click is either");
    eventually("what was logged is ingested", async || {
        (metric("linkgraph_clicks_ingested_total").await == logged).then_some(())
    })
    .await;
    let log = running.log.lock().unwrap().clone();
    assert_eq!(log.matches("The click log can't be written").count(), 1, "{log}");
    assert!(log.contains("The click log can't begin a segment") && !log.contains("panicked"), "{log}");
}
