//! Clients that ask and do not read, and clients that read slowly. `scripts/soak` has ten thousand of the former.

use std::{
    collections::HashSet,
    net::SocketAddr,
    time::{Duration, Instant},
};

use futures_util::SinkExt;
use linkgraph::base::clock::Clock;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};
use tokio_tungstenite::{
    client_async,
    tungstenite::{Message, client::IntoClientRequest, http::HeaderValue},
};

use crate::support::{
    DEADLINE, TestDatabase, TestServer, answer_time, eventually, free_port, process::TestProcess, setting,
};

/// A connection whose receive buffer is small.
async fn connect(address: SocketAddr, receive_buffer: u32) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(receive_buffer).unwrap();
    socket.connect(address).await.unwrap()
}

fn request(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: sho.rt\r\n\r\n")
}

/// The ports of a connection: the service's, the client's.
fn ports(client: &TcpStream) -> (u16, u16) {
    (client.peer_addr().unwrap().port(), client.local_addr().unwrap().port())
}

/// How many of these connections the service's side still has, in whatever state, the kernel's own included.
fn held(clients: &HashSet<(u16, u16)>) -> usize {
    let port = |address: &str| u16::from_str_radix(address.split_once(':').unwrap().1, 16).unwrap();
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let rows = table.lines().skip(1).map(|line| line.split_ascii_whitespace().collect::<Vec<_>>());
    // 06 is TIME_WAIT: nothing is held then.
    rows.filter(|row| row[3] != "06" && clients.contains(&(port(row[1]), port(row[2])))).count()
}

