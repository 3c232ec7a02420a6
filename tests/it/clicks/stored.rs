//! Clicks: durable before the answer, ingested exactly once, and without anybody's address.

use std::{
    collections::{HashMap, HashSet},
    net::{Ipv4Addr, Ipv6Addr},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
    time::Duration,
};

use linkgraph::{
    base::clock::{Clock, DAY, HOUR, MINUTE},
    clicks::click::Click,
};
use sea_orm::EntityTrait;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Http, TestDatabase, eventually, noon,
        process::TestProcess,
        setting,
        stored::{holds, record, stored_click},
    },
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

/// The UTM parameters of a click.
fn utm(click: &Json) -> Json {
    ["utmSource", "utmMedium", "utmCampaign", "utmTerm", "utmContent"]
        .map(|name| click[name].clone())
        .into_iter()
        .collect()
}

/// Every 302 that a client received is one click after the restart, and none is two. A 302 on its way when the
/// process was killed may be a click that nobody received: at most one for each connection and kill.
#[on_each_database]
async fn kill_9_under_load_loses_and_doubles_nothing(database: TestDatabase) {
    const CONNECTIONS: usize = 8;
    let kills = setting("LINKGRAPH_SOAK_CLICK_KILLS", 5);
    let mut received = 0;
    for round in 0..kills {
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
        tokio::time::sleep(Duration::from_millis(150 + 70 * (round % 10))).await;
        process.kill();
        received += loading.await.unwrap();
    }
    let process = TestProcess::start(&database, &[]).await;
    let mut last = -1;
    let (clicks, counted) = eventually("all clicks are ingested", async || {
        let now = database.clicks_and_counts().await;
        let settled = now.0 == last && now.0 >= i64::try_from(received).unwrap();
        last = now.0;
        tokio::time::sleep(Duration::from_millis(150)).await;
        settled.then_some(now)
    })
    .await;
    assert!(received > 100, "there was no load: {received}");
    let unseen = clicks - i64::try_from(received).unwrap();
    let in_flight = i64::try_from(CONNECTIONS as u64 * kills).unwrap();
    assert!((0..=in_flight).contains(&unseen), "received {received}, stored {clicks}");
    assert_eq!(clicks, counted, "the links' counts are those of their clicks");
    println!("{kills} kills: {received} redirects received, {clicks} clicks stored");
    drop(process);
}

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

/// Addresses of MaxMind's own test file, `GeoLite2-City-Test.mmdb`.
#[on_each_database]
async fn regions_and_cities_are_counted_and_chosen(database: TestDatabase) {
    let cities = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/city.mmdb");
    let settings = [("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1"), ("LINKGRAPH_GEOIP_DB", cities)];
    let server = database.start_with(&settings).await;
    let token = server.register("alice").await;
    server.link(&token, "seen").await;
    for client in ["81.2.69.142", "81.2.69.160", "89.160.20.112", "198.51.100.1"] {
        let visit = server.request(reqwest::Method::GET, "/seen").header("x-forwarded-for", client);
        server.send(visit.header("user-agent", FIREFOX)).await.expect(302);
    }
    let summary = eventually("four clicks", async || {
        let summary = server.get("/analytics/summary", &token).await.expect(200).json();
        (summary["totals"]["clicks"] == 4).then_some(summary)
    })
    .await;
    let top = |values: &[(&str, i32)]| {
        let values: Vec<_> = values.iter().map(|(value, clicks)| json!({ "value": value, "clicks": clicks })).collect();
        json!({ "values": values, "unknown": 1, "other": 0, "error": 0 })
    };
    assert_eq!(summary["top"]["regions"], top(&[("GB-ENG", 2), ("SE-E", 1)]));
    assert_eq!(summary["top"]["cities"], top(&[("GB:London", 2), ("SE:Linköping", 1)]));
    for (filter, clicks) in [
        ("CITY:IS:GB:London", 2),
        ("CITY:CONTAINS:london", 2),
        ("REGION:IS_NOT:SE-E", 3),
        ("CITY:IS:", 1),
        ("REGION:IS:GB-ENG,SE-E", 3),
    ] {
        let summary = server.get(&format!("/analytics/summary?filter={filter}"), &token).await.expect(200).json();
        assert_eq!(summary["totals"]["clicks"], clicks, "{filter}");
    }
    let page = server.get("/analytics/breakdown?dimension=CITY", &token).await.expect(200).json();
    let values: Vec<_> =
        page["data"].as_array().unwrap().iter().map(|it| (it["value"].clone(), it["clicks"].clone())).collect();
    assert_eq!(json!(values), json!([["GB:London", 2], [null, 1], ["SE:Linköping", 1]]));
}

