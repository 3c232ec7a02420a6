//! Connections, byte by byte: redirects are answered directly from them, everything else by the HTTP server, without a difference for
//! clients.

use std::time::{Duration, Instant};

use linkgraph::{
    platform::http::{
        client_stream::{ClientStream, WriteTimeout},
        shutdown::Shutdown,
    },
    redirect::connection::{self, Next},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::timeout,
};

use crate::support::{Http, TestDatabase, TestServer, eventually};

/// An answer: status, fields but for the date, body.
#[derive(Debug, PartialEq)]
struct Received {
    status: u16,
    fields: Vec<(String, String)>,
    body: String,
}

impl Received {
    fn field(&self, name: &str) -> &str {
        self.fields.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

struct Client {
    stream: TcpStream,
    read: Vec<u8>,
}

impl Client {
    async fn connect(server: &Http) -> Self {
        let stream = TcpStream::connect(server.base.strip_prefix("http://").unwrap()).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Client { stream, read: Vec::new() }
    }

    async fn send(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).await.unwrap();
    }

    async fn receive(&mut self, is_head: bool) -> Received {
        loop {
            let mut fields = [httparse::EMPTY_HEADER; 32];
            let mut parsed = httparse::Response::new(&mut fields);
            if let Ok(httparse::Status::Complete(head)) = parsed.parse(&self.read) {
                let status = parsed.code.unwrap();
                let mut fields: Vec<_> = parsed
                    .headers
                    .iter()
                    .map(|field| (field.name.to_owned(), String::from_utf8(field.value.to_vec()).unwrap()))
                    .collect();
                fields.sort();
                let date = fields.iter().position(|(name, _)| name == "date").expect("an answer has a date");
                assert!(fields.remove(date).1.ends_with(" GMT"));
                let mut answer = Received { status, fields, body: String::new() };
                let length = if is_head { 0 } else { answer.field("content-length").parse().unwrap_or(0) };
                if self.read.len() >= head + length {
                    answer.body = String::from_utf8(self.read[head..head + length].to_vec()).unwrap();
                    self.read.drain(..head + length);
                    return answer;
                }
            }
            self.more().await.expect("the service hung up");
        }
    }

    /// Reads on; none at the end.
    async fn more(&mut self) -> Option<()> {
        let read = timeout(Duration::from_secs(20), self.stream.read_buf(&mut self.read)).await.unwrap().unwrap();
        (read > 0).then_some(())
    }
}

async fn serve(database: &TestDatabase) -> TestServer {
    let server = database.start().await;
    let token = server.register("alice").await;
    server.link(&token, "a").await;
    server
}

/// Also when the server answers because of a field that redirects don't parse.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_ways_answer_alike() {
    let database = TestDatabase::sqlite();
    let server = serve(&database).await;
    let mut clients = [Client::connect(&server).await, Client::connect(&server).await];
    for (method, target, host, status) in [
        ("GET", "/a", "sho.rt", 302),
        ("HEAD", "/a", "sho.rt", 302),
        ("GET", "/a?utm_source=b&x", "localhost", 302),
        ("GET", "/unknown", "sho.rt", 404),
        ("HEAD", "/unknown", "sho.rt", 404),
        ("GET", "/a", "unknown.example", 404),
        ("GET", "/a", "?", 404),
        ("GET", "/health", "sho.rt", 200),
        ("GET", "/a%61", "sho.rt", 404),
        ("POST", "/a", "sho.rt", 405),
    ] {
        let mut answers = Vec::new();
        for (client, unusual) in clients.iter_mut().zip(["", "connection: keep-alive, x\r\n"]) {
            // A server's connection stays the server's.
            if unusual.is_empty() {
                *client = Client::connect(&server).await;
            }
            client.send(&format!("{method} {target} HTTP/1.1\r\nHost: {host}\r\n{unusual}\r\n")).await;
            let mut answer = client.receive(method == "HEAD").await;
            answer.fields.retain(|(name, _)| name != "x-request-id");
            assert_eq!(answer.status, status, "{method} {target} at {host}");
            // An API's error names the request.
            if let Some(id) = answer.body.find("\"requestId\"") {
                answer.body.truncate(id);
            }
            answers.push(answer);
        }
        // The server leaves the length of nothing out.
        answers
            .iter_mut()
            .for_each(|answer| answer.fields.retain(|field| *field != ("content-length".into(), "0".into())));
        assert_eq!(answers[0], answers[1], "{method} {target} at {host}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_are_answered_in_order_however_they_are_cut() {
    let database = TestDatabase::sqlite();
    let server = serve(&database).await;
    let clicks = || server.api().app.clicks.log.taken();
    let request =
        |method: &str, path: &str| format!("{method} {path} HTTP/1.1\r\nhost: sho.rt\r\nuser-agent: cut\r\n\r\n");
    let mut asked = Vec::new();
    for round in 0..40 {
        asked.push(match round % 5 {
            0 | 1 => ("GET", "/a", 302),
            2 => ("HEAD", "/a", 302),
            3 => ("GET", "/unknown", 404),
            _ => ("GET", "/a?utm_source=x", 302),
        });
    }
    // From here on it is the server's.
    asked.extend([("GET", "/health", 200), ("GET", "/a", 302), ("GET", "/unknown", 404), ("HEAD", "/a", 302)]);
    let all: String = asked.iter().map(|(method, path, _)| request(method, path)).collect();
    let followed = asked.iter().filter(|(method, _, status)| (*method, *status) == ("GET", 302)).count() as u64;
    for piece in [1, 2, 3, 50, 67, 1_000, 2_048, all.len()] {
        let before = clicks();
        let mut client = Client::connect(&server).await;
        for part in all.as_bytes().chunks(piece) {
            client.stream.write_all(part).await.unwrap();
            tokio::task::yield_now().await;
        }
        for (number, (method, path, status)) in asked.iter().enumerate() {
            let answer = client.receive(*method == "HEAD").await;
            assert_eq!(answer.status, *status, "{number}: {method} {path} in pieces of {piece}");
        }
        assert_eq!(clicks() - before, followed, "in pieces of {piece}");
    }
    server.stop().await;
}

/// The length of a request (RFC 9112, section 6) is never guessed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_within_a_body_is_no_request() {
    let database = TestDatabase::sqlite();
    let server = serve(&database).await;
    let clicks = || server.api().app.clicks.log.taken();
    let inner = "GET /a HTTP/1.1\r\nhost: sho.rt\r\n\r\n";
    let length = inner.len();
    for (fields, body) in [
        (format!("content-length: {length}"), inner.to_owned()),
        (format!("Content-Length:{length}"), inner.to_owned()),
        ("transfer-encoding: chunked".to_owned(), format!("{length:x}\r\n{inner}\r\n0\r\n\r\n")),
    ] {
        let (mut client, before) = (Client::connect(&server).await, clicks());
        client.send(&format!("GET /a HTTP/1.1\r\nhost: sho.rt\r\n{fields}\r\n\r\n{body}{inner}")).await;
        for _ in 0..2 {
            assert_eq!(client.receive(false).await.status, 302, "{fields}");
        }
        client.send("GET /health HTTP/1.1\r\nhost: sho.rt\r\nconnection: close\r\n\r\n").await;
        assert_eq!(client.receive(false).await.status, 200, "{fields}");
        assert!(client.more().await.is_none(), "{fields}");
        assert_eq!(clicks() - before, 2, "{fields}");
    }
    for (request, status) in [
        ("GET /a HTTP/1.1\r\nhost: sho.rt\r\n folded: x\r\n\r\n", 400),
        ("GET /a HTTP/1.1\r\nhost : sho.rt\r\n\r\n", 400),
        ("GET /a HTTP/1.1\r\nhost: sho.rt\r\ncontent-length: 1, 2\r\n\r\n", 400),
        ("GET /\0a HTTP/1.1\r\nhost: sho.rt\r\n\r\n", 400),
        ("GET /a HTTP/1.0\r\n\r\n", 302),
        ("GET /a HTTP/1.1\r\nhost: sho.rt\r\nconnection: close\r\n\r\n", 302),
    ] {
        let mut client = Client::connect(&server).await;
        client.send(request).await;
        assert_eq!(client.receive(false).await.status, status, "{request}");
        assert!(client.more().await.is_none(), "{request}");
    }
    let mut client = Client::connect(&server).await;
    client.send("GET http://sho.rt/a HTTP/1.1\r\nhost: other.example\r\n\r\n").await;
    assert_eq!(client.receive(false).await.status, 302, "the request's line names the host");
    let long = "x".repeat(20_000);
    client = Client::connect(&server).await;
    client.send(&format!("GET /a HTTP/1.1\r\nhost: sho.rt\r\nx: {long}\r\n\r\n")).await;
    assert_eq!(client.receive(false).await.status, 302, "a long head is no wrong one");
    server.stop().await;
}

/// RFC 9112 §3.2, whoever answers: redirects, the API, what there is no route for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_names_its_host_once() {
    let database = TestDatabase::sqlite();
    let server = serve(&database).await;
    let clicks = server.api().app.clicks.log.taken();
    for path in ["/a", "/unknown", "/health", "/graphql", "/no/such", "http://sho.rt/a", "http://sho.rt/health"] {
        for (version, fields) in [
            ("1.1", ""),
            ("1.1", "host: sho.rt\r\nhost: sho.rt\r\n"),
            ("1.1", "host: sho.rt\r\nx: y\r\nHOST: other.example\r\n"),
            ("1.0", "host: sho.rt\r\nhost: sho.rt\r\n"),
        ] {
            let mut client = Client::connect(&server).await;
            client.send(&format!("GET {path} HTTP/{version}\r\n{fields}x-request-id: here\r\n\r\n")).await;
            let answer = client.receive(false).await;
            assert_eq!(answer.status, 400, "{path} {version} {fields}: {answer:?}");
            let body: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
            assert_eq!((&body["error"]["code"], &body["requestId"]), (&"BAD_REQUEST".into(), &"here".into()), "{body}");
            assert_eq!((answer.field("content-type"), answer.field("x-request-id")), ("application/json", "here"));
        }
    }
    assert_eq!(server.api().app.clicks.log.taken(), clicks, "nobody was redirected");
    for (request, status) in [
        ("GET /a HTTP/1.0\r\n\r\n", 302),
        ("GET /health HTTP/1.0\r\n\r\n", 200),
        ("GET /a HTTP/1.1\r\nhost: sho.rt:80\r\n\r\n", 302),
        ("GET /health HTTP/1.1\r\nhost:\r\n\r\n", 200),
        ("GET /health HTTP/1.1\r\nhost: [::1]:8080\r\n\r\n", 200),
        ("GET http://sho.rt/a HTTP/1.1\r\nhost: [::1]\r\n\r\n", 302),
        ("GET http://user@sho.rt/a HTTP/1.1\r\nhost: sho.rt\r\n\r\n", 404),
    ] {
        let mut client = Client::connect(&server).await;
        client.send(request).await;
        assert_eq!(client.receive(false).await.status, status, "{request}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_hangs_up_on_the_idle_and_answers_who_is_asking() {
    let database = TestDatabase::sqlite();
    let server = serve(&database).await;
    let (mut idle, mut asking) = (Client::connect(&server).await, Client::connect(&server).await);
    for client in [&mut idle, &mut asking] {
        client.send("GET /a HTTP/1.1\r\nhost: sho.rt\r\n\r\n").await;
        let answer = client.receive(false).await;
        assert_eq!((answer.status, answer.field("connection")), (302, ""));
    }
    asking.send("GET /a HTTP/1.1\r\nhost: sho.rt\r\n").await;
    // So that the service has read the half.
    server.follow("a").await.expect(302);
    let started = Instant::now();
    let stopping = tokio::spawn(server.stop());
    assert!(idle.more().await.is_none());
    asking.send("\r\n").await;
    let answer = asking.receive(false).await;
    assert_eq!((answer.status, answer.field("connection")), (302, "close"));
    assert!(asking.more().await.is_none());
    stopping.await.unwrap();
    // The service would wait for connections as long.
    assert!(started.elapsed() < Duration::from_secs(6), "nothing is waited for in vain");
}

/// With a short timeout, since real time passes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_does_not_ask_or_does_not_read_is_given_up() {
    let database = TestDatabase::sqlite();
    let server = serve(&database).await;
    let write_timeout = Duration::from_secs(2);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let connect = async || {
        let (client, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
        let ((stream, peer), api) = (accepted.unwrap(), server.api().clone());
        let mut stream = ClientStream::new(stream, WriteTimeout::new(write_timeout));
        let serving = tokio::spawn(async move {
            let (mut input, mut shutdown) = (Vec::new(), Shutdown::default().signal());
            connection::serve(&api.app.redirects, &mut stream, &mut input, peer.ip(), &mut shutdown).await
        });
        (client.unwrap(), serving)
    };
    let request = b"GET /a HTTP/1.1\r\nhost: sho.rt\r\n\r\n";

    let (mut idle, serving) = connect().await;
    let started = Instant::now();
    let mut last = started;
    // Each answer begins the time anew.
    while started.elapsed() < write_timeout * 2 {
        last = Instant::now();
        idle.write_all(request).await.unwrap();
        assert!(idle.read(&mut [0; 4_096]).await.unwrap() > 100);
        tokio::time::sleep(write_timeout / 20).await;
    }
    assert!(matches!(serving.await.unwrap(), Ok(Next::End)));
    assert!(last.elapsed() >= write_timeout.mul_f64(0.9), "{:?}", last.elapsed());

    let (mut deaf, serving) = connect().await;
    let asked = request.repeat(1_000);
    let asking = tokio::spawn(async move {
        while deaf.write_all(&asked).await.is_ok() {}
        deaf
    });
    eventually("it is given up", async || serving.is_finished().then_some(())).await;
    let _deaf = asking.await.unwrap();
    assert!(serving.await.unwrap().is_err());
    server.stop().await;
}
