//! `POST /webhooks/stripe`: what is not the provider's word changes nothing, and what is, is not lost.

use std::time::{Duration, Instant};

use entity::{account, billing_customer, invoice, job, outbox_event, provider_event, subscription};
use futures_util::future::join_all;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, Http, TestDatabase,
        stripe::{Fault, SECRET, Stripe, plan, post, sign, signature},
    },
};

/// All that an event could change.
async fn rows(database: &TestDatabase) -> String {
    let connection = database.connect().await;
    let rows = format!(
        "{:?}{:?}{:?}{:?}{:?}{:?}{:?}",
        account::Entity::find().all(&connection).await.unwrap(),
        billing_customer::Entity::find().all(&connection).await.unwrap(),
        subscription::Entity::find().all(&connection).await.unwrap(),
        invoice::Entity::find().all(&connection).await.unwrap(),
        provider_event::Entity::find().all(&connection).await.unwrap(),
        outbox_event::Entity::find().all(&connection).await.unwrap(),
        // Without the periodic jobs, which the migrations created.
        job::Entity::find().filter(job::Column::CreatedAt.gt(0)).all(&connection).await.unwrap(),
    );
    connection.close().await.unwrap();
    rows
}

async fn noted(database: &TestDatabase) -> i64 {
    database.number("SELECT count(*) FROM provider_events").await
}

async fn send(http: &Http, body: &[u8], header: &str) -> Answer {
    http.send(post(http, body.to_vec(), header)).await
}

#[track_caller]
fn is_not_believed(answer: &Answer) {
    assert_eq!((answer.status.as_u16(), answer.code().as_str()), (401, "UNAUTHENTICATED"), "{answer:?}");
    assert_eq!(answer.json()["error"]["details"], json!({ "path": "stripe-signature" }), "{answer:?}");
    assert!(!answer.text.contains("hunter2"), "{answer:?}");
}

fn is_refused(answer: &Answer, path: &str) {
    assert_eq!((answer.status.as_u16(), answer.code().as_str()), (400, "VALIDATION_ERROR"), "{answer:?}");
    assert_eq!(answer.violations(), [path], "{answer:?}");
    assert!(!answer.text.contains("hunter2"), "{answer:?}");
}

