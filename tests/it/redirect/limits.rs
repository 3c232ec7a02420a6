//! Limits of clicks: exact over all nodes, whatever happens to them, and used up by nobody but visitors.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use futures_util::future::join_all;
use rand::{SeedableRng, rngs::StdRng};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Http, TestDatabase,
        admin::Admin,
        eventually,
        faults::{any_fault, arm},
        process::TestProcess,
        receiver::id,
        setting, soon,
    },
};

async fn limited(http: &Http, credential: &str, slug: &str, max: i64) -> Json {
    let body = json!({ "destinationUrl": "https://example.com/there", "slug": slug, "maxClicks": max });
    http.post("/links", credential, body).await.expect(201).json()
}

/// Follows the link on these nodes in turn until it has ended everywhere. Answers how many redirects arrived, and how many
/// requests were told to come again: a redirect that took too long to count is used up all the same.
async fn use_up(nodes: &[Http], slug: &str, visitors: usize) -> (i64, i64) {
    let (received, refused) = (Arc::new(AtomicI64::new(0)), Arc::new(AtomicI64::new(0)));
    let visitors = (0..visitors).map(|number| {
        let (nodes, slug) = (nodes.to_vec(), slug.to_owned());
        let (received, refused) = (Arc::clone(&received), Arc::clone(&refused));
        async move {
            for attempt in number.. {
                let node = &nodes[attempt % nodes.len()];
                let request = node.request(Method::GET, &format!("/{slug}"));
                // A node that is killed, or starts, is no answer.
                let Ok(answer) = request.header("user-agent", "Firefox/128.0 Gecko").send().await else { continue };
                match answer.status().as_u16() {
                    302 => _ = received.fetch_add(1, Ordering::SeqCst),
                    410 => break,
                    503 => _ = refused.fetch_add(1, Ordering::SeqCst),
                    status => panic!("{status}"),
                }
            }
        }
    });
    join_all(visitors).await;
    (received.load(Ordering::SeqCst), refused.load(Ordering::SeqCst))
}

#[on_each_database]
async fn many_at_once_get_as_many_redirects_as_are_allowed(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    for (slug, max) in [("one", 2), ("some", 50), ("many", 700)] {
        let link = limited(&server, &token, slug, max).await;
        let (received, refused) = use_up(&[Http::clone(&server)], slug, 64).await;
        assert!(received <= max && received + refused >= max, "{received} received, {refused} refused, of {max}");
        let path = format!("/links/{}", id(&link));
        let link = server.get(&path, &token).await.json();
        assert_eq!((&link["state"], &link["usedClicks"]), (&json!("USED_UP"), &json!(max)));
        let counted = async || (server.get(&path, &token).await.json()["clickCount"] == received).then_some(());
        eventually("each redirect is a click", counted).await;
    }
}

/// Three nodes, 64 visitors, and a node killed in the midst of it, again and again: never one redirect too many. A redirect that
/// was counted and not answered is wasted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_nodes_that_are_killed_give_no_redirect_too_many() {
    const VISITORS: usize = 64;
    const MAX: i64 = 400;
    let kills = setting("LINKGRAPH_SOAK_LIMIT_KILLS", 3);
    let database = TestDatabase::postgres().await;
    let directories = [database.node(), database.node(), database.node()];
    let mut nodes = join_all(directories.iter().map(|directory| TestProcess::start(directory, &[]))).await;
    let token = nodes[0].register("ada").await;
    let (mut received, mut wasted) = (0, 0);
    for round in 0..kills {
        let slug = format!("limited-{round}");
        let dying = usize::try_from(round).unwrap() % nodes.len();
        let next = (dying + 1) % nodes.len();
        limited(&nodes[next], &token, &slug, MAX).await;
        let all: Vec<Http> = nodes.iter().map(|node| node.http.clone()).collect();
        let visiting = tokio::spawn({
            let slug = slug.clone();
            async move { use_up(&all, &slug, VISITORS).await }
        });
        let used =
            format!("SELECT used_clicks FROM link_limits JOIN links ON links.id = link_id WHERE slug = '{slug}'");
        // At different points of the way.
        let point = 1 + MAX * i64::try_from(round).unwrap() / i64::try_from(kills).unwrap();
        eventually("some are used", async || (database.number(&used).await >= point).then_some(())).await;
        nodes[dying].kill();
        let (answered, _) = visiting.await.unwrap();
        assert!(answered <= MAX, "{answered} redirects of {MAX}");
        assert_eq!(database.number(&used).await, MAX);
        received += answered;
        wasted += MAX - answered;
        nodes[dying] = TestProcess::start(&directories[dying], &[]).await;
    }
    println!("{kills} kills: {received} redirects received, {wasted} wasted");
    assert!(wasted <= i64::try_from(VISITORS as u64 * kills).unwrap(), "{wasted} wasted");
}

