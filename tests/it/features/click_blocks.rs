//! Clicks that are days old move from rows into blocks: nobody notices, whatever is asked.

use linkgraph::{
    base::clock::{Clock, DAY, HOUR, UnixMillis, rfc3339},
    clicks::click::Click,
};
use rand::{Rng, rngs::StdRng};
use sea_orm::ConnectionTrait;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::{
    features::summaries::{Question, check_all_by, clicks_about, links, random_question, seeded},
    on_each_database,
    support::{
        BROWSER, TestDatabase, TestServer, eventually,
        process::{TestProcess, binary},
        receiver::id,
        stored::record,
    },
};

/// Clicks of blocks and clicks that are rows.
async fn where_they_are(database: &TestDatabase) -> (i64, i64) {
    let in_blocks = database.number("SELECT CAST(coalesce(sum(clicks), 0) AS bigint) FROM click_blocks").await;
    (in_blocks, database.clicks_where("TRUE").await)
}

/// Ingests clicks that a stopped service left in its log.
async fn start_with(database: &TestDatabase, clicks: &[Click<'_>]) -> TestServer {
    let before = database.counted_clicks().await;
    database.leave_records(clicks.iter().map(record));
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "unlimited")]).await;
    let all = before + i64::try_from(clicks.len()).unwrap();
    eventually("all clicks are ingested", async || (database.counted_clicks().await == all).then_some(())).await;
    server
}

/// All that is told of clicks, by what was asked.
async fn told(server: &TestServer, token: &str, links: &[Uuid], now: UnixMillis) -> Vec<(String, String)> {
    let (from, to) = (rfc3339(now - 365 * DAY + 123), rfc3339(now - 11 * DAY - 7 * HOUR - 77));
    let range = format!("from={from}&to={to}");
    let mut paths = vec![
        format!("/analytics/clicks?from={from}&limit=100&page=2"),
        format!("/analytics/clicks?{range}&filter=COUNTRY:IS_NOT:CH,&includeBots=false"),
        format!("/analytics/clicks/export?from={from}"),
        format!("/analytics/clicks/export?{range}&filter=REFERRER:CONTAINS:site-7"),
        format!("/analytics/summary?{range}"),
        format!("/analytics/summary?{range}&filter=BROWSER:IS:Firefox&filter=SOURCE:IS_NOT:mail"),
    ];
    for dimension in ["CITY", "OS", "LANGUAGE", "CHANNEL", "UTM_SOURCE", "UTM_CAMPAIGN", "TRIGGER", "IS_BOT", "LINK"] {
        paths.push(format!("/analytics/breakdown?{range}&dimension={dimension}&pageSize=100"));
    }
    for link in links {
        paths.push(format!("/analytics/{link}/summary?{range}&includeBots=false"));
        for page in ["page=1&limit=100", "page=3&limit=100", "page=12&limit=100", "page=2&limit=7&includeBots=false"] {
            paths.push(format!("/analytics/{link}?{page}"));
            paths.push(format!("/analytics/{link}?{page}&{range}"));
        }
        paths.push(format!("/analytics/{link}/export"));
        paths.push(format!("/analytics/{link}/export?format=jsonl&{range}&includeBots=false"));
    }
    let mut told = Vec::new();
    for path in paths {
        let text = server.get(&path, token).await.expect(200).text;
        told.push((path, text));
    }
    for page in ["limit: 3", "limit: 100, page: 2", "limit: 90, page: 9"] {
        let nested = format!("{{ links {{ data {{ clicks({page}) {{ total data {{ id clickedAt os }} }} }} }} }}");
        told.push((nested.clone(), server.graphql(token, &nested, json!({})).await.to_string()));
    }
    told
}

fn random_clicks(random: &mut StdRng, links: &[Uuid], number: usize, now: UnixMillis) -> Vec<Click<'static>> {
    let centers: Vec<UnixMillis> = (0..5).map(|_| now - random.random_range(12 * DAY..360 * DAY)).collect();
    clicks_about(random, links, number, &centers)
}

