//! Settings of hosts: where a host leads without a link, or after a link's end.

use linkgraph::base::clock::{DAY, HOUR, rfc3339};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, Http, TestDatabase,
        dns::TestDns,
        domains::{NAME, add, hosts, prove, set, start_with_subdomains, verify},
        eventually,
        process::operate,
        receiver::id,
        soon,
    },
};

const ROOT: &str = "https://example.com/root";
const LOST: &str = "https://example.com/lost?a=b#c";
const OVER: &str = "https://example.com/over";

async fn ask(http: &Http, method: &str, host: &str, path: &str) -> Answer {
    let request = http.request(method.parse::<Method>().unwrap(), path).header("host", host);
    http.send(request.header("user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"))
        .await
}

/// Status, and where it leads.
async fn at(http: &Http, host: &str, path: &str) -> (u16, String) {
    let answer = ask(http, "GET", host, path).await;
    let head = ask(http, "HEAD", host, path).await;
    // One that is used up by looking at it is none of these.
    assert_eq!((head.status, head.header("location")), (answer.status, answer.header("location")), "{host}{path}");
    (answer.status.as_u16(), answer.header("location").to_owned())
}

fn leads(url: &str) -> (u16, String) {
    (302, url.to_owned())
}

fn page(status: u16) -> (u16, String) {
    (status, String::new())
}

#[on_each_database]
async fn a_host_leads_where_its_settings_say(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let now = server.clock.now();
    let [own, domain, subdomain] = hosts(&server, &token, &dns).await;
    for host in [&own, &domain, &subdomain] {
        let create = async |slug: &str, life: Json| {
            let mut body = json!({ "destinationUrl": "https://example.com/there", "slug": slug, "domain": host });
            body.as_object_mut().unwrap().extend(life.as_object().unwrap().clone());
            server.post("/links", &token, body).await.expect(201);
        };
        create("plain", json!({})).await;
        create("off", json!({ "isActive": false })).await;
        create("soon", json!({ "startsAt": rfc3339(now + HOUR) })).await;
        create("expired", json!({ "expiresAt": rfc3339(now - HOUR) })).await;
        create("own-end", json!({ "expiresAt": rfc3339(now - HOUR), "expiredUrl": "https://example.com/own" })).await;
        create("few", json!({ "maxClicks": 1 })).await;
        ask(&server, "POST", host, "/few").await.expect(303);
        create("blocked", json!({})).await;
        operate(&database, &["links", "block", &format!("{host}/blocked"), "--reason", "test"]).await;
        eventually("it is blocked", async || (server.at_host(host, "/blocked").await.status == 410).then_some(()))
            .await;
    }
    let nothing =
        [("/", page(404)), ("/unknown", page(404)), ("/off", page(404)), ("/soon", page(404)), ("/a/b", page(404))];
    let ended = [("/expired", page(410)), ("/few", page(410))];
    let always = [
        ("/plain", leads("https://example.com/there")),
        ("/own-end", leads("https://example.com/own")),
        ("/blocked", page(410)),
    ];
    for (number, host) in [&domain, &subdomain].into_iter().enumerate() {
        let check = async |expected: &[(&str, (u16, String))], when: &str| {
            for (path, outcome) in expected.iter().chain(&always) {
                assert_eq!(at(&server, host, path).await, *outcome, "{host}{path} {when}");
            }
        };
        let lost = nothing.clone().map(|(path, _)| (path, leads(LOST)));
        let over = ended.clone().map(|(path, _)| (path, leads(OVER)));
        check(&[&nothing[..], &ended].concat(), "at first").await;
        let through_graphql = number == 1;
        let settings = set(&server, &token, host, through_graphql, json!({ "notFoundUrl": LOST })).await;
        assert_eq!((&settings["notFoundUrl"], &settings["rootUrl"]), (&json!(LOST), &Json::Null));
        check(&[&lost[..], &ended].concat(), "with one for what is not found").await;
        let settings =
            set(&server, &token, host, !through_graphql, json!({ "rootUrl": ROOT, "expiredUrl": OVER })).await;
        assert_eq!([&settings["notFoundUrl"], &settings["rootUrl"], &settings["expiredUrl"]], [LOST, ROOT, OVER]);
        check(&[&lost[1..], &over, &[("/", leads(ROOT)), ("/?x=y", leads(ROOT))]].concat(), "with all").await;
        // Forms are for links.
        ask(&server, "POST", host, "/unknown").await.expect(405);
        ask(&server, "POST", host, "/").await.expect(404);
        ask(&server, "POST", host, "/soon").await.expect(404);
        ask(&server, "DELETE", host, "/").await.expect(404);
        assert_eq!(ask(&server, "POST", host, "/expired").await.header("location"), OVER);
        // What is absent stays.
        let kept = set(&server, &token, host, true, json!({ "forwardsQuery": false })).await;
        assert_eq!(kept, settings);
        let cleared =
            set(&server, &token, host, through_graphql, json!({ "notFoundUrl": null, "rootUrl": null })).await;
        assert_eq!(
            (&cleared["notFoundUrl"], &cleared["rootUrl"], &cleared["expiredUrl"]),
            (&Json::Null, &Json::Null, &json!(OVER))
        );
        check(&[&nothing[..], &over].concat(), "with one for after the end").await;
        set(&server, &token, host, through_graphql, json!({ "expiredUrl": null })).await;
        check(&[&nothing[..], &ended].concat(), "in the end").await;
    }
    // The service's own host has none.
    for (path, outcome) in nothing[1..4].iter().chain(&ended).chain(&always) {
        assert_eq!(at(&server, &own, path).await, *outcome, "{path}");
    }
    let set = "SELECT count(*) FROM host_settings WHERE ignores_case OR forwards_query OR \
               coalesce(root_url, not_found_url, expired_url, favicon_url, robots_text, security_contact, default_tags) IS NOT NULL";
    assert_eq!(database.number(set).await, 0);
    // Nobody followed a link there.
    let clicks = "SELECT count(*) FROM links WHERE click_count > 0 AND slug NOT IN ('plain', 'few', 'blocked')";
    assert_eq!(database.number(clicks).await, 0);
}

