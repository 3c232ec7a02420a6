//! Generated histories of payment: what happens at the provider while its events arrive three times each, in any order,
//! five at once, and the service is killed again and again. In the end each account is what the provider shows, by rules
//! written here a second time. Small in the suite; `scripts/soak` runs the same at full size.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use entity::{account, billing_customer, invoice, outbox_event, provider_event, subscription};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseConnection, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
    TransactionTrait,
};
use serde_json::Value as Json;
use uuid::Uuid;

use crate::{
    on_each_database,
    support::{
        Http, TestDatabase, setting,
        stripe::{
            SECRET, Stripe, post, sign,
            truth::{Customer, DAY, PRICES, Truth, price},
        },
    },
};

/// Deliveries at once.
const WORKERS: usize = 5;
/// How often each event is delivered, not counting what was refused.
const COPIES: usize = 3;
const GRACE: i64 = 14 * DAY * 1_000;

/// The events of one customer at the provider.
struct History {
    customer: String,
    steps: usize,
    /// In seconds, long ago: the steps are days apart.
    time: i64,
}

impl History {
    /// Something happens; the events of it.
    fn step(&mut self, truth: &mut Truth, random: &mut StdRng) -> Vec<Json> {
        self.steps -= 1;
        self.time += random.random_range(DAY / 2..5 * DAY);
        let (customer, now) = (self.customer.as_str(), self.time);
        let new_price = PRICES.choose(random).unwrap().0;
        let it = &truth.customers[customer];
        if it.deleted {
            return truth.refund(customer, now);
        }
        let owes = |id: &str| it.invoices.iter().any(|invoice| invoice.subscription == id && invoice.status == "open");
        let Some(live) = it.live().cloned() else {
            return match random.random_range(0..10) {
                0 => truth.begin(customer, new_price, now),
                1 => truth.subscribe(customer, new_price, true, now),
                2 if !it.subscriptions.is_empty() => truth.refund(customer, now),
                _ => truth.subscribe(customer, new_price, false, now),
            };
        };
        let id = live.id.as_str();
        match live.status {
            "incomplete" if random.random_bool(0.3) => {
                truth.update(customer, id, now, |it| it.status = "incomplete_expired")
            }
            "incomplete" => truth.recover(customer, id, now),
            "past_due" | "unpaid" if random.random_bool(0.7) => match random.random_range(0..10) {
                0 => truth.forgive(customer, id, "void", now),
                1 => truth.forgive(customer, id, "uncollectible", now),
                2 | 3 => truth.renew(customer, id, false, now),
                4 => truth.update(customer, id, now, |it| it.status = "unpaid"),
                5 => truth.cancel(customer, id, now),
                _ if owes(id) => truth.recover(customer, id, now),
                _ => truth.renew(customer, id, true, now),
            },
            _ => match random.random_range(0..20) {
                0..5 => truth.switch(customer, id, new_price, now),
                5..8 => truth.renew(customer, id, true, now),
                8..12 => truth.renew(customer, id, false, now),
                12 | 13 => truth.update(customer, id, now, |it| it.cancel_at_period_end = !it.cancel_at_period_end),
                14 | 15 => truth.cancel(customer, id, now),
                16 => truth.refund(customer, now),
                // Two tabs, two checkouts.
                17 | 18 => truth.subscribe(customer, new_price, false, now),
                _ if random.random_bool(0.3) => truth.delete(customer, now),
                _ => truth.refund(customer, now),
            },
        }
    }
}

/// The expected state of the account: the provider's id of the subscription, its plan, status and past due since; and the plan in
/// force with its end.
#[derive(Debug, PartialEq)]
struct Canonical {
    subscription: Option<(String, String, String, bool, i64, i64, i64)>,
    status: Option<&'static str>,
    plan: Option<String>,
    plan_until: Option<i64>,
}

