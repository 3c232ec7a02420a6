//! The parts of Stripe's objects that we read. Times are Unix time in seconds.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{
    base::{clock::SECOND, config::Prices},
    payments::provider::{ProviderInvoice, ProviderSubscription, Sold},
};

/// A list object.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct List<T> {
    /// Its items.
    #[serde(default = "Vec::new")]
    pub(crate) data: Vec<T>,
}

/// An id, or the object itself where the request, or the event, expands it.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
pub(crate) enum Reference {
    Id(String),
    Object { id: String },
}

impl Reference {
    pub(crate) fn id(&self) -> &str {
        match self {
            Reference::Id(id) | Reference::Object { id } => id,
        }
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Customer {
    pub(crate) id: String,
    /// Whether it was deleted.
    #[serde(default)]
    pub(crate) deleted: bool,
}

/// A Checkout Session, or one of the billing portal.
#[derive(Debug, Deserialize)]
pub(crate) struct Session {
    pub(crate) id: String,
    /// The page; null once it is over.
    pub(crate) url: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Subscription {
    pub(crate) id: String,
    /// `incomplete`, `incomplete_expired`, `trialing`, `active`, `past_due`, `canceled`, `unpaid` or `paused`.
    pub(crate) status: String,
    /// When it was made.
    pub(crate) created: i64,
    #[serde(default)]
    cancel_at_period_end: bool,
    // Versions before 2025-03-31 have the period here.
    current_period_start: Option<i64>,
    current_period_end: Option<i64>,
    items: List<Item>,
}

#[derive(Debug, Deserialize)]
struct Item {
    price: Price,
    current_period_start: Option<i64>,
    current_period_end: Option<i64>,
}

#[derive(Debug, Deserialize)]
struct Price {
    id: String,
}

impl Subscription {
    /// Whether it has begun and not ended.
    pub(crate) fn is_live(&self) -> bool {
        !matches!(self.status.as_str(), "incomplete" | "incomplete_expired" | "canceled")
    }

    /// Converts the subscription. `None`: none of its prices is in the settings.
    pub(crate) fn ours(self, prices: &Prices) -> Option<ProviderSubscription> {
        let sold = |item: &Item| prices.offer(&item.price.id).map(|offer| Sold { price: item.price.id.clone(), offer });
        let (item, sold) = self.items.data.iter().find_map(|item| sold(item).map(|sold| (item, sold)))?;
        let millis = |of_item: Option<i64>, of_subscription: Option<i64>| {
            of_item.or(of_subscription).unwrap_or(self.created).saturating_mul(SECOND)
        };
        Some(ProviderSubscription {
            sold,
            current_period_start: millis(item.current_period_start, self.current_period_start),
            current_period_end: millis(item.current_period_end, self.current_period_end),
            cancel_at_period_end: self.cancel_at_period_end,
            created_at: self.created.saturating_mul(SECOND),
            id: self.id,
            status: self.status,
        })
    }
}

/// A customer's invoices, each read by itself: plans are paid for whether or not every invoice can be shown.
#[derive(Debug, Deserialize)]
pub(crate) struct Invoices {
    #[serde(default)]
    data: Vec<Json>,
}

impl Invoices {
    /// The invoices that can be read, in the list's order. Each of the others is logged by its id, as far as that can be read.
    pub(crate) fn readable(&self) -> Vec<ProviderInvoice> {
        let read = |object: &Json| match Invoice::deserialize(object) {
            Ok(invoice) => Some(ProviderInvoice::from(invoice)),
            Err(error) => {
                let id = object.get("id").and_then(Json::as_str);
                tracing::warn!(id, %error, "An invoice can't be read: it is left out");
                None
            }
        };
        self.data.iter().filter_map(read).collect()
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Invoice {
    id: String,
    created: i64,
    // Null in answers to previews only.
    status: Option<String>,
    number: Option<String>,
    currency: String,
    amount_due: i64,
    amount_paid: i64,
    hosted_invoice_url: Option<String>,
    invoice_pdf: Option<String>,
    parent: Option<Parent>,
    // Versions before 2025-03-31 have it here.
    subscription: Option<Reference>,
}

#[derive(Debug, Deserialize)]
struct Parent {
    subscription_details: Option<SubscriptionDetails>,
}

#[derive(Debug, Deserialize)]
struct SubscriptionDetails {
    subscription: Option<Reference>,
}

impl From<Invoice> for ProviderInvoice {
    fn from(invoice: Invoice) -> Self {
        let of_parent = invoice.parent.and_then(|parent| parent.subscription_details?.subscription);
        ProviderInvoice {
            subscription: of_parent.or(invoice.subscription).map(|subscription| subscription.id().to_owned()),
            id: invoice.id,
            number: invoice.number,
            status: invoice.status.unwrap_or_else(|| "draft".to_owned()),
            currency: invoice.currency,
            amount_due: invoice.amount_due,
            amount_paid: invoice.amount_paid,
            created_at: invoice.created.saturating_mul(SECOND),
            hosted_url: invoice.hosted_invoice_url,
            pdf_url: invoice.invoice_pdf,
        }
    }
}

/// An event. Of its object, only the customer is read: the state is fetched.
#[derive(Debug, Deserialize)]
pub(crate) struct Event {
    pub(crate) id: String,
    /// Its type, such as `invoice.paid`.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// Whether real money moved.
    pub(crate) livemode: bool,
    /// The event's payload; the object that it is about is in `object`.
    #[serde(default)]
    pub(crate) data: serde_json::Value,
}

/// An object, as far as it names a customer.
#[derive(Debug, Deserialize)]
pub(crate) struct EventObject {
    id: Option<String>,
    object: Option<String>,
    customer: Option<Reference>,
}

impl EventObject {
    /// The customer whom the object belongs to, or is.
    pub(crate) fn customer(&self) -> Option<&str> {
        match self.object.as_deref() {
            Some("customer") => self.id.as_deref(),
            _ => self.customer.as_ref().map(Reference::id),
        }
    }
}
