//! Listener, router, background tasks, graceful shutdown.

mod jobs;
pub(crate) mod listener;
mod open_files;
mod sweep;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use anyhow::Context;
use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, header},
    middleware,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::json;
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::{
    across::account_clicks::counts::AccountClicks,
    api::{
        Api,
        graphql::{handler, socket},
        rest::{
            self,
            openapi::{self, Extent},
            operation::PUBLIC_PREFIX,
        },
    },
    app::App,
    base::{
        clock::Clock,
        config::Config,
        error::{ApiError, Code},
        validate::slug_of_path,
    },
    clicks::{geoip, position::Position, visitor_keys},
    delivery::{fan_out, worker},
    features::{
        self,
        analytics::{follower, reports},
        billing::usage,
        domains::{changes::DomainChanges, hosts},
        images,
        links::index::indexing,
        sessions,
        webhooks::delivery_changes::DeliveryChanges,
    },
    ingest, payments,
    platform::{
        auth::{client::is_local, identity_provider},
        db,
        http::{
            bodies::Bodies,
            coding, cors,
            edge::{self, Edge, Peer},
            pages::{self, document::Document},
            refusal::Refusal,
        },
        live::topics::{self, Subject},
        work::worker as job_worker,
    },
    redirect::invalidation::{self, Follower},
};
use listener::accept;
use open_files::{MAX_SCRAPERS, OpenFiles};

/// How long closing the database may take.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
/// How long a store may take to answer a readiness probe.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

/// First segments of the API's paths beside those of the REST contract.
const API_SEGMENTS: [&str; 7] = ["graphql", "health", "internal", "metrics", "openapi.json", "ready", "schema.graphql"];

/// A running service.
pub struct Server {
    api: Arc<Api>,
    address: SocketAddr,
    /// Three phases of shutdown: `/ready` fails; then listeners stop accepting; then background workers stop.
    draining: CancellationToken,
    closing: CancellationToken,
    stopping: CancellationToken,
    listeners: Vec<JoinHandle<()>>,
    workers: Vec<JoinHandle<()>>,
    last_worker: JoinHandle<()>,
}

