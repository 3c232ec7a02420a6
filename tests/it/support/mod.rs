//! The harness: a database and a service of its own for each test.

pub(crate) mod admin;
pub(crate) mod answers;
pub(crate) mod balancer;
pub(crate) mod browser;
pub(crate) mod catalogue;
pub(crate) mod disk;
pub(crate) mod dns;
pub(crate) mod dns_stub;
pub(crate) mod documents;
pub(crate) mod domains;
pub(crate) mod faults;
pub(crate) mod idempotency;
pub(crate) mod identity_provider;
pub(crate) mod limits;
pub(crate) mod mail;
pub(crate) mod members;
pub(crate) mod node;
pub(crate) mod passkey;
pub(crate) mod planted;
pub(crate) mod postgres;
pub(crate) mod process;
pub(crate) mod questions;
pub(crate) mod receiver;
pub(crate) mod redis;
pub(crate) mod relay;
pub(crate) mod sandbox;
pub(crate) mod schema;
pub(crate) mod socket;
pub(crate) mod stored;
pub(crate) mod stripe;
pub(crate) mod template;
pub(crate) mod totp;

use std::{
    fmt::Debug,
    net::SocketAddr,
    path::{Path, PathBuf},
    str::FromStr,
    sync::{Arc, Mutex},
    time::Duration,
};

use linkgraph::{
    api::Api,
    base::{
        clock::{Clock, DAY},
        config::{Config, PasswordHashing},
    },
    server::Server,
};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, redirect::Policy};
use sea_orm::{ConnectOptions, Database, DatabaseConnection};
use serde_json::{Value as Json, json};
use uuid::Uuid;

/// A database without rows, and a data directory, gone when dropped and no service runs on it.
pub(crate) struct TestDatabase {
    pub(crate) folder: PathBuf,
    pub(crate) url: Option<String>,
    removal: Arc<Removal>,
    running: Running,
}

/// Removes a data directory when dropped.
struct Removal(PathBuf);

impl Drop for Removal {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The services that a test has started, on this database and its other nodes.
#[derive(Clone, Default)]
struct Running(Arc<Mutex<Vec<Started>>>);

/// A service that runs, with its data directory; `None` once it was stopped.
type Started = Arc<Mutex<Option<(Server, Arc<Removal>)>>>;

impl Running {
    /// Stops those that still run, the last one first.
    async fn stop(self) {
        let started = std::mem::take(&mut *self.0.lock().unwrap());
        for started in started.into_iter().rev() {
            stop(&started).await;
        }
    }
}

async fn stop(started: &Started) {
    let running = started.lock().unwrap().take();
    if let Some((server, _directory)) = running {
        server.stop().await;
    }
}

/// Connections without the task of sqlx 0.9.0 that may spin for ever, and then keeps a test from its end
/// (<https://github.com/launchbadge/sqlx/issues/3645>).
pub(crate) async fn connections(url: String) -> DatabaseConnection {
    let mut options = ConnectOptions::new(url);
    options.idle_timeout(None).max_lifetime(None).sqlx_logging(false);
    Database::connect(options).await.unwrap()
}

impl TestDatabase {
    pub(crate) fn sqlite() -> Self {
        let database = Self::empty_sqlite();
        template::copy_sqlite(&database.folder.join("linkgraph.db"));
        database
    }

    pub(crate) async fn postgres() -> Self {
        let mut database = Self::empty_sqlite();
        database.url = Some(template::copy_postgres(&database.folder).await);
        database
    }

    /// A data directory in which no service has been yet.
    pub(crate) fn empty_sqlite() -> Self {
        let folder = std::env::temp_dir().join(format!("linkgraph-test-{}", Uuid::now_v7()));
        std::fs::create_dir_all(&folder).unwrap();
        Self::at(folder, None)
    }

    /// A data directory that exists, and the address of a PostgreSQL.
    pub(crate) fn at(folder: PathBuf, url: Option<String>) -> Self {
        let removal = Arc::new(Removal(folder.clone()));
        TestDatabase { folder, url, removal, running: Running::default() }
    }

