//! Rules of the sandbox. Each change locks the customer: of two concurrent payments of a checkout, the second finds it complete.

use entity::sandbox_object::Model;

use super::{
    Sandbox,
    books::{Action, Books, Notice},
    objects::{self, CheckoutSession, PortalSession, new_id},
    repo,
};
use crate::{
    base::{
        clock::{DAY, Millis, SECOND, UnixMillis},
        error::ApiError,
        tier::Offer,
    },
    payments::{
        provider::{NewCheckout, NewCustomer, ProviderInvoice},
        stripe::objects::Customer,
    },
    platform::db::Transaction,
};

const CUSTOMER: &str = "customer";
const CHECKOUT: &str = "checkout.session";
const PORTAL: &str = "billing_portal.session";
const SUBSCRIPTION: &str = "subscription";
const INVOICE: &str = "invoice";
/// How long a page that was opened can be used.
const LIFETIME: Millis = DAY;

/// The state of a checkout.
pub(crate) enum Seen {
    /// There is no such checkout.
    Unknown,
    /// The checkout can't be paid any more: it was paid, it expired, or the customer has a subscription.
    Over(CheckoutSession),
    /// The checkout can be paid.
    Open(CheckoutSession, Offer),
}

/// The result of looking up a portal session.
pub(crate) enum Visit {
    /// There is no such portal session.
    Unknown,
    /// The portal session has expired.
    Over,
    /// The id of the portal session's customer.
    Of(String),
}

/// Creates a customer, once for each idempotency key.
pub(crate) async fn create_customer(sandbox: &Sandbox, new: &NewCustomer) -> Result<String, ApiError> {
    let (id, now) = (objects::id_of_key("cus", new.key), sandbox.clock.now());
    let body = objects::write(&objects::customer(&id, now))?;
    repo::insert(sandbox.db.write(), row(CUSTOMER, &id, &id, body, now)).await?;
    Ok(id)
}

/// Opens a checkout, once for each idempotency key.
pub(crate) async fn create_checkout(sandbox: &Sandbox, new: &NewCheckout) -> Result<CheckoutSession, ApiError> {
    let (id, now) = (objects::id_of_key("cs_test", new.key), sandbox.clock.now());
    let price = sandbox.prices.of(new.offer).ok_or_else(|| ApiError::internal("the offer has no price"))?;
    let session = CheckoutSession {
        url: Some(format!("{}/billing/sandbox/checkout/{id}", sandbox.base_url)),
        object: CHECKOUT.to_owned(),
        customer: new.customer.clone(),
        client_reference_id: new.account.to_string(),
        mode: SUBSCRIPTION.to_owned(),
        status: "open".to_owned(),
        payment_status: "unpaid".to_owned(),
        line_items: objects::one_of(price),
        success_url: new.success_url.clone(),
        cancel_url: new.cancel_url.clone(),
        subscription: None,
        created: now / SECOND,
        expires_at: (now + LIFETIME) / SECOND,
        livemode: false,
        id,
    };
    let row = row(CHECKOUT, &session.id, &session.customer, objects::write(&session)?, now);
    repo::insert(sandbox.db.write(), row).await?;
    Ok(session)
}

/// Opens a visit to the portal.
pub(crate) async fn create_portal(
    sandbox: &Sandbox,
    customer: &str,
    return_url: &str,
) -> Result<PortalSession, ApiError> {
    let (id, now) = (new_id("bps")?, sandbox.clock.now());
    let session = PortalSession {
        url: format!("{}/billing/sandbox/portal/{id}", sandbox.base_url),
        object: PORTAL.to_owned(),
        customer: customer.to_owned(),
        return_url: return_url.to_owned(),
        created: now / SECOND,
        livemode: false,
        id,
    };
    let row = row(PORTAL, &session.id, customer, objects::write(&session)?, now);
    repo::insert(sandbox.db.write(), row).await?;
    Ok(session)
}

