//! Reports: kept questions about clicks, and their pages for everybody who has the URL.

use linkgraph::{
    api::rest::operation::method_name,
    base::clock::{DAY, rfc3339},
    platform::auth::access::Credential,
};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{
    features::filters::visited,
    on_each_database,
    support::{
        Answer, Http, TestDatabase, TestServer, eventually,
        limits::{LIMITED, graphql_code},
        noon,
        receiver::id,
    },
};

const BASE_URL: &str = "http://sho.rt";
const HTML: &str = "text/html,application/xhtml+xml";

/// A new report with its page's path.
async fn create(server: &TestServer, token: &str, input: Json) -> (Json, String) {
    let report = server.post("/reports", token, input).await.expect(201).json();
    let path = path(&report);
    (report, path)
}

fn path(report: &Json) -> String {
    report["url"].as_str().unwrap().strip_prefix(BASE_URL).unwrap().to_owned()
}

async fn change(server: &TestServer, token: &str, report: &Json, input: Json) -> Answer {
    server.call("PATCH", &format!("/reports/{}", id(report)), token, input).await
}

/// The page as a browser without a credential gets it.
async fn open(http: &Http, path: &str, accept: &str) -> Answer {
    http.send(http.request(Method::GET, path).header("accept", accept)).await
}

/// The same, as a program gets it.
async fn read(http: &Http, path: &str) -> Json {
    open(http, path, "application/json").await.expect(200).json()
}

#[on_each_database]
async fn a_page_shows_what_its_account_sees(database: TestDatabase) {
    let server = database.start_at(&[], noon()).await;
    let (token, [spring, summer]) = visited(&server).await;
    let filter =
        json!([{ "dimension": "DEVICE", "values": ["mobile"] }, { "dimension": "LINK", "values": [spring, summer] }]);
    let input = json!({
        "name": "Phones", "filter": filter, "period": "TODAY", "timeZone": "Europe/Zurich",
        "panels": ["SOURCES", "LINKS", "BROWSERS"],
    });
    let (report, page) = create(&server, &token, input).await;
    assert_eq!(report["filter"][0]["operator"], "IS");
    let summary = "/analytics/summary?filter=DEVICE:IS:mobile&timeZone=Europe/Zurich&includeBots=false&from=2026-11-29T23:00:00Z&interval=HOUR";
    let summary = server.get(summary, &token).await.expect(200).json();
    let shown = read(&server, &page).await;
    assert_eq!((&shown["name"], &shown["link"], &shown["isExact"]), (&json!("Phones"), &Json::Null, &json!(true)));
    assert_eq!((&shown["from"], &shown["interval"]), (&summary["from"], &json!("HOUR")), "{shown}");
    assert_eq!(shown["totals"]["clicks"], 4);
    for figure in ["clicks", "uniques"] {
        assert_eq!(shown["totals"][figure], summary["totals"][figure], "{shown}");
        let sum: i64 = shown["series"].as_array().unwrap().iter().map(|part| part[figure].as_i64().unwrap()).sum();
        assert_eq!(shown["totals"][figure], sum);
    }
    let values = |place: usize| shown["panels"][place]["values"].clone();
    assert_eq!(values(0), summary["top"]["sources"]["values"]);
    let links = json!([
        { "value": "http://sho.rt/spring", "title": null, "destinationUrl": null, "clicks": 2 },
        { "value": "http://sho.rt/summer", "title": null, "destinationUrl": null, "clicks": 2 },
    ]);
    let mut found = values(1);
    found.as_array_mut().unwrap().sort_by_key(|link| link["value"].to_string());
    assert_eq!(found, links);
    assert_eq!(values(2), summary["top"]["browsers"]["values"]);
    let phones = json!({ "dimension": "DEVICE", "operator": "IS", "values": ["mobile"] });
    let both =
        json!({ "dimension": "LINK", "operator": "IS", "values": ["http://sho.rt/spring", "http://sho.rt/summer"] });
    assert_eq!(shown["conditions"], json!([phones, both]));
    assert_eq!(shown["change"], json!({ "clicks": null, "uniques": null }));
    // One link, with the place that it leads to, and without the list of links.
    let of_link =
        json!({ "name": "Spring", "linkId": spring, "panels": ["LINKS", "TRIGGERS"], "showsDestinations": true });
    let (_, page) = create(&server, &token, of_link).await;
    let shown = read(&server, &page).await;
    let link = json!({ "shortUrl": "http://sho.rt/spring", "title": null, "destinationUrl": "https://example.com/" });
    assert_eq!((&shown["link"], &shown["totals"]["clicks"]), (&link, &json!(4)));
    let panels: Vec<_> = shown["panels"].as_array().unwrap().iter().map(|panel| &panel["panel"]).collect();
    assert_eq!(panels, ["TRIGGERS"]);
    // Numbers are a minute old at most, and a page that did not change is not sent again.
    let first = open(&server, &page, "*/*").await.expect(200);
    server.follow("spring").await.expect(302);
    let again = server.request(Method::GET, &page).header("if-none-match", first.header("etag"));
    server.send(again).await.expect(304);
    server.clock.advance(60_001);
    eventually("the page has the click", async || {
        server.clock.advance(60_001);
        (read(&server, &page).await["totals"]["clicks"] == 5).then_some(())
    })
    .await;
}

