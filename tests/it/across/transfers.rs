//! Links and domains that one account gives to another, with their clicks.

use futures_util::future::join_all;
use linkgraph::base::clock::DAY;
use reqwest::StatusCode;
use sea_orm::ConnectionTrait;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, Http, TestDatabase,
        dns::TestDns,
        domains::{self, NAME},
        eventually,
        members::account,
        process::operate,
        receiver::id,
    },
};

/// Offers links to an account.
async fn offer(server: &Http, token: &str, to: &Json, links: &[&Json]) -> Answer {
    let ids: Vec<&str> = links.iter().map(|link| id(link)).collect();
    server.post("/transfers", token, json!({ "toAccountId": to, "linkIds": ids })).await
}

async fn accept(server: &Http, token: &str, transfer: &Json) -> Answer {
    server.post(&format!("/transfers/{}/accept", id(transfer)), token, Json::Null).await
}

async fn withdraw(server: &Http, token: &str, transfer: &Json) -> Answer {
    server.call("DELETE", &format!("/transfers/{}", id(transfer)), token, Json::Null).await
}

/// Slugs of an account's links, in their order.
async fn slugs(server: &Http, token: &str) -> Vec<String> {
    let links = server.get("/links?pageSize=100", token).await.expect(200).json();
    let slugs = links["data"].as_array().unwrap().iter().map(|link| link["slug"].as_str().unwrap().to_owned());
    let mut slugs: Vec<_> = slugs.collect();
    slugs.sort_unstable();
    assert_eq!(links["total"], slugs.len());
    slugs
}

#[on_each_database]
async fn links_change_hands_with_their_clicks_and_redirect_all_the_time(database: TestDatabase) {
    let server = database.start().await;
    let [ada, grace, eve] =
        [server.register("ada").await, server.register("grace").await, server.register("eve").await];
    let there = account(&server, &grace).await;
    let texts =
        json!({ "title": "Spring", "notes": "For May", "externalId": "a-1", "tags": ["Sale", "may"], "maxClicks": 9 });
    let spring = server.link_with(&ada, "spring", texts).await;
    let autumn = server.link(&ada, "autumn").await;
    server.link(&ada, "winter").await;
    for slug in ["autumn", "autumn", "winter"] {
        assert_eq!(server.follow(slug).await.status, 302);
    }
    database.clicks_become(3).await;
    for link in [json!(id(&spring)), json!(id(&autumn)), Json::Null] {
        let annotation = json!({ "occurredAt": "2026-11-24T07:00:00Z", "text": "A talk", "linkId": link });
        server.post("/analytics/annotations", &ada, annotation).await.expect(201);
        server.post("/reports", &ada, json!({ "name": "Talks", "linkId": link })).await.expect(201);
    }
    let mine = server.get("/analytics/summary", &ada).await.expect(200).json();

    let sent = offer(&server, &ada, &there, &[&spring, &autumn]).await.expect(201).json();
    assert_eq!((&sent["state"], &sent["linkCount"], &sent["domain"]), (&json!("OFFERED"), &json!(2), &Json::Null));
    assert_eq!((&sent["fromAccount"]["name"], &sent["toAccount"]["name"]), (&json!("ada"), &json!("grace")));
    assert_eq!(sent["shortUrls"], json!([spring["shortUrl"], autumn["shortUrl"]]));
    // Both see it; nothing has changed hands, and nobody else accepts it.
    for token in [&ada, &grace] {
        assert_eq!(server.get("/transfers", token).await.expect(200).json()["data"], json!([sent]));
    }
    assert_eq!(server.get("/transfers", &eve).await.expect(200).json()["total"], 0);
    accept(&server, &eve, &sent).await.expect(404);
    withdraw(&server, &eve, &sent).await.expect(404);
    accept(&server, &ada, &sent).await.expect(403);
    assert_eq!(slugs(&server, &grace).await, [""; 0]);

    let done = accept(&server, &grace, &sent).await.expect(200).json();
    assert_eq!((&done["state"], &done["movedLinks"]), (&json!("DONE"), &json!(2)));
    assert_eq!(server.get(&format!("/transfers/{}", id(&sent)), &ada).await.expect(200).json(), done);
    assert_eq!(slugs(&server, &ada).await, ["winter"]);
    assert_eq!(slugs(&server, &grace).await, ["autumn", "spring"]);
    // The giver's annotations and reports are not given away.
    for (token, left) in [(&ada, 1), (&grace, 0)] {
        for path in ["/analytics/annotations", "/reports"] {
            assert_eq!(server.get(path, token).await.expect(200).json()["total"], left, "{path}");
        }
    }
    for (link, answer) in [(&spring, 404), (&autumn, 404)] {
        let path = format!("/links/{}", id(link));
        server.get(&path, &ada).await.expect(answer);
        server.call("PATCH", &path, &ada, json!({ "destinationUrl": "https://example.net/" })).await.expect(answer);
    }
    let got = server.get(&format!("/links/{}", id(&spring)), &grace).await.expect(200).json();
    for field in ["shortUrl", "destinationUrl", "title", "notes", "externalId", "tags", "maxClicks", "createdAt"] {
        assert_eq!(got[field], spring[field], "{field}");
    }
    assert_ne!(got["updatedAt"], spring["updatedAt"]);
    assert_eq!(server.get(&format!("/links/{}", id(&autumn)), &grace).await.json()["clickCount"], 2);
    let tags = server.get("/tags", &grace).await.expect(200).json();
    let tags: Vec<_> = tags["data"].as_array().unwrap().iter().map(|tag| (&tag["name"], &tag["linkCount"])).collect();
    assert_eq!(tags, [(&json!("may"), &json!(1)), (&json!("Sale"), &json!(1))]);
    assert_eq!(server.get("/links?tags=sale", &grace).await.expect(200).json()["total"], 1);

    // Clicks from now on are the other account's, and changes take effect.
    assert_eq!(server.follow("autumn").await.status, 302);
    database.clicks_become(4).await;
    let path = format!("/analytics/{}/summary", id(&autumn));
    let summary = async || {
        let summary = server.get(&path, &grace).await.expect(200).json();
        (summary["totals"]["clicks"] == 3).then_some(summary)
    };
    eventually("the clicks of the link", summary).await;
    server.get(&path, &ada).await.expect(404);
    let total = async |token: &str| {
        server.get("/analytics/summary", token).await.expect(200).json()["totals"]["clicks"].clone()
    };
    assert_eq!((total(&grace).await, total(&ada).await), (json!(1), mine["totals"]["clicks"].clone()));
    let changed = json!({ "destinationUrl": "https://example.net/new" });
    server.call("PATCH", &format!("/links/{}", id(&autumn)), &grace, changed).await.expect(200);
    assert_eq!(server.follow("autumn").await.header("location"), "https://example.net/new");
    assert_eq!((database.events("link.deleted").await, database.events("link.created").await), (2, 5));
    // What each may still create follows.
    for (token, used) in [(&ada, 1), (&grace, 2)] {
        let usage = server.get("/billing/usage", token).await.expect(200).json();
        assert_eq!(usage["links"]["used"], used, "{usage}");
    }
}

