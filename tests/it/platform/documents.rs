//! Documents that never change: sent as the client likes them.

use std::io::Read;

use futures_util::future::join_all;
use reqwest::Method;

use crate::support::{Http, TestDatabase};

/// Headers and body, as they came.
async fn fetch(server: &Http, method: Method, path: &str, accepted: &str) -> (reqwest::header::HeaderMap, Vec<u8>) {
    let mut request = server.request(method, path);
    if !accepted.is_empty() {
        request = request.header("accept-encoding", accepted);
    }
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), 200, "{path}");
    (answer.headers().clone(), answer.bytes().await.unwrap().to_vec())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn documents_come_in_the_coding_that_the_client_likes_best() {
    let server = TestDatabase::sqlite().start().await;
    for path in [
        "/openapi.json",
        "/api/v1/openapi.json",
        "/schema.graphql",
        "/graphiql/graphiql.js",
        "/graphiql/graphiql.css",
        "/graphiql/LICENSES.txt",
        "/static/pages.css",
    ] {
        let (headers, plain) = fetch(&server, Method::GET, path, "").await;
        assert!(!headers.contains_key("content-encoding"), "{path}");
        for (accepted, coding) in [
            ("identity", ""),
            ("deflate", ""),
            ("gzip, deflate, br", "br"),
            ("br;q=0.1, gzip", "gzip"),
            ("gzip;q=0, br;q=0", ""),
        ] {
            let (found, body) = fetch(&server, Method::GET, path, accepted).await;
            let field = |name: &str| found.get(name).map_or("", |value| value.to_str().unwrap());
            assert_eq!(field("content-encoding"), coding, "{path}: {accepted}");
            assert_eq!(field("vary"), "accept-encoding");
            for name in ["content-type", "cache-control", "x-content-type-options"] {
                assert_eq!(found.get(name), headers.get(name), "{path}: {name}");
            }
            let mut decoded = Vec::new();
            let length = match coding {
                "br" => brotli::Decompressor::new(&*body, 4_096).read_to_end(&mut decoded).unwrap(),
                "gzip" => flate2::read::GzDecoder::new(&*body).read_to_end(&mut decoded).unwrap(),
                _ => (&*body).read_to_end(&mut decoded).unwrap(),
            };
            assert_eq!(length, plain.len(), "{path}: {accepted}");
            assert!(decoded == plain, "{path}: {accepted}");
            assert!(coding.is_empty() || body.len() < plain.len(), "{path}: {} of {}", body.len(), plain.len());
            let (head, nothing) = fetch(&server, Method::HEAD, path, accepted).await;
            assert_eq!((head.get("content-length"), nothing.len()), (found.get("content-length"), 0), "{path}");
        }
    }
    server.stop().await;
}

/// A client that goes before its answer is there does not begin it anew for the next one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_at_once_get_the_same() {
    let server = TestDatabase::sqlite().start().await;
    let path = "/graphiql/graphiql.js";
    for accepted in ["br", "gzip"] {
        let hasty = server.request(Method::GET, path).header("accept-encoding", accepted);
        let _ = tokio::time::timeout(std::time::Duration::from_millis(5), hasty.send()).await;
        let bodies = join_all((0..20).map(|_| fetch(&server, Method::GET, path, accepted))).await;
        let lengths: Vec<usize> = bodies.iter().map(|(_, body)| body.len()).collect();
        println!("{path} as {accepted}: {} bytes", lengths[0]);
        assert!(bodies.iter().all(|(_, body)| *body == bodies[0].1) && lengths[0] > 100_000, "{lengths:?}");
    }
    server.stop().await;
}
