//! Rules of links: which visit they lead where, what is explained, refused and warned of.

use linkgraph::base::clock::{DAY, HOUR, rfc3339};
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        BROWSER, Http, TestDatabase,
        dns::TestDns,
        domains::{hosts, start_with_subdomains},
        eventually, noon,
        receiver::id,
    },
};

const IPHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
const BOT: &str = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
/// Addresses of the United States and of Japan in the country table.
const US: &str = "1.0.0.1";
const JP: &str = "2001:200::1";
const HIT: &str = "https://example.com/hit";

/// A visit: user agent, language, referrer, address and query; empty ones are not sent.
type Visit<'a> = [&'a str; 5];

const PLAIN: Visit<'static> = [BROWSER, "", "", "", ""];

fn sent(
    http: &Http,
    host: &str,
    slug: &str,
    [agent, language, referrer, address, query]: Visit<'_>,
) -> reqwest::RequestBuilder {
    let fields = [
        ("host", host),
        ("user-agent", agent),
        ("accept-language", language),
        ("referer", referrer),
        ("x-forwarded-for", address),
    ];
    let fields = fields.into_iter().filter(|(_, value)| !value.is_empty());
    fields.fold(http.request(Method::GET, &format!("/{slug}{query}")), |request, (name, value)| {
        request.header(name, value)
    })
}

async fn location(http: &Http, host: &str, slug: &str, visit: Visit<'_>) -> String {
    http.send(sent(http, host, slug, visit)).await.expect(302).header("location").to_owned()
}

