//! The state of a sandbox customer, and its changes. Pure: the caller holds the customer's lock and stores the state.

use chrono::{DateTime, Datelike, Months};
use serde_json::Value as Json;

use super::{
    held::Held,
    objects::{self, new_id},
};
use crate::{
    base::{
        clock::{SECOND, UnixMillis},
        config::Prices,
        error::ApiError,
        tier::{CURRENCY, Interval, Offer},
    },
    payments::provider::{ProviderInvoice, ProviderSubscription, Sold},
};

/// Most periods that one call of [`Books::renew`] begins: ten years of months.
const MAX_RENEWALS: usize = 120;

/// An event to send to the service: its type, and its object at that time.
pub(crate) type Notice = (&'static str, Json);

/// An action that the customer portal offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Switches to another plan or interval, and pays for a new period.
    Switch(Offer),
    /// Begins the next period now, with a payment that fails.
    Fail,
    /// Pays the open invoices.
    Pay,
    /// Cancels the subscription at the end of the paid period.
    CancelAtPeriodEnd,
    /// Withdraws the scheduled cancellation.
    Resume,
    /// Ends the subscription now.
    End,
}

impl Action {
    pub(crate) fn all() -> impl Iterator<Item = Action> {
        let others = [Action::Pay, Action::Fail, Action::CancelAtPeriodEnd, Action::Resume, Action::End];
        Offer::all().map(Action::Switch).chain(others)
    }

    /// The action's value in the portal's form.
    pub(crate) fn word(self) -> String {
        match self {
            Action::Switch(offer) => format!("switch-{}-{}", offer.plan.as_str(), offer.interval.as_str()),
            Action::Fail => "fail".to_owned(),
            Action::Pay => "pay".to_owned(),
            Action::CancelAtPeriodEnd => "cancel".to_owned(),
            Action::Resume => "resume".to_owned(),
            Action::End => "end".to_owned(),
        }
    }

    pub(crate) fn parse(word: &str) -> Option<Action> {
        Action::all().find(|action| action.word() == word)
    }
}

/// The subscriptions and invoices of a customer.
#[derive(Clone, Debug)]
pub(crate) struct Books {
    pub(crate) customer: String,
    pub(crate) base_url: String,
    /// The prices of the sandbox.
    pub(crate) prices: Prices,
    /// Oldest first; at most the last has not ended.
    pub(crate) subscriptions: Vec<Held>,
    /// Oldest first.
    pub(crate) invoices: Vec<ProviderInvoice>,
    /// Events to send to the service.
    pub(crate) notices: Vec<Notice>,
}

impl Books {
    /// The subscription that has not ended.
    pub(crate) fn live(&self) -> Option<&ProviderSubscription> {
        self.subscriptions.last().map(|held| &held.subscription).filter(|it| it.status != "canceled")
    }

    /// The actions that are possible now: none without a live subscription.
    pub(crate) fn actions(&self) -> impl Iterator<Item = Action> {
        let live = self.live().cloned();
        Action::all().filter(move |action| live.as_ref().is_some_and(|it| applies(*action, it)))
    }

    /// Performs the action. `false`: it is not possible now.
    pub(crate) fn act(&mut self, action: Action, now: UnixMillis) -> Result<bool, ApiError> {
        if !self.actions().any(|it| it == action) {
            return Ok(false);
        }
        let Some(index) = self.subscriptions.len().checked_sub(1) else { return Ok(false) };
        match action {
            Action::Switch(offer) => {
                self.begin_period(index, offer, whole(now));
                self.subscriptions[index].subscription.cancel_at_period_end = false;
                self.notify_of(index, "customer.subscription.updated");
                self.invoice(index, "paid", whole(now))?;
            }
            Action::Fail => {
                let offer = self.subscriptions[index].subscription.sold.offer;
                self.begin_period(index, offer, whole(now));
                "past_due".clone_into(&mut self.subscriptions[index].subscription.status);
                self.invoice(index, "open", whole(now))?;
                self.notify_of(index, "customer.subscription.updated");
            }
            Action::Pay => {
                self.settle("paid", "invoice.paid");
                "active".clone_into(&mut self.subscriptions[index].subscription.status);
                self.notify_of(index, "customer.subscription.updated");
            }
            Action::CancelAtPeriodEnd | Action::Resume => {
                self.subscriptions[index].subscription.cancel_at_period_end = action == Action::CancelAtPeriodEnd;
                self.notify_of(index, "customer.subscription.updated");
            }
            Action::End => self.end(index),
        }
        Ok(true)
    }

