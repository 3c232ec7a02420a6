//! Rules of buying a plan.

use std::{sync::Arc, time::Duration};

use super::sync::{LANE, ReconcileBilling};
use serde::{Deserialize, Serialize};

use chrono::{DateTime, Datelike, Months, NaiveDate, NaiveTime};
use entity::{billing_customer, invoice, subscription};
use tokio::time::timeout;
use uuid::Uuid;

use super::sync;
use crate::{
    app::{App, change::Change, jobs::Run},
    base::{
        clock::{DAY, Millis, UnixMillis, day},
        error::{ApiError, Code, Violations},
        ids::AccountId,
        tier::{Interval, Offer, Plan},
    },
    features::{self, billing::usage as calls},
    payments::{
        provider::{Checkout, NewCheckout, NewCustomer, Provider, ProviderError},
        sandbox,
    },
    platform::work::{
        audit::{Act, Fact},
        jobs::{Done, Job, Lane},
    },
    records::{
        self,
        billing::{repo, status::SubscriptionStatus, usage},
    },
};

/// How long the provider may keep a caller waiting, over all requests that a call needs.
const PATIENCE: Duration = Duration::from_secs(8);
/// Invoices that are shown.
pub(crate) const MAX_INVOICES: u64 = 24;
/// How often a checkout begins anew because the customer was deleted at the provider meanwhile.
const MAX_CUSTOMERS: usize = 2;
/// How long an event's id is kept: the provider repeats an event for three days, and by hand for thirty.
const EVENT_RETENTION: Millis = 90 * DAY;

/// The plans that this service has.
pub(crate) fn plans(app: &App) -> impl Iterator<Item = Plan> {
    let default = app.config.default_plan;
    Plan::ALL.into_iter().filter(move |plan| *plan != Plan::Unlimited || default == Plan::Unlimited)
}

/// The intervals at which a plan can be bought here.
pub(crate) fn intervals(app: &App, plan: Plan) -> Vec<Interval> {
    let sold = |interval: &Interval| {
        let offer = Offer { plan, interval: *interval };
        app.billing.get().is_some_and(|provider| offer.price().is_some() && provider.sells(offer))
    };
    Interval::ALL.into_iter().filter(sold).collect()
}

/// Opens a checkout for a plan.
pub(crate) async fn checkout(app: &App, act: &Act, plan: &str, interval: &str) -> Result<Checkout, ApiError> {
    let account = act.account;
    let mut violations = Violations::default();
    let plan = violations.take("planId", Plan::parse(plan).ok_or("is not a plan"));
    let interval = violations.take("interval", Interval::parse(interval).ok_or("must be month or year"));
    let (Some(plan), Some(interval)) = (plan, interval) else { return Err(violations.into_error()) };
    let offer = Offer { plan, interval };
    if offer.price().is_none() {
        return Err(ApiError::invalid_field("planId", "is not for sale"));
    }
    let provider = app.billing.provider()?;
    if !provider.sells(offer) {
        return Err(ApiError::invalid_field("planId", format!("can't be bought by the {} here", interval.as_str())));
    }
    let work = async {
        let customer = Box::pin(customer(app, provider, act)).await?;
        if subscription(app, account).await?.is_some() {
            return Err(ApiError::conflict(
                "planId",
                "The account has a subscription: it is changed in the billing portal.",
            ));
        }
        let back = |page: &str| format!("{}/billing/checkout/{page}", app.config.base_url.as_str());
        let new = NewCheckout {
            key: Uuid::now_v7(),
            customer,
            account,
            offer,
            success_url: back("success"),
            cancel_url: back("canceled"),
        };
        Ok(provider.create_checkout(&new).await?)
    };
    patiently(app, account, Box::pin(work)).await
}

/// Opens the page where the account's subscription and means of payment are changed; answers its URL.
pub(crate) async fn portal(app: &App, act: &Act) -> Result<String, ApiError> {
    let provider = app.billing.provider()?;
    let work = async {
        let customer = Box::pin(customer(app, provider, act)).await?;
        Ok(provider.create_portal(&customer, app.config.base_url.as_str()).await?)
    };
    patiently(app, act.account, Box::pin(work)).await
}

/// Asks the provider for an account, when it is the account's turn.
async fn patiently<T>(
    app: &App,
    account: AccountId,
    work: impl Future<Output = Result<T, ApiError>>,
) -> Result<T, ApiError> {
    let in_turn = async {
        let _turn = app.provider_turns.acquire(account).await?;
        work.await
    };
    match timeout(PATIENCE, in_turn).await {
        Ok(done) => done,
        Err(_) => Err(ProviderError::Down("too slow".to_owned()).into()),
    }
}

