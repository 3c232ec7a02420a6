//! Pages of other origins: what the API tells browsers of them.

use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value as Json, json};

use crate::support::{Answer, Http, TestDatabase, process::line};

const PAGE: &str = "https://dashboard.example.com";
const OTHER: &str = "https://other.example";
const ALLOWS_ORIGIN: &str = "access-control-allow-origin";

/// The question of a browser before a call that it does not make of itself.
async fn preflight(http: &Http, origin: &str, method: &str, path: &str) -> Answer {
    let request = http
        .request(Method::OPTIONS, path)
        .header("origin", origin)
        .header("access-control-request-method", method)
        .header(
            "access-control-request-headers",
            "authorization,content-type,idempotency-key,traceparent,x-request-id",
        );
    http.send(request).await.expect(200)
}

/// A call by a page.
async fn by_page(http: &Http, method: Method, path: &str, credential: &str, body: &Json) -> Answer {
    let mut request = http.request(method, path).header("origin", PAGE);
    if !credential.is_empty() {
        request = request.bearer_auth(credential);
    }
    if !body.is_null() {
        request = request.json(body);
    }
    http.send(request).await
}

fn listed(answer: &Answer, name: &str) -> Vec<String> {
    let mut listed: Vec<String> =
        answer.header(name).split(',').map(|entry| entry.trim().to_ascii_lowercase()).collect();
    listed.sort_unstable();
    listed
}

