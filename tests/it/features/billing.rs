//! Checkout and portal: one customer for an account, whoever asks and whatever fails; and a provider that is away stops
//! nothing else.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Answer, Http, TestDatabase, eventually,
        stripe::{Fault, KEY, SECRET, Stripe, plan},
    },
};

async fn checkout(http: &Http, credential: &str, plan: &str, interval: &str) -> Answer {
    http.post("/billing/checkout", credential, json!({ "planId": plan, "interval": interval })).await
}

async fn pro(http: &Http, token: &str) -> Answer {
    checkout(http, token, "pro", "month").await
}

async fn portal(http: &Http, credential: &str) -> Answer {
    http.post("/billing/portal", credential, Json::Null).await
}

/// The service waits 8 s for the provider (`billing::ops`). A machine that is busy with other tests has 12 s more: three
/// requests that wait for the provider one after the other take longer even on a quiet one.
const BOUND: Duration = Duration::from_secs(20);

#[track_caller]
fn is_away(answer: &Answer) {
    assert_eq!((answer.status.as_u16(), answer.code().as_str()), (503, "UNAVAILABLE"), "{answer:?}");
    assert!(answer.header("retry-after").parse::<u64>().unwrap() >= 1);
}

#[on_each_database]
async fn a_checkout_is_what_the_provider_expects(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let answer = checkout(&server, &token, "business", "year").await.expect(201);
    let json = answer.json();
    let (url, session) = (json["checkoutUrl"].as_str().unwrap(), json["sessionId"].as_str().unwrap());
    assert_eq!(json.as_object().unwrap().len(), 2, "{json}");
    assert_eq!(url, format!("https://checkout.example.com/c/pay/{session}"));
    assert_eq!(answer.header("location"), url);
    let [made] = &stripe.asked("POST /v1/customers")[..] else { panic!("one customer is made") };
    assert_eq!((&*made.fields["email"], &*made.fields["name"]), ("alice@example.com", "alice"));
    let [asked] = &stripe.asked("POST /v1/checkout")[..] else { panic!("one checkout is made") };
    let account = &made.fields["metadata[account]"];
    let fields: Vec<(&str, &str)> = asked.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(
        fields,
        [
            ("cancel_url", "http://sho.rt/billing/checkout/canceled"),
            ("client_reference_id", account),
            ("customer", &stripe.only_customer()),
            ("line_items[0][price]", "price_by"),
            ("line_items[0][quantity]", "1"),
            ("mode", "subscription"),
            ("subscription_data[metadata][account]", account),
            ("success_url", "http://sho.rt/billing/checkout/success"),
        ]
    );
    let answer = portal(&server, &token).await.expect(201);
    let url = answer.json()["portalUrl"].as_str().unwrap().to_owned();
    assert!(
        url.starts_with("https://billing.example.com/p/session/") && answer.header("location") == url,
        "{answer:?}"
    );
    let [asked] = &stripe.asked("POST /v1/billing_portal")[..] else { panic!("one portal is made") };
    assert_eq!((&*asked.fields["customer"], &*asked.fields["return_url"]), (&*stripe.only_customer(), "http://sho.rt"));
    let by_graphql = server
            .graphql(&token, "mutation { createCheckout(input: { planId: \"pro\", interval: \"month\" }) { checkoutUrl sessionId } createBillingPortal { portalUrl } }", json!({}))
            .await;
    assert!(
        by_graphql["errors"].is_null() && !by_graphql["data"]["createBillingPortal"]["portalUrl"].is_null(),
        "{by_graphql}"
    );
    stripe.only_customer();
}

