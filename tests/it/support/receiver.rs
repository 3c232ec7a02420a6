//! A receiver of webhooks in the test's process, which answers as it is told, and a short way to make webhooks for it.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value as Json, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

use super::{Http, TestDatabase, eventually};

/// Number of webhooks that nodes serve.
pub(crate) const LEASED: &str = "SELECT count(*) FROM webhooks WHERE leased_by IS NOT NULL";

/// The answer of a path.
#[derive(Clone, Debug)]
pub(crate) enum Behaviour {
    /// This status.
    Status(u16),
    /// This status and `Retry-After`.
    RetryAfter(u16, String),
    /// 200, after this time.
    Slow(Duration),
    /// This status and body.
    Body(u16, String),
    /// Nothing, for ever.
    Hang,
    /// This status, and then a byte now and then.
    Drip(u16),
    /// This status, and a body that does not end.
    Endless(u16),
    /// Hangs up with a reset.
    Reset,
    /// A redirect to this path.
    Redirect(&'static str),
    /// 200 with so many bytes of headers.
    Headers(usize),
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Arrived {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
    pub(crate) at: Instant,
}

impl Arrived {
    pub(crate) fn json(&self) -> Json {
        serde_json::from_str(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    pub(crate) fn kind(&self) -> String {
        self.json()["type"].as_str().unwrap().to_owned()
    }

    /// `webhook-timestamp`.
    pub(crate) fn timestamp(&self) -> i64 {
        self.header("webhook-timestamp").parse().unwrap()
    }
}

#[derive(Default)]
struct State {
    behaviours: Mutex<HashMap<String, Behaviour>>,
    arrived: Mutex<Vec<Arrived>>,
    connections: AtomicUsize,
}

/// A running receiver.
pub(crate) struct Receiver {
    pub(crate) address: SocketAddr,
    state: Arc<State>,
}

impl Receiver {
    pub(crate) async fn start() -> Self {
        Self::on("127.0.0.1:0").await
    }

    /// At an address of one's own.
    pub(crate) async fn on(address: &str) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let (address, state) = (listener.local_addr().unwrap(), Arc::new(State::default()));
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                shared.connections.fetch_add(1, Ordering::SeqCst);
                let state = Arc::clone(&shared);
                tokio::spawn(async move { serve(stream, &state).await });
            }
        });
        Receiver { address, state }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// From now on the path answers so. Without this it answers 200.
    pub(crate) fn set(&self, path: &str, behaviour: Behaviour) {
        self.state.behaviours.lock().unwrap().insert(path.to_owned(), behaviour);
    }

    /// The requests to the path, in order of arrival.
    pub(crate) fn arrived(&self, path: &str) -> Vec<Arrived> {
        self.state.arrived.lock().unwrap().iter().filter(|it| it.path == path).cloned().collect()
    }

    /// Waits until so many requests came to the path.
    pub(crate) async fn wait(&self, path: &str, number: usize) -> Vec<Arrived> {
        eventually(&format!("{number} requests to {path}"), async || {
            let arrived = self.arrived(path);
            (arrived.len() >= number).then_some(arrived)
        })
        .await
    }

    /// Connections so far.
    pub(crate) fn connections(&self) -> usize {
        self.state.connections.load(Ordering::SeqCst)
    }
}

/// A request whose answer the test gives.
pub(crate) struct Asked {
    pub(crate) arrived: Arrived,
    stream: BufReader<TcpStream>,
}

impl Asked {
    /// The next one that comes.
    pub(crate) async fn next(listener: &TcpListener) -> Self {
        let mut stream = BufReader::new(listener.accept().await.unwrap().0);
        Asked { arrived: read(&mut stream).await.unwrap(), stream }
    }