/// A checkout as its page shows it.
pub(crate) async fn checkout(sandbox: &Sandbox, id: &str) -> Result<Seen, ApiError> {
    let Some(row) = repo::find(sandbox.db.read(), CHECKOUT, id).await? else { return Ok(Seen::Unknown) };
    seen(sandbox, &row)
}

fn seen(sandbox: &Sandbox, row: &Model) -> Result<Seen, ApiError> {
    let session: CheckoutSession = objects::read(&row.body)?;
    Ok(match session.offer(&sandbox.prices).filter(|_| session.is_open(sandbox.clock.now())) {
        Some(offer) => Seen::Open(session, offer),
        None => Seen::Over(session),
    })
}

/// Pays a checkout, if it is open. Returns its state before, and the events to send.
pub(crate) async fn pay(sandbox: &Sandbox, id: &str) -> Result<(Seen, Vec<Notice>), ApiError> {
    let Some(row) = repo::find(sandbox.db.read(), CHECKOUT, id).await? else { return Ok((Seen::Unknown, Vec::new())) };
    let tx = sandbox.db.begin().await?;
    let Some((mut books, stored)) = open(sandbox, &tx, &row.customer_id).await? else {
        return Ok((Seen::Over(objects::read(&row.body)?), Vec::new()));
    };
    // Read again under the lock: another request may have paid.
    let Some(row) = repo::find(&tx, CHECKOUT, id).await? else { return Ok((Seen::Unknown, Vec::new())) };
    let seen = seen(sandbox, &row)?;
    let (session, offer) = match seen {
        Seen::Open(session, offer) if books.live().is_none() => (session, offer),
        Seen::Open(session, _) | Seen::Over(session) => {
            store(&tx, &books, &stored, sandbox.clock.now()).await?;
            tx.commit().await?;
            return Ok((Seen::Over(session), books.notices));
        }
        Seen::Unknown => return Ok((Seen::Unknown, Vec::new())),
    };
    let subscription = books.begin(offer, sandbox.clock.now())?;
    let complete = CheckoutSession {
        status: "complete".to_owned(),
        payment_status: "paid".to_owned(),
        subscription: Some(subscription),
        url: None,
        ..session.clone()
    };
    repo::set_body(&tx, id, objects::write(&complete)?).await?;
    store(&tx, &books, &stored, sandbox.clock.now()).await?;
    tx.commit().await?;
    let mut notices = vec![("checkout.session.completed", objects::json(&complete)?)];
    notices.append(&mut books.notices);
    Ok((Seen::Open(session, offer), notices))
}

/// The event that tells the service of a payment that the bank declined.
pub(crate) fn declined(sandbox: &Sandbox, session: &CheckoutSession, offer: Offer) -> Result<Notice, ApiError> {
    let amount = offer.price().unwrap_or_default();
    let charge = objects::failed_charge(&new_id("ch")?, &session.customer, amount, sandbox.clock.now());
    Ok(("charge.failed", charge))
}

/// Finds the customer of a portal session.
pub(crate) async fn visit(sandbox: &Sandbox, id: &str) -> Result<Visit, ApiError> {
    let now = sandbox.clock.now();
    Ok(match repo::find(sandbox.db.read(), PORTAL, id).await? {
        Some(row) if now < row.created_at + LIFETIME => Visit::Of(row.customer_id),
        Some(_) => Visit::Over,
        None => Visit::Unknown,
    })
}

pub(crate) async fn invoice(sandbox: &Sandbox, id: &str) -> Result<Option<(ProviderInvoice, String)>, ApiError> {
    let row = repo::find(sandbox.db.read(), INVOICE, id).await?;
    row.map(|row| Ok((objects::read_invoice(&row.body)?, row.customer_id))).transpose()
}

