//! The plan of an account follows the provider's state: by events, by a daily comparison, and by the time.

use linkgraph::base::clock::{DAY, HOUR, MINUTE, rfc3339};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Http, TestDatabase, TestServer, eventually,
        receiver::{Arrived, Receiver},
        stripe::{Fault, LIVE_KEY, Stripe, plan, truth},
    },
};

/// The subscription of the only customer that is live.
fn live(stripe: &Stripe) -> (String, String) {
    let customer = stripe.only_customer();
    let subscription = stripe.truth().customers[&customer].live().unwrap().id.clone();
    (customer, subscription)
}

async fn subscription(http: &Http, token: &str) -> Json {
    http.get("/billing/subscription", token).await.expect(200).json()
}

async fn rest_of_story(database: &TestDatabase, sql: &str, number: i64) {
    eventually(sql, async || (database.number(sql).await == number).then_some(())).await;
}

/// A day goes by, and the daily look is over.
async fn a_day_later(database: &TestDatabase, stripe: &Stripe, server: &TestServer) {
    stripe.advance(server, DAY + MINUTE);
    database.jobs_become("reconcile_billing", &format!("run_at <= {}", server.clock.now()), 0).await;
}

#[on_each_database]
async fn a_subscription_is_shown_as_the_provider_shows_it(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    assert_eq!(subscription(&server, &token).await, Json::Null);
    let events = stripe.buy(&server, &token, "business", "year").await;
    stripe.send(&server, events).await;
    let (customer, id) = live(&stripe);
    let truth = stripe.truth().customers[&customer].clone();
    let (start, end) = (truth.subscriptions[0].start, truth.subscriptions[0].end);
    let shown = subscription(&server, &token).await;
    assert_eq!(
        shown,
        json!({
            "id": shown["id"], "planId": "business", "status": "ACTIVE", "interval": "year",
            "currentPeriodStart": rfc3339(start * 1_000), "currentPeriodEnd": rfc3339(end * 1_000),
            "cancelAtPeriodEnd": false, "gracePeriodEnd": null, "createdAt": rfc3339(start * 1_000),
        })
    );
    let events = stripe.truth().update(&customer, &id, stripe.now(), |it| it.cancel_at_period_end = true);
    stripe.send(&server, events).await;
    assert_eq!(subscription(&server, &token).await["cancelAtPeriodEnd"], true);
    let events = stripe.truth().switch(&customer, &id, "price_pm", stripe.now());
    stripe.send(&server, events).await;
    let switched = subscription(&server, &token).await;
    assert_eq!(
        (&switched["planId"], &switched["interval"], &switched["id"]),
        (&json!("pro"), &json!("month"), &shown["id"])
    );
    assert_eq!(plan(&server, &token).await, "pro");
    let events = stripe.truth().cancel(&customer, &id, stripe.now());
    stripe.send(&server, events).await;
    assert_eq!(subscription(&server, &token).await, Json::Null);
    assert_eq!(plan(&server, &token).await, "free");
    // Again, with a trial.
    let events = stripe.truth().subscribe(&customer, "price_pm", true, stripe.now());
    stripe.send(&server, events).await;
    let again = subscription(&server, &token).await;
    assert_eq!(again["status"], "TRIALING");
    assert_ne!(again["id"], shown["id"]);
    assert_eq!(plan(&server, &token).await, "pro");
    // A price that is not ours is for something else.
    let (_, id) = live(&stripe);
    stripe.truth().cancel(&customer, &id, stripe.now());
    stripe.truth().begin(&customer, "price_bm", stripe.now());
    let events = stripe.truth().refund(&customer, stripe.now());
    stripe.send(&server, events).await;
    assert_eq!(plan(&server, &token).await, "pro", "a refund alone says nothing of plans");
}