#[on_each_database]
async fn what_is_not_signed_changes_nothing(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let events = stripe.buy(&server, &token, "pro", "month").await;
    let event = events[0].to_string();
    let body = event.as_bytes();
    let before = rows(&database).await;
    // The service's clock may be a second further when it looks.
    let now = stripe.now();
    let good = signature(body, SECRET, &now.to_string());
    let other = body.iter().map(|byte| if *byte == b'1' { b'2' } else { *byte }).collect::<Vec<_>>();
    for (body, header) in [
        (body, sign(body, "whsec_forged", now)),
        (body, sign(body, "", now)),
        (body, sign(body, SECRET, now - 301)),
        (body, sign(body, SECRET, now + 302)),
        (&other, sign(body, SECRET, now)),
        (body, format!("t={},v1={good}", now - 1)),
        (body, format!("t={now},v0={good}")),
        (body, format!("t={now},v1={}", &good[..63])),
        (body, format!("t={now}")),
        (body, format!("v1={good}")),
        (body, format!("t={now},t={now},v1={good}")),
        (body, "t=,v1=".to_owned()),
        (body, String::new()),
    ] {
        is_not_believed(&send(&server, body, &header).await);
    }
    is_refused(&server.post("/webhooks/stripe", &token, events[0].clone()).await, "stripe-signature");
    let twice =
        post(&server, body.to_vec(), &sign(body, SECRET, now)).header("stripe-signature", sign(body, SECRET, now));
    is_refused(&server.send(twice).await, "stripe-signature");
    let mut live = events[0].clone();
    live["livemode"] = json!(true);
    is_refused(&stripe.deliver(&server, &live).await, "livemode");
    for id in [json!(""), json!("x".repeat(256)), json!("evt_\u{0}1"), json!("evt 1")] {
        let mut named = events[0].clone();
        named["id"] = id;
        is_refused(&stripe.deliver(&server, &named).await, "id");
    }
    for kind in [json!(""), json!("invoice.\u{0}paid"), json!("invoice.".to_owned() + &"x".repeat(256))] {
        let mut named = events[0].clone();
        named["type"] = kind;
        is_refused(&stripe.deliver(&server, &named).await, "type");
    }
    for body in [
        &b"\xff\xfe{}"[..],
        b"",
        b"null",
        b"[]",
        b"not json",
        br#"{"id": "evt_1"}"#,
        br#"{"id":1,"type":2,"livemode":3}"#,
    ] {
        assert_eq!(send(&server, body, &sign(body, SECRET, now)).await.expect(400).code(), "BAD_REQUEST");
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    send(&server, deep.as_bytes(), &sign(deep.as_bytes(), SECRET, now)).await.expect(400);
    assert_eq!(rows(&database).await, before);
    stripe.deliver(&server, &events[0]).await.expect(200);
    assert_ne!(rows(&database).await, before, "it would have");
}

#[on_each_database]
async fn what_does_not_concern_us_is_taken_and_changes_nothing(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let bought = stripe.buy(&server, &token, "pro", "month").await;
    let customer = stripe.only_customer();
    let of = |kind: &str, object: Json| stripe.truth().event(kind, &object, stripe.now());
    let (before, asked) = (rows(&database).await, stripe.asked("").len());
    for event in [
        of("charge.refunded", json!({ "object": "charge", "customer": customer })),
        of("customer.created", json!({ "object": "customer", "id": customer })),
        of("some.event.of.the.future", json!({ "object": "customer", "id": customer })),
        of("customer.subscription.updated", json!({ "object": "subscription", "customer": "cus_of_another" })),
        of(
            "customer.subscription.updated",
            json!({ "object": "subscription", "customer": { "id": "cus_of_another" } }),
        ),
        of("customer.subscription.updated", json!({ "object": "subscription", "customer": "cus\u{0}" })),
        of("invoice.paid", json!({ "object": "invoice", "customer": null })),
        of("invoice.paid", json!({ "object": "invoice", "customer": ["cus"] })),
        of("invoice.paid", json!({ "object": "invoice" })),
        of("invoice.paid", json!("in_1")),
        of("invoice.paid", Json::Null),
    ] {
        assert_eq!(stripe.deliver(&server, &event).await.expect(200).json(), json!({ "received": true }), "{event}");
    }
    assert_eq!(rows(&database).await, before);
    assert_eq!(stripe.asked("").len(), asked, "nothing was looked at");
    drop(bought);
}

#[on_each_database]
async fn a_body_has_at_most_256_kib(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let mut event = stripe.buy(&server, &token, "pro", "month").await.remove(0);
    let filler = 256 * 1024 - event.to_string().len() - r#","x":"""#.len();
    event["x"] = json!("x".repeat(filler + 1));
    assert_eq!(event.to_string().len(), 256 * 1024 + 1);
    assert_eq!(stripe.deliver(&server, &event).await.expect(413).code(), "PAYLOAD_TOO_LARGE");
    assert_eq!(noted(&database).await, 0);
    event["x"] = json!("x".repeat(filler));
    stripe.deliver(&server, &event).await.expect(200);
    assert_eq!(noted(&database).await, 1);
}

/// While a secret is replaced, both sign.
#[on_each_database]
async fn either_of_two_secrets_signs(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[("LINKGRAPH_STRIPE_WEBHOOK_SECRET", "whsec_new,whsec_old")]).await;
    let token = server.register("alice").await;
    let events = stripe.buy(&server, &token, "pro", "month").await;
    for (number, secret) in ["whsec_new", "whsec_old", "whsec_new,whsec_old", SECRET].into_iter().enumerate() {
        let body = events[number].to_string().into_bytes();
        let header = sign(&body, secret, stripe.now());
        let answer = send(&server, &body, &header).await;
        if number < 2 {
            answer.expect(200);
        } else {
            is_not_believed(&answer);
        }
    }
    // As Stripe signs while it replaces one: by both.
    let body = events[2].to_string().into_bytes();
    let now = stripe.now();
    let both =
        format!("{},v1={},v0=x", sign(&body, "whsec_unknown", now), signature(&body, "whsec_old", &now.to_string()));
    send(&server, &body, &both).await.expect(200);
    assert_eq!(noted(&database).await, 3);
}