/// Applies an action, if one is given and possible, and answers the customer's state as of now. `None`: the customer is
/// unknown or deleted.
pub(crate) async fn books(
    sandbox: &Sandbox,
    customer: &str,
    action: Option<Action>,
) -> Result<Option<Books>, ApiError> {
    let tx = sandbox.db.begin().await?;
    let Some((mut books, stored)) = open(sandbox, &tx, customer).await? else { return Ok(None) };
    if let Some(action) = action {
        books.act(action, sandbox.clock.now())?;
    }
    store(&tx, &books, &stored, sandbox.clock.now()).await?;
    tx.commit().await?;
    Ok(Some(books))
}

/// Whether there was ever such a customer.
pub(crate) async fn is_known(sandbox: &Sandbox, customer: &str) -> Result<bool, ApiError> {
    Ok(repo::find(sandbox.db.read(), CUSTOMER, customer).await?.is_some())
}

/// Ends the customer's subscription, and deletes the customer.
pub(crate) async fn delete_customer(sandbox: &Sandbox, customer: &str) -> Result<(), ApiError> {
    let tx = sandbox.db.begin().await?;
    let Some((mut books, stored)) = open(sandbox, &tx, customer).await? else { return Ok(()) };
    books.end_live();
    store(&tx, &books, &stored, sandbox.clock.now()).await?;
    repo::set_body(&tx, customer, objects::write(&objects::deleted_customer(customer))?).await?;
    tx.commit().await?;
    Ok(())
}

/// Locks a customer, and reads its books, with due renewals, and the stored rows. `None`: the customer is unknown or deleted.
async fn open(sandbox: &Sandbox, tx: &Transaction, customer: &str) -> Result<Option<(Books, Vec<Model>)>, ApiError> {
    let Some(row) = repo::lock(tx, CUSTOMER, customer).await? else { return Ok(None) };
    if objects::read::<Customer>(&row.body)?.deleted {
        return Ok(None);
    }
    let mut books = Books {
        customer: customer.to_owned(),
        base_url: sandbox.base_url.clone(),
        prices: sandbox.prices.clone(),
        subscriptions: Vec::new(),
        invoices: Vec::new(),
        notices: Vec::new(),
    };
    let stored = repo::of_customer(tx, customer, &[SUBSCRIPTION, INVOICE]).await?;
    for row in &stored {
        if row.kind == SUBSCRIPTION {
            books.subscriptions.push(objects::read_subscription(&row.body, &sandbox.prices)?);
        } else {
            books.invoices.push(objects::read_invoice(&row.body)?);
        }
    }
    // Invoices of one transaction share their creation time: only the number tells their order.
    books.invoices.sort_by_cached_key(|invoice| {
        let number = invoice.number.clone().unwrap_or_default();
        (number.len(), number)
    });
    books.renew(sandbox.clock.now())?;
    Ok(Some((books, stored)))
}

async fn store(tx: &Transaction, books: &Books, stored: &[Model], now: UnixMillis) -> Result<(), ApiError> {
    let subscriptions = books.subscriptions.iter().map(|held| {
        let object = objects::subscription(held, &books.customer, &books.prices);
        (SUBSCRIPTION, held.subscription.id.as_str(), object)
    });
    let invoices =
        books.invoices.iter().map(|invoice| (INVOICE, invoice.id.as_str(), objects::invoice(invoice, &books.customer)));
    for (kind, id, object) in subscriptions.chain(invoices) {
        let body = objects::write(&object)?;
        match stored.iter().find(|row| row.id == id) {
            None => repo::insert(tx, row(kind, id, &books.customer, body, now)).await?,
            Some(row) if row.body != body => repo::set_body(tx, id, body).await?,
            Some(_) => {}
        }
    }
    Ok(())
}

fn row(kind: &str, id: &str, customer: &str, body: String, now: UnixMillis) -> Model {
    Model { id: id.to_owned(), kind: kind.to_owned(), customer_id: customer.to_owned(), body, created_at: now }
}
