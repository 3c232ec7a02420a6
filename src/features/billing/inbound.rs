//! Events that the payment provider sends.

use entity::provider_event;
use serde::Deserialize;
use serde_json::json;

use super::sync::sync;
use crate::{
    app::App,
    base::{
        error::{ApiError, Code},
        ids::AccountId,
    },
    payments::stripe::{
        objects::{Event, EventObject},
        signature::{SIGNATURE, verify},
    },
    records::billing::repo,
};

/// Longest id, and longest type of an event (<https://docs.stripe.com/upgrades>: ids have at most 255 characters).
const MAX_NAME: usize = 255;

/// The outcome of an event that was not refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Received {
    /// The event was processed now, by this delivery or a concurrent one.
    Applied,
    /// The event was processed before.
    Duplicate,
    /// The event does not concern us: it changes nothing.
    Ignored,
}

impl Received {
    /// The metric's label.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Received::Applied => "applied",
            Received::Duplicate => "duplicate",
            Received::Ignored => "ignored",
        }
    }
}

/// Verifies an event and syncs the account that it concerns. `signatures` are the values of the [`SIGNATURE`] header. Fails with
/// UNAUTHENTICATED if the signature is not the provider's.
pub(crate) async fn receive(app: &App, signatures: &[&str], body: &[u8]) -> Result<Received, ApiError> {
    let provider = app.billing.provider()?;
    let refused = |reason: &str| ApiError::invalid_field(SIGNATURE, reason);
    let [signature] = signatures else {
        return Err(refused(if signatures.is_empty() { "is required" } else { "must be sent once" }));
    };
    let secrets = provider.webhook_secrets().iter().map(String::as_str);
    verify(signature, body, secrets, app.clock.now()).map_err(|reason| {
        ApiError::new(Code::Unauthenticated, format!("The header {SIGNATURE} {reason}."))
            .with_details(json!({ "path": SIGNATURE }))
    })?;
    let event: Event = serde_json::from_slice(body)
        .map_err(|_| ApiError::new(Code::BadRequest, "The request body is not an event."))?;
    if event.livemode != provider.is_live() {
        let mode = if provider.is_live() { "live" } else { "test" };
        return Err(ApiError::invalid_field(
            "livemode",
            format!("must be that of this service, which is in {mode} mode"),
        ));
    }
    for (name, text) in [("id", &event.id), ("type", &event.kind)] {
        if !is_name(text) {
            return Err(ApiError::invalid_field(name, format!("must have 1 to {MAX_NAME} printable ASCII characters")));
        }
    }
    if !concerns_us(&event.kind) {
        return Ok(Received::Ignored);
    }
    // Only the customer is read from the object; an object of an unknown shape is ignored.
    let object = EventObject::deserialize(&event.data["object"]).ok();
    let customer = object.as_ref().and_then(EventObject::customer).filter(|customer| is_name(customer));
    let Some(customer) = customer else { return Ok(Received::Ignored) };
    let Some(customer) = repo::customer_by_id(app.db.read(), provider.name(), customer).await? else {
        // The provider may know customers of other services, and of accounts that are gone.
        return Ok(Received::Ignored);
    };
    if repo::has_event(app.db.read(), &event.id).await? {
        return Ok(Received::Duplicate);
    }
    let noted = provider_event::Model {
        id: event.id,
        kind: event.kind,
        account_id: customer.account_id,
        received_at: app.clock.now(),
    };
    sync(app, AccountId(customer.account_id), Some(noted)).await?;
    Ok(Received::Applied)
}

/// Whether it can be an id or a type, and so be stored: PostgreSQL takes no text with a zero byte.
fn is_name(text: &str) -> bool {
    (1..=MAX_NAME).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Whether events of this type may change the subscription or the invoices of a customer.
fn concerns_us(kind: &str) -> bool {
    ["customer.subscription.", "invoice."].iter().any(|prefix| kind.starts_with(prefix))
        || matches!(
            kind,
            "checkout.session.completed" | "checkout.session.async_payment_succeeded" | "customer.deleted"
        )
}

#[cfg(test)]
mod tests {
    use serde_json::Value as Json;

    use super::*;

    #[test]
    fn events_that_change_a_subscription_are_processed() {
        for kind in [
            "checkout.session.completed",
            "customer.subscription.created",
            "customer.subscription.updated",
            "customer.subscription.deleted",
            "invoice.created",
            "invoice.finalized",
            "invoice.paid",
            "invoice.payment_failed",
            "invoice.voided",
            "customer.deleted",
        ] {
            assert!(concerns_us(kind), "{kind}");
        }
        for kind in ["", "charge.refunded", "customer.created", "invoiceitem.created", "payment_intent.succeeded"] {
            assert!(!concerns_us(kind), "{kind}");
        }
    }

    #[test]
    fn a_name_can_be_stored() {
        assert!(is_name("evt_1") && is_name(&"x".repeat(255)));
        for text in ["", "evt 1", "evt_\0", "évt_1", &"x".repeat(256)] {
            assert!(!is_name(text), "{text}");
        }
    }

    #[test]
    fn an_event_names_its_customer() {
        let customer = |object: Json| -> Option<String> {
            let object: EventObject = serde_json::from_value(object).ok()?;
            object.customer().map(str::to_owned)
        };
        let is = Some("cus_1".to_owned());
        assert_eq!(customer(serde_json::json!({ "id": "sub_1", "object": "subscription", "customer": "cus_1" })), is);
        assert_eq!(
            customer(serde_json::json!({ "object": "invoice", "customer": { "id": "cus_1", "name": "x" } })),
            is
        );
        assert_eq!(customer(serde_json::json!({ "id": "cus_1", "object": "customer" })), is);
        assert_eq!(customer(serde_json::json!({ "id": "in_1", "object": "invoice", "customer": null })), None);
        assert_eq!(customer(serde_json::json!(null)), None);
    }
}
