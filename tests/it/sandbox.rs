//! The built-in payment provider: the whole cycle of a subscription, by its pages, as a newcomer sees it.

use std::time::Duration;

use linkgraph::clock::Clock;
use reqwest::Method;
use serde_json::{Value as Json, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::{
    on_each_database,
    support::{
        Answer, Http, TestDatabase, TestServer, eventually,
        process::TestProcess,
        receiver::{Arrived, Receiver},
    },
};

const DAY: i64 = 86_400_000;
/// The sandbox is for loopback addresses alone.
const LOOPBACK: (&str, &str) = ("LINKGRAPH_BASE_URL", "http://localhost:1234");

/// The path of a page: the test's server listens at another port than the base URL says.
fn path(url: &Json) -> String {
    url.as_str().unwrap().strip_prefix(LOOPBACK.1).unwrap().to_owned()
}

impl Http {
    /// Opens a checkout; its page's path.
    async fn checkout(&self, token: &str, plan: &str, interval: &str) -> String {
        let body = json!({ "planId": plan, "interval": interval });
        path(&self.post("/billing/checkout", token, body).await.expect(201).json()["checkoutUrl"])
    }

    /// Opens the portal; its page's path.
    async fn portal(&self, token: &str) -> String {
        path(&self.post("/billing/portal", token, Json::Null).await.expect(201).json()["portalUrl"])
    }

    /// Presses a button of a page.
    async fn press(&self, page: &str, field: &str, value: &str) -> Answer {
        let form = self.request(Method::POST, page).header("content-type", "application/x-www-form-urlencoded");
        self.send(form.body(format!("{field}={value}"))).await
    }

    async fn buy(&self, token: &str, plan: &str, interval: &str) {
        let page = self.checkout(token, plan, interval).await;
        self.press(&page, "outcome", "pay").await.expect(303);
    }

    /// Does something in the portal.
    async fn act(&self, token: &str, action: &str) {
        let page = self.portal(token).await;
        let answer = self.press(&page, "action", action).await.expect(303);
        assert_eq!(answer.header("location"), page);
    }

    async fn subscription(&self, token: &str) -> Json {
        self.get("/billing/subscription", token).await.expect(200).json()
    }

    /// The plan in force, and how many links it allows.
    async fn plan(&self, token: &str) -> (String, i64) {
        let answer = self.graphql(token, "{ me { account { plan } } usage { links { limit } } }", json!({})).await;
        let plan = answer["data"]["me"]["account"]["plan"].as_str().unwrap().to_owned();
        (plan, answer["data"]["usage"]["links"]["limit"].as_i64().unwrap())
    }

    /// Status of each invoice, newest first.
    async fn invoices(&self, token: &str) -> Vec<String> {
        let answer = self.get("/billing/invoices", token).await.expect(200).json();
        let invoices = answer["invoices"].as_array().unwrap().clone();
        invoices.iter().map(|invoice| invoice["status"].as_str().unwrap().to_owned()).collect()
    }

    /// Events of the provider by their outcome.
    async fn events(&self, outcome: &str) -> u64 {
        let metrics = self.get("/metrics", "").await.expect(200).text;
        let name = format!("linkgraph_provider_events_total{{outcome=\"{outcome}\"}} ");
        metrics.lines().find_map(|line| line.strip_prefix(&name)).map_or(0, |number| number.parse().unwrap())
    }
}

async fn start(database: &TestDatabase) -> TestServer {
    database.start_with(&[LOOPBACK, ("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true")]).await
}

fn pro() -> (String, i64) {
    ("pro".to_owned(), 50_000)
}

fn free() -> (String, i64) {
    ("free".to_owned(), 1_000)
}

on_each_database! {
    async fn a_subscription_lives(database: TestDatabase) {
        let server = start(&database).await;
        let token = server.register("ada").await;
        let receiver = Receiver::start().await;
        server.webhook(&token, &receiver.url("/all"), &["subscription.updated", "invoice.paid"]).await;
        assert_eq!((server.subscription(&token).await, server.plan(&token).await), (Json::Null, free()));

        // What is bought is there as soon as the browser is sent on.
        server.buy(&token, "pro", "month").await;
        let bought = server.subscription(&token).await;
        assert_eq!((&bought["status"], &bought["planId"], &bought["interval"]), (&json!("ACTIVE"), &json!("pro"), &json!("month")));
        assert_eq!(server.plan(&token).await, pro());
        let invoices = server.get("/billing/invoices", &token).await.json();
        let invoice = &invoices["invoices"][0];
        assert_eq!((&invoice["number"], &invoice["amountPaid"], &invoice["currency"]), (&json!("SANDBOX-0001"), &json!(900), &json!("eur")));
        assert_eq!((&invoice["status"], &invoice["pdfUrl"]), (&json!("paid"), &Json::Null));
        let page = server.get(&path(&invoice["hostedUrl"]), "").await.expect(200);
        assert!(page.text.contains("SANDBOX-0001") && page.text.contains("9.00 EUR"), "{}", page.text);
        let told = receiver.wait("/all", 2).await;
        let mut kinds: Vec<String> = told.iter().map(Arrived::kind).collect();
        kinds.sort();
        assert_eq!(kinds, ["invoice.paid", "subscription.updated"]);

        // One subscription is enough.
        let again = server.post("/billing/checkout", &token, json!({ "planId": "business", "interval": "year" })).await;
        assert_eq!(again.expect(409).code(), "CONFLICT");
        server.act(&token, "switch-business-year").await;
        assert_eq!(server.plan(&token).await, ("business".to_owned(), 1_000_000));
        assert_eq!(server.subscription(&token).await["id"], bought["id"]);
        server.act(&token, "switch-pro-month").await;
        assert_eq!((server.plan(&token).await, server.invoices(&token).await), (pro(), vec!["paid".to_owned(); 3]));

        // A payment fails: 14 days of patience, and no more.
        server.act(&token, "fail").await;
        let late = server.subscription(&token).await;
        assert_eq!((&late["status"], server.plan(&token).await), (&json!("PAST_DUE"), pro()));
        assert!(late["gracePeriodEnd"].is_string(), "{late}");
        assert_eq!(server.invoices(&token).await, ["open", "paid", "paid", "paid"]);
        database.settled().await;
        server.clock.advance(14 * DAY);
        let token = server.login("ada").await;
        assert_eq!(server.plan(&token).await, free());
        assert_eq!(server.subscription(&token).await["status"], "PAST_DUE");
        server.act(&token, "pay").await;
        assert_eq!((&server.subscription(&token).await["status"], server.plan(&token).await), (&json!("ACTIVE"), pro()));
        assert_eq!(server.invoices(&token).await, vec!["paid"; 4]);

        // It ends with what is paid, unless one thinks again.
        server.act(&token, "cancel").await;
        assert_eq!(server.subscription(&token).await["cancelAtPeriodEnd"], true);
        server.act(&token, "resume").await;
        assert_eq!(server.subscription(&token).await["cancelAtPeriodEnd"], false);
        server.act(&token, "cancel").await;
        assert_eq!(server.plan(&token).await, pro());
        database.settled().await;
        // The daily look that the first jump made due: the next comes a day after it, by the clock that is moved now.
        let looks = "SELECT count(*) FROM jobs WHERE kind = 'reconcile_billing' AND (leased_until IS NOT NULL OR run_at <=";
        eventually("the daily look is over", async || {
            let under_way = database.number(&format!("{looks} {})", server.clock.now())).await;
            (under_way == 0).then_some(())
        })
        .await;
        server.clock.advance(31 * DAY);
        let token = server.login("ada").await;
        // No event and no page: the daily look finds it.
        eventually("the subscription has ended", async || server.subscription(&token).await.is_null().then_some(())).await;
        assert_eq!(server.plan(&token).await, free());
        assert_eq!((server.events("refused").await, server.events("failed").await), (0, 0));
        assert_eq!((server.events("applied").await, server.events("ignored").await), (5 + 4 + 4 + 4 + 2 + 3, 0));
    }

    async fn what_is_paid_is_renewed_and_ends_at_once_when_told(database: TestDatabase) {
        let server = start(&database).await;
        let token = server.register("ada").await;
        server.buy(&token, "business", "month").await;
        let first = server.subscription(&token).await;
        server.clock.advance(31 * DAY);
        let token = server.login("ada").await;
        let renewed = eventually("the next period begins", async || {
            let subscription = server.subscription(&token).await;
            (subscription["currentPeriodStart"] != first["currentPeriodStart"]).then_some(subscription)
        })
        .await;
        assert_eq!((&renewed["currentPeriodStart"], &renewed["status"]), (&first["currentPeriodEnd"], &json!("ACTIVE")));
        assert_eq!(server.invoices(&token).await, ["paid", "paid"]);
        server.act(&token, "fail").await;
        server.act(&token, "end").await;
        assert_eq!((server.subscription(&token).await, server.plan(&token).await), (Json::Null, free()));
        assert_eq!(server.invoices(&token).await, ["void", "paid", "paid"]);
        // And there can be another.
        server.buy(&token, "pro", "year").await;
        assert_eq!(server.plan(&token).await, pro());
    }

    async fn nothing_is_bought_by_a_declined_card_or_by_going_back(database: TestDatabase) {
        let server = start(&database).await;
        let token = server.register("ada").await;
        let page = server.checkout(&token, "pro", "year").await;
        let shown = server.get(&page, "").await.expect(200);
        assert!(shown.text.contains("90.00 EUR") && !shown.text.contains("declined"), "{}", shown.text);
        let declined = server.press(&page, "outcome", "decline").await.expect(402);
        assert!(declined.text.contains("The card was declined"), "{}", declined.text);
        assert_eq!((server.events("ignored").await, server.events("applied").await), (1, 0));
        let left = server.press(&page, "outcome", "cancel").await.expect(303);
        assert_eq!(left.header("location"), format!("{}/billing/checkout/canceled", LOOPBACK.1));
        server.get("/billing/checkout/canceled", "").await.expect(200);
        assert_eq!((server.subscription(&token).await, server.invoices(&token).await.len()), (Json::Null, 0));
        // The page is still good.
        let paid = server.press(&page, "outcome", "pay").await.expect(303);
        assert_eq!(paid.header("location"), format!("{}/billing/checkout/success", LOOPBACK.1));
        server.get("/billing/checkout/success", "").await.expect(200);
        assert_eq!(server.subscription(&token).await["interval"], "year");
    }

    async fn paying_twice_buys_once(database: TestDatabase) {
        let server = start(&database).await;
        let token = server.register("ada").await;
        let (page, other) = (server.checkout(&token, "pro", "month").await, server.checkout(&token, "business", "month").await);
        assert_ne!(page, other);
        // More than one account, so that the later ones find the database's connections open.
        let mut pages = vec![page.clone()];
        for number in 0..5 {
            let token = server.register(&format!("user{number}")).await;
            pages.push(server.checkout(&token, "pro", "month").await);
        }
        for page in pages.iter().rev() {
            let pay = || server.press(page, "outcome", "pay");
            let answers = futures_util::future::join_all((0..8).map(|_| pay())).await;
            assert!(answers.iter().all(|answer| answer.status == 303), "{answers:?}");
        }
        assert_eq!(server.invoices(&token).await, ["paid"]);
        let count = |kind: &str| format!("SELECT count(*) FROM sandbox_objects WHERE kind = '{kind}'");
        assert_eq!((database.number(&count("subscription")).await, database.number(&count("invoice")).await), (6, 6));
        // A checkout that was opened before is of no use to who has a subscription.
        server.press(&other, "outcome", "pay").await.expect(410);
        assert_eq!(server.plan(&token).await, pro());
        for outcome in ["decline", "cancel"] {
            server.press(&page, "outcome", outcome).await.expect(410);
        }
        server.get(&page, "").await.expect(410);
        assert_eq!((server.events("refused").await, server.events("applied").await), (0, 6 * 5));
    }

    async fn a_restart_changes_nothing(database: TestDatabase) {
        let server = start(&database).await;
        let token = server.register("ada").await;
        let page = server.checkout(&token, "pro", "month").await;
        server.stop().await;
        let server = start(&database).await;
        server.press(&page, "outcome", "pay").await.expect(303);
        let portal = server.portal(&token).await;
        let before = server.subscription(&token).await;
        server.stop().await;
        let server = start(&database).await;
        assert_eq!(server.subscription(&token).await, before);
        let shown = server.get(&portal, "").await.expect(200).text;
        assert!(shown.contains("<dd>Pro, 9.00 EUR a month</dd>") && shown.contains("SANDBOX-0001"), "{shown}");
        server.press(&portal, "action", "cancel").await.expect(303);
        assert_eq!(server.subscription(&token).await["cancelAtPeriodEnd"], true);
        assert_eq!(server.events("refused").await, 0);
    }

    async fn what_the_sandbox_sold_counts_for_nothing_elsewhere(database: TestDatabase) {
        let server = start(&database).await;
        let token = server.register("ada").await;
        server.buy(&token, "pro", "month").await;
        assert_eq!(server.plan(&token).await, pro());
        server.stop().await;

        let clock = Clock::default();
        clock.advance(DAY + 60_000);
        let server = database.start_at(&[], clock).await;
        let token = server.login("ada").await;
        eventually("the plan is gone", async || (server.plan(&token).await == free()).then_some(())).await;
        assert_eq!(server.subscription(&token).await, Json::Null);
        server.stop().await;
    }

    async fn an_account_that_goes_pays_no_more(database: TestDatabase) {
        let server = start(&database).await;
        let token = server.register("ada").await;
        server.buy(&token, "pro", "month").await;
        let portal = server.portal(&token).await;
        server.call("DELETE", "/me", &token, Json::Null).await.expect(204);
        eventually("the customer is deleted", async || (server.get(&portal, "").await.status == 410).then_some(())).await;
        let bodies = database.texts("SELECT body FROM sandbox_objects WHERE kind IN ('customer', 'subscription') ORDER BY kind").await;
        assert!(bodies[0].contains("\"deleted\":true") && bodies[1].contains("\"canceled\""), "{bodies:?}");
        assert!(!bodies.concat().contains("ada"), "{bodies:?}");
    }
}

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
    // What does not apply changes nothing.
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
    let mut other = TestDatabase::sqlite();
    other.url.clone_from(&database.url);
    let settings = [LOOPBACK, ("LINKGRAPH_JWT_SECRETS", "shared:0123456789abcdef0123456789abcdef")];
    let nodes = [database.start_with(&settings).await, other.start_with(&settings).await];
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
    let server = database.start_with(&[LOOPBACK, ("LINKGRAPH_BIND", "0.0.0.0:0")]).await;
    let token = server.register("ada").await;
    server.buy(&token, "pro", "month").await;
    assert_eq!((server.plan(&token).await, server.events("applied").await), (pro(), 5));
}

/// What the log says of payments at the start.
async fn said(settings: &[(&str, &str)]) -> String {
    let database = TestDatabase::sqlite();
    let process = TestProcess::start(&database, settings).await;
    let log = process.log.lock().unwrap().clone();
    log.lines().filter(|line| line.contains("linkgraph::billing")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_says_who_takes_payments_where_that_may_surprise() {
    let key = ("LINKGRAPH_STRIPE_SECRET_KEY", "sk_test_1");
    let secret = ("LINKGRAPH_STRIPE_WEBHOOK_SECRET", "whsec_1");
    let price = ("LINKGRAPH_STRIPE_PRICE_PRO_YEAR", "price_1");
    let at_home = said(&[LOOPBACK]).await;
    assert!(at_home.contains(" INFO ") && at_home.contains("no money moves"), "{at_home}");
    let everywhere = said(&[LOOPBACK, ("LINKGRAPH_BIND", "0.0.0.0:0")]).await;
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
