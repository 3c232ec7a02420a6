//! Short URLs with what surrounds them in a text, and as mail gateways write them, on each kind of host: the connection's parser and the
//! HTTP server read them alike. A person who goes astray gets a page.

use std::time::Duration;

use linkgraph::base::clock::{DAY, rfc3339};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::{
    on_each_database,
    support::{
        Http, TestDatabase,
        dns::TestDns,
        domains::{hosts, set, start_with_subdomains},
        eventually, noon,
        process::operate,
    },
};

/// A field that the connection's parser leaves to the HTTP server.
const UNUSUAL: &str = "connection: close, x\r\n";

/// Status line and fields of the answer to a request that is written byte by byte.
async fn ask(http: &Http, host: &str, target: &str, fields: &str) -> String {
    let mut stream = TcpStream::connect(http.base.strip_prefix("http://").unwrap()).await.unwrap();
    let request = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n{fields}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    loop {
        let read = timeout(Duration::from_secs(20), stream.read_buf(&mut answer)).await.unwrap().unwrap();
        if let Some((head, _)) = String::from_utf8_lossy(&answer).split_once("\r\n\r\n") {
            return head.to_ascii_lowercase();
        }
        assert!(read > 0, "{target}: the service hung up");
    }
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("none")
}

/// `spring` as people paste it. Browsers encode what a path may not have (<https://url.spec.whatwg.org/#path-percent-encode-set>).
const PASTED: [&str; 60] = [
    "/spring",
    "/spring/",
    "/spring//",
    "/spring.",
    "/spring...",
    "/spring,",
    "/spring/.,",
    "/spring)",
    "/spring).",
    "/spring),",
    "/spring]",
    "/spring!",
    "/spring!!!",
    "/spring;",
    "/spring:",
    "/spring'",
    "/spring*",
    "/spring**",
    "/spring|",
    "/spring~",
    "/spring=",
    "/spring&",
    "/spring%2B",
    "/spring$",
    "/spring@",
    "/spring(",
    "/spring?",
    "/spring?!",
    "/spring/?q",
    "/spring)?utm_source=a",
    "/spring%22",
    "/spring%3E",
    "/spring%3E%3E",
    "/spring%3C",
    "/spring%3Cbr%3E)?",
    "/spring%60",
    "/spring%7D",
    "/spring%5E",
    "/spring%5C",
    "/spring%20",
    "/spring%20)",
    "/spring%0A",
    "/spring%09",
    "/spring%2E",
    "/spring%2C",
    "/spring%2F",
    "/spring%27",
    "/spring%E2%80%A6",
    "/spring%E2%80%9D",
    "/spring%C2%BB",
    "/spring%E3%80%82",
    "/spring%E2%80%8B",
    "/spring%EF%BB%BF",
    "/spring%C2%A0",
    "/spr%C2%ADing",
    "//spring",
    "/%20spring",
    "/%73pring",
    "/%73%70%72%69%6e%67",
    "/spr%69ng%2e",
];

#[on_each_database]
async fn a_pasted_link_leads_where_the_link_does(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    for host in hosts(&server, &token, &dns).await {
        let there = format!("https://{host}.example/there");
        for slug in ["spring", "a_b-c"] {
            let body = serde_json::json!({ "destinationUrl": there, "slug": slug, "domain": host });
            server.post("/links", &token, body).await.expect(201);
        }
        for target in PASTED.into_iter().chain(["/a_b-c", "/a%5Fb%2Dc", "/a_b-c%2e"]) {
            for fields in ["", UNUSUAL] {
                let answer = ask(&server, &host, target, fields).await;
                let expected = if target == "/spring%3Cbr%3E)?" { "404" } else { "302" };
                assert_eq!(status(&answer), expected, "{host} {target} {fields}: {answer}");
                assert!(
                    expected == "404" || answer.lines().any(|line| line == format!("location: {there}")),
                    "{answer}"
                );
            }
        }
        // What no browser sends as it is: whichever answers, it answers the same.
        for target in [
            "/spring\"",
            "/spring>",
            "/spring<",
            "/spring`",
            "/spring}",
            "/spring^",
            "/spring\\",
            "/spring…",
            "/spring%",
        ] {
            let [one, other] = [ask(&server, &host, target, "").await, ask(&server, &host, target, UNUSUAL).await];
            assert_eq!(status(&one), status(&other), "{host} {target}: {one} {other}");
        }
    }
}

const BROWSER: &str = "accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n";