fn canonical(customer: &Customer) -> Canonical {
    let class = |status: &str| match status {
        "active" => Some((2, "ACTIVE")),
        "trialing" => Some((2, "TRIALING")),
        "past_due" | "unpaid" => Some((1, "PAST_DUE")),
        "canceled" => Some((0, "CANCELED")),
        _ => None,
    };
    let begun = customer.subscriptions.iter().filter_map(|it| Some((class(it.status)?, it)));
    let best = begun.max_by_key(|((rank, _), it)| (*rank, price(&it.price).0 == "business", it.created));
    let Some(((_, status), it)) = best else {
        return Canonical { subscription: None, status: None, plan: None, plan_until: None };
    };
    let (plan, interval, _) = price(&it.price);
    let in_force = status != "CANCELED";
    // The first unpaid invoice since the last payment.
    let billed: Vec<_> = customer.invoices.iter().filter(|invoice| invoice.subscription == it.id).collect();
    let since_paid = billed.iter().rposition(|invoice| invoice.status == "paid").map_or(0, |last| last + 1);
    let owed = billed[since_paid..].iter().find(|invoice| matches!(invoice.status, "open" | "uncollectible"));
    let until = (status == "PAST_DUE").then(|| owed.unwrap().created * 1_000 + GRACE);
    Canonical {
        subscription: Some((
            it.id.clone(),
            plan.to_owned(),
            interval.to_owned(),
            it.cancel_at_period_end,
            it.start * 1_000,
            it.end * 1_000,
            it.created * 1_000,
        )),
        status: Some(status),
        plan: in_force.then(|| plan.to_owned()),
        plan_until: until,
    }
}

fn stored(account: &account::Model, subscription: Option<&subscription::Model>) -> Canonical {
    let known = ["ACTIVE", "TRIALING", "PAST_DUE", "CANCELED"];
    Canonical {
        status: subscription.map(|it| *known.iter().find(|name| **name == it.status).unwrap()),
        subscription: subscription.map(|it| {
            (
                it.provider_id.clone(),
                it.plan.clone(),
                it.interval.clone(),
                it.cancel_at_period_end,
                it.current_period_start,
                it.current_period_end,
                it.created_at,
            )
        }),
        plan: account.plan.clone(),
        plan_until: account.plan_until,
    }
}

/// Accounts with customers, straight into the database: to register a thousand users would take a minute of Argon2, and a
/// checkout is not what is tested here. Answers which account has which customer.
async fn set_up(connection: &DatabaseConnection, stripe: &Stripe, number: u64) -> BTreeMap<Uuid, String> {
    let tx = connection.begin().await.unwrap();
    let mut made = BTreeMap::new();
    for _ in 0..number {
        let id = Uuid::now_v7();
        let customer = stripe.truth().create("somebody@example.com", &id.to_string());
        let owner = account::Model {
            name: None,
            updated_at: 1,
            id,
            plan: None,
            plan_until: None,
            earlier_plan: None,
            earlier_plan_until: None,
            link_count: 0,
            created_at: 1,
            suspended_at: None,
            deleted_at: None,
        };
        owner.into_active_model().reset_all().insert(&tx).await.unwrap();
        let row = billing_customer::Model {
            account_id: id,
            provider: "stripe-test".to_owned(),
            request_key: Uuid::now_v7(),
            email: "somebody@example.com".to_owned(),
            name: "Somebody".to_owned(),
            customer_id: Some(customer.clone()),
            created_at: 1,
            tickets: 0,
            synced: 0,
            synced_at: None,
        };
        row.into_active_model().reset_all().insert(&tx).await.unwrap();
        made.insert(id, customer);
    }
    tx.commit().await.unwrap();
    made
}

/// The histories under way, and their events that are still to be delivered.
struct Play {
    random: StdRng,
    /// The histories that are not over.
    histories: Vec<History>,
    /// Deliveries to make.
    waiting: Vec<Json>,
    in_flight: usize,
    /// All events so far: their type and customer, by id.
    events: HashMap<String, (String, String)>,
    acknowledged: Vec<Duration>,
    refused: usize,
}

impl Play {
    /// Something happens, and its events wait to be delivered.
    fn happen(&mut self, truth: &mut Truth) {
        if self.histories.is_empty() {
            return;
        }
        // A few go on at once, so that they go on while the service looks at them.
        let chosen = self.random.random_range(0..self.histories.len().min(3));
        let history = &mut self.histories[chosen];
        for event in history.step(truth, &mut self.random) {
            let (id, kind) = (event["id"].as_str().unwrap(), event["type"].as_str().unwrap());
            self.events.insert(id.to_owned(), (kind.to_owned(), history.customer.clone()));
            self.waiting.extend(std::iter::repeat_n(event, COPIES));
        }
        if history.steps == 0 {
            self.histories.swap_remove(chosen);
        }
    }