#[on_each_database]
async fn a_failed_payment_leaves_the_plan_for_14_days(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let events = stripe.buy(&server, &token, "pro", "month").await;
    stripe.send(&server, events).await;
    let (customer, id) = live(&stripe);
    let failed_at = stripe.now();
    let events = stripe.truth().renew(&customer, &id, false, failed_at);
    stripe.send(&server, events).await;
    let shown = subscription(&server, &token).await;
    let end = rfc3339((failed_at + 14 * truth::DAY) * 1_000);
    assert_eq!((&shown["status"], &shown["gracePeriodEnd"]), (&json!("PAST_DUE"), &json!(end)));
    stripe.advance(&server, 10 * DAY);
    let token = server.login("alice").await;
    assert_eq!(plan(&server, &token).await, "pro");
    // A second failure, and the provider giving up, prolong nothing.
    let events = stripe.truth().renew(&customer, &id, false, stripe.now());
    stripe.send(&server, events).await;
    let events = stripe.truth().update(&customer, &id, stripe.now(), |it| it.status = "unpaid");
    stripe.send(&server, events).await;
    assert_eq!(subscription(&server, &token).await["gracePeriodEnd"], end);
    stripe.advance(&server, 4 * DAY - MINUTE);
    let token = server.login("alice").await;
    assert_eq!(plan(&server, &token).await, "pro");
    stripe.advance(&server, 2 * MINUTE);
    assert_eq!(plan(&server, &token).await, "free");
    assert_eq!(subscription(&server, &token).await["status"], "PAST_DUE");
    let usage = server.get("/billing/usage", &token).await.expect(200).json();
    assert_eq!(usage["links"]["limit"], 1_000);
    // Paying restores it at once.
    let events = stripe.truth().recover(&customer, &id, stripe.now());
    stripe.send(&server, events).await;
    assert_eq!(plan(&server, &token).await, "pro");
    let shown = subscription(&server, &token).await;
    assert_eq!((&shown["status"], &shown["gracePeriodEnd"]), (&json!("ACTIVE"), &Json::Null));
    // The next failure has a grace of its own, even if nobody saw that it was paid between.
    let events = stripe.truth().renew(&customer, &id, false, stripe.now());
    stripe.send(&server, events).await;
    stripe.advance(&server, 13 * DAY);
    stripe.truth().recover(&customer, &id, stripe.now());
    let events = stripe.truth().renew(&customer, &id, false, stripe.now());
    stripe.send(&server, events).await;
    stripe.advance(&server, 13 * DAY);
    let token = server.login("alice").await;
    assert_eq!(plan(&server, &token).await, "pro");
}

#[on_each_database]
async fn of_two_subscriptions_the_better_counts(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    // Two tabs, two checkouts.
    let body = json!({ "planId": "business", "interval": "month" });
    let other = server.post("/billing/checkout", &token, body).await.expect(201).json();
    let first = stripe.buy(&server, &token, "pro", "month").await;
    stripe.send(&server, first).await;
    assert_eq!(plan(&server, &token).await, "pro");
    let second = stripe.complete(other["sessionId"].as_str().unwrap());
    stripe.send(&server, second).await;
    assert_eq!(plan(&server, &token).await, "business");
    let (customer, business) = live(&stripe);
    let pro = stripe.truth().customers[&customer].subscriptions[0].id.clone();
    let events = stripe.truth().renew(&customer, &business, false, stripe.now());
    stripe.send(&server, events).await;
    assert_eq!(plan(&server, &token).await, "pro", "what is paid comes before what is not");
    let events = stripe.truth().recover(&customer, &business, stripe.now());
    stripe.send(&server, events).await;
    assert_eq!(plan(&server, &token).await, "business");
    let events = stripe.truth().cancel(&customer, &business, stripe.now());
    stripe.send(&server, events).await;
    assert_eq!(plan(&server, &token).await, "pro");
    assert_eq!(subscription(&server, &token).await["status"], "ACTIVE");
    let events = stripe.truth().cancel(&customer, &pro, stripe.now());
    stripe.send(&server, events).await;
    assert_eq!(plan(&server, &token).await, "free");
}

#[on_each_database]
async fn the_newest_24_invoices_are_shown(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let events = stripe.buy(&server, &token, "pro", "month").await;
    let (customer, id) = live(&stripe);
    let now = stripe.now();
    for number in 1..=28 {
        stripe.truth().invoice(&customer, &id, "paid", 900, now + number / 2);
    }
    stripe.truth().invoice(&customer, &id, "draft", 4_900, now + 20);
    stripe.truth().customer(&customer).invoices[27].url =
        Some(format!("https://invoice.example.com/{}", "x".repeat(100_000)));
    stripe.send(&server, events).await;
    assert_eq!(database.number("SELECT count(*) FROM invoices").await, 30);
    let shown = server.get("/billing/invoices", &token).await.expect(200).json();
    let shown = shown["invoices"].as_array().unwrap();
    assert_eq!(shown.len(), 24);
    let wanted = stripe.truth().customers[&customer].invoices.clone();
    for (shown, wanted) in shown.iter().zip(wanted.iter().rev()) {
        let is_draft = wanted.status == "draft";
        let page = |end: &str| match &wanted.url {
            // Longer than anything that is kept.
            Some(_) => Json::Null,
            None if is_draft => Json::Null,
            None => json!(format!("https://invoice.example.com/{}{end}", wanted.id)),
        };
        assert_eq!(
            shown,
            &json!({
                "id": shown["id"], "number": if is_draft { Json::Null } else { json!(format!("LG-{}", &wanted.id[wanted.id.len() - 6..])) },
                "status": wanted.status, "currency": "eur", "amountDue": wanted.amount,
                "amountPaid": if is_draft { 0 } else { wanted.amount }, "createdAt": rfc3339(wanted.created * 1_000),
                "hostedUrl": page(""), "pdfUrl": page("/pdf"),
            })
        );
    }
}

