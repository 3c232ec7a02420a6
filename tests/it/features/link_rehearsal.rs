//! Rehearsals of changes of links: what is said of past visits is what these visits get once the change is made.

use std::collections::BTreeMap;

use linkgraph::base::clock::{DAY, HOUR, rfc3339};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{Answer, BROWSER, TestDatabase, TestServer, noon, receiver::id},
};

const IPHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
const BOT: &str = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const MESSENGER: &str = "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)";
/// Visitors, in the order of their visits, and whether each is a bot.
const VISITORS: [(&str, bool); 6] =
    [(BROWSER, false), (IPHONE, false), (BOT, true), (MESSENGER, true), (BROWSER, false), ("", true)];
const OVER: &str = "https://example.com/over";

const REHEARSE: &str = "query($id: ID!, $input: RehearseLinkInput!) { rehearseLink(linkId: $id, input: $input) {
    from visits bots visitsPerDay phases { startsAt state outcomes { outcome visits bots } }
    rules { rule name visits bots } notes } }";

/// A visit that was a click: its visitor, and where it was led, or would have been without the card that it got.
type Visit = (&'static str, bool, String);

/// Visits of people and of bots, by outcome.
type Counts = BTreeMap<String, (i64, i64)>;

/// Follows a link, or sends the form of its page.
async fn follow(server: &TestServer, method: Method, slug: &str, agent: &str) -> Answer {
    let mut request = server.request(method.clone(), &format!("/{slug}"));
    if method == Method::POST {
        request = request.header("content-type", "application/x-www-form-urlencoded").body("");
    }
    if !agent.is_empty() {
        request = request.header("user-agent", agent);
    }
    server.send(request).await
}

/// The visits of a link by everybody, as far as they become clicks.
async fn visited(server: &TestServer, slug: &str, own: &str) -> Vec<Visit> {
    let mut visits = Vec::new();
    for (agent, is_bot) in VISITORS {
        server.clock.advance(1);
        let answer = follow(server, Method::GET, slug, agent).await;
        let led = match answer.status.as_u16() {
            302 => answer.header("location").to_owned(),
            200 if answer.text.contains("og:title") => own.to_owned(),
            // All visitors answer the question, but for a bot that sends no forms.
            200 if agent != BOT => {
                let answer = follow(server, Method::POST, slug, agent).await.expect(303);
                answer.header("location").to_owned()
            }
            _ => continue,
        };
        visits.push((agent, is_bot, led));
    }
    visits
}

/// The outcome of a visit, compared with where it was led before.
fn outcome(answer: &Answer, before: &str) -> &'static str {
    match (answer.status.as_u16(), answer.header("location")) {
        (302, OVER) => "ENDED",
        (302, led) if led == before => "SAME_DESTINATION",
        (302, _) => "OTHER_DESTINATION",
        (200, "") if answer.text.contains("og:title") => "CARD",
        (200, "") if answer.text.contains("acme://") => "APP",
        (200, "") => "QUESTION",
        (404, "") => "NOT_FOUND",
        (410, "") => "ENDED",
        _ => panic!("{answer:?}"),
    }
}

/// Makes the visits again.
async fn replayed(server: &TestServer, slug: &str, visits: &[Visit]) -> Counts {
    let mut counts = Counts::new();
    for (agent, is_bot, before) in visits {
        let answer = follow(server, Method::GET, slug, agent).await;
        let (people, bots) = counts.entry(outcome(&answer, before).to_owned()).or_default();
        *(if *is_bot { bots } else { people }) += 1;
    }
    counts
}

fn told(phase: &Json) -> Counts {
    let outcomes = phase["outcomes"].as_array().unwrap().iter();
    outcomes
        .map(|it| {
            let count = |name: &str| it[name].as_i64().unwrap();
            (it["outcome"].as_str().unwrap().to_owned(), (count("visits"), count("bots")))
        })
        .collect()
}

