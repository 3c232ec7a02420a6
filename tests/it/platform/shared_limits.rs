//! Rate limits that nodes hold together, in Redis; and what happens when Redis goes away and comes back.

use std::{
    collections::BTreeMap,
    net::IpAddr,
    ops::Deref,
    panic::{AssertUnwindSafe, resume_unwind},
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use futures_util::{FutureExt, future::join_all};
use linkgraph::platform::http::rate_limit::Guess;
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, Http, TestDatabase, TestServer,
        balancer::Balancer,
        eventually,
        limits::{LIMITED, exhaust, exhaust_since, from, login, standing, takes_what_it_costs},
        mail::mails,
        process::TestProcess,
        redis::{TestRedis, keys},
    },
};

/// How long a request may wait for Redis.
const PATIENCE: Duration = Duration::from_millis(50);
const SECRETS: (&str, &str) = ("LINKGRAPH_JWT_SECRETS", "shared:0123456789abcdef0123456789abcdef");
const BEHIND_PROXY: (&str, &str) = ("LINKGRAPH_TRUSTED_PROXIES", "127.0.0.1");

/// The Redis of all tests: what they count in it is only theirs when it goes by random ids.
fn common_redis() -> String {
    let url = std::env::var("LINKGRAPH_TEST_REDIS_URL");
    url.expect("LINKGRAPH_TEST_REDIS_URL is not set: run the tests by scripts/test")
}

/// Two services on one database, with a data directory each, and one Redis.
async fn two_nodes(database: &TestDatabase, redis: &str, more: &[(&str, &str)]) -> ([TestServer; 2], TestDatabase) {
    let mut other = TestDatabase::sqlite();
    let sqlite = || format!("sqlite://{}?mode=rwc", database.folder.join("linkgraph.db").display());
    other.url = Some(database.url.clone().unwrap_or_else(sqlite));
    let settings = [&[LIMITED, SECRETS, BEHIND_PROXY, ("REDIS_URL", redis)], more].concat();
    ([database.start_with(&settings).await, other.start_with(&settings).await], other)
}

/// The value of a metric, of all its labels that contain the text.
async fn metric(http: &Http, name: &str, label: &str) -> u64 {
    let text = http.get("/metrics", "").await.expect(200).text;
    let lines = text.lines().filter(|line| line.starts_with(name) && line.contains(label));
    lines.map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum()
}

async fn failures(http: &Http) -> u64 {
    metric(http, "linkgraph_rate_limit_redis_failures_total", "").await
}

/// Uses the key at all nodes at once for a while, and until it is refused. The more often this was tried before, the fewer
/// clients do. Answers how many requests were granted, and how long it took. They are writes that the key may not do: a read
/// also costs the time that it takes, which a debug build on a busy machine has too much of.
async fn hammer(nodes: &[impl Deref<Target = Http>], key: &str, time: Duration, attempt: usize) -> (usize, Duration) {
    let started = Instant::now();
    let clients = (0..(16 >> attempt).max(3)).map(|number| async move {
        let (mut granted, mut is_refused) = (0, false);
        while started.elapsed() < time || !is_refused {
            let answer = nodes[number % nodes.len()]
                .post("/links", key, json!({ "destinationUrl": "https://example.com" }))
                .await;
            match answer.status.as_u16() {
                403 => granted += 1,
                429 => is_refused = true,
                _ => panic!("{answer:?}"),
            }
            assert_eq!(standing(&answer).0, "default", "{answer:?}");
            assert!(started.elapsed() < Duration::from_secs(60), "there is no limit");
        }
        granted
    });
    (join_all(clients).await.into_iter().sum(), started.elapsed())
}

/// 600 a minute, which are there at once and come back bit by bit.
fn is_the_pro_plans(granted: usize, took: Duration) {
    let allowed = 600.0 + 10.0 * took.as_secs_f64();
    println!("granted {granted} of {allowed:.1} in {took:?}");
    assert!((0.9..=1.1).contains(&(granted as f64 / allowed)), "{granted} of {allowed} in {took:?}");
}