/// The provider's id of the account's customer, which is created if there is none. For an existing customer, its state at the
/// provider is stored first.
async fn customer(app: &App, provider: &dyn Provider, act: &Act) -> Result<String, ApiError> {
    let account = act.account;
    for _ in 0..MAX_CUSTOMERS {
        let wanted = wanted(app, provider, act).await?;
        if let Some(id) = wanted.customer_id {
            sync::sync(app, account, None).await?;
            if repo::customer(app.db.read(), account).await?.is_some_and(|it| it.customer_id.as_ref() == Some(&id)) {
                return Ok(id);
            }
            // The customer was deleted at the provider: try again.
            continue;
        }
        let new =
            NewCustomer { key: wanted.request_key, account, email: wanted.email.clone(), name: wanted.name.clone() };
        let id = match provider.create_customer(&new).await {
            Ok(id) => id,
            Err(error) => {
                if matches!(error, ProviderError::Refused(_) | ProviderError::Failed(_)) {
                    // The same request would fail again. The next one has another key, and perhaps another address; a customer
                    // that a failed request created all the same never pays.
                    repo::delete_unmade_customer(app.db.write(), account, wanted.request_key).await?;
                }
                return Err(error.into());
            }
        };
        if repo::set_customer_id(app.db.write(), account, wanted.request_key, &id).await? {
            return Ok(id);
        }
    }
    Err(ProviderError::Down("its customers keep disappearing".to_owned()).into())
}

/// The stored customer of the account, which may not exist at the provider yet. The first caller stores the request that creates
/// it; all others repeat that request, and so get the same customer.
async fn wanted(app: &App, provider: &dyn Provider, act: &Act) -> Result<billing_customer::Model, ApiError> {
    let account = act.account;
    let stored = repo::customer(app.db.read(), account).await?;
    if let Some(customer) = stored.filter(|customer| customer.provider == provider.name()) {
        return Ok(customer);
    }
    let user = features::accounts::owner::user(app, account, act.call.user()?).await?;
    let now = app.clock.now();
    let tx = app.begin(act).await?;
    let Some(owner) = records::accounts::repo::lock_account(&tx, account).await? else {
        return Err(Code::Unauthenticated.into());
    };
    match repo::customer(&tx, account).await? {
        Some(customer) if customer.provider == provider.name() => return Ok(customer),
        Some(_) => sync::unlink_customer(&tx, &owner, now).await?,
        None => {}
    }
    let customer = billing_customer::Model {
        account_id: account.0,
        provider: provider.name().to_owned(),
        request_key: Uuid::now_v7(),
        email: user.email,
        name: user.name,
        customer_id: None,
        created_at: now,
        tickets: 0,
        synced: 0,
        synced_at: None,
    };
    repo::insert_customer(&tx, customer.clone()).await?;
    let job = ReconcileBilling { account: account.0, request_key: customer.request_key };
    tx.enqueue(job.stored()?, account, now + DAY).await?;
    tx.commit([Fact::created(&customer)]).await?;
    Ok(customer)
}

/// Schedules the deletion of the account's customer at the provider, which ends its subscriptions and deletes its personal data.
pub(crate) async fn release_account(tx: &Change<'_>, account: AccountId, now: UnixMillis) -> Result<(), ApiError> {
    let Some(customer) = repo::customer(tx, account).await? else { return Ok(()) };
    let billing_customer::Model { provider, request_key, email, name, .. } = customer;
    let job = match customer.customer_id {
        Some(customer) => DeleteCustomer { provider, customer }.stored()?,
        // The id is not stored: the customer may be in creation now, or was created before a crash.
        None => DeleteUnstoredCustomer { provider, account: account.0, request_key, email, name }.stored()?,
    };
    tx.enqueue(job, account, now).await?;
    repo::delete_customer(tx, account).await?;
    Ok(())
}

/// Delete the customer of an account that is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DeleteCustomer {
    provider: String,
    /// Its id of the customer.
    customer: String,
}

impl Job for DeleteCustomer {
    const NAME: &'static str = "delete_customer";
}

impl Run for DeleteCustomer {
    const LANE: Lane = LANE;

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        let provider = match of_gone_account(app, &self.provider) {
            Ok(provider) => provider,
            Err(done) => return Ok(done),
        };
        provider.delete_customer(&self.customer).await?;
        Ok(Done::Finished)
    }
}

/// Delete the customer of an account that is gone, whose id is not stored: only the request that may have created it is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DeleteUnstoredCustomer {
    provider: String,
    account: Uuid,
    /// The request's key.
    request_key: Uuid,
    /// The e-mail address in it.
    email: String,
    name: String,
}

impl Job for DeleteUnstoredCustomer {
    const NAME: &'static str = "delete_unstored_customer";
}

impl Run for DeleteUnstoredCustomer {
    const LANE: Lane = LANE;

