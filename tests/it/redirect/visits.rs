//! Redirects: what a visitor sees of a link, at once, and by which host.

use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{Answer, Http, TestDatabase},
};

async fn created(http: &Http, token: &str, slug: &str) -> String {
    format!("/links/{}", http.link(token, slug).await["id"].as_str().unwrap())
}

#[on_each_database]
async fn a_change_shows_in_the_very_next_redirect(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    server.follow("new").await.expect(404);
    let path = created(&server, &token, "new").await;
    assert_eq!(server.follow("new").await.expect(302).header("location"), "https://example.com/new");
    server.call("PATCH", &path, &token, json!({ "destinationUrl": "https://example.org/" })).await.expect(200);
    assert_eq!(server.follow("new").await.expect(302).header("location"), "https://example.org/");
    server.call("PATCH", &path, &token, json!({ "isActive": false })).await.expect(200);
    server.follow("new").await.expect(404);
    server.call("PATCH", &path, &token, json!({ "isActive": true })).await.expect(200);
    server.follow("new").await.expect(302);
    server.follow("renamed").await.expect(404);
    server.call("PATCH", &path, &token, json!({ "slug": "renamed" })).await.expect(200);
    server.follow("new").await.expect(404);
    server.follow("renamed").await.expect(302);
    server.call("DELETE", &path, &token, Json::Null).await.expect(204);
    server.follow("renamed").await.expect(404);
    // Bulk and GraphQL change the same links.
    let bulk = json!({ "links": [{ "destinationUrl": "https://example.com/bulk", "slug": "renamed" }] });
    server.post("/links/bulk", &token, bulk).await.expect(200);
    assert_eq!(server.follow("renamed").await.expect(302).header("location"), "https://example.com/bulk");
    let id = server.get("/links", &token).await.json()["data"][0]["id"].clone();
    server.graphql(&token, "mutation($id: ID!) { deleteLink(id: $id) }", json!({ "id": id })).await;
    server.follow("renamed").await.expect(404);
    // The links of an account go with it.
    created(&server, &token, "mine").await;
    server.follow("mine").await.expect(302);
    server.leave(&token).await.expect(204);
    server.follow("mine").await.expect(404);
}

/// Once the response says that the link is changed, no request gets the old destination, however many come meanwhile.
#[on_each_database]
async fn nobody_is_sent_to_the_old_destination_after_the_change(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let path = created(&server, &token, "race").await;
    for round in 0..200 {
        let destination = format!("https://example.com/{round}");
        let followers: Vec<_> = (0..3)
            .map(|_| {
                let http = server.http.clone();
                tokio::spawn(async move { http.follow("race").await })
            })
            .collect();
        server.call("PATCH", &path, &token, json!({ "destinationUrl": destination })).await.expect(200);
        assert_eq!(server.follow("race").await.expect(302).header("location"), destination, "round {round}");
        for follower in followers {
            follower.await.unwrap().expect(302);
        }
        assert_eq!(server.follow("race").await.expect(302).header("location"), destination, "round {round}");
    }
}

#[on_each_database]
async fn the_host_decides_and_only_the_host(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    created(&server, &token, "hosted").await;
    for host in ["sho.rt", "SHO.RT", "sho.rt:8080", "sho.rt.", "Sho.Rt.:80", "localhost", "127.0.0.1:1", "[::1]:80"] {
        server.at_host(host, "/hosted").await.expect(302);
    }
    for host in ["other.example", "sho.rt.evil.example", "evil-sho.rt", "xsho.rt", "192.0.2.1", "sho.rt:x"] {
        let answer = server.at_host(host, "/hosted").await.expect(404);
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8", "{host}");
    }
    let forwarded = |name: &'static str| {
        server.request(Method::GET, "/hosted").header("host", "sho.rt").header(name, "other.example")
    };
    server.send(forwarded("x-forwarded-host")).await.expect(302);
    server.send(forwarded("forwarded")).await.expect(302);
    let unknown = server.request(Method::GET, "/hosted").header("host", "other.example");
    server.send(unknown.header("x-forwarded-host", "sho.rt")).await.expect(404);
}