#[on_each_database]
async fn a_page_is_there_as_long_as_it_is_shared(database: TestDatabase) {
    let server = database.start_at(&[], noon()).await;
    let token = server.register("alice").await;
    let (report, page) = create(&server, &token, json!({ "name": "Clicks" })).await;
    read(&server, &page).await;
    let gone = async |path: &str| {
        let error = open(&server, path, "application/json").await.expect(404).json();
        assert_eq!(error["error"]["message"], "This report does not exist, or is no longer shared.");
        open(&server, path, HTML).await.expect(404);
    };
    gone("/reports/b7Kx2mQ9vT4nW8pL3sR6yA5dF1gH0jZc").await;
    // A program that names no token asks for a report.
    open(&server, "/reports/nothing", "application/json").await.expect(401);
    open(&server, "/reports/nothing", HTML).await.expect(404);
    // From the next request on, though the numbers are in memory.
    let saved = change(&server, &token, &report, json!({ "isShared": false })).await.expect(200).json();
    assert_eq!((&saved["isShared"], &saved["url"]), (&json!(false), &Json::Null));
    gone(&page).await;
    let again = change(&server, &token, &report, json!({ "isShared": true, "name": "Again" })).await.expect(200).json();
    gone(&page).await;
    let page = path(&again);
    assert_eq!(read(&server, &page).await["name"], "Again");
    let end = json!({ "expiresAt": rfc3339(server.clock.now() + DAY) });
    change(&server, &token, &report, end).await.expect(200);
    assert_eq!(path(&server.get(&format!("/reports/{}", id(&report)), &token).await.expect(200).json()), page);
    server.clock.advance(DAY);
    gone(&page).await;
    let token = server.login("alice").await;
    change(&server, &token, &report, json!({ "expiresAt": null })).await.expect(200);
    read(&server, &page).await;
    server.call("DELETE", &format!("/reports/{}", id(&report)), &token, Json::Null).await.expect(204);
    gone(&page).await;
    // A report goes with its link, and so does its page.
    let link = server.link(&token, "spring").await;
    let (_, page) = create(&server, &token, json!({ "name": "Spring", "linkId": id(&link) })).await;
    read(&server, &page).await;
    server.call("DELETE", &format!("/links/{}", id(&link)), &token, Json::Null).await.expect(204);
    gone(&page).await;
    assert_eq!(server.get("/reports", &token).await.expect(200).json()["total"], 0);
    // And with its account.
    let (_, page) = create(&server, &token, json!({ "name": "Clicks" })).await;
    read(&server, &page).await;
    server.leave(&token).await.expect(204);
    gone(&page).await;
}

