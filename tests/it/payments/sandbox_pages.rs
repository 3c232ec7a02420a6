//! The pages of the built-in payment provider: what their addresses open, where its events go, and what they look like.

use std::time::Duration;

use linkgraph::base::clock::DAY;
use serde_json::{Value as Json, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::support::{
    TestDatabase, eventually,
    process::TestProcess,
    sandbox::{LOOPBACK, path, pro, start},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_opens_what_it_is_the_address_of_and_nothing_else() {
    let database = TestDatabase::sqlite();
    let server = start(&database).await;
    let (ada, bob) = (server.register("ada").await, server.register("bob").await);
    server.buy(&ada, "pro", "month").await;
    let (of_ada, of_bob) = (server.portal(&ada).await, server.portal(&bob).await);
    assert!(server.get(&of_ada, "").await.expect(200).text.contains("SANDBOX-0001"));
    let shown = server.get(&of_bob, "").await.expect(200).text;
    assert!(shown.contains("no subscription") && !shown.contains("<button"), "{shown}");
    // Actions that do not apply change nothing.
    for action in ["end", "fail", "pay", "switch-pro-month"] {
        server.press(&of_bob, "action", action).await.expect(303);
    }
    for action in ["pay", "switch-pro-month", "resume"] {
        server.press(&of_ada, "action", action).await.expect(303);
    }
    assert_eq!(
        (&server.subscription(&ada).await["status"], server.subscription(&bob).await),
        (&json!("ACTIVE"), Json::Null)
    );
    assert_eq!(server.invoices(&ada).await, ["paid"]);

    let checkout = server.checkout(&bob, "pro", "month").await;
    for page in ["checkout/cs_test_0", "portal/bps_0", "invoice/in_0", "portal/%00%ff", "checkout/<script>"] {
        let page = format!("/billing/sandbox/{page}");
        let answer = server.get(&page, "").await;
        assert!(matches!(answer.status.as_u16(), 400 | 404), "{page}: {answer:?}");
        assert!(!answer.text.contains("<script"), "{answer:?}");
        for word in ["outcome=pay", "action=pay"] {
            let (field, value) = word.split_once('=').unwrap();
            assert!(server.press(&page, field, value).await.status.is_client_error());
        }
    }
    // One kind of page is not another, and each has its own buttons.
    let swapped = checkout.replace("/checkout/", "/portal/");
    server.get(&swapped, "").await.expect(404);
    for (page, field, value) in [
        (&checkout, "outcome", "steal"),
        (&checkout, "action", "pay"),
        (&of_ada, "action", "switch-free-month"),
        (&of_ada, "outcome", "pay"),
        (&of_ada, "action", ""),
    ] {
        let answer = server.press(page, field, value).await.expect(400);
        assert!(answer.header("content-type").starts_with("text/html"), "{answer:?}");
    }
    let too_long = server.press(&checkout, "outcome", &"x".repeat(300_000)).await.expect(413);
    assert!(too_long.text.contains("no money moves"), "{too_long:?}");
    server.clock.advance(DAY + 1_000);
    server.press(&checkout, "outcome", "pay").await.expect(410);
    server.get(&of_ada, "").await.expect(410);
    assert_eq!(server.events("refused").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_invoice_is_paid_on_its_own_page() {
    let database = TestDatabase::sqlite();
    let server = start(&database).await;
    let token = server.register("ada").await;
    server.buy(&token, "pro", "month").await;
    server.act(&token, "fail").await;
    let page = path(&server.get("/billing/invoices", &token).await.json()["invoices"][0]["hostedUrl"]);
    assert!(server.get(&page, "").await.expect(200).text.contains("<button"));
    for _ in 0..2 {
        assert_eq!(server.press(&page, "action", "pay").await.expect(303).header("location"), page);
    }
    assert!(!server.get(&page, "").await.expect(200).text.contains("<button"));
    assert_eq!(server.subscription(&token).await["status"], "ACTIVE");
    assert_eq!(server.invoices(&token).await, ["paid", "paid"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_paid_is_known_though_the_browser_is_gone() {
    let database = TestDatabase::sqlite();
    let server = start(&database).await;
    for patience in 0..6 {
        let token = server.register(&format!("user{patience}")).await;
        let page = server.checkout(&token, "pro", "month").await;
        let request = format!("POST {page} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 11\r\n\r\noutcome=pay");
        let address = server.base.strip_prefix("http://").unwrap();
        // Hangs up at once, or a little later, until the payment was taken.
        eventually("it is paid", async || {
            let mut browser = TcpStream::connect(address).await.unwrap();
            browser.write_all(request.as_bytes()).await.unwrap();
            let _ = timeout(Duration::from_millis(3 * patience), browser.read_u8()).await;
            drop(browser);
            (server.get(&page, "").await.status == 410).then_some(())
        })
        .await;
        eventually("it is known", async || (server.subscription(&token).await["status"] == "ACTIVE").then_some(()))
            .await;
        assert_eq!(server.invoices(&token).await, ["paid"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_node_sends_to_itself() {
    let database = TestDatabase::postgres().await;
    let other = database.node();
    let nodes = [database.start_with(&[LOOPBACK]).await, other.start_with(&[LOOPBACK]).await];
    let token = nodes[0].register("ada").await;
    let page = nodes[0].checkout(&token, "pro", "month").await;
    nodes[1].press(&page, "outcome", "pay").await.expect(303);
    assert_eq!((nodes[0].plan(&token).await, nodes[1].events("applied").await), (pro(), 5));
    nodes[0].act(&token, "switch-business-month").await;
    assert_eq!(nodes[1].plan(&token).await.0, "business");
    for node in &nodes {
        assert_eq!(node.events("refused").await, 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_on_every_address_sends_itself_events_too() {
    let database = TestDatabase::sqlite();
    let server =
        database.start_with(&[LOOPBACK, ("LINKGRAPH_BIND", "0.0.0.0:0"), ("LINKGRAPH_BILLING_SANDBOX", "true")]).await;
    let token = server.register("ada").await;
    server.buy(&token, "pro", "month").await;
    assert_eq!((server.plan(&token).await, server.events("applied").await), (pro(), 5));
}

/// The lines of the log about payments at the start.
async fn said(settings: &[(&str, &str)]) -> String {
    let database = TestDatabase::sqlite();
    let process = TestProcess::start(&database, settings).await;
    let log = process.log.lock().unwrap().clone();
    log.lines().filter(|line| line.contains("linkgraph::payments")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_says_who_takes_payments_where_that_may_surprise() {
    let key = ("LINKGRAPH_STRIPE_SECRET_KEY", "sk_test_1");
    let secret = ("LINKGRAPH_STRIPE_WEBHOOK_SECRET", "whsec_1");
    let price = ("LINKGRAPH_STRIPE_PRICE_PRO_YEAR", "price_1");
    let at_home = said(&[LOOPBACK]).await;
    assert!(at_home.contains(" INFO ") && at_home.contains("no money moves"), "{at_home}");
    let everywhere = said(&[LOOPBACK, ("LINKGRAPH_BIND", "0.0.0.0:0"), ("LINKGRAPH_BILLING_SANDBOX", "true")]).await;
    assert!(everywhere.contains(" WARN ") && everywhere.contains("whoever reaches"), "{everywhere}");
    let without_prices = said(&[key, secret]).await;
    assert!(without_prices.contains(" WARN ") && without_prices.contains("Nothing can be bought"), "{without_prices}");
    assert_eq!((said(&[key, secret, price]).await, said(&[]).await), (String::new(), String::new()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn its_pages_are_strict_and_say_that_no_money_moves() {
    let database = TestDatabase::sqlite();
    let server = start(&database).await;
    let hostile =
        json!({ "email": "ada@example.com", "password": "ada's password", "name": "<script>alert(1)</script>\"'&" });
    let token =
        server.post("/auth/register", "", hostile).await.expect(201).json()["accessToken"].as_str().unwrap().to_owned();
    let checkout = server.checkout(&token, "pro", "month").await;
    let of_checkout = server.get(&checkout, "").await.expect(200);
    server.press(&checkout, "outcome", "pay").await.expect(303);
    let portal = server.portal(&token).await;
    let invoice = path(&server.get("/billing/invoices", &token).await.json()["invoices"][0]["hostedUrl"]);
    let mut pages = vec![of_checkout, server.get(&checkout, "").await.expect(410)];
    for page in [&portal, &invoice, "/billing/sandbox/checkout/cs_test_unknown"] {
        pages.push(server.get(page, "").await);
    }
    for page in &pages {
        assert!(page.text.contains("no money moves"), "{page:?}");
    }
    for page in ["/billing/checkout/success", "/billing/checkout/canceled"] {
        pages.push(server.get(page, "").await.expect(200));
    }
    for page in &pages {
        let policy = page.header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("form-action 'self'"), "{page:?}");
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{page:?}");
        assert_eq!((page.header("cache-control"), page.header("referrer-policy")), ("no-store", "no-referrer"));
        assert!(page.header("content-type").starts_with("text/html") && !page.header("x-request-id").is_empty());
        for word in ["<script", "style=", "onclick", "{{", "http://", "https://"] {
            assert!(!page.text.contains(word), "{word}: {page:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn elsewhere_there_is_no_sandbox() {
    let database = TestDatabase::sqlite();
    let server = start(&database).await;
    let token = server.register("ada").await;
    let page = server.checkout(&token, "pro", "month").await;
    server.stop().await;
    let server = database.start().await;
    for page in [&page, "/billing/sandbox/portal/bps_0", "/billing/sandbox/invoice/in_0"] {
        assert_eq!(server.get(page, "").await.expect(404).code(), "NOT_FOUND");
        assert_eq!(server.press(page, "outcome", "pay").await.expect(404).code(), "NOT_FOUND");
    }
    let (body, token) = (json!({ "planId": "pro", "interval": "month" }), server.login("ada").await);
    let answer = server.post("/billing/checkout", &token, body).await.expect(503);
    assert_eq!((answer.code().as_str(), answer.header("retry-after")), ("UNAVAILABLE", "3600"));
    server.get("/billing/checkout/success", "").await.expect(200);
}