/// An event that can't be processed now is not recorded: the provider sends it again.
#[on_each_database]
async fn an_event_waits_for_the_provider(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let events = stripe.buy(&server, &token, "business", "year").await;
    let is_away = async |what: &str| {
        let answer = stripe.deliver(&server, &events[0]).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (503, "UNAVAILABLE"), "{what}: {answer:?}");
        assert!(answer.header("retry-after").parse::<u64>().unwrap() >= 1);
        assert_eq!(noted(&database).await, 0, "{what}");
        assert!(server.get("/billing/subscription", &token).await.expect(200).json().is_null(), "{what}");
    };
    stripe.fail("GET /v1/subscriptions", Fault::Status(500, None), 100);
    is_away("one of three answers fails").await;
    stripe.heal();
    stripe.fail("GET /v1/invoices", Fault::Status(429, Some("60")), 1);
    is_away("it counts requests").await;
    stripe.fail("GET /v1/customers", Fault::Status(503, Some("1")), 1);
    stripe.fail("GET /v1/invoices", Fault::Reset, 1);
    stripe.down().await;
    is_away("it is down").await;
    stripe.up().await;
    stripe.deliver(&server, &events[0]).await.expect(200);
    assert_eq!(noted(&database).await, 1);
    assert_eq!(server.get("/billing/subscription", &token).await.expect(200).json()["planId"], "business");
}

/// The plan is paid for, whatever else is among the invoices.
#[on_each_database]
async fn an_invoice_that_is_odd_blocks_nothing_else(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let bought = stripe.buy(&server, &token, "pro", "month").await;
    let customer = stripe.only_customer();
    let (good, subscription) = {
        let truth = stripe.truth();
        let customer = &truth.customers[&customer];
        (customer.invoices[0].id.clone(), customer.live().unwrap().id.clone())
    };
    for odd in [
        json!({ "amount_due": null }),
        json!({ "amount_due": "900" }),
        json!({ "amount_paid": 9e300 }),
        json!({ "currency": {} }),
        json!({ "id": null }),
        json!({ "id": "" }),
        json!({ "id": "in_\u{0}1" }),
        json!({ "id": good }),
        json!({ "created": "yesterday" }),
        json!({ "number": "LG\u{0}1" }),
        json!({ "number": "9".repeat(30_000) }),
        json!({ "status": "x".repeat(30_000) }),
        json!({ "parent": "sub_1" }),
    ] {
        let mut truth = stripe.truth();
        truth.invoice(&customer, &subscription, "paid", 900, stripe.now());
        truth.customer(&customer).invoices.last_mut().unwrap().odd = odd;
    }
    let page = {
        let mut truth = stripe.truth();
        let id = truth.invoice(&customer, &subscription, "paid", 900, stripe.now());
        truth.customer(&customer).invoices.last_mut().unwrap().url = Some("\u{1}".repeat(7_000));
        truth.customer(&customer).invoices.reverse();
        id
    };
    stripe.send(&server, bought).await;
    assert_eq!(plan(&server, &token).await, "pro");
    assert_eq!(server.get("/billing/subscription", &token).await.expect(200).json()["planId"], "pro");
    let shown = server.get("/billing/invoices", &token).await.expect(200).json();
    assert_eq!(shown["invoices"].as_array().unwrap().len(), 2, "{shown}");
    for id in [&good, &page] {
        let sql = format!("SELECT count(*) FROM invoices WHERE provider_id = '{id}'");
        assert_eq!(database.number(&sql).await, 1);
    }
    assert_eq!(database.events("invoice.paid").await, 2);
    assert_eq!(noted(&database).await, 4);
}

/// The same event three times at once: one row, one effect.
#[on_each_database]
async fn an_event_counts_once(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let events = stripe.buy(&server, &token, "pro", "month").await;
    stripe.slow(0, 20);
    let copies = events.iter().flat_map(|event| [event; 8]);
    for answer in join_all(copies.map(|event| stripe.deliver(&server, event))).await {
        answer.expect(200);
    }
    assert_eq!(noted(&database).await, 4);
    for (kind, number) in [("subscription.updated", 1), ("invoice.paid", 1)] {
        assert_eq!(database.events(kind).await, number, "{kind}");
    }
    let asked = stripe.asked("GET").len();
    stripe.send(&server, events).await;
    assert_eq!(stripe.asked("GET").len(), asked, "what is known is not looked at");
}

