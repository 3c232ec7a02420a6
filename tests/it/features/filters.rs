//! Filters of clicks and breakdowns, through both doors. That summaries with filters equal a recount is in `summaries.rs`.

use linkgraph::{
    base::{
        clock::{DAY, rfc3339},
        config::Config,
    },
    clicks::click::Click,
};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{
    features::summaries::links,
    on_each_database,
    support::{
        BROWSER, TestDatabase, TestServer, eventually, limits::graphql_code, noon, receiver::id, stored::record,
    },
};

const PHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
const BOT: &str = "Googlebot/2.1 (+http://www.google.com/bot.html)";

/// Visits: path, user agent and referrer.
const VISITS: [(&str, &str, &str); 8] = [
    ("/spring", BROWSER, "https://www.google.de/"),
    ("/spring", PHONE, "https://l.facebook.com/"),
    ("/spring?utm_term=a%2Cb&utm_content=header", PHONE, "https://www.google.com/"),
    ("/spring?utm_campaign=x%3Ay%5Cz", BROWSER, ""),
    ("/summer", PHONE, "https://www.google.co.uk/"),
    ("/summer?qr", PHONE, ""),
    ("/summer", BOT, ""),
    ("/summer", BROWSER, "https://news.example.org/"),
];

/// Two links, of which the first has tags, and these visits.
pub(crate) async fn visited(server: &TestServer) -> (String, [String; 2]) {
    let token = server.register("ada").await;
    let spring = json!({ "destinationUrl": "https://example.com/", "slug": "spring", "tags": ["Sale", "New hot"] });
    let spring = server.post("/links", &token, spring).await.expect(201).json();
    let summer = server.link(&token, "summer").await;
    for (path, agent, referrer) in VISITS {
        let visit = server.request(Method::GET, path).header("user-agent", agent);
        server.send(visit.header("referer", referrer)).await.expect(302);
        server.clock.advance(1_000);
    }
    eventually("the clicks are ingested", async || {
        let summary = server.get("/analytics/summary", &token).await.expect(200).json();
        (summary["totals"]["clicks"] == VISITS.len()).then_some(())
    })
    .await;
    (token, [id(&spring).to_owned(), id(&summer).to_owned()])
}

