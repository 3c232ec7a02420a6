//! What a page says of itself, fetched from servers that nobody trusts.

use futures_util::future::join_all;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, TestDatabase, TestServer,
        receiver::{Behaviour, Receiver},
    },
};

const PRIVATE: (&str, &str) = ("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true");

async fn fetch(server: &TestServer, token: &str, url: &str) -> Answer {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("url", url).finish();
    server.get(&format!("/links/metadata?{query}"), token).await
}

#[on_each_database]
async fn a_page_says_what_a_card_may_show(database: TestDatabase) {
    let server = database.start_with(&[PRIVATE]).await;
    let token = server.register("ada").await;
    let page = Receiver::start().await;
    let html = "<!doctype html><html><head><title>Spring</title><meta name=description content='Tulips &amp; more'>\
                <meta property=\"og:image\" content=\"/a.png\"></head><body><h1>No</h1></body></html>";
    page.set("/page", Behaviour::Body(200, html.to_owned()));
    page.set("/moved", Behaviour::Redirect("/page"));
    let expected = json!({
        "url": page.url("/page"), "title": "Spring", "description": "Tulips & more", "imageUrl": page.url("/a.png"),
    });
    for path in ["/page", "/moved"] {
        assert_eq!(fetch(&server, &token, &page.url(path)).await.expect(200).json(), expected);
        let query = "query($url: String!) { fetchMetadata(url: $url) { url title description imageUrl } }";
        let answer = server.graphql(&token, query, json!({ "url": page.url(path) })).await;
        assert_eq!(answer["data"]["fetchMetadata"], expected, "{answer}");
    }
    let sent = &page.arrived("/page")[0];
    assert!(sent.header("user-agent").starts_with("linkgraph/") && sent.header("accept").starts_with("text/html"));
    assert!(!sent.headers.contains_key("authorization") && !sent.headers.contains_key("cookie"));
    // What is too long, or no HTML, tells nothing; what has an end tells what it has.
    page.set("/long", Behaviour::Body(200, format!("{html}{}", "x".repeat(2 << 20))));
    page.set("/late", Behaviour::Body(200, format!("{}{html}", "<p>".repeat(1 << 20))));
    page.set("/endless", Behaviour::Endless(200));
    assert_eq!(fetch(&server, &token, &page.url("/long")).await.expect(200).json()["title"], "Spring");
    for path in ["/late", "/endless", "/empty"] {
        let found = fetch(&server, &token, &page.url(path)).await.expect(200).json();
        assert_eq!((&found["title"], &found["imageUrl"]), (&Json::Null, &Json::Null), "{path}");
    }
}

#[on_each_database]
async fn what_can_not_be_read_is_refused_by_name(database: TestDatabase) {
    let server = database.start_with(&[PRIVATE]).await;
    let token = server.register("ada").await;
    let page = Receiver::start().await;
    for (path, behaviour) in [
        ("/missing", Behaviour::Status(404)),
        ("/broken", Behaviour::Status(500)),
        ("/circle", Behaviour::Redirect("/circle")),
        ("/reset", Behaviour::Reset),
        ("/hang", Behaviour::Hang),
        ("/drip", Behaviour::Drip(200)),
        ("/headers", Behaviour::Headers(1 << 20)),
    ] {
        page.set(path, behaviour);
        let refused = fetch(&server, &token, &page.url(path)).await.expect(400).json();
        let violation = &refused["error"]["details"]["validationErrors"][0];
        assert_eq!(violation["path"], "url", "{path}: {refused}");
        assert!(violation["message"].as_str().unwrap().starts_with("can't be read: "), "{refused}");
    }
    assert_eq!(page.arrived("/circle").len(), 6);
    for url in ["", "example.com", "ftp://example.com/", "file:///etc/passwd", "http://a:b@example.com/"] {
        fetch(&server, &token, url).await.expect(400);
    }
}

/// No URL, and no redirect, leads into the service's own network.
#[on_each_database]
async fn no_page_of_the_own_network_is_fetched(database: TestDatabase) {
    let inside = Receiver::on("[::]:0").await;
    let port = inside.address.port();
    let server = database.start().await;
    let token = server.register("ada").await;
    for host in
        ["127.0.0.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "localhost", "a.localhost.", "169.254.169.254"]
    {
        let refused = fetch(&server, &token, &format!("http://{host}:{port}/")).await.expect(400);
        assert!(refused.text.contains("not a public one") || refused.text.contains("validationErrors"), "{refused:?}");
    }
    assert_eq!(inside.connections(), 0);
}

/// Whoever waits for servers that do not answer keeps nobody else waiting.
#[on_each_database]
async fn an_account_has_its_share_of_fetches(database: TestDatabase) {
    let server = database.start_with(&[PRIVATE]).await;
    let [ada, bob] = [server.register("ada").await, server.register("bob").await];
    let page = Receiver::start().await;
    page.set("/hang", Behaviour::Hang);
    let url = page.url("/hang");
    let waiting = join_all((0..12).map(|_| fetch(&server, &ada, &url)));
    let others = async {
        page.wait("/hang", 2).await;
        let answer = fetch(&server, &bob, &page.url("/page")).await.expect(200);
        (answer, page.arrived("/hang").len())
    };
    let (answers, (_, begun)) = tokio::join!(waiting, others);
    // Two at once, eight that wait, and no more.
    assert_eq!(begun, 2);
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status.as_u16()).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 503).count(), 2, "{statuses:?}");
}
