//! Hosts that ignore case: how links are found there, and that none takes another's place.

use linkgraph::base::clock::{HOUR, rfc3339};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, BROWSER, Http, TestDatabase,
        dns::TestDns,
        domains::{hosts, set, start_with_subdomains},
        eventually,
        process::operate,
        receiver::id,
    },
};

async fn create(http: &Http, token: &str, host: &str, slug: &str, more: Json) -> Answer {
    let mut body = json!({ "destinationUrl": format!("https://example.com/{slug}"), "slug": slug, "domain": host });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    http.post("/links", token, body).await
}

/// As a person's browser asks.
async fn visit(http: &Http, host: &str, path: &str) -> Answer {
    let request = http.request(Method::GET, path).header("host", host);
    http.send(request.header("user-agent", BROWSER)).await
}

async fn location(http: &Http, host: &str, path: &str) -> String {
    http.at_host(host, path).await.header("location").to_owned()
}

async fn ignore(http: &Http, token: &str, host: &str, ignores_case: bool) {
    let settings = set(http, token, host, ignores_case, json!({ "ignoresCase": ignores_case })).await;
    assert_eq!(settings["ignoresCase"], ignores_case);
}

#[on_each_database]
async fn a_slug_is_found_in_any_case_where_the_host_ignores_it(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let [own, domain, subdomain] = hosts(&server, &token, &dns).await;
    for host in [&own, &domain, &subdomain] {
        create(&server, &token, host, "Spring-IT_1", json!({})).await.expect(201);
    }
    let spellings = ["/Spring-IT_1", "/spring-it_1", "/SPRING-IT_1", "/sPRING-it_1.", "/spring-it_1/"];
    let found = async |host: &str| {
        let mut found = 0;
        // From the row, and once more from memory.
        for path in spellings.iter().chain(&spellings) {
            let answer = server.at_host(host, path).await;
            assert!([302, 404].contains(&answer.status.as_u16()), "{answer:?}");
            found += usize::from(answer.header("location") == "https://example.com/Spring-IT_1");
        }
        found
    };
    for host in [&domain, &subdomain] {
        assert_eq!(found(host).await, 2, "{host}");
        ignore(&server, &token, host, true).await;
        assert_eq!(found(host).await, 10, "{host}");
        // A link that is created or changed is found at once, also where the slug was looked up before.
        server.at_host(host, "/NEW").await.expect(404);
        let link = create(&server, &token, host, "New", json!({})).await.expect(201).json();
        assert_eq!(location(&server, host, "/nEW").await, "https://example.com/New");
        let path = format!("/links/{}", id(&link));
        let patch = async |body: Json| server.call("PATCH", &path, &token, body).await.expect(200).json();
        patch(json!({ "destinationUrl": "https://example.com/changed" })).await;
        for path in ["/new", "/New", "/nEW"] {
            assert_eq!(location(&server, host, path).await, "https://example.com/changed");
        }
        // The slug is shown as it was written, and may be written otherwise.
        assert_eq!(patch(json!({ "slug": "NEW" })).await["slug"], "NEW");
        server.at_host(host, "/new").await.expect(302);
        patch(json!({ "isActive": false })).await;
        server.at_host(host, "/new").await.expect(404);
        server.call("DELETE", &path, &token, Json::Null).await.expect(204);
        create(&server, &token, host, "nEw", json!({ "maxClicks": 2 })).await.expect(201);
        for status in [302, 302, 410, 410] {
            visit(&server, host, "/NEW").await.expect(status);
        }
        visit(&server, host, "/new").await.expect(410);
        ignore(&server, &token, host, false).await;
        assert_eq!(found(host).await, 2, "{host}");
    }
    assert_eq!(found(&own).await, 2);
}

/// Entries that were cached while case was ignored are not used after the setting has changed twice.
#[on_each_database]
async fn nothing_is_remembered_from_before_case_mattered(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let [_, _, host] = hosts(&server, &token, &dns).await;
    let link = create(&server, &token, &host, "Spring", json!({})).await.expect(201).json();
    let path = format!("/links/{}", id(&link));
    for round in 0..4 {
        let ignores_case = round % 2 == 0;
        ignore(&server, &token, &host, ignores_case).await;
        for spelling in ["/Spring", "/spring"] {
            server.at_host(&host, spelling).await;
        }
        let destination = format!("https://example.com/{round}");
        ignore(&server, &token, &host, !ignores_case).await;
        server.call("PATCH", &path, &token, json!({ "destinationUrl": destination })).await.expect(200);
        assert_eq!(location(&server, &host, "/Spring").await, destination);
        ignore(&server, &token, &host, ignores_case).await;
        assert_eq!(location(&server, &host, "/Spring").await, destination);
        let expected = if ignores_case { destination.as_str() } else { "" };
        assert_eq!(location(&server, &host, "/spring").await, expected);
    }
}