/// The input of `explainRedirect` for a visit.
fn described([agent, language, referrer, address, query]: Visit<'_>) -> Json {
    let fields = [
        ("userAgent", agent),
        ("acceptLanguage", language),
        ("referrer", referrer),
        ("address", if address.is_empty() { "127.0.0.1" } else { address }),
        ("query", query.trim_start_matches('?')),
    ];
    fields
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

async fn set(http: &Http, token: &str, link: &Json, rules: Json) -> Json {
    let path = format!("/links/{}/rules", id(link));
    http.call("PUT", &path, token, json!({ "rules": rules })).await.expect(200).json()
}

fn one(condition: &Json) -> Json {
    json!([{ "conditions": [condition], "destinationUrl": HIT }])
}

/// Kind by kind: a condition, a visit of which it is true, and one of which it is not; on each kind of host, set through both doors, and
/// explained as it is done.
#[on_each_database]
async fn each_kind_leads_the_visits_it_is_true_of(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let hosts = hosts(&server, &token, &dns).await;
    let mut links = Vec::new();
    for host in &hosts {
        links.push(server.link_with(&token, "to", json!({ "domain": host })).await);
    }
    let own = links[0]["destinationUrl"].as_str().unwrap().to_owned();
    let table: [(Json, Visit<'_>, Visit<'_>); 12] = [
        (json!({ "kind": "DEVICE", "values": ["MOBILE", "TABLET"] }), [IPHONE, "", "", "", ""], PLAIN),
        (json!({ "kind": "OS", "values": ["ios"] }), [IPHONE, "", "", "", ""], PLAIN),
        (json!({ "kind": "BROWSER", "values": ["Firefox"] }), PLAIN, [IPHONE, "", "", "", ""]),
        (json!({ "kind": "IS_BOT" }), [BOT, "", "", "", ""], PLAIN),
        (json!({ "kind": "IS_BOT", "negated": true }), PLAIN, [BOT, "", "", "", ""]),
        (
            json!({ "kind": "LANGUAGE", "values": ["fr"] }),
            [BROWSER, "de;q=0.2, fr-CH;q=0.9", "", "", ""],
            [BROWSER, "*", "", "", ""],
        ),
        (
            json!({ "kind": "QUERY", "key": "ref", "values": ["=a b", "~news"] }),
            [BROWSER, "", "", "", "?x&ref=my%6Eewsletter"],
            [BROWSER, "", "", "", "?ref=a"],
        ),
        (json!({ "kind": "QUERY", "key": "ref" }), [BROWSER, "", "", "", "?ref"], [BROWSER, "", "", "", "?reff=1"]),
        (
            json!({ "kind": "REFERRER", "values": ["example.org"] }),
            [BROWSER, "", "https://News.example.org/a?b", "", ""],
            [BROWSER, "", "https://anexample.org/", "", ""],
        ),
        (json!({ "kind": "REFERRER", "values": ["none"] }), PLAIN, [BROWSER, "", "https://example.org/", "", ""]),
        (
            json!({ "kind": "TIME_WINDOW", "key": "UTC", "values": ["../2100-01-01T00:00"] }),
            PLAIN,
            ["", "", "", "", ""],
        ),
        (
            json!({ "kind": "WEEKLY_HOURS", "key": "UTC", "values": ["MON-SUN 00:00-24:00"] }),
            PLAIN,
            ["", "", "", "", ""],
        ),
    ];
    for (number, (condition, hit, miss)) in table.iter().enumerate() {
        let at = number % hosts.len();
        let (host, link) = (&hosts[at], &links[at]);
        let set = if number % 2 == 0 {
            set(&server, &token, link, one(condition)).await
        } else {
            let query = "mutation($id: ID!, $input: SetLinkRulesInput!) { setLinkRules(linkId: $id, input: $input) \
                         { rules { number conditions { kind values key negated } destination { number url } } warnings { reason } } }";
            let variables = json!({ "id": link["id"], "input": { "rules": one(condition) } });
            server.graphql(&token, query, variables).await["data"]["setLinkRules"].clone()
        };
        assert_eq!(set["rules"][0]["destination"]["url"], HIT, "{set}");
        let is_always = miss[0].is_empty();
        for (visit, is_hit) in [(hit, true), (miss, is_always)] {
            let expected = if is_hit { HIT } else { &own };
            assert_eq!(location(&server, host, "to", *visit).await, expected, "{condition} {visit:?} at {host}");
            let path = format!("/links/{}/explain", id(link));
            let explained = server.post(&path, &token, described(*visit)).await.expect(200).json();
            assert_eq!(explained["finalUrl"], expected, "{condition} {explained}");
            let failed = if is_hit { Json::Null } else { json!(1) };
            assert_eq!(explained["rules"][0]["failedCondition"], failed, "{explained}");
            assert_eq!(explained["rule"], if is_hit { json!(1) } else { Json::Null }, "{explained}");
        }
    }
}

#[on_each_database]
async fn the_place_of_a_visitor_decides(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1")]).await;
    let token = server.register("ada").await;
    let link = server.link(&token, "to").await;
    let own = link["destinationUrl"].as_str().unwrap();
    let from = |address| [BROWSER, "", "", address, ""];
    for (condition, us, jp) in [
        (json!({ "kind": "COUNTRY", "values": ["us"] }), HIT, own),
        (json!({ "kind": "COUNTRY", "values": ["US"], "negated": true }), own, HIT),
        (json!({ "kind": "ADDRESS", "values": ["1.0.0.0/24"] }), HIT, own),
    ] {
        let set = set(&server, &token, &link, one(&condition)).await;
        assert_eq!(set["warnings"], json!([]), "{set}");
        for (address, expected) in [(US, us), (JP, jp)] {
            assert_eq!(location(&server, "sho.rt", "to", from(address)).await, expected, "{condition} {address}");
        }
    }
    // Somebody is sent to the first rule that matches, and the click says to which.
    let rule = |values: Json, url: &str| json!({ "conditions": [{ "kind": "COUNTRY", "values": values }], "destinationUrl": url });
    set(&server, &token, &link, json!([rule(json!(["JP"]), "https://example.com/jp"), rule(json!(["JP", "US"]), HIT)]))
        .await;
    server.call("PATCH", &format!("/links/{}", id(&link)), &token, json!({ "forwardsQuery": true })).await.expect(200);
    assert_eq!(location(&server, "sho.rt", "to", [BROWSER, "", "", JP, "?qr&a=1"]).await, "https://example.com/jp?a=1");
    assert_eq!(location(&server, "sho.rt", "to", from(US)).await, HIT);
    assert_eq!(location(&server, "sho.rt", "to", from("192.0.2.1")).await, own);
    let clicks = format!("/analytics/{}", id(&link));
    let led = eventually("nine clicks", async || {
        let clicks = server.get(&clicks, &token).await.expect(200).json();
        let clicks = clicks["data"].as_array().unwrap().clone();
        (clicks.len() == 9).then_some(clicks)
    })
    .await;
    let led: Vec<_> =
        led.iter().take(3).map(|click| json!([click["trigger"], click["destination"], click["rule"]])).collect();
    // `hit` got its number with the first rules.
    let mut expected = vec![json!(["LINK", 0, null]), json!(["LINK", 1, 2]), json!(["QR", 2, 1])];
    let (mut led, by) = (led, |one: &Json, other: &Json| one.to_string().cmp(&other.to_string()));
    led.sort_by(by);
    expected.sort_by(by);
    assert_eq!(led, expected);
}

/// What is refused changes nothing, and says which field is wrong.
#[on_each_database]
async fn wrong_rules_are_refused_whole(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let link = server.link(&token, "to").await;
    let path = format!("/links/{}/rules", id(&link));
    set(&server, &token, &link, one(&json!({ "kind": "IS_BOT", "negated": true }))).await;
    let before = server.get(&path, &token).await.expect(200).json();
    let with = |condition: Json| json!([{ "conditions": [condition], "destinationUrl": HIT }]);
    let good = json!({ "kind": "IS_BOT" });
    let part = |weight: i32| json!({ "destinationUrl": format!("https://example.com/{weight}"), "weight": weight });
    let long = format!("https://example.com/{}", "x".repeat(1_900));
    let many = |count: usize| {
        (0..count)
            .map(|number| json!({ "conditions": [good], "destinationUrl": format!("https://example.com/{number}") }))
            .collect::<Vec<_>>()
    };
    for (rules, paths) in [
        (with(json!({ "kind": "DEVICE", "values": ["FRIDGE"] })), vec!["rules.0.conditions.0.values.0"]),
        (with(json!({ "kind": "DEVICE" })), vec!["rules.0.conditions.0.values"]),
        (with(json!({ "kind": "COUNTRY", "values": ["DE", "Germany"] })), vec!["rules.0.conditions.0.values.1"]),
        (with(json!({ "kind": "QUERY" })), vec!["rules.0.conditions.0.key"]),
        (with(json!({ "kind": "DEVICE", "values": ["MOBILE"], "key": "x" })), vec!["rules.0.conditions.0.key"]),
        (
            with(json!({ "kind": "WEEKLY_HOURS", "values": ["MON 9-17"], "key": "Mars" })),
            vec!["rules.0.conditions.0.key"],
        ),
        (with(json!({ "kind": "ADDRESS", "values": ["10.0.0.0/99"] })), vec!["rules.0.conditions.0.values.0"]),
        (json!([{ "conditions": [], "destinationUrl": HIT }]), vec!["rules.0.conditions"]),
        (json!([{ "conditions": [good] }]), vec!["rules.0.destinationUrl"]),
        (
            json!([{ "conditions": [good], "destinationUrl": HIT, "split": [part(1), part(2)] }]),
            vec!["rules.0.destinationUrl"],
        ),
        (json!([{ "conditions": [good], "destinationUrl": "ftp://example.com" }]), vec!["rules.0.destinationUrl"]),
        (json!([{ "conditions": [good], "destinationUrl": "http://sho.rt/x" }]), vec!["rules.0.destinationUrl"]),
        (json!([{ "conditions": [good], "split": [part(1)] }]), vec!["rules.0.split"]),
        (json!([{ "conditions": [good], "split": [part(1), part(101)] }]), vec!["rules.0.split.1.weight"]),
        (
            json!([{ "conditions": [good], "split": [part(0), json!({ "destinationUrl": HIT, "weight": 0 })] }]),
            vec!["rules.0.split"],
        ),
        (json!([{ "conditions": [good], "split": [part(1), part(1)] }]), vec!["rules.0.split.1.destinationUrl"]),
        (json!([{ "conditions": [good], "destinationUrl": HIT, "name": "" }]), vec!["rules.0.name"]),
        (json!(many(33)), vec!["rules"]),
        (json!(many(16)), vec!["rules"]),
        (
            json!(
                (0..13)
                    .map(|number| json!({ "conditions": [good], "destinationUrl": format!("{long}{number}") }))
                    .collect::<Vec<_>>()
            ),
            vec!["rules"],
        ),
        (
            json!([{ "conditions": [good, json!({ "kind": "OS", "values": [""] })], "destinationUrl": HIT }, { "conditions": [json!({ "kind": "CITY", "values": [" "] })], "destinationUrl": "x" }]),
            vec!["rules.0.conditions.1.values.0", "rules.1.destinationUrl"],
        ),
    ] {
        let shown = rules.to_string();
        let answer = server.call("PUT", &path, &token, json!({ "rules": rules })).await.expect(400);
        assert_eq!(answer.violations(), paths, "{}", &shown[..shown.len().min(300)]);
    }
    let stale = json!({ "rules": [], "expectedUpdatedAt": link["updatedAt"] });
    server.call("PUT", &path, &token, stale).await.expect(412);
    for narrow in [&["links:read"][..], &["analytics:read"], &["webhooks:manage"]] {
        let key = server.api_key(&token, narrow).await;
        server.call("PUT", &format!("/api/v1{path}"), &key, json!({ "rules": [] })).await.expect(403);
    }
    let other = server.register("eve").await;
    server.call("PUT", &path, &other, json!({ "rules": [] })).await.expect(404);
    assert_eq!(server.get(&path, &token).await.expect(200).json(), before, "nothing has changed");
    assert_eq!(server.follow("to").await.expect(302).header("location"), HIT);
    // Who may write links and not read them learns nothing of what is there.
    let writer = server.api_key(&token, &["links:write"]).await;
    let answer = server.call("PUT", &format!("/api/v1{path}"), &writer, json!({ "rules": [] })).await;
    assert!(answer.status.is_success() && !answer.text.contains("example.com"), "{answer:?}");
    assert_ne!(server.follow("to").await.expect(302).header("location"), HIT);
    let expected =
        json!({ "rules": one(&good), "expectedUpdatedAt": server.get(&path, &token).await.json()["updatedAt"] });
    server.call("PUT", &path, &token, expected).await.expect(200);
}

#[on_each_database]
async fn what_does_not_work_here_is_said_when_it_is_saved(database: TestDatabase) {
    let settings = [("LINKGRAPH_BASE_URL", "https://sho.rt")];
    let server = database.start_with(&settings).await;
    let token = server.register("ada").await;
    let link = server.link(&token, "to").await;
    let rule = |kind: &str, key: Json, value: &str| json!({ "conditions": [{ "kind": kind, "key": key, "values": [value] }], "destinationUrl": HIT });
    let none = Json::Null;
    let rules = json!([
        rule("REGION", none.clone(), "DE-BY"),
        rule("ADDRESS", none.clone(), "10.0.0.0/8"),
        rule("TIME_WINDOW", json!("UTC"), "../2020-01-01T00:00"),
        rule("DEVICE", none.clone(), "TABLET"),
        rule("BROWSER", none.clone(), "Netscape"),
        rule("COUNTRY", none.clone(), "DE"),
        { "conditions": [{ "kind": "COUNTRY", "values": ["DE"] }, { "kind": "IS_BOT" }], "destinationUrl": HIT },
    ]);
    let warned = set(&server, &token, &link, rules).await["warnings"].clone();
    let told: Vec<_> =
        warned.as_array().unwrap().iter().map(|it| json!([it["rule"], it["condition"], it["reason"]])).collect();
    let expected = [
        json!([1, 1, "NO_CITIES"]),
        json!([2, 1, "UNTRUSTED_PROXY"]),
        json!([3, 1, "WINDOW_OVER"]),
        json!([4, 1, "IPADS_ARE_MACS"]),
        json!([5, 1, "UNKNOWN_NAME"]),
        json!([7, null, "NEVER_REACHED"]),
    ];
    assert_eq!(told, expected, "{warned}");
}

/// Rules change with the link that they belong to: its URL, its state, its deletion, a copy of it that already is.
#[on_each_database]
async fn rules_belong_to_their_link(database: TestDatabase) {
    let server = database.start_at(&[], noon()).await;
    let token = server.register("ada").await;
    let input = json!({ "destinationUrl": "https://example.com/same", "slug": "to" });
    let link = server.post("/links", &token, input.clone()).await.expect(201).json();
    set(&server, &token, &link, one(&json!({ "kind": "BROWSER", "values": ["Firefox"] }))).await;
    let iphone = async || location(&server, "localhost", "to", [IPHONE, "", "", "", ""]).await;
    assert_eq!(iphone().await, "https://example.com/same");
    let path = format!("/links/{}", id(&link));
    server.call("PATCH", &path, &token, json!({ "destinationUrl": "https://example.com/new" })).await.expect(200);
    assert_eq!(
        (iphone().await, server.follow("to").await.header("location").to_owned()),
        ("https://example.com/new".to_owned(), HIT.to_owned())
    );
    // It leads elsewhere as well: it is not the link that a request for the same destination gets.
    let same = json!({ "destinationUrl": "https://example.com/new", "ifExists": "RETURN" });
    let other = server.post("/links", &token, same).await.expect(201).json();
    assert_ne!(other["id"], link["id"]);
    let expiry = json!({ "expiresAt": rfc3339(server.clock.now() + HOUR), "maxClicks": 1 });
    server.call("PATCH", &path, &token, expiry).await.expect(200);
    server.follow("to").await.expect(200);
    let form = server.request(Method::POST, "/to").header("user-agent", BROWSER);
    assert_eq!(server.send(form).await.expect(303).header("location"), HIT);
    server.follow("to").await.expect(410);
    server.clock.advance(DAY);
    server.follow("to").await.expect(410);
    let explained =
        server.post(&format!("{path}/explain"), &token, json!({ "userAgent": BROWSER })).await.expect(200).json();
    assert_eq!((&explained["state"], &explained["finalUrl"]), (&json!("EXPIRED"), &json!(HIT)));
    server.call("DELETE", &path, &token, Json::Null).await.expect(204);
    server.get(&format!("{path}/rules"), &token).await.expect(404);
    assert_eq!(
        database.number("SELECT (SELECT count(*) FROM link_rules) + (SELECT count(*) FROM link_destinations)").await,
        0
    );
}

/// Proposed rules are run over recorded visits, and then set: the same visits are led as was said.
#[on_each_database]
async fn a_rehearsal_tells_what_redirects_then_do(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1")]).await;
    let token = server.register("ada").await;
    let link = server.link(&token, "to").await;
    let visits = [
        [BROWSER, "fr-CH", "https://news.example.org/", US, ""],
        [BROWSER, "de", "", JP, ""],
        [IPHONE, "fr", "", US, "?ref=a"],
        [IPHONE, "en-GB,fr", "https://example.org/", JP, ""],
        [BOT, "", "", US, ""],
        ["", "", "", "192.0.2.1", ""],
    ];
    for visit in visits {
        location(&server, "localhost", "to", visit).await;
    }
    let report = format!("/links/{}/rules/rehearse", id(&link));
    let to = |number: usize| format!("https://example.com/{number}");
    let rule = |number: usize, conditions: Json| json!({ "conditions": conditions, "destinationUrl": to(number) });
    let rules = json!([
        rule(1, json!([{ "kind": "COUNTRY", "values": ["US"] }, { "kind": "DEVICE", "values": ["MOBILE"] }])),
        rule(2, json!([{ "kind": "LANGUAGE", "values": ["fr", "de"] }, { "kind": "IS_BOT", "negated": true }])),
        rule(3, json!([{ "kind": "IS_BOT" }, { "kind": "REFERRER", "values": ["none"] }])),
    ]);
    let rehearsed = eventually("six visits", async || {
        let rehearsed = server.post(&report, &token, json!({ "rules": rules })).await.expect(200).json();
        (rehearsed["visits"] == 6).then_some(rehearsed)
    })
    .await;
    let counted: Vec<i64> = rehearsed["outcomes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["visits"].as_i64().unwrap() + it["bots"].as_i64().unwrap())
        .collect();
    assert_eq!(
        rehearsed["unknown"],
        json!([{ "rule": 2, "condition": 1, "kind": "LANGUAGE", "reason": "FIRST_LANGUAGE_ONLY" }])
    );
    set(&server, &token, &link, rules).await;
    let mut led = vec![0_i64; 4];
    for visit in visits {
        let there = location(&server, "localhost", "to", visit).await;
        led[(1..4).position(|number| there == to(number)).unwrap_or(3)] += 1;
    }
    // The second language of a visitor is not kept: the rehearsal says so.
    assert_eq!((counted, led), (vec![1, 2, 2, 1], vec![1, 3, 2, 0]));

    // What a click does not keep is not guessed.
    let unsure = json!([
        rule(1, json!([{ "kind": "COUNTRY", "values": ["US"] }, { "kind": "QUERY", "key": "ref" }])),
        rule(2, json!([{ "kind": "ADDRESS", "values": ["10.0.0.0/8"] }])),
    ]);
    let rehearsed = server.post(&report, &token, json!({ "rules": unsure, "days": 1 })).await.expect(200).json();
    let told: Vec<_> =
        rehearsed["outcomes"].as_array().unwrap().iter().map(|it| json!([it["visits"], it["undecided"]])).collect();
    assert_eq!(told[0][0], 0);
    assert_eq!(told[2], json!([0, 0]), "{rehearsed}");
    assert!(told[0][1].as_i64().unwrap() >= 3 && told[1][1].as_i64().unwrap() >= 3, "{rehearsed}");
    let key = server.api_key(&token, &["analytics:read"]).await;
    let told = server.post(&format!("/api/v1{report}"), &key, json!({ "rules": [] })).await.expect(200);
    assert!(!told.text.contains("example.com") && told.json()["outcomes"][0]["visits"].is_number(), "{}", told.text);
    let set = server.get(&format!("/links/{}/rules", id(&link)), &token).await.json();
    assert_eq!(set["rules"].as_array().unwrap().len(), 3, "nothing was changed");
    let wrong = json!({ "rules": [rule(1, json!([{ "kind": "OS" }]))], "days": 31 });
    assert_eq!(server.post(&report, &token, wrong).await.expect(400).violations(), ["days"]);
}

/// Rules of a later version, or damaged ones: visits are led to the own destination, and new rules take their place.
#[on_each_database]
async fn rules_that_cannot_be_read_can_be_replaced(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let link = server.link(&token, "spring").await;
    let parts = json!([
        { "destinationUrl": "https://example.com/a", "weight": 1 }, { "destinationUrl": "https://example.com/b", "weight": 1 },
    ]);
    let split = format!("/links/{}/split", id(&link));
    server.call("PUT", &split, &token, json!({ "parts": parts })).await.expect(200);
    database
        .connect()
        .await
        .execute_unprepared("UPDATE link_rules SET rules = '[{\"of\":\"a later version\"}]'")
        .await
        .unwrap();
    let rules = json!({ "rules": [{
        "conditions": [{ "kind": "IS_BOT", "values": [], "negated": true }], "destinationUrl": HIT,
    }] });
    let path = format!("/links/{}/rules", id(&link));
    server.get(&path, &token).await.expect(500);
    server.call("PUT", &path, &token, rules).await.expect(200);
    assert_eq!(location(&server, "localhost", "spring", PLAIN).await, HIT);
    let kept = server.get(&split, &token).await.expect(200).json();
    assert_eq!(kept["parts"].as_array().unwrap().len(), 2, "{kept}");
}
