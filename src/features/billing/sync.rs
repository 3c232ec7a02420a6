//! Syncs accounts with the provider: subscription, invoices and plan. The state is never taken from an event, but always fetched.
//!
//! Syncs may overlap and end in any order. Each takes a ticket before it begins, and the result of an older one does not
//! overwrite that of a newer one. The sync of an event begins after the event happened, so that the newest sync includes the
//! effects of all events.

use std::{collections::HashSet, sync::Arc};

use serde::{Deserialize, Serialize};

use entity::{account, billing_customer, invoice, provider_event, subscription};
use uuid::Uuid;

use super::event;
use crate::{
    app::{App, jobs::Run},
    base::{
        clock::{DAY, UnixMillis},
        error::ApiError,
        ids::AccountId,
        tier::{Interval, Offer, Plan},
    },
    payments::{
        provider::{CustomerState, Provider, ProviderInvoice, ProviderSubscription, Sold},
        sandbox,
    },
    platform::{
        db::Transaction,
        work::{
            audit::By,
            jobs::{Done, Job, Lane},
            outbox::{self, Event},
        },
    },
    records::{
        accounts,
        billing::{
            repo,
            state::{choose, in_force, past_due_since},
            status::SubscriptionStatus,
        },
    },
};

/// Longest URL that is kept, in bytes: what a webhook's event can hold.
const MAX_URL: usize = 8_000;
/// Longest of an invoice's other texts, in bytes (<https://docs.stripe.com/upgrades>: ids have at most 255 characters).
const MAX_TEXT: usize = 255;
/// The provider's status of an invoice that was paid.
const PAID: &str = "paid";

/// Fetches the customer from the provider and stores its state. The event that caused the sync is stored in the same transaction;
/// if it was stored before, nothing changes.
pub(crate) async fn sync(app: &App, account: AccountId, event: Option<provider_event::Model>) -> Result<(), ApiError> {
    let provider = app.billing.get();
    let Some(customer) = repo::take_ticket(app.db.write(), account).await? else { return Ok(()) };
    let sold = repo::subscription(app.db.read(), account).await?.and_then(sold);
    let state = match (&customer.customer_id, provider) {
        _ if is_void(&customer, provider) => CustomerState::Deleted,
        (Some(id), Some(provider)) if customer.provider == provider.name() => {
            provider.customer(id, sold.as_ref()).await?
        }
        _ => return Ok(()),
    };
    let now = app.clock.now();
    let tx = app.begin(By::service("sync_billing")).await?;
    let Some(owner) = accounts::repo::lock_account(&tx, account).await? else { return Ok(()) };
    if let Some(event) = event
        && !repo::insert_event(&tx, event).await?
    {
        return Ok(());
    }
    let current = repo::customer(&tx, account).await?;
    let newest =
        current.filter(|current| current.customer_id == customer.customer_id && current.synced < customer.tickets);
    if newest.is_some() {
        repo::set_synced(&tx, account, customer.tickets, now).await?;
        match state {
            CustomerState::Deleted => unlink_customer(&tx, &owner, now).await?,
            CustomerState::Present { subscriptions, invoices } => {
                let before = repo::subscription(&tx, account).await?;
                let after = after(&owner, before.as_ref(), subscriptions, &invoices, now);
                store_subscription(&tx, &owner, before, after, now).await?;
                store_invoices(&tx, account, invoices, now).await?;
            }
        }
    }
    tx.commit(None).await?;
    Ok(())
}

/// The jobs of billing: they wait for the provider, which counts requests.
pub(super) const LANE: Lane = Lane::new("billing", 4);

/// Read an account's state from the payment provider, in case events were lost. Repeated while the account is a customer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReconcileBilling {
    pub(crate) account: Uuid,
    /// Idempotency key of the request that created the customer.
    pub(crate) request_key: Uuid,
}

impl Job for ReconcileBilling {
    const NAME: &'static str = "reconcile_billing";
}

impl Run for ReconcileBilling {
    const LANE: Lane = LANE;

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        let (account, request_key) = (AccountId(self.account), self.request_key);
        let customer = repo::customer(app.db.read(), account).await?;
        if customer.is_none_or(|customer| customer.request_key != request_key) {
            return Ok(Done::Finished);
        }
        sync(app, account, None).await?;
        Ok(Done::Again(app.clock.now() + DAY))
    }
}

/// Deletes the customer and cancels its subscription. The account, which must be locked, stays.
pub(crate) async fn unlink_customer(tx: &Transaction, owner: &account::Model, now: UnixMillis) -> Result<(), ApiError> {
    let before = repo::subscription(tx, AccountId(owner.id)).await?;
    let after = before.clone().map(canceled);
    store_subscription(tx, owner, before, after, now).await?;
    repo::delete_customer(tx, AccountId(owner.id)).await?;
    Ok(())
}

/// How a stored subscription was sold.
fn sold(subscription: subscription::Model) -> Option<Sold> {
    let offer = Offer { plan: Plan::parse(&subscription.plan)?, interval: Interval::parse(&subscription.interval)? };
    Some(Sold { price: subscription.price_id, offer })
}

fn canceled(subscription: subscription::Model) -> subscription::Model {
    subscription::Model {
        status: SubscriptionStatus::Canceled.as_str().to_owned(),
        past_due_since: None,
        ..subscription
    }
}

