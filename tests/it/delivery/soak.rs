//! Webhooks under fire: the service is killed again and again while events are made and receivers misbehave. Small in the
//! suite; `scripts/soak` runs the same at full size.

use std::{
    collections::{BTreeSet, HashMap},
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::Bytes,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    routing::post,
};
use entity::outbox_event;
use rand::{Rng, SeedableRng, rngs::StdRng};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect};
use serde_json::{Value as Json, json};
use tokio::{net::TcpListener, time::Instant};
use uuid::Uuid;

use crate::{
    on_each_database,
    support::{Http, TestDatabase, process::TestProcess, setting},
};

/// Exchanges at once with one webhook: what a kill can double.
const WIDTH: u64 = 8;

/// Receivers of one process, told apart by path: `/{number}/{behaviour}`.
#[derive(Default)]
struct Receivers {
    /// How often each `webhook-id` came to each receiver.
    received: Mutex<HashMap<u64, HashMap<String, u64>>>,
    /// Milliseconds from the event to its arrival.
    delays: Mutex<Vec<i64>>,
    requests: AtomicU64,
}

async fn receive(
    State(receivers): State<Arc<Receivers>>,
    Path((number, behaviour)): Path<(u64, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    receivers.requests.fetch_add(1, Ordering::Relaxed);
    match behaviour.as_str() {
        "ok" => {
            let event: Json = serde_json::from_slice(&body).unwrap();
            let happened = linkgraph::base::clock::parse_rfc3339(event["timestamp"].as_str().unwrap()).unwrap();
            receivers.delays.lock().unwrap().push(linkgraph::base::clock::Clock::default().now() - happened);
            let id = headers["webhook-id"].to_str().unwrap().to_owned();
            *receivers.received.lock().unwrap().entry(number).or_default().entry(id).or_default() += 1;
            StatusCode::OK
        }
        "hang" => std::future::pending().await,
        "gone" => StatusCode::GONE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

async fn start_receivers() -> (Arc<Receivers>, SocketAddr, SocketAddr) {
    let receivers = Arc::new(Receivers::default());
    let router = Router::new().route("/{number}/{behaviour}", post(receive)).with_state(Arc::clone(&receivers));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    // Another that resets every connection.
    let resetting = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let resetting_address = resetting.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (stream, _) = resetting.accept().await.unwrap();
            stream.set_zero_linger().unwrap();
            drop(stream);
        }
    });
    (receivers, address, resetting_address)
}

const SETTINGS: &[(&str, &str)] = &[
    ("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true"),
    ("LINKGRAPH_DEFAULT_PLAN", "unlimited"),
    ("LINKGRAPH_LOG", "warn,linkgraph::server=info"),
];

async fn create_webhook(http: &Http, token: &str, url: String) {
    let webhook = json!({ "name": "soak", "url": url, "events": ["link.created"] });
    http.post("/webhooks", token, webhook).await.expect(201);
}

/// A bulk of links; what was acknowledged. Nothing when the service died meanwhile.
async fn try_bulk(http: &Http, token: &str, links: u64) -> Option<Vec<Uuid>> {
    let links: Vec<Json> = (0..links).map(|_| json!({ "destinationUrl": "https://example.com/" })).collect();
    let request =
        http.request(reqwest::Method::POST, "/links/bulk").bearer_auth(token).json(&json!({ "links": links }));
    let answer = request.send().await.ok()?;
    assert_eq!(answer.status(), 200);
    let answer: Json = answer.json().await.ok()?;
    let results = answer["results"].as_array().unwrap();
    Some(results.iter().map(|result| result["link"]["id"].as_str().unwrap().parse().unwrap()).collect())
}