#[on_each_database]
async fn conditions_choose_clicks_through_both_doors(database: TestDatabase) {
    let server = database.start_at(&[], noon()).await;
    let (token, [spring, summer]) = visited(&server).await;
    let [of_spring, of_summer] = [format!("LINK:IS:{}", spring.to_uppercase()), format!("LINK:IS_NOT:{spring}")];
    let [of_host, not_of_host] = ["IS", "IS_NOT"].map(|operator| format!("DOMAIN:{operator}:sho.rt"));
    for (filter, clicks, visitors) in [
        (&["DEVICE:IS:mobile"][..], 4, 1),
        (&["DEVICE::mobile"], 4, 1),
        (&["DEVICE:IS:mobile,desktop"], 7, 2),
        (&["DEVICE:IS_NOT:mobile"], 4, 2),
        (&["DEVICE:IS:"], 1, 1),
        (&["DEVICE:IS:,desktop"], 4, 2),
        (&["DEVICE:IS:mobile", "SOURCE:IS:Google"], 2, 1),
        (&["SOURCE:CONTAINS:GOO,face"], 4, 2),
        (&["CHANNEL:IS:SEARCH,QR"], 4, 2),
        (&["CHANNEL:IS_NOT:SEARCH", "DEVICE:IS:mobile"], 2, 1),
        (&["REFERRER:CONTAINS:google.co"], 2, 1),
        (&["TRIGGER:IS:QR"], 1, 1),
        (&["TRIGGER:IS:LINK", "DESTINATION:IS:0"], 7, 3),
        (&["IS_BOT:IS:true"], 1, 1),
        (&["UTM_TERM:IS:a%5C,b"], 1, 1),
        (&["UTM_CONTENT:IS:header,footer"], 1, 1),
        (&["UTM_CAMPAIGN:IS:x:y%5C%5Cz"], 1, 1),
        (&["UTM_CAMPAIGN:IS_NOT:"], 1, 1),
        (&["TAG:IS:Sale"], 4, 2),
        (&["TAG:IS:new"], 0, 0),
        (&["TAG:CONTAINS:HOT"], 4, 2),
        (&["TAG:IS:New hot,other"], 4, 2),
        (&["TAG:IS:"], 4, 3),
        (&["TAG:IS_NOT:Sale"], 4, 3),
        (&[&of_spring], 4, 2),
        (&[&of_summer], 4, 3),
        (&[&of_spring, &of_summer], 0, 0),
        (&[&of_host], 8, 3),
        (&[&not_of_host], 0, 0),
        (&["COUNTRY:IS:", "OS:IS:iOS"], 4, 1),
    ] {
        let query: String = filter.iter().map(|condition| format!("&filter={condition}")).collect();
        let rest = server.get(&format!("/analytics/summary?{query}"), &token).await.expect(200).json();
        assert_eq!(
            (&rest["totals"]["clicks"], &rest["totals"]["uniques"]),
            (&json!(clicks), &json!(visitors)),
            "{filter:?}"
        );
        let series = rest["series"].as_array().unwrap().iter().filter_map(|part| part["clicks"].as_i64()).sum::<i64>();
        assert_eq!((series, &rest["isExact"]), (clicks, &json!(true)), "{filter:?}");
        let ask =
            "query($filter: [ClickCondition!]) { accountClickSummary(filter: $filter) { totals { clicks uniques } } }";
        let graphql = server.graphql(&token, ask, json!({ "filter": as_objects(filter) })).await;
        let totals = json!({ "clicks": clicks, "uniques": visitors });
        assert_eq!(graphql["data"]["accountClickSummary"]["totals"], totals, "{filter:?}: {graphql}");
    }
    // Conditions on links leave fewer clicks to be read.
    let read = async |query: &str| {
        server.get(&format!("/analytics/summary?{query}"), &token).await.expect(200).json()["clicksRead"].clone()
    };
    assert_eq!(
        (read("").await, read("filter=OS:IS:iOS").await, read("filter=TAG:IS:Sale").await),
        (Json::Null, 8.into(), 4.into())
    );
    // A page, and the file of all.
    let path = format!("/analytics/{summer}");
    let page = server.get(&format!("{path}?filter=IS_BOT:IS:false&limit=2&page=2"), &token).await.expect(200).json();
    assert_eq!((&page["total"], page["data"][0]["source"].as_str()), (&json!(3), Some("Google")));
    assert_eq!(page["data"].as_array().unwrap().len(), 1);
    let people =
        server.get(&format!("{path}?filter=TRIGGER:IS:LINK&includeBots=false"), &token).await.expect(200).json();
    assert_eq!(people["total"], 2);
    let file = server.get(&format!("{path}/export?filter=TRIGGER:IS:LINK&fields=os,isBot"), &token).await.expect(200);
    assert_eq!(file.text.replace('\r', ""), "os,isBot\nLinux,false\n,true\niOS,false\n");
    // Another account's link has no clicks here, also when a condition names it.
    let other = server.register("bob").await;
    server.get(&format!("/analytics/{spring}/summary?filter=OS:IS:iOS"), &other).await.expect(404);
    let nothing = server.get(&format!("/analytics/summary?filter={of_spring}"), &other).await.expect(200).json();
    assert_eq!((&nothing["totals"]["clicks"], &nothing["clicksRead"]), (&json!(0), &json!(0)));
}

/// The texts of REST as GraphQL's objects, for those of this file.
fn as_objects(filter: &[&str]) -> Vec<Json> {
    let object = |text: &&str| {
        let text = text.replace("%5C", "\\");
        let mut parts = text.splitn(3, ':');
        let [dimension, operator, values] = [(); 3].map(|()| parts.next().unwrap());
        let marked = values.replace("\\,", "\u{0}").replace("\\\\", "\\");
        let value = |value: &str| if value.is_empty() { Json::Null } else { value.replace('\u{0}', ",").into() };
        let values: Vec<Json> = marked.split(',').map(value).collect();
        let operator = if operator.is_empty() { "IS" } else { operator };
        json!({ "dimension": dimension, "operator": operator, "values": values })
    };
    filter.iter().map(object).collect()
}