/// Repeats `work` until Redis has answered in time throughout: on a machine that stalls, nodes fall back to counts of their own.
/// Passes the number of the attempt.
async fn while_redis_answers<T>(nodes: &[TestServer], mut work: impl AsyncFnMut(usize) -> T) -> T {
    let all_failures = async || join_all(nodes.iter().map(|node| failures(node))).await.into_iter().sum::<u64>();
    for attempt in 0..10 {
        let before = all_failures().await;
        let done = AssertUnwindSafe(work(attempt)).catch_unwind().await;
        if all_failures().await == before {
            return done.unwrap_or_else(|panic| resume_unwind(panic));
        }
    }
    panic!("Redis was never there for long enough");
}

/// Asks both nodes in turn until one refuses. Answers how often they did not, and the milliseconds that it took.
async fn until_refused(mut ask: impl AsyncFnMut(usize) -> Answer) -> (u128, u128) {
    let started = Instant::now();
    for asked in 0..200 {
        let answer = ask(asked % 2).await;
        if answer.status == 429 {
            assert_eq!(standing(&answer).2.to_string(), answer.header("retry-after"));
            return (asked as u128, started.elapsed().as_millis());
        }
    }
    panic!("there is no limit");
}

/// Waits until the nodes count a new key together.
async fn shared_again(nodes: &[TestServer], token: &str) {
    let key = nodes[0].api_key(token, &[]).await;
    eventually("limits are shared", async || {
        let (name, first, _) = standing(&nodes[0].get("/me", &key).await.expect(200));
        let (_, second, _) = standing(&nodes[1].get("/me", &key).await.expect(200));
        assert_eq!(name, "default");
        // The second node counts on from where the first was, as nearly as the time gives nothing back.
        if second < first {
            return Some(());
        }
        // In this second the bucket of the key regains what was taken.
        tokio::time::sleep(Duration::from_secs(1)).await;
        None
    })
    .await;
}

/// Checks that not every request waits for Redis: one that does takes longer than the quickest of these.
fn some_do_not_wait(took: &[Duration]) {
    println!("without Redis {took:?}");
    assert!(took.iter().any(|time| *time < PATIENCE), "{took:?}");
}

#[on_each_database]
async fn what_a_read_costs_counts_at_all_nodes(database: TestDatabase) {
    let ([one, other], _folder) = two_nodes(&database, &common_redis(), &[]).await;
    let token = one.register("alice").await;
    takes_what_it_costs(&one, &other, &token).await;
}

#[on_each_database]
async fn a_keys_limit_holds_over_all_nodes(database: TestDatabase) {
    let (nodes, _other) = two_nodes(&database, &common_redis(), &[("LINKGRAPH_DEFAULT_PLAN", "pro")]).await;
    let (granted, took) = while_redis_answers(&nodes, async |attempt| {
        // The cost of an attempt is owed by all keys of its account.
        let token = nodes[0].register(&format!("alice{attempt}")).await;
        let key = nodes[0].api_key(&token, &[]).await;
        hammer(&nodes, &key, Duration::from_secs(4), attempt).await
    })
    .await;
    is_the_pro_plans(granted, took);
}

#[on_each_database]
async fn a_networks_limit_holds_over_all_nodes(database: TestDatabase) {
    let redis = TestRedis::start().await;
    let (nodes, _other) = two_nodes(&database, &redis.url(), &[]).await;
    let (asked, took) = while_redis_answers(&nodes, async |attempt| {
        let mut client = 0;
        until_refused(async |node| {
            client += 1;
            let client = format!("2001:db8:{attempt:x}:{client:x}::1");
            let answer = from(&nodes[node], &client, "/auth/login", &json!({})).await;
            if answer.status == 429 {
                assert_eq!(standing(&answer).0, "authentication-network");
            }
            answer
        })
        .await
    })
    .await;
    assert!((100..=100 + took / 600).contains(&asked), "{asked} in {took} ms");
    from(&nodes[0], "2001:db8:f:1::1", "/auth/login", &json!({})).await.expect(400);
}