#[on_each_database]
async fn a_click_is_seen_with_what_is_known_of_it(database: TestDatabase) {
    // Documentation addresses only: 198.51.100.0/24 is CH, 203.0.113.0/24 JP (as registered), 2001:db8:77::/48 DE.
    let countries = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/country.mmdb");
    let settings = [("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1"), ("LINKGRAPH_GEOIP_DB", countries)];
    let server = database.start_with(&settings).await;
    let token = server.register("alice").await;
    let id = server.link(&token, "seen").await["id"].as_str().unwrap().to_owned();
    let visit = |user_agent: &str| {
        server
            .request(reqwest::Method::GET, "/seen?utm_source=news&x=1&utm_content=%C3%BC+1&utm_campaign=")
            .header("user-agent", user_agent)
            .header("referer", "https://user@News.example.org:8443/path?secret")
            .header("x-forwarded-for", "203.0.113.77")
            .header("accept-language", "de-CH,de;q=0.9")
    };
    server.send(visit(FIREFOX)).await.expect(302);
    server.clock.advance(MINUTE);
    server.send(visit("Googlebot/2.1 (+http://www.google.com/bot.html)")).await.expect(302);
    server.send(visit(FIREFOX).header("sec-purpose", "prefetch")).await.expect(302);
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
        json!([
            person["browser"],
            person["os"],
            person["device"],
            person["referrerHost"],
            person["country"],
            person["language"]
        ]),
        json!(["Firefox", "Linux", "desktop", "news.example.org", "JP", "de-ch"])
    );
    assert_eq!(utm(person), json!(["news", null, null, null, "ü 1"]));
    let people = server.get(&format!("/analytics/{id}?includeBots=false"), &token).await.json();
    assert_eq!((&people["total"], people["data"].as_array().unwrap().len()), (&json!(1), 1));
    let clicked_at = person["clickedAt"].as_str().unwrap();
    let until = server.get(&format!("/analytics/{id}?to={clicked_at}"), &token).await.json();
    assert_eq!(until["total"], 0, "`to` is not included");
    let since = server.get(&format!("/analytics/{id}?from={clicked_at}&limit=2&page=2"), &token).await.json();
    assert_eq!(
        (&since["total"], &since["totalPages"], since["data"].as_array().unwrap().len()),
        (&json!(3), &json!(2), 1)
    );
}

/// Clicks that were logged before an update are ingested after it, and stored ones stay.
#[on_each_database]
async fn clicks_of_earlier_versions_are_kept(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let id = server.link(&token, "seen").await["id"].as_str().unwrap().to_owned();
    server.stop().await;
    let (link, now) = (id.parse().unwrap(), Clock::default().now());
    let click =
        Click { clicked_at: now - 2, link, utm_source: "news".into(), language: "de".into(), ..Click::default() };
    let later =
        Click { clicked_at: now - 1, utm_term: "shoes".into(), utm_content: "x".repeat(255).into(), ..click.clone() };
    let of_version = |version: u8, click: &Click<'_>| {
        let mut record = record(click);
        record[0] = version;
        // Neither trigger nor destination.
        record.drain(2..5);
        record
    };
    // Version 1 ends before the lengths of two more texts.
    let mut first = of_version(1, &click);
    first.truncate(first.len() - 4);
    database.leave_records([first, of_version(2, &later)].into_iter());
    database.store_clicks(vec![stored_click(link, now - 3)]).await;
    let server = database.start().await;
    let query = "query($id: ID!) { clicks(linkId: $id) { data { language utmSource utmMedium utmCampaign utmTerm utmContent } } }";
    let shown = eventually("the clicks are ingested", async || {
        let answer = server.graphql(&token, query, json!({ "id": id })).await;
        let clicks = answer["data"]["clicks"]["data"].as_array().unwrap().clone();
        (clicks.len() == 3).then_some(clicks)
    })
    .await;
    let languages: Vec<_> = shown.iter().map(|click| click["language"].as_str()).collect();
    assert_eq!(languages, [Some("de"), Some("de"), None]);
    let nothing = json!([null, null, null, null, null]);
    let all = json!(["news", null, null, "shoes", "x".repeat(255)]);
    assert_eq!(shown.iter().map(utm).collect::<Vec<_>>(), [all, json!(["news", null, null, null, null]), nothing]);
}

