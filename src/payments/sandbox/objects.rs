//! The sandbox's objects as they are stored and sent: JSON in Stripe's shape. Subscriptions and invoices are read by the
//! very structs that read Stripe's answers.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::held::Held;
use crate::{
    base::{
        clock::{SECOND, UnixMillis},
        config::Prices,
        error::ApiError,
        random,
        tier::{CURRENCY, Offer},
    },
    payments::{
        provider::ProviderInvoice,
        stripe::objects::{self, List, Reference},
    },
};

/// The prices of the sandbox: one for each offer.
pub(crate) fn prices() -> Prices {
    let price = |offer: Offer| (format!("price_sandbox_{}_{}", offer.plan.as_str(), offer.interval.as_str()), offer);
    Prices::new(Offer::all().map(price).collect())
}

/// An id that can't be guessed.
pub(crate) fn new_id(prefix: &str) -> Result<String, ApiError> {
    let random: [u8; 16] = random::bytes().map_err(ApiError::internal)?;
    Ok(format!("{prefix}_{}", hex::encode(random)))
}

/// The id of the object that a request with this idempotency key creates, always the same.
pub(crate) fn id_of_key(prefix: &str, key: Uuid) -> String {
    let hash = Sha256::new().chain_update(prefix).chain_update(key.as_bytes()).finalize();
    format!("{prefix}_{}", hex::encode(&hash[..16]))
}

pub(crate) fn read<T: DeserializeOwned>(body: &str) -> Result<T, ApiError> {
    serde_json::from_str(body).map_err(ApiError::internal)
}

pub(crate) fn write(object: &impl Serialize) -> Result<String, ApiError> {
    serde_json::to_string(object).map_err(ApiError::internal)
}

pub(crate) fn json(object: &impl Serialize) -> Result<Json, ApiError> {
    serde_json::to_value(object).map_err(ApiError::internal)
}

/// A customer without personal data: no page shows any, and no mail is sent.
pub(crate) fn customer(id: &str, created: UnixMillis) -> Json {
    json!({ "id": id, "object": "customer", "created": created / SECOND, "livemode": false })
}

/// The tombstone of a deleted customer.
pub(crate) fn deleted_customer(id: &str) -> Json {
    json!({ "id": id, "object": "customer", "deleted": true })
}

/// A checkout, as far as it is of use here.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CheckoutSession {
    pub(crate) id: String,
    pub(crate) object: String,
    pub(crate) customer: String,
    /// The account that the customer belongs to.
    pub(crate) client_reference_id: String,
    /// `subscription`.
    pub(crate) mode: String,
    /// `open`, `complete` or `expired`.
    pub(crate) status: String,
    /// `unpaid` or `paid`.
    pub(crate) payment_status: String,
    /// The items to buy: always one.
    pub(crate) line_items: List<LineItem>,
    /// Where the customer goes after paying.
    pub(crate) success_url: String,
    /// Where the customer goes instead.
    pub(crate) cancel_url: String,
    /// The page; none once it is over.
    pub(crate) url: Option<String>,
    /// The id of the new subscription; `None` until the checkout is paid.
    pub(crate) subscription: Option<String>,
    /// Unix time in seconds.
    pub(crate) created: i64,
    /// Unix time in seconds.
    pub(crate) expires_at: i64,
    /// Whether real money moves.
    pub(crate) livemode: bool,
}

/// An item of a checkout.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LineItem {
    pub(crate) price: Reference,
    /// How many.
    pub(crate) quantity: u32,
}

pub(crate) fn one_of(price: &str) -> List<LineItem> {
    List { data: vec![LineItem { price: Reference::Id(price.to_owned()), quantity: 1 }] }
}

impl CheckoutSession {
    /// The offer to buy; `None`: the item's price is not the sandbox's.
    pub(crate) fn offer(&self, prices: &Prices) -> Option<Offer> {
        self.line_items.data.iter().find_map(|item| prices.offer(item.price.id()))
    }

    /// Whether it can still be paid.
    pub(crate) fn is_open(&self, now: UnixMillis) -> bool {
        self.status == "open" && now < self.expires_at.saturating_mul(SECOND)
    }
}

/// A visit to the portal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PortalSession {
    pub(crate) id: String,
    /// `billing_portal.session`.
    pub(crate) object: String,
    /// The id of the portal's customer.
    pub(crate) customer: String,
    /// Where the customer goes from there.
    pub(crate) return_url: String,
    pub(crate) url: String,
    /// Unix time in seconds.
    pub(crate) created: i64,
    /// Whether real money moves.
    pub(crate) livemode: bool,
}