#[on_each_database]
async fn without_redis_each_node_limits_by_itself_until_it_is_back(database: TestDatabase) {
    let mut redis = TestRedis::start().await;
    let (nodes, _other) = two_nodes(&database, &redis.url(), &[]).await;
    let token = nodes[0].register("alice").await;
    nodes[0].link(&token, "spring").await;
    let key = nodes[0].api_key(&token, &[]).await;
    let first = Instant::now();
    for number in 0..30 {
        nodes[number % 2].get("/me", &key).await.expect(200);
    }

    redis.kill();
    let mut took = Vec::new();
    for _ in 0..20 {
        let started = Instant::now();
        nodes[0].get("/me", &key).await.expect(200);
        took.push(started.elapsed());
    }
    some_do_not_wait(&took);
    // The permits that this node granted before count: 15 and 20.
    exhaust_since(first, 25, 1_000, 200, async || nodes[0].get("/me", &key).await).await;
    for _ in 0..70 {
        let answer = nodes[0].get("/subdomain", &token).await.expect(404);
        assert!(!answer.header("ratelimit").contains("subdomain"), "nothing was counted: {answer:?}");
    }
    exhaust(10, 6_000, 400, async || from(&nodes[0], "203.0.113.9", "/auth/login", &json!({})).await).await;
    assert_eq!(nodes[0].follow("spring").await.expect(302).header("ratelimit"), "");
    for status in [401, 401, 401, 401, 401, 429] {
        let wrong = login("alice@example.com", "wrong");
        from(&nodes[0], "203.0.113.7", "/auth/login", &wrong).await.expect(status);
    }
    assert!(failures(&nodes[0]).await >= 100);
    let passed = metric(&nodes[0], "linkgraph_rate_limit_decisions_total", "outcome=\"passed\"").await;
    assert_eq!(passed, 70);

    redis.restart().await;
    shared_again(&nodes, &token).await;
}

#[on_each_database]
async fn failed_logins_and_reset_mails_count_over_all_nodes(database: TestDatabase) {
    let redis = TestRedis::start().await;
    let (nodes, other) = two_nodes(&database, &redis.url(), &[]).await;
    let kept = while_redis_answers(&nodes, async |attempt| {
        let [alice, bob] = ["alice", "bob"].map(|name| format!("{name}{attempt}"));
        let carol = format!("carol{attempt}@example.com");
        let of_attempt = |number: u8| format!("203.0.{attempt}.{number}");
        for name in [&alice, &bob] {
            from(&nodes[0], &of_attempt(99), "/auth/register", &registration(name)).await.expect(201);
        }
        // Looked at after each request: most are gone after six seconds.
        let mut kept = BTreeMap::new();
        let mut try_at = async |node: usize, name: &str, password: &str| {
            let client = of_attempt(if name.starts_with("alice") { 5 } else { 3 });
            let email = format!("{name}@example.com");
            let answer = from(&nodes[node], &client, "/auth/login", &login(&email, password)).await;
            kept.extend(keys(&redis.url(), "*").await.unwrap());
            answer
        };
        for number in 0..5 {
            let answer = try_at(number % 2, &alice, "wrong").await.expect(401);
            let (name, left, seconds) = standing(&answer);
            assert_eq!((name.as_str(), left), ("login-failures", 4 - number as u64), "{answer:?}");
            assert!((840..=900).contains(&seconds), "{answer:?}");
        }
        for node in [0, 1] {
            let answer = try_at(node, &alice, &format!("{alice}'s password")).await.expect(429);
            assert!(answer.header("retry-after").parse::<u64>().unwrap() <= 900, "{answer:?}");
        }
        // A successful login at one node clears the failures at the other.
        for _ in 0..2 {
            for _ in 0..4 {
                try_at(0, &bob, "wrong").await.expect(401);
            }
            try_at(1, &bob, &format!("{bob}'s password")).await.expect(200);
        }
        for number in 0..12_u8 {
            let body = json!({ "email": format!("{bob}@example.com") });
            let client = of_attempt(20 + number);
            let answer =
                from(&nodes[usize::from(number) % 2], &client, "/auth/forgot-password", &body).await.expect(200);
            assert_eq!(standing(&answer).0, "authentication", "it does not show whether a mail is sent");
            kept.extend(keys(&redis.url(), "*").await.unwrap());
        }
        eventually("the mails are sent", async || (database.jobs("password_reset_mail").await == 0).then_some(()))
            .await;
        let mails = [mails(&database), mails(&other)].concat();
        // That of the registration is the fifth.
        assert_eq!(mails.iter().filter(|mail| mail.contains(&bob)).count(), 4);

        // Others' failures slow strange networks over all nodes: the turn that one gives is taken at the other.
        for number in 0..100 {
            let guess = Guess::new(&carol, IpAddr::from([198, 18, 0, number]).into());
            assert!(nodes[usize::from(number) % 2].api().app.limits.count_login_failure(guess, true).await.is_ok());
        }
        let guess = Guess::new(&carol, IpAddr::from([198, 18, 1, 1]).into());
        assert!(nodes[0].api().app.limits.wait_for_login(guess).await.is_ok());
        kept.extend(keys(&redis.url(), "*").await.unwrap());
        let (waiting, client) = (nodes[1].http.clone(), of_attempt(50));
        let waiting =
            tokio::spawn(async move { from(&waiting, &client, "/auth/login", &login(&carol, "wrong")).await });
        let waits = async || (nodes[1].api().app.limits.waiting_logins() == 1).then_some(());
        eventually("a login waits at the other node", waits).await;
        waiting.abort();
        kept
    })
    .await;

    // The keys in Redis contain neither network nor mail addresses, and expire soon.
    assert!(kept.len() >= 15, "{kept:?}");
    for policy in ["limit:login-failures", "unknown-login-failures", "login-turns", "mails"] {
        assert!(kept.iter().any(|(name, _)| name.contains(policy)), "{kept:?}");
    }
    for (name, expires) in kept {
        let (policy, key) = name.strip_prefix("linkgraph:limit:").unwrap().split_once(':').unwrap();
        let most = match policy {
            "authentication" => 60_000,
            "login-failures" | "mails" => 900_000,
            "unknown-login-failures" => 86_400_000,
            "login-turns" => 30_000,
            _ => panic!("{name}"),
        };
        assert!(key.len() == 32 && key.bytes().all(|byte| byte.is_ascii_hexdigit()), "{name}");
        assert!((0..=most).contains(&expires), "{name} {expires}");
    }
}

