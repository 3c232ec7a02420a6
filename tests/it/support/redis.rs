//! A Redis of a test's own, to be killed, stopped and started again.

use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use super::{eventually, free_port};

/// A running server on a port of its own, without a file of its own; killed when dropped.
pub(crate) struct TestRedis {
    port: u16,
    child: Child,
}

impl TestRedis {
    /// Starts a server and waits until it answers.
    pub(crate) async fn start() -> Self {
        // Another process may take the port first: then the server ends, and another port is tried.
        for _ in 0..10 {
            let port = free_port();
            if let Some(child) = start(port).await {
                return TestRedis { port, child };
            }
        }
        panic!("no redis-server starts");
    }

    /// The value of `REDIS_URL`.
    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/", self.port)
    }

    /// `kill -9`, with all that it held.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again on its port, empty, and waits until it answers.
    pub(crate) async fn restart(&mut self) {
        self.child = start(self.port).await.expect("the port is taken");
    }

    /// Lets it hang with its connections open, or go on.
    pub(crate) fn hang(&self, hangs: bool) {
        kill_process(Pid::from_child(&self.child), if hangs { Signal::STOP } else { Signal::CONT }).unwrap();
    }
}

impl Drop for TestRedis {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn start(port: u16) -> Option<Child> {
    let mut child = Command::new("redis-server")
        .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("redis-server is missing: run the tests by scripts/test");
    let answers = eventually("Redis answers", async || {
        if child.try_wait().unwrap().is_some() {
            return Some(false);
        }
        // Another server might answer on the port.
        process_id(port).await.filter(|id| *id == child.id()).map(|_| true)
    });
    answers.await.then_some(child)
}

/// The id of the Redis process that answers on the port. `None`: no Redis answers.
async fn process_id(port: u16) -> Option<u32> {
    let client = redis::Client::open(format!("redis://127.0.0.1:{port}/")).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.ok()?;
    let told: String = redis::cmd("INFO").arg("server").query_async(&mut connection).await.ok()?;
    told.lines().find_map(|line| line.strip_prefix("process_id:"))?.trim().parse().ok()
}

/// The names of the keys that fit a pattern, with the milliseconds until they expire; none: it does not answer.
pub(crate) async fn keys(url: &str, pattern: &str) -> Option<Vec<(String, i64)>> {
    let client = redis::Client::open(url).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.ok()?;
    let names: Vec<String> = redis::cmd("KEYS").arg(pattern).query_async(&mut connection).await.ok()?;
    let mut found = Vec::new();
    for name in names {
        let expires: i64 = redis::cmd("PTTL").arg(&name).query_async(&mut connection).await.ok()?;
        // It has expired since.
        if expires != -2 {
            found.push((name, expires));
        }
    }
    Some(found)
}