#[on_each_database]
async fn case_is_not_ignored_while_slugs_clash_and_none_clash_after_that(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let (token, bob) = (server.register("ada").await, server.register("bob").await);
    let [own, domain, subdomain] = hosts(&server, &token, &dns).await;
    let mut ids = Vec::new();
    for (slug, more) in
        [("Spring", json!({})), ("spring", json!({ "isActive": false })), ("autumn", json!({})), ("x", json!({}))]
    {
        ids.push(id(&create(&server, &token, &domain, slug, more).await.expect(201).json()).to_owned());
    }
    // Neither those of another host nor those of another account matter.
    for (token, host, slug) in [(&token, &own, "AUTUMN"), (&token, &subdomain, "AUTUMN"), (&bob, &own, "x")] {
        create(&server, token, host, slug, json!({})).await.expect(201);
    }
    let domains = server.get("/domains?fields=id", &token).await.json();
    let path = format!("/domains/{}", id(&domains["data"][0]));
    let turn_on = async || {
        server.call("PATCH", &path, &token, json!({ "ignoresCase": true, "rootUrl": "https://example.com/" })).await
    };
    let refused = turn_on().await.expect(409);
    let error = refused.json()["error"].clone();
    assert_eq!((&error["code"], &error["details"]), (&json!("CONFLICT"), &json!({ "path": "ignoresCase" })));
    assert!(error["message"].as_str().unwrap().ends_with(": Spring, spring."), "{error}");
    assert_eq!(database.number("SELECT count(*) FROM host_settings").await, 0);
    // The message names ten of many links.
    for number in 0..20 {
        for slug in [format!("many{number}"), format!("MANY{number}")] {
            create(&server, &token, &domain, &slug, json!({})).await.expect(201);
        }
    }
    let message = turn_on().await.expect(409).json()["error"]["message"].as_str().unwrap().to_owned();
    assert_eq!(message.split(", ").count() - 1, 10, "{message}");
    let connection = database.connect().await;
    sea_orm::ConnectionTrait::execute_unprepared(&connection, "DELETE FROM links WHERE substr(slug, 1, 4) = 'MANY'")
        .await
        .unwrap();
    connection.close().await.unwrap();
    server.call("DELETE", &format!("/links/{}", ids[1]), &token, Json::Null).await.expect(204);
    turn_on().await.expect(200);

    // From now on no link gets an address of another, whatever way.
    let taken = "SELECT count(*) FROM links WHERE lower(slug) IN ('spring', 'autumn')";
    let before = database.number(taken).await;
    for slug in ["SPRING", "spring", "Autumn", "AUTUMN"] {
        let error = create(&server, &token, &domain, slug, json!({})).await.expect(409).json()["error"].clone();
        assert_eq!(error["details"], json!({ "path": "slug" }), "{slug}");
    }
    let links = ["Winter", "winter", "sPRING", "SUMMER"]
        .map(|slug| json!({ "destinationUrl": "https://example.com/", "slug": slug, "domain": domain }));
    let answer = server.post("/links/bulk", &token, json!({ "links": links })).await.expect(200).json();
    let codes: Vec<_> = answer["results"].as_array().unwrap().iter().map(|it| it["error"]["code"].clone()).collect();
    assert_eq!(codes, [Json::Null, json!("CONFLICT"), json!("CONFLICT"), Json::Null]);
    for body in [json!({ "slug": "SPRING" }), json!({ "slug": "WINTER" }), json!({ "slug": "summer" })] {
        server.call("PATCH", &format!("/links/{}", ids[2]), &token, body).await.expect(409);
    }
    assert_eq!(database.number(taken).await, before);
    // Random slugs are free in any case too.
    let body = json!({ "destinationUrl": "https://example.com/", "domain": domain });
    let random = server.post("/links", &token, body).await.expect(201).json()["slug"].as_str().unwrap().to_owned();
    server.at_host(&domain, &format!("/{}", random.to_lowercase())).await.expect(302);
    // Elsewhere case matters as before.
    create(&server, &token, &subdomain, "autumn", json!({})).await.expect(201);
    create(&server, &token, &own, "autumn", json!({})).await.expect(201);
}