#[on_each_database]
async fn what_is_refused_changes_nothing(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = domains::start(&database, &dns).await;
    let [ada, grace] = [server.register("ada").await, server.register("grace").await];
    let (here, there) = (account(&server, &ada).await, account(&server, &grace).await);
    let spring = server.link_with(&ada, "spring", json!({ "externalId": "1" })).await;
    let theirs = server.link_with(&grace, "theirs", json!({ "externalId": "1" })).await;
    let (domain, own) = (domains::add(&server, &ada, NAME).await, domains::add(&server, &grace, NAME).await);
    domains::prove(&dns, NAME, &[&domain]);
    domains::verify(&server, &ada, &domain).await;
    domains::link(&server, &ada, NAME, "hosted").await;
    let hosted = server.get(&format!("/links?domain={NAME}"), &ada).await.expect(200).json()["data"][0].clone();

    let refused = async |body: Json, status: u16, path: &str| {
        let details = server.post("/transfers", &ada, body).await.expect(status).json()["error"]["details"].clone();
        let named = if status == 400 { &details["validationErrors"][0]["path"] } else { &details["path"] };
        assert_eq!(named, path, "{details}");
    };
    let link = id(&spring);
    refused(json!({ "toAccountId": here, "linkIds": [link] }), 400, "toAccountId").await;
    refused(json!({ "toAccountId": id(&spring), "linkIds": [link] }), 404, "toAccountId").await;
    refused(json!({ "toAccountId": "x", "linkIds": [link] }), 400, "toAccountId").await;
    refused(json!({ "toAccountId": there }), 400, "linkIds").await;
    refused(json!({ "toAccountId": there, "linkIds": [link], "domainId": id(&domain) }), 400, "linkIds").await;
    refused(json!({ "toAccountId": there, "linkIds": [] }), 400, "linkIds").await;
    refused(json!({ "toAccountId": there, "linkIds": [link, id(&theirs)] }), 404, "linkIds.1").await;
    refused(json!({ "toAccountId": there, "linkIds": [id(&hosted)] }), 400, "linkIds.0").await;
    refused(json!({ "toAccountId": there, "domainId": link }), 404, "domainId").await;
    assert_eq!(server.get("/transfers", &ada).await.expect(200).json()["total"], 0);

    // Both have a link with this external id.
    let sent = offer(&server, &ada, &there, &[&spring]).await.expect(201).json();
    let clash = accept(&server, &grace, &sent).await.expect(409).json();
    assert_eq!(clash["error"]["details"]["externalIds"], json!(["1"]));
    withdraw(&server, &ada, &sent).await.expect(204);
    accept(&server, &grace, &sent).await.expect(404);
    server.call("DELETE", &format!("/links/{}", id(&theirs)), &grace, Json::Null).await.expect(204);
    let sent = offer(&server, &ada, &there, &[&spring]).await.expect(201).json();
    withdraw(&server, &grace, &sent).await.expect(204);
    // An offer expires.
    let sent = offer(&server, &ada, &there, &[&spring]).await.expect(201).json();
    server.clock.advance(7 * DAY);
    let [ada, grace] = [server.login("ada").await, server.login("grace").await];
    accept(&server, &grace, &sent).await.expect(404);
    assert_eq!(server.get("/transfers", &grace).await.expect(200).json()["total"], 0);
    // The account has the domain itself.
    let body = json!({ "toAccountId": there, "domainId": id(&domain) });
    let sent = server.post("/transfers", &ada, body).await.expect(201).json();
    assert_eq!(accept(&server, &grace, &sent).await.expect(409).json()["error"]["details"]["path"], "domain");
    server.call("DELETE", &format!("/domains/{}", id(&own)), &grace, Json::Null).await.expect(204);
    assert_eq!(slugs(&server, &ada).await, ["hosted", "spring"]);
    assert_eq!(slugs(&server, &grace).await, [""; 0]);
    // Of ten that accept at once, one does.
    let answers = join_all((0..10).map(|_| accept(&server, &grace, &sent))).await;
    let done: Vec<u16> = answers.iter().map(|it| it.status.as_u16()).filter(|status| *status != 409).collect();
    assert_eq!(done, [200]);
    let moved = async || (slugs(&server, &grace).await == ["hosted"]).then_some(());
    eventually("the link of the domain", moved).await;
    withdraw(&server, &ada, &sent).await.expect(409);
}