/// The rehearsal of a change, or the paths of its violations.
async fn rehearsed(server: &TestServer, token: &str, through_graphql: bool, link: &Json, change: &Json) -> Json {
    if !through_graphql {
        let answer = server.post(&format!("/links/{}/rehearse", id(link)), token, change.clone()).await;
        return if answer.status == 200 { answer.json() } else { json!(answer.expect(400).violations()) };
    }
    let answer = server.graphql(token, REHEARSE, json!({ "id": id(link), "input": change })).await;
    let violations = answer["errors"][0]["extensions"]["validationErrors"].as_array();
    let path = |it: &Json| it["path"].as_str().unwrap().trim_start_matches("input.").to_owned();
    let violations = violations.map(|all| all.iter().map(path).collect::<Vec<_>>());
    violations.map_or_else(|| answer["data"]["rehearseLink"].clone(), |paths| json!(paths))
}

/// The rows that a change of a link may touch.
async fn rows(database: &TestDatabase) -> Vec<String> {
    let mut rows = Vec::new();
    for (table, columns) in [
        (
            "links",
            "slug, destination_url, is_active, starts_at, expires_at, expired_url, archived_at, updated_at, password_hash, card",
        ),
        ("link_limits", "max_clicks, used_clicks"),
        ("link_rules", "rules, split, rules_set_at"),
        ("link_destinations", "number, url"),
        ("outbox_events", "kind"),
        ("jobs", "kind"),
        ("clicks", "clicked_at"),
    ] {
        let columns: Vec<String> =
            columns.split(", ").map(|column| format!("coalesce(CAST({column} AS text), '-')")).collect();
        rows.extend(database.texts(&format!("SELECT {} FROM {table} ORDER BY 1", columns.join(" || ' ' || "))).await);
    }
    rows
}

struct Case {
    name: String,
    slug: String,
    link: Json,
    change: Json,
    visits: Vec<Visit>,
    rehearsed: Json,
}