/// Links that are created while a host is set to ignore case do not clash.
#[on_each_database]
async fn links_that_are_made_meanwhile_do_not_clash(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let [_, _, host] = hosts(&server, &token, &dns).await;
    let clashes =
        "SELECT count(*) FROM (SELECT lower(slug) FROM links GROUP BY lower(slug) HAVING count(*) > 1) AS clashing";
    for round in 0..12 {
        let making: Vec<_> = [format!("race{round}"), format!("RACE{round}")]
            .into_iter()
            .map(|slug| {
                let (http, token, host) = (server.http.clone(), token.clone(), host.clone());
                tokio::spawn(async move { create(&http, &token, &host, &slug, json!({})).await.status.as_u16() })
            })
            .collect();
        let turned = server.call("PATCH", "/subdomain", &token, json!({ "ignoresCase": true })).await.status.as_u16();
        let mut made = Vec::new();
        for making in making {
            made.push(making.await.unwrap());
        }
        made.sort_unstable();
        if turned == 200 {
            assert_eq!((made, database.number(clashes).await), (vec![201, 409], 0), "round {round}");
            server.call("PATCH", "/subdomain", &token, json!({ "ignoresCase": false })).await.expect(200);
        } else {
            assert_eq!((turned, made), (409, vec![201, 201]), "round {round}");
            let listed = server.get(&format!("/links?search=RACE{round}"), &token).await.json();
            server.call("DELETE", &format!("/links/{}", id(&listed["data"][0])), &token, Json::Null).await.expect(204);
        }
    }
}

#[on_each_database]
async fn what_the_operator_blocks_is_blocked_in_any_case_there(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let [_, domain, host] = hosts(&server, &token, &dns).await;
    let status = async |path: &str| server.at_host(&host, path).await.status.as_u16();
    let becomes = async |path: &str, expected: u16| {
        eventually("the link answers so", async || (status(path).await == expected).then_some(())).await;
    };
    let link = create(&server, &token, &host, "Spring", json!({})).await.expect(201).json();
    ignore(&server, &token, &host, true).await;
    for path in ["/spring", "/Spring"] {
        becomes(path, 302).await;
    }
    let said = operate(&database, &["links", "block", &format!("{host}/SPRING"), "--reason", "test"]).await;
    assert!(said.contains("/Spring"), "{said}");
    for path in ["/spring", "/Spring", "/SPRING/"] {
        becomes(path, 410).await;
    }
    let path = format!("/links/{}", id(&link));
    assert_eq!(server.get(&path, &token).await.json()["state"], "BLOCKED");
    for body in [json!({ "slug": "SPRING" }), json!({ "slug": "other" }), json!({ "domain": domain })] {
        server.call("PATCH", &path, &token, body).await.expect(409);
    }
    // Neither deleted nor written otherwise is it free.
    server.call("DELETE", &path, &token, Json::Null).await.expect(204);
    for slug in ["Spring", "spring", "SPRING"] {
        create(&server, &token, &host, slug, json!({})).await.expect(409);
    }
    // Where case matters, another link may have it, and keeps case from being ignored.
    ignore(&server, &token, &host, false).await;
    let other = create(&server, &token, &host, "spring", json!({})).await.expect(201).json();
    assert_eq!(status("/spring").await, 302);
    let refused = server.call("PATCH", "/subdomain", &token, json!({ "ignoresCase": true })).await.expect(409);
    assert!(refused.json()["error"]["message"].as_str().unwrap().ends_with(": spring."), "{refused:?}");
    server.call("DELETE", &format!("/links/{}", id(&other)), &token, Json::Null).await.expect(204);
    ignore(&server, &token, &host, true).await;
    operate(&database, &["links", "unblock", &format!("{host}/sprING")]).await;
    eventually("it is free", async || {
        (create(&server, &token, &host, "sPring", json!({})).await.status == 201).then_some(())
    })
    .await;
    assert_eq!(status("/SPRING").await, 302);
    assert_eq!(database.number("SELECT count(*) FROM blocked_links").await, 0);
}