    /// Answers it, and waits until the service has closed the connection, and so has read the answer.
    pub(crate) async fn answer(self, status: u16) {
        let mut stream = self.stream.into_inner();
        let answer = format!("HTTP/1.1 {status} Whatever\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
        stream.write_all(answer.as_bytes()).await.unwrap();
        let _ = stream.shutdown().await;
        let _ = stream.read_to_end(&mut Vec::new()).await;
    }
}

async fn serve(stream: TcpStream, state: &State) -> Option<()> {
    let mut stream = BufReader::new(stream);
    while let Some(arrived) = read(&mut stream).await {
        let behaviour = state.behaviours.lock().unwrap().get(&arrived.path).cloned();
        state.arrived.lock().unwrap().push(arrived);
        answer(stream.get_mut(), behaviour.unwrap_or(Behaviour::Status(200))).await?;
    }
    Some(())
}

async fn read(stream: &mut BufReader<TcpStream>) -> Option<Arrived> {
    let mut line = String::new();
    stream.read_line(&mut line).await.ok().filter(|read| *read > 0)?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = HeaderMap::new();
    loop {
        line.clear();
        stream.read_line(&mut line).await.ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.append(HeaderName::from_bytes(name.as_bytes()).ok()?, HeaderValue::from_str(value).ok()?);
    }
    let length = headers.get("content-length").map_or("0", |value| value.to_str().unwrap()).parse().ok()?;
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(Arrived { path, headers, body: String::from_utf8(body).unwrap(), at: Instant::now() })
}

/// Answers a request. `None`: the connection has to be closed.
async fn answer(stream: &mut TcpStream, behaviour: Behaviour) -> Option<()> {
    let head = |status: u16, more: &str| format!("HTTP/1.1 {status} Whatever\r\n{more}\r\n");
    let whole = match behaviour {
        Behaviour::Status(status) => head(status, "content-length: 2\r\n") + "ok",
        Behaviour::RetryAfter(status, wait) => {
            head(status, &format!("retry-after: {wait}\r\ncontent-length: 4\r\n")) + "wait"
        }
        Behaviour::Slow(time) => {
            tokio::time::sleep(time).await;
            head(200, "content-length: 0\r\n")
        }
        Behaviour::Body(status, body) => head(status, &format!("content-length: {}\r\n", body.len())) + &body,
        Behaviour::Redirect(path) => head(307, &format!("location: {path}\r\ncontent-length: 0\r\n")),
        Behaviour::Headers(bytes) => {
            let line = format!("x-filler: {}\r\n", "x".repeat(7_988));
            head(200, &(line.repeat(bytes / line.len()) + "content-length: 0\r\n"))
        }
        Behaviour::Hang => {
            std::future::pending::<()>().await;
            return None;
        }
        Behaviour::Reset => {
            #[expect(deprecated, reason = "no wait for anything: that is what a reset is")]
            stream.set_linger(Some(Duration::ZERO)).ok()?;
            return None;
        }
        Behaviour::Drip(status) => {
            stream.write_all(head(status, "content-length: 1000000\r\n").as_bytes()).await.ok()?;
            loop {
                stream.write_all(b"d").await.ok()?;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        Behaviour::Endless(status) => {
            stream.write_all(head(status, "content-length: 10737418240\r\n").as_bytes()).await.ok()?;
            let chunk = vec![b'e'; 65_536];
            loop {
                stream.write_all(&chunk).await.ok()?;
            }
        }
    };
    stream.write_all(whole.as_bytes()).await.ok()
}

impl Http {
    /// Creates a webhook and answers it, with its secret.
    pub(crate) async fn webhook(&self, credential: &str, url: &str, events: &[&str]) -> Json {
        let path = if credential.starts_with("lg_") { "/api/v1/webhooks" } else { "/webhooks" };
        let body = json!({ "name": "test", "url": url, "events": events });
        self.post(path, credential, body).await.expect(201).json()
    }

    /// The webhook's deliveries as a GET answers them, with more of a query.
    pub(crate) async fn deliveries(&self, credential: &str, webhook: &Json, query: &str) -> Vec<Json> {
        let prefix = if credential.starts_with("lg_") { "/api/v1" } else { "" };
        let path = format!("{prefix}/webhooks/{}/deliveries?pageSize=100{query}", id(webhook));
        self.get(&path, credential).await.expect(200).json()["deliveries"].as_array().unwrap().clone()
    }

    /// Waits until the newest delivery of the webhook is as it should be.
    pub(crate) async fn delivery_that(
        &self,
        credential: &str,
        webhook: &Json,
        what: &str,
        is_so: impl Fn(&Json) -> bool,
    ) -> Json {
        eventually(what, async || {
            self.deliveries(credential, webhook, "").await.into_iter().next().filter(|delivery| is_so(delivery))
        })
        .await
    }
}

/// The id of something.
pub(crate) fn id(of: &Json) -> &str {
    of["id"].as_str().unwrap()
}

impl TestDatabase {
    /// Waits until no webhook is leased: tests that move the clock would end leases.
    pub(crate) async fn settled(&self) {
        self.becomes("all leases are given back", LEASED, 0).await;
    }
}