#[on_each_database]
async fn breakdowns_have_all_values(database: TestDatabase) {
    let server = database.start_at(&[], noon()).await;
    let (token, [spring, summer]) = visited(&server).await;
    let by = async |query: &str| {
        let page = server.get(&format!("/analytics/breakdown?dimension={query}"), &token).await.expect(200).json();
        let point = |point: &Json| {
            (point["value"].clone(), point["clicks"].as_i64().unwrap(), point["uniques"].as_i64().unwrap())
        };
        let points: Vec<_> = page["data"].as_array().unwrap().iter().map(point).collect();
        assert_eq!((&page["isExact"], &page["total"]), (&json!(true), &json!(points.len())), "{page}");
        points
    };
    let some = |text: &str, clicks: i64, visitors: i64| (json!(text), clicks, visitors);
    assert_eq!(by("DEVICE").await, [some("mobile", 4, 1), some("desktop", 3, 1), (Json::Null, 1, 1)]);
    assert_eq!(by("DEVICE&includeBots=false").await, [some("mobile", 4, 1), some("desktop", 3, 1)]);
    assert_eq!(by("SOURCE&search=oo").await, [some("Google", 3, 2), some("Facebook", 1, 1)]);
    assert_eq!(by("TAG").await, [(Json::Null, 4, 3), some("New hot", 4, 2), some("Sale", 4, 2)]);
    assert_eq!(by("UTM_TERM").await, [(Json::Null, 7, 3), some("a,b", 1, 1)]);
    assert_eq!(by("IS_BOT&filter=DEVICE:IS:").await, [some("true", 1, 1)]);
    let of_link = format!("CHANNEL&linkId={summer}&filter=TRIGGER:IS:LINK");
    assert_eq!(by(&of_link).await, [some("DIRECT", 1, 1), some("REFERRAL", 1, 1), some("SEARCH", 1, 1)]);
    assert_eq!(by("LINK&search=/SPR").await, [some(&spring, 4, 2)]);
    assert_eq!(by(&format!("COUNTRY&to={}", rfc3339(server.clock.now() - 40 * DAY))).await, []);

    let second = "/analytics/breakdown?dimension=DEVICE&pageSize=1&page=2";
    let page = server.get(second, &token).await.expect(200).json();
    assert_eq!(
        (&page["data"][0]["value"], &page["total"], &page["clicksRead"]),
        (&json!("desktop"), &json!(3), &json!(8))
    );
    let file = server.get("/analytics/breakdown/export?dimension=TAG&fields=value,clicks", &token).await.expect(200);
    assert_eq!(file.text.replace('\r', ""), "value,clicks\n,4\nNew hot,4\nSale,4\n");
    let query = "{ clickBreakdown(dimension: LINK) { data { value clicks } total } }";
    let links = server.graphql(&token, query, json!({})).await;
    let mut points = [&spring, &summer].map(|link| json!({ "value": link, "clicks": 4 }));
    points.sort_by_key(|point| point["value"].as_str().unwrap().to_owned());
    assert_eq!(links["data"]["clickBreakdown"], json!({ "data": points, "total": 2 }));
    let other = server.register("bob").await;
    server.get(&format!("/analytics/breakdown?dimension=OS&linkId={spring}"), &other).await.expect(404);
}

#[on_each_database]
async fn the_clicks_of_an_account_are_listed_and_exported(database: TestDatabase) {
    let server = database.start_at(&[], noon()).await;
    let (token, links) = visited(&server).await;
    let list = async |path: &str| server.get(path, &token).await.expect(200).json()["data"].as_array().unwrap().clone();
    let mut of_links = Vec::new();
    for link in &links {
        let clicks = list(&format!("/analytics/{link}")).await;
        assert!(clicks.iter().all(|click| click["linkId"] == **link), "{clicks:?}");
        of_links.extend(clicks);
    }
    of_links.sort_unstable_by_key(|click| std::cmp::Reverse(click["clickedAt"].as_str().unwrap().to_owned()));
    assert_eq!(of_links.len(), VISITS.len());
    assert_eq!(list("/analytics/clicks").await, of_links);
    assert_eq!(list("/analytics/clicks?limit=3&page=2").await, of_links[3..6]);
    let exported = async |query: &str| {
        let file = server.get(&format!("/analytics/clicks/export?format=jsonl{query}"), &token).await.expect(200);
        file.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Json>>()
    };
    assert_eq!(exported("").await, of_links);
    let phones: Vec<Json> = of_links.iter().filter(|click| click["os"] == "iOS").cloned().collect();
    let query = "filter=OS:IS:iOS&includeBots=false";
    assert_eq!((phones.len(), list(&format!("/analytics/clicks?{query}")).await), (4, phones.clone()));
    assert_eq!(exported(&format!("&{query}")).await, phones);
    let query =
        "{ allClicks(limit: 1, filter: [{dimension: OS, values: [\"iOS\"]}]) { data { link { slug } } total } }";
    let first = server.graphql(&token, query, json!({})).await;
    assert_eq!(first["data"]["allClicks"], json!({ "data": [{ "link": { "slug": "summer" } }], "total": 4 }));
    // Without a range it is that of summaries, and nobody else's clicks are in it.
    server.clock.advance(30 * DAY);
    let token = server.login("ada").await;
    assert_eq!(server.get("/analytics/clicks", &token).await.expect(200).json()["total"], 0);
    let other = server.register("eve").await;
    assert_eq!(server.get("/analytics/clicks?from=2020-01-01T00:00:00Z", &other).await.expect(200).json()["total"], 0);
}