#[on_each_database]
async fn answers_are_the_same_as_of_rows(database: TestDatabase) {
    let mut random = seeded();
    let now = Clock::default().now();
    let server = database.start().await;
    let (token, links) = links(&server, 3).await;
    server.stop().await;
    // Two bursts that are days old in any case, and one of the last days.
    let centers = [now - 300 * DAY, now - 40 * DAY, now - 2 * DAY];
    let mut clicks = clicks_about(&mut random, &links, 2_400, &centers);
    clicks.extend(random_clicks(&mut random, &links[..2], 900, now));
    // Visitors of old days are forgotten when a newer one begins.
    clicks.sort_by_key(|click| click.clicked_at);
    let server = start_with(&database, &clicks).await;
    database.keep_clicks("kept").await;
    let before = told(&server, &token, &links, now).await;
    database.compact_clicks().await;
    let (in_blocks, rows) = where_they_are(&database).await;
    assert!(in_blocks > 1_000 && rows > 300, "{in_blocks} and {rows}");
    assert_eq!(in_blocks + rows, 3_300);
    // Old clicks of a link that has few of them wait for more.
    assert_eq!(database.clicks_where(&format!("clicked_at < {}", now - 33 * DAY)).await, 0);
    for (before, after) in before.iter().zip(told(&server, &token, &links, now).await) {
        assert_eq!(*before, after);
    }
    let questions: Vec<Question> = (0..25).map(|_| random_question(&mut random, &links, &clicks, now)).collect();
    check_all_by(&database, "kept", &server, &token, &questions).await;

    // Clicks of the same days that come late are rows beside blocks, and then in blocks that overlap. Roll-ups count their visitors
    // again, answers with a filter don't.
    let filtered: Vec<Question> = questions.into_iter().filter(|question| !question.filter.is_empty()).collect();
    server.stop().await;
    let late = clicks_about(&mut random, &links, 500, &centers);
    let server = start_with(&database, &late).await;
    database.keep_clicks("kept").await;
    let before = told(&server, &token, &links, now).await;
    check_all_by(&database, "kept", &server, &token, &filtered).await;
    database.compact_clicks().await;
    assert!(where_they_are(&database).await.0 > in_blocks);
    for (before, after) in before.iter().zip(told(&server, &token, &links, now).await) {
        assert_eq!(*before, after);
    }
    check_all_by(&database, "kept", &server, &token, &filtered).await;

    // They go with their link, and with the account.
    server.call("DELETE", &format!("/links/{}", links[0]), &token, Json::Null).await.expect(204);
    let of_link = if database.is_postgres() { format!("'{}'", links[0]) } else { format!("x'{}'", links[0].simple()) };
    let left = format!("SELECT count(*) FROM click_blocks WHERE link_id = {of_link}");
    eventually("the link's blocks are gone", async || (database.number(&left).await == 0).then_some(())).await;
    let stored = database.clicks().await;
    assert!(stored > 0 && stored < 3_800, "{stored}");
    server.leave(&token).await.expect(204);
    database.clicks_become(0).await;
    server.stop().await;
}

/// A block that holds clicks of both sides is written anew.
#[on_each_database]
async fn clicks_of_blocks_are_kept_as_long_as_the_plan_says(database: TestDatabase) {
    let server = database.start().await;
    let (_, links) = links(&server, 1).await;
    server.stop().await;
    let now = Clock::default().now();
    let link = links[0];
    // Four a day, and one of today.
    let mut times: Vec<UnixMillis> = (0..99).rev().map(|at| now - 9 * DAY - at * 6 * HOUR).collect();
    times.push(now - HOUR);
    let click = |time: &UnixMillis| record(&Click { clicked_at: *time, link, ..Click::default() });
    database.leave_records(times.iter().map(click));
    let server = database.start().await;
    eventually("all are ingested", async || (database.counted_clicks().await == 100).then_some(())).await;
    database.compact_clicks().await;
    assert_eq!(where_they_are(&database).await, (99, 1));
    assert_eq!(database.number("SELECT count(*) FROM click_blocks").await, 1);
    server.clock.advance(2 * DAY);
    let token = server.login("alice").await;
    let before = server.clock.now() - 30 * DAY;
    let kept: Vec<UnixMillis> = times.into_iter().rev().filter(|time| *time >= before).collect();
    assert!((70..80).contains(&kept.len()));
    let page = eventually("the others are gone", async || {
        let page = server.get(&format!("/analytics/{link}?limit=100"), &token).await.expect(200).json();
        (page["total"] == kept.len()).then_some(page)
    })
    .await;
    let listed: Vec<String> =
        page["data"].as_array().unwrap().iter().map(|click| click["clickedAt"].as_str().unwrap().to_owned()).collect();
    assert_eq!(listed, kept.iter().map(|time| rfc3339(*time)).collect::<Vec<_>>());
    assert_eq!(database.clicks().await, i64::try_from(kept.len()).unwrap());
    server.stop().await;
}

