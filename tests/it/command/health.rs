//! `linkgraph health`: the binary asks a running service.

use crate::support::{
    TestDatabase, eventually, free_port,
    process::{TestProcess, line},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_binary_tells_whether_a_service_is_ready() {
    let database = TestDatabase::sqlite();
    let ask = async |settings: &[(&str, &str)], arguments: &[&str]| {
        line(&database, settings, &[&["health"], arguments].concat()).await
    };
    // Nothing else listens at it when the service is gone.
    let port = free_port();
    let service = TestProcess::start(&database, &[("LINKGRAPH_BIND", &format!("0.0.0.0:{port}"))]).await;
    let ready = (Some(0), format!("http://127.0.0.1:{port}/ready: ready\n"));
    assert_eq!(ask(&[("LINKGRAPH_BIND", &format!("127.0.0.1:{port}"))], &[]).await, ready);
    assert_eq!(ask(&[("LINKGRAPH_BIND", &format!("0.0.0.0:{port}"))], &[]).await, ready);
    assert_eq!(ask(&[], &["--url", &format!("http://127.0.0.1:{port}")]).await, ready);
    // Only IPv4 is listened at.
    assert_eq!(ask(&[("LINKGRAPH_BIND", &format!("[::]:{port}"))], &[]).await.0, Some(0));
    let (code, said) = ask(&[], &[]).await;
    assert!(code == Some(1) && said.contains("LINKGRAPH_BIND") && said.contains("--url"), "{said}");
    let (code, said) = ask(&[], &["--url", &format!("https://127.0.0.1:{port}")]).await;
    assert!(code == Some(1) && said.contains("http://"), "{said}");
    let at = format!("127.0.0.1:{port}");
    service.terminate();
    // For a second it says why; then it is gone.
    eventually("it is not ready", async || {
        let (code, said) = ask(&[("LINKGRAPH_BIND", &at)], &[]).await;
        let told = said.contains("503 Service Unavailable: Not ready: shutdown.") || said.contains("refused");
        (code == Some(1) && told).then_some(())
    })
    .await;
    drop(service);
    let (code, said) = ask(&[("LINKGRAPH_BIND", &at)], &[]).await;
    assert!(code == Some(1) && said.to_lowercase().contains("connection refused"), "{said}");
}
