//! The built-in payment provider: the whole cycle of a subscription, by its pages, as a newcomer sees it.

use linkgraph::base::clock::{Clock, DAY};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        TestDatabase, eventually,
        receiver::{Arrived, Receiver},
        sandbox::{LOOPBACK, path, pro, start},
    },
};

pub(crate) fn free() -> (String, i64) {
    ("free".to_owned(), 1_000)
}

#[on_each_database]
async fn a_subscription_lives(database: TestDatabase) {
    let server = start(&database).await;
    let token = server.register("ada").await;
    let receiver = Receiver::start().await;
    server.webhook(&token, &receiver.url("/all"), &["subscription.updated", "invoice.paid"]).await;
    assert_eq!((server.subscription(&token).await, server.plan(&token).await), (Json::Null, free()));

    // The subscription exists as soon as the browser is redirected.
    server.buy(&token, "pro", "month").await;
    let bought = server.subscription(&token).await;
    assert_eq!(
        (&bought["status"], &bought["planId"], &bought["interval"]),
        (&json!("ACTIVE"), &json!("pro"), &json!("month"))
    );
    assert_eq!(server.plan(&token).await, pro());
    let invoices = server.get("/billing/invoices", &token).await.json();
    let invoice = &invoices["invoices"][0];
    assert_eq!(
        (&invoice["number"], &invoice["amountPaid"], &invoice["currency"]),
        (&json!("SANDBOX-0001"), &json!(900), &json!("eur"))
    );
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

    // A cancelled subscription ends with the paid period, unless it is resumed.
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

#[on_each_database]
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

#[on_each_database]
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

#[on_each_database]
async fn paying_twice_buys_once(database: TestDatabase) {
    let server = start(&database).await;
    let token = server.register("ada").await;
    let (page, other) =
        (server.checkout(&token, "pro", "month").await, server.checkout(&token, "business", "month").await);
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
    // An account with a subscription can't pay a checkout that was opened before.
    server.press(&other, "outcome", "pay").await.expect(410);
    assert_eq!(server.plan(&token).await, pro());
    for outcome in ["decline", "cancel"] {
        server.press(&page, "outcome", outcome).await.expect(410);
    }
    server.get(&page, "").await.expect(410);
    assert_eq!((server.events("refused").await, server.events("applied").await), (0, 6 * 5));
}

#[on_each_database]
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

#[on_each_database]
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
}

/// With the sandbox every client gets any plan for free: it is off by default where strangers can reach the service.
#[on_each_database]
async fn the_sandbox_opens_on_loopback_addresses_or_by_its_setting(database: TestDatabase) {
    let everywhere = ("LINKGRAPH_BIND", "0.0.0.0:0");
    let asked = |value| ("LINKGRAPH_BILLING_SANDBOX", value);
    let body = json!({ "planId": "pro", "interval": "month" });
    for (number, settings, status) in [
        (0, vec![LOOPBACK], 201),
        (1, vec![LOOPBACK, everywhere], 503),
        (2, vec![LOOPBACK, everywhere, asked("true")], 201),
        (3, vec![everywhere, asked("true")], 201),
        (4, vec![LOOPBACK, asked("false")], 503),
        (5, vec![], 503),
    ] {
        let server = database.start_with(&settings).await;
        let token = server.register(&format!("user{number}")).await;
        server.post("/billing/checkout", &token, body.clone()).await.expect(status);
        server.stop().await;
    }
    assert_eq!(database.number("SELECT count(*) FROM billing_customers").await, 3);
}

#[on_each_database]
async fn an_account_that_goes_pays_no_more(database: TestDatabase) {
    let server = start(&database).await;
    let token = server.register("ada").await;
    server.buy(&token, "pro", "month").await;
    let portal = server.portal(&token).await;
    server.leave(&token).await.expect(204);
    eventually("the customer is deleted", async || (server.get(&portal, "").await.status == 410).then_some(())).await;
    let bodies = database
        .texts("SELECT body FROM sandbox_objects WHERE kind IN ('customer', 'subscription') ORDER BY kind")
        .await;
    assert!(bodies[0].contains("\"deleted\":true") && bodies[1].contains("\"canceled\""), "{bodies:?}");
    // Neither the name nor the address; an id may hold the letters by chance.
    assert!(["\"ada\"", "ada@"].iter().all(|personal| !bodies.concat().contains(personal)), "{bodies:?}");
}