/// Without any event, the service reads the provider's state once a day, as long as the account is a customer.
#[on_each_database]
async fn a_lost_event_is_made_up_for_within_a_day(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    stripe.buy(&server, &token, "pro", "month").await;
    assert_eq!(plan(&server, &token).await, "free");
    a_day_later(&database, &stripe, &server).await;
    assert_eq!(plan(&server, &server.login("alice").await).await, "pro");
    let (customer, id) = live(&stripe);
    stripe.truth().cancel(&customer, &id, stripe.now());
    // The provider is away when the day is over: an hour later it is not.
    stripe.fail("GET", Fault::Status(500, None), 1_000);
    stripe.advance(&server, DAY + MINUTE);
    database.jobs_become("reconcile_billing", "attempts > 0", 1).await;
    stripe.heal();
    stripe.advance(&server, HOUR);
    rest_of_story(&database, "SELECT count(*) FROM accounts WHERE plan IS NULL", 1).await;
    database.jobs_become("reconcile_billing", "attempts = 0", 1).await;
    let token = server.login("alice").await;
    assert_eq!(subscription(&server, &token).await, Json::Null);
    server.leave(&token).await.expect(204);
    stripe.advance(&server, DAY + MINUTE);
    database.no_jobs_left().await;
}

#[on_each_database]
async fn with_the_account_goes_its_customer(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let events = stripe.buy(&server, &token, "pro", "month").await;
    stripe.send(&server, events).await;
    let customer = stripe.only_customer();
    stripe.down().await;
    server.leave(&token).await.expect(204);
    database.jobs_become("delete_customer", "attempts > 0", 1).await;
    stripe.up().await;
    stripe.advance(&server, MINUTE);
    database.jobs_become("delete_customer", "TRUE", 0).await;
    assert!(stripe.truth().customers[&customer].deleted);
    let gone = stripe.truth().event("customer.deleted", &json!({ "id": customer, "object": "customer" }), stripe.now());
    stripe.deliver(&server, &gone).await.expect(200);
    for table in ["billing_customers", "subscriptions", "invoices", "daily_usage"] {
        assert_eq!(database.number(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
    // One that is gone there already.
    let token = server.register("bob").await;
    stripe.buy(&server, &token, "pro", "month").await;
    let customer = stripe.only_customer();
    stripe.truth().delete(&customer, stripe.now());
    server.leave(&token).await.expect(204);
    database.jobs_become("delete_customer", "TRUE", 0).await;
}

/// The customer is created while the account is deleted: without a job it would never be deleted.
#[on_each_database]
async fn a_customer_made_for_an_account_that_goes_meanwhile_goes_too(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    // Less than the service waits for one answer.
    stripe.slow(2_000, 2_000);
    let asking = tokio::spawn({
        let (http, token) = (server.http.clone(), token.clone());
        async move { http.post("/billing/checkout", &token, json!({ "planId": "pro", "interval": "month" })).await }
    });
    eventually("the customer is made", async || (stripe.truth().customers.len() == 1).then_some(())).await;
    server.leave(&token).await.expect(204);
    stripe.slow(0, 0);
    asking.await.unwrap().expect(401);
    eventually("the customer goes", async || stripe.truth().customers.values().all(|it| it.deleted).then_some(()))
        .await;
}

/// Payments in test mode do not count once real money moves, and a customer of one mode does not exist in the other.
#[on_each_database]
async fn what_was_paid_in_a_test_is_not_paid(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let events = stripe.buy(&server, &token, "business", "year").await;
    stripe.send(&server, events).await;
    assert_eq!(plan(&server, &token).await, "business");
    let of_test = stripe.only_customer();
    server.stop().await;
    stripe.truth().livemode = true;
    let server = stripe.serve(&database, &[("LINKGRAPH_STRIPE_SECRET_KEY", LIVE_KEY)]).await;
    // An event of a customer that the key does not know changes nothing.
    let event = stripe.truth().event("customer.deleted", &json!({ "id": of_test, "object": "customer" }), stripe.now());
    stripe.deliver(&server, &event).await.expect(200);
    assert_eq!(database.number("SELECT count(*) FROM provider_events WHERE kind = 'customer.deleted'").await, 0);
    a_day_later(&database, &stripe, &server).await;
    let token = server.login("alice").await;
    assert_eq!(plan(&server, &token).await, "free");
    assert_eq!(subscription(&server, &token).await, Json::Null);
    stripe.truth().customer(&of_test).deleted = true;
    let events = stripe.buy(&server, &token, "pro", "month").await;
    stripe.send(&server, events).await;
    assert_eq!(plan(&server, &token).await, "pro");
}

#[on_each_database]
async fn a_price_that_is_set_no_longer_keeps_its_plan(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let events = stripe.buy(&server, &token, "pro", "month").await;
    stripe.send(&server, events).await;
    server.stop().await;
    let (customer, id) = live(&stripe);

    let server = stripe.serve(&database, &[("LINKGRAPH_STRIPE_PRICE_PRO_MONTH", "price_dearer")]).await;
    let events = stripe.truth().renew(&customer, &id, true, stripe.now() + truth::DAY);
    stripe.send(&server, events).await;
    assert_eq!(plan(&server, &token).await, "pro");
    assert_eq!(subscription(&server, &token).await["status"], "ACTIVE");
    let events = stripe.truth().cancel(&customer, &id, stripe.now());
    stripe.send(&server, events).await;
    assert_eq!(plan(&server, &token).await, "free");
    let events = stripe.truth().subscribe(&customer, "price_pm", false, stripe.now());
    stripe.send(&server, events).await;
    assert_eq!(plan(&server, &token).await, "pro", "it was sold at this price once");
    let (_, id) = live(&stripe);
    let events = stripe.truth().cancel(&customer, &id, stripe.now());
    stripe.send(&server, events).await;
    server.stop().await;
    let server = stripe.serve(&database, &[("LINKGRAPH_STRIPE_PRICE_BUSINESS_YEAR", "price_dearer")]).await;
    let events = stripe.truth().subscribe(&customer, "price_by", false, stripe.now());
    stripe.send(&server, events).await;
    assert_eq!(plan(&server, &token).await, "free", "at this one it never was: it is for something else");
}

#[on_each_database]
async fn wiped_test_data_is_made_anew_but_real_customers_are_not_given_up(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let events = stripe.buy(&server, &token, "pro", "month").await;
    stripe.send(&server, events).await;
    stripe.truth().customers.clear();
    let body = json!({ "planId": "business", "interval": "year" });
    server.post("/billing/checkout", &token, body.clone()).await.expect(201);
    assert_eq!(plan(&server, &token).await, "free");
    assert_eq!(stripe.truth().customers.len(), 1);
    server.stop().await;

    stripe.truth().customers.clear();
    stripe.truth().livemode = true;
    let server = stripe.serve(&database, &[("LINKGRAPH_STRIPE_SECRET_KEY", LIVE_KEY)]).await;
    let token = server.register("bob").await;
    let events = stripe.buy(&server, &token, "pro", "month").await;
    stripe.send(&server, events).await;
    assert_eq!(plan(&server, &token).await, "pro");
    stripe.truth().customers.clear();
    assert_eq!(server.post("/billing/checkout", &token, body).await.expect(500).code(), "INTERNAL_ERROR");
    assert_eq!(plan(&server, &token).await, "pro");
}

/// Others are told once of what is told to us three times.
#[on_each_database]
async fn webhooks_hear_of_payments_once(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let receiver = Receiver::start().await;
    server.webhook(&token, &receiver.url("/"), &["subscription.updated", "invoice.paid"]).await;
    let mut events = stripe.buy(&server, &token, "pro", "month").await;
    let (customer, id) = live(&stripe);
    for _ in 0..3 {
        stripe.send(&server, events.clone()).await;
    }
    events = stripe.truth().renew(&customer, &id, true, stripe.now() + 1);
    for _ in 0..3 {
        stripe.send(&server, events.clone()).await;
    }
    let arrived = receiver.wait("/", 4).await;
    database.settled().await;
    let mut kinds: Vec<_> = receiver.arrived("/").iter().map(Arrived::kind).collect();
    kinds.sort();
    assert_eq!(kinds, ["invoice.paid", "invoice.paid", "subscription.updated", "subscription.updated"]);
    let of = |kind: &str| arrived.iter().find(|it| it.kind() == kind).unwrap().json()["data"].clone();
    let (told, shown) = (of("subscription.updated"), subscription(&server, &token).await);
    let keys = |json: &Json| json.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!((keys(&told), &told["id"], &told["status"]), (keys(&shown), &shown["id"], &json!("ACTIVE")));
    let shown = server.get("/billing/invoices", &token).await.expect(200).json()["invoices"].clone();
    assert!(shown.as_array().unwrap().contains(&of("invoice.paid")), "{shown}");
}
