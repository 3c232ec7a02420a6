//! The HTTP edge: what every layer answers to what it refuses, and what every answer carries.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use reqwest::{Method, RequestBuilder};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{Answer, DEADLINE, Http, TestDatabase, process::TestProcess},
};

fn create(http: &Http, token: &str) -> RequestBuilder {
    http.request(Method::POST, "/links").bearer_auth(token)
}

/// The shape of every REST error; answers its code.
#[track_caller]
fn refused(answer: &Answer, status: u16) -> String {
    assert_eq!(answer.status, status, "{answer:?}");
    let json = answer.json();
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["success", "error", "requestId"]);
    assert_eq!(json["success"], false);
    assert!(!json["error"]["message"].as_str().unwrap().is_empty());
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("x-request-id"), json["requestId"]);
    assert_eq!((answer.header("x-content-type-options"), answer.header("cache-control")), ("nosniff", "no-store"));
    assert_eq!(answer.header("www-authenticate").starts_with("Bearer"), status == 401);
    assert_eq!(answer.header("allow").is_empty(), status != 405);
    answer.code()
}

#[on_each_database]
async fn unknown_paths_and_methods_are_refused_in_json(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    for path in
        ["/no/such", "/api/v1", "/api/v2/links", "/links/a/b", "/links/", "/dashboard", "/api", "/%FF/x", "/static/x"]
    {
        assert_eq!(refused(&server.get(path, &token).await, 404), "NOT_FOUND", "{path}");
    }
    for path in ["/api/v1/nothing", "/no/such"] {
        assert_eq!(refused(&server.post(path, &token, json!({})).await, 404), "NOT_FOUND", "{path}");
    }
    for (method, path, allow) in [
        ("PUT", "/links", "GET,HEAD,POST"),
        ("DELETE", "/api/v1/links", "GET,HEAD,POST"),
        ("POST", "/links/x", "GET,HEAD,PATCH,DELETE"),
        ("GET", "/auth/login", "POST"),
        ("POST", "/health", "GET,HEAD"),
        ("POST", "/metrics", "GET,HEAD"),
        ("PATCH", "/graphql", "GET,HEAD,POST"),
        ("OPTIONS", "/health", "GET,HEAD"),
        ("PUT", "/me", "GET,HEAD,PATCH,DELETE"),
    ] {
        let answer = server.call(method, path, &token, Json::Null).await;
        assert_eq!(refused(&answer, 405), "METHOD_NOT_ALLOWED", "{method} {path}");
        let mut allowed: Vec<&str> = answer.header("allow").split(',').collect();
        let mut expected: Vec<&str> = allow.split(',').collect();
        allowed.sort_unstable();
        expected.sort_unstable();
        assert_eq!(allowed, expected, "{method} {path}");
    }
    assert_eq!(refused(&server.get("/links", "").await, 401), "UNAUTHENTICATED");
    // A literal segment of a path takes precedence over a parameter.
    assert_eq!(refused(&server.post("/links/bulk", &token, json!({})).await, 400), "VALIDATION_ERROR");
    assert_eq!(refused(&server.get("/links/bulk", &token).await, 405), "METHOD_NOT_ALLOWED");
}