#[on_each_database]
async fn the_plan_of_the_account_that_gets_has_room(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "free")]).await;
    let [ada, grace] = [server.register("ada").await, server.register("grace").await];
    let there = account(&server, &grace).await;
    server.link(&grace, "own").await;
    // As if it had created all but one that the plan allows.
    let used = "UPDATE accounts SET link_count = 999 WHERE link_count = 1";
    database.connect().await.execute_unprepared(used).await.unwrap();
    let batch = |name: &str, count: i64| -> Json {
        let links = (0..count)
            .map(|number| json!({ "destinationUrl": "https://example.com/", "slug": format!("{name}{number}") }));
        json!({ "links": links.collect::<Vec<_>>() })
    };
    let made = server.post("/links/bulk", &ada, batch("a", 2)).await.expect(200).json();
    let links: Vec<&Json> = made["results"].as_array().unwrap().iter().map(|result| &result["link"]).collect();
    let sent = offer(&server, &ada, &there, &links).await.expect(201).json();
    let full = accept(&server, &grace, &sent).await;
    assert_eq!((full.status, full.code()), (StatusCode::FORBIDDEN, "PLAN_LIMIT_REACHED".to_owned()));
    assert_eq!(slugs(&server, &ada).await, ["a0", "a1"]);
    let one = offer(&server, &ada, &there, &links[..1]).await.expect(201).json();
    accept(&server, &grace, &one).await.expect(200);
    assert_eq!(slugs(&server, &ada).await, ["a1"]);
}