impl Server {
    /// Opens everything and serves in the background.
    pub async fn start(mut config: Config, clock: Clock) -> anyhow::Result<Self> {
        let (bind, metrics_bind) = (config.bind, config.metrics_bind);
        let open_files = OpenFiles::share(&config);
        config.delivery_exchanges = open_files.exchanges;
        let (api, position) = Api::open(config, clock).await?;
        open_files.tell();
        let listener =
            TcpListener::bind(bind).await.with_context(|| format!("LINKGRAPH_BIND: can't listen on {bind}"))?;
        let address = listener.local_addr()?;
        if let Some(sandbox) = api.app.billing.sandbox() {
            sandbox.send_to(address);
        }
        // Before anything is cached.
        let follower = Follower::open(&api.app.redirects).await.context("DATABASE_URL: can't be read")?;
        let (draining, closing, stopping) = Default::default();
        let router = router(&api, &draining, &closing);
        let closed = CancellationToken::clone(&closing);
        let served = accept(listener, Arc::clone(&api.app), router, open_files.clients, closed);
        let mut listeners = vec![tokio::spawn(served)];
        if let Some(bind) = metrics_bind {
            let listener = TcpListener::bind(bind)
                .await
                .with_context(|| format!("LINKGRAPH_METRICS_BIND: can't listen on {bind}"))?;
            let probe = Probe { app: Arc::clone(&api.app), draining: CancellationToken::clone(&draining) };
            let router = Router::new().route("/metrics", get(render_metrics)).with_state(probe);
            let router = router.layer(middleware::from_fn(edge::require_host));
            listeners.push(tokio::spawn(accept(listener, Arc::clone(&api.app), router, MAX_SCRAPERS, closing.clone())));
        }
        let (workers, last_worker) = start_workers(&api.app, position, follower, &stopping);
        if api.app.config.is_registration_open && !api.app.config.base_url.is_loopback() {
            tracing::warn!(
                "Anybody who reaches this service can register an account: LINKGRAPH_REGISTRATION=closed ends that"
            );
        }
        if api.app.identity_provider.is_some() {
            let callback = identity_provider::callback(&api.app.config.base_url);
            tracing::info!(callback, "The identity provider has to know the address that it sends browsers back to");
            let app = Arc::clone(&api.app);
            // It says what is wrong. A provider that is away keeps no redirect from being served.
            let reached = async move {
                if let Some(provider) = &app.identity_provider {
                    let _ = provider.reach(app.clock.now()).await;
                }
            };
            api.app.background.spawn(reached);
        }
        tracing::info!(%address, base_url = api.app.config.base_url.as_str(), "linkgraph is ready");
        Ok(Server { api, address, draining, closing, stopping, listeners, workers, last_worker })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The API that the server serves.
    pub fn api(&self) -> &Arc<Api> {
        &self.api
    }

    /// Shuts down: fails `/ready`, completes requests, stops the workers and syncs the click log. Takes less than 10 seconds.
    pub async fn stop(self) {
        tracing::info!("Stopping");
        self.draining.cancel();
        tokio::time::sleep(self.api.app.config.shutdown_grace).await;
        self.closing.cancel();
        for listener in self.listeners {
            log_panic(listener.await);
        }
        self.stopping.cancel();
        self.api.app.background.close();
        let mut workers = self.workers;
        let finish = async {
            self.api.app.background.wait().await;
            for worker in &mut workers {
                log_panic(worker.await);
            }
        };
        if tokio::time::timeout(Duration::from_secs(1), finish).await.is_err() {
            tracing::warn!("Background work was interrupted; it goes on at the next start");
            for worker in workers.iter_mut().filter(|worker| !worker.is_finished()) {
                worker.abort();
                // The aborted worker drops what it holds before another process can take over the data directory.
                let _ = worker.await;
            }
        }
        // The click log is synced last, whatever else takes its time.
        log_panic(self.last_worker.await);
        // Closing waits for every connection, including those of interrupted work. A timeout does no harm: each kind of
        // database copes with connections that were not closed.
        if tokio::time::timeout(CLOSE_TIMEOUT, self.api.app.db.clone().close()).await.is_err() {
            tracing::warn!("The database's connections were not closed in time");
        }
        tracing::info!("Stopped");
    }
}

fn log_panic(outcome: Result<(), tokio::task::JoinError>) {
    if let Err(error) = outcome {
        tracing::error!(%error, "A task panicked");
    }
}

fn start_workers(
    app: &Arc<App>,
    position: Position,
    follower: Follower,
    stopping: &CancellationToken,
) -> (Vec<JoinHandle<()>>, JoinHandle<()>) {
    let ingest =
        tokio::spawn(db::service(db::Purpose::Ingest, ingest::run(Arc::clone(app), position, stopping.clone())));
    let (db, stop) = (app.db.clone(), stopping.clone());
    let check = tokio::spawn(async move { db.check_integrity(stop).await });
    let mut workers = vec![ingest, check, tokio::spawn(sweep::run(Arc::clone(app), stopping.clone()))];
    let queues = jobs::jobs().queues(app).into_iter();
    workers.extend(queues.map(|queue| tokio::spawn(job_worker::run(queue, stopping.clone()))));
    workers.push(tokio::spawn(fan_out::run(Arc::clone(app), stopping.clone())));
    workers.push(tokio::spawn(worker::run(Arc::clone(app), stopping.clone())));
    workers.push(tokio::spawn(invalidation::run(Arc::clone(&app.redirects), follower, stopping.clone())));
    workers.push(tokio::spawn(follower::run(Arc::clone(app), stopping.clone())));
    workers.push(follow::<AccountClicks>(app, stopping));
    workers.push(follow::<DomainChanges>(app, stopping));
    workers.push(follow::<DeliveryChanges>(app, stopping));
    workers.push(tokio::spawn(indexing::run(Arc::clone(app), stopping.clone())));
    workers.push(tokio::spawn(usage::run(Arc::clone(app), stopping.clone())));
    workers.push(tokio::spawn(visitor_keys::run(
        Arc::clone(&app.clicks.visitors),
        app.db.clone(),
        app.clock.clone(),
        stopping.clone(),
    )));
    workers.push(tokio::spawn(geoip::run(Arc::clone(&app.clicks.geoip), app.clock.clone(), stopping.clone())));
    let (limiting, stop) = (Arc::clone(app), stopping.clone());
    workers.push(tokio::spawn(async move { limiting.limits.keep_connected(&stop).await }));
    let log = tokio::spawn(Arc::clone(&app.clicks.log).run(stopping.clone()));
    (workers, log)
}

/// Polls the subjects of a kind that have subscribers.
fn follow<S: Subject>(app: &App, stopping: &CancellationToken) -> JoinHandle<()> {
    tokio::spawn(topics::run(app.live.topics::<S>(), app.db.clone(), app.clock.clone(), stopping.clone()))
}

fn router(api: &Arc<Api>, draining: &CancellationToken, closing: &CancellationToken) -> Router {
    let app = Arc::clone(&api.app);
    let bodies = Bodies::new(app.config.body_memory);
    let api_segments = api.plan.first_segments().chain(API_SEGMENTS).map(str::to_owned).collect();
    let edge = Edge {
        config: Arc::clone(&app.config),
        metrics: Arc::clone(&app.metrics),
        bodies,
        api_segments: Arc::new(api_segments),
    };
    let probe = Probe { app: Arc::clone(&app), draining: draining.clone() };
    let socket = socket::SocketState { api: Arc::clone(api), shutdown: closing.clone() };
    let sockets = Router::new().route(socket::PATH, get(socket::serve)).with_state(socket);
    let probes = Router::new().route("/ready", get(ready)).route("/metrics", get(local_metrics)).with_state(probe);
    let inbound = Router::new()
        .route(payments::stripe::signature::PATH, post(features::billing::route::receive))
        .with_state(Arc::clone(&app));
    let asked = Router::new().route("/internal/tls/ask", get(hosts::route::ask)).with_state(Arc::clone(&app));
    let unrouted = Arc::clone(&app);
    let nowhere = Router::new().fallback(not_found).layer(cors::layer(&app.config.cors_origins));
    let own = sockets
        .merge(probes)
        .merge(asked)
        .merge(inbound)
        .merge(sessions::route::router(&app))
        .merge(sessions::sign_in_route::router(&app))
        .merge(features::billing::sandbox::router(&app))
        .merge(pages::router(&app.config, &app.clock))
        .route("/health", get(|| async { axum::Json(json!({ "status": "ok" })) }))
        .method_not_allowed_fallback(method_not_allowed)
        .fallback(move |request| unknown(Arc::clone(&unrouted), nowhere.clone(), request))
        .layer(middleware::from_fn(edge::catch_panics));
    let routes = for_other_origins(api).merge(own).layer(middleware::from_fn(edge::require_host));
    app.limits.limit_clients(routes).layer(middleware::from_fn_with_state(edge, edge::wrap))
}

/// The routes that pages of other origins may call: GraphQL over HTTP, the REST facade and the documents.
fn for_other_origins(api: &Arc<Api>) -> Router {
    let openapi = |extent: Extent| {
        let described = Arc::clone(api);
        let make = move || openapi::document(&described.contract, &described.plan, extent).into();
        Document::made("application/json", make).route()
    };
    let sdl = Document::new("text/plain; charset=utf-8", api.sdl.clone().into());
    let open = |routes: Router| {
        routes
            .method_not_allowed_fallback(method_not_allowed)
            .layer(middleware::from_fn(coding::compress))
            .layer(middleware::from_fn(edge::catch_panics))
            .layer(cors::layer(&api.app.config.cors_origins))
    };
    let graphql = Router::new().route("/graphql", get(handler::serve).post(handler::serve)).with_state(Arc::clone(api));
    let rest = rest::router(api)
        .layer(middleware::from_fn_with_state(Arc::clone(&api.app), reports::route::serve))
        .merge(images::route::router(&api.app))
        .route("/openapi.json", openapi(Extent::Whole))
        .route(&format!("{PUBLIC_PREFIX}/openapi.json"), openapi(Extent::PublicApi))
        .route("/schema.graphql", sdl.route());
    // GraphiQL is a page to open, so that it gets no CORS headers.
    open(rest).merge(open(graphql).layer(middleware::from_fn(handler::graphiql)))
}

async fn method_not_allowed() -> Refusal {
    Refusal(Code::MethodNotAllowed.into())
}

async fn not_found() -> Refusal {
    Refusal(ApiError::new(Code::NotFound, "There is nothing at this path."))
}

/// The response where there is no route. A path that can be a short link allows GET and HEAD only, and has no CORS headers. Any other
/// path is not found (`nowhere`), which pages of other origins may read.
async fn unknown(app: Arc<App>, nowhere: Router, request: Request) -> Response {
    if slug_of_path(request.uri().path(), 1).is_some_and(|slug| !app.redirects.reserved_slugs.is_path(&slug)) {
        let mut response = Refusal(Code::MethodNotAllowed.into()).into_response();
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET,HEAD"));
        return response;
    }
    nowhere.oneshot(request).await.into_response()
}

#[derive(Clone)]
struct Probe {
    app: Arc<App>,
    draining: CancellationToken,
}

impl Probe {
    /// Names of the failed readiness checks: stores that do not answer, and a shutdown. Empty: the node is ready.
    async fn failed(&self) -> Vec<&'static str> {
        let Probe { app, draining } = self;
        let (reads, writes) = tokio::join!(
            tokio::time::timeout(PROBE_TIMEOUT, app.db.can_read()),
            tokio::time::timeout(PROBE_TIMEOUT, app.db.can_write()),
        );
        [
            ("database", reads == Ok(true)),
            // A database that can't be read can't be written either: only one failure is reported.
            ("databaseWriter", reads != Ok(true) || writes == Ok(true)),
            ("clickLog", app.clicks.log.is_healthy()),
            ("shutdown", !draining.is_cancelled()),
        ]
        .into_iter()
        .filter_map(|(name, fine)| (!fine).then_some(name))
        .collect()
    }
}

