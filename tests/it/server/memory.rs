//! Megabytes of made-up keys, such as hosts and slugs: none of them takes memory that is not freed.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpStream, tcp::OwnedReadHalf},
    time::timeout,
};

use crate::{
    on_each_database,
    platform::rate_limits::LIMITED,
    support::{TestDatabase, eventually, process::TestProcess, setting},
};

/// Memory that the service may have more afterwards, in bytes.
const MAX_GROWTH: u64 = 16 << 20;
/// Connections that one kind of keys comes on.
const CONNECTIONS: u64 = 8;

/// Requests of one kind.
struct Kind {
    name: &'static str,
    /// Makes the request with this number.
    make: fn(u64) -> String,
    /// Requests on one connection, at most.
    together: u64,
    /// The number of bytes to send is divided by this, for requests that take long to answer.
    share: u64,
}

impl Kind {
    const fn of(name: &'static str, share: u64, make: fn(u64) -> String) -> Self {
        Kind { name, make, together: 500, share }
    }

    /// Sends so many bytes, and checks that each request is refused.
    async fn send(&self, process: &TestProcess, bytes: u64) {
        let number = (bytes / self.share / (self.make)(0).len() as u64).max(CONNECTIONS);
        let connections = (0..CONNECTIONS).map(|first| async move {
            let mut numbers = (first..number).step_by(usize::try_from(CONNECTIONS).unwrap()).peekable();
            while numbers.peek().is_some() {
                let numbers: Vec<u64> = numbers.by_ref().take(usize::try_from(self.together).unwrap()).collect();
                self.ask(process, &numbers).await;
            }
        });
        join_all(connections).await;
    }

    /// Sends requests one behind the other, without waiting for answers.
    async fn ask(&self, process: &TestProcess, numbers: &[u64]) {
        let stream = TcpStream::connect(process.address()).await.unwrap();
        let (reader, mut writer) = stream.into_split();
        let write = async {
            for number in numbers {
                // A service that hangs up has refused, too.
                if writer.write_all((self.make)(*number).as_bytes()).await.is_err() {
                    return;
                }
            }
        };
        let (statuses, ()) = tokio::join!(statuses(reader, numbers.len()), write);
        assert!(!statuses.is_empty(), "{}: no answer", self.name);
        assert!(statuses.iter().all(|status| (400..500).contains(status)), "{}: {statuses:?}", self.name);
    }
}

/// The statuses of so many answers, or fewer if the service hangs up.
async fn statuses(mut reader: OwnedReadHalf, number: usize) -> Vec<u16> {
    let (mut read, mut statuses) = (Vec::new(), Vec::new());
    while statuses.len() < number {
        let mut fields = [httparse::EMPTY_HEADER; 32];
        let mut parsed = httparse::Response::new(&mut fields);
        if let Ok(httparse::Status::Complete(head)) = parsed.parse(&read) {
            let length = parsed.headers.iter().find(|field| field.name.eq_ignore_ascii_case("content-length"));
            let length = length.map_or(0, |field| std::str::from_utf8(field.value).unwrap().parse().unwrap());
            if read.len() >= head + length {
                statuses.push(parsed.code.unwrap());
                read.drain(..head + length);
                continue;
            }
        }
        match timeout(Duration::from_secs(60), reader.read_buf(&mut read)).await.unwrap() {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
    }
    statuses
}

/// The number in so many digits.
fn long(number: u64, digits: usize) -> String {
    let number = number.to_string();
    "0".repeat(digits - number.len()) + &number
}

fn get(path: &str, fields: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: sho.rt\r\n{fields}\r\n")
}

fn at_host(host: &str) -> String {
    format!("GET /x HTTP/1.1\r\nhost: {host}\r\n\r\n")
}

/// A request of a client that the proxy names in `X-Forwarded-For`.
fn post(path: &str, forwarded: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: sho.rt\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
         x-forwarded-for: {forwarded}\r\n\r\n{body}"
    )
}

/// An address in a network of its own.
fn address(number: u64) -> String {
    format!("2001:{:x}:{:x}:1::1", number >> 16 & 0xffff, number & 0xffff)
}

fn bearer(token: &str) -> String {
    get("/me", &format!("authorization: Bearer {token}\r\n"))
}

const KINDS: [Kind; 9] = [
    Kind {
        together: 1,
        ..Kind::of("hosts as long as a head", 1, |number| at_host(&format!("a.{}", long(number, 380_000))))
    },
    Kind::of("hosts of 5 kB", 1, |number| at_host(&format!("a.{number:0>5000}.example"))),
    Kind::of("hosts that may be", 8, |number| {
        let label = "a".repeat(63);
        at_host(&format!("{label}.{label}.{label}.{number:0>50}.example"))
    }),
    Kind::of("slugs of 4 kB", 1, |number| get(&format!("/{number:0>4000}"), "")),
    Kind::of("slugs that may be", 16, |number| get(&format!("/{number:0>64}"), "")),
    Kind::of("keys of 5 kB", 1, |number| bearer(&format!("lg_live_{number:0>5000}"))),
    Kind::of("keys that may be", 16, |_| {
        bearer(&linkgraph::platform::auth::api_key::generate().unwrap_or_else(|_| panic!("no randomness")).text)
    }),
    Kind::of("e-mail addresses", 1, |number| {
        let body = json!({ "email": format!("{}@example.com", long(number, 100_000)), "password": "x" });
        post("/auth/forgot-password", &address(number), &body.to_string())
    }),
    Kind::of("client addresses", 1, |number| {
        post("/auth/reset-password", &format!("{number:0>2000}, {}", address(number)), "{}")
    }),
];

#[on_each_database]
async fn what_strangers_make_up_takes_no_memory_that_stays(database: TestDatabase) {
    let megabytes = setting("LINKGRAPH_SOAK_HOSTILE_MB", 20);
    let settings =
        [LIMITED, ("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1"), ("LINKGRAPH_LOG", "warn,linkgraph::server=info")];
    let process = TestProcess::start(&database, &settings).await;
    process.register("alice").await;
    for kind in &KINDS {
        // The first requests of a kind open connections to the database, and start threads.
        kind.send(&process, 1 << 20).await;
    }
    for kind in &KINDS {
        let before = process.memory();
        kind.send(&process, megabytes << 20).await;
        let name = kind.name;
        let grown = || process.memory().saturating_sub(before);
        println!("{name}: {} KiB", grown() >> 10);
        eventually(&format!("{name} are forgotten"), async || (grown() <= MAX_GROWTH).then_some(())).await;
    }
    process.get("/health", "").await.expect(200);
}