#[on_each_database]
async fn only_what_is_for_sale_can_be_bought(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe
        .serve(
            &database,
            &[
                ("LINKGRAPH_STRIPE_PRICE_PRO_YEAR", ""),
                ("LINKGRAPH_STRIPE_PRICE_BUSINESS_MONTH", ""),
                ("LINKGRAPH_STRIPE_PRICE_BUSINESS_YEAR", ""),
            ],
        )
        .await;
    let token = server.register("alice").await;
    for (body, paths) in [
        (json!({ "planId": "free", "interval": "month" }), &["planId"][..]),
        (json!({ "planId": "unlimited", "interval": "month" }), &["planId"]),
        (json!({ "planId": "business", "interval": "month" }), &["planId"]),
        (json!({ "planId": "pro", "interval": "year" }), &["planId"]),
        (json!({ "planId": "gold", "interval": "week" }), &["planId", "interval"]),
        (json!({ "planId": "PRO", "interval": "month" }), &["planId"]),
        (json!({ "planId": "pro\u{0}", "interval": "" }), &["planId", "interval"]),
        (json!({ "planId": 1, "interval": null }), &["planId", "interval"]),
        (json!({}), &["planId", "interval"]),
    ] {
        let answer = server.post("/billing/checkout", &token, body.clone()).await.expect(400);
        assert_eq!(answer.code(), "VALIDATION_ERROR", "{body}");
        let violations: BTreeSet<_> = answer.violations().into_iter().collect();
        let named = paths.iter().map(|path| (*path).to_owned()).collect();
        // Where a plan has no price for this interval, the violation may name either field.
        let or_interval = BTreeSet::from(["interval".to_owned()]);
        assert!(violations == named || (paths.len() == 1 && violations == or_interval), "{body}: {answer:?}");
    }
    assert_eq!(stripe.asked("").len(), 0, "the provider is not asked");
    let plans = server.get("/billing/plans", &token).await.expect(200).json();
    let sold: Vec<_> =
        plans["plans"].as_array().unwrap().iter().map(|plan| (&plan["id"], &plan["intervals"])).collect();
    assert_eq!(json!(sold), json!([["free", []], ["pro", ["month"]], ["business", []]]));
}

#[on_each_database]
async fn an_account_has_one_subscription_to_buy(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let events = stripe.buy(&server, &token, "pro", "month").await;
    // No event came yet: the provider is asked.
    let answer = checkout(&server, &token, "business", "year").await.expect(409);
    assert_eq!((answer.code().as_str(), &answer.json()["error"]["details"]["path"]), ("CONFLICT", &json!("planId")));
    assert_eq!(plan(&server, &token).await, "pro", "what was seen is stored");
    stripe.send(&server, events).await;
    let customer = stripe.only_customer();
    let subscription = stripe.truth().customers[&customer].live().unwrap().id.clone();
    stripe.truth().renew(&customer, &subscription, false, stripe.now());
    checkout(&server, &token, "business", "year").await.expect(409);
    stripe.truth().cancel(&customer, &subscription, stripe.now());
    checkout(&server, &token, "business", "year").await.expect(201);
    // One that waits for its first payment, and may never get it, keeps nobody from buying.
    stripe.truth().begin(&customer, "price_pm", stripe.now());
    checkout(&server, &token, "business", "year").await.expect(201);
    assert_eq!(stripe.asked("POST /v1/customers").len(), 1);
}

#[on_each_database]
async fn thirty_two_checkouts_make_one_customer(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    // Long enough that the first is in the midst of it when the others come.
    stripe.slow(20, 60);
    for answer in join_all((0..32).map(|_| pro(&server, &token))).await {
        answer.expect(201);
    }
    stripe.only_customer();
    let keys: BTreeSet<_> = stripe.asked("POST /v1/customers").into_iter().map(|asked| asked.key).collect();
    assert_eq!(keys.len(), 1, "all repeat one request");
}

#[on_each_database]
async fn the_provider_is_not_asked_everything_at_once(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    pro(&server, &token).await.expect(201);
    stripe.slow(100, 100);
    for answer in join_all((0..40).map(|_| server.post("/billing/portal", &token, Json::Null))).await {
        answer.expect(201);
    }
    let most = stripe.most_at_once();
    assert!((4..=32).contains(&most), "{most}");
}

/// 409, 429 and 5xx are worth another try, with the same key; other refusals are not.
#[on_each_database]
async fn what_may_work_later_is_tried_again_with_the_same_key(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    for (number, fault) in [
        Fault::Status(429, None),
        Fault::Status(429, Some("0")),
        Fault::Status(409, None),
        Fault::Status(500, None),
        Fault::Status(503, Some("1")),
        Fault::Reset,
    ]
    .into_iter()
    .enumerate()
    {
        stripe.fail("POST /v1/checkout", fault.clone(), 2);
        pro(&server, &token).await.expect(201);
        let asked = stripe.asked("POST /v1/checkout");
        assert_eq!(asked.len(), (number + 1) * 3, "{fault:?}");
        let keys: BTreeSet<_> = asked.iter().skip(number * 3).map(|asked| &asked.key).collect();
        assert_eq!(keys.len(), 1, "{fault:?}");
    }
    // Nobody waits for that.
    stripe.fail("POST /v1/checkout", Fault::Status(429, Some("18446744073709551615")), 1);
    is_away(&pro(&server, &token).await);
    for (number, status) in [400, 401, 402, 403, 404].into_iter().enumerate() {
        stripe.fail("POST /v1/checkout", Fault::Status(status, None), 1);
        let answer = pro(&server, &token).await.expect(500);
        assert_eq!(answer.code(), "INTERNAL_ERROR");
        assert!(!answer.text.contains("out of order"), "{answer:?}");
        assert_eq!(stripe.asked("POST /v1/checkout").len(), 19 + number + 1, "{status}");
    }
    stripe.fail("POST /v1/checkout", Fault::Garbage, 1);
    pro(&server, &token).await.expect(500);
}

