//! Gates of links: passwords, pages that ask, notices; and that nothing tells where a link with a password leads.

use futures_util::future::join_all;
use linkgraph::base::clock::{HOUR, rfc3339};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value as Json, json};

use super::limits::PROGRAMS;
use crate::{
    on_each_database,
    support::{
        Answer, BROWSER, Http, TestDatabase,
        dns::TestDns,
        domains::{hosts, start_with_subdomains},
        eventually,
        limits::LIMITED,
        receiver::id,
    },
};

const BEHIND_PROXY: (&str, &str) = ("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1");
const THERE: &str = "https://hidden.example/there";

async fn ask(http: &Http, method: Method, host: &str, path: &str) -> Answer {
    http.send(http.request(method, path).header("host", host).header("user-agent", BROWSER)).await
}

/// Sends the form of a link's page.
fn form(http: &Http, path: &str, password: &str) -> RequestBuilder {
    let form = form_urlencoded::Serializer::new(String::new()).append_pair("password", password).finish();
    let request = http.request(Method::POST, path).header("content-type", "application/x-www-form-urlencoded");
    request.header("user-agent", BROWSER).body(form)
}

/// The same from a client behind a trusted proxy.
async fn send_from(http: &Http, client: &str, path: &str, password: &str) -> Answer {
    http.send(form(http, path, password).header("x-forwarded-for", client)).await
}

async fn send(http: &Http, host: &str, path: &str, password: &str) -> Answer {
    http.send(form(http, path, password).header("host", host)).await
}

async fn basic(http: &Http, host: &str, path: &str, password: &str) -> Answer {
    // curl counts as a bot.
    let request = http.request(Method::GET, path).basic_auth("", Some(password)).header("user-agent", "curl/8.5.0");
    http.send(request.header("host", host)).await
}

