//! State of the fake Stripe: customers, their subscriptions and payments, and the changes of these. Each
//! happening answers the events that Stripe would send. Nothing here is shared with the service: times are in seconds,
//! and objects are written as version 2025-03-31.basil writes them.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

/// One day, in seconds.
pub(crate) const DAY: i64 = 86_400;

/// Prices with their plan, interval and amount, from small to large.
pub(crate) const PRICES: [(&str, &str, &str, i64); 4] = [
    ("price_pm", "pro", "month", 900),
    ("price_py", "pro", "year", 9_000),
    ("price_bm", "business", "month", 4_900),
    ("price_by", "business", "year", 49_000),
];

/// Plan, interval and amount of a price.
pub(crate) fn price(id: &str) -> (&'static str, &'static str, i64) {
    let (_, plan, interval, amount) = PRICES.into_iter().find(|(known, ..)| *known == id).unwrap();
    (plan, interval, amount)
}

#[derive(Clone, Debug)]
pub(crate) struct Subscription {
    pub(crate) id: String,
    pub(crate) status: &'static str,
    pub(crate) price: String,
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) cancel_at_period_end: bool,
    pub(crate) created: i64,
}

impl Subscription {
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.status, "canceled" | "incomplete_expired")
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Invoice {
    pub(crate) id: String,
    pub(crate) subscription: String,
    pub(crate) status: &'static str,
    pub(crate) amount: i64,
    pub(crate) created: i64,
    /// Instead of the usual address of its page.
    pub(crate) url: Option<String>,
    /// Fields that are written instead of the usual ones.
    pub(crate) odd: Json,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Customer {
    pub(crate) email: String,
    pub(crate) account: String,
    pub(crate) deleted: bool,
    /// Oldest first.
    pub(crate) subscriptions: Vec<Subscription>,
    /// Oldest first.
    pub(crate) invoices: Vec<Invoice>,
}

impl Customer {
    pub(crate) fn subscription(&mut self, id: &str) -> &mut Subscription {
        self.subscriptions.iter_mut().find(|it| it.id == id).unwrap()
    }

    /// The newest subscription that is not over.
    pub(crate) fn live(&self) -> Option<&Subscription> {
        self.subscriptions.iter().rev().find(|it| !it.is_over())
    }
}

#[derive(Debug, Default)]
pub(crate) struct Truth {
    pub(crate) customers: BTreeMap<String, Customer>,
    pub(crate) livemode: bool,
    numbers: u64,
}

impl Truth {
    pub(crate) fn id(&mut self, prefix: &str) -> String {
        self.numbers += 1;
        // Long, as Stripe's are, and in no order.
        let scrambled = self.numbers.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!("{prefix}_{scrambled:016x}{:06}", self.numbers)
    }

    pub(crate) fn customer(&mut self, id: &str) -> &mut Customer {
        self.customers.get_mut(id).unwrap()
    }

    /// Makes a customer.
    pub(crate) fn create(&mut self, email: &str, account: &str) -> String {
        let id = self.id("cus");
        let customer = Customer { email: email.to_owned(), account: account.to_owned(), ..Customer::default() };
        self.customers.insert(id.clone(), customer);
        id
    }

    /// The event that something happened to an object.
    pub(crate) fn event(&mut self, kind: &str, object: &Json, now: i64) -> Json {
        json!({
            "id": self.id("evt"), "object": "event", "api_version": "2025-03-31.basil", "created": now,
            "data": { "object": object }, "livemode": self.livemode, "pending_webhooks": 1,
            "request": { "id": null, "idempotency_key": null }, "type": kind,
        })
    }

    fn of_subscription(&mut self, kind: &str, customer: &str, id: &str, now: i64) -> Json {
        let subscription = self.customer(customer).subscription(id).clone();
        let object = subscription_json(customer, &subscription, self.livemode);
        self.event(&format!("customer.subscription.{kind}"), &object, now)
    }

    fn of_invoice(&mut self, kind: &str, customer: &str, id: &str, now: i64) -> Json {
        let invoice = self.customer(customer).invoices.iter().find(|it| it.id == id).unwrap().clone();
        let object = invoice_json(customer, &invoice, self.livemode);
        self.event(&format!("invoice.{kind}"), &object, now)
    }

    /// Adds an invoice; its id.
    pub(crate) fn invoice(
        &mut self,
        customer: &str,
        subscription: &str,
        status: &'static str,
        amount: i64,
        now: i64,
    ) -> String {
        let id = self.id("in");
        let subscription = subscription.to_owned();
        let invoice =
            Invoice { id: id.clone(), subscription, status, amount, created: now, url: None, odd: Json::Null };
        self.customer(customer).invoices.push(invoice);
        id
    }

    /// A checkout was completed, with a trial or without.
    pub(crate) fn subscribe(&mut self, customer: &str, price_id: &str, is_trial: bool, now: i64) -> Vec<Json> {
        let id = self.id("sub");
        let (_, interval, amount) = price(price_id);
        let days = if is_trial { 14 } else { days(interval) };
        let status = if is_trial { "trialing" } else { "active" };
        self.customer(customer).subscriptions.push(Subscription {
            id: id.clone(),
            status,
            price: price_id.to_owned(),
            start: now,
            end: now + days * DAY,
            cancel_at_period_end: false,
            created: now,
        });
        let invoice = self.invoice(customer, &id, "paid", if is_trial { 0 } else { amount }, now);
        let session =
            json!({ "id": self.id("cs_test"), "object": "checkout.session", "customer": customer, "subscription": id });
        vec![
            self.of_subscription("created", customer, &id, now),
            self.of_invoice("finalized", customer, &invoice, now),
            self.of_invoice("paid", customer, &invoice, now),
            self.event("checkout.session.completed", &session, now),
        ]
    }

    /// A subscription that waits for its first payment.
    pub(crate) fn begin(&mut self, customer: &str, price_id: &str, now: i64) -> Vec<Json> {
        let mut events = self.subscribe(customer, price_id, false, now);
        let customer_ = self.customer(customer);
        customer_.subscriptions.last_mut().unwrap().status = "incomplete";
        customer_.invoices.last_mut().unwrap().status = "open";
        events.truncate(2);
        events
    }

    /// Another plan or interval; what is dearer is billed at once.
    pub(crate) fn switch(&mut self, customer: &str, id: &str, to: &str, now: i64) -> Vec<Json> {
        let subscription = self.customer(customer).subscription(id);
        let more = price(to).2 - price(&subscription.price).2;
        to.clone_into(&mut subscription.price);
        (subscription.start, subscription.end) = (now, now + days(price(to).1) * DAY);
        if more > 0 && matches!(subscription.status, "past_due" | "unpaid") {
            // The newest invoice is paid then.
            subscription.status = "active";
        }
        let mut events = vec![self.of_subscription("updated", customer, id, now)];
        if more > 0 {
            let invoice = self.invoice(customer, id, "paid", more, now);
            events.push(self.of_invoice("paid", customer, &invoice, now));
        }
        events
    }

    /// The next period begins, and is paid or not.
    pub(crate) fn renew(&mut self, customer: &str, id: &str, is_paid: bool, now: i64) -> Vec<Json> {
        let subscription = self.customer(customer).subscription(id);
        let (_, interval, amount) = price(&subscription.price);
        (subscription.start, subscription.end) = (now, now + days(interval) * DAY);
        subscription.status = if is_paid { "active" } else { "past_due" };
        let invoice = self.invoice(customer, id, if is_paid { "paid" } else { "open" }, amount, now);
        vec![
            self.of_invoice("created", customer, &invoice, now),
            self.of_invoice(if is_paid { "paid" } else { "payment_failed" }, customer, &invoice, now),
            self.of_subscription("updated", customer, id, now),
        ]
    }

    /// All that was open is paid.
    pub(crate) fn recover(&mut self, customer: &str, id: &str, now: i64) -> Vec<Json> {
        self.customer(customer).subscription(id).status = "active";
        let mut paid = Vec::new();
        for invoice in self.customer(customer).invoices.iter_mut().filter(|it| it.subscription == id) {
            if invoice.status == "open" {
                invoice.status = "paid";
                paid.push(invoice.id.clone());
            }
        }
        let mut events: Vec<_> = paid.iter().map(|invoice| self.of_invoice("paid", customer, invoice, now)).collect();
        events.push(self.of_subscription("updated", customer, id, now));
        events
    }

    /// Writes off an invoice.
    pub(crate) fn forgive(&mut self, customer: &str, id: &str, how: &'static str, now: i64) -> Vec<Json> {
        self.customer(customer).subscription(id).status = "active";
        let mut forgiven = Vec::new();
        for invoice in self.customer(customer).invoices.iter_mut().filter(|it| it.subscription == id) {
            if invoice.status == "open" {
                invoice.status = how;
                forgiven.push(invoice.id.clone());
            }
        }
        let kind = if how == "void" { "voided" } else { "marked_uncollectible" };
        let mut events: Vec<_> = forgiven.iter().map(|it| self.of_invoice(kind, customer, it, now)).collect();
        events.push(self.of_subscription("updated", customer, id, now));
        events
    }

    /// Whatever else changes a subscription.
    pub(crate) fn update(
        &mut self,
        customer: &str,
        id: &str,
        now: i64,
        change: impl FnOnce(&mut Subscription),
    ) -> Vec<Json> {
        change(self.customer(customer).subscription(id));
        vec![self.of_subscription("updated", customer, id, now)]
    }

    /// The subscription ends.
    pub(crate) fn cancel(&mut self, customer: &str, id: &str, now: i64) -> Vec<Json> {
        self.customer(customer).subscription(id).status = "canceled";
        vec![self.of_subscription("deleted", customer, id, now)]
    }

    /// Money goes back: the subscription and its invoices stay as they are.
    pub(crate) fn refund(&mut self, customer: &str, now: i64) -> Vec<Json> {
        let charge = json!({ "id": self.id("ch"), "object": "charge", "customer": customer, "refunded": true });
        vec![self.event("charge.refunded", &charge, now)]
    }

    /// The customer goes, and its subscriptions with it.
    pub(crate) fn delete(&mut self, customer: &str, now: i64) -> Vec<Json> {
        let live: Vec<_> = self.customer(customer).subscriptions.iter().filter(|it| !it.is_over()).cloned().collect();
        let mut events: Vec<_> = live.iter().flat_map(|it| self.cancel(customer, &it.id, now)).collect();
        self.customer(customer).deleted = true;
        let object = json!({ "id": customer, "object": "customer" });
        events.push(self.event("customer.deleted", &object, now));
        events
    }
}

fn days(interval: &str) -> i64 {
    if interval == "year" { 365 } else { 30 }
}

pub(crate) fn customer_json(id: &str, customer: &Customer, livemode: bool) -> Json {
    if customer.deleted {
        return json!({ "id": id, "object": "customer", "deleted": true });
    }
    json!({
        "id": id, "object": "customer", "email": customer.email, "livemode": livemode, "balance": 0,
        "metadata": { "account": customer.account },
    })
}

pub(crate) fn subscription_json(customer: &str, it: &Subscription, livemode: bool) -> Json {
    let (plan, interval, amount) = price(&it.price);
    let item = json!({
        "id": format!("si_{}", it.id), "object": "subscription_item", "quantity": 1,
        "current_period_start": it.start, "current_period_end": it.end,
        "price": {
            "id": it.price, "object": "price", "nickname": plan, "currency": "eur", "unit_amount": amount,
            "recurring": { "interval": interval, "interval_count": 1 },
        },
    });
    json!({
        "id": it.id, "object": "subscription", "customer": customer, "status": it.status, "created": it.created,
        "cancel_at_period_end": it.cancel_at_period_end, "livemode": livemode, "metadata": {},
        "items": { "object": "list", "data": [item], "has_more": false, "url": "/v1/subscription_items" },
    })
}

pub(crate) fn invoice_json(customer: &str, it: &Invoice, livemode: bool) -> Json {
    let is_final = it.status != "draft";
    let page = |end: &str| match &it.url {
        Some(url) => json!(url),
        None if is_final => json!(format!("https://invoice.example.com/{}{end}", it.id)),
        None => Json::Null,
    };
    let mut json = json!({
        "id": it.id, "object": "invoice", "customer": customer, "status": it.status, "created": it.created,
        "number": is_final.then(|| format!("LG-{}", &it.id[it.id.len() - 6..])), "currency": "eur", "livemode": livemode,
        "amount_due": it.amount, "amount_paid": if it.status == "paid" { it.amount } else { 0 },
        "hosted_invoice_url": page(""), "invoice_pdf": page("/pdf"),
        "parent": {
            "type": "subscription_details", "quote_details": null,
            "subscription_details": { "metadata": {}, "subscription": it.subscription },
        },
    });
    for (name, value) in it.odd.as_object().into_iter().flatten() {
        json[name] = value.clone();
    }
    json
}