#[track_caller]
fn is_for_any_page(answer: &Answer, shown: &str) {
    assert_eq!(answer.header(ALLOWS_ORIGIN), "*", "{shown}: {answer:?}");
    let exposed = [
        "content-disposition",
        "etag",
        "idempotency-replayed",
        "location",
        "ratelimit",
        "ratelimit-policy",
        "retry-after",
        "www-authenticate",
        "x-request-id",
    ];
    assert_eq!(listed(answer, "access-control-expose-headers"), exposed, "{shown}");
    assert!(!answer.headers.contains_key("access-control-allow-credentials"), "{shown}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn preflights_of_any_page_need_nothing_and_count_for_nothing() {
    let database = TestDatabase::sqlite();
    let server = database.start_with(&[("LINKGRAPH_RATE_LIMITS", "on")]).await;
    for (method, path) in [
        ("POST", "/graphql"),
        ("GET", "/graphql"),
        ("POST", "/api/v1/links"),
        ("PATCH", "/links/any"),
        ("DELETE", "/api/v1/webhooks/any"),
        ("GET", "/openapi.json"),
        ("GET", "/api/v1/openapi.json"),
        ("GET", "/schema.graphql"),
        ("GET", "/api/v1/no-such-path"),
    ] {
        let answer = preflight(&server, PAGE, method, path).await;
        assert_eq!(answer.header(ALLOWS_ORIGIN), "*", "{method} {path}");
        assert_eq!(listed(&answer, "access-control-allow-methods"), ["delete", "get", "patch", "post", "put"]);
        let headers = ["authorization", "content-type", "idempotency-key", "traceparent", "x-request-id"];
        assert_eq!(listed(&answer, "access-control-allow-headers"), headers, "{method} {path}");
        assert_eq!(answer.header("access-control-max-age"), "86400");
        assert!(!answer.headers.contains_key("access-control-allow-credentials"));
        assert!(!answer.header("x-request-id").is_empty() && answer.text.is_empty());
    }
    let (token, login) = (server.register("alice").await, json!({ "email": "a@example.com", "password": "wrong" }));
    let key = server.api_key(&token, &["links:read"]).await;
    for _ in 0..70 {
        for path in ["/auth/login", "/api/v1/links"] {
            let answer = preflight(&server, PAGE, "POST", path).await;
            assert!(!answer.headers.contains_key("ratelimit"), "{answer:?}");
        }
    }
    let first = by_page(&server, Method::POST, "/auth/login", "", &login).await.expect(401);
    assert!(first.header("ratelimit").contains(";r="), "{first:?}");
    let listed = by_page(&server, Method::GET, "/api/v1/links", &key, &Json::Null).await.expect(200);
    assert!(listed.header("ratelimit").starts_with("\"default\";r=59;"), "{listed:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_answer_of_the_api_may_be_read_by_any_page() {
    let database = TestDatabase::sqlite();
    let server = database.start_with(&[("LINKGRAPH_RATE_LIMITS", "on")]).await;
    let token = server.register("alice").await;
    let link = json!({ "destinationUrl": "https://example.com/", "slug": "mine" });
    let created = by_page(&server, Method::POST, "/links", &token, &link).await.expect(201);
    assert!(created.header("location").starts_with("/links/"));
    is_for_any_page(&created, "201");
    for (method, path, credential, body, status) in [
        (Method::GET, "/links", &*token, Json::Null, 200),
        (Method::POST, "/graphql", &token, json!({ "query": "{ me { id } }" }), 200),
        (Method::GET, "/openapi.json", "", Json::Null, 200),
        (Method::GET, "/schema.graphql", "", Json::Null, 200),
        (Method::POST, "/links", &token, json!({}), 400),
        (Method::POST, "/graphql", "", json!([]), 400),
        (Method::GET, "/links", "", Json::Null, 401),
        (Method::POST, "/graphql", "nonsense", json!({ "query": "{ me { id } }" }), 200),
        (Method::GET, "/links/none", &token, Json::Null, 404),
        (Method::GET, "/api/v1/no-such-path", &token, Json::Null, 404),
        (Method::PUT, "/links", &token, Json::Null, 405),
        (Method::PATCH, "/graphql", &token, Json::Null, 405),
        (Method::DELETE, "/openapi.json", "", Json::Null, 405),
        (Method::POST, "/links", &token, link.clone(), 409),
        (Method::POST, "/links", &token, json!({ "slug": "x".repeat(300_000) }), 413),
    ] {
        let shown = format!("{method} {path} {status}");
        is_for_any_page(&by_page(&server, method, path, credential, &body).await.expect(status), &shown);
    }
    let form = server.request(Method::POST, "/links").header("origin", PAGE).bearer_auth(&token).body("a=b");
    is_for_any_page(&server.send(form).await.expect(415), "415");
    let login = json!({ "email": "a@example.com", "password": "wrong" });
    let mut refused = by_page(&server, Method::POST, "/auth/login", "", &login).await;
    for _ in 0..20 {
        if refused.status == 429 {
            break;
        }
        refused = by_page(&server, Method::POST, "/auth/login", "", &login).await;
    }
    let refused = refused.expect(429);
    assert!(!refused.header("retry-after").is_empty());
    is_for_any_page(&refused, "429");
    let connection = database.connect().await;
    connection.execute_unprepared("DROP TABLE api_keys").await.unwrap();
    connection.close().await.unwrap();
    is_for_any_page(&by_page(&server, Method::GET, "/api-keys", &token, &Json::Null).await.expect(500), "500");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redirects_pages_and_probes_are_for_no_foreign_script() {
    let database = TestDatabase::sqlite();
    let server = database.start().await;
    let token = server.register("alice").await;
    server.link(&token, "mine").await;
    for (path, accept, status) in [
        ("/mine", "*/*", 302),
        ("/none", "*/*", 404),
        ("/", "text/html", 303),
        ("/", "*/*", 200),
        ("/app", "text/html", 200),
        ("/reset-password", "text/html", 303),
        ("/graphql", "text/html", 200),
        ("/graphiql/graphiql.js", "*/*", 200),
        ("/health", "*/*", 200),
        ("/ready", "*/*", 200),
        ("/metrics", "*/*", 200),
        ("/internal/tls/ask?domain=sho.rt", "*/*", 404),
    ] {
        let request = server.request(Method::GET, path).header("origin", PAGE).header("accept", accept);
        let answer = server.send(request).await.expect(status);
        assert!(!answer.headers.contains_key(ALLOWS_ORIGIN), "{path}: {answer:?}");
    }
    server.stop().await;
}

/// The answer to a page that opens a socket; without an origin it is a program.
async fn open_socket(http: &Http, origin: Option<&str>) -> Answer {
    let mut request = http.request(Method::GET, "/graphql/ws");
    for (name, value) in [
        ("connection", "upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ("sec-websocket-protocol", "graphql-transport-ws"),
    ] {
        request = request.header(name, value);
    }
    http.send(match origin {
        Some(origin) => request.header("origin", origin),
        None => request,
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_operator_narrows_the_origins() {
    let origins = format!("https://www.example.com, {PAGE}");
    let database = TestDatabase::sqlite();
    let server = database.start_with(&[("LINKGRAPH_CORS_ORIGINS", &origins)]).await;
    for (origin, allowed) in
        [(PAGE, PAGE), (OTHER, ""), ("null", ""), ("https://dashboard.example.com.evil.example", "")]
    {
        let answer = preflight(&server, origin, "POST", "/graphql").await;
        assert_eq!(answer.header(ALLOWS_ORIGIN), allowed, "{origin}");
        for (path, status) in [("/links", 401), ("/openapi.json", 200)] {
            let answer = server.send(server.request(Method::GET, path).header("origin", origin)).await.expect(status);
            assert_eq!(answer.header(ALLOWS_ORIGIN), allowed, "{origin} {path}");
            let vary: Vec<_> = answer.headers.get_all("vary").iter().map(|name| name.to_str().unwrap()).collect();
            assert!(vary.contains(&"origin"), "{path}: what a cache keeps for one origin is not for another: {vary:?}");
        }
    }
    let own = server.base.clone();
    for (origin, status) in [
        (None, 101),
        (Some(PAGE), 101),
        (Some("http://sho.rt"), 101),
        (Some(&*own), 101),
        (Some(OTHER), 403),
        (Some("null"), 403),
    ] {
        let answer = open_socket(&server, origin).await.expect(status);
        if status == 403 {
            assert_eq!(answer.json()["error"]["details"], json!({ "reason": "ORIGIN_NOT_ALLOWED" }), "{origin:?}");
        }
    }
    server.stop().await;

    let server = database.start().await;
    // Any page, unless the operator says otherwise.
    open_socket(&server, Some(OTHER)).await.expect(101);
    server.stop().await;
}

#[tokio::test]
async fn an_entry_that_is_no_origin_stops_the_start() {
    let database = TestDatabase::sqlite();
    for (origins, said) in [
        ("app.example.com", "app.example.com is not an origin, such as https://app.example.com"),
        (
            "https://a.example,https://a.example/x",
            "https://a.example/x is not an origin, such as https://app.example.com",
        ),
        ("https://a.example, *", "* is not an origin, such as https://app.example.com"),
    ] {
        let (code, line) = line(&database, &[("LINKGRAPH_CORS_ORIGINS", origins)], &[]).await;
        assert_eq!((code, line), (Some(1), format!("linkgraph: LINKGRAPH_CORS_ORIGINS: {said}\n")));
    }
}
