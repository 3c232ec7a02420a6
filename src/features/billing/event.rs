//! Outbox events about payments.

use entity::{invoice, subscription};

use crate::{
    base::error::ApiError,
    features::billing::subscription::{Invoice, Subscription},
    platform::work::{event_kind::EventKind, outbox::Event},
};

/// The subscription began, changed or ended.
pub(crate) fn updated(subscription: &subscription::Model) -> Result<Event, ApiError> {
    Event::new(EventKind::SubscriptionUpdated, subscription.id, &Subscription::from(subscription.clone()))
}

/// The invoice was paid.
pub(crate) fn paid(invoice: &invoice::Model) -> Result<Event, ApiError> {
    Event::new(EventKind::InvoicePaid, invoice.id, &Invoice::from(invoice.clone()))
}