/// Each click is a row or in a block, and not in both, whenever the process ends.
#[on_each_database]
async fn kill_9_in_the_middle_changes_nothing(database: TestDatabase) {
    let mut random = seeded();
    let now = Clock::default().now();
    let process = TestProcess::start(&database, &[]).await;
    let (token, links) = links(&process.http, 12).await;
    drop(process);
    let centers = [now - 28 * DAY, now - 20 * DAY, now - 2 * DAY];
    let clicks = clicks_about(&mut random, &links, 9_000, &centers);
    database.leave_records(clicks.iter().map(record));
    let mut process = TestProcess::start(&database, &[]).await;
    eventually("all are ingested", async || (database.counted_clicks().await == 9_000).then_some(())).await;
    database.keep_clicks("kept").await;
    for _ in 0..4 {
        database.begin_to_compact().await;
        tokio::time::sleep(std::time::Duration::from_millis(random.random_range(0..300))).await;
        process.kill();
        assert_eq!(database.clicks().await, 9_000);
        process = TestProcess::start(&database, &[]).await;
    }
    database.compact_clicks().await;
    let (in_blocks, rows) = where_they_are(&database).await;
    assert!(in_blocks > 5_000 && in_blocks + rows == 9_000, "{in_blocks} and {rows}");
    let questions: Vec<Question> = (0..10).map(|_| random_question(&mut random, &links, &clicks, now)).collect();
    check_all_by(&database, "kept", &process.http, &token, &questions).await;
}

/// The report of a split, and the rehearsal of rules.
#[on_each_database]
async fn what_links_led_to_is_known_of_blocks(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "unlimited")]).await;
    let token = server.register("ada").await;
    let (link, other) = (server.link(&token, "to").await, server.link(&token, "other").await);
    let path = format!("/links/{}", id(&link));
    let part = |name: &str| json!({ "destinationUrl": format!("https://{name}.example/"), "weight": 1 });
    let split = json!({ "parts": [part("a"), part("b")] });
    server.call("PUT", &format!("{path}/split"), &token, split).await.expect(200);
    for visit in 0..100 {
        let agent = format!("{BROWSER} {visit}");
        let visit = server.request(reqwest::Method::GET, "/to").header("user-agent", agent);
        server.send(visit).await.expect(302);
    }
    database.clicks_become(100).await;
    server.clock.advance(12 * DAY);
    let token = server.login("ada").await;
    // The visitors of old days are forgotten with the next click.
    server.follow("other").await.expect(302);
    database.clicks_become(101).await;
    let rules = json!({ "days": 30, "rules": [{ "conditions": [{ "kind": "OS", "values": ["Linux", "Windows", "macOS"] }],
        "destinationUrl": "https://c.example/" }] });
    let told = async || {
        let report = server.get(&format!("{path}/split/report"), &token).await.expect(200).json();
        let rehearsal = server.post(&format!("{path}/rules/rehearse"), &token, rules.clone()).await.expect(200).json();
        (report["parts"].clone(), rehearsal)
    };
    let before = told().await;
    database.compact_clicks().await;
    assert_eq!(where_they_are(&database).await, (100, 1));
    assert_eq!(told().await, before);
    let clicks: i64 = before.0.as_array().unwrap().iter().map(|part| part["clicks"].as_i64().unwrap()).sum();
    assert_eq!(clicks, 100, "{before:?}");
    assert!(server.get(&format!("/analytics/{}", id(&other)), &token).await.expect(200).json()["total"] == 1);
}

/// Changes a byte of each block of a link.
async fn damage(database: &TestDatabase, link: Uuid) {
    let (link, byte) = match database.is_postgres() {
        true => (format!("'{link}'"), "set_byte(bytes, 40, get_byte(bytes, 40) # 1)"),
        false => (format!("x'{}'", link.simple()), "CAST(substr(bytes, 1, 40) || x'fe' || substr(bytes, 42) AS blob)"),
    };
    let connection = database.connect().await;
    let damage = format!("UPDATE click_blocks SET bytes = {byte} WHERE link_id = {link}");
    connection.execute_unprepared(&damage).await.unwrap();
    connection.close().await.unwrap();
}