/// A customer that the provider refuses, or whose creation failed for good there, is requested again.
#[on_each_database]
async fn a_refused_customer_is_not_the_end(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    stripe.fail("POST /v1/customers", Fault::Status(400, None), 1);
    pro(&server, &token).await.expect(500);
    pro(&server, &token).await.expect(201);
    stripe.only_customer();
    // Stripe answers a key's requests as it answered the first, a failure too.
    let token = server.register("bob").await;
    stripe.fail("POST /v1/customers", Fault::Kept(500), 1);
    is_away(&pro(&server, &token).await);
    let answer = pro(&server, &token).await;
    assert_eq!(answer.status, 201, "the next one has another key: {answer:?}");
    assert_eq!(stripe.truth().customers.len(), 2);
}

#[on_each_database]
async fn a_customer_deleted_at_the_provider_is_made_anew(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    stripe.buy(&server, &token, "pro", "month").await;
    let first = stripe.only_customer();
    stripe.truth().delete(&first, stripe.now());
    pro(&server, &token).await.expect(201);
    let second = stripe.only_customer();
    assert_ne!(first, second);
    assert_eq!(plan(&server, &token).await, "free");
    // And when it is told of.
    let events = stripe.buy(&server, &token, "pro", "month").await;
    stripe.send(&server, events).await;
    assert_eq!(plan(&server, &token).await, "pro");
    let gone = stripe.truth().delete(&second, stripe.now());
    stripe.send(&server, gone).await;
    assert_eq!(plan(&server, &token).await, "free");
    assert!(server.get("/billing/subscription", &token).await.expect(200).json().is_null());
    assert_eq!(
        server.get("/billing/invoices", &token).await.expect(200).json()["invoices"].as_array().unwrap().len(),
        1
    );
    portal(&server, &token).await.expect(201);
    assert_ne!(stripe.only_customer(), second);
}

/// Killed between the customer's making and its storing, the service finds that customer again.
#[on_each_database]
async fn a_kill_makes_no_second_customer(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let mut service = stripe.spawn(&database, &[]).await;
    let token = service.register("alice").await;
    stripe.fail("POST /v1/customers", Fault::Hang, 1);
    let asking = tokio::spawn({
        let (request, body) = (
            service.request(reqwest::Method::POST, "/billing/checkout"),
            json!({ "planId": "pro", "interval": "month" }),
        );
        let request = request.bearer_auth(&token).json(&body);
        async move { request.send().await.is_err() }
    });
    eventually("the customer is made", async || (stripe.truth().customers.len() == 1).then_some(())).await;
    service.kill();
    assert!(asking.await.unwrap());
    let service = stripe.spawn(&database, &[]).await;
    pro(&service.http, &token).await.expect(201);
    stripe.only_customer();
    // The log at its most detailed level has no secrets.
    let log = service.log.lock().unwrap().clone();
    assert!(!log.contains(KEY) && !log.contains(SECRET), "{log}");
}