    /// Any of the deliveries that wait.
    fn next(&mut self) -> Option<Json> {
        let next = (!self.waiting.is_empty()).then(|| self.random.random_range(0..self.waiting.len()))?;
        self.in_flight += 1;
        Some(self.waiting.swap_remove(next))
    }

    /// Notes the answer to a delivery and returns whether it was acknowledged. A delivery without an answer, or answered
    /// 503, is made again later, as the provider does.
    fn answered(&mut self, event: Json, status: Option<u16>, took: Duration) -> bool {
        self.in_flight -= 1;
        match status {
            Some(200) => self.acknowledged.push(took),
            None | Some(503) => {
                self.refused += 1;
                self.waiting.push(event);
            }
            Some(other) => panic!("{other} to {event}"),
        }
        status == Some(200)
    }

    fn is_over(&self) -> bool {
        self.waiting.is_empty() && self.in_flight == 0 && self.histories.is_empty()
    }
}

/// State that the workers share.
struct Field {
    stripe: Stripe,
    play: Mutex<Play>,
    /// The service that is running.
    service: Mutex<Http>,
    deadline: Instant,
}

impl Field {
    fn play(&self) -> MutexGuard<'_, Play> {
        // The first panic is what the test reports, not those of the other workers after it.
        self.play.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Option<Json> {
        let mut play = self.play();
        assert!(Instant::now() < self.deadline, "not over: {} wait, {} were refused", play.waiting.len(), play.refused);
        // As much happens as keeps the deliveries in some disorder.
        if play.waiting.len() < 20 {
            play.happen(&mut self.stripe.truth());
        }
        play.next()
    }