/// Without a file the table in the binary is asked; what is no address of the internet has no country.
#[on_each_database]
async fn a_click_has_a_country_without_a_file(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1")]).await;
    let token = server.register("alice").await;
    let id = server.link(&token, "from").await["id"].as_str().unwrap().to_owned();
    let from = ["1.0.0.1", "::ffff:1.0.0.1", "2001:200::1", "10.1.2.3", "2001:db8::1"];
    for address in from {
        let visit = server.request(reqwest::Method::GET, "/from").header("x-forwarded-for", address);
        server.send(visit).await.expect(302);
        server.clock.advance(MINUTE);
    }
    let page = eventually("the clicks", async || {
        let page = server.get(&format!("/analytics/{id}"), &token).await.expect(200).json();
        (page["total"] == from.len()).then_some(page)
    })
    .await;
    let countries: Vec<_> =
        page["data"].as_array().unwrap().iter().rev().map(|click| click["country"].clone()).collect();
    assert_eq!(json!(countries), json!(["US", "US", "JP", null, null]));
}

/// A new file in the place of the old is used; a broken or missing one changes nothing.
#[on_each_database]
async fn a_new_geoip_file_is_read_without_a_restart(database: TestDatabase) {
    let known = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/country.mmdb");
    let file = database.folder.join("country.mmdb");
    std::fs::copy(known, &file).unwrap();
    let server = database.start_with(&[("LINKGRAPH_GEOIP_DB", file.to_str().unwrap())]).await;
    let country = || server.api().app.clicks.geoip.country("203.0.113.77".parse().unwrap());
    let replace = |bytes: &[u8]| {
        let next = database.folder.join("next.mmdb");
        std::fs::write(&next, bytes).unwrap();
        std::fs::rename(next, &file).unwrap();
    };
    assert_eq!(country(), Some(*b"JP"));
    let bytes = std::fs::read(known).unwrap();
    // Japan becomes Peru.
    let mut other = bytes.clone();
    let at = other.windows(3).position(|window| window == b"BJP").unwrap() + 1;
    other[at..at + 2].copy_from_slice(b"PE");
    replace(&other);
    server.clock.advance(MINUTE);
    eventually("the new one is used", async || (country() == Some(*b"PE")).then_some(())).await;
    replace(&bytes[..bytes.len() / 2]);
    let geoip = &server.api().app.clicks.geoip;
    geoip.reload().unwrap_err();
    assert!(!geoip.reload().unwrap(), "it is told once");
    assert_eq!(country(), Some(*b"PE"), "half a file is none");
    std::fs::remove_file(&file).unwrap();
    assert!(!geoip.reload().unwrap());
    assert_eq!(country(), Some(*b"PE"));
    replace(&bytes);
    server.clock.advance(MINUTE);
    eventually("the file is back", async || (country() == Some(*b"JP")).then_some(())).await;
}

