//! Exports of clicks: what is in the file, and what making it costs.

use entity::click;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::{
    on_each_database,
    support::{
        TestDatabase, TestServer, eventually,
        members::{account, join, switch},
        stored::stored_click,
    },
};

const HEAD: &str = "id,clickedAt,browser,os,device,isBot,referrerHost,country,\
                    language,utmSource,utmMedium,utmCampaign,utmTerm,utmContent,trigger,destination,rule,source,channel,linkId";

fn at(time: i64, link: Uuid) -> click::Model {
    click::Model { browser: Some("Firefox".to_owned()), ..stored_click(link, time) }
}

async fn link(server: &TestServer, token: &str) -> Uuid {
    server.link(token, "exported").await["id"].as_str().unwrap().parse().unwrap()
}

#[on_each_database]
async fn a_file_holds_what_the_list_pages_through(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let key = server.api_key(&token, &["analytics:read"]).await;
    let link = link(&server, &token).await;
    let (path, api) = (format!("/analytics/{link}/export"), format!("/api/v1/analytics/{link}/export"));
    let empty = server.get(&path, &token).await.expect(200);
    assert_eq!(empty.text, format!("{HEAD}\r\n"));
    assert_eq!(server.get(&format!("{path}?format=jsonl"), &token).await.expect(200).text, "");
    // More than one reading, many of one moment.
    let mut clicks: Vec<_> = (0..2_500).map(|number| at(1_700_000_000_000 + number / 700, link)).collect();
    clicks[0].referrer_host = Some("=cmd|' /C calc'!A0".to_owned());
    clicks[0].browser = Some("a \"b\", c".to_owned());
    clicks[0].utm_content = Some("+1".to_owned());
    clicks[0].language = Some("de-ch".to_owned());
    clicks[1].is_bot = true;
    database.store_clicks(clicks.clone()).await;
    clicks.sort_by_key(|click| std::cmp::Reverse((click.clicked_at, click.id)));
    let file = server.get(&path, &token).await.expect(200);
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8; header=present");
    assert_eq!(file.header("content-disposition"), format!("attachment; filename=\"clicks-{link}.csv\""));
    let lines: Vec<&str> = file.text.split("\r\n").collect();
    assert_eq!((lines[0], lines.len(), lines[2_501]), (HEAD, 2_502, ""));
    for (line, click) in lines[1..].iter().zip(&clicks) {
        assert!(line.starts_with(&format!("{},2023-11-14T22:13:2", click.id)), "{line}");
        assert!(line.ends_with(&format!(",{link}")), "{line}");
    }
    let odd = lines.iter().find(|line| line.contains("calc")).unwrap();
    assert!(odd.contains(",\"a \"\"b\"\", c\",,,false,\"'=cmd|' /C calc'!A0\",,de-ch,,,,,\"'+1\",LINK,0,,\"'=cmd|' /C calc'!A0\",REFERRAL,"), "{odd}");
    let file = server.get(&format!("{api}?format=jsonl&includeBots=false"), &key).await.expect(200);
    assert_eq!(file.header("content-type"), "application/jsonl");
    assert!(file.header("content-disposition").ends_with(".jsonl\""));
    let listed = server.get(&format!("/analytics/{link}?limit=100&page=2&includeBots=false"), &token).await.json();
    let rows: Vec<Json> = file.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 2_499);
    assert_eq!(&rows[100..200], listed["data"].as_array().unwrap().as_slice());
    let some = server
        .get(&format!("{path}?from=2023-11-14T22:13:20.003Z&to=2023-11-14T22:13:20.004Z&fields=isBot"), &token)
        .await;
    assert_eq!(some.text, format!("isBot\r\n{}", "false\r\n".repeat(400)));
    let none = server.get(&format!("{path}?from=2024-01-01T00:00:00Z&to=2023-01-01T00:00:00Z"), &token).await;
    assert_eq!(none.expect(200).text, format!("{HEAD}\r\n"));
}

#[on_each_database]
async fn who_may_not_export_is_told_why(database: TestDatabase) {
    let server = database.start().await;
    let (alice, mallory) = (server.register("alice").await, server.register("mallory").await);
    let no_scope = server.api_key(&alice, &["links:read"]).await;
    let link = link(&server, &alice).await;
    let path = format!("/analytics/{link}/export");
    assert_eq!(server.get(&path, "").await.expect(401).code(), "UNAUTHENTICATED");
    assert_eq!(server.get(&format!("/api/v1{path}"), &alice).await.expect(401).code(), "UNAUTHENTICATED");
    assert_eq!(server.get(&path, &no_scope).await.expect(403).code(), "FORBIDDEN");
    assert_eq!(server.get(&path, &mallory).await.expect(404).code(), "NOT_FOUND");
    assert_eq!(server.get("/analytics/x/export", &alice).await.expect(404).code(), "NOT_FOUND");
    let answer = server.get(&format!("{path}?format=xml&from=x&includeBots=2&fields=x"), &alice).await.expect(400);
    assert_eq!(answer.violations(), ["format", "from", "includeBots", "fields"]);
}

