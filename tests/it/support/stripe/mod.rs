//! A Stripe in the test's process: strict where Stripe is, and as unreliable as it is told to be.

mod answers;
pub(crate) mod truth;

use std::{
    collections::{BTreeMap, HashMap},
    convert::Infallible,
    net::SocketAddr,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicI64, Ordering},
    },
};

use bytes::Bytes;
use hmac::{Hmac, KeyInit, Mac};
use http_body_util::combinators::BoxBody;
use hyper::{Method, Response, service::service_fn};
use hyper_util::rt::TokioIo;
use reqwest::RequestBuilder;
use serde_json::{Value as Json, json};
use sha2::Sha256;
use tokio::{net::TcpListener, task::JoinSet};

use super::{Answer, Http, TestDatabase, TestServer, process::TestProcess};
use truth::{PRICES, Truth};

pub(crate) const KEY: &str = "sk_test_hunter2hunter2";
/// The key that counts when its truth is of real money.
pub(crate) const LIVE_KEY: &str = "sk_live_hunter2hunter2";
pub(crate) const SECRET: &str = "whsec_hunter2hunter2";

/// How a request goes wrong.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// This status, with `Retry-After` or without; nothing is done.
    Status(u16, Option<&'static str>),
    /// This status, which the idempotency key bears from then on.
    Kept(u16),
    /// Done, and no answer, for ever.
    Hang,
    /// Done, and the connection broken.
    Reset,
    /// Done, and a byte of the answer now and then.
    Drip,
    /// Done, and answered with what is no JSON.
    Garbage,
    /// Answered without end.
    Endless,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) key: String,
    pub(crate) fields: BTreeMap<String, String>,
}

/// The request that an idempotency key was used for, and its answer.
type Kept = (String, BTreeMap<String, String>, Option<(u16, Json)>);

#[derive(Default)]
struct State {
    truth: Mutex<Truth>,
    faults: Mutex<Vec<(String, Fault, usize)>>,
    asked: Mutex<Vec<Asked>>,
    keys: Mutex<HashMap<String, Kept>>,
    slow: Mutex<Option<(u64, u64)>>,
    /// Checkouts that are open: their customer and price.
    sessions: Mutex<HashMap<String, (String, String)>>,
    offset: AtomicI64,
    /// Requests at this moment, and at most so far.
    at_once: Mutex<(usize, usize)>,
}

/// A running fake.
pub(crate) struct Stripe {
    address: SocketAddr,
    state: Arc<State>,
    listening: Mutex<Option<tokio::task::JoinHandle<()>>>,
}

type Reply = Response<BoxBody<Bytes, Infallible>>;

impl Stripe {
    pub(crate) async fn start() -> Self {
        let stripe = Stripe { address: ([127, 0, 0, 1], 0).into(), state: Arc::default(), listening: Mutex::default() };
        let listener = TcpListener::bind(stripe.address).await.unwrap();
        let address = listener.local_addr().unwrap();
        stripe.listen(listener);
        Stripe { address, ..stripe }
    }

