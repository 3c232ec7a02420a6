//! A low limit of open files.

use std::{process::Stdio, time::Duration};

use tokio::{net::TcpStream, time::timeout};

use crate::support::{
    Http, TestDatabase,
    process::{TestProcess, command},
};

/// More clients than the limit has room for connect and send nothing: probes are answered, visitors redirected, and clicks ingested.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_clients_silence_nobody_under_a_low_limit() {
    let database = TestDatabase::sqlite();
    let binary = command(&[]);
    let script = format!("ulimit -n 256; exec {}", binary.get_program().to_str().unwrap());
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &script]).env_clear().envs(database.settings(&[])).stdin(Stdio::null());
    let process = TestProcess::of(shell).await;
    let token = process.register("ada").await;
    process.link(&token, "seen").await;
    let log = process.log.lock().unwrap().clone();
    let said = log.lines().find(|line| line.contains("limit of open files")).unwrap_or_default();
    assert!(["limit=256", "needed=", "clients="].iter().all(|part| said.contains(part)), "{log}");

    let address = process.base.strip_prefix("http://").unwrap();
    let mut idle = Vec::new();
    for _ in 0..400 {
        idle.push(TcpStream::connect(address).await.unwrap());
    }
    for visit in 1..=3 {
        // Clients of their own, that have no connection yet.
        let http = Http::new(address.parse().unwrap());
        let within = Duration::from_secs(5);
        timeout(within, http.get("/ready", "")).await.expect("the probe is answered").expect(200);
        timeout(within, http.follow("seen")).await.expect("the visitor is redirected").expect(302);
        database.clicks_become(visit).await;
    }
    assert!(process.metric::<u64>("process_open_fds").await.unwrap() < 256);
    assert_eq!(process.metric::<u64>("process_max_fds").await, Some(256));
}
