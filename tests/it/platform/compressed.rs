//! Answers that are compressed for those who accept it.

use std::{io::Read, time::Duration};

use entity::click;
use flate2::read::GzDecoder;
use linkgraph::base::{clock::Clock, config::Config};
use reqwest::{Method, Response};
use serde_json::json;

use crate::{
    on_each_database,
    support::{TestDatabase, TestServer, eventually, stored::stored_click},
};

async fn ask(server: &TestServer, method: Method, path: &str, token: &str, accepted: &str) -> Response {
    let request = server.request(method.clone(), path).bearer_auth(token).header("accept-encoding", accepted);
    let query = json!({ "query": "{ links(pageSize: 100) { data { id destinationUrl title shortUrl } } }" });
    let request = if method == Method::POST { request.json(&query) } else { request };
    request.timeout(Duration::from_secs(120)).send().await.unwrap()
}

fn header<'a>(answer: &'a Response, name: &str) -> &'a str {
    answer.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

#[on_each_database]
async fn lists_exports_and_graphql_come_compressed_to_who_accepts_it(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let links: Vec<_> = (0..100)
        .map(|number| json!({ "destinationUrl": format!("https://example.com/{number}"), "title": "A poster", "slug": format!("s{number}") }))
        .collect();
    server.post("/links/bulk", &token, json!({ "links": links })).await.expect(200);
    for (method, path) in [
        (Method::GET, "/links?pageSize=100"),
        (Method::GET, "/links/export"),
        (Method::GET, "/links/export?format=jsonl"),
        (Method::POST, "/graphql"),
    ] {
        let plain = ask(&server, method.clone(), path, &token, "br, deflate, gzip;q=0").await;
        assert_eq!((header(&plain, "content-encoding"), header(&plain, "vary")), ("", "accept-encoding"), "{path}");
        let content_type = header(&plain, "content-type").to_owned();
        let plain = plain.bytes().await.unwrap();
        let answer = ask(&server, method, path, &token, "br, gzip;q=0.5").await;
        assert_eq!(
            (header(&answer, "content-encoding"), header(&answer, "vary")),
            ("gzip", "accept-encoding"),
            "{path}"
        );
        assert_eq!(header(&answer, "content-type"), content_type, "{path}");
        let length = header(&answer, "content-length").to_owned();
        let compressed = answer.bytes().await.unwrap();
        if path.contains("export") {
            assert_eq!(length, "", "{path}");
        } else {
            assert_eq!(length, compressed.len().to_string(), "{path}");
        }
        let mut read = Vec::new();
        GzDecoder::new(&*compressed).read_to_end(&mut read).unwrap();
        assert!(read == plain, "{path}");
        println!("{path}: {} of {} bytes", compressed.len(), plain.len());
        assert!(compressed.len() * 4 < plain.len(), "{path}: {} of {}", compressed.len(), plain.len());
    }
    // What is small, or is none of the API's, is sent as it is.
    for (path, status) in
        [("/me", 200), ("/links?pageSize=1", 200), ("/links/none", 404), ("/health", 200), ("/s1", 302)]
    {
        let answer = ask(&server, Method::GET, path, &token, "gzip").await;
        assert_eq!((answer.status().as_u16(), header(&answer, "content-encoding")), (status, ""), "{path}");
    }
    let head = ask(&server, Method::HEAD, "/links?pageSize=100", &token, "gzip").await;
    assert_eq!((head.status().as_u16(), header(&head, "content-encoding")), (200, "gzip"));
    // A document has codings of its own, once.
    let document = ask(&server, Method::GET, "/openapi.json", &token, "gzip").await;
    assert_eq!((header(&document, "content-encoding"), header(&document, "vary")), ("gzip", "accept-encoding"));
    let mut read = String::new();
    GzDecoder::new(&*document.bytes().await.unwrap()).read_to_string(&mut read).unwrap();
    assert!(read.starts_with('{'));
}

/// An export that is compressed is made as fast as it is read, and ends with its client.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_leaves_ends_a_compressed_export() {
    let database = TestDatabase::sqlite();
    let config = Config { client_timeout: Duration::from_secs(120), ..database.config_with(&[]) };
    let server = database.start_configured(config, Clock::default()).await;
    let token = server.register("alice").await;
    let link = server.link(&token, "exported").await["id"].as_str().unwrap().to_owned();
    // More than the sockets' buffers hold, compressed too.
    let text = || (0..100).map(|_| format!("{:032x}", rand::random::<u128>())).collect::<String>();
    let many = (0..15_000).map(|number| {
        let click = stored_click(link.parse().unwrap(), 1_700_000_000_000 + number);
        click::Model { browser: Some(text()), ..click }
    });
    database.store_clicks(many.collect()).await;
    let exports = &server.api().app.exports;
    let path = format!("/analytics/{link}/export");
    let mut answer = ask(&server, Method::GET, &path, &token, "gzip").await;
    assert_eq!((answer.status().as_u16(), header(&answer, "content-encoding")), (200, "gzip"));
    // The head of the file can be read before the rest is made.
    let first = answer.chunk().await.unwrap().unwrap();
    let mut read = Vec::new();
    let _ = GzDecoder::new(&*first).read_to_end(&mut read);
    assert!(read.starts_with(b"id,clickedAt,"), "{}", String::from_utf8_lossy(&read));
    assert_eq!(exports.len(), 1, "it is under way");
    drop(answer);
    eventually("it has ended", async || exports.is_empty().then_some(())).await;
    server.stop().await;
}