#[on_each_database]
async fn a_body_must_be_a_json_object_of_at_most_256_kib(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let json_type = |request: RequestBuilder| request.header("content-type", "application/json");
    let deep = format!("{{\"destinationUrl\":{}", "[".repeat(100_000));
    for body in ["{", "[]", "[{}]", "null", "1", "\"x\"", "", " ", "{\"a\":1}x", "{'a':1}", "\u{feff}{}", &deep] {
        let answer = server.send(json_type(create(&server, &token)).body(body.to_owned())).await;
        assert_eq!(refused(&answer, 400), "BAD_REQUEST", "{body:.20}");
    }
    let answer = server.send(json_type(create(&server, &token)).body(b"{\"destinationUrl\":\"\xff\"}".to_vec())).await;
    assert_eq!(refused(&answer, 400), "BAD_REQUEST", "not UTF-8");
    assert_eq!(refused(&server.send(create(&server, &token)).await, 400), "BAD_REQUEST", "no body at all");
    let good = json!({ "destinationUrl": "https://example.com/" }).to_string();
    for content_type in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=iso-8859-1",
        "application/jsonx",
        "application/vnd.api+json",
    ] {
        let answer = server.send(create(&server, &token).header("content-type", content_type).body(good.clone())).await;
        assert_eq!(refused(&answer, 415), "UNSUPPORTED_MEDIA_TYPE", "{content_type}");
    }
    let answer = server.send(create(&server, &token).body(good.clone())).await;
    assert_eq!(refused(&answer, 415), "UNSUPPORTED_MEDIA_TYPE", "none");
    assert_eq!(server.get("/links", &token).await.json()["total"], 0);
    for content_type in
        ["application/json; charset=utf-8", "Application/JSON;charset=\"UTF-8\"", "application/json; x=y"]
    {
        server.send(create(&server, &token).header("content-type", content_type).body(good.clone())).await.expect(201);
    }

    // The limit, by the declared length and by what comes.
    let of = |size: usize| good.clone() + &" ".repeat(size - good.len());
    let fits = of(256 * 1024);
    assert_eq!(fits.len(), 262_144);
    server.send(json_type(create(&server, &token)).body(fits)).await.expect(201);
    // A client that sends all of a body that is far too long still sees why it is refused.
    for _ in 0..10 {
        let answer = server.send(json_type(create(&server, &token)).body(of(5 << 20))).await;
        assert_eq!(refused(&answer, 413), "PAYLOAD_TOO_LARGE");
    }
    let address = server.base.strip_prefix("http://").unwrap().to_owned();
    for path in ["/links", "/graphql"] {
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: sho.rt\r\nauthorization: Bearer {token}\r\n\
                 content-type: application/json\r\n"
        );
        let declared = format!("{head}content-length: 262145\r\n\r\n");
        let mut chunked = format!("{head}transfer-encoding: chunked\r\n\r\n");
        for _ in 0..16 {
            chunked += &format!("4000\r\n{}\r\n", " ".repeat(0x4000));
        }
        chunked += "1\r\n ";
        for request in [declared, chunked] {
            let address = address.clone();
            let answer = tokio::task::spawn_blocking(move || {
                let mut stream = TcpStream::connect(address).unwrap();
                stream.write_all(request.as_bytes()).unwrap();
                let mut answer = String::new();
                stream.read_to_string(&mut answer).unwrap();
                answer
            });
            let answer = answer.await.unwrap();
            assert!(answer.starts_with("HTTP/1.1 413 ") && answer.contains("\"PAYLOAD_TOO_LARGE\""), "{answer}");
        }
    }
}

#[on_each_database]
async fn a_request_keeps_its_id_when_it_has_a_good_one(database: TestDatabase) {
    let server = database.start().await;
    let ask = async |path: &str, id: &[u8]| {
        let id = reqwest::header::HeaderValue::from_bytes(id).unwrap();
        server.send(server.request(Method::GET, path).header("x-request-id", id)).await
    };
    let longest = "x".repeat(128);
    for id in ["a", "A.b_c-9", &longest] {
        for (path, status) in [("/health", 200), ("/links", 401), ("/no/such", 404), ("/graphql?query=%7B", 200)] {
            let answer = ask(path, id.as_bytes()).await.expect(status);
            assert_eq!(answer.header("x-request-id"), id, "{path}");
        }
        assert_eq!(ask("/links", id.as_bytes()).await.json()["requestId"], id);
        assert_eq!(ask("/graphql?query=%7B", id.as_bytes()).await.json()["errors"][0]["extensions"]["requestId"], id);
    }
    let mut given: Vec<String> = Vec::new();
    for id in [&b""[..], b"a b", b"a/b", b"\xc3\xa9", b"<script>", "x".repeat(129).as_bytes()] {
        let answer = ask("/links", id).await.expect(401);
        let new = answer.header("x-request-id").to_owned();
        assert_eq!(answer.json()["requestId"], new);
        assert!(new.len() == 36 && !given.contains(&new), "{new}");
        given.push(new);
    }
}