/// A client that reads slowly holds a place, and no memory. One that hangs up, or whose link goes, ends it.
#[on_each_database]
async fn an_export_under_way_is_one_of_four(database: TestDatabase) {
    // The test itself reads slowly where the machine is busy.
    let client_timeout = std::time::Duration::from_secs(120);
    let config = linkgraph::base::config::Config { client_timeout, ..database.config_with(&[]) };
    let server = database.start_configured(config, linkgraph::base::clock::Clock::default()).await;
    let token = server.register("alice").await;
    let link = link(&server, &token).await;
    // More than the sockets' buffers hold.
    let long = |click| click::Model { browser: Some("x".repeat(3_200)), ..click };
    let many = (0..15_000).map(|number| long(at(1_700_000_000_000 + number, link))).collect();
    database.store_clicks(many).await;
    let path = format!("/analytics/{link}/export");
    let open = async || {
        // A busy machine takes its time.
        let wait = std::time::Duration::from_secs(120);
        let request = server.request(reqwest::Method::GET, &path).bearer_auth(&token).timeout(wait);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), 200);
        answer
    };
    let exports = &server.api().app.exports;
    let mut open_ones = Vec::new();
    for _ in 0..4 {
        let mut answer = open().await;
        answer.chunk().await.unwrap().unwrap();
        open_ones.push(answer);
    }
    let refused = server.get(&path, &token).await.expect(429);
    assert_eq!((refused.code().as_str(), refused.header("retry-after")), ("RATE_LIMITED", "30"));
    let other = server.register("bob").await;
    assert_eq!(server.get(&path, &other).await.expect(404).code(), "NOT_FOUND");
    drop(open_ones.split_off(1));
    eventually("who hangs up gives the place back", async || (exports.len() == 1).then_some(())).await;
    let whole = open().await.text().await.unwrap();
    assert_eq!(whole.lines().count(), 15_001);
    server.call("DELETE", &format!("/links/{link}"), &token, Json::Null).await.expect(204);
    let rest = open_ones.pop().unwrap().bytes().await;
    assert!(rest.is_err_and(|error| !error.is_timeout()), "a part is not taken for the whole");
    eventually("it is over", async || exports.is_empty().then_some(())).await;
}

/// What was sent stays with the client; nothing more is read for whoever has lost the right to it. For all others it goes on.
#[on_each_database]
async fn an_export_under_way_ends_with_the_right_to_it(database: TestDatabase) {
    // The test itself reads slowly where the machine is busy.
    let client_timeout = std::time::Duration::from_secs(120);
    let config = linkgraph::base::config::Config { client_timeout, ..database.config_with(&[]) };
    let server = database.start_configured(config, linkgraph::base::clock::Clock::default()).await;
    let ada = server.register("ada").await;
    let link = link(&server, &ada).await;
    let (max, token) = join(&server, &database, &ada, "max", "MEMBER").await;
    let key = server.api_key(&token, &["analytics:read"]).await;
    // More than the sockets' buffers hold.
    let long = |click| click::Model { browser: Some("x".repeat(3_200)), ..click };
    database.store_clicks((0..8_000).map(|number| long(at(1_700_000_000_000 + number, link))).collect()).await;
    let open = async |credential: &str| {
        let request = server.request(reqwest::Method::GET, &format!("/analytics/{link}/export"));
        let mut answer = request.bearer_auth(credential).timeout(client_timeout).send().await.unwrap();
        answer.chunk().await.unwrap().unwrap();
        answer
    };
    let is_whole = async |answer: reqwest::Response| match answer.text().await {
        Ok(text) => text.lines().count() > 7_000,
        Err(error) => {
            assert!(!error.is_timeout(), "{error}");
            false
        }
    };
    let path = format!("/members/{max}");
    let (by_ada, by_token, by_key) = (open(&ada).await, open(&token).await, open(&key).await);
    // The key may still read what it reads.
    server.call("PATCH", &path, &ada, json!({ "role": "VIEWER" })).await.expect(200);
    assert_eq!((is_whole(by_token).await, is_whole(by_key).await), (false, true));
    let token = switch(&server, &server.login("max").await, &account(&server, &ada).await).await;
    let (by_token, by_key) = (open(&token).await, open(&key).await);
    server.call("PATCH", &path, &ada, json!({ "role": "BILLING" })).await.expect(200);
    assert_eq!((is_whole(by_token).await, is_whole(by_key).await), (false, false));
    server.call("PATCH", &path, &ada, json!({ "role": "VIEWER" })).await.expect(200);
    let by_key = open(&key).await;
    server.call("DELETE", &path, &ada, Json::Null).await.expect(204);
    assert_eq!((is_whole(by_key).await, is_whole(by_ada).await), (false, true));
}