#[on_each_database]
async fn a_password_opens_a_link_and_nothing_else_does(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    for (number, host) in hosts(&server, &token, &dns).await.iter().enumerate() {
        let input = json!({ "destinationUrl": THERE, "slug": "vault", "domain": host, "password": "tulips & ö" });
        let link = match number {
            0 => server.post("/links", &token, input).await.expect(201).json(),
            _ => {
                let query = "mutation($input: CreateLinkInput!) { createLink(input: $input) { id hasPassword asksFirst notice } }";
                server.graphql(&token, query, json!({ "input": input })).await["data"]["createLink"].clone()
            }
        };
        assert_eq!(
            (&link["hasPassword"], &link["asksFirst"], &link["notice"]),
            (&json!(true), &json!(false), &Json::Null)
        );
        let path = format!("/links/{}", id(&link));
        let page = ask(&server, Method::GET, host, "/vault").await.expect(200);
        assert!(page.text.contains(r#"type="password""#) && !page.text.contains("role=\"alert\""), "{}", page.text);
        for wrong in ["tulips", "", "tulips & ö ", "TULIPS & Ö", &"x".repeat(3_000), &"x".repeat(9_000)] {
            let status = if wrong.is_empty() || wrong.len() > 8_192 { 200 } else { 403 };
            let refused = send(&server, host, "/vault", wrong).await.expect(status);
            assert_eq!(refused.text.contains("This password is not right"), status == 403, "{wrong}");
            assert_eq!(refused.header("location"), "");
        }
        let refused = basic(&server, host, "/vault", "tulips").await.expect(401);
        assert!(refused.header("www-authenticate").starts_with("Basic realm="), "{refused:?}");
        let opened = send(&server, host, "/vault?utm_source=form", "tulips & ö").await.expect(303);
        assert_eq!((opened.header("location"), opened.header("cache-control")), (THERE, "private, no-store"));
        assert_eq!(opened.header("set-cookie"), "");
        let opened = basic(&server, host, "/vault?utm_source=basic", "tulips & ö").await.expect(302);
        assert_eq!(opened.header("location"), THERE);
        // Each visit asks again.
        ask(&server, Method::GET, host, "/vault").await.expect(200);
        ask(&server, Method::GET, host, "/vault?password=tulips+%26+%C3%B6").await.expect(200);
        let counted = async || (server.get(&path, &token).await.json()["clickCount"] == 2).then_some(());
        eventually("two of the visits are clicks", counted).await;

        let patch = async |body: Json| server.call("PATCH", &path, &token, body).await;
        let refused = patch(json!({ "password": "short", "title": "changed" })).await.expect(400);
        assert_eq!(refused.violations(), ["password"]);
        assert_eq!(server.get(&path, &token).await.json()["title"], Json::Null);
        patch(json!({ "title": "changed" })).await.expect(200);
        send(&server, host, "/vault", "tulips & ö").await.expect(303);
        patch(json!({ "password": "other one" })).await.expect(200);
        send(&server, host, "/vault", "tulips & ö").await.expect(403);
        send(&server, host, "/vault", "other one").await.expect(303);
        // With a limit, the right password counts, and no other.
        let limited = patch(json!({ "maxClicks": 1 })).await.expect(200).json();
        assert_eq!(limited["hasPassword"], true);
        send(&server, host, "/vault", "wrong one").await.expect(403);
        send(&server, host, "/vault", "other one").await.expect(303);
        send(&server, host, "/vault", "other one").await.expect(410);
        let open = patch(json!({ "maxClicks": null, "password": null })).await.expect(200).json();
        assert_eq!(open["hasPassword"], false);
        assert_eq!(ask(&server, Method::GET, host, "/vault").await.expect(302).header("location"), THERE);
        // There is no form any more.
        send(&server, host, "/vault", "other one").await.expect(405);
    }
    let stored = database.number("SELECT count(*) FROM links WHERE password_hash LIKE '%tulips%'").await;
    assert_eq!(stored, 0);
}

#[on_each_database]
async fn nothing_tells_where_a_link_with_a_password_leads(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let hosts = hosts(&server, &token, &dns).await;
    for host in &hosts {
        let more = [
            ("vault", json!({})),
            ("limited", json!({ "maxClicks": 5 })),
            ("once", json!({ "maxClicks": 1, "notice": "Read me" })),
            ("timed", json!({ "expiresAt": rfc3339(server.clock.now() + HOUR), "forwardsQuery": true })),
            ("off", json!({ "isActive": false })),
            ("later", json!({ "startsAt": rfc3339(server.clock.now() + HOUR) })),
        ];
        for (slug, more) in more {
            let mut input = json!({ "destinationUrl": THERE, "slug": slug, "domain": host, "password": "tulips" });
            input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let link = server.post("/links", &token, input).await.expect(201).json();
            let everybody = json!({ "kind": "DEVICE", "values": ["MOBILE"], "negated": true });
            let rules =
                json!({ "rules": [{ "conditions": [everybody], "destinationUrl": "https://hidden.example/ruled" }] });
            server.call("PUT", &format!("/links/{}/rules", id(&link)), &token, rules).await.expect(200);
        }
        for slug in ["vault", "limited", "once", "timed", "off", "later"] {
            for user_agent in PROGRAMS.into_iter().chain([BROWSER, "curl/8.5.0"]) {
                for method in ["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"] {
                    for path in ["", "/", ".", "+", "?qr", "?password=tulips", "?url", "%2B"] {
                        let method = Method::from_bytes(method.as_bytes()).unwrap();
                        let request = server.request(method, &format!("/{slug}{path}")).header("host", host);
                        let request = request.header("user-agent", user_agent).header("accept", "*/*");
                        let answer = server.send(request).await;
                        assert!(!format!("{answer:?}").contains("hidden.example"), "{slug}{path}: {answer:?}");
                    }
                }
            }
            for (name, value) in [
                ("sec-purpose", "prefetch"),
                ("authorization", "Basic OnR1bGlw"),
                ("authorization", "Bearer tulips"),
                ("authorization", "Basic"),
                ("accept", "application/json"),
                ("x-password", "tulips"),
                ("cookie", "password=tulips"),
                ("referer", "https://hidden.example.org/"),
            ] {
                let request = server.request(Method::GET, &format!("/{slug}")).header("host", host).header(name, value);
                let answer = server.send(request).await;
                assert!(!format!("{answer:?}").contains("hidden.example/"), "{slug} with {name}: {answer:?}");
            }
            // What is no form.
            for body in
                ["tulips", "pass=tulips", "password", "password[]=tulips", "{\"password\":\"tulips\"}", "%", "\u{0}"]
            {
                let request = server.request(Method::POST, &format!("/{slug}")).header("host", host).body(body);
                let answer = server.send(request).await;
                assert!(!format!("{answer:?}").contains("hidden.example"), "{slug} with {body}: {answer:?}");
            }
        }
    }
    // Whoever may not read links is told of none, and whoever asks for a link to the destination gets no other one.
    let known = json!({ "destinationUrl": THERE, "ifExists": "RETURN" });
    let created = server.post("/links", &token, known).await.expect(201).json();
    assert_eq!(created["hasPassword"], false);
    let wanted = json!({ "destinationUrl": THERE, "ifExists": "RETURN", "password": "tulips" });
    let protected = server.post("/links", &token, wanted).await.expect(201).json();
    assert!(protected["hasPassword"] == true && id(&protected) != id(&created), "{protected}");
}

/// Forty at once are forty, whatever they guess; and all networks together have no more than the link allows.
#[on_each_database]
async fn guesses_are_counted_before_they_are_judged(database: TestDatabase) {
    let server = database.start_with(&[LIMITED, BEHIND_PROXY]).await;
    let token = server.register("ada").await;
    for slug in ["vault", "other"] {
        let body = json!({ "destinationUrl": THERE, "slug": slug, "password": "tulips" });
        server.post("/links", &token, body).await.expect(201);
    }
    let statuses = |answers: &[Answer], status: u16| answers.iter().filter(|it| it.status == status).count();
    let all = join_all((0..40).map(|_| send_from(&server, "203.0.113.7", "/vault", "a guess"))).await;
    assert_eq!((statuses(&all, 403), statuses(&all, 429)), (5, 35));
    let refused = send_from(&server, "203.0.113.7", "/vault", "tulips").await.expect(429);
    assert!(refused.header("retry-after").parse::<u64>().unwrap() <= 180, "{refused:?}");
    assert_eq!(refused.header("location"), "");
    // Another link, and another network.
    send_from(&server, "203.0.113.7", "/other", "tulips").await.expect(303);
    // Those who know it do not keep each other out.
    let right = join_all((0..30).map(|_| send_from(&server, "203.0.113.8", "/vault", "tulips"))).await;
    let opened = statuses(&right, 303);
    assert!(opened >= 5 && opened + statuses(&right, 429) == 30, "{opened}");
    for _ in 0..30 {
        send_from(&server, "203.0.113.9", "/vault", "tulips").await.expect(303);
    }
    let mut tried = 5;
    for network in 0..300_u16 {
        let client = format!("198.51.{}.{}", network / 200, network % 200);
        let answer = send_from(&server, &client, "/vault", "a guess").await;
        tried += usize::from(answer.status == 403);
        assert!(answer.status == 403 || answer.status == 429, "{answer:?}");
    }
    // One comes back in a minute.
    assert!((60..=64).contains(&tried), "{tried}");
    server.link(&token, "plain").await;
    server.follow("plain").await.expect(302);
}

#[on_each_database]
async fn a_visitor_is_asked_before_being_led(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let create = async |body: Json| server.post("/links", &token, body).await.expect(201).json();
    let asks = create(json!({ "destinationUrl": THERE, "slug": "asks", "asksFirst": true })).await;
    let notice = "For <adults> & \"friends\"\nonly";
    create(json!({ "destinationUrl": THERE, "slug": "notice", "notice": notice, "forwardsQuery": true })).await;
    for slug in ["asks", "notice"] {
        for user_agent in PROGRAMS.into_iter().chain([BROWSER]) {
            let request = server.request(Method::GET, &format!("/{slug}")).header("user-agent", user_agent);
            let page = server.send(request).await.expect(200);
            assert!(page.text.contains(r#"<form method="post">"#) && !page.text.contains("password"), "{}", page.text);
            assert_eq!((page.header("x-robots-tag"), page.header("cache-control")), ("noindex", "no-store"));
        }
    }
    let page = server.follow("notice").await.expect(200).text;
    assert!(page.contains("For &lt;adults&gt; &amp; &quot;friends&quot;\nonly"), "{page}");
    let sent = server.call("POST", "/notice?a=1", "", Json::Null).await.expect(303);
    assert_eq!(sent.header("location"), format!("{THERE}?a=1"));
    // The page's form sends back where the visit came from, which rules and clicks then know.
    let come = server.request(Method::GET, "/asks").header("referer", "https://news.example/a?b=\"<1>\"");
    let page = server.send(come.header("user-agent", BROWSER)).await.expect(200).text;
    let kept = r#"name="referrer" value="https://news.example/a?b=&quot;&lt;1&gt;&quot;""#;
    assert!(page.contains(kept), "{page}");
    let rules = json!({ "rules": [{
        "conditions": [{ "kind": "REFERRER", "values": ["news.example"] }], "destinationUrl": "https://example.com/news",
    }] });
    server.call("PUT", &format!("/links/{}/rules", id(&asks)), &token, rules).await.expect(200);
    let request = server.request(Method::POST, "/asks?utm_source=news").header("user-agent", BROWSER);
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    let led = server.send(request.body("referrer=https%3A%2F%2Fnews.example%2Fa")).await.expect(303);
    assert_eq!(led.header("location"), "https://example.com/news");
    let referrers = async || {
        let referrers = database.of_clicks("COALESCE(referrer_host, '')").await;
        referrers.contains(&"news.example".to_owned()).then_some(())
    };
    eventually("the click has the referrer", referrers).await;
    // Rules lead those who are let through.
    let rules = json!({ "rules": [{
        "conditions": [{ "kind": "QUERY", "key": "vip", "values": [] }], "destinationUrl": "https://example.com/vip",
    }] });
    server.call("PUT", &format!("/links/{}/rules", id(&asks)), &token, rules).await.expect(200);
    assert_eq!(
        server.call("POST", "/asks?vip", "", Json::Null).await.expect(303).header("location"),
        "https://example.com/vip"
    );
    assert_eq!(server.call("POST", "/asks", "", Json::Null).await.expect(303).header("location"), THERE);
    let path = format!("/links/{}", id(&asks));
    let counted = async || (server.get(&path, &token).await.json()["clickCount"] == 3).then_some(());
    eventually("visits that were let through are clicks", counted).await;
    for (body, status) in [
        (json!({ "notice": "" }), 400),
        (json!({ "notice": "x".repeat(501) }), 400),
        (json!({ "notice": "a\u{0}" }), 400),
        (json!({ "asksFirst": false }), 200),
    ] {
        server.call("PATCH", &path, &token, body).await.expect(status);
    }
    server.follow("asks").await.expect(302);
}

/// Items of a list fail alone, and one password for many links is hashed once.
#[on_each_database]
async fn many_links_get_passwords(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let link = |slug: &str, password: Json| json!({ "destinationUrl": THERE, "slug": slug, "password": password });
    let links = [
        link("one", json!("tulips")),
        link("two", json!("short")),
        link("three", json!("tulips")),
        link("four", Json::Null),
    ];
    let results = server.post("/links/bulk", &token, json!({ "links": links })).await.expect(200).json();
    let has: Vec<&Json> = results["results"].as_array().unwrap().iter().map(|it| &it["link"]["hasPassword"]).collect();
    assert_eq!(has, [&json!(true), &Json::Null, &json!(true), &json!(false)]);
    send(&server, "localhost", "/three", "tulips").await.expect(303);
    let ids: Vec<&str> = [0, 2, 3].map(|place| id(&results["results"][place]["link"])).to_vec();
    let all = json!({ "ids": ids, "change": { "password": "for all of them" } });
    server.call("PATCH", "/links/bulk", &token, all).await.expect(200);
    for slug in ["/one", "/three", "/four"] {
        send(&server, "localhost", slug, "tulips").await.expect(403);
        send(&server, "localhost", slug, "for all of them").await.expect(303);
    }
    assert_eq!(database.number("SELECT count(DISTINCT password_hash) FROM links").await, 1);
}

/// Links that had a password where they were get a new one, and none comes in without.
#[on_each_database]
async fn an_import_gives_links_new_passwords(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let file = "url,slug,password\nhttps://example.com/a,open,\nhttps://example.com/b,closed,secret of old\n";
    for (password, created, failed) in [(Json::Null, 1, 1), (json!("tulips"), 1, 0)] {
        let body = json!({ "source": "TABLE", "data": file, "password": password });
        let import = server.post("/imports", &token, body).await.expect(202).json();
        let path = format!("/imports/{}", id(&import));
        let finished = async || {
            let import = server.get(&path, &token).await.json();
            (import["state"] == "FINISHED").then_some(import)
        };
        let import = eventually("the import is finished", finished).await;
        assert_eq!((&import["created"], &import["failed"]), (&json!(created), &json!(failed)), "{import}");
    }
    server.follow("open").await.expect(302);
    server.follow("closed").await.expect(200);
    send(&server, "localhost", "/closed", "secret of old").await.expect(403);
    send(&server, "localhost", "/closed", "tulips").await.expect(303);
    let refused = json!({ "source": "TABLE", "data": file, "password": "short" });
    assert_eq!(server.post("/imports", &token, refused).await.expect(400).violations(), ["password"]);
    assert_eq!(database.number("SELECT count(*) FROM imports").await, 2, "what is refused is not stored");
    // As the key of an API, it is kept no longer than it is needed.
    assert_eq!(database.number("SELECT count(*) FROM imports WHERE password_hash IS NOT NULL").await, 0);
}