/// A link moves with its life and its clicks; its old address is free at once.
#[on_each_database]
async fn a_link_moves_to_another_host(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let (token, bob) = (server.register("ada").await, server.register("bob").await);
    server.post("/subdomain", &bob, json!({ "subdomain": "bob" })).await.expect(201);
    server.post("/subdomain/activate", &bob, Json::Null).await.expect(200);
    let [own, domain, subdomain] = hosts(&server, &token, &dns).await;
    let more = json!({ "expiresAt": rfc3339(server.clock.now() + HOUR) });
    let link = create(&server, &token, &own, "Spring", more).await.expect(201).json();
    let path = format!("/links/{}", id(&link));
    let follow = async |host: &str, path: &str| visit(&server, host, path).await.status.as_u16();
    assert_eq!(follow(&own, "/Spring").await, 302);
    let places = [
        (&domain, "https://go.example.com/Spring"),
        (&subdomain, "http://ada.sho.rt/Spring"),
        (&own, "http://sho.rt/Spring"),
    ];
    let mut from = &own;
    for (number, (to, short_url)) in places.into_iter().enumerate() {
        for host in [from, to] {
            follow(host, "/Spring").await;
        }
        let moved = if number % 2 == 0 {
            server.call("PATCH", &path, &token, json!({ "domain": to.to_uppercase() })).await.expect(200).json()
        } else {
            let query = "mutation($id: ID!, $input: UpdateLinkInput!) { updateLink(id: $id, input: $input) { domain shortUrl slug expiresAt } }";
            server.graphql(&token, query, json!({ "id": link["id"], "input": { "domain": to } })).await["data"]["updateLink"].clone()
        };
        assert_eq!((&moved["shortUrl"], &moved["domain"]), (&json!(short_url), &json!(to)));
        assert_eq!((&moved["slug"], &moved["expiresAt"]), (&json!("Spring"), &link["expiresAt"]));
        assert_eq!((follow(from, "/Spring").await, follow(to, "/Spring").await), (404, 302), "{from} to {to}");
        from = to;
    }
    // Where it is not free, reserved, blocked, or not the account's, it stays.
    let taken = create(&server, &token, &domain, "Spring", json!({})).await.expect(201).json();
    create(&server, &token, &subdomain, "SPRING", json!({})).await.expect(201);
    ignore(&server, &token, &subdomain, true).await;
    let stays = format!("{path}?fields=shortUrl,slug,domain,isActive,updatedAt");
    let before = server.get(&stays, &token).await.json();
    for (domain, status, field) in [
        (domain.as_str(), 409, "slug"),
        (subdomain.as_str(), 409, "slug"),
        ("bob.sho.rt", 404, "domain"),
        ("nobody.example", 404, "domain"),
        ("", 404, "domain"),
    ] {
        let answer =
            server.call("PATCH", &path, &token, json!({ "domain": domain, "isActive": false })).await.expect(status);
        assert_eq!(answer.json()["error"]["details"], json!({ "path": field }), "{domain}");
    }
    let reserved = create(&server, &token, &domain, "links", json!({})).await.expect(201).json();
    let to_own = json!({ "domain": "sho.rt" });
    let answer = server.call("PATCH", &format!("/links/{}", id(&reserved)), &token, to_own.clone()).await.expect(400);
    assert_eq!(answer.violations(), ["slug"]);
    server
        .call("PATCH", &format!("/links/{}", id(&reserved)), &token, json!({ "domain": "sho.rt", "slug": "links-2" }))
        .await
        .expect(200);
    assert_eq!(server.get(&stays, &token).await.json(), before);
    // A link may be moved to its own host, although its slug has been reserved since.
    server.call("PATCH", &path, &token, json!({ "domain": "sho.rt:8080" })).await.expect(200);
    operate(&database, &["links", "block", "go.example.com/Spring", "--reason", "test"]).await;
    let of_taken = format!("/links/{}", id(&taken));
    eventually("it is blocked", async || {
        (server.get(&of_taken, &token).await.json()["state"] == "BLOCKED").then_some(())
    })
    .await;
    server.call("PATCH", &of_taken, &token, json!({ "domain": "sho.rt", "slug": "away" })).await.expect(409);
    server.call("DELETE", &of_taken, &token, Json::Null).await.expect(204);
    server.call("PATCH", &path, &token, json!({ "domain": domain })).await.expect(409);
    // A link whose host is served no more may move away, and stay.
    server.call("PATCH", &path, &token, json!({ "domain": subdomain, "slug": "other" })).await.expect(200);
    server.call("DELETE", "/subdomain", &token, Json::Null).await.expect(204);
    server.call("PATCH", &path, &token, json!({ "domain": subdomain, "isArchived": true })).await.expect(200);
    server.call("PATCH", &path, &token, to_own).await.expect(200);
    assert_eq!(follow(&own, "/other").await, 302);
}