#[on_each_database]
async fn a_token_opens_one_page_and_nothing_else(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    let origins = ["https://wiki.example.com", "HTTPS://Intra.example.com:443"];
    let (report, page) = create(&server, &alice, json!({ "name": "Clicks", "embedOrigins": origins })).await;
    let secret = page.strip_prefix("/reports/").unwrap();
    let mut walked = 0;
    for operation in &server.api().plan.operations {
        let mut path = operation.path.clone();
        for parameter in &operation.path_parameters {
            path = path.replace(&format!("{{{}}}", parameter.name), id(&report));
        }
        if operation.access.credential == Credential::Public {
            continue;
        }
        let answer = server.call(method_name(operation.method), &path, secret, json!({})).await;
        assert_eq!(answer.status, 401, "{path}: {answer:?}");
        walked += 1;
    }
    assert!(walked > 200, "{walked}");
    let documents = server.graphql(secret, "{ reports { total } }", json!({})).await;
    assert_eq!(graphql_code(&documents), "UNAUTHENTICATED");
    for path in [format!("/reports/{secret}/x"), format!("/api/v1/reports/{secret}")] {
        assert!(matches!(server.get(&path, "").await.status.as_u16(), 401 | 404), "{path}");
    }
    for method in ["PATCH", "DELETE"] {
        let body = if method == "PATCH" { json!({ "name": "x" }) } else { Json::Null };
        server.call(method, &page, &alice, body.clone()).await.expect(404);
        server.call(method, &format!("/reports/{}", id(&report)), &bob, body).await.expect(404);
    }
    // Frames of the listed origins alone show it, in the form in which browsers name them, and no page is found by a search engine.
    let shown = open(&server, &page, HTML).await.expect(200);
    assert_eq!(shown.header("content-type"), "text/html; charset=utf-8");
    let policy = shown.header("content-security-policy");
    let ancestors = "frame-ancestors https://wiki.example.com https://intra.example.com";
    assert!(policy.contains("script-src 'self'") && policy.ends_with(ancestors), "{policy}");
    assert_eq!((shown.header("x-robots-tag"), shown.header("referrer-policy")), ("noindex", "no-referrer"));
    change(&server, &alice, &report, json!({ "embedOrigins": [] })).await.expect(200);
    let policy = open(&server, &page, HTML).await.expect(200).header("content-security-policy").to_owned();
    assert!(policy.ends_with("frame-ancestors 'none'"), "{policy}");
    assert_eq!(server.get(&format!("/reports/{}", id(&report)), &bob).await.status, 404);
}

/// A key that writes reports is not led to clicks, and one that reads clicks not to tags and links.
#[on_each_database]
async fn narrow_keys_get_no_url(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "pro")]).await;
    let token = server.register("alice").await;
    let input = json!({ "name": "Sale", "filter": [{ "dimension": "BROWSER", "values": ["Firefox"] }] });
    let (report, _) = create(&server, &token, input.clone()).await;
    for (scopes, sees_filter) in [
        (&["links:write"][..], false),
        (&["links:write", "analytics:read"], false),
        (&["links:write", "links:read"], true),
    ] {
        let key = server.api_key(&token, scopes).await;
        let made = server.post("/api/v1/reports", &key, input.clone()).await.expect(201).json();
        assert_eq!((made.get("url"), made.get("filter").is_some()), (None, sees_filter), "{scopes:?}: {made}");
        let document = "mutation ($input: CreateReportInput!) { createReport(input: $input) { id url } }";
        let refused = server.graphql(&key, document, json!({ "input": input })).await;
        assert_eq!(graphql_code(&refused), "FORBIDDEN", "{scopes:?}");
        // Whoever knows the URL of a page that goes on would get what they make it show.
        let place = format!("/api/v1/reports/{}", id(&report));
        let before = server.get(&format!("/reports/{}", id(&report)), &token).await.json();
        for change in [json!({ "showsDestinations": true }), json!({ "isShared": true, "panels": ["LINKS"] })] {
            assert_eq!(server.call("PATCH", &place, &key, change).await.expect(403).code(), "FORBIDDEN", "{scopes:?}");
        }
        let update = "mutation ($id: ID!) { updateReport(id: $id, input: { password: null, filter: [] }) { id } }";
        let refused = server.graphql(&key, update, json!({ "id": id(&report) })).await;
        assert_eq!(graphql_code(&refused), "FORBIDDEN", "{scopes:?}");
        assert_eq!(server.get(&format!("/reports/{}", id(&report)), &token).await.json(), before);
        // A page that ends is theirs to end, and shared again it has a URL that they don't know.
        let (theirs, _) = create(&server, &token, json!({ "name": "Sale" })).await;
        let place = format!("/api/v1/reports/{}", id(&theirs));
        server.call("PATCH", &place, &key, json!({ "isShared": false })).await.expect(200);
        let changed = server.call("PATCH", &place, &key, json!({ "isShared": true })).await.expect(200).json();
        assert_eq!(changed.get("url"), None, "{scopes:?}");
        server.call("DELETE", &place, &key, Json::Null).await.expect(204);
    }
    assert_eq!(server.get("/reports", &token).await.json()["total"], 4, "a refused mutation created a report");
    let key = server.api_key(&token, &["analytics:read"]).await;
    let read = server.get(&format!("/api/v1/reports/{}", id(&report)), &key).await.expect(200).json();
    assert_eq!((read.get("url"), read.get("filter")), (None, None), "{read}");
    // Tags of links are not asked about by those who don't read links.
    let key = server.api_key(&token, &["links:write", "analytics:read"]).await;
    let tags = json!({ "name": "Sale", "filter": [{ "dimension": "TAG", "values": ["sale"] }] });
    server.post("/api/v1/reports", &key, tags).await.expect(403);
    let all = server.api_key(&token, &["analytics:read", "links:read"]).await;
    let read = server.get(&format!("/api/v1/reports/{}", id(&report)), &all).await.expect(200).json();
    assert_eq!(read["url"], report["url"]);
}