#[on_each_database]
async fn unknown_and_inactive_links_look_the_same(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let path = created(&server, &token, "off").await;
    server.call("PATCH", &path, &token, json!({ "isActive": false })).await.expect(200);
    let (off, unknown) = (server.follow("off").await.expect(404), server.follow("never-was").await.expect(404));
    assert_eq!(off.text, unknown.text);
    assert!(off.text.contains("<html"), "{}", off.text);
    assert!(!off.text.contains("off\"") && !unknown.text.contains("never-was"));
    for answer in [&off, &unknown] {
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(answer.header("cache-control"), "no-store");
        assert!(answer.header("content-security-policy").contains("default-src 'none'"));
    }
    let names = |answer: &Answer| answer.headers.keys().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(names(&off), names(&unknown));
}

#[on_each_database]
async fn a_redirect_is_never_cached_and_takes_reading_methods_only(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    created(&server, &token, "plain").await;
    let get = server.follow("plain").await.expect(302);
    assert_eq!(get.header("cache-control"), "private, no-store");
    assert_eq!((get.text.as_str(), get.header("x-request-id")), ("", ""));
    let head = server.send(server.request(Method::HEAD, "/plain")).await.expect(302);
    assert_eq!((head.header("location"), head.header("cache-control")), (get.header("location"), "private, no-store"));
    server.send(server.request(Method::HEAD, "/never-was")).await.expect(404);
    for query in ["?", "?x=1&y=2", "?destination=https://evil.example", "?fields=id&utm_source=a%00b"] {
        assert_eq!(
            server.follow(&format!("plain{query}")).await.expect(302).header("location"),
            "https://example.com/plain"
        );
    }
    for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
        for slug in ["/plain", "/never-was"] {
            let answer = server.call(method, slug, "", Json::Null).await.expect(405);
            assert_eq!(
                (answer.code().as_str(), answer.header("allow")),
                ("METHOD_NOT_ALLOWED", "GET,HEAD"),
                "{method}"
            );
        }
    }
    for path in ["/plain/more", "/plain%2fmore", "/.plain", "/plain.html"] {
        let answer = server.get(path, "").await.expect(404);
        assert_eq!(answer.code(), "NOT_FOUND", "{path} is no short link");
    }
}

/// Addresses are copied out of texts with what follows them there.
#[on_each_database]
async fn what_follows_a_short_link_in_a_text_is_no_part_of_it(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    server.post("/subdomain", &token, json!({ "subdomain": "ada" })).await.expect(201);
    server.post("/subdomain/activate", &token, Json::Null).await.expect(200);
    for host in ["sho.rt", "ada.sho.rt"] {
        let body = json!({ "destinationUrl": "https://example.com/there", "slug": "Spring", "domain": host });
        server.post("/links", &token, body).await.expect(201);
        for method in [Method::GET, Method::HEAD] {
            let at = async |path: &str| server.send(server.request(method.clone(), path).header("host", host)).await;
            for path in ["/Spring/", "/Spring.", "/Spring,", "/Spring.,", "/Spring/?x=1."] {
                let answer = at(path).await.expect(302);
                assert_eq!(answer.header("location"), "https://example.com/there", "{path} at {host}");
            }
            for path in ["/spring/", "/Spring-.", "/nothing,", "/nothing/"] {
                let answer = at(path).await.expect(404);
                assert_eq!(answer.header("content-type"), "text/html; charset=utf-8", "{path} at {host}");
            }
        }
    }
    // The service's own paths are as they were.
    for path in ["/links/", "/links.", "/Health/", "/api/"] {
        assert_eq!(server.get(path, "").await.expect(404).code(), "NOT_FOUND", "{path}");
    }
    server.call("DELETE", "/Spring.", "", Json::Null).await.expect(405);
    let body = json!({ "destinationUrl": "https://example.com/", "slug": "once", "maxClicks": 1 });
    server.post("/links", &token, body).await.expect(201);
    assert_eq!(server.get("/once.", "").await.expect(200).header("content-type"), "text/html; charset=utf-8");
    server.call("POST", "/once.", "", Json::Null).await.expect(303);
    server.follow("once").await.expect(410);
}