#[on_each_database]
async fn every_answer_says_that_it_is_no_page_and_not_to_be_kept(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    for path in [
        "/links",
        "/me",
        "/health",
        "/ready",
        "/metrics",
        "/openapi.json",
        "/api/v1/openapi.json",
        "/schema.graphql",
        "/graphql?query=%7Bme%7Bid%7D%7D",
    ] {
        let answer = server.get(path, &token).await.expect(200);
        let kept = (answer.header("x-content-type-options"), answer.header("cache-control"));
        // A document may be kept, and is asked for again by its tag.
        let is_document = ["/openapi.json", "/api/v1/openapi.json", "/schema.graphql"].contains(&path);
        assert_eq!(kept, ("nosniff", if is_document { "no-cache" } else { "no-store" }), "{path}");
        assert_eq!(answer.header("x-request-id").len(), 36);
        let head = server.call("HEAD", path, &token, Json::Null).await.expect(200);
        assert_eq!((head.text.as_str(), head.header("content-type")), ("", answer.header("content-type")), "{path}");
    }
    assert_eq!(server.get("/health", "").await.json(), json!({ "status": "ok" }));
    assert_eq!(server.get("/ready", "").await.json(), json!({ "status": "ok" }));
}

#[on_each_database]
async fn metrics_stay_closed_when_a_trusted_proxy_says_what_cannot_be_read(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.0/8")]).await;
    for (name, value, status) in [
        ("x-forwarded-for", &b"127.0.0.1"[..], 200),
        ("x-forwarded-for", b"198.51.100.1", 404),
        ("x-forwarded-for", b"unknown", 404),
        ("x-forwarded-for", b"", 404),
        ("x-forwarded-for", b"\xff", 404),
        ("x-forwarded-for", b"unknown, 127.0.0.1", 404),
        ("x-forwarded-for", b"127.0.0.1, _hidden", 404),
        ("forwarded", b"for=198.51.100.1", 404),
        ("x-request-id", b"no-proxy", 200),
    ] {
        let value = reqwest::header::HeaderValue::from_bytes(value).unwrap();
        let answer = server.send(server.request(Method::GET, "/metrics").header(name, value.clone())).await;
        assert_eq!(answer.status, status, "{name}: {value:?}");
    }
}