#[on_each_database]
async fn what_is_refused_changes_no_setting(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let (token, bob) = (server.register("ada").await, server.register("bob").await);
    let [_, domain, subdomain] = hosts(&server, &token, &dns).await;
    let pending = add(&server, &token, "later.example.com").await;
    let theirs = add(&server, &bob, "theirs.example.com").await;
    operate(&database, &["destinations", "block", "evil.example"]).await;
    let path = format!("/domains/{}", id(&add(&server, &bob, "bobs.example.com").await));
    for host in [&domain, &subdomain] {
        set(&server, &token, host, false, json!({ "rootUrl": ROOT })).await;
    }
    let stored =
        "SELECT count(*) FROM host_settings WHERE root_url = 'https://example.com/root' AND not_found_url IS NULL";
    let events = "SELECT count(*) FROM outbox_events WHERE kind LIKE '%.updated'";
    let before = (database.number(stored).await, database.number(events).await);
    assert_eq!(before, (2, 2));
    let longest = format!("https://example.com/?{}", "a".repeat(1_024 - 21));
    eventually("the block is known", async || {
        let body = json!({ "notFoundUrl": "https://evil.example/" });
        (server.call("PATCH", "/subdomain", &token, body).await.status == 400).then_some(())
    })
    .await;
    let domains = server.get("/domains?fields=id,domain", &token).await.json();
    let of_domain =
        domains["data"].as_array().unwrap().iter().find(|it| it["domain"] == domain.as_str()).unwrap().clone();
    for path in ["/subdomain".to_owned(), format!("/domains/{}", id(&of_domain))] {
        for (body, violation) in [
            (json!({ "notFoundUrl": "ftp://example.com/" }), "notFoundUrl"),
            (json!({ "notFoundUrl": "" }), "notFoundUrl"),
            (json!({ "notFoundUrl": "https://a:b@example.com/" }), "notFoundUrl"),
            (json!({ "notFoundUrl": format!("{longest}a") }), "notFoundUrl"),
            (json!({ "notFoundUrl": format!("https://example.com/?{}", "é".repeat(200)) }), "notFoundUrl"),
            (json!({ "notFoundUrl": format!("https://example.com/?{}", "\\".repeat(503)) }), "notFoundUrl"),
            (json!({ "notFoundUrl": "http://sho.rt/a" }), "notFoundUrl"),
            (json!({ "notFoundUrl": "http://sho.rt/" }), "notFoundUrl"),
            (json!({ "expiredUrl": format!("https://{domain}/") }), "expiredUrl"),
            (json!({ "expiredUrl": format!("https://{subdomain}/nothing") }), "expiredUrl"),
            (json!({ "rootUrl": "https://nobody.sho.rt/" }), "rootUrl"),
            // It would lead in circles once it is proved.
            (json!({ "rootUrl": "https://LATER.example.com./" }), "rootUrl"),
            (json!({ "rootUrl": "https://a.evil.example/" }), "rootUrl"),
            (json!({ "forwardsQuery": null, "rootUrl": LOST }), "forwardsQuery"),
            (json!({ "defaultTags": null }), "defaultTags"),
            (json!({ "faviconUrl": "javascript:alert(1)" }), "faviconUrl"),
            (json!({ "robotsText": "a\u{0}b" }), "robotsText"),
            (json!({ "robotsText": "Disallow: /ü" }), "robotsText"),
            (json!({ "robotsText": "x".repeat(501) }), "robotsText"),
            (json!({ "securityContact": "http://example.com/" }), "securityContact"),
            (json!({ "ignoresCase": "yes" }), "ignoresCase"),
        ] {
            let answer = server.call("PATCH", &path, &token, body.clone()).await.expect(400);
            assert_eq!(answer.violations(), [violation], "{body}");
        }
    }
    // Another account's, and none.
    for (path, token) in [(path.as_str(), &token), ("/subdomain", &bob), ("/domains/nonsense", &bob)] {
        server.call("PATCH", path, token, json!({ "rootUrl": LOST })).await.expect(404);
    }
    let key = server.api_key(&token, &["domains:read", "subdomain:read", "links:write"]).await;
    for path in ["/api/v1/subdomain".to_owned(), format!("/api/v1/domains/{}", id(&of_domain))] {
        server.call("PATCH", &path, &key, json!({ "rootUrl": LOST })).await.expect(403);
    }
    assert_eq!((database.number(stored).await, database.number(events).await), before);
    // The longest, and what is another's as long as nobody has proved it.
    set(&server, &token, &subdomain, true, json!({ "notFoundUrl": longest, "rootUrl": "https://theirs.example.com/" }))
        .await;
    assert_eq!(at(&server, &subdomain, "/nothing").await, leads(&longest));
    drop((pending, theirs));
}