/// Each change in each state: visits are made, the change is rehearsed and then made, and the same visits get what was said: at once, and
/// when the link begins and ends.
#[on_each_database]
async fn visits_get_what_was_rehearsed(database: TestDatabase) {
    let server = database.start_at(&[("LINKGRAPH_DEFAULT_PLAN", "unlimited")], noon()).await;
    let token = server.register("ada").await;
    let now = server.clock.now();
    let [past, soon, later] = [-HOUR, HOUR, 2 * HOUR].map(|after| rfc3339(now + after));
    let card = json!({ "card": { "title": "Tulips" } });
    let states = [
        ("plain", json!({}), json!({})),
        ("off", json!({}), json!({ "isActive": false })),
        ("scheduled", json!({}), json!({ "startsAt": soon })),
        ("expired", json!({}), json!({ "expiresAt": past })),
        ("few", json!({ "maxClicks": 6 }), json!({})),
        ("few-off", json!({ "maxClicks": 6 }), json!({ "isActive": false })),
        ("asks", json!({ "asksFirst": true }), json!({})),
        ("ruled", card.clone(), json!({})),
        ("ruled-until", card, json!({ "expiresAt": later, "expiredUrl": OVER })),
        ("split", json!({}), json!({})),
    ];
    let changes = [
        json!({ "days": 1 }),
        json!({ "isArchived": true, "title": "Spring" }),
        json!({ "isActive": false }),
        json!({ "isActive": true, "startsAt": null, "expiresAt": null }),
        json!({ "destinationUrl": "https://example.com/other" }),
        json!({ "utm": { "source": "shop" } }),
        json!({ "startsAt": soon }),
        json!({ "expiresAt": later }),
        json!({ "startsAt": soon, "expiresAt": later, "expiredUrl": OVER }),
        json!({ "expiresAt": past, "expiredUrl": OVER }),
        json!({ "app": { "iosUri": "acme://offers/42" } }),
        json!({ "maxClicks": 3 }),
        json!({ "maxClicks": 1 }),
        json!({ "maxClicks": null, "asksFirst": false, "card": null }),
        json!({ "maxClicks": 3, "startsAt": soon }),
        json!({ "password": "tulips" }),
        json!({ "notice": "For adults only.", "destinationUrl": "https://example.com/other" }),
        json!({ "maxClicks": 0, "notice": "", "destinationUrl": "nowhere" }),
    ];
    let mut cases = Vec::new();
    for (state, new, then) in &states {
        for (number, change) in changes.iter().enumerate() {
            let slug = format!("{state}-{number}");
            let link = server.link_with(&token, &slug, new.clone()).await;
            let put = async |part: &str, body: Json| {
                server.call("PUT", &format!("/links/{}/{part}", id(&link)), &token, body).await.expect(200);
            };
            if state.starts_with("ruled") {
                let condition = json!({ "kind": "OS", "values": ["iOS"] });
                let rule = json!({ "conditions": [condition], "destinationUrl": "https://example.com/phones" });
                put("rules", json!({ "rules": [rule] })).await;
            }
            if *state == "split" {
                let part = |url| json!({ "destinationUrl": url, "weight": 1 });
                let parts = [part("https://example.com/a"), part("https://example.com/b")];
                put("split", json!({ "parts": parts })).await;
            }
            let visits = visited(&server, &slug, link["destinationUrl"].as_str().unwrap()).await;
            if *then != json!({}) {
                server.call("PATCH", &format!("/links/{}", id(&link)), &token, then.clone()).await.expect(200);
            }
            let name = format!("{state}: {change}");
            cases.push(Case { name, slug, link, change: change.clone(), visits, rehearsed: Json::Null });
        }
    }
    let all: usize = cases.iter().map(|case| case.visits.len()).sum();
    database.clicks_become(all.try_into().unwrap()).await;

    let before = rows(&database).await;
    for (number, case) in cases.iter_mut().enumerate() {
        case.rehearsed = rehearsed(&server, &token, number % 2 == 1, &case.link, &case.change).await;
    }
    assert_eq!(rows(&database).await, before, "a rehearsal changes nothing");

    for case in &cases {
        let Case { name, slug, link, change, visits, rehearsed } = case;
        if change.get("days").is_none() {
            let changed = server.call("PATCH", &format!("/links/{}", id(link)), &token, change.clone()).await;
            if rehearsed.is_array() {
                assert_eq!(*rehearsed, json!(changed.expect(400).violations()), "{name}");
                continue;
            }
            changed.expect(200);
        }
        let phase = &rehearsed["phases"][0];
        assert_eq!(phase["startsAt"], Json::Null, "{name}");
        let count = |name: &str| rehearsed[name].as_u64().unwrap();
        assert_eq!(count("visits") + count("bots"), visits.len() as u64, "{name}: {rehearsed}");
        assert_eq!(told(phase), replayed(&server, slug, visits).await, "{name}: {rehearsed}");
        let shown = server.get(&format!("/links/{}", id(link)), &token).await.json();
        let has_used_it_up = told(phase).contains_key("ENDED") && phase["state"] == "ACTIVE";
        assert!(has_used_it_up || shown["state"] == phase["state"] || shown["state"] == "USED_UP", "{name}: {shown}");
    }
    assert!(
        cases.iter().filter(|case| case.rehearsed.is_array()).count() >= states.len(),
        "each refuses the last change"
    );

    let mut later_phases = 0;
    for time in [&soon, &later] {
        server.clock.advance(HOUR);
        for Case { name, slug, change, visits, rehearsed, .. } in &cases {
            let phases = rehearsed["phases"].as_array().cloned().unwrap_or_default();
            let Some(place) = phases.iter().position(|phase| phase["startsAt"] == **time) else { continue };
            // The visits that were replayed before have used it up.
            if change["maxClicks"].is_number() && phases[..place].iter().any(|phase| phase["state"] == "ACTIVE") {
                continue;
            }
            assert_eq!(told(&phases[place]), replayed(&server, slug, visits).await, "{name} at {time}: {rehearsed}");
            later_phases += 1;
        }
    }
    assert!(later_phases > 20, "{later_phases}");
}