#[on_each_database]
async fn metrics_are_for_this_machine_and_name_nobody(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let id = server.link(&token, "measured").await["id"].as_str().unwrap().to_owned();
    server.get(&format!("/links/{id}"), &token).await.expect(200);
    server.follow("measured").await.expect(302);
    server.follow("unknown-slug").await.expect(404);
    server.get("/made/up/path", "").await.expect(404);
    server.call("BREW", "/links", "", Json::Null).await.expect(405);
    for name in ["x-forwarded-for", "forwarded"] {
        let request = server.request(Method::GET, "/metrics").header(name, "127.0.0.1");
        assert_eq!(refused(&server.send(request).await, 404), "NOT_FOUND", "{name}");
    }
    let answer = server.get("/metrics", "").await.expect(200);
    assert!(answer.header("content-type").starts_with("text/plain; version=0.0.4"));
    let mut samples = 0;
    for line in answer.text.lines().filter(|line| !line.is_empty()) {
        if let Some(comment) = line.strip_prefix("# ") {
            assert!(comment.starts_with("HELP ") || comment.starts_with("TYPE "), "{line}");
            continue;
        }
        let (series, value) = line.rsplit_once(' ').unwrap();
        assert!(value.parse::<f64>().is_ok(), "{line}");
        let name = series.split('{').next().unwrap();
        // Of the process, by the names that clients of Prometheus agree on.
        let is_known = ["linkgraph_", "process_"].iter().any(|prefix| name.starts_with(prefix));
        assert!(is_known && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{line}");
        assert!(series.ends_with('}') || !series.contains('{'), "{line}");
        samples += 1;
    }
    assert!(samples > 20, "{}", answer.text);
    for secret in [id.as_str(), "measured", "unknown-slug", "made", "BREW", "alice", &token] {
        assert!(!answer.text.contains(secret), "{secret} is in a label");
    }
    for series in [
        "linkgraph_http_requests_total{method=\"GET\",route=\"/links/{linkId}\",status=\"200\"} 1",
        "linkgraph_http_requests_total{method=\"OTHER\",route=\"/links\",status=\"405\"} 1",
        "linkgraph_http_requests_total{method=\"GET\",route=\"none\",status=\"404\"} 1",
        "linkgraph_redirects_total{outcome=\"found\"} 1",
        "linkgraph_redirects_total{outcome=\"not_found\"} 1",
        "linkgraph_clicks_logged_total 1",
    ] {
        assert!(answer.text.lines().any(|line| line == series), "{series}\n{}", answer.text);
    }
}

/// One line says who did what and how it went, and gives nothing away.
#[on_each_database]
async fn each_api_request_is_one_log_line_without_secrets(database: TestDatabase) {
    let process = TestProcess::start(&database, &[("LINKGRAPH_LOG", "info")]).await;
    let token = process.register("alice").await;
    let key = process.api_key(&token, &["links:write", "links:read"]).await;
    let id = process.link(&key, "logged").await["id"].as_str().unwrap().to_owned();
    let account = process.graphql(&token, "{ me { account { id } } }", json!({})).await;
    let account = account["data"]["me"]["account"]["id"].as_str().unwrap().to_owned();
    let request = process.request(Method::GET, &format!("/links/{id}?search=needle")).bearer_auth(&token);
    process.send(request.header("x-request-id", "my-request.1")).await.expect(200);
    let login = json!({ "email": "alice@example.com", "password": "not alice's password" });
    process.post("/auth/login", "", login).await.expect(401);
    // By a connection whose address is known.
    let mut stream = TcpStream::connect(process.address()).unwrap();
    let client = stream.local_addr().unwrap().to_string();
    let asked = "GET /links HTTP/1.1\r\nhost: sho.rt\r\nauthorization: Bearer not.a.token\r\nconnection: close\r\n\r\n";
    stream.write_all(asked.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    process.follow("logged").await.expect(302);
    let log = crate::support::eventually("the lines are there", async || {
        let log = process.log.lock().unwrap().clone();
        (log.matches("GET /links 401").count() == 1).then_some(log)
    })
    .await;
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("my-request.1")).collect();
    assert_eq!(lines.len(), 1, "{log}");
    let account = format!("account=\"{account}\"");
    for part in [
        "INFO",
        "GET /links/{linkId} 200",
        "method=\"GET\"",
        "route=\"/links/{linkId}\"",
        "status=200",
        " ms=",
        "request_id=\"my-request.1\"",
        &account,
    ] {
        assert!(lines[0].contains(part), "{part}: {}", lines[0]);
    }
    for route in [
        "POST /auth/register 201",
        "POST /api-keys 201",
        "POST /api/v1/links 201",
        "POST /graphql 200",
        "POST /auth/login 401",
    ] {
        assert_eq!(log.matches(route).count(), 1, "{route}");
    }
    for secret in [&token, &key, "example.com", "alice's password", "password\"", "needle", "Bearer", client.as_str()] {
        assert!(!log.contains(secret), "{secret} is in the log: {log}");
    }
}

/// A client that never finishes its request's head is hung up on; the others do not notice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_half_sent_head_is_given_up_after_15_seconds() {
    let server = TestDatabase::sqlite().start().await;
    let address = server.base.strip_prefix("http://").unwrap().to_owned();
    let slow: Vec<_> = ["", "GET", "GET /health HTTP/1.1\r\nhost: sho.rt\r\nx-slow: "]
        .into_iter()
        .map(|head| {
            let address = address.clone();
            tokio::task::spawn_blocking(move || {
                let started = Instant::now();
                let mut stream = TcpStream::connect(address).unwrap();
                stream.set_read_timeout(Some(DEADLINE)).unwrap();
                stream.write_all(head.as_bytes()).unwrap();
                let mut answer = Vec::new();
                let ended = stream.read_to_end(&mut answer);
                assert!(ended.is_ok(), "it was not hung up on after {head:?}: {ended:?}");
                started.elapsed()
            })
        })
        .collect();
    let mut asked = 0;
    while !slow.iter().all(tokio::task::JoinHandle::is_finished) {
        server.get("/health", "").await.expect(200);
        asked += 1;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    for slow in slow {
        let waited = slow.await.unwrap();
        assert!(waited >= Duration::from_secs(13), "{waited:?}");
    }
    assert!(asked > 30);
    server.stop().await;
}

/// A container without certificate authorities can serve all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_machine_without_certificate_authorities_is_enough() {
    let database = TestDatabase::sqlite();
    let bare = [("SSL_CERT_FILE", "/dev/null"), ("SSL_CERT_DIR", "/nonexistent")];
    let process = TestProcess::start(&database, &bare).await;
    process.get("/health", "").await.expect(200);
    assert!(process.log.lock().unwrap().contains("Mozilla's are trusted"));
}