/// Clicks that are gone, with a deleted link or since they were kept long enough, are missing, and the answer says so.
#[on_each_database]
async fn answers_say_when_clicks_are_missing(database: TestDatabase) {
    let server = database.start_at(&[], noon()).await;
    let (token, [spring, summer]) = visited(&server).await;
    server.call("DELETE", &format!("/links/{spring}"), &token, Json::Null).await.expect(204);
    database.no_clicks_where("link_id NOT IN (SELECT id FROM links)").await;
    let summary = async |query: &str| {
        let summary = server.get(&format!("/analytics/summary?{query}"), &token).await.expect(200).json();
        (summary["totals"]["clicks"].as_i64().unwrap(), summary["isExact"].as_bool().unwrap())
    };
    assert_eq!(summary("").await, (8, true));
    assert_eq!(summary("filter=OS:IS:iOS").await, (2, false));
    assert_eq!(summary("filter=TAG:IS:").await, (4, true));
    let page = server.get("/analytics/breakdown?dimension=OS", &token).await.expect(200).json();
    assert_eq!(page["isExact"], false);
    let of_link =
        server.get(&format!("/analytics/breakdown?dimension=OS&linkId={summer}"), &token).await.expect(200).json();
    assert_eq!(of_link["isExact"], true);
}

#[on_each_database]
async fn what_can_not_be_asked_is_refused(database: TestDatabase) {
    let server = database.start_at(&[], noon()).await;
    let token = server.register("ada").await;
    let link = server.link(&token, "spring").await;
    let link = id(&link);
    for (filter, path, message) in [
        ("DEVICE:mobile", "filter.0", "must be written as dimension:operator:values"),
        ("DEV:IS:x", "filter.0.dimension", "must be one of LINK, TAG, DOMAIN"),
        ("DEVICE:WAS:x", "filter.0.operator", "must be one of IS, IS_NOT, CONTAINS"),
        (":IS:x", "filter.0.dimension", "is required"),
        ("IS_BOT:CONTAINS:t", "filter.0.operator", "can't be CONTAINS with this dimension"),
        ("LINK:IS:7", "filter.0.values.0", "must be the id of a link"),
        ("TRIGGER:IS:QR,TV", "filter.0.values.1", "must be one of LINK, QR, CARD, APP"),
        ("OS:CONTAINS:i,", "filter.0.values.1", "must not be null with CONTAINS"),
    ] {
        for place in
            ["/analytics/summary?", "/analytics/breakdown?dimension=OS&", &format!("/analytics/{link}/export?")]
        {
            let answer = server.get(&format!("{place}filter={filter}"), &token).await.expect(400).json();
            let violation = &answer["error"]["details"]["validationErrors"][0];
            assert_eq!(violation["path"], path, "{place}{filter}: {answer}");
            assert!(violation["message"].as_str().unwrap().starts_with(message), "{filter}: {answer}");
        }
    }
    let long = "x".repeat(256);
    server.get(&format!("/analytics/summary?filter=OS:IS:{long}"), &token).await.expect(400);
    let many = "&filter=OS:IS:x".repeat(21);
    server.get(&format!("/analytics/summary?{many}"), &token).await.expect(400);
    // Tags and hosts are for who may read links, also by a guess.
    let key = server.api_key(&token, &["analytics:read"]).await;
    for path in [
        "/analytics/summary?filter=TAG:IS_NOT:x".to_owned(),
        format!("/analytics/{link}?filter=OS:IS:x&filter=DOMAIN:CONTAINS:s"),
        format!("/analytics/{link}/export?filter=TAG:IS:x"),
        "/analytics/clicks?filter=TAG:IS:x".to_owned(),
        "/analytics/clicks/export?filter=DOMAIN:IS:x".to_owned(),
        "/analytics/breakdown?dimension=TAG".to_owned(),
        "/analytics/breakdown/export?dimension=DOMAIN".to_owned(),
        "/analytics/breakdown?dimension=LINK&search=s".to_owned(),
        "/analytics/breakdown/export?dimension=OS&filter=TAG:IS:".to_owned(),
    ] {
        let refused = server.get(&format!("/api/v1{path}"), &key).await.expect(403).json();
        assert_eq!(refused["error"]["details"]["scope"], "links:read", "{path}: {refused}");
    }
    let query = "{ accountClickSummary(filter: [{dimension: TAG, values: [null]}]) { isExact } }";
    assert_eq!(graphql_code(&server.graphql(&key, query, json!({})).await), "FORBIDDEN");
    for path in ["summary?filter=OS:IS:x", "breakdown?dimension=LINK"] {
        server.get(&format!("/api/v1/analytics/{path}"), &key).await.expect(200);
    }
    // A key without the right learns nothing.
    let key = server.api_key(&token, &["links:read"]).await;
    for path in ["breakdown?dimension=OS", "clicks", "clicks/export"] {
        server.get(&format!("/api/v1/analytics/{path}"), &key).await.expect(403);
    }
}