/// `link.created` events that the database holds: subject → `webhook-id`.
async fn committed(database: &TestDatabase) -> HashMap<Uuid, String> {
    let connection = database.connect().await;
    let events: Vec<(Uuid, Uuid)> = outbox_event::Entity::find()
        .select_only()
        .column(outbox_event::Column::SubjectId)
        .column(outbox_event::Column::Id)
        .filter(outbox_event::Column::Kind.eq("link.created"))
        .into_tuple()
        .all(&connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    events.into_iter().map(|(subject, id)| (subject, format!("msg_{}", id.simple()))).collect()
}

/// Healthy receivers get exactly the committed events, whichever others hang, fail or reset, and however often
/// the service dies.
#[on_each_database]
async fn kills_lose_no_event(database: TestDatabase) {
    let (events, receivers, kills) = (
        setting("LINKGRAPH_SOAK_EVENTS", 400),
        setting("LINKGRAPH_SOAK_RECEIVERS", 10),
        setting("LINKGRAPH_SOAK_KILLS", 4),
    );
    let seed = setting("LINKGRAPH_SOAK_SEED", rand::random::<u32>().into());
    println!("seed {seed}");
    let mut random = StdRng::seed_from_u64(seed);
    let (sink, address, resetting) = start_receivers().await;
    let mut service = TestProcess::start(&database, SETTINGS).await;
    let token = service.register("soak").await;
    let mut healthy = BTreeSet::new();
    for number in 0..receivers {
        let url = match number % 10 {
            0..4 => {
                healthy.insert(number);
                format!("http://{address}/{number}/ok")
            }
            4 | 5 => format!("http://{address}/{number}/fail"),
            6 | 7 => format!("http://{address}/{number}/hang"),
            8 => format!("http://{resetting}/{number}/reset"),
            _ => format!("http://{address}/{number}/gone"),
        };
        create_webhook(&service, &token, url).await;
    }
    let mut acknowledged = Vec::new();
    let mut killed = 0;
    let started = Instant::now();
    let mut next_kill = started + Duration::from_millis(random.random_range(100..1_500));
    let deadline = started + Duration::from_secs(60 + events / 5);
    loop {
        assert!(Instant::now() < deadline, "not over after {:?}", started.elapsed());
        if killed < kills && Instant::now() >= next_kill {
            service.kill();
            killed += 1;
            service = TestProcess::start(&database, SETTINGS).await;
            next_kill = Instant::now() + Duration::from_millis(random.random_range(100..1_500));
        }
        if acknowledged.len() < events as usize {
            // Killed in the midst of it, now and then.
            let bulk = try_bulk(&service.http, &token, 50.min(events));
            if killed < kills {
                match tokio::time::timeout_at(next_kill, bulk).await {
                    Ok(made) => acknowledged.extend(made.unwrap_or_default()),
                    Err(_) => continue,
                }
            } else {
                acknowledged.extend(bulk.await.unwrap());
            }
            continue;
        }
        if killed == kills {
            let wanted = committed(&database).await.len();
            let received = sink.received.lock().unwrap();
            if healthy.iter().all(|number| received.get(number).is_some_and(|ids| ids.len() >= wanted)) {
                break;
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let committed = committed(&database).await;
    for link in &acknowledged {
        assert!(committed.contains_key(link), "{link} was acknowledged and is gone");
    }
    let wanted: BTreeSet<&String> = committed.values().collect();
    let received = sink.received.lock().unwrap();
    let mut doubled = 0;
    for number in &healthy {
        let ids = &received[number];
        assert_eq!(ids.keys().collect::<BTreeSet<_>>(), wanted, "receiver {number}");
        let more: u64 = ids.values().map(|times| times - 1).sum();
        assert!(more <= kills * WIDTH, "receiver {number}: {more} doubles after {kills} kills");
        doubled += more;
    }
    println!(
        "{} events to {} healthy of {receivers} receivers, {kills} kills: {} requests, {doubled} doubles, {:?}",
        committed.len(),
        healthy.len(),
        sink.requests.load(Ordering::Relaxed),
        started.elapsed()
    );
}

/// 19 receivers hang; the 20th gets its events as if it were alone.
#[on_each_database]
async fn a_healthy_receiver_does_not_wait_for_those_that_hang(database: TestDatabase) {
    let (seconds, rate) = (setting("LINKGRAPH_SOAK_SECONDS", 4), setting("LINKGRAPH_SOAK_RATE", 200));
    let (sink, address, _) = start_receivers().await;
    let service = TestProcess::start(&database, SETTINGS).await;
    let token = service.register("soak").await;
    for number in 0..20 {
        let behaviour = if number == 7 { "ok" } else { "hang" };
        create_webhook(&service, &token, format!("http://{address}/{number}/{behaviour}")).await;
    }
    let mut ticks = tokio::time::interval(Duration::from_millis(100));
    let mut made = 0;
    for _ in 0..seconds * 10 {
        ticks.tick().await;
        made += try_bulk(&service.http, &token, rate / 10).await.unwrap().len();
    }
    crate::support::eventually("all have arrived", async || (sink.delays.lock().unwrap().len() >= made).then_some(()))
        .await;
    let mut delays = sink.delays.lock().unwrap().clone();
    delays.sort_unstable();
    let (p50, p99) = (delays[delays.len() / 2], delays[delays.len() * 99 / 100]);
    println!(
        "{made} events at {rate}/s beside 19 that hang: p50 {p50} ms, p99 {p99} ms, max {} ms",
        delays[delays.len() - 1]
    );
    // On a quiet machine `scripts/soak` asks for more.
    let max = setting("LINKGRAPH_SOAK_P99", 60_000);
    assert!(p99 <= i64::try_from(max).unwrap(), "p99 {p99} ms");
}