    async fn run(self, app: &Arc<App>, _: Uuid) -> Result<Done, ApiError> {
        let provider = match of_gone_account(app, &self.provider) {
            Ok(provider) => provider,
            Err(done) => return Ok(done),
        };
        let DeleteUnstoredCustomer { account, request_key, email, name, .. } = self;
        let made_by = NewCustomer { key: request_key, account: AccountId(account), email, name };
        match provider.create_customer(&made_by).await {
            Ok(customer) => provider.delete_customer(&customer).await?,
            Err(ProviderError::Refused(_) | ProviderError::Failed(_)) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(Done::Finished)
    }
}

/// The provider of a customer whose account was deleted. Fails with the outcome of the job if that provider is not the configured
/// one.
fn of_gone_account<'a>(app: &'a App, name: &str) -> Result<&'a dyn Provider, Done> {
    match app.billing.get() {
        Some(provider) if provider.name() == name => Ok(provider),
        // Sandbox customers have no personal data and pay nothing: there is nothing to delete.
        _ if name == sandbox::NAME => Err(Done::Finished),
        _ => {
            tracing::warn!(
                provider = name,
                "A customer of a deleted account waits for its payment provider to be set up"
            );
            Err(Done::Again(app.clock.now() + DAY))
        }
    }
}

/// The plan, link count and period that usage is measured by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// The plan in force.
    pub(crate) plan: Plan,
    /// Links of the account.
    pub(crate) links: i64,
    /// Start and end of the period that clicks are counted in.
    pub(crate) period: (UnixMillis, UnixMillis),
}

/// Reads the account's plan, link count and period.
pub(crate) async fn frame(app: &App, account: AccountId) -> Result<Frame, ApiError> {
    let now = app.clock.now();
    let owner = features::accounts::owner::account(app, account).await?;
    let paid = subscription(app, account).await?.map(|it| (it.current_period_start, it.current_period_end));
    Ok(Frame {
        plan: records::accounts::repo::plan_of(&owner, app.config.default_plan, now),
        links: owner.link_count,
        period: paid.unwrap_or_else(|| month(now)),
    })
}

/// The account's clicks in a period, by whole days.
pub(crate) async fn clicks(
    app: &App,
    account: AccountId,
    (start, end): (UnixMillis, UnixMillis),
) -> Result<i64, ApiError> {
    Ok(usage::repo::sum(app.db.read(), account, day(start), day(end - 1)).await?.0)
}

/// Calls by the account's API keys today.
pub(crate) async fn api_calls(app: &App, account: AccountId) -> Result<i64, ApiError> {
    calls::store(app).await?;
    let today = day(app.clock.now());
    Ok(usage::repo::sum(app.db.read(), account, today, today).await?.1)
}

/// Start and end of the calendar month of a moment.
fn month(time: UnixMillis) -> (UnixMillis, UnixMillis) {
    let day = DateTime::from_timestamp_millis(time).unwrap_or_default().date_naive().with_day(1).unwrap_or_default();
    let next = day.checked_add_months(Months::new(1)).unwrap_or(day);
    let start = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc().timestamp_millis();
    (start(day), start(next))
}

/// Deletes the ids of events that are older than [`EVENT_RETENTION`].
pub(crate) async fn sweep(app: &App, now: UnixMillis) -> Result<(), ApiError> {
    Ok(repo::delete_events_before(app.db.write(), now - EVENT_RETENTION).await?)
}

/// The account's subscription, unless it has ended.
pub(crate) async fn subscription(app: &App, account: AccountId) -> Result<Option<subscription::Model>, ApiError> {
    let stored = repo::subscription(app.db.read(), account).await?;
    Ok(stored.filter(|it| it.status != SubscriptionStatus::Canceled.as_str()))
}

/// The account's newest invoices.
pub(crate) async fn invoices(app: &App, account: AccountId) -> Result<Vec<invoice::Model>, ApiError> {
    Ok(repo::invoices(app.db.read(), account, MAX_INVOICES).await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::clock::{parse_rfc3339, rfc3339};

    #[test]
    fn a_month_is_that_of_the_calendar() {
        let of = |text: &str| {
            let (start, end) = month(parse_rfc3339(text).unwrap());
            (rfc3339(start), rfc3339(end))
        };
        let is = |start: &str, end: &str| (format!("{start}T00:00:00.000Z"), format!("{end}T00:00:00.000Z"));
        assert_eq!(of("2026-12-31T23:59:59.999Z"), is("2026-12-01", "2027-01-01"));
        assert_eq!(of("2028-02-29T00:00:00Z"), is("2028-02-01", "2028-03-01"));
        assert_eq!(of("2026-11-01T00:00:00+01:00"), is("2026-10-01", "2026-11-01"));
    }
}
