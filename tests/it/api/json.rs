//! JSON of requests: numbers as JSON writes them, names that stand twice, and where a mistake is.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use serde_json::json;

use crate::{on_each_database, support::TestDatabase};

#[on_each_database]
async fn integers_are_integers_however_they_are_written(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let post = async |body: String| {
        let request = server.request(reqwest::Method::POST, "/links").bearer_auth(&token);
        server.send(request.header("content-type", "application/json").body(body)).await
    };
    let body = |max: &str| format!(r#"{{"destinationUrl":"https://example.com/","maxClicks":{max}}}"#);
    for (written, number) in [("5", 5), ("5.0", 5), ("1e2", 100), ("1E+2", 100), ("1000000.0", 1_000_000)] {
        assert_eq!(post(body(written)).await.expect(201).json()["maxClicks"], number, "{written}");
        let query = format!(
            "mutation {{ createLink(input: {{ destinationUrl: \"https://e.example/\", maxClicks: {number} }}) {{ maxClicks }} }}"
        );
        assert_eq!(server.graphql(&token, &query, json!({})).await["data"]["createLink"]["maxClicks"], number);
        let query = "mutation($max: Int) { createLink(input: { destinationUrl: \"https://e.example/\", maxClicks: $max }) { maxClicks } }";
        let text = format!(r#"{{"query":{},"variables":{{"max":{written}}}}}"#, json!(query));
        let request = server.request(reqwest::Method::POST, "/graphql").bearer_auth(&token);
        let answer = server.send(request.header("content-type", "application/json").body(text)).await.json();
        assert_eq!(answer["data"]["createLink"]["maxClicks"], number, "{written}: {answer}");
    }
    let links = database.number("SELECT count(*) FROM links").await;
    for written in ["0", "-0", "-0.0", "5.5", "1e7", "1e400", "2147483648", "\"5\"", "true"] {
        let refused = post(body(written)).await.expect(400);
        assert!(refused.code() == "BAD_REQUEST" || refused.violations() == ["maxClicks"], "{written}: {refused:?}");
    }
    assert_eq!(database.number("SELECT count(*) FROM links").await, links);
    for (written, size) in [("2", 2), ("2.0", 2), ("1e1", 10)] {
        let page = server.get(&format!("/links?pageSize={written}"), &token).await.expect(200).json();
        assert_eq!(page["pageSize"], size, "{written}");
    }
    for written in ["2.5", "1e", "-0", "0x1", "%2B2", "NaN", ""] {
        server.get(&format!("/links?pageSize={written}"), &token).await.expect(400);
    }
}

#[on_each_database]
async fn a_name_that_stands_twice_is_refused_and_the_place_is_said(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    for (path, body, place) in [
        (
            "/links",
            "{\"destinationUrl\":\"https://a.example/\",\n\"destinationUrl\":\"https://b.example/\"}",
            "line 2 column 16",
        ),
        (
            "/links",
            "{\"destinationUrl\":\"https://a.example/\",\"utm\":{\"source\":\"a\",\"source\":\"b\"}}",
            "line 1 column 67",
        ),
        ("/links", "{\"destinationUrl\":\n}", "line 2 column 1"),
        ("/graphql", "{\"query\":\"{ me { id } }\",\"query\":\"{ me { name } }\"}", "line 1 column 32"),
        ("/graphql", "{\"query\":\"{ me { id } }\",\"variables\":{\"a\":1,\"a\":2}}", "line 1 column 47"),
    ] {
        let request = server.request(reqwest::Method::POST, path).bearer_auth(&token);
        let refused = server.send(request.header("content-type", "application/json").body(body)).await;
        assert_eq!(refused.status, 400, "{path} {body}");
        assert!(refused.text.contains(place), "{body}: {}", refused.text);
    }
    assert_eq!(database.number("SELECT count(*) FROM links").await, 0);
}

#[on_each_database]
async fn a_body_may_be_compressed_with_gzip(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    let gzip = |bytes: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let send = async |path: &str, coding: &str, body: Vec<u8>| {
        let request = server.request(reqwest::Method::POST, path).bearer_auth(&token);
        let request = request.header("content-type", "application/json").header("content-encoding", coding);
        server.send(request.body(body)).await
    };
    let link = br#"{"destinationUrl":"https://example.com/"}"#;
    for (coding, body) in [("gzip", gzip(link)), ("x-GZIP", gzip(link)), ("identity", link.to_vec())] {
        send("/links", coding, body).await.expect(201);
    }
    let query = gzip(br#"{"query":"{ links { total } }"}"#);
    assert_eq!(send("/graphql", "gzip", query).await.json()["data"]["links"]["total"], 3);
    for coding in ["br", "deflate", "gzip, gzip", "gzip,"] {
        send("/links", coding, gzip(link)).await.expect(415);
    }
    send("/links", "gzip", link.to_vec()).await.expect(400);
    send("/links", "gzip", [gzip(link), gzip(b"")].concat()).await.expect(400);
    send("/links", "gzip", gzip(link)[..20].to_vec()).await.expect(400);
    // A few hundred bytes that become a gigabyte.
    let bomb = gzip(&vec![b' '; 8 << 20]);
    assert!(bomb.len() < 16 << 10);
    send("/links", "gzip", bomb).await.expect(413);
    assert_eq!(database.number("SELECT count(*) FROM links").await, 3);
}
