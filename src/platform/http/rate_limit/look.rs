//! A check of Redis that stores nothing there.

use std::time::{Duration, Instant};

use anyhow::Context;
use redis::{AsyncConnectionConfig, ConnectionInfo};

use super::shared::{REQUEST_TIMEOUT, client};

/// How long a connection, and each answer, may take.
const TIMEOUT: Duration = Duration::from_secs(3);

/// The result of a look at Redis.
#[derive(Debug)]
pub(crate) struct Look {
    /// Name and version; the name alone where the user may not ask.
    pub(crate) version: String,
    /// How long an answer took.
    pub(crate) took: Duration,
    /// Whether requests wait for as long.
    pub(crate) is_in_time: bool,
}

/// Connects, pings, and asks for the version.
pub(crate) async fn look(server: &ConnectionInfo) -> anyhow::Result<Look> {
    let unreachable = || format!("REDIS_URL: can't connect to {}", server.addr());
    let config = AsyncConnectionConfig::new().set_connection_timeout(Some(TIMEOUT)).set_response_timeout(Some(TIMEOUT));
    let client = client(server)?;
    let mut connection =
        client.get_multiplexed_async_connection_with_config(&config).await.with_context(unreachable)?;
    let began = Instant::now();
    redis::cmd("PING").query_async::<()>(&mut connection).await.with_context(unreachable)?;
    let took = began.elapsed();
    let told: String = redis::cmd("INFO").arg("server").query_async(&mut connection).await.unwrap_or_default();
    let version = told.lines().find_map(|line| line.strip_prefix("redis_version:")).unwrap_or_default();
    Ok(Look { version: format!("Redis {version}").trim().to_owned(), took, is_in_time: took <= REQUEST_TIMEOUT })
}
