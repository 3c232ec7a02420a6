//! Limits that all nodes count together, in Redis. One script decides, in one round trip. A request never waits for a
//! connection: while there is none, asking fails at once.

use std::{
    fmt::Display,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use anyhow::Context;
use arc_swap::ArcSwapOption;
use redis::{
    AsyncConnectionConfig, Client, ConnectionAddr, ConnectionInfo, RedisResult, Script, ScriptInvocation,
    aio::MultiplexedConnection, io::tcp::TcpSettings,
};
use tokio::{sync::Notify, time::timeout};
use tokio_util::sync::CancellationToken;

use super::{
    buckets::DEBT,
    headers::LimitState,
    policy::{Algorithm, Decision, Key, QuotaPolicy, Subject},
};
use crate::base::{
    clock::{Clock, MINUTE, UnixMillis},
    metrics::Metrics,
};

/// How long a request waits for Redis.
pub(super) const REQUEST_TIMEOUT: Duration = Duration::from_millis(50);
/// How long opening a connection may take. Only the start of the service waits for it.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
/// Wait before a new connection is tried, after one was lost or could not be opened.
const RETRY: Duration = Duration::from_millis(250);
/// How often a connection is pinged, so that no request has to find out that it is dead.
const PROBE: Duration = Duration::from_secs(5);

/// A connection to Redis, replaced whenever it fails. The library's `ConnectionManager` lets requests wait for a connection
/// that is being made, and keeps one that just never answers.
pub(super) struct Shared {
    client: Client,
    connection: ArcSwapOption<MultiplexedConnection>,
    lost: Notify,
    bucket: Script,
    settle: Script,
    window: Script,
    clock: Clock,
    metrics: Arc<Metrics>,
    /// When it was last logged that Redis fails.
    logged: AtomicI64,
}

/// The client that connects to the server.
pub(super) fn client(server: &ConnectionInfo) -> anyhow::Result<Client> {
    if matches!(server.addr(), ConnectionAddr::TcpTls { .. }) {
        // The client asks for the process's provider. Fails if there is one.
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
    let server = server.clone().set_tcp_settings(TcpSettings::default().set_nodelay(true));
    Client::open(server).context("REDIS_URL: can't be used")
}

/// Gives a script these buckets.
fn with_buckets(call: &mut ScriptInvocation<'_>, cost: i64, buckets: &[(Key, QuotaPolicy)]) {
    call.arg(cost).arg(DEBT);
    for (key, quota_policy) in buckets {
        call.key(key.in_redis(quota_policy))
            .arg(quota_policy.interval().as_micros().to_string())
            .arg(quota_policy.quota);
    }
}

impl Shared {
    /// Connects if it can.
    pub(super) async fn open(server: &ConnectionInfo, clock: &Clock, metrics: &Arc<Metrics>) -> anyhow::Result<Self> {
        let shared = Shared {
            client: client(server)?,
            connection: ArcSwapOption::empty(),
            lost: Notify::new(),
            bucket: Script::new(include_str!("bucket.lua")),
            settle: Script::new(include_str!("settle.lua")),
            window: Script::new(include_str!("window.lua")),
            clock: clock.clone(),
            metrics: Arc::clone(metrics),
            logged: AtomicI64::new(UnixMillis::MIN),
        };
        shared.connect().await;
        Ok(shared)
    }

    /// Keeps a connection until told to stop.
    pub(super) async fn keep(&self, stop: &CancellationToken) {
        let work = async {
            loop {
                match self.connection.load_full() {
                    Some(connection) if timeout(PROBE, self.lost.notified()).await.is_err() => {
                        let probe = redis::cmd("PING");
                        let _ = self.wait(&connection, probe.query_async::<()>(&mut (*connection).clone())).await;
                    }
                    // The connection was lost. A server that accepts and then refuses must not be asked in a tight loop.
                    Some(_) => tokio::time::sleep(RETRY).await,
                    None => {
                        self.connect().await;
                        if self.connection.load().is_none() {
                            tokio::time::sleep(RETRY).await;
                        }
                    }
                }
            }
        };
        tokio::select! {
            () = stop.cancelled() => {}
            () = work => {}
        }
    }

    async fn connect(&self) {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT_TIMEOUT))
            .set_response_timeout(Some(CONNECT_TIMEOUT));
        let connect = async {
            let mut connection = self.client.get_multiplexed_async_connection_with_config(&config).await?;
            // Where they are kept, a decision takes one round trip; and a server that can't answer in time shows itself.
            let load = async {
                self.bucket.load_async(&mut connection).await?;
                self.window.load_async(&mut connection).await
            };
            match timeout(REQUEST_TIMEOUT, load).await {
                Ok(loaded) => loaded.map(|_| connection),
                Err(_) => Err(std::io::Error::from(std::io::ErrorKind::TimedOut).into()),
            }
        };
        match timeout(CONNECT_TIMEOUT, connect).await {
            Ok(Ok(connection)) => self.connection.store(Some(Arc::new(connection))),
            Ok(Err(cause)) => self.complain(&cause),
            Err(_) => self.complain(&"no connection in time"),
        }
    }

    /// Takes `cost` from the buckets or the window. With a cost of 0, a window only reports its state. `None`: Redis does not
    /// answer.
    pub(super) async fn take(&self, quota_policy: &QuotaPolicy, subject: Subject, cost: u32) -> Option<LimitState> {
        let buckets = quota_policy.buckets(subject);
        let mut call = match quota_policy.algorithm {
            Algorithm::Bucket => self.bucket.prepare_invoke(),
            Algorithm::Window => self.window.prepare_invoke(),
        };
        match quota_policy.algorithm {
            Algorithm::Bucket => with_buckets(&mut call, i64::from(cost), &buckets),
            Algorithm::Window => {
                call.key(subject.key.in_redis(quota_policy)).arg(quota_policy.quota);
                call.arg(u64::from(quota_policy.window) * 1_000).arg(cost);
            }
        }
        let (granted, decided, remaining, reset) = self.ask(&call).await?;
        let (_, quota_policy) = buckets.get(decided.checked_sub(1)?)?;
        Some(LimitState::new(*quota_policy, Decision { granted, remaining, reset: Duration::from_millis(reset) }))
    }

    /// Takes more from the buckets for what was granted before, or gives some of it back. If Redis does not answer, it is not charged.
    pub(super) async fn settle(&self, quota_policy: &QuotaPolicy, subject: Subject, difference: i64) {
        let Some(connection) = self.connection.load_full() else { return };
        let mut call = self.settle.prepare_invoke();
        with_buckets(&mut call, difference, &quota_policy.buckets(subject));
        self.wait(&connection, call.invoke_async::<i64>(&mut (*connection).clone())).await;
    }

    async fn ask(&self, call: &ScriptInvocation<'_>) -> Option<(bool, usize, u32, u64)> {
        let answer = match self.connection.load_full() {
            Some(connection) => self.wait(&connection, call.invoke_async(&mut (*connection).clone())).await,
            None => None,
        };
        if answer.is_none() {
            self.metrics.rate_limit_redis_failures.inc();
            self.complain(&"no connection");
        }
        answer
    }

    /// Resets the count of a window. If Redis does not answer, the count ends with the window.
    pub(super) async fn reset(&self, quota_policy: &QuotaPolicy, key: Key) {
        if let Some(connection) = self.connection.load_full() {
            let mut delete = redis::cmd("DEL");
            delete.arg(key.in_redis(quota_policy));
            self.wait(&connection, delete.query_async::<()>(&mut (*connection).clone())).await;
        }
    }

    /// Waits for an answer of Redis. `None`: it failed, or came too late; the connection is then dropped, unless it was replaced
    /// meanwhile.
    async fn wait<T>(
        &self,
        connection: &Arc<MultiplexedConnection>,
        answer: impl Future<Output = RedisResult<T>>,
    ) -> Option<T> {
        let failure: &dyn Display = match timeout(REQUEST_TIMEOUT, answer).await {
            Ok(Ok(answer)) => return Some(answer),
            Ok(Err(ref cause)) => &cause.to_string(),
            Err(_) => &"no answer in time",
        };
        self.complain(failure);
        let current = self.connection.compare_and_swap(connection, None);
        if current.as_ref().is_some_and(|current| Arc::ptr_eq(current, connection)) {
            self.lost.notify_one();
        }
        None
    }

    /// Logs that Redis fails, at most once a minute.
    fn complain(&self, cause: &dyn Display) {
        let (now, logged) = (self.clock.now(), self.logged.load(Ordering::Relaxed));
        if now < logged.saturating_add(MINUTE) {
            return;
        }
        if self.logged.compare_exchange(logged, now, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            tracing::warn!(%cause, "Redis fails: until it is back, each node limits by itself");
        }
    }
}