    /// Begins a subscription and pays for it; answers its id. There must be none.
    pub(crate) fn begin(&mut self, offer: Offer, now: UnixMillis) -> Result<String, ApiError> {
        let (id, now) = (new_id("sub")?, whole(now));
        let subscription = ProviderSubscription {
            id: id.clone(),
            status: "active".to_owned(),
            sold: self.sold(offer),
            current_period_start: now,
            current_period_end: period_end(now, now, offer.interval),
            cancel_at_period_end: false,
            created_at: now,
        };
        self.subscriptions.push(Held { subscription, anchor: now });
        let index = self.subscriptions.len() - 1;
        self.notify_of(index, "customer.subscription.created");
        self.invoice(index, "paid", now)?;
        Ok(id)
    }

    /// Begins the periods that are due, or ends the subscription.
    pub(crate) fn renew(&mut self, now: UnixMillis) -> Result<(), ApiError> {
        for _ in 0..MAX_RENEWALS {
            let Some(it) = self.live().filter(|it| it.current_period_end <= now) else { break };
            let index = self.subscriptions.len() - 1;
            if it.cancel_at_period_end {
                self.end(index);
            } else if it.status == "active" {
                let held = &mut self.subscriptions[index];
                let start = held.subscription.current_period_end;
                held.subscription.current_period_start = start;
                held.subscription.current_period_end =
                    period_end(held.anchor, start, held.subscription.sold.offer.interval);
                self.notify_of(index, "customer.subscription.updated");
                self.invoice(index, "paid", start)?;
            } else {
                break;
            }
        }
        Ok(())
    }

    /// Ends the live subscription, if there is one, and voids its open invoices.
    pub(crate) fn end_live(&mut self) {
        if self.live().is_some() {
            self.end(self.subscriptions.len() - 1);
        }
    }

    fn end(&mut self, index: usize) {
        self.settle("void", "invoice.voided");
        "canceled".clone_into(&mut self.subscriptions[index].subscription.status);
        self.notify_of(index, "customer.subscription.deleted");
    }

    fn sold(&self, offer: Offer) -> Sold {
        Sold { price: self.prices.of(offer).unwrap_or_default().to_owned(), offer }
    }

    /// Begins a period now, from which all later ones are counted.
    fn begin_period(&mut self, index: usize, offer: Offer, now: UnixMillis) {
        let sold = self.sold(offer);
        let held = &mut self.subscriptions[index];
        held.anchor = now;
        held.subscription.sold = sold;
        held.subscription.current_period_start = now;
        held.subscription.current_period_end = period_end(now, now, offer.interval);
    }