pub(crate) fn subscription(held: &Held, customer: &str, prices: &Prices) -> Json {
    let it = &held.subscription;
    let item = it.id.replacen("sub_", "si_", 1);
    json!({
        "id": it.id,
        "object": "subscription",
        "customer": customer,
        "status": it.status,
        "created": it.created_at / SECOND,
        "billing_cycle_anchor": held.anchor / SECOND,
        "cancel_at_period_end": it.cancel_at_period_end,
        "collection_method": "charge_automatically",
        "currency": CURRENCY,
        "items": { "object": "list", "has_more": false, "data": [{
            "id": item,
            "object": "subscription_item",
            "current_period_start": it.current_period_start / SECOND,
            "current_period_end": it.current_period_end / SECOND,
            "quantity": 1,
            "price": {
                "id": prices.of(it.sold.offer),
                "object": "price",
                "currency": CURRENCY,
                "unit_amount": it.sold.offer.price(),
                "type": "recurring",
                "recurring": { "interval": it.sold.offer.interval.as_str(), "interval_count": 1 },
            },
        }] },
        "livemode": false,
    })
}

pub(crate) fn read_subscription(body: &str, prices: &Prices) -> Result<Held, ApiError> {
    #[derive(Deserialize)]
    struct Anchor {
        billing_cycle_anchor: i64,
    }
    let anchor: Anchor = read(body)?;
    let subscription = read::<objects::Subscription>(body)?.ours(prices);
    let subscription = subscription.ok_or_else(|| ApiError::internal("the sandbox sold what has no price"))?;
    Ok(Held { subscription, anchor: anchor.billing_cycle_anchor.saturating_mul(SECOND) })
}

pub(crate) fn invoice(invoice: &ProviderInvoice, customer: &str) -> Json {
    json!({
        "id": invoice.id,
        "object": "invoice",
        "customer": customer,
        "status": invoice.status,
        "number": invoice.number,
        "currency": invoice.currency,
        "amount_due": invoice.amount_due,
        "amount_paid": invoice.amount_paid,
        "amount_remaining": invoice.amount_due - invoice.amount_paid,
        "created": invoice.created_at / SECOND,
        "hosted_invoice_url": invoice.hosted_url,
        "invoice_pdf": invoice.pdf_url,
        "parent": {
            "type": "subscription_details",
            "subscription_details": { "subscription": invoice.subscription, "metadata": {} },
        },
        "livemode": false,
    })
}

pub(crate) fn read_invoice(body: &str) -> Result<ProviderInvoice, ApiError> {
    Ok(read::<objects::Invoice>(body)?.into())
}

/// A payment that the bank refused.
pub(crate) fn failed_charge(id: &str, customer: &str, amount: i64, now: UnixMillis) -> Json {
    json!({
        "id": id,
        "object": "charge",
        "customer": customer,
        "amount": amount,
        "currency": CURRENCY,
        "status": "failed",
        "paid": false,
        "failure_code": "card_declined",
        "failure_message": "Your card was declined.",
        "created": now / SECOND,
        "livemode": false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        base::tier::{Interval, Plan},
        payments::provider::{ProviderSubscription, Sold},
    };

    #[test]
    fn what_is_written_is_read_as_stripes() {
        let subscription_ = ProviderSubscription {
            id: "sub_1".into(),
            status: "past_due".into(),
            sold: Sold {
                price: "price_sandbox_business_year".into(),
                offer: Offer { plan: Plan::Business, interval: Interval::Year },
            },
            current_period_start: 10 * SECOND,
            current_period_end: 20 * SECOND,
            cancel_at_period_end: true,
            created_at: 5 * SECOND,
        };
        let held = Held { subscription: subscription_, anchor: 7 * SECOND };
        let body = write(&subscription(&held, "cus_1", &prices())).unwrap();
        assert_eq!(read_subscription(&body, &prices()).unwrap(), held);
        let of_customer: objects::EventObject = read(&body).unwrap();
        assert_eq!(of_customer.customer(), Some("cus_1"));

        let invoice_ = ProviderInvoice {
            id: "in_1".into(),
            subscription: Some("sub_1".into()),
            number: Some("SANDBOX-0001".into()),
            status: "open".into(),
            currency: CURRENCY.into(),
            amount_due: 900,
            amount_paid: 0,
            created_at: 8 * SECOND,
            hosted_url: Some("http://localhost/x".into()),
            pdf_url: None,
        };
        assert_eq!(read_invoice(&write(&invoice(&invoice_, "cus_1")).unwrap()).unwrap(), invoice_);
        let deleted: objects::Customer = read(&write(&deleted_customer("cus_1")).unwrap()).unwrap();
        let present: objects::Customer = read(&write(&customer("cus_1", 1)).unwrap()).unwrap();
        assert!(deleted.deleted && !present.deleted);
    }

    #[test]
    fn a_key_makes_one_id_of_each_kind() {
        let key = Uuid::now_v7();
        assert_eq!(id_of_key("cus", key), id_of_key("cus", key));
        assert_ne!(id_of_key("cus", key), id_of_key("cus", Uuid::now_v7()));
        assert_ne!(id_of_key("cus", key)[4..], id_of_key("cs_test", key)[8..]);
        assert_eq!(new_id("sub").unwrap().len(), 36);
        assert_ne!(new_id("sub").unwrap(), new_id("sub").unwrap());
    }
}