#[on_each_database]
async fn a_domain_redirects_while_its_links_follow_it(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = domains::start(&database, &dns).await;
    let [ada, grace] = [server.register("ada").await, server.register("grace").await];
    let there = account(&server, &grace).await;
    let domain = domains::add(&server, &ada, NAME).await;
    domains::prove(&dns, NAME, &[&domain]);
    domains::verify(&server, &ada, &domain).await;
    domains::set(&server, &ada, NAME, false, json!({ "ignoresCase": true, "notFoundUrl": "https://example.org/none" }))
        .await;
    for batch in 0..5 {
        let links = (0..100).map(|number| {
            json!({ "destinationUrl": "https://example.org/", "slug": format!("s{batch}-{number}"), "domain": NAME, "tags": ["all"] })
        });
        server.post("/links/bulk", &ada, json!({ "links": links.collect::<Vec<_>>() })).await.expect(200);
    }
    server.link(&ada, "stays").await;
    let apps = json!({ "iosApps": [{ "appId": "ABCDE12345.com.example.app" }] });
    let apps_path = format!("/apps/hosts/{NAME}");
    let apps = server.call("PUT", &apps_path, &ada, apps).await.expect(200).json();
    let pages_path = format!("/domains/hosts/{NAME}/pages");
    let pages = server.call("PUT", &pages_path, &ada, json!({ "accentColor": "#1d3557" })).await.expect(200).json();
    let body = json!({ "toAccountId": there, "domainId": id(&domain) });
    let sent = server.post("/transfers", &ada, body).await.expect(201).json();
    assert_eq!((&sent["domain"], &sent["linkCount"], &sent["shortUrls"]), (&json!(NAME), &json!(500), &json!([])));
    let accepted = accept(&server, &grace, &sent).await.expect(200).json();
    assert_eq!((&accepted["state"], &accepted["linkCount"]), (&json!("MOVING"), &json!(500)));
    // Each slug redirects at any time, whoever has its link now, in any case.
    let mut asked = 0;
    let state = loop {
        for batch in 0..5 {
            let slug = format!("/S{batch}-{}", asked % 100);
            assert_eq!(server.at_host(NAME, &slug).await.header("location"), "https://example.org/", "{slug}");
            asked += 1;
        }
        let transfer = server.get(&format!("/transfers/{}", id(&sent)), &ada).await.expect(200).json();
        if transfer["state"] != "MOVING" || asked > 100_000 {
            break transfer;
        }
    };
    assert_eq!((&state["state"], &state["movedLinks"]), (&json!("DONE"), &json!(500)));
    assert_eq!(server.get("/links", &grace).await.expect(200).json()["total"], 500);
    assert_eq!(slugs(&server, &ada).await, ["stays"]);
    assert_eq!(server.get("/links?tags=all", &grace).await.expect(200).json()["total"], 500);
    for batch in 0..5 {
        assert_eq!(server.at_host(NAME, &format!("/s{batch}-99")).await.header("location"), "https://example.org/");
    }
    assert_eq!(server.at_host(NAME, "/nowhere").await.header("location"), "https://example.org/none");
    // The domain is the other account's, with its proof, settings, apps and pages.
    assert_eq!(server.get(&apps_path, &grace).await.expect(200).json(), apps);
    assert_eq!(server.get(&pages_path, &grace).await.expect(200).json(), pages);
    server.get(&apps_path, &ada).await.expect(404);
    let file = server.at_host(NAME, "/.well-known/apple-app-site-association").await.expect(200);
    assert!(file.text.contains("ABCDE12345.com.example.app"), "{file:?}");
    let got = domains::get(&server, &grace, &domain).await;
    assert_eq!((&got["status"], &got["settings"]["ignoresCase"]), (&json!("ACTIVE"), &json!(true)));
    assert_eq!(domains::verify(&server, &grace, &domain).await["status"], "ACTIVE");
    server.get(&format!("/domains/{}", id(&domain)), &ada).await.expect(404);
    let body = json!({ "destinationUrl": "https://example.com/", "domain": NAME });
    server.post("/links", &ada, body.clone()).await.expect(404);
    server.post("/links", &grace, body).await.expect(201);
    // The deletion of the account that gave takes nothing with it.
    server.leave(&ada).await.expect(204);
    assert_eq!(server.at_host(NAME, "/s0-0").await.header("location"), "https://example.org/");
}

#[on_each_database]
async fn a_suspended_account_gives_nothing_away(database: TestDatabase) {
    let server = database.start().await;
    let [ada, grace] = [server.register("ada").await, server.register("grace").await];
    let spring = server.link(&ada, "spring").await;
    let sent = offer(&server, &ada, &account(&server, &grace).await, &[&spring]).await.expect(201).json();
    operate(&database, &["accounts", "suspend", "ada@example.com"]).await;
    let refused = accept(&server, &grace, &sent).await;
    assert_eq!((refused.status, refused.code()), (StatusCode::CONFLICT, "CONFLICT".to_owned()));
    assert_eq!(slugs(&server, &grace).await, [""; 0]);
    eventually("the link is disabled", async || (server.follow("spring").await.status == 410).then_some(())).await;
    // Its offer is still there when it is suspended no longer.
    operate(&database, &["accounts", "restore", "ada@example.com"]).await;
    accept(&server, &grace, &sent).await.expect(200);
    assert_eq!(slugs(&server, &grace).await, ["spring"]);
}