/// Neither new blocks nor retention stop at it, and it goes with the last of its clicks.
#[on_each_database]
async fn a_damaged_block_holds_nobody_up(database: TestDatabase) {
    let server = database.start().await;
    let (_, links) = links(&server, 2).await;
    server.stop().await;
    let now = Clock::default().now();
    // Both links have the same clicks, the first of them in the block that will be damaged.
    let clicks = |times: &[UnixMillis]| -> Vec<Vec<u8>> {
        let of = |time: &UnixMillis| links.iter().map(|link| (*time, *link)).collect::<Vec<_>>();
        let click = |(clicked_at, link)| record(&Click { clicked_at, link, ..Click::default() });
        times.iter().flat_map(of).map(click).collect()
    };
    let ingested = async |records: Vec<Vec<u8>>| {
        let all = database.counted_clicks().await + i64::try_from(records.len()).unwrap();
        database.leave_records(records.into_iter());
        let server = database.start().await;
        eventually("all are ingested", async || (database.counted_clicks().await == all).then_some(())).await;
        database.compact_clicks().await;
        server
    };
    let old: Vec<UnixMillis> = (0..80).map(|at| now - 29 * DAY + at * 3 * HOUR).collect();
    let server = ingested(clicks(&[&old[..], &[now - 2 * HOUR]].concat())).await;
    assert_eq!(where_they_are(&database).await, (160, 2));
    server.stop().await;
    damage(&database, links[0]).await;
    let later: Vec<UnixMillis> = (0..70).map(|at| now - 15 * DAY + at).collect();
    let server = ingested(clicks(&[&later[..], &[now - HOUR]].concat())).await;
    assert_eq!(where_they_are(&database).await, (300, 4));

    let total = async |link: Uuid| {
        let token = server.login("alice").await;
        let page = server.get(&format!("/analytics/{link}?limit=1&pageSize=1"), &token).await;
        page.json()["total"].as_i64()
    };
    server.clock.advance(2 * DAY);
    let before = server.clock.now() - 30 * DAY;
    let kept = i64::try_from(old.iter().filter(|time| **time >= before).count()).unwrap();
    assert!((60..80).contains(&kept));
    eventually("the other link's are gone", async || (total(links[1]).await == Some(kept + 72)).then_some(())).await;
    assert_eq!(database.clicks().await, kept + 72 + 152);
    server.clock.advance(11 * DAY);
    eventually("and then all of both", async || (database.clicks().await == 2 * 72).then_some(())).await;
    assert_eq!((total(links[0]).await, total(links[1]).await), (Some(72), Some(72)));
    server.stop().await;
}

/// Clicks that can't be read are an error of whoever asks for them, and of nobody else.
#[on_each_database]
async fn a_damaged_block_is_told_and_can_be_deleted(database: TestDatabase) {
    let server = database.start().await;
    let (token, links) = links(&server, 2).await;
    server.stop().await;
    let now = Clock::default().now();
    let of = |link: Uuid| (0..80).map(move |at| Click { clicked_at: now - 12 * DAY + at, link, ..Click::default() });
    let mut clicks: Vec<Click<'_>> = links.iter().copied().flat_map(of).collect();
    clicks.push(Click { clicked_at: now - HOUR, link: links[1], ..Click::default() });
    let server = start_with(&database, &clicks).await;
    database.compact_clicks().await;
    assert_eq!(where_they_are(&database).await, (160, 1));
    damage(&database, links[0]).await;
    let list = async |link: Uuid| server.get(&format!("/analytics/{link}"), &token).await;
    let refused = list(links[0]).await.expect(500);
    assert_eq!(refused.code(), "INTERNAL_ERROR", "{refused:?}");
    assert!(!refused.text.contains("block"), "{refused:?}");
    assert_eq!(list(links[1]).await.expect(200).json()["total"], 81);
    let summary = server.get("/analytics/summary", &token).await.expect(200).json();
    assert_eq!(summary["totals"]["clicks"], 161, "roll-ups have them all");
    let checked = binary(&database, &[], &["check", "--deep"]).await;
    let checked = String::from_utf8(checked.stdout).unwrap();
    let told = format!("damaged: 1, with 80 clicks, the first on the link {}", links[0]);
    assert!(checked.lines().any(|line| line.starts_with("warn database") && line.contains(&told)), "{checked}");
    server.call("DELETE", &format!("/links/{}", links[0]), &token, Json::Null).await.expect(204);
    database.clicks_become(81).await;
    server.stop().await;
}