/// The page of a report with a password, as a client gets it that sends one.
async fn read_with(http: &Http, path: &str, password: &str) -> Answer {
    http.send(http.request(Method::GET, path).header("accept", "application/json").basic_auth("", Some(password))).await
}

#[on_each_database]
async fn a_page_may_ask_for_a_password(database: TestDatabase) {
    let server = database.start_at(&[LIMITED], noon()).await;
    let token = server.register("alice").await;
    let short = server.post("/reports", &token, json!({ "name": "Clicks", "password": "tulip" })).await.expect(400);
    assert_eq!(short.violations(), ["password"]);
    let (report, page) = create(&server, &token, json!({ "name": "Clicks", "password": "tulips-in-april" })).await;
    assert_eq!((&report["hasPassword"], report.get("password")), (&json!(true), None));
    let stored = database.texts("SELECT password_hash FROM reports").await;
    assert!(stored[0].starts_with("$argon2id$"), "{stored:?}");
    // The page itself tells nothing; its numbers ask.
    let shell = open(&server, &page, HTML).await.expect(200);
    assert!(!shell.text.contains("Clicks"), "{}", shell.text);
    let asked = open(&server, &page, "application/json").await.expect(403);
    let error = &asked.json()["error"];
    assert_eq!((&error["code"], &error["details"]), (&json!("FORBIDDEN"), &json!({ "reason": "PASSWORD_REQUIRED" })));
    assert_eq!(asked.header("www-authenticate"), "");
    assert_eq!(read_with(&server, &page, "tulips-in-april").await.expect(200).json()["name"], "Clicks");
    // A few wrong ones, and then none is looked at, the right one neither; right ones do not count.
    for _ in 0..5 {
        let wrong = read_with(&server, &page, "tulips-in-march").await.expect(403);
        assert_eq!(wrong.json()["error"]["message"], "This password is not right.");
    }
    let limited = read_with(&server, &page, "tulips-in-april").await.expect(429);
    assert!(!limited.header("retry-after").is_empty());
    server.clock.advance(15 * 60_000);
    for _ in 0..8 {
        read_with(&server, &page, "tulips-in-april").await.expect(200);
    }
    // Another one, and none.
    change(&server, &token, &report, json!({ "password": "roses-in-may" })).await.expect(200);
    read_with(&server, &page, "tulips-in-april").await.expect(403);
    read_with(&server, &page, "roses-in-may").await.expect(200);
    change(&server, &token, &report, json!({ "name": "Numbers" })).await.expect(200);
    open(&server, &page, "application/json").await.expect(403);
    let free = change(&server, &token, &report, json!({ "password": null })).await.expect(200).json();
    assert_eq!(free["hasPassword"], false);
    assert_eq!(read(&server, &page).await["name"], "Numbers");
}

