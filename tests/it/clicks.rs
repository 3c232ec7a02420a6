//! Clicks: durable before the answer, ingested exactly once, and without anybody's address.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use linkgraph::clock::{DAY, MINUTE};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::json;

use crate::{
    on_each_database,
    support::{Http, TestDatabase, eventually, process::TestProcess},
};

/// Follows the slugs on several connections until told to stop, and counts the redirects that arrived.
async fn load(http: &Http, stop: Arc<AtomicBool>, connections: usize) -> u64 {
    let received = Arc::new(AtomicU64::new(0));
    let tasks: Vec<_> = (0..connections)
        .map(|number| {
            let (http, stop, received) = (http.clone(), Arc::clone(&stop), Arc::clone(&received));
            tokio::spawn(async move {
                let url = format!("{}/s{}", http.base, number % 3);
                while !stop.load(Ordering::Relaxed) {
                    match http.client.get(&url).send().await {
                        Ok(answer) if answer.status() == 302 => received.fetch_add(1, Ordering::Relaxed),
                        // The server is gone: what was not received is not counted.
                        Ok(_) | Err(_) => break,
                    };
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    received.load(Ordering::Relaxed)
}

async fn stored(database: &TestDatabase) -> (i64, i64) {
    let connection = database.connect().await;
    let sql = "SELECT (SELECT count(*) FROM clicks), (SELECT CAST(coalesce(sum(click_count), 0) AS bigint) FROM links)";
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    let row = connection.query_one_raw(statement).await.unwrap().unwrap();
    let counts = (row.try_get_by_index(0).unwrap(), row.try_get_by_index(1).unwrap());
    connection.close().await.unwrap();
    counts
}

on_each_database! {
    /// Every 302 that a client received is one click after the restart, and none is two. A 302 on its way when the
    /// process was killed may be a click that nobody received: at most one for each connection and kill.
    async fn kill_9_under_load_loses_and_doubles_nothing(database: TestDatabase) {
        const CONNECTIONS: usize = 8;
        const KILLS: u64 = 5;
        let mut received = 0;
        for round in 0..KILLS {
            let mut process = TestProcess::start(&database, &[]).await;
            if round == 0 {
                let token = process.register("alice").await;
                for number in 0..3 {
                    process.link(&token, &format!("s{number}")).await;
                }
            }
            let stop = Arc::new(AtomicBool::new(false));
            let (http, stopped) = (process.http.clone(), Arc::clone(&stop));
            let loading = tokio::spawn(async move { load(&http, stopped, CONNECTIONS).await });
            // At different points of ingest's rhythm.
            tokio::time::sleep(Duration::from_millis(150 + 70 * round)).await;
            process.kill();
            received += loading.await.unwrap();
        }
        let process = TestProcess::start(&database, &[]).await;
        let mut last = -1;
        let (clicks, counted) = eventually("all clicks are ingested", async || {
            let now = stored(&database).await;
            let settled = now.0 == last && now.0 >= i64::try_from(received).unwrap();
            last = now.0;
            tokio::time::sleep(Duration::from_millis(150)).await;
            settled.then_some(now)
        })
        .await;
        assert!(received > 100, "there was no load: {received}");
        let unseen = clicks - i64::try_from(received).unwrap();
        let in_flight = i64::try_from(CONNECTIONS as u64 * KILLS).unwrap();
        assert!((0..=in_flight).contains(&unseen), "received {received}, stored {clicks}");
        assert_eq!(clicks, counted, "the links' counts are those of their clicks");
        drop(process);
    }

    async fn a_click_is_seen_with_what_is_known_of_it(database: TestDatabase) {
        // Documentation addresses only: 198.51.100.0/24 is CH, 203.0.113.0/24 JP (as registered), 2001:db8:77::/48 DE.
        let countries = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/country.mmdb");
        let settings = [("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1"), ("LINKGRAPH_GEOIP_DB", countries)];
        let server = database.start_with(&settings).await;
        let token = server.register("alice").await;
        let id = server.link(&token, "seen").await["id"].as_str().unwrap().to_owned();
        let visit = |user_agent: &str| {
            server
                .request(reqwest::Method::GET, "/seen?utm_source=news&x=1")
                .header("user-agent", user_agent)
                .header("referer", "https://user@News.example.org:8443/path?secret")
                .header("x-forwarded-for", "203.0.113.77")
                .header("accept-language", "de-CH,de;q=0.9")
        };
        let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
        server.send(visit(firefox)).await.expect(302);
        server.clock.advance(MINUTE);
        server.send(visit("Googlebot/2.1 (+http://www.google.com/bot.html)")).await.expect(302);
        server.send(visit(firefox).header("sec-purpose", "prefetch")).await.expect(302);
        server.send(server.request(reqwest::Method::HEAD, "/seen")).await.expect(302);
        let page = eventually("three clicks", async || {
            let page = server.get(&format!("/analytics/{id}"), &token).await.expect(200).json();
            (page["total"] == 3).then_some(page)
        })
        .await;
        let bots: Vec<_> = page["data"].as_array().unwrap().iter().map(|click| click["isBot"].as_bool().unwrap()).collect();
        assert_eq!(bots, [true, true, false], "newest first; HEAD is not counted");
        let person = &page["data"][2];
        assert_eq!(
            json!([person["browser"], person["os"], person["device"], person["referrerHost"], person["country"]]),
            json!(["Firefox", "Linux", "desktop", "news.example.org", "JP"])
        );
        let people = server.get(&format!("/analytics/{id}?includeBots=false"), &token).await.json();
        assert_eq!((&people["total"], people["data"].as_array().unwrap().len()), (&json!(1), 1));
        let clicked_at = person["clickedAt"].as_str().unwrap();
        let until = server.get(&format!("/analytics/{id}?to={clicked_at}"), &token).await.json();
        assert_eq!(until["total"], 0, "`to` is not included");
        let since = server.get(&format!("/analytics/{id}?from={clicked_at}&limit=2&page=2"), &token).await.json();
        assert_eq!((&since["total"], &since["totalPages"], since["data"].as_array().unwrap().len()), (&json!(3), &json!(2), 1));
        server.stop().await;
    }

    /// Known addresses are searched for in everything that the service keeps.
    async fn no_address_is_kept(database: TestDatabase) {
        let server = database.start_with(&[("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1")]).await;
        let token = server.register("alice").await;
        server.link(&token, "private").await;
        let addresses: Vec<String> = (1..=50).map(|last| format!("198.51.100.{last}")).chain(["2001:db8:77::9".to_owned()]).collect();
        for address in &addresses {
            let visit = server.request(reqwest::Method::GET, "/private").header("x-forwarded-for", address);
            server.send(visit).await.expect(302);
        }
        eventually("the clicks are stored", async || (stored(&database).await.0 == 51).then_some(())).await;
        let metrics = server.get("/metrics", "").await.text;
        server.stop().await;
        let connection = database.connect().await;
        let backend = connection.get_database_backend();
        let rows = connection.query_all_raw(Statement::from_string(backend, "SELECT * FROM clicks")).await.unwrap();
        let mut kept = metrics + &format!("{rows:?}");
        connection.close().await.unwrap();
        let mut folders = vec![database.folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    kept.push_str(&String::from_utf8_lossy(&std::fs::read(path).unwrap()));
                }
            }
        }
        assert!(kept.len() > 1_000);
        for address in &addresses {
            assert!(!kept.contains(address.as_str()), "{address} was kept");
        }
        let raw = std::net::Ipv6Addr::from_bits(addresses[50].parse::<std::net::Ipv6Addr>().unwrap().to_bits()).octets();
        assert!(!kept.as_bytes().windows(16).any(|window| window == raw), "the address was kept as bytes");
    }

    /// Visitors are told apart within a day, and not beyond it.
    async fn visitors_are_comparable_for_a_day(database: TestDatabase) {
        let server = database.start().await;
        let token = server.register("alice").await;
        server.link(&token, "daily").await;
        server.follow("daily").await.expect(302);
        server.follow("daily").await.expect(302);
        server.clock.advance(DAY);
        server.follow("daily").await.expect(302);
        eventually("three clicks", async || (stored(&database).await.0 == 3).then_some(())).await;
        let connection = database.connect().await;
        let sql = "SELECT count(DISTINCT visitor) FROM clicks";
        let statement = Statement::from_string(connection.get_database_backend(), sql);
        let distinct: i64 = connection.query_one_raw(statement).await.unwrap().unwrap().try_get_by_index(0).unwrap();
        connection.close().await.unwrap();
        assert_eq!(distinct, 2);
        server.stop().await;
    }

    /// SIGTERM: what is under way is answered, what was clicked is stored, and the process ends well.
    async fn sigterm_drains_and_exits_zero(database: TestDatabase) {
        let mut process = TestProcess::start(&database, &[]).await;
        let token = process.register("alice").await;
        for number in 0..3 {
            process.link(&token, &format!("s{number}")).await;
        }
        let stop = Arc::new(AtomicBool::new(false));
        let (http, stopped) = (process.http.clone(), Arc::clone(&stop));
        let loading = tokio::spawn(async move { load(&http, stopped, 4).await });
        tokio::time::sleep(Duration::from_millis(200)).await;
        let started = std::time::Instant::now();
        process.terminate();
        eventually("it is not ready", async || {
            let answer = process.client.get(format!("{}/ready", process.base)).send().await;
            answer.is_err_or_503().then_some(())
        })
        .await;
        let status = process.exit().await;
        assert!(status.success(), "{status}: {}", process.log.lock().unwrap());
        assert!(started.elapsed() < Duration::from_secs(10));
        let received = i64::try_from(loading.await.unwrap()).unwrap();
        // What a busy machine did not ingest before the end is ingested at the next start.
        let _again = TestProcess::start(&database, &[]).await;
        let clicks = eventually("all clicks are stored", async || {
            let (clicks, _) = stored(&database).await;
            (clicks >= received).then_some(clicks)
        })
        .await;
        assert!(received > 0 && clicks <= received + 4, "received {received}, stored {clicks}");
    }
}

trait Refused {
    fn is_err_or_503(&self) -> bool;
}

impl Refused for reqwest::Result<reqwest::Response> {
    fn is_err_or_503(&self) -> bool {
        self.as_ref().map_or(true, |answer| answer.status() == 503)
    }
}