    /// Writes an invoice for the subscription, `paid` or `open`.
    fn invoice(&mut self, index: usize, status: &str, created_at: UnixMillis) -> Result<(), ApiError> {
        let Held { subscription, .. } = &self.subscriptions[index];
        let amount = subscription.sold.offer.price().unwrap_or_default();
        let id = new_id("in")?;
        let is_paid = status == "paid";
        let invoice = ProviderInvoice {
            subscription: Some(subscription.id.clone()),
            number: Some(format!("SANDBOX-{:04}", self.invoices.len() + 1)),
            status: status.to_owned(),
            currency: CURRENCY.to_owned(),
            amount_due: amount,
            amount_paid: if is_paid { amount } else { 0 },
            created_at,
            hosted_url: Some(format!("{}/billing/sandbox/invoice/{id}", self.base_url)),
            // There is no PDF, and so no address of one.
            pdf_url: None,
            id,
        };
        let open = ProviderInvoice { status: "open".to_owned(), amount_paid: 0, ..invoice.clone() };
        let draft = ProviderInvoice { status: "draft".to_owned(), number: None, hosted_url: None, ..open.clone() };
        for (kind, then) in [
            ("invoice.created", &draft),
            ("invoice.finalized", &open),
            (if is_paid { "invoice.paid" } else { "invoice.payment_failed" }, &invoice),
        ] {
            self.notices.push((kind, objects::invoice(then, &self.customer)));
        }
        self.invoices.push(invoice);
        Ok(())
    }

    /// Gives all open invoices this status.
    fn settle(&mut self, status: &str, kind: &'static str) {
        for invoice in self.invoices.iter_mut().filter(|invoice| invoice.status == "open") {
            status.clone_into(&mut invoice.status);
            if status == "paid" {
                invoice.amount_paid = invoice.amount_due;
            }
            self.notices.push((kind, objects::invoice(invoice, &self.customer)));
        }
    }

    fn notify_of(&mut self, index: usize, kind: &'static str) {
        let object = objects::subscription(&self.subscriptions[index], &self.customer, &self.prices);
        self.notices.push((kind, object));
    }
}

fn applies(action: Action, it: &ProviderSubscription) -> bool {
    let is_paid = it.status == "active";
    match action {
        Action::Switch(offer) => is_paid && offer != it.sold.offer,
        Action::Fail => is_paid,
        Action::Pay => !is_paid,
        Action::CancelAtPeriodEnd => !it.cancel_at_period_end,
        Action::Resume => it.cancel_at_period_end,
        Action::End => true,
    }
}

/// Stripe's times are whole seconds.
fn whole(time: UnixMillis) -> UnixMillis {
    time / SECOND * SECOND
}