    /// A database without tables.
    pub(crate) async fn empty_postgres() -> Self {
        let mut database = Self::empty_sqlite();
        database.url = Some(template::empty_postgres(&database.folder).await);
        database
    }

    /// A database of the same kind without tables.
    pub(crate) async fn emptied(self) -> Self {
        let empty = if self.url.is_some() { Self::empty_postgres().await } else { Self::empty_sqlite() };
        TestDatabase { running: self.running, ..empty }
    }

    /// The database for another node on the same PostgreSQL, with a data directory of its own.
    pub(crate) fn node(&self) -> Self {
        TestDatabase { url: self.url.clone(), running: self.running.clone(), ..Self::empty_sqlite() }
    }

    /// Runs the body of a test, and stops the services that it leaves running.
    pub(crate) async fn test(self, body: impl AsyncFnOnce(Self)) {
        let running = self.running.clone();
        body(self).await;
        running.stop().await;
    }

    /// A connection beside the service's, to look at what it stored.
    pub(crate) async fn connect(&self) -> DatabaseConnection {
        let sqlite = || format!("sqlite://{}", self.folder.join("linkgraph.db").display());
        connections(self.url.clone().unwrap_or_else(sqlite)).await
    }

    /// The settings of a service on this database: no rate limits, unless the test asks for them.
    pub(crate) fn settings(&self, more: &[(&str, &str)]) -> Vec<(String, String)> {
        let mut settings = vec![
            ("LINKGRAPH_DATA_DIR".to_owned(), self.folder.display().to_string()),
            ("LINKGRAPH_BIND".to_owned(), "127.0.0.1:0".to_owned()),
            ("LINKGRAPH_BASE_URL".to_owned(), "http://sho.rt".to_owned()),
            ("LINKGRAPH_RATE_LIMITS".to_owned(), "off".to_owned()),
            // Half of them answer requests. Each is opened when it is needed.
            ("LINKGRAPH_POSTGRES_CONNECTIONS".to_owned(), "12".to_owned()),
            // Where nobody answers: no test asks the world.
            ("LINKGRAPH_DNS_SERVER".to_owned(), "127.0.0.1:1".to_owned()),
        ];
        settings.extend(self.url.iter().map(|url| ("DATABASE_URL".to_owned(), url.clone())));
        for (name, value) in more {
            settings.retain(|(known, _)| known != name);
            settings.push(((*name).to_owned(), (*value).to_owned()));
        }
        settings
    }

    pub(crate) fn is_postgres(&self) -> bool {
        self.url.as_deref().is_some_and(|url| url.starts_with("postgres"))
    }

    /// Processor time that PostgreSQL has taken for this database, but for connections that have ended.
    pub(crate) fn processor_time(&self) -> Duration {
        let Some((_, name)) = self.url.as_deref().and_then(|url| url.rsplit_once('/')) else { return Duration::ZERO };
        let name = format!(" {name} ");
        let of_one = |process: &Path| {
            let title = std::fs::read_to_string(process.join("cmdline")).ok()?;
            let times = std::fs::read_to_string(process.join("schedstat")).ok()?;
            let is_this = title.starts_with("postgres:") && title.contains(&name);
            is_this.then(|| times.split(' ').next()?.parse::<u64>().ok()).flatten()
        };
        let processes = std::fs::read_dir("/proc").unwrap().filter_map(|entry| of_one(&entry.ok()?.path()));
        Duration::from_nanos(processes.sum())
    }

    /// Starts a service in this process.
    pub(crate) async fn start(&self) -> TestServer {
        self.start_with(&[]).await
    }

    /// Starts a service in this process, with other settings.
    pub(crate) async fn start_with(&self, more: &[(&str, &str)]) -> TestServer {
        self.start_at(more, Clock::default()).await
    }

    /// Starts a service in this process, at another time.
    pub(crate) async fn start_at(&self, more: &[(&str, &str)], clock: Clock) -> TestServer {
        self.start_configured(self.config_with(more), clock).await
    }