/// An older read of the provider's state that ends later does not overwrite the result of a newer one.
#[on_each_database]
async fn what_an_older_look_saw_is_not_stored_over_a_newer_one(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let bought = stripe.buy(&server, &token, "pro", "month").await;
    let customer = stripe.only_customer();
    stripe.slow(1_500, 1_500);
    let slow = tokio::spawn({
        let (http, event) = (server.http.clone(), bought[0].clone());
        let header = sign(event.to_string().as_bytes(), SECRET, stripe.now());
        async move { http.send(post(&http, event.to_string().into_bytes(), &header)).await }
    });
    crate::support::eventually("the older look has begun", async || (stripe.asked("GET").len() >= 2).then_some(()))
        .await;
    stripe.slow(0, 0);
    let subscription = stripe.truth().customers[&customer].live().unwrap().id.clone();
    let canceled = stripe.truth().cancel(&customer, &subscription, stripe.now());
    stripe.send(&server, canceled).await;
    assert!(!slow.is_finished(), "the newer look ended first");
    slow.await.unwrap().expect(200);
    assert!(server.get("/billing/subscription", &token).await.expect(200).json().is_null());
    assert_eq!(plan(&server, &token).await, "free");
    assert_eq!(noted(&database).await, 2);
}

/// When two reads overlap, the later one may have the older state: a paid invoice stays paid, and has one event.
#[on_each_database]
async fn a_payment_is_not_taken_back(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let bought = stripe.buy(&server, &token, "pro", "month").await;
    stripe.send(&server, bought).await;
    let customer = stripe.only_customer();
    for status in ["open", "paid"] {
        let events = {
            let mut truth = stripe.truth();
            truth.customers.get_mut(&customer).unwrap().invoices[0].status = status;
            let subscription = truth.customers[&customer].live().unwrap().id.clone();
            truth.update(&customer, &subscription, stripe.now(), |_| {})
        };
        stripe.send(&server, events).await;
        let shown = server.get("/billing/invoices", &token).await.expect(200).json();
        assert_eq!(shown["invoices"][0]["status"], "paid", "{shown}");
    }
    assert_eq!(database.events("invoice.paid").await, 1);
}

#[on_each_database]
async fn the_route_is_its_own(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    for method in ["GET", "PUT", "PATCH", "DELETE"] {
        let answer = server.call(method, "/webhooks/stripe", &token, Json::Null).await.expect(405);
        assert_eq!((answer.code().as_str(), answer.header("allow")), ("METHOD_NOT_ALLOWED", "POST"), "{method}");
    }
    server.get("/webhooks/stripes", &token).await.expect(404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_provider_nothing_is_taken() {
    let database = TestDatabase::sqlite();
    let server = database.start().await;
    let answer = server.post("/webhooks/stripe", "", json!({})).await.expect(503);
    assert_eq!(answer.code(), "UNAVAILABLE");
    assert!(!answer.header("retry-after").is_empty());
    server.stop().await;
}

/// Events of 100 renewals of one customer, a look at the provider for each.
#[on_each_database]
async fn events_are_acknowledged_soon(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let mut events = stripe.buy(&server, &token, "pro", "month").await;
    let customer = stripe.only_customer();
    let subscription = stripe.truth().customers[&customer].live().unwrap().id.clone();
    for _ in 0..100 {
        let now = stripe.now();
        events.extend(stripe.truth().renew(&customer, &subscription, true, now));
    }
    let mut took = Vec::new();
    for event in &events {
        let started = Instant::now();
        stripe.deliver(&server, event).await.expect(200);
        took.push(started.elapsed());
    }
    took.sort_unstable();
    let (p50, p99) = (took[took.len() / 2], took[took.len() * 99 / 100]);
    println!("{} events of one customer: acknowledged within p50 {p50:?}, p99 {p99:?}", events.len());
    // Only what hangs is asserted: the machine may be busy.
    assert!(p99 < Duration::from_secs(5), "{p99:?}");
    assert_eq!(noted(&database).await, i64::try_from(events.len()).unwrap());
}