#[on_each_database]
async fn a_browser_gets_a_page_wherever_it_goes_astray(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let mut all = hosts(&server, &token, &dns).await.to_vec();
    all.push("unknown.example".to_owned());
    all.push("192.0.2.7".to_owned());
    for host in all {
        for target in [
            "/unknown",
            "/unknown)",
            "/un/known",
            "/spring.html",
            "/.well-known/nothing",
            "/app/assets/nothing.js",
            "/static/nothing",
            "/login/x",
            "/%FF%FE",
            "/a%2Fb",
            "//",
            "/wp-login.php",
            "/..%2f..%2fetc/passwd",
        ] {
            let answer = ask(&server, &host, target, BROWSER).await;
            assert!(["404", "200"].contains(&status(&answer)), "{host}{target}: {answer}");
            assert!(answer.contains("content-type: text/html"), "{host}{target}: {answer}");
        }
    }
    // What a program asks for, and the API's own paths, are answered as documented.
    for (target, fields) in
        [("/un/known", ""), ("/un/known", "accept: */*\r\n"), ("/links/x/y", BROWSER), ("/api/v1/nothing", BROWSER)]
    {
        let answer = ask(&server, "sho.rt", target, fields).await;
        assert!(answer.contains("content-type: application/json"), "{target}: {answer}");
        assert_eq!(status(&answer), "404", "{target}");
    }
}

#[on_each_database]
async fn needless_encoding_changes_no_path_of_the_api(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    server.link(&token, "spring").await;
    let key = server.api_key(&token, &["links:read"]).await;
    for (path, credential) in [("/api/v1/%6Cinks", &key), ("/%61pi/v1/link%73?pageSize=1", &key), ("/%6cinks", &token)]
    {
        assert_eq!(server.get(path, credential).await.expect(200).json()["total"], 1, "{path}");
    }
    server.get("/%68ealth", "").await.expect(200);
    server.get("/%61pp", "").await.expect(200);
}

#[on_each_database]
async fn each_host_has_the_files_of_fixed_paths(database: TestDatabase) {
    let contact = "mailto:security@example.com";
    let server = database.start_at(&[("LINKGRAPH_SECURITY_CONTACT", contact)], noon()).await;
    let robots = server.get("/robots.txt", "").await.expect(200);
    assert_eq!(robots.header("content-type"), "text/plain; charset=utf-8");
    assert!(robots.text.starts_with("User-agent: *\nDisallow: /api/\n"), "{}", robots.text);
    assert!(server.get("/favicon.ico", "").await.expect(200).header("content-type").starts_with("image/"));
    let expires = rfc3339((server.clock.now() / DAY + 180) * DAY);
    let text = format!("Contact: {contact}\nExpires: {expires}\nCanonical: http://sho.rt/.well-known/security.txt\n");
    assert_eq!(server.get("/.well-known/security.txt", "").await.expect(200).text, text);
    let change = server.get("/.well-known/change-password", "").await.expect(303);
    assert_eq!(change.header("location"), "/app/settings");
    server.stop().await;
    let server = database.start().await;
    server.get("/.well-known/security.txt", "").await.expect(404);
}

#[on_each_database]
async fn a_host_has_files_of_its_own_where_its_owner_wants_them(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let [_, domain, subdomain] = hosts(&server, &token, &dns).await;
    for (number, host) in [&domain, &subdomain].into_iter().enumerate() {
        let usual = server.at_host(host, "/robots.txt").await.expect(200);
        assert_eq!(usual.text, "User-agent: *\nDisallow:\n");
        server.at_host(host, "/favicon.ico").await.expect(404);
        server.at_host(host, "/.well-known/security.txt").await.expect(404);
        // The settings have a row already.
        set(&server, &token, host, number == 0, serde_json::json!({ "forwardsQuery": true })).await;
        // It is the service's, and no page of a host.
        server.at_host(host, "/.well-known/change-password").await.expect(404);
        let change = serde_json::json!({
            "robotsText": "User-agent: *\nDisallow: /\n",
            "faviconUrl": "https://example.com/icon.png",
            "securityContact": "https://example.com/security",
        });
        set(&server, &token, host, number == 0, change).await;
        let robots = server.at_host(host, "/robots.txt").await.expect(200);
        assert_eq!(
            (robots.text.as_str(), robots.header("content-type")),
            ("User-agent: *\nDisallow: /\n", "text/plain; charset=utf-8")
        );
        let icon = server.at_host(host, "/favicon.ico").await.expect(302);
        assert_eq!(icon.header("location"), "https://example.com/icon.png");
        let contact = server.at_host(host, "/.well-known/security.txt").await.expect(200).text;
        assert!(contact.starts_with("Contact: https://example.com/security\nExpires: "), "{contact}");
        // Nothing of a suspended account is served.
        let order = ["accounts", "suspend", "ada@example.com", "--reason", "test"];
        operate(&database, &order).await;
        let robots = async || server.at_host(host, "/robots.txt").await.text;
        eventually("it is suspended", async || (robots().await == usual.text).then_some(())).await;
        server.at_host(host, "/favicon.ico").await.expect(404);
        server.at_host(host, "/.well-known/security.txt").await.expect(404);
        operate(&database, &["accounts", "restore", "ada@example.com"]).await;
        eventually("it is restored", async || (robots().await != usual.text).then_some(())).await;
        let token = server.login("ada").await;
        let gone = serde_json::json!({ "robotsText": null, "faviconUrl": null, "securityContact": null });
        set(&server, &token, host, number == 1, gone).await;
        assert_eq!(server.at_host(host, "/robots.txt").await.text, usual.text);
        server.at_host(host, "/favicon.ico").await.expect(404);
    }
}