    /// The settings, read: a test may change what no variable says.
    pub(crate) fn config_with(&self, more: &[(&str, &str)]) -> Config {
        let settings = self.settings(more);
        let read = |name: &str| settings.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        // RFC 9106 allows no cheaper hash.
        let password_hashing = PasswordHashing { memory_kib: 8, passes: 1, only_when_idle: false };
        Config { shutdown_grace: Duration::ZERO, password_hashing, ..Config::read(&read).unwrap() }
    }

    /// Starts a service in this process, with settings that were read.
    pub(crate) async fn start_configured(&self, config: Config, clock: Clock) -> TestServer {
        let server = Box::pin(Server::start(config, clock.clone())).await.unwrap();
        let (http, api) = (Http::new(server.address()), Arc::clone(server.api()));
        let started = Arc::new(Mutex::new(Some((server, Arc::clone(&self.removal)))));
        self.running.0.lock().unwrap().push(Arc::clone(&started));
        TestServer { started, api, clock, http }
    }
}

/// A service in this process. [`TestDatabase::test`] stops it at the latest.
pub(crate) struct TestServer {
    started: Started,
    api: Arc<Api>,
    /// Moves the service's time.
    pub(crate) clock: Clock,
    pub(crate) http: Http,
}

impl std::ops::Deref for TestServer {
    type Target = Http;

    fn deref(&self) -> &Http {
        &self.http
    }
}

impl TestServer {
    pub(crate) fn api(&self) -> &Arc<Api> {
        &self.api
    }

    /// Stops it before the test ends.
    pub(crate) async fn stop(self) {
        stop(&self.started).await;
    }
}

/// What a browser calls itself.
pub(crate) const BROWSER: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

/// Calls a service over HTTP.
#[derive(Clone)]
pub(crate) struct Http {
    pub(crate) base: String,
    pub(crate) client: Client,
}

/// The answer to a call.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Json {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The error's code.
    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }

    /// Paths of the violations, in order.
    pub(crate) fn violations(&self) -> Vec<String> {
        let json = self.json();
        let violations = json["error"]["details"]["validationErrors"].as_array().cloned().unwrap_or_default();
        violations.iter().map(|violation| violation["path"].as_str().unwrap().to_owned()).collect()
    }

    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status, "{self:?}");
        self
    }
}

impl Http {
    pub(crate) fn new(address: SocketAddr) -> Self {
        // As long as `eventually`.
        let timeout = Duration::from_secs(60);
        let client = Client::builder().redirect(Policy::none()).timeout(timeout).no_proxy().build().unwrap();
        Http { base: format!("http://{address}"), client }
    }

    /// Where the service listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.base.trim_start_matches("http://").parse().unwrap()
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    pub(crate) async fn send(&self, request: RequestBuilder) -> Answer {
        let response: Response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        Answer { status, headers, text: response.text().await.unwrap() }
    }

    /// A call with a credential (empty: none) and a JSON body (null: none).
    pub(crate) async fn call(&self, method: &str, path: &str, credential: &str, body: Json) -> Answer {
        let mut request = self.request(method.parse().unwrap(), path);
        if !credential.is_empty() {
            request = request.bearer_auth(credential);
        }
        if !body.is_null() {
            request = request.json(&body);
        }
        self.send(request).await
    }

    pub(crate) async fn get(&self, path: &str, credential: &str) -> Answer {
        self.call("GET", path, credential, Json::Null).await
    }

    pub(crate) async fn post(&self, path: &str, credential: &str, body: Json) -> Answer {
        self.call("POST", path, credential, body).await
    }

    /// A GraphQL request; the whole answer.
    pub(crate) async fn graphql(&self, credential: &str, query: &str, variables: Json) -> Json {
        self.post("/graphql", credential, json!({ "query": query, "variables": variables })).await.json()
    }

    /// The value of a series of `/metrics`, by its name and labels as written there. `None`: there is no such series.
    pub(crate) async fn metric<T: FromStr<Err: Debug>>(&self, series: &str) -> Option<T> {
        let metrics = self.get("/metrics", "").await.expect(200).text;
        let value = metrics.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '))?;
        Some(value.parse().unwrap())
    }