/// The account's subscription as the provider shows it; none if it never had one.
fn after(
    owner: &account::Model,
    before: Option<&subscription::Model>,
    subscriptions: Vec<ProviderSubscription>,
    invoices: &[ProviderInvoice],
    now: UnixMillis,
) -> Option<subscription::Model> {
    let (chosen, live) = choose(subscriptions);
    if live > 1 {
        tracing::warn!(account = %owner.id, live, "An account pays for several subscriptions: only the best counts");
    }
    let Some((chosen, status)) = chosen else { return before.cloned().map(canceled) };
    let known = before.filter(|before| before.provider_id == chosen.id);
    let since = (status == SubscriptionStatus::PastDue)
        .then(|| past_due_since(&chosen.id, invoices, known.and_then(|known| known.past_due_since), now));
    Some(subscription::Model {
        id: known.map_or_else(Uuid::now_v7, |known| known.id),
        account_id: owner.id,
        provider_id: chosen.id,
        price_id: chosen.sold.price,
        plan: chosen.sold.offer.plan.as_str().to_owned(),
        interval: chosen.sold.offer.interval.as_str().to_owned(),
        status: status.as_str().to_owned(),
        current_period_start: chosen.current_period_start,
        current_period_end: chosen.current_period_end,
        cancel_at_period_end: chosen.cancel_at_period_end,
        past_due_since: since,
        created_at: chosen.created_at,
    })
}

/// Stores the subscription and records an event, if it changed; then sets the account's plan.
async fn store_subscription(
    tx: &Transaction,
    owner: &account::Model,
    before: Option<subscription::Model>,
    after: Option<subscription::Model>,
    now: UnixMillis,
) -> Result<(), ApiError> {
    let (account, Some(after)) = (AccountId(owner.id), after) else { return Ok(()) };
    if before.as_ref() != Some(&after) {
        outbox::record(tx, account, [event::updated(&after)?], now).await?;
        repo::put_subscription(tx, after.clone()).await?;
    }
    let status = SubscriptionStatus::from_stored(&after.status);
    let paid = Plan::parse(&after.plan).unwrap_or(Plan::Free);
    let (plan, until) = in_force(paid, status, after.past_due_since);
    if owner.plan.as_deref() != plan.map(Plan::as_str) || owner.plan_until != until {
        accounts::repo::set_plan(tx, owner, plan, until, now).await?;
    }
    Ok(())
}

async fn store_invoices(
    tx: &Transaction,
    account: AccountId,
    invoices: Vec<ProviderInvoice>,
    now: UnixMillis,
) -> Result<(), ApiError> {
    let (mut changed, mut events): (Vec<invoice::Model>, Vec<Event>) = Default::default();
    let mut seen = HashSet::new();
    let (invoices, odd): (Vec<_>, Vec<_>) =
        invoices.into_iter().partition(|invoice| can_be_stored(invoice) && seen.insert(invoice.id.clone()));
    if !odd.is_empty() {
        tracing::warn!(%account, number = odd.len(), "Invoices can't be stored: they are left out");
    }
    let known = repo::invoices_by_id(tx, account, invoices.iter().map(|invoice| invoice.id.as_str())).await?;
    // Oldest first, so that ids are in the order of time.
    for invoice in invoices.into_iter().rev() {
        let before = known.iter().find(|known| known.provider_id == invoice.id);
        let after = invoice_row(account, before, invoice);
        let was_paid = before.is_some_and(|before| before.status == PAID);
        // `paid` is final at the provider (Stripe, invoice statuses). Of two syncs that overlapped, the one that began later may
        // have read the invoices earlier.
        if before == Some(&after) || (was_paid && after.status != PAID) {
            continue;
        }
        if after.status == PAID && !was_paid {
            events.push(event::paid(&after)?);
        }
        changed.push(after);
    }
    repo::put_invoices(tx, changed).await?;
    outbox::record(tx, account, events, now).await?;
    Ok(())
}

/// Whether both databases take the invoice's texts, and a webhook's event holds them.
fn can_be_stored(invoice: &ProviderInvoice) -> bool {
    let texts = [&invoice.id, &invoice.status, &invoice.currency].into_iter().chain(&invoice.number);
    let mut texts = texts.map(|text| text.len() <= MAX_TEXT && !text.chars().any(char::is_control));
    texts.all(|fits| fits) && !invoice.id.is_empty()
}

fn invoice_row(account: AccountId, before: Option<&invoice::Model>, invoice: ProviderInvoice) -> invoice::Model {
    // JSON writes each of these characters as two to six.
    let is_long_in_json = |of_url: char| of_url.is_control() || matches!(of_url, '"' | '\\');
    let kept = |url: Option<String>| url.filter(|url| url.len() <= MAX_URL && !url.contains(is_long_in_json));
    invoice::Model {
        id: before.map_or_else(Uuid::now_v7, |before| before.id),
        account_id: account.0,
        provider_id: invoice.id,
        number: invoice.number,
        status: invoice.status,
        currency: invoice.currency,
        amount_due: invoice.amount_due,
        amount_paid: invoice.amount_paid,
        created_at: before.map_or(invoice.created_at, |before| before.created_at),
        hosted_url: kept(invoice.hosted_url),
        pdf_url: kept(invoice.pdf_url),
    }
}

/// Whether a stored customer is ignored: it belongs to another provider than the configured one, and is either of the sandbox, or of a
/// test mode while real money moves now.
fn is_void(customer: &billing_customer::Model, provider: Option<&dyn Provider>) -> bool {
    let is_live = provider.is_some_and(Provider::is_live);
    provider.is_none_or(|provider| provider.name() != customer.provider)
        && (is_live || customer.provider == sandbox::NAME)
}