/// The figures of the sentences that a form shows, who may read them, and what can't be told.
#[on_each_database]
async fn a_rehearsal_says_how_many_by_which_rule_and_what_it_can_not_tell(database: TestDatabase) {
    let server = database.start_at(&[], noon()).await;
    let token = server.register("ada").await;
    let link = server.link(&token, "spring").await;
    let path = format!("/links/{}/rehearse", id(&link));
    let today = rfc3339(server.clock.now() - server.clock.now().rem_euclid(DAY));
    let told = server.post(&path, &token, json!({ "isActive": false })).await.expect(200).json();
    assert_eq!((&told["from"], &told["visits"], &told["visitsPerDay"]), (&link["createdAt"], &json!(0), &json!(0.0)));
    assert_eq!(told["phases"], json!([{ "startsAt": null, "state": "INACTIVE", "outcomes": [] }]));

    follow(&server, Method::GET, "spring", IPHONE).await.expect(302);
    server.clock.advance(1_000);
    let condition = json!({ "kind": "OS", "values": ["iOS"] });
    let rule = json!({ "name": "iPhone", "conditions": [condition], "destinationUrl": "https://example.com/phones" });
    server.call("PUT", &format!("/links/{}/rules", id(&link)), &token, json!({ "rules": [rule] })).await.expect(200);
    server.clock.advance(9 * DAY);
    let end = rfc3339(server.clock.now() + 3 * DAY);
    for (agent, _) in VISITORS {
        follow(&server, Method::GET, "spring", agent).await.expect(302);
    }
    database.clicks_become(7).await;
    let token = server.login("ada").await;
    let rehearse = async |change: Json| rehearsed(&server, &token, true, &link, &change).await;

    let told = rehearse(json!({ "destinationUrl": "https://example.com/other", "expiresAt": end })).await;
    assert_eq!((&told["visits"], &told["bots"]), (&json!(3), &json!(3)));
    assert_eq!(told["visitsPerDay"], json!(6.0 / 7.0));
    let outcome = |name: &str, visits: i32, bots: i32| json!({ "outcome": name, "visits": visits, "bots": bots });
    let led = [outcome("SAME_DESTINATION", 1, 0), outcome("OTHER_DESTINATION", 2, 3)];
    assert_eq!(
        told["phases"],
        json!([
            { "startsAt": null, "state": "ACTIVE", "outcomes": led },
            { "startsAt": end, "state": "EXPIRED", "outcomes": [outcome("ENDED", 3, 3)] },
        ])
    );
    let by_rule = json!([{ "rule": 1, "name": "iPhone", "visits": 1, "bots": 0 }]);
    assert_eq!((&told["rules"], &told["notes"]), (&by_rule, &json!([])));

    // Of ten days, visits are seen that came before the rules.
    let told = rehearse(json!({ "days": 10 })).await;
    assert_eq!((&told["from"], &told["notes"]), (&link["createdAt"], &json!(["ROUTES_HAVE_CHANGED"])));
    assert_eq!((&told["rules"], &told["visitsPerDay"]), (&by_rule, &json!(0.7)));
    assert_ne!(told["from"], today);

    for (change, note) in [
        (json!({ "isArchived": true }), "ARCHIVED_LINKS_REDIRECT"),
        (json!({ "asksFirst": true }), "ANSWERS_NOT_KEPT"),
        (json!({ "card": { "title": "Tulips" } }), "MESSENGERS_NOT_KEPT"),
        (json!({ "forwardsQuery": true }), "QUERY_NOT_KEPT"),
    ] {
        assert_eq!(rehearse(change).await["notes"], json!([note]));
    }
    let change = async |change: Json| {
        server.call("PATCH", &format!("/links/{}", id(&link)), &token, change).await.expect(200);
    };
    change(json!({ "maxClicks": 10 })).await;
    follow(&server, Method::GET, "spring", BROWSER).await.expect(302);
    assert_eq!(rehearse(json!({ "maxClicks": 5 })).await["notes"], json!(["USED_CLICKS_REMAIN"]));
    change(json!({ "isActive": false })).await;
    assert_eq!(rehearse(json!({})).await["notes"], json!(["ONLY_REDIRECTS_KEPT"]));

    // Who may not read links gets numbers alone.
    let key = server.api_key(&token, &["analytics:read"]).await;
    let told = server.post(&format!("/api/v1{path}"), &key, json!({})).await.expect(200).json();
    assert_eq!(told["rules"][0]["visits"], 1);
    assert_eq!(told["rules"][0]["name"], Json::Null);
    let key = server.api_key(&token, &["links:write"]).await;
    server.post(&format!("/api/v1{path}"), &key, json!({})).await.expect(403);
    let stranger = server.register("grace").await;
    server.post(&path, &stranger, json!({})).await.expect(404);
    let wrong = json!({ "days": 31, "password": "short" });
    assert_eq!(server.post(&path, &token, wrong).await.expect(400).violations(), ["days", "password"]);
}
