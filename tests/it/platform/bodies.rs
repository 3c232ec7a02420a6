//! Request bodies that arrive slowly, from many connections: the memory for them is bounded, and others go on.

use std::cell::Cell;

use linkgraph::base::clock::Clock;
use reqwest::{Method, RequestBuilder};
use serde_json::json;
use tokio::{io::AsyncWriteExt, net::TcpStream};

use crate::support::{Answer, Http, TestDatabase, TestServer, eventually};

/// The memory for bodies in these tests, of which a client may have an eighth: four of the longest bodies.
const MEMORY: usize = 8 << 20;
/// Bytes of the longest body.
const LONGEST: usize = 256 << 10;
/// The message of a request that is refused for want of this memory.
const REFUSED: &str = "The service has too many large request bodies at once.";

async fn start(database: &TestDatabase) -> TestServer {
    let mut config = database.config_with(&[("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1")]);
    config.body_memory = MEMORY;
    database.start_configured(config, Clock::default()).await
}

/// Announces the longest body, sends `sent` bytes of it, and keeps the connection open.
async fn begin(server: &Http, client: &str, sent: usize) -> TcpStream {
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    let head = format!(
        "POST /graphql HTTP/1.1\r\nhost: sho.rt\r\ncontent-type: application/json\r\ncontent-length: {LONGEST}\r\n\
         x-forwarded-for: {client}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&vec![b' '; sent]).await.unwrap();
    stream
}

/// A request with a large body, which is sent at once.
fn large(server: &Http, path: &str, body: &str) -> RequestBuilder {
    let body = body.to_owned() + &" ".repeat(200 << 10);
    server.request(Method::POST, path).header("content-type", "application/json").body(body)
}

/// Bodies that have arrived but for a kilobyte.
#[derive(Default)]
struct Slow(Vec<TcpStream>);

impl Slow {
    /// Begins four more of the client.
    async fn add(&mut self, server: &Http, client: &str) {
        for _ in 0..4 {
            self.0.push(begin(server, client, LONGEST - 1_024).await);
        }
    }

    /// Begins bodies of new clients until the request `ask` is refused for want of memory. It is tried after each client, since the service
    /// holds no body for longer than 15 seconds.
    async fn until_refused(&mut self, server: &Http, mut ask: impl AsyncFnMut() -> Answer) -> Answer {
        for _ in 0..60 {
            let client = format!("198.51.100.{}", self.0.len() / 4);
            self.add(server, &client).await;
            let answer = ask().await;
            if answer.text.contains(REFUSED) {
                return answer;
            }
        }
        panic!("{} bodies are held", self.0.len());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_bodies_than_there_is_memory_for_are_refused_and_others_go_on() {
    let database = TestDatabase::sqlite();
    let server = start(&database).await;
    let token = server.register("alice").await;
    server.link(&token, "a").await;
    let link = json!({ "destinationUrl": "https://example.com/" }).to_string();
    let query = json!({ "query": "{ __typename }" }).to_string();
    let create = async || server.send(large(&server, "/links", &link).bearer_auth(&token)).await;
    let graphql = async || server.send(large(&server, "/graphql", &query)).await;
    let webhook = async || server.send(large(&server, "/webhooks/stripe", "{}")).await;
    create().await.expect(201);
    graphql().await.expect(200);
    assert!(!webhook().await.text.contains(REFUSED));

    let mut slow = Slow::default();
    let created = Cell::new(0);
    let counted = async || {
        let answer = create().await;
        created.set(created.get() + i64::from(answer.status == 201));
        answer
    };
    let before = database.links().await;
    let refused = slow.until_refused(&server, &counted).await.expect(503);
    assert_eq!((refused.code().as_str(), refused.header("retry-after")), ("UNAVAILABLE", "1"));
    assert_eq!(database.links().await, before + created.get(), "a refused link is not stored");
    let refused = slow.until_refused(&server, &graphql).await.expect(503);
    assert_eq!(refused.json()["errors"][0]["extensions"]["code"], "UNAVAILABLE");
    assert_eq!(refused.header("retry-after"), "1");
    let refused = slow.until_refused(&server, &webhook).await.expect(503);
    assert_eq!((refused.code().as_str(), refused.header("retry-after")), ("UNAVAILABLE", "1"));

    server.follow("a").await.expect(302);
    server.get("/health", "").await.expect(200);
    server.get("/links", &token).await.expect(200);
    server.link(&token, "small").await;
    assert_eq!(server.graphql("", "{ __typename }", json!({})).await["data"]["__typename"], "Query");

    drop(slow);
    eventually("links are created again", async || (create().await.status == 201).then_some(())).await;
    eventually("documents are executed again", async || (graphql().await.status == 200).then_some(())).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_client_cannot_take_all_memory_for_bodies() {
    let database = TestDatabase::sqlite();
    let server = start(&database).await;
    let token = server.register("alice").await;
    let client = "198.51.100.1";
    let query = json!({ "query": "{ __typename }" }).to_string();
    let ask = async || server.send(large(&server, "/graphql", &query).header("x-forwarded-for", client)).await;
    // Bodies that are announced and not sent take no memory.
    let mut announced = Vec::new();
    for _ in 0..50 {
        announced.push(begin(&server, client, 0).await);
    }
    ask().await.expect(200);

    let mut slow = Slow::default();
    let link = json!({ "destinationUrl": "https://example.com/" }).to_string();
    let mut is_refused = false;
    // Twice the memory for all bodies.
    for _ in 0..16 {
        slow.add(&server, client).await;
        is_refused |= ask().await.text.contains(REFUSED);
        let other = large(&server, "/links", &link).bearer_auth(&token).header("x-forwarded-for", "198.51.100.2");
        server.send(other).await.expect(201);
    }
    assert!(is_refused, "{} bodies are held", slow.0.len());
    drop((announced, slow));
    eventually("its bodies are read again", async || (ask().await.status == 200).then_some(())).await;
    server.stop().await;
}