/// More clicks than are read for an answer: as roll-ups know before any is read, or as the reading shows.
#[on_each_database]
async fn a_range_with_too_many_clicks_is_refused(database: TestDatabase) {
    let config = || Config { max_clicks_read: 1_000, ..database.config_with(&[]) };
    let server = database.start_configured(config(), noon()).await;
    let (token, links) = links(&server, 2).await;
    server.stop().await;
    let start = noon().now() - 10_000_000;
    let at = |number: i64| Click { clicked_at: start + number * 1_000, link: links[0], ..Click::default() };
    database.leave_records((0..1_001).map(|number| record(&at(number))));
    let server = database.start_configured(config(), noon()).await;
    eventually("the clicks are ingested", async || (database.counted_clicks().await == 1_001).then_some(())).await;
    let link = links[0];
    let places = ["/analytics/summary?", "/analytics/breakdown?dimension=OS&", "/analytics/clicks?"];
    for place in places.into_iter().chain([&*format!("/analytics/{link}?")]) {
        for filter in ["OS:IS:", &format!("LINK:IS:{link}")] {
            let answer = server.get(&format!("{place}filter={filter}"), &token).await.expect(422);
            assert_eq!(answer.code(), "RANGE_TOO_LARGE", "{place}: {answer:?}");
            assert_eq!(answer.json()["error"]["details"]["limit"], 1_000);
        }
    }
    let query =
        "query($link: ID!) { clickSummary(linkId: $link, filter: [{dimension: OS, values: [null]}]) { clicksRead } }";
    let answer = server.graphql(&token, query, json!({ "link": link })).await;
    assert_eq!(graphql_code(&answer), "RANGE_TOO_LARGE", "{answer}");
    // Files are read in parts: all of the clicks, newest first.
    for path in ["clicks/export?", "clicks/export?filter=OS:IS:&", &format!("{link}/export?filter=OS:IS:&")] {
        let file = server.get(&format!("/analytics/{path}fields=clickedAt"), &token).await.expect(200);
        let times = (0..1_001).rev().map(|number| rfc3339(start + number * 1_000));
        assert!(file.text.lines().skip(1).eq(times), "{path}");
    }
    // The other link's clicks, a shorter range, and what needs no single clicks.
    for path in [
        format!("/analytics/{}/summary?filter=OS:IS:", links[1]),
        format!("/analytics/breakdown?dimension=OS&linkId={link}&from={}", rfc3339(start + 1)),
        format!("/analytics/{link}/summary"),
    ] {
        server.get(&path, &token).await.expect(200);
    }
}