/// The end of the period that starts at `start`, a whole number of months after `anchor`.
fn period_end(anchor: UnixMillis, start: UnixMillis, interval: Interval) -> UnixMillis {
    let date = |time| DateTime::from_timestamp_millis(time).unwrap_or_default();
    let months = |time| {
        let date = date(time);
        date.year() * 12 + date.month0().cast_signed()
    };
    let length = match interval {
        Interval::Month => 1,
        Interval::Year => 12,
    };
    let whole = u32::try_from(months(start) - months(anchor)).unwrap_or_default();
    let end = date(anchor).checked_add_months(Months::new(whole + length));
    // Beyond the end of the calendar nothing renews.
    end.map_or(UnixMillis::MAX, |end| end.timestamp_millis())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{
        clock::{DAY, parse_rfc3339, rfc3339},
        tier::Plan,
    };

    const MONTHLY: Offer = Offer { plan: Plan::Pro, interval: Interval::Month };

    fn books() -> Books {
        Books {
            customer: "cus_1".into(),
            base_url: "http://localhost".into(),
            prices: objects::prices(),
            subscriptions: Vec::new(),
            invoices: Vec::new(),
            notices: Vec::new(),
        }
    }

    fn at(text: &str) -> UnixMillis {
        parse_rfc3339(text).unwrap()
    }

    fn kinds(books: &mut Books) -> Vec<&'static str> {
        books.notices.drain(..).map(|(kind, _)| kind).collect()
    }

    #[test]
    fn a_period_ends_on_the_day_of_the_month_that_it_began() {
        let mut books = books();
        books.begin(MONTHLY, at("2026-01-31T10:00:00.750Z")).unwrap();
        let end = |books: &Books| rfc3339(books.live().unwrap().current_period_end);
        assert_eq!(end(&books), "2026-02-28T10:00:00.000Z");
        books.renew(at("2026-02-28T10:00:00Z")).unwrap();
        assert_eq!((end(&books).as_str(), books.invoices.len()), ("2026-03-31T10:00:00.000Z", 2));
        books.renew(at("2026-07-01T00:00:00Z")).unwrap();
        assert_eq!((end(&books).as_str(), books.invoices.len()), ("2026-07-31T10:00:00.000Z", 6));
        assert_eq!(rfc3339(books.invoices[5].created_at), "2026-06-30T10:00:00.000Z");
        books.act(Action::Switch(Offer { interval: Interval::Year, ..MONTHLY }), at("2028-02-29T00:00:00Z")).unwrap();
        assert_eq!(end(&books), "2029-02-28T00:00:00.000Z");
    }

    #[test]
    fn a_look_after_a_thousand_years_ends() {
        let mut books = books();
        books.begin(MONTHLY, 0).unwrap();
        books.renew(365_000 * DAY).unwrap();
        assert_eq!(books.invoices.len(), 1 + MAX_RENEWALS);
        assert_eq!(period_end(UnixMillis::MAX, UnixMillis::MAX, Interval::Month), period_end(0, 0, Interval::Month));
    }

    #[test]
    fn each_state_has_its_actions() {
        let mut books = books();
        let now = at("2026-11-20T14:33:38Z");
        let words = |books: &Books| books.actions().map(Action::word).collect::<Vec<_>>().join(" ");
        assert_eq!(words(&books), "");
        books.begin(MONTHLY, now).unwrap();
        let switches = "switch-pro-year switch-business-month switch-business-year";
        assert_eq!(words(&books), format!("{switches} fail cancel end"));
        assert!(books.act(Action::CancelAtPeriodEnd, now).unwrap() && !books.act(Action::Pay, now).unwrap());
        assert_eq!(words(&books), format!("{switches} fail resume end"));
        assert!(books.act(Action::Fail, now).unwrap() && !books.act(Action::Fail, now).unwrap());
        assert_eq!(words(&books), "pay resume end");
        assert!(Action::all().all(|action| Action::parse(&action.word()) == Some(action)));
        assert_eq!((Action::parse("switch-free-month"), Action::parse("")), (None, None));
    }

    #[test]
    fn each_change_sends_the_events_that_stripe_sends() {
        let mut books = books();
        let now = at("2026-11-20T14:33:38Z");
        books.begin(MONTHLY, now).unwrap();
        let paid = ["invoice.created", "invoice.finalized", "invoice.paid"];
        assert_eq!(kinds(&mut books), [&["customer.subscription.created"][..], &paid].concat());
        books.act(Action::Fail, now).unwrap();
        let failed =
            ["invoice.created", "invoice.finalized", "invoice.payment_failed", "customer.subscription.updated"];
        assert_eq!(kinds(&mut books), failed);
        assert_eq!(books.live().unwrap().status, "past_due");
        // Past-due subscriptions are not renewed.
        books.renew(now + 100 * DAY).unwrap();
        assert_eq!((kinds(&mut books), books.invoices.len()), (vec![], 2));
        books.act(Action::Pay, now).unwrap();
        assert_eq!(kinds(&mut books), ["invoice.paid", "customer.subscription.updated"]);
        assert!(books.invoices.iter().all(|invoice| invoice.status == "paid" && invoice.amount_paid == 900));
        books.act(Action::Fail, now).unwrap();
        books.notices.clear();
        books.act(Action::End, now).unwrap();
        assert_eq!(kinds(&mut books), ["invoice.voided", "customer.subscription.deleted"]);
        assert_eq!((books.live(), books.invoices[2].amount_paid), (None, 0));
        books.begin(MONTHLY, now).unwrap();
        books.act(Action::CancelAtPeriodEnd, now).unwrap();
        books.notices.clear();
        books.renew(now + 40 * DAY).unwrap();
        assert_eq!(books.live(), None);
        assert_eq!(kinds(&mut books), ["customer.subscription.deleted"]);
    }
}