fn registration(name: &str) -> Json {
    json!({ "email": format!("{name}@example.com"), "password": format!("{name}'s password"), "name": name })
}

/// They are one service, whichever of them answers, and whether there is a Redis or not.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_nodes_behind_a_load_balancer_limit_as_one() {
    let (database, mut redis) = (TestDatabase::postgres().await, TestRedis::start().await);
    let directories = [database.node(), database.node(), database.node()];
    let url = redis.url();
    let settings = [LIMITED, ("REDIS_URL", url.as_str()), ("LINKGRAPH_DEFAULT_PLAN", "pro")];
    let nodes = join_all(directories.iter().map(|directory| directory.start_with(&settings))).await;
    let balancer = Balancer::start(nodes.iter().map(|node| node.address())).await;
    let token = balancer.http.register("alice").await;
    balancer.http.link(&token, "spring").await;
    let accounts = AtomicUsize::new(0);
    let limit = async |attempt| {
        // The cost of an attempt is owed by all keys of its account.
        let name = format!("alice{}", accounts.fetch_add(1, Ordering::Relaxed));
        let key = balancer.http.api_key(&balancer.http.register(&name).await, &[]).await;
        hammer(&[&balancer.http], &key, Duration::from_secs(3), attempt).await
    };
    let (granted, took) = while_redis_answers(&nodes, limit).await;
    is_the_pro_plans(granted, took);

    let key = balancer.http.api_key(&token, &[]).await;
    redis.kill();
    for _ in 0..60 {
        balancer.http.get("/me", &key).await.expect(200);
        balancer.http.follow("spring").await.expect(302);
    }
    redis.restart().await;
    shared_again(&nodes, &token).await;
    let (granted, took) = while_redis_answers(&nodes, limit).await;
    is_the_pro_plans(granted, took);
    assert_eq!(balancer.failed(), [0, 0, 0]);
    for node in nodes {
        node.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_policy_counts_over_all_nodes_and_each_root_field_costs() {
    let database = TestDatabase::sqlite();
    let redis = TestRedis::start().await;
    let (nodes, _other) = two_nodes(&database, &redis.url(), &[]).await;
    let alice = nodes[0].register("alice").await;

    let roots: String = (0..20).map(|number| format!("m{number}: me {{ id }} ")).collect();
    let query = json!({ "query": format!("{{ {roots} }}") });
    while_redis_answers(&nodes, async |_| {
        let key = nodes[0].api_key(&alice, &[]).await;
        for node in 0..3 {
            let answer = nodes[node % 2].post("/graphql", &key, query.clone()).await;
            assert!(answer.json().get("errors").is_none(), "{answer:?}");
        }
        let answer = nodes[1].post("/graphql", &key, query.clone()).await;
        let (name, left, seconds) = standing(&answer);
        assert_eq!(answer.json()["errors"][0]["extensions"]["code"], "RATE_LIMITED", "{answer:?}");
        assert_eq!(answer.header("retry-after"), seconds.to_string());
        // Twenty are back in as many seconds, of which some have passed.
        assert!(name == "default" && left < 20 && (20 - left).abs_diff(seconds) <= 1, "{answer:?}");
    })
    .await;

    let (granted, took) = while_redis_answers(&nodes, async |attempt| {
        let client = format!("203.0.113.{attempt}");
        until_refused(async |node| from(&nodes[node], &client, "/auth/login", &json!({})).await).await
    })
    .await;
    assert!((10..=10 + took / 6_000 + 1).contains(&granted), "{granted} in {took} ms");

    let (granted, took) = while_redis_answers(&nodes, async |attempt| {
        let user = nodes[0].register(&format!("user{attempt}")).await;
        until_refused(async |node| nodes[node].get("/subdomain", &user).await).await
    })
    .await;
    assert!((60..=60 + took / 1_000 + 1).contains(&granted), "{granted} in {took} ms");
    let [one, two] = nodes;
    one.stop().await;
    two.stop().await;
}

/// Redis takes connections and commands but does not answer, as behind a network that loses all packets.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_hangs_delays_nobody() {
    let database = TestDatabase::sqlite();
    let redis = TestRedis::start().await;
    let (nodes, _other) = two_nodes(&database, &redis.url(), &[]).await;
    let token = nodes[0].register("alice").await;
    let key = nodes[0].api_key(&token, &[]).await;
    nodes[0].get("/me", &key).await.expect(200);
    redis.hang(true);
    let timed = async || {
        let started = Instant::now();
        nodes[0].get("/me", &key).await.expect(200);
        started.elapsed()
    };
    // These were sent before anybody knew.
    let first = join_all((0..10).map(|_| timed())).await;
    assert!(first.iter().any(|time| *time < 10 * PATIENCE), "{first:?}");
    let mut took = Vec::new();
    for _ in 0..20 {
        took.push(timed().await);
    }
    some_do_not_wait(&took);
    redis.hang(false);
    shared_again(&nodes, &token).await;
    let [one, two] = nodes;
    one.stop().await;
    two.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_starts_without_its_redis_and_says_so_once() {
    let database = TestDatabase::sqlite();
    let mut redis = TestRedis::start().await;
    redis.kill();
    let url = redis.url();
    let process = TestProcess::start(&database, &[LIMITED, ("REDIS_URL", &url)]).await;
    let token = process.register("alice").await;
    let key = process.api_key(&token, &[]).await;
    for _ in 0..20 {
        process.get("/me", &key).await.expect(200);
    }
    assert!(failures(&process).await >= 20);
    redis.restart().await;
    eventually("the key is in Redis", async || {
        // The node itself may refuse it until then.
        process.get("/me", &key).await;
        keys(&url, "linkgraph:limit:default:*").await.filter(|keys| !keys.is_empty())
    })
    .await;
    let log = process.log.lock().unwrap().clone();
    assert_eq!(log.matches("Redis fails").count(), 1, "{log}");

    // A wrong password is a Redis that fails, and stays a secret.
    let secret = url.replace("127", "x:hunter2@127");
    let other = TestDatabase::sqlite();
    let process = TestProcess::start(&other, &[LIMITED, ("REDIS_URL", &secret)]).await;
    process.send(process.request(Method::POST, "/auth/login").json(&json!({}))).await.expect(400);
    let log = process.log.lock().unwrap().clone();
    assert!(log.contains("Redis fails") && !log.contains("hunter2"), "{log}");
}
