//! How soon three nodes under load stop redirecting what the operator forbids.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Instant,
};

use futures_util::future::join_all;
use linkgraph::{
    base::clock::Clock,
    features::moderation::ops::{self, Order},
};
use serde_json::json;
use tokio::task::JoinSet;

use crate::support::{Http, TestDatabase, eventually, setting, soon};

/// Clients of each node that follow the link all the time; as many follow another one.
const FOLLOWERS: usize = 2;

/// The link as one client saw it.
#[derive(Clone, Copy, Default)]
struct Seen {
    last_redirect: Option<Instant>,
    /// Answers of another status since.
    refused: u64,
}

type Followers = Arc<Mutex<Vec<Seen>>>;

async fn follow(http: Http, number: usize, followers: Followers, stop: Arc<AtomicBool>) {
    while !stop.load(Ordering::Relaxed) {
        let status = http.follow("m").await.status.as_u16();
        assert!(matches!(status, 302 | 410), "{status}");
        let seen = &mut followers.lock().unwrap()[number];
        if status == 302 {
            *seen = Seen { last_redirect: Some(Instant::now()), refused: 0 };
        } else {
            seen.refused += 1;
        }
    }
}

/// Nobody is disturbed whose links are not concerned.
async fn follow_another(http: Http, redirects: Arc<AtomicU64>, stop: Arc<AtomicBool>) {
    while !stop.load(Ordering::Relaxed) {
        http.follow("other").await.expect(302);
        redirects.fetch_add(1, Ordering::Relaxed);
    }
}

/// Waits until all clients see the link so, and answers when the last one was redirected.
async fn settled(followers: &Followers, redirects: bool) -> Instant {
    let has_settled = |seen: &Seen| if redirects { seen.refused == 0 } else { seen.refused > 10 };
    eventually("all see it", async || {
        let followers = followers.lock().unwrap();
        let last = followers.iter().filter_map(|seen| seen.last_redirect).max();
        last.filter(|_| followers.iter().all(has_settled))
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_redirect_is_served_within_a_second() {
    let database = TestDatabase::postgres().await;
    let directories: Vec<_> = (0..3).map(|_| database.node()).collect();
    let nodes = join_all(directories.iter().map(TestDatabase::start)).await;
    let (mallory, alice) = (nodes[0].register("mallory").await, nodes[0].register("alice").await);
    nodes[0].link(&mallory, "m").await;
    nodes[0].link(&alice, "other").await;
    let (db, config) = (database.db().await, database.config());
    let followers: Followers = Arc::new(Mutex::new(vec![Seen::default(); nodes.len() * FOLLOWERS]));
    let (redirects, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let mut load = JoinSet::new();
    for number in 0..nodes.len() * FOLLOWERS {
        let http = nodes[number % nodes.len()].http.clone();
        load.spawn(follow(http.clone(), number, Arc::clone(&followers), Arc::clone(&stop)));
        load.spawn(follow_another(http, Arc::clone(&redirects), Arc::clone(&stop)));
    }
    settled(&followers, true).await;
    let key = nodes[0].api_key(&mallory, &["links:read"]).await;
    let mut sockets = Vec::new();
    for node in &nodes {
        sockets.push(node.socket(&mallory).await);
    }
    let order = || Order { actor: "test".to_owned(), reason: None, now: Clock::default().now() };
    let mut late = Vec::new();
    for _ in 0..setting("LINKGRAPH_SOAK_TAKEDOWNS", 5) {
        ops::suspend(&db, &order(), "mallory@example.com").await.unwrap();
        let committed = Instant::now();
        for mut socket in sockets.drain(..) {
            assert_eq!(socket.hear().await, json!({ "closed": 4403 }));
            assert!(committed.elapsed() <= soon(), "{:?}", committed.elapsed());
        }
        late.push(settled(&followers, false).await.saturating_duration_since(committed));
        for node in &nodes {
            node.get("/links", &mallory).await.expect(401);
            node.get("/api/v1/links", &key).await.expect(401);
        }
        ops::restore(&db, &order(), "mallory@example.com").await.unwrap();
        settled(&followers, true).await;
        ops::block_link(&db, &config, &order(), "http://sho.rt/m").await.unwrap();
        let committed = Instant::now();
        late.push(settled(&followers, false).await.saturating_duration_since(committed));
        ops::unblock_link(&db, &config, &order(), "http://sho.rt/m").await.unwrap();
        settled(&followers, true).await;
    }
    stop.store(true, Ordering::Relaxed);
    load.join_all().await;
    late.sort();
    let (median, p99) = (late[late.len() / 2], late[(late.len() * 99).div_ceil(100) - 1]);
    let others = redirects.load(Ordering::Relaxed);
    println!("median {median:?}, p99 {p99:?}, longest {:?} of {}; {others} others", late[late.len() - 1], late.len());
    assert!(p99 <= soon(), "{late:?}");
    db.close().await;
    for node in nodes {
        node.stop().await;
    }
}