/// Settings do not pass to another account, and an account that gets the host again begins without settings.
#[on_each_database]
async fn settings_go_with_the_domain_and_the_claim(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let (ada, bob) = (server.register("ada").await, server.register("bob").await);
    let rows = async || database.number("SELECT count(*) FROM host_settings").await;
    // Where no links are served, `/` is the API's.
    let nobodys = page(200);
    // Before it is proved, they wait.
    let (domain, his) = (add(&server, &ada, NAME).await, add(&server, &bob, NAME).await);
    set(&server, &ada, NAME, false, json!({ "rootUrl": ROOT, "notFoundUrl": LOST })).await;
    assert_eq!(at(&server, NAME, "/").await, nobodys.clone());
    prove(&dns, NAME, &[&domain]);
    assert_eq!(verify(&server, &ada, &domain).await["settings"]["rootUrl"], ROOT);
    assert_eq!(at(&server, NAME, "/").await, leads(ROOT));
    // DNS proves the name for another, who has settings of his own.
    set(&server, &bob, NAME, true, json!({ "notFoundUrl": OVER })).await;
    assert_eq!(at(&server, NAME, "/nothing").await, leads(LOST));
    prove(&dns, NAME, &[&his]);
    assert_eq!(verify(&server, &bob, &his).await["status"], "ACTIVE");
    assert_eq!((at(&server, NAME, "/").await, at(&server, NAME, "/nothing").await), (leads(OVER), leads(OVER)));
    assert_eq!(server.get(&format!("/domains/{}", id(&domain)), &ada).await.json()["settings"]["rootUrl"], ROOT);
    assert_eq!(rows().await, 2);
    // A domain that is deleted and added again has no settings.
    server.call("DELETE", &format!("/domains/{}", id(&his)), &bob, Json::Null).await.expect(204);
    assert_eq!((at(&server, NAME, "/").await, rows().await), (nobodys.clone(), 1));
    let again = add(&server, &bob, NAME).await;
    assert!(again["settings"]["notFoundUrl"].is_null(), "{again}");
    prove(&dns, NAME, &[&again]);
    verify(&server, &bob, &again).await;
    assert_eq!(at(&server, NAME, "/nothing").await, page(404));
    server.leave(&ada).await.expect(204);
    assert_eq!(rows().await, 0);

    let ada = server.register("grace").await;
    server.post("/subdomain", &ada, json!({ "subdomain": "shared" })).await.expect(201);
    set(&server, &ada, "shared.sho.rt", false, json!({ "rootUrl": ROOT })).await;
    assert_eq!(at(&server, "shared.sho.rt", "/").await, nobodys.clone());
    server.post("/subdomain/activate", &ada, Json::Null).await.expect(200);
    assert_eq!(at(&server, "shared.sho.rt", "/").await, leads(ROOT));
    server.clock.advance(2 * HOUR);
    server.call("DELETE", "/subdomain", &ada, Json::Null).await.expect(204);
    assert_eq!((at(&server, "shared.sho.rt", "/").await, rows().await), (nobodys.clone(), 0));
    server.clock.advance(31 * DAY);
    let bob = server.login("bob").await;
    let claimed = server.post("/subdomain", &bob, json!({ "subdomain": "shared" })).await.expect(201).json();
    assert!(claimed["settings"]["rootUrl"].is_null(), "{claimed}");
    server.post("/subdomain/activate", &bob, Json::Null).await.expect(200);
    assert_eq!(at(&server, "shared.sho.rt", "/").await, page(404));
}

