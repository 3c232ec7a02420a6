//! A load balancer, as one has it in front of nodes: each request goes to the next one that is ready.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use reqwest::{Client, StatusCode, redirect::Policy};
use tokio::{net::TcpListener, task::JoinHandle};

use super::{Http, eventually};

/// How often nodes are asked whether they are ready.
const LOOK: Duration = Duration::from_millis(50);

struct Node {
    address: SocketAddr,
    is_ready: bool,
    /// Requests that it took and did not answer.
    failed: u64,
}

struct Nodes {
    nodes: Mutex<Vec<Node>>,
    next: AtomicUsize,
    client: Client,
}

/// Listens for requests of all nodes.
pub(crate) struct Balancer {
    /// Asks through it.
    pub(crate) http: Http,
    nodes: Arc<Nodes>,
    tasks: [JoinHandle<()>; 2],
}

impl Balancer {
    pub(crate) async fn start(addresses: impl IntoIterator<Item = SocketAddr>) -> Self {
        let nodes = addresses.into_iter().map(|address| Node { address, is_ready: false, failed: 0 }).collect();
        let client = Client::builder().redirect(Policy::none()).no_proxy().build().unwrap();
        let nodes = Arc::new(Nodes { nodes: Mutex::new(nodes), next: AtomicUsize::default(), client });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let http = Http::new(listener.local_addr().unwrap());
        let router = Router::new().fallback(forward).with_state(Arc::clone(&nodes));
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        let looking = tokio::spawn(look(Arc::clone(&nodes)));
        let balancer = Balancer { http, nodes, tasks: [serving, looking] };
        let size = balancer.nodes.lock().len();
        for number in 0..size {
            balancer.ready(number).await;
        }
        balancer
    }

    /// Waits until a node has its share of requests.
    pub(crate) async fn ready(&self, number: usize) {
        eventually("the node is ready", async || self.nodes.lock()[number].is_ready.then_some(())).await;
    }

    /// A node has another address from now on.
    pub(crate) async fn moved(&self, number: usize, address: SocketAddr) {
        let failed = self.nodes.lock()[number].failed;
        self.nodes.lock()[number] = Node { address, is_ready: false, failed };
        self.ready(number).await;
    }

    /// How many requests each node took and did not answer.
    pub(crate) fn failed(&self) -> Vec<u64> {
        self.nodes.lock().iter().map(|node| node.failed).collect()
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

impl Nodes {
    fn lock(&self) -> MutexGuard<'_, Vec<Node>> {
        self.nodes.lock().unwrap()
    }

    /// The next node that is ready; if none is, the next one. All lack what they share, and know some answers nevertheless
    /// (Envoy calls it the panic threshold).
    fn next(&self) -> (usize, SocketAddr) {
        let nodes = self.lock();
        let first = self.next.fetch_add(1, Ordering::Relaxed) % nodes.len();
        let mut turn = (0..nodes.len()).map(|later| (first + later) % nodes.len());
        let number = turn.find(|number| nodes[*number].is_ready).unwrap_or(first);
        (number, nodes[number].address)
    }
}

async fn look(nodes: Arc<Nodes>) {
    loop {
        let addresses: Vec<SocketAddr> = nodes.lock().iter().map(|node| node.address).collect();
        for (number, address) in addresses.into_iter().enumerate() {
            let ask = nodes.client.get(format!("http://{address}/ready")).timeout(Duration::from_secs(1)).send();
            let is_ready = ask.await.is_ok_and(|answer| answer.status() == StatusCode::OK);
            let mut nodes = nodes.lock();
            // Unless it has moved meanwhile.
            if nodes[number].address == address {
                nodes[number].is_ready = is_ready;
            }
        }
        tokio::time::sleep(LOOK).await;
    }
}

async fn forward(State(nodes): State<Arc<Nodes>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, 1 << 20).await.unwrap();
    for _ in 0..10 {
        let (number, address) = nodes.next();
        let url = format!("http://{address}{}", parts.uri);
        let request = nodes.client.request(parts.method.clone(), url).headers(parts.headers.clone());
        let answer = async {
            let answer = request.body(body.clone()).send().await?;
            let (status, headers) = (answer.status(), answer.headers().clone());
            Ok::<_, reqwest::Error>((status, headers, answer.bytes().await?))
        };
        match answer.await {
            Ok((status, headers, body)) => {
                let mut response = (status, Body::from(body)).into_response();
                *response.headers_mut() = headers;
                return response;
            }
            // It did not take the request: another does.
            Err(error) if error.is_connect() => nodes.lock()[number].is_ready = false,
            Err(_) => {
                nodes.lock()[number].failed += 1;
                return StatusCode::BAD_GATEWAY.into_response();
            }
        }
    }
    StatusCode::SERVICE_UNAVAILABLE.into_response()
}