/// Whether this node can do its work.
async fn ready(State(probe): State<Probe>) -> Response {
    let failed = probe.failed().await;
    if failed.is_empty() {
        return axum::Json(json!({ "status": "ok" })).into_response();
    }
    let message = format!("Not ready: {}.", failed.join(", "));
    let error =
        ApiError { message: message.into(), ..ApiError::unavailable() }.with_details(json!({ "failed": failed }));
    Refusal(error).into_response()
}

/// `/metrics` on the main listener: for callers on this machine. A proxy may speak for one only if it is trusted, in
/// `X-Forwarded-For`, which is read; `Forwarded` is not.
async fn local_metrics(
    State(probe): State<Probe>,
    axum::Extension(Peer(peer)): axum::Extension<Peer>,
    headers: HeaderMap,
) -> Response {
    let config = &probe.app.config;
    let forwarded_for = headers.get_all("x-forwarded-for").iter().map(HeaderValue::as_bytes);
    let is_believed = !headers.contains_key("x-forwarded-for") || !config.trusted_proxies.is_empty();
    let local = is_believed
        && !headers.contains_key(header::FORWARDED)
        && is_local(peer, forwarded_for, &config.trusted_proxies);
    if !local || config.metrics_bind.is_some() {
        return Refusal(ApiError::new(Code::NotFound, "There is nothing at this path.")).into_response();
    }
    render_metrics(State(probe)).await
}

async fn render_metrics(State(probe): State<Probe>) -> Response {
    let app = &probe.app;
    app.db.health().show(&app.metrics);
    app.metrics.observe_disk(&app.config.data_dir);
    app.metrics.observe_waiting(app.clicks.log.waiting());
    app.metrics.ready.set(probe.failed().await.is_empty().into());
    match app.metrics.render() {
        Ok(text) => ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response(),
        Err(error) => Refusal(ApiError::internal(error)).into_response(),
    }
}