/// Requests as programs of these kinds send them. None of them sends a form.
pub(super) const PROGRAMS: [&str; 12] = [
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Twitterbot/1.0",
    "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
    "WhatsApp/2.23.20.0",
    "TelegramBot (like TwitterBot)",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
    "http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.social/) Bot",
    // Scanners of mail look like browsers.
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
    "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 6.1; Trident/4.0; BarracudaCentral)",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15",
];

#[on_each_database]
async fn programs_use_up_no_link_that_can_be_opened_once(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("ada").await;
    limited(&server, &token, "once", 1).await;
    for user_agent in PROGRAMS {
        for method in [Method::GET, Method::HEAD] {
            let request = server.request(method, "/once").header("user-agent", user_agent);
            let answer = server.send(request).await.expect(200);
            assert!(!answer.text.contains("example.com") && answer.header("location").is_empty(), "{answer:?}");
            assert_eq!((answer.header("x-robots-tag"), answer.header("cache-control")), ("noindex", "no-store"));
        }
    }
    let page = server.follow("once?utm_source=mail").await.expect(200);
    assert!(page.text.contains(r#"<form method="post">"#), "{}", page.text);
    let opened = server.call("POST", "/once?utm_source=mail", "", Json::Null).await.expect(303);
    assert_eq!(opened.header("location"), "https://example.com/there");
    server.call("POST", "/once", "", Json::Null).await.expect(410);
    let clicks = async || {
        let clicks = database.of_clicks("utm_source").await;
        (!clicks.is_empty()).then_some(clicks)
    };
    assert_eq!(eventually("the click is stored", clicks).await, ["mail"]);
}

/// A limit can't be kept without its row: such a link is refused, and any other goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_its_database_a_link_with_a_limit_is_unavailable() {
    let database = TestDatabase::postgres().await;
    let server = database.start().await;
    let token = server.register("ada").await;
    limited(&server, &token, "few", 3).await;
    server.link(&token, "plain").await;
    server.follow("few").await.expect(302);
    let admin = Admin::of(&database).await;
    admin.allow_connections(false).await;
    let refused = server.follow("few").await.expect(503);
    assert!(!refused.header("retry-after").is_empty() && !refused.text.contains("sql"), "{refused:?}");
    server.follow("plain").await.expect(302);
    admin.allow_connections(true).await;
    // Redirects that are counted and not answered are lost; without a connection none was counted.
    let allowed = async || (server.follow("few").await.status == 302).then_some(());
    eventually("the database is back", allowed).await;
    server.follow("few").await.expect(302);
    server.follow("few").await.expect(410);
    server.stop().await;
}

/// Whatever fails while a redirect is counted: each that was answered is stored, and none else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redirect_is_counted_as_a_whole_or_refused() {
    let database = TestDatabase::sqlite();
    let server = database.start().await;
    let token = server.register("ada").await;
    let writer = server.api().app.db.sqlite_writer().unwrap();
    let seed = setting("LINKGRAPH_SOAK_SEED", rand::random::<u32>().into());
    let mut random = StdRng::seed_from_u64(seed);
    limited(&server, &token, "few", 1_000).await;
    let (mut answered, mut refused) = (0, 0);
    for _ in 0..setting("LINKGRAPH_SOAK_LIMIT_FAULTS", 60) {
        let fault = any_fault(&mut random);
        arm(&writer, Some(fault)).await;
        let answer = server.follow("few").await;
        arm(&writer, None).await;
        match answer.status.as_u16() {
            302 => answered += 1,
            503 => refused += 1,
            status => panic!("seed {seed}: {status} with {fault:?}"),
        }
        let used = database.number("SELECT used_clicks FROM link_limits").await;
        assert_eq!(used, answered, "seed {seed}: {fault:?}");
    }
    assert!(answered > 5 && refused > 5, "seed {seed}: {answered} answered, {refused} refused");
    server.stop().await;
    database.db().await.close().await;
    assert_eq!(database.number("SELECT used_clicks FROM link_limits").await, answered);
}

/// Another node may have changed the limit a moment ago.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_knows_an_older_limit_keeps_the_newer() {
    let database = TestDatabase::postgres().await;
    let directories = [database.node(), database.node()];
    let [one, two] = [directories[0].start().await, directories[1].start().await];
    let token = one.register("ada").await;
    let link = limited(&one, &token, "few", 5).await;
    let path = format!("/links/{}", id(&link));
    two.follow("few").await.expect(302);
    one.call("PATCH", &path, &token, json!({ "maxClicks": 1 })).await.expect(200);
    two.follow("few").await.expect(410);
    one.call("PATCH", &path, &token, json!({ "maxClicks": null })).await.expect(200);
    let since = std::time::Instant::now();
    let free = async || (two.follow("few").await.status == 302).then_some(());
    eventually("the limit is gone", free).await;
    assert!(since.elapsed() <= soon(), "{:?}", since.elapsed());
    for _ in 0..10 {
        two.follow("few").await.expect(302);
    }
    one.stop().await;
    two.stop().await;
}