    async fn work(&self) {
        while !self.play().is_over() {
            let Some(event) = self.next() else {
                tokio::time::sleep(Duration::from_millis(5)).await;
                continue;
            };
            let http = self.service.lock().unwrap().clone();
            let body = event.to_string();
            let header = sign(body.as_bytes(), SECRET, self.stripe.now());
            let started = Instant::now();
            let answer = post(&http, body.into_bytes(), &header).send().await.map(|answer| answer.status().as_u16());
            if !self.play().answered(event, answer.ok(), started.elapsed()) {
                // The service is being started again, or its database is busy.
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    }
}

#[on_each_database]
async fn histories_end_in_what_the_provider_shows(database: TestDatabase) {
    let (number, kills) = (setting("LINKGRAPH_SOAK_PAYMENTS", 80), setting("LINKGRAPH_SOAK_PAYMENT_KILLS", 5));
    let seed = setting("LINKGRAPH_SOAK_SEED", rand::random::<u32>().into());
    println!("seed {seed}");
    let mut random = StdRng::seed_from_u64(seed);
    let stripe = Stripe::start().await;
    // Looks overlap, and end in another order than they began in.
    stripe.slow(0, 6);
    let settings = [("LINKGRAPH_LOG", "error,linkgraph::server=info")];
    let mut service = stripe.spawn(&database, &settings).await;
    let connection = database.connect().await;
    let accounts = set_up(&connection, &stripe, number).await;
    let long_ago = stripe.now() - 200 * DAY;
    let histories = accounts.values().map(|customer| History {
        customer: customer.clone(),
        steps: random.random_range(2..8),
        time: long_ago,
    });
    let play = Play {
        histories: histories.collect(),
        random: StdRng::seed_from_u64(random.random()),
        waiting: Vec::new(),
        in_flight: 0,
        events: HashMap::new(),
        acknowledged: Vec::new(),
        refused: 0,
    };
    // A thousand take 400 s on a slow machine; the runner would end this without a word after 270.
    let deadline = Instant::now() + Duration::from_secs(120 + number * 3 / 5);
    let service_ = Mutex::new(service.http.clone());
    let field = Arc::new(Field { stripe, play: Mutex::new(play), service: service_, deadline });
    let started = Instant::now();
    let workers: Vec<_> = (0..WORKERS)
        .map(|_| {
            let field = Arc::clone(&field);
            tokio::spawn(async move { field.work().await })
        })
        .collect();
    let mut killed = 0;
    while killed < kills && !field.play().is_over() {
        tokio::time::sleep(Duration::from_millis(random.random_range(50..1_000))).await;
        service.kill();
        service = field.stripe.spawn(&database, &settings).await;
        *field.service.lock().unwrap() = service.http.clone();
        killed += 1;
    }
    for worker in workers {
        worker.await.unwrap();
    }
    let took = started.elapsed();
    compare(&field, &accounts, &connection).await;
    connection.close().await.unwrap();
    let mut play = field.play();
    play.acknowledged.sort_unstable();
    let at = |hundredth: usize| play.acknowledged[(play.acknowledged.len() - 1) * hundredth / 100];
    println!(
        "{number} histories, {} events, {} deliveries taken and {} not, {killed} kills: {took:?}; \
             acknowledged within p50 {:?}, p99 {:?}, max {:?}",
        play.events.len(),
        play.acknowledged.len(),
        play.refused,
        at(50),
        at(99),
        at(100),
    );
}

async fn compare(field: &Field, accounts: &BTreeMap<Uuid, String>, connection: &DatabaseConnection) {
    let rows = account::Entity::find().all(connection).await.unwrap();
    let subscriptions = subscription::Entity::find().all(connection).await.unwrap();
    let subscriptions: HashMap<Uuid, _> = subscriptions.into_iter().map(|it| (it.account_id, it)).collect();
    let invoices = invoice::Entity::find().all(connection).await.unwrap();
    let outbox = outbox_event::Entity::find().order_by_asc(outbox_event::Column::Id).all(connection).await.unwrap();
    let mut told: HashMap<Uuid, usize> = HashMap::new();
    let mut last: HashMap<Uuid, Json> = HashMap::new();
    for event in outbox {
        match event.kind.as_str() {
            "invoice.paid" => *told.entry(event.subject_id).or_default() += 1,
            _ => drop(last.insert(event.account_id, serde_json::from_str(&event.payload).unwrap())),
        }
    }
    let truth = field.stripe.truth().customers.clone();
    assert_eq!(rows.len(), accounts.len());
    let mut gone = BTreeSet::new();
    for row in rows {
        let customer = &truth[&accounts[&row.id]];
        let subscription = subscriptions.get(&row.id);
        if let Some(subscription) = subscription {
            assert_eq!(last[&row.id]["status"], subscription.status, "the last that others were told: {row:?}");
        }
        let stored = stored(&row, subscription);
        if customer.deleted {
            // Changes that were not read before the customer was deleted are lost with it.
            gone.insert(accounts[&row.id].clone());
            assert_eq!((&stored.plan, stored.plan_until), (&None, None), "{customer:#?}");
            assert!(matches!(stored.status, None | Some("CANCELED")), "{stored:?}");
            continue;
        }
        assert_eq!(stored, canonical(customer), "{customer:#?}");
        let mine: BTreeMap<_, _> =
            invoices.iter().filter(|it| it.account_id == row.id).map(|it| (&it.provider_id, it)).collect();
        assert_eq!(mine.len(), customer.invoices.len());
        for paid in &customer.invoices {
            let stored = mine[&paid.id];
            assert_eq!(stored.status, paid.status, "{paid:?}");
            let times = told.get(&stored.id).copied().unwrap_or_default();
            assert_eq!(times, usize::from(paid.status == "paid"), "{paid:?} was told of {times} times");
        }
    }
    assert!(told.values().all(|times| *times == 1));
    let noted = provider_event::Entity::find().filter(provider_event::Column::Id.ne("")).all(connection).await.unwrap();
    let noted: BTreeSet<_> = noted.into_iter().map(|event| event.id).collect();
    for (id, (kind, customer)) in &field.play().events {
        let is_relevant = kind != "charge.refunded";
        if !gone.contains(customer) || !is_relevant {
            assert_eq!(noted.contains(id), is_relevant, "{kind} {id}");
        }
    }
}
