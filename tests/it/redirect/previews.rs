//! A short link with `+` behind it shows where it leads, as far as it tells that to anybody.

use linkgraph::base::clock::{HOUR, rfc3339};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, BROWSER, Http, TestDatabase,
        dns::TestDns,
        domains::{hosts, start_with_subdomains},
        receiver::id,
    },
};

async fn ask(http: &Http, method: Method, host: &str, path: &str) -> Answer {
    http.send(http.request(method, path).header("host", host).header("user-agent", BROWSER)).await
}

#[on_each_database]
async fn a_link_shows_where_it_leads(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let there = "https://example.com/there?a=1&b=2";
    for host in hosts(&server, &token, &dns).await {
        let create = async |slug: &str, more: Json| {
            let mut input = json!({ "destinationUrl": there, "slug": slug, "domain": host });
            input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            server.post("/links", &token, input).await.expect(201).json()
        };
        let plain = create("plain", json!({})).await;
        create("asks", json!({ "asksFirst": true })).await;
        let ruled = create("ruled", json!({})).await;
        let rules = json!({ "rules": [{
            "conditions": [{ "kind": "DEVICE", "values": ["MOBILE"] }], "destinationUrl": "https://example.com/mobile",
        }] });
        server.call("PUT", &format!("/links/{}/rules", id(&ruled)), &token, rules).await.expect(200);
        for (slug, is_ruled) in [("plain", false), ("asks", false), ("ruled", true)] {
            let page = ask(&server, Method::GET, &host, &format!("/{slug}+")).await.expect(200);
            assert!(page.text.contains("https://example.com/there?a=1&amp;b=2"), "{}", page.text);
            assert_eq!(page.text.contains("led elsewhere"), is_ruled, "{}", page.text);
            assert!(page.text.contains(&format!("<a class=\"button\" href=\"/{slug}\">")), "{}", page.text);
            let day = rfc3339(server.clock.now());
            assert!(page.text.contains(&format!("<time>{}</time>", &day[..10])), "{}", page.text);
            assert_eq!((page.header("x-robots-tag"), page.header("location")), ("noindex", ""));
            assert!(ask(&server, Method::HEAD, &host, &format!("/{slug}+?a=b")).await.expect(200).text.is_empty());
        }
        // What is not told to everybody.
        for (slug, more) in [
            ("vault", json!({ "password": "tulips" })),
            ("once", json!({ "maxClicks": 1 })),
            ("few", json!({ "maxClicks": 100 })),
        ] {
            create(slug, more).await;
            let page = ask(&server, Method::GET, &host, &format!("/{slug}+")).await.expect(200);
            assert!(!page.text.contains("example.com") && page.text.contains("does not tell"), "{}", page.text);
        }
        let later = rfc3339(server.clock.now() + HOUR);
        create("later", json!({ "startsAt": later })).await;
        create("off", json!({ "isActive": false })).await;
        let over = json!({ "expiresAt": rfc3339(server.clock.now() - HOUR), "expiredUrl": "https://example.com/over" });
        create("over", over).await;
        for (slug, status) in [("later", 404), ("off", 404), ("over", 410), ("nothing", 404)] {
            let page = ask(&server, Method::GET, &host, &format!("/{slug}+")).await.expect(status);
            assert!(!page.text.contains("example.com"), "{}", page.text);
        }
        // To look is no click, and no form is for it.
        let posted = ask(&server, Method::POST, &host, "/plain+").await;
        assert!(posted.status.is_client_error() && posted.header("location").is_empty(), "{posted:?}");
        let link = server.get(&format!("/links/{}", id(&plain)), &token).await.json();
        assert_eq!(link["clickCount"], 0);
        assert_eq!(ask(&server, Method::GET, &host, "/plain").await.expect(302).header("location"), there);
    }
    // A path of the service stays one.
    ask(&server, Method::GET, "localhost", "/links+").await.expect(404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_can_be_reported_where_the_operator_says() {
    let database = TestDatabase::sqlite();
    let contact = [("LINKGRAPH_SECURITY_CONTACT", "mailto:abuse@example.org")];
    let server = database.start_with(&contact).await;
    let token = server.register("ada").await;
    server.link(&token, "spring").await;
    let page = server.follow("spring+").await.expect(200).text;
    assert!(page.contains("<a href=\"mailto:abuse@example.org\">Report this link</a>"), "{page}");
}

/// Each page is in German for whoever prefers it, and in English for all whose language is not known.
#[on_each_database]
async fn pages_have_the_visitors_language(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let past = rfc3339(server.clock.now() - HOUR);
    for (slug, more) in [
        ("vault", json!({ "password": "tulips" })),
        ("asks", json!({ "asksFirst": true })),
        ("once", json!({ "maxClicks": 1 })),
        ("over", json!({ "expiresAt": past })),
        ("plain", json!({})),
    ] {
        let mut input = json!({ "destinationUrl": "https://example.com/there", "slug": slug });
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.post("/links", &token, input).await.expect(201);
    }
    for (path, english, german) in [
        ("/vault", "This link needs a password", "Dieser Link braucht ein Passwort"),
        ("/asks", "It leads to another website.", "Er führt zu einer anderen Website."),
        ("/once", "a limited number of times", "nur einige Male"),
        ("/over", "This link has expired.", "Dieser Link ist abgelaufen."),
        ("/nothing", "Link not found", "Link nicht gefunden"),
        ("/plain+", "Where this link leads", "Wohin dieser Link führt"),
        // It is no slug, and a page for persons all the same.
        ("/a/b", "Link not found", "Link nicht gefunden"),
    ] {
        for (accepted, language) in [
            ("", "en"),
            ("de", "de"),
            ("de-CH, de;q=0.9, en;q=0.8", "de"),
            ("en-GB, de;q=0.9", "en"),
            ("fr, de;q=0.5, en;q=0.4", "de"),
            ("fr", "en"),
            ("*", "en"),
            ("dex, de;q=0", "en"),
        ] {
            let request = server.request(Method::GET, path).header("user-agent", BROWSER).header("accept", "text/html");
            let page = server.send(request.header("accept-language", accepted)).await;
            assert_eq!(page.header("content-language"), language, "{path} for {accepted}: {page:?}");
            let words = if language == "de" { german } else { english };
            assert!(page.text.contains(&format!("<html lang=\"{language}\">")), "{}", page.text);
            assert!(page.text.contains(words), "{path} for {accepted}: {}", page.text);
        }
    }
}