async fn start(database: &TestDatabase, client_timeout: Duration, more: &[(&str, &str)]) -> TestServer {
    let mut config = database.config_with(more);
    config.client_timeout = client_timeout;
    let server = database.start_configured(config, Clock::default()).await;
    let token = server.register("alice").await;
    server.link(&token, "a").await;
    server
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_nobody_reads_ends_the_connection() {
    let database = TestDatabase::sqlite();
    let reserved = SocketAddr::from(([127, 0, 0, 1], free_port()));
    let client_timeout = Duration::from_secs(1);
    let server = start(&database, client_timeout, &[("LINKGRAPH_METRICS_BIND", &reserved.to_string())]).await;
    for (what, address, asked) in [
        ("documents", server.address(), request("/openapi.json").repeat(30)),
        ("a long file", server.address(), request("/graphiql/graphiql.js")),
        ("an API's answers", server.address(), request("/links").repeat(1_500)),
        ("redirects", server.address(), request("/a").repeat(1_500)),
        ("redirects by the HTTP server", server.address(), request("/health") + &request("/a").repeat(1_500)),
        ("pages", server.address(), request("/unknown").repeat(1_500)),
        ("metrics", reserved, request("/metrics").repeat(100)),
        // These fit what the kernel takes: idle, then closed, and then dropped there.
        ("short answers", server.address(), request("/health").repeat(20) + "GET"),
    ] {
        let (mut clients, mut open) = (Vec::new(), HashSet::new());
        for _ in 0..5 {
            let mut client = connect(address, 2_048).await;
            open.insert(ports(&client));
            // Not all of it is taken from a client that does not read.
            let _ = tokio::time::timeout(client_timeout / 2, client.write_all(asked.as_bytes())).await;
            clients.push(client);
        }
        let asked = Instant::now();
        eventually(what, async || (held(&open) == 0).then_some(())).await;
        println!("{what}: {:?}", asked.elapsed());
        drop(clients);
        server.follow("a").await.expect(302);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_reads_slowly_gets_all_of_it() {
    let database = TestDatabase::sqlite();
    let client_timeout = Duration::from_secs(5);
    let server = start(&database, client_timeout, &[]).await;
    let whole = server.get("/openapi.json", "").await.expect(200).text;
    let mut client = connect(server.address(), 16_384).await;
    client.write_all(b"GET /openapi.json HTTP/1.1\r\nhost: sho.rt\r\nconnection: close\r\n\r\n").await.unwrap();
    let started = Instant::now();
    let (mut read, mut part) = (Vec::new(), [0; 6_000]);
    loop {
        let length = client.read(&mut part).await.unwrap();
        if length == 0 {
            break;
        }
        read.extend_from_slice(&part[..length]);
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
    assert!(started.elapsed() > client_timeout, "it was not slow: {:?}", started.elapsed());
    assert!(read.ends_with(whole.as_bytes()), "{} of {} bytes", read.len(), whole.len());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_socket_lives_while_nothing_waits_to_be_read() {
    let database = TestDatabase::sqlite();
    let client_timeout = Duration::from_millis(500);
    let server = start(&database, client_timeout, &[]).await;
    let mut listening = server.socket("").await;
    assert!(listening.is_silent(client_timeout * 3).await);
    listening.begin("1", "{ __typename }", json!({})).await;
    assert_eq!(listening.hear().await["payload"]["data"]["__typename"], "Query");

    let mut asked = format!("ws://{}/graphql/ws", server.address()).into_client_request().unwrap();
    asked.headers_mut().insert("sec-websocket-protocol", HeaderValue::from_static("graphql-transport-ws"));
    let stream = connect(server.address(), 2_048).await;
    let open = HashSet::from([ports(&stream)]);
    let (mut deaf, _) = client_async(asked, stream).await.unwrap();
    let writing = tokio::spawn(async move {
        let ping = json!({ "type": "ping", "payload": { "x": "x".repeat(60_000) } }).to_string();
        while deaf.send(Message::text(ping.clone())).await.is_ok() {}
    });
    eventually("the one that does not read is gone", async || (held(&open) == 0).then_some(())).await;
    writing.await.unwrap();
    server.stop().await;
}

/// With the client_timeout that every service has: 15 seconds pass.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_who_do_not_read_cost_little_and_delay_nobody() {
    let number = setting("LINKGRAPH_SOAK_UNREAD", 300);
    let database = TestDatabase::sqlite();
    let service = TestProcess::start(&database, &[]).await;
    let token = service.register("alice").await;
    service.link(&token, "a").await;
    service.get("/openapi.json", "").await.expect(200);
    service.follow("a").await.expect(302);
    let before = service.memory();
    let asked = request("/a") + &request("/openapi.json").repeat(30) + &request("/a").repeat(5);
    let started = Instant::now();
    let (mut clients, mut open) = (Vec::new(), HashSet::new());
    let (mut most, mut slowest) = (before, Duration::ZERO);
    let mut follow = async || {
        let asked = Instant::now();
        service.follow("a").await.expect(302);
        slowest = slowest.max(asked.elapsed());
        most = most.max(service.memory());
    };
    for count in 0..number {
        let mut client = connect(service.address(), 2_048).await;
        open.insert(ports(&client));
        client.write_all(asked.as_bytes()).await.unwrap();
        clients.push(client);
        if count % 50 == 0 {
            follow().await;
        }
    }
    let connected = started.elapsed();
    loop {
        let left = held(&open);
        if left == 0 {
            break;
        }
        assert!(started.elapsed() < connected + DEADLINE, "{left} of {number} are held");
        follow().await;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    drop(clients);
    let grown = most.saturating_sub(before);
    println!(
        "{number} connections that do not read: open after {connected:?}, closed {:?} later, {} KiB more memory at most, \
         slowest redirect {slowest:?}",
        started.elapsed() - connected,
        grown / 1_024,
    );
    // The thread that hashes when the processor is idle takes the memory of its first hash (19 MiB) when it gets to it: on a busy machine
    // after `before`. All answers together are gigabytes.
    assert!(grown <= (20 << 20) + (16 << 20).max(number * 6_711), "{grown} bytes more");
    assert!(slowest < answer_time(), "{slowest:?}");
}