#[on_each_database]
async fn a_host_leads_nowhere_that_the_operator_has_blocked(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let [_, domain, subdomain] = hosts(&server, &token, &dns).await;
    for host in [&domain, &subdomain] {
        let input = json!({ "rootUrl": "https://a.evil.example/", "notFoundUrl": "https://evil.example/lost", "expiredUrl": OVER });
        set(&server, &token, host, false, input).await;
        let body = json!({ "destinationUrl": "https://example.com/", "slug": "old", "domain": host, "expiresAt": rfc3339(server.clock.now() - 1) });
        server.post("/links", &token, body).await.expect(201);
    }
    let answers = async || {
        let mut answers = Vec::new();
        for host in [&domain, &subdomain] {
            for path in ["/", "/nothing", "/old"] {
                answers.push(server.at_host(host, path).await.status.as_u16());
            }
        }
        answers
    };
    let become_ = async |expected: [u16; 6]| {
        eventually("the hosts lead so", async || (answers().await == expected).then_some(())).await;
    };
    become_([302; 6]).await;
    let said = operate(&database, &["destinations", "block", "evil.example"]).await;
    assert!(said.ends_with("4 URLs of hosts' settings lead there; nobody is redirected to them\n"), "{said}");
    become_([404, 404, 302, 404, 404, 302]).await;
    let shown = server.get("/subdomain", &token).await.json();
    assert_eq!(shown["settings"]["rootUrl"], "https://a.evil.example/");
    operate(&database, &["destinations", "unblock", "evil.example"]).await;
    become_([302; 6]).await;
    operate(&database, &["accounts", "suspend", "ada@example.com"]).await;
    become_([404, 404, 410, 404, 404, 410]).await;
    operate(&database, &["accounts", "restore", "ada@example.com"]).await;
    become_([302; 6]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_nodes_follow_new_settings_within_a_second() {
    let database = TestDatabase::postgres().await;
    let directories = [database.node(), database.node()];
    let (first, second) = (directories[0].start().await, directories[1].start().await);
    let token = first.register("ada").await;
    first.post("/subdomain", &token, json!({ "subdomain": "ada" })).await.expect(201);
    first.post("/subdomain/activate", &token, Json::Null).await.expect(200);
    for round in 0..5 {
        let url = format!("https://example.com/{round}");
        second.at_host("ada.sho.rt", "/").await;
        set(&first, &token, "ada.sho.rt", false, json!({ "rootUrl": url })).await;
        let changed = std::time::Instant::now();
        assert_eq!(first.at_host("ada.sho.rt", "/").await.header("location"), url, "on its own node at once");
        eventually("the other node follows", async || {
            (second.at_host("ada.sho.rt", "/").await.header("location") == url).then_some(())
        })
        .await;
        assert!(changed.elapsed() <= soon(), "{:?}", changed.elapsed());
    }
    first.stop().await;
    second.stop().await;
}

/// New links of a host get its tags, beside their own; tags that are renamed, merged or deleted are so in settings too.
#[on_each_database]
async fn links_get_the_default_tags_of_their_host(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("alice").await;
    let host = "go.example.com";
    let domain = add(&server, &token, host).await;
    prove(&dns, host, &[&domain]);
    assert_eq!(verify(&server, &token, &domain).await["status"], "ACTIVE");
    let tags = async |names: Json| {
        set(&server, &token, host, false, json!({ "defaultTags": names })).await["defaultTags"].clone()
    };
    let kept =
        async || set(&server, &token, host, false, json!({ "forwardsQuery": false })).await["defaultTags"].clone();
    assert_eq!(tags(json!(["spring", "Poster ", "SPRING"])).await, json!(["Poster", "SPRING"]));
    set(&server, &token, host, true, json!({ "ignoresCase": true })).await;
    let create = async |slug: &str, domain: Option<&str>, names: Json| {
        let body = json!({ "destinationUrl": "https://example.com/", "slug": slug, "domain": domain, "tags": names });
        server.post("/links", &token, body).await
    };
    assert_eq!(
        create("a", Some(host), json!(["poster", "x"])).await.expect(201).json()["tags"],
        json!(["poster", "SPRING", "x"])
    );
    assert_eq!(create("b", None, json!(["x"])).await.expect(201).json()["tags"], json!(["x"]));
    // Each of several links, once those are counted that it would have.
    let many: Vec<String> = (0..19).map(|number| format!("t{number}")).collect();
    let links = json!([
        { "destinationUrl": "https://example.com/", "slug": "c", "domain": host },
        { "destinationUrl": "https://example.com/", "slug": "d", "domain": host, "tags": many },
        { "destinationUrl": "https://example.com/", "slug": "e", "tags": many },
    ]);
    let results =
        server.post("/links/bulk", &token, json!({ "links": links })).await.expect(200).json()["results"].clone();
    assert_eq!(results[0]["link"]["tags"], json!(["poster", "SPRING"]));
    assert_eq!(results[1]["error"]["validationErrors"][0]["path"], "tags", "{results}");
    assert_eq!(results[2]["link"]["tags"].as_array().unwrap().len(), 19);
    assert_eq!(database.number("SELECT count(*) FROM links WHERE slug = 'd'").await, 0);
    // Neither a link that is returned nor one that moves to the host is changed.
    let known =
        json!({ "destinationUrl": "https://example.com/", "domain": host, "ifExists": "RETURN", "tags": ["new"] });
    assert_eq!(server.post("/links", &token, known).await.json()["tags"], json!(["poster", "SPRING", "x"]));
    let moved = create("f", None, json!([])).await.expect(201).json();
    let moved =
        server.call("PATCH", &format!("/links/{}", id(&moved)), &token, json!({ "domain": host })).await.expect(200);
    assert_eq!(moved.json()["tags"], json!([]));

    let all = server.get("/tags?pageSize=100", &token).await.expect(200).json();
    let tag =
        |name: &str| id(all["data"].as_array().unwrap().iter().find(|tag| tag["name"] == name).unwrap()).to_owned();
    server.call("PATCH", &format!("/tags/{}", tag("SPRING")), &token, json!({ "name": "summer" })).await.expect(200);
    assert_eq!(kept().await, json!(["Poster", "summer"]));
    server.post(&format!("/tags/{}/merge", tag("poster")), &token, json!({ "into": tag("x") })).await.expect(200);
    assert_eq!(kept().await, json!(["summer", "x"]));
    server.call("DELETE", &format!("/tags/{}", tag("x")), &token, Json::Null).await.expect(204);
    assert_eq!(kept().await, json!(["summer"]));
    assert_eq!(tags(json!([])).await, json!([]));
    assert_eq!(create("g", Some(host), json!([])).await.expect(201).json()["tags"], json!([]));
    for names in [json!(["a,b"]), json!([""]), json!(vec!["t"; 21])] {
        let domains = server.get("/domains", &token).await.json();
        let path = format!("/domains/{}", id(&domains["data"][0]));
        let refused = server.call("PATCH", &path, &token, json!({ "defaultTags": names })).await.expect(400);
        assert!(refused.violations()[0].starts_with("defaultTags"), "{refused:?}");
        assert_eq!(server.get("/domains", &token).await.json(), domains);
    }
}