    fn listen(&self, listener: TcpListener) {
        let state = Arc::clone(&self.state);
        let accepting = tokio::spawn(async move {
            // Aborted with this task.
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let _ = stream.set_nodelay(true);
                let state = Arc::clone(&state);
                connections.spawn(async move {
                    let service = service_fn(|request| answers::serve(Arc::clone(&state), request));
                    let _ = hyper::server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(stream), service)
                        .await;
                });
            }
        });
        *self.listening.lock().unwrap() = Some(accepting);
    }

    /// Closes the port and all connections.
    pub(crate) async fn down(&self) {
        let listening = self.listening.lock().unwrap().take().unwrap();
        listening.abort();
        let _ = listening.await;
    }

    /// Opens the port again.
    pub(crate) async fn up(&self) {
        self.listen(TcpListener::bind(self.address).await.unwrap());
    }

    /// The settings of a service that uses it.
    pub(crate) fn settings(&self) -> Vec<(&'static str, String)> {
        let name = ["PRO_MONTH", "PRO_YEAR", "BUSINESS_MONTH", "BUSINESS_YEAR"];
        let names = name.map(|name| &*format!("LINKGRAPH_STRIPE_PRICE_{name}").leak());
        let mut settings: Vec<_> = names.into_iter().zip(PRICES.map(|(id, ..)| id.to_owned())).collect();
        settings.extend([
            ("LINKGRAPH_STRIPE_SECRET_KEY", KEY.to_owned()),
            ("LINKGRAPH_STRIPE_WEBHOOK_SECRET", SECRET.to_owned()),
            ("LINKGRAPH_STRIPE_API_BASE", format!("http://{}", self.address)),
            ("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true".to_owned()),
        ]);
        settings
    }

    fn with(&self, more: &[(&'static str, &str)]) -> Vec<(&'static str, String)> {
        let mut settings = self.settings();
        settings.retain(|(name, _)| more.iter().all(|(other, _)| other != name));
        settings.extend(
            more.iter().map(|(name, value)| (*name, (*value).to_owned())).filter(|(_, value)| !value.is_empty()),
        );
        settings
    }

    /// A service in this process that uses it. An empty setting is left out.
    pub(crate) async fn serve(&self, database: &TestDatabase, more: &[(&'static str, &str)]) -> TestServer {
        let settings = self.with(more);
        database.start_with(&settings.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>()).await
    }

    /// The real binary, using it.
    pub(crate) async fn spawn(&self, database: &TestDatabase, more: &[(&'static str, &str)]) -> TestProcess {
        let settings = self.with(more);
        TestProcess::start(database, &settings.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>())
            .await
    }

    pub(crate) fn truth(&self) -> MutexGuard<'_, Truth> {
        self.state.truth.lock().unwrap()
    }

    /// The time, in seconds.
    pub(crate) fn now(&self) -> i64 {
        linkgraph::base::clock::Clock::default().now() / 1_000 + self.state.offset.load(Ordering::Relaxed)
    }

    /// Moves its time and the service's.
    pub(crate) fn advance(&self, server: &TestServer, millis: i64) {
        self.state.offset.fetch_add(millis / 1_000, Ordering::Relaxed);
        server.clock.advance(millis);
    }

    /// The next requests whose method and path begin so go wrong.
    pub(crate) fn fail(&self, request: &str, fault: Fault, times: usize) {
        self.state.faults.lock().unwrap().push((request.to_owned(), fault, times));
    }

    /// No more goes wrong.
    pub(crate) fn heal(&self) {
        self.state.faults.lock().unwrap().clear();
    }

    /// Each answer leaves after a time between these, in milliseconds; what it says is as of when the request came.
    pub(crate) fn slow(&self, from: u64, to: u64) {
        *self.state.slow.lock().unwrap() = Some((from, to));
    }

    /// Requests so far whose method and path begin so.
    pub(crate) fn asked(&self, request: &str) -> Vec<Asked> {
        let asked = self.state.asked.lock().unwrap();
        asked.iter().filter(|it| format!("{} {}", it.method, it.path).starts_with(request)).cloned().collect()
    }

    /// Requests that were here at once, at most.
    pub(crate) fn most_at_once(&self) -> usize {
        self.state.at_once.lock().unwrap().1
    }

    /// The customer of the only account that has one.
    pub(crate) fn only_customer(&self) -> String {
        let truth = self.truth();
        let mut there = truth.customers.iter().filter(|(_, it)| !it.deleted).map(|(id, _)| id.clone());
        let only = there.next().unwrap();
        assert_eq!(there.next(), None, "one account, one customer");
        only
    }

    /// Pays at a checkout's page; the events.
    pub(crate) fn complete(&self, session: &str) -> Vec<Json> {
        let (customer, price) = self.state.sessions.lock().unwrap().remove(session).expect("an open checkout");
        self.truth().subscribe(&customer, &price, false, self.now())
    }

    /// Buys a plan; the events, of which nothing is told yet.
    pub(crate) async fn buy(&self, http: &Http, token: &str, plan: &str, interval: &str) -> Vec<Json> {
        let checkout = http.post("/billing/checkout", token, json!({ "planId": plan, "interval": interval })).await;
        self.complete(checkout.expect(201).json()["sessionId"].as_str().unwrap())
    }

    /// Delivers an event as Stripe does.
    pub(crate) async fn deliver(&self, http: &Http, event: &Json) -> Answer {
        let body = event.to_string();
        let header = sign(body.as_bytes(), SECRET, self.now());
        http.send(post(http, body.into_bytes(), &header)).await
    }

    /// Delivers events that must all be taken.
    pub(crate) async fn send(&self, http: &Http, events: Vec<Json>) {
        for event in events {
            self.deliver(http, &event).await.expect(200);
        }
    }
}

/// The plan in force for a user's account.
pub(crate) async fn plan(http: &Http, token: &str) -> String {
    let me = http.graphql(token, "{ me { account { plan } } }", json!({})).await;
    me["data"]["me"]["account"]["plan"].as_str().unwrap_or_else(|| panic!("{me}")).to_owned()
}

/// A delivery with this signature.
pub(crate) fn post(http: &Http, body: Vec<u8>, header: &str) -> RequestBuilder {
    let request =
        http.request(Method::POST, "/webhooks/stripe").header("content-type", "application/json; charset=utf-8");
    request.header("stripe-signature", header).body(body)
}

/// The `v1` signature of a body: HMAC-SHA256 over `t.body`, in hexadecimal digits.
pub(crate) fn signature(body: &[u8], secret: &str, time: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(&[time.as_bytes(), b".", body].concat());
    mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The `stripe-signature` header.
pub(crate) fn sign(body: &[u8], secret: &str, time: i64) -> String {
    format!("t={time},v1={}", signature(body, secret, &time.to_string()))
}