/// Known addresses of thousands of clicks are searched for in everything that the service keeps and tells.
#[on_each_database]
async fn no_address_is_kept(database: TestDatabase) {
    let clicks = u32::try_from(setting("LINKGRAPH_SOAK_ADDRESSES", 3_000)).unwrap();
    let settings = [("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1"), ("LINKGRAPH_LOG", "trace")];
    let mut process = TestProcess::start(&database, &settings).await;
    let token = process.register("alice").await;
    process.link(&token, "private").await;
    // Each a network that nothing else here has a number of.
    let v4 = |number: u32| Ipv4Addr::from_bits(0xC633_0000 + number * 5 + 3);
    let v6 = |number: u32| {
        Ipv6Addr::from_bits(
            0x2001_0DB8_7700_0000_0000_0000_0000_0000
                + (u128::from(number) << 64)
                + 0xA7B3_C1D5_E9F2_0417
                + u128::from(number),
        )
    };
    let next = Arc::new(AtomicU32::new(0));
    let visitors: Vec<_> = (0..16)
        .map(|_| {
            let (http, next) = (process.http.clone(), Arc::clone(&next));
            tokio::spawn(async move {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= clicks {
                        return;
                    }
                    let address = if number % 2 == 0 { v4(number).to_string() } else { v6(number).to_string() };
                    let visit = http.request(reqwest::Method::GET, "/private").header("x-forwarded-for", address);
                    http.send(visit).await.expect(302);
                }
            })
        })
        .collect();
    for visitor in visitors {
        visitor.await.unwrap();
    }
    // Clients of the API are visitors too.
    let call = process.request(reqwest::Method::GET, "/links").header("x-forwarded-for", v4(clicks).to_string());
    process.send(call.bearer_auth(&token)).await.expect(200);
    eventually("the clicks are stored", async || {
        (database.clicks_and_counts().await.0 == i64::from(clicks)).then_some(())
    })
    .await;
    let mut kept = process.get("/metrics", "").await.text.into_bytes();
    let alive = database.everything_stored().await;
    assert!(alive.len() > 100 * clicks as usize, "{} bytes", alive.len());
    kept.extend(alive);
    process.terminate();
    assert!(process.exit().await.success());
    kept.extend(database.everything_stored().await);
    let log = process.log.lock().unwrap().clone();
    assert!(log.contains("GET /links 200"), "{log}");
    kept.extend(log.into_bytes());
    let mut searched: Vec<Vec<u8>> = Vec::new();
    for number in 0..=clicks {
        if number % 2 == 0 {
            // Four bytes stand by chance somewhere in megabytes: as bytes, all of one block are searched for below.
            searched.push(v4(number).to_string().into_bytes());
        } else {
            let address = v6(number);
            let mut reversed = address.octets();
            reversed.reverse();
            searched.extend([address.octets().to_vec(), reversed.to_vec(), hex::encode(address.octets()).into_bytes()]);
            searched.push(address.to_string().into_bytes());
        }
    }
    let found = finds_any(&kept, &searched);
    assert_eq!(
        found,
        None,
        "an address was kept: {:?}",
        found.map(|at| String::from_utf8_lossy(&searched[at]).into_owned())
    );
    // By chance, some of the thousands stand somewhere among so many bytes; kept, all of them would.
    let among = |form: fn(Ipv4Addr) -> Vec<u8>| {
        let wanted: HashSet<Vec<u8>> = (0..clicks).step_by(2).map(|number| form(v4(number))).collect();
        let length = wanted.iter().next().unwrap().len();
        let seen: HashSet<&[u8]> = kept.windows(length).filter(|window| wanted.contains(*window)).collect();
        (seen.len(), wanted.len())
    };
    let forms: [fn(Ipv4Addr) -> Vec<u8>; 3] = [
        |address| address.octets().to_vec(),
        |address| address.to_bits().to_le_bytes().to_vec(),
        |address| hex::encode(address.octets()).into_bytes(),
    ];
    for (seen, wanted) in forms.map(among) {
        assert!(seen * 10 < wanted, "{seen} of {wanted} addresses stand there as bytes");
    }
}

/// A key that could not be deleted when its day was over does not stay for another day.
#[on_each_database]
async fn a_visitor_key_is_deleted_as_soon_as_the_database_allows(database: TestDatabase) {
    let server = database.start_at(&[], noon()).await;
    let today = linkgraph::base::clock::day(server.clock.now());
    database.refuse("UPDATE", "visitor_keys", "TRUE").await;
    server.clock.advance(DAY);
    let all = [today, today + 1, today + 2];
    eventually("the new day has its keys", async || (days(&database).await == all).then_some(())).await;
    database.allow("visitor_keys").await;
    // The next try is due within the hour, and the hour ends long before the next midnight, after which any try deletes the key.
    let due = server.clock.now() + HOUR;
    eventually("yesterday's key is gone", async || {
        if server.clock.now() < due {
            server.clock.advance(MINUTE);
        }
        (days(&database).await == all[1..]).then_some(())
    })
    .await;
}

