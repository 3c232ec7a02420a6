//! Accounts' own hosts: what is served there, to whom, and how a request names them.

use entity::host;
use linkgraph::base::clock::DAY;
use reqwest::Method;
use sea_orm::{ActiveModelTrait, EntityTrait};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::{
    on_each_database,
    support::{Answer, Http, TestDatabase, TestServer},
};

/// An account with an active subdomain.
async fn account(server: &TestServer, label: &str) -> String {
    let token = server.register(label).await;
    server.post("/subdomain", &token, json!({ "subdomain": label })).await.expect(201);
    server.post("/subdomain/activate", &token, Json::Null).await.expect(200);
    token
}

async fn create(http: &Http, token: &str, host: &str, slug: &str, destination: &str) -> Answer {
    let body = json!({ "destinationUrl": destination, "slug": slug, "domain": host });
    http.post("/links", token, body).await
}

/// A request with these headers.
async fn with(http: &Http, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = http.request(Method::GET, path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    http.send(request).await
}

async fn behind_a_proxy(database: &TestDatabase) -> TestServer {
    database.start_with(&[("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1")]).await
}

#[on_each_database]
async fn a_host_is_named_in_many_ways(database: TestDatabase) {
    let server = database.start().await;
    let token = account(&server, "ada").await;
    create(&server, &token, "ada.sho.rt", "a", "https://example.com/").await.expect(201);
    for host in ["ada.sho.rt", "ADA.Sho.Rt", "ada.sho.rt:8080", "ada.sho.rt.", "Ada.sho.rt.:80"] {
        server.at_host(host, "/a").await.expect(302);
    }
    for host in [
        "sho.rt",
        "ada.sho.rt.evil.example",
        "evil-ada.sho.rt",
        "a.ada.sho.rt",
        "bob.sho.rt",
        "ada.sho.rt..",
        "ada",
        "192.0.2.1",
        "ada.sho.rt:x",
        "u@ada.sho.rt",
    ] {
        server.at_host(host, "/a").await.expect(404);
    }
    for domain in ["ADA.sho.rt", "ada.sho.rt.", "ada.sho.rt:8080", "ada。sho.rt", "ａｄａ.sho.rt"] {
        let body = json!({ "destinationUrl": "https://example.com/", "domain": domain });
        let link = server.post("/links", &token, body).await.expect(201).json();
        assert_eq!(link["domain"], "ada.sho.rt", "{domain}");
    }
}

/// Neither the database nor the cache is read: with the rows of this test, they would return a host.
#[on_each_database]
async fn what_no_row_can_have_is_not_looked_up(database: TestDatabase) {
    let server = database.start().await;
    let token = account(&server, "ada").await;
    create(&server, &token, "ada.sho.rt", "a", "https://example.com/").await.expect(201);
    let connection = database.connect().await;
    let label = "a".repeat(63);
    let longest = format!("{label}.{label}.{label}.{}", &label[..61]);
    let stored = [
        (longest.clone(), 302),
        (format!("{longest}a"), 404),
        (format!("{label}.{label}.{label}.{label}.example"), 404),
        (format!("a{label}.example"), 404),
        ("a_b.example".to_owned(), 404),
        ("-a.example".to_owned(), 404),
        ("a.1example".to_owned(), 404),
        // This A-label is invalid.
        ("xn--a.example".to_owned(), 404),
        ("xn--bcher-kva.example".to_owned(), 302),
        ("ab.sho.rt.1".to_owned(), 404),
    ];
    let link = entity::link::Entity::find().one(&connection).await.unwrap().unwrap();
    for (host, _) in &stored {
        let row = host::Model { name: host.clone(), account_id: link.account_id, former_account_id: None };
        host::ActiveModel::from(row).reset_all().insert(&connection).await.unwrap();
        let row = entity::link::Model { id: Uuid::now_v7(), host: host.clone(), ..link.clone() };
        entity::link::ActiveModel::from(row).reset_all().insert(&connection).await.unwrap();
    }
    connection.close().await.unwrap();
    for (host, status) in &stored {
        for host in [host.clone(), host.to_uppercase(), format!("{host}.:80")] {
            assert_eq!(server.at_host(&host, "/a").await.status, *status, "{host}");
        }
        let asked = server.get(&format!("/internal/tls/ask?domain={host}"), "").await;
        assert_eq!(asked.status, if *status == 302 { 200 } else { 404 }, "{host}");
    }
    // A host that no account can have serves the API, as an IP address does.
    server.at_host(&format!("{longest}a"), "/health").await.expect(200);
}

#[on_each_database]
async fn a_forwarded_host_is_believed_from_a_trusted_proxy_alone(database: TestDatabase) {
    let server = database.start().await;
    let token = account(&server, "ada").await;
    create(&server, &token, "ada.sho.rt", "a", "https://example.com/").await.expect(201);
    let forwarded = [("host", "sho.rt"), ("x-forwarded-host", "ada.sho.rt")];
    with(&server, "/a", &forwarded).await.expect(404);
    with(&server, "/a", &[("host", "ada.sho.rt"), ("x-forwarded-host", "sho.rt")]).await.expect(302);
    with(&server, "/health", &forwarded).await.expect(200);
    server.stop().await;
    let server = behind_a_proxy(&database).await;
    for (forwarded, status) in [
        (vec!["ada.sho.rt"], 302),
        (vec!["ADA.sho.rt:443"], 302),
        (vec!["evil.example, ada.sho.rt"], 302),
        (vec!["evil.example", "ada.sho.rt"], 302),
        (vec!["ada.sho.rt, evil.example"], 404),
        (vec!["ada.sho.rt", "sho.rt"], 404),
        (vec![""], 404),
    ] {
        let mut headers = vec![("host", "sho.rt")];
        headers.extend(forwarded.iter().map(|value| ("x-forwarded-host", *value)));
        with(&server, "/a", &headers).await.expect(status);
    }
    with(&server, "/a", &[("host", "ada.sho.rt")]).await.expect(302);
}

/// Any slug may be a link there, so nothing of the service is.
#[on_each_database]
async fn an_accounts_host_serves_its_links_and_nothing_else(database: TestDatabase) {
    let server = database.start().await;
    let token = account(&server, "ada").await;
    server.link(&token, "own").await;
    for slug in ["links", "graphql", "health", "api"] {
        create(&server, &token, "ada.sho.rt", slug, &format!("https://example.com/{slug}")).await.expect(201);
        create(&server, &token, "sho.rt", slug, "https://example.com/").await.expect(400);
        let followed = server.at_host("ada.sho.rt", &format!("/{slug}")).await.expect(302);
        assert_eq!(followed.header("location"), format!("https://example.com/{slug}"));
    }
    for path in [
        "/",
        "/me",
        "/own",
        "/ready",
        "/metrics",
        "/openapi.json",
        "/static/pages.css",
        "/api/v1/links",
        "/links/more",
        "/auth/login",
        "/internal/tls/ask?domain=ada.sho.rt",
    ] {
        let request = server.request(Method::GET, path).header("host", "ada.sho.rt").bearer_auth(&token);
        let answer = server.send(request).await.expect(404);
        assert!(answer.text.contains("<html") && answer.header("x-request-id").is_empty(), "{path}: {answer:?}");
    }
    for (method, path, status) in [
        ("POST", "/links", 405),
        ("DELETE", "/nothing", 405),
        ("POST", "/auth/login", 405),
        ("POST", "/auth.json", 404),
        ("POST", "/", 404),
    ] {
        let request = server.request(method.parse().unwrap(), path).header("host", "ada.sho.rt").json(&json!({}));
        let answer = server.send(request).await.expect(status);
        assert_eq!(answer.header("allow"), if status == 405 { "GET,HEAD" } else { "" }, "{method} {path}");
    }
    let head = server.request(Method::HEAD, "/links").header("host", "ada.sho.rt");
    server.send(head).await.expect(302);
    // Nobody's host has no links, but the API: probes ask by address.
    for host in ["192.0.2.1:8080", "nobody.example", "bob.sho.rt"] {
        server.at_host(host, "/health").await.expect(200);
        server.at_host(host, "/own").await.expect(404);
    }
}

#[on_each_database]
async fn a_slug_is_unique_for_each_host(database: TestDatabase) {
    let server = database.start().await;
    let (ada, bob) = (account(&server, "ada").await, account(&server, "bob").await);
    for (token, host) in [(&ada, "sho.rt"), (&ada, "ada.sho.rt"), (&bob, "bob.sho.rt")] {
        create(&server, token, host, "same", &format!("https://{host}.example/")).await.expect(201);
        create(&server, token, host, "same", "https://example.com/").await.expect(409);
    }
    for host in ["sho.rt", "ada.sho.rt", "bob.sho.rt"] {
        assert_eq!(
            server.at_host(host, "/same").await.expect(302).header("location"),
            format!("https://{host}.example/")
        );
    }
    let answer = create(&server, &bob, "ada.sho.rt", "other", "https://example.com/").await.expect(404);
    assert_eq!(answer.json()["error"]["details"], json!({ "path": "domain" }));
    // In bulk each link has its own host, and fails alone.
    let links = json!([
        { "destinationUrl": "https://example.com/", "slug": "same" , "domain": "bob.sho.rt" },
        { "destinationUrl": "https://example.com/", "slug": "mine" , "domain": "BOB.sho.rt." },
        { "destinationUrl": "https://example.com/", "slug": "links" , "domain": "bob.sho.rt" },
        { "destinationUrl": "https://example.com/", "slug": "hers" , "domain": "ada.sho.rt" },
        { "destinationUrl": "https://ada.sho.rt/same", "slug": "loop" },
        { "destinationUrl": "https://example.com/", "slug": "plain" },
    ]);
    let answer = server.post("/links/bulk", &bob, json!({ "links": links })).await.expect(200).json();
    let outcome =
        |result: &Json| result["link"]["shortUrl"].as_str().or(result["error"]["code"].as_str()).unwrap().to_owned();
    let outcomes: Vec<String> = answer["results"].as_array().unwrap().iter().map(outcome).collect();
    assert_eq!(
        outcomes,
        [
            "CONFLICT",
            "http://bob.sho.rt/mine",
            "http://bob.sho.rt/links",
            "NOT_FOUND",
            "VALIDATION_ERROR",
            "http://sho.rt/plain"
        ]
    );
    // A link keeps its host, and what is kept for the service on its own host is free there.
    let list = server.get("/links?search=mine", &bob).await.json();
    let path = format!("/links/{}", list["data"][0]["id"].as_str().unwrap());
    server.at_host("bob.sho.rt", "/webhooks").await.expect(404);
    let moved = server.call("PATCH", &path, &bob, json!({ "slug": "webhooks" })).await.expect(200).json();
    assert_eq!(moved["shortUrl"], "http://bob.sho.rt/webhooks");
    server.at_host("bob.sho.rt", "/mine").await.expect(404);
    server.at_host("bob.sho.rt", "/webhooks").await.expect(302);
    server.call("PATCH", &path, &bob, json!({ "isActive": false })).await.expect(200);
    server.at_host("bob.sho.rt", "/webhooks").await.expect(404);
    server.call("PATCH", &path, &bob, json!({ "slug": "same" })).await.expect(409);
}

#[on_each_database]
async fn a_destination_on_a_served_host_would_lead_in_circles(database: TestDatabase) {
    let server = database.start().await;
    let ada = account(&server, "ada").await;
    let sql = "INSERT INTO hosts (name, account_id) SELECT 'go.example.com', account_id FROM hosts";
    let connection = database.connect().await;
    sea_orm::ConnectionTrait::execute_unprepared(&connection, sql).await.unwrap();
    connection.close().await.unwrap();
    let token = server.register("bob").await;
    let path = format!("/links/{}", server.link(&token, "good").await["id"].as_str().unwrap());
    for url in [
        "https://ada.sho.rt/a",
        "http://ADA.sho.rt./a",
        "https://nobody.sho.rt/",
        "https://go.example.com/a",
        "http://GO.example.com.:80/",
        "https://go.example.com:8443/",
        "http://ada.sho.rt:3000/",
    ] {
        let created = server.post("/links", &token, json!({ "destinationUrl": url })).await;
        assert_eq!(created.expect(400).violations(), ["destinationUrl"], "{url}");
        let changed = server.call("PATCH", &path, &ada, json!({ "destinationUrl": url })).await;
        changed.expect(404);
        let changed = server.call("PATCH", &path, &token, json!({ "destinationUrl": url })).await;
        assert_eq!(changed.expect(400).violations(), ["destinationUrl"], "{url}");
    }
    for url in ["https://www.example.com/", "https://notsho.rt/", "https://notgo.example.com:8443/"] {
        server.post("/links", &token, json!({ "destinationUrl": url })).await.expect(201);
    }
}

#[on_each_database]
async fn a_proxy_is_told_for_which_hosts_to_get_certificates(database: TestDatabase) {
    let server = database.start().await;
    let token = account(&server, "ada").await;
    let ask = async |query: &str| server.get(&format!("/internal/tls/ask{query}"), "").await;
    for query in ["?domain=ada.sho.rt", "?x=1&domain=ADA.sho.rt.", "?domain=ada%2Esho.rt"] {
        assert_eq!(ask(query).await.expect(200).text, "");
    }
    for query in ["?domain=sho.rt", "?domain=bob.sho.rt", "?domain=127.0.0.1", "?domain=%00", "?domain=a%20b"] {
        assert_eq!(ask(query).await.expect(404).code(), "NOT_FOUND", "{query}");
    }
    for query in ["", "?", "?domain=", "?domain", "?domains=ada.sho.rt"] {
        assert_eq!(ask(query).await.expect(400).violations(), ["domain"], "{query}");
    }
    server.call("DELETE", "/subdomain", &token, Json::Null).await.expect(204);
    ask("?domain=ada.sho.rt").await.expect(404);
    let slug = json!({ "destinationUrl": "https://example.com/", "slug": "internal" });
    server.post("/links", &token, slug).await.expect(400);
}

/// Once the response says that the host is released, no link is served there, however many requests come meanwhile.
#[on_each_database]
async fn nobody_is_served_on_a_host_after_its_release(database: TestDatabase) {
    let server = database.start().await;
    let mut token = server.register("ada").await;
    for round in 0..30 {
        // An account has three claims a day.
        if round % 3 == 0 {
            server.clock.advance(DAY);
            token = server.login("ada").await;
        }
        let (label, host) = (format!("ada{round}"), format!("ada{round}.sho.rt"));
        let follow = || {
            let (http, host) = (server.http.clone(), host.clone());
            tokio::spawn(async move { http.at_host(&host, "/a").await })
        };
        server.at_host(&host, "/a").await.expect(404);
        server.post("/subdomain", &token, json!({ "subdomain": label })).await.expect(201);
        let early: Vec<_> = (0..3).map(|_| follow()).collect();
        server.post("/subdomain/activate", &token, Json::Null).await.expect(200);
        create(&server, &token, &host, "a", "https://example.com/").await.expect(201);
        server.at_host(&host, "/a").await.expect(302);
        let late: Vec<_> = (0..3).map(|_| follow()).collect();
        server.call("DELETE", "/subdomain", &token, Json::Null).await.expect(204);
        server.at_host(&host, "/a").await.expect(404);
        for follower in early.into_iter().chain(late) {
            follower.await.unwrap();
        }
        server.at_host(&host, "/a").await.expect(404);
    }
}