/// The provider is down, hangs, or answers slowly or without end: requests that need it fail soon, and others are not affected.
#[on_each_database]
async fn without_the_provider_all_else_works(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.spawn(&database, &[("LINKGRAPH_LOG", "trace")]).await;
    let token = server.register("alice").await;
    let events = stripe.buy(&server, &token, "pro", "month").await;
    stripe.send(&server, events).await;
    let bob = server.register("bob").await;
    let asks = async |what: &str| {
        let started = Instant::now();
        let mutation = "mutation { createCheckout(input: { planId: \"pro\", interval: \"month\" }) { sessionId } }";
        let (first, second, by_graphql) =
            tokio::join!(pro(&server, &bob), portal(&server, &token), server.graphql(&bob, mutation, json!({})));
        is_away(&first);
        is_away(&second);
        assert_eq!(by_graphql["errors"][0]["extensions"]["code"], "UNAVAILABLE", "{what}: {by_graphql}");
        assert!(started.elapsed() < BOUND, "{what}: {:?}", started.elapsed());
    };
    let others = async |what: &str| {
        let started = Instant::now();
        let slug = what.replace(' ', "-");
        server.link(&token, &slug).await;
        server.follow(&slug).await.expect(302);
        for path in ["subscription", "invoices", "usage", "plans"] {
            server.get(&format!("/billing/{path}"), &token).await.expect(200);
        }
        assert_eq!(server.get("/billing/subscription", &token).await.json()["planId"], "pro");
        assert!(started.elapsed() < BOUND, "{what}: {:?}", started.elapsed());
    };
    // Each in its way.
    stripe.fail("GET /v1/customers", Fault::Drip, 1_000);
    stripe.fail("GET /v1/invoices", Fault::Endless, 1_000);
    stripe.fail("", Fault::Hang, 1_000);
    tokio::join!(asks("it hangs"), others("it hangs"));
    stripe.heal();
    stripe.down().await;
    tokio::join!(asks("it is down"), others("it is down"));
    stripe.up().await;
    pro(&server, &bob).await.expect(201);
    let log = server.log.lock().unwrap().clone();
    assert!(log.contains("The payment provider does not answer"), "it says so");
    for secret in [KEY, SECRET, "hunter2"] {
        assert!(!log.contains(secret), "{}", log.lines().find(|line| line.contains(secret)).unwrap());
    }
}

#[on_each_database]
async fn api_keys_need_scopes_and_see_no_money(database: TestDatabase) {
    let stripe = Stripe::start().await;
    let server = stripe.serve(&database, &[]).await;
    let token = server.register("alice").await;
    let none = server.api_key(&token, &[]).await;
    let reads = server.api_key(&token, &["billing:read"]).await;
    let manages = server.api_key(&token, &["billing:manage"]).await;
    for path in ["usage", "invoices", "subscription"] {
        for key in [&none, &reads, &manages] {
            let answer = server.get(&format!("/billing/{path}"), key).await.expect(401);
            assert_eq!(answer.code(), "UNAUTHENTICATED");
            let challenge = "Bearer error=\"invalid_token\", error_description=\"This operation takes a user token, not an API key.\"";
            assert_eq!(answer.header("www-authenticate"), challenge);
        }
        server.get(&format!("/billing/{path}"), "").await.expect(401);
        server.get(&format!("/billing/{path}"), &token).await.expect(200);
    }
    let lacks_scope = |answer: Answer| {
        let answer = answer.expect(403);
        assert_eq!(
            (answer.code().as_str(), &answer.json()["error"]["message"]),
            ("FORBIDDEN", &json!("Missing required scope."))
        );
    };
    for key in [&none, &manages] {
        lacks_scope(server.get("/billing/plans", key).await);
    }
    for key in [&none, &reads] {
        lacks_scope(pro(&server, key).await);
        lacks_scope(portal(&server, key).await);
    }
    assert_eq!(stripe.asked("").len(), 0);
    server.get("/billing/plans", &reads).await.expect(200);
    pro(&server, &manages).await.expect(201);
    portal(&server, &manages).await.expect(201);
    let other = server.register("bob").await;
    assert_eq!(server.get("/billing/invoices", &other).await.expect(200).json(), json!({ "invoices": [] }));
}

/// Two nodes on one database: still one customer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_make_one_customer() {
    let database = TestDatabase::postgres().await;
    let stripe = Stripe::start().await;
    let other = database.node();
    let (first, second) = (stripe.serve(&database, &[]).await, stripe.serve(&other, &[]).await);
    let token = first.register("alice").await;
    stripe.slow(20, 60);
    let asks = (0..32).map(|number| pro(if number % 2 == 0 { &first } else { &second }, &token));
    for answer in join_all(asks).await {
        answer.expect(201);
    }
    stripe.only_customer();
    let events = stripe.buy(&first, &token, "pro", "month").await;
    // The same events to both at once.
    stripe.slow(0, 10);
    tokio::join!(stripe.send(&first, events.clone()), stripe.send(&second, events));
    assert_eq!(database.events("invoice.paid").await, 1);
    assert_eq!((plan(&first, &token).await, plan(&second, &token).await), ("pro".to_owned(), "pro".to_owned()));
    first.stop().await;
    second.stop().await;
}