#[on_each_database]
async fn reports_change_as_they_are_told(database: TestDatabase) {
    let server = database.start_at(&[], noon()).await;
    let token = server.register("alice").await;
    let input = json!({ "name": "Clicks", "isShared": false, "period": "THIS_MONTH", "back": 1 });
    let report = server.post("/reports", &token, input).await.expect(201).json();
    assert_eq!(report["panels"], json!(["COUNTRIES", "SOURCES", "DEVICES"]));
    let time = |report: &Json| ["period", "back", "from", "to"].map(|name| report[name].clone());
    assert_eq!(time(&report), [json!("THIS_MONTH"), json!(1), Json::Null, Json::Null]);
    let [from, to] = ["2026-11-01T00:00:00.000Z", "2026-11-08T00:00:00.000Z"];
    let fixed = change(&server, &token, &report, json!({ "from": from, "to": to })).await.expect(200).json();
    assert_eq!(time(&fixed), [Json::Null, json!(0), json!(from), json!(to)]);
    let named = change(&server, &token, &report, json!({ "name": "Week" })).await.expect(200).json();
    assert_eq!((time(&named), &named["name"]), (time(&fixed), &json!("Week")));
    let back = change(&server, &token, &report, json!({ "back": 2 })).await.expect(200).json();
    assert_eq!(time(&back), [json!("LAST_30_DAYS"), json!(2), Json::Null, Json::Null]);
    let stale = json!({ "name": "Late", "expectedUpdatedAt": report["updatedAt"] });
    change(&server, &token, &report, stale).await.expect(412);
    for (input, violations) in [
        (json!({ "from": from }), &["to must be there with from"][..]),
        (json!({ "to": to }), &["from must be there with to"]),
        (json!({ "from": to, "to": from }), &["to must be later than from"]),
        (
            json!({ "from": from, "to": to, "period": "TODAY", "back": 1 }),
            &["period must not be there with from and to", "back must not be there with from and to"],
        ),
        (json!({ "panels": ["LINKS", "LINKS"] }), &["panels.1 is there already"]),
        (
            json!({ "embedOrigins": ["https://a.example;x", "https://wiki.example.com/a"] }),
            &[
                "embedOrigins.0 is not an origin, such as https://wiki.example.com",
                "embedOrigins.1 is not an origin, such as https://wiki.example.com",
            ],
        ),
        (json!({ "expiresAt": from }), &["expiresAt must be in the future"]),
        (
            json!({ "filter": [{ "dimension": "LINK", "values": ["x"] }] }),
            &["filter.0.values.0 must be the id of a link"],
        ),
        (json!({ "back": 100 }), &["back must be between 0 and 99"]),
    ] {
        let refused = change(&server, &token, &report, input.clone()).await.expect(400);
        let errors = refused.json()["error"]["details"]["validationErrors"].clone();
        let told: Vec<String> = errors
            .as_array()
            .unwrap()
            .iter()
            .map(|error| format!("{} {}", error["path"].as_str().unwrap(), error["message"].as_str().unwrap()))
            .collect();
        assert_eq!(told, violations, "{input}");
    }
    assert_eq!(server.get(&format!("/reports/{}", id(&report)), &token).await.json(), back);
    server.post("/reports", &token, json!({ "name": "x", "linkId": id(&report) })).await.expect(404);
    // Two hundred, and no more.
    for number in 1..200 {
        server.post("/reports", &token, json!({ "name": format!("{number}") })).await.expect(201);
    }
    let refused = server.post("/reports", &token, json!({ "name": "one more" })).await.expect(403);
    assert_eq!(refused.code(), "PLAN_LIMIT_REACHED");
    let page = server.get("/reports?pageSize=2&page=2", &token).await.expect(200).json();
    let names: Vec<_> = page["data"].as_array().unwrap().iter().map(|report| &report["name"]).collect();
    assert_eq!(names, ["197", "196"]);
    assert_eq!(page["total"], 200);
}

/// A flood of strangers is slowed down, and a page counts clicks once a minute for all of them.
#[on_each_database]
async fn strangers_are_bounded(database: TestDatabase) {
    let server = database.start_at(&[LIMITED], noon()).await;
    let token = server.register("alice").await;
    let (_, page) = create(&server, &token, json!({ "name": "Clicks" })).await;
    let made = read(&server, &page).await["generatedAt"].clone();
    server.clock.advance(1_000);
    let mut refused = 0;
    for _ in 0..70 {
        let answer = open(&server, &page, "application/json").await;
        match answer.status.as_u16() {
            200 => assert_eq!(answer.json()["generatedAt"], made),
            429 => {
                assert!(!answer.header("retry-after").is_empty());
                refused += 1;
            }
            status => panic!("{status}"),
        }
    }
    assert!(refused > 5, "{refused}");
    // The account's own requests are another matter.
    server.get("/reports", &token).await.expect(200);
}