/// Visitors are told apart within a day, and not beyond it.
#[on_each_database]
async fn visitors_are_comparable_for_a_day(database: TestDatabase) {
    let server = database.start_at(&[], noon()).await;
    let token = server.register("alice").await;
    server.link(&token, "daily").await;
    let today = linkgraph::base::clock::day(server.clock.now());
    assert_eq!(days(&database).await, [today, today + 1]);
    let connection = database.connect().await;
    let all = entity::visitor_key::Entity::find().all(&connection).await.unwrap();
    connection.close().await.unwrap();
    let keys: Vec<Vec<u8>> = all.into_iter().filter(|key| key.day == today).map(|key| key.key).collect();
    assert!(keys.len() == 1 && holds(&database.everything_stored().await, &keys[0]));
    server.follow("daily").await.expect(302);
    let clock = server.clock.clone();
    server.stop().await;
    // A restart counts nobody twice.
    let server = database.start_at(&[], clock).await;
    server.follow("daily").await.expect(302);
    server.clock.advance(DAY);
    server.follow("daily").await.expect(302);
    // Clicks of the new day before and after its keys are renewed are of one visitor.
    eventually("yesterday's key is gone", async || (days(&database).await == [today + 1, today + 2]).then_some(()))
        .await;
    // A moment later, when SQLite's log is cut off.
    eventually("its bytes are too", async || (!holds(&database.everything_stored().await, &keys[0])).then_some(()))
        .await;
    server.follow("daily").await.expect(302);
    eventually("four clicks", async || (database.clicks_and_counts().await.0 == 4).then_some(())).await;
    assert_eq!(database.different_clicks("visitor").await, 2);
}

/// SIGTERM: what is under way is answered, what was clicked is stored, and the process ends well.
#[on_each_database]
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
    process.terminate();
    eventually("it is not ready", async || {
        let answer = process.client.get(format!("{}/ready", process.base)).send().await;
        answer.is_err_or_503().then_some(())
    })
    .await;
    let status = process.exit().await;
    assert!(status.success(), "{status}: {}", process.log.lock().unwrap());
    let received = i64::try_from(loading.await.unwrap()).unwrap();
    // Clicks that a busy machine did not ingest before it stopped are ingested at the next start.
    let _again = TestProcess::start(&database, &[]).await;
    let clicks = eventually("all clicks are stored", async || {
        let (clicks, _) = database.clicks_and_counts().await;
        (clicks >= received).then_some(clicks)
    })
    .await;
    assert!(received > 0 && clicks <= received + 4, "received {received}, stored {clicks}");
}

/// Days of which there is a key.
async fn days(database: &TestDatabase) -> Vec<i32> {
    let connection = database.connect().await;
    let keys = entity::visitor_key::Entity::find().all(&connection).await.unwrap();
    connection.close().await.unwrap();
    let mut days: Vec<i32> = keys.into_iter().map(|key| key.day).collect();
    days.sort_unstable();
    days
}

/// Which of the texts stands in the bytes, if any: each place is looked at once for all that begin alike.
fn finds_any(bytes: &[u8], searched: &[Vec<u8>]) -> Option<usize> {
    let mut by_start: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (index, text) in searched.iter().enumerate() {
        by_start.entry(&text[..8]).or_default().push(index);
    }
    bytes.windows(8).enumerate().find_map(|(at, start)| {
        let candidates = by_start.get(start)?;
        candidates.iter().copied().find(|index| {
            let text = &searched[*index];
            // `198.51.1.2` does not stand in `198.51.1.23`.
            let after = bytes.get(at + text.len()).copied().unwrap_or_default();
            bytes[at..].starts_with(text) && !(text.is_ascii() && after.is_ascii_hexdigit())
        })
    })
}

trait Refused {
    fn is_err_or_503(&self) -> bool;
}

impl Refused for reqwest::Result<reqwest::Response> {
    fn is_err_or_503(&self) -> bool {
        self.as_ref().map_or(true, |answer| answer.status() == 503)
    }
}