    /// Registers a user and answers its token.
    pub(crate) async fn register(&self, name: &str) -> String {
        let body =
            json!({ "email": format!("{name}@example.com"), "password": format!("{name}'s password"), "name": name });
        let answer = self.post("/auth/register", "", body).await.expect(201);
        answer.json()["accessToken"].as_str().unwrap().to_owned()
    }

    /// Deletes a registered user, whose password is still the first one.
    pub(crate) async fn leave(&self, token: &str) -> Answer {
        let me = self.get("/me", token).await.expect(200).json();
        let password = format!("{}'s password", me["name"].as_str().unwrap());
        self.call("DELETE", "/me", token, json!({ "currentPassword": password })).await
    }

    /// Logs a registered user in and answers the token: tokens last for a day.
    pub(crate) async fn login(&self, name: &str) -> String {
        let body = json!({ "email": format!("{name}@example.com"), "password": format!("{name}'s password") });
        self.post("/auth/login", "", body).await.expect(200).json()["accessToken"].as_str().unwrap().to_owned()
    }

    /// Creates an API key with these scopes and answers it.
    pub(crate) async fn api_key(&self, token: &str, scopes: &[&str]) -> String {
        let answer = self.post("/api-keys", token, json!({ "name": "test", "scopes": scopes })).await.expect(201);
        answer.json()["key"].as_str().unwrap().to_owned()
    }

    /// Creates a link and answers it.
    pub(crate) async fn link(&self, credential: &str, slug: &str) -> Json {
        self.link_with(credential, slug, json!({})).await
    }

    /// Creates a link with more fields, and answers it.
    pub(crate) async fn link_with(&self, credential: &str, slug: &str, more: Json) -> Json {
        let mut body = json!({ "destinationUrl": format!("https://example.com/{slug}"), "slug": slug });
        body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
        let path = if credential.starts_with("lg_") { "/api/v1/links" } else { "/links" };
        self.post(path, credential, body).await.expect(201).json()
    }

    /// Follows a short link as a browser does.
    pub(crate) async fn follow(&self, slug: &str) -> Answer {
        self.send(self.request(Method::GET, &format!("/{slug}")).header("user-agent", BROWSER)).await
    }
}

impl Http {
    /// Asks for a path under a host's name.
    pub(crate) async fn at_host(&self, host: &str, path: &str) -> Answer {
        self.send(self.request(Method::GET, path).header("host", host)).await
    }
}

/// The size of a test that can be larger, from the environment.
pub(crate) fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |text| text.parse().unwrap())
}

/// How soon a change through one node takes effect on all: within a second, as `scripts/soak` measures on a quiet machine; other
/// tests beside take their time from it.
pub(crate) fn soon() -> Duration {
    Duration::from_millis(setting("LINKGRAPH_SOAK_SOON", 10_000))
}

/// How long an answer may take, even while the database is away: 5 seconds, as `scripts/soak` measures.
pub(crate) fn answer_time() -> Duration {
    Duration::from_millis(setting("LINKGRAPH_SOAK_ANSWER", 30_000))
}

/// For how long what must happen is waited for: long enough for a machine that others use as well, whose disk may take many
/// seconds to store one change.
pub(crate) const DEADLINE: Duration = Duration::from_secs(60);

/// A clock that shows noon: no day and no hour ends while a test runs.
pub(crate) fn noon() -> Clock {
    let clock = Clock::default();
    clock.advance((DAY * 3 / 2 - clock.now().rem_euclid(DAY)).rem_euclid(DAY));
    clock
}

/// A port of this machine on which nothing listens. It is below the ephemeral ports, which the system gives to connections
/// that other tests open meanwhile.
pub(crate) fn free_port() -> u16 {
    loop {
        let port = 12_000 + rand::random::<u16>() % 8_000;
        if std::net::TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// Asks again until the answer is there, until [`DEADLINE`].
pub(crate) async fn eventually<T>(what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = tokio::time::Instant::now() + DEADLINE;
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(tokio::time::Instant::now() < deadline, "it did not happen in a minute: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
