//! Rules of webhooks.

use std::collections::HashSet;

use entity::webhook;
use sea_orm::DbErr;
use serde_json::json;
use uuid::Uuid;

use crate::{
    app::{
        App,
        change::{Change, Pending},
    },
    base::{
        clock::{DAY, Millis, UnixMillis},
        error::{ApiError, Code, Violations},
        ids::{AccountId, LinkId, WebhookId},
        page::{PageArgs, Selected},
        validate::check_name,
        version::{self, Expected},
    },
    features::webhooks::{disabled_mail::WebhookDisabledMail, event::event, purge::PurgeDeliveries},
    platform::{
        auth::{caller::Caller, role::Role},
        net::target::check_url,
        work::{
            audit::{Act, Fact},
            event_kind::EventKind,
            jobs::Job,
            outbox,
        },
    },
    records::{
        accounts, links, memberships,
        webhooks::{
            delivery::{repo::first_due, signature::new_secret},
            disabled::DisabledReason,
            repo,
        },
    },
};

/// Owners and admins who are told of a disabled webhook at most.
const MAX_TOLD: u64 = 20;
/// How long the old secret signs beside the new one.
const OLD_SECRET_LIFETIME: Millis = DAY;

/// The fields that a request sets of a webhook. `None`: the field stays as it is, or is missing in a new webhook.
#[derive(Clone, Debug, Default)]
pub(crate) struct WebhookChange {
    pub(crate) name: Option<String>,
    pub(crate) url: Option<String>,
    /// Names of events.
    pub(crate) events: Option<Vec<String>>,
    /// Whether events of one kind are sent together.
    pub(crate) batch: Option<bool>,
    /// Ids of the links whose events are sent; none in it: all.
    pub(crate) link_ids: Option<Option<Vec<String>>>,
    /// Whether clicks of bots are left out.
    pub(crate) exclude_bots: Option<bool>,
    /// Whether events are delivered.
    pub(crate) is_active: Option<bool>,
}

/// A change whose fields are good.
struct Checked {
    name: Option<String>,
    url: Option<String>,
    /// In the order of the documentation, each once.
    events: Option<Vec<EventKind>>,
    /// As they are stored, each once.
    link_ids: Option<Option<String>>,
}

/// Fails unless the caller may read the data of all these events, which a webhook gets.
fn check_permissions(caller: &Caller, events: impl Iterator<Item = EventKind>) -> Result<(), ApiError> {
    let mut permissions = events.flat_map(|event| event.permissions());
    permissions.try_for_each(|permission| permission.check(caller))
}

/// The events as they are stored: their names, separated by spaces.
fn stored(events: &[EventKind]) -> String {
    events.iter().map(|event| event.as_str()).collect::<Vec<_>>().join(" ")
}

/// The ids of links as they are stored, separated by spaces. Each is of a link of the account, or one of those `before`, of
/// which some may be deleted since; fails with NOT_FOUND at another.
async fn check_links(app: &App, account: AccountId, ids: &[String], before: Option<&str>) -> Result<String, ApiError> {
    let ids: Vec<Option<LinkId>> = ids.iter().map(|id| id.parse().ok()).collect();
    let asked: Vec<LinkId> = ids.iter().copied().flatten().collect();
    let found = links::repo::links(app.db.read(), account, &asked).await?;
    let mut known: HashSet<Uuid> = found.iter().map(|link| link.id).collect();
    known.extend(before.into_iter().flat_map(|ids| ids.split(' ')).filter_map(|id| Uuid::parse_str(id).ok()));
    let mut stored = Vec::new();
    for (index, id) in ids.iter().enumerate() {
        let unknown = || {
            ApiError::new(Code::NotFound, "The account has no such link.")
                .with_details(json!({ "path": format!("linkIds.{index}") }))
        };
        let id = id.filter(|id| known.contains(&id.0)).ok_or_else(unknown)?.to_string();
        if !stored.contains(&id) {
            stored.push(id);
        }
    }
    Ok(stored.join(" "))
}

/// Checks all fields. `before` is the webhook that is changed.
async fn check(
    app: &App,
    account: AccountId,
    change: &WebhookChange,
    before: Option<&webhook::Model>,
) -> Result<Checked, ApiError> {
    let mut violations = Violations::default();
    let name =
        change.name.as_deref().and_then(|name| violations.take("name", check_name(name).map(|()| name.to_owned())));
    let allow_private = app.config.allow_private_targets;
    let url =
        change.url.as_deref().and_then(|url| violations.take("url", check_url(url, allow_private)).map(String::from));
    let events = change.events.as_deref().map(|events| {
        if events.is_empty() {
            violations.add("events", "must have at least one event");
        }
        for (index, name) in events.iter().enumerate() {
            if EventKind::parse(name).is_none() {
                violations.add(format!("events.{index}"), "is not an event");
            }
        }
        EventKind::ALL.iter().copied().filter(|kind| events.iter().any(|name| name == kind.as_str())).collect()
    });
    if change.link_ids.as_ref().and_then(Option::as_ref).is_some_and(Vec::is_empty) {
        violations.add("linkIds", "must have at least one link; null stands for all");
    }
    violations.finish()?;
    let link_ids = match &change.link_ids {
        Some(Some(ids)) => {
            let before = before.and_then(|webhook| webhook.link_ids.as_deref());
            Some(Some(check_links(app, account, ids, before).await?))
        }
        Some(None) => Some(None),
        None => None,
    };
    Ok(Checked { name, url, events, link_ids })
}

/// One page of webhooks, and their number; each only if selected.
pub(crate) async fn list(
    app: &App,
    account: AccountId,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<webhook::Model>, i64), ApiError> {
    let db = app.db.read();
    let webhooks = if selected.items { repo::page(db, account, page).await? } else { Vec::new() };
    let total = if selected.total { repo::count(db, account).await? } else { 0 };
    Ok((webhooks, i64::try_from(total).unwrap_or(i64::MAX)))
}

pub(crate) async fn webhook(app: &App, account: AccountId, id: WebhookId) -> Result<webhook::Model, ApiError> {
    repo::webhook(app.db.read(), account, id).await?.ok_or_else(|| Code::NotFound.into())
}

/// Creates a webhook, with a secret. Fails with FORBIDDEN when the caller may not read the data of its events.
pub(crate) async fn create<'a>(
    app: &'a App,
    act: &Act,
    new: WebhookChange,
) -> Result<Pending<'a, webhook::Model>, ApiError> {
    let call = &act.call;
    let account = call.account()?;
    let Checked { name, url, events, link_ids } = check(app, account, &new, None).await?;
    check_permissions(&call.caller, events.iter().flatten().copied())?;
    let now = app.clock.now();
    let webhook = webhook::Model {
        id: WebhookId::new().0,
        account_id: account.0,
        name: name.unwrap_or_default(),
        url: url.unwrap_or_default(),
        events: stored(&events.unwrap_or_default()),
        batch: new.batch.unwrap_or_default(),
        link_ids: link_ids.flatten(),
        exclude_bots: new.exclude_bots.unwrap_or_default(),
        is_active: true,
        secret: new_secret()?,
        old_secret: None,
        old_secret_until: None,
        created_at: now,
        updated_at: now,
        disabled_at: None,
        disabled_reason: None,
        failing_since: None,
        failures: 0,
        next_due_at: None,
        leased_until: None,
        leased_by: None,
    };
    let tx = app.begin_once(act).await?;
    let Some(owner) = accounts::repo::lock_account(&tx, account).await? else {
        return Err(Code::Unauthenticated.into());
    };
    let max = accounts::repo::plan_of(&owner, app.config.default_plan, now).max_webhooks();
    let used = i64::try_from(repo::count(&tx, account).await?).unwrap_or(i64::MAX);
    if used >= max {
        return Err(ApiError::plan_limit(max, used, "webhooks"));
    }
    let webhook = repo::insert(&tx, webhook).await?;
    let fact = Fact::created(&webhook);
    Ok(tx.with(webhook, [fact]))
}

/// Changes a webhook. Another URL, or being active again, is a new start: its failures are forgotten. Fails with FORBIDDEN
/// when the caller may not read the data of an event that is added, or of one that goes to another URL, or of one about links
/// when others than before are sent of these.
pub(crate) async fn update(
    app: &App,
    act: &Act,
    id: WebhookId,
    change: WebhookChange,
    expected: &Expected,
) -> Result<webhook::Model, ApiError> {
    let call = &act.call;
    let account = call.account()?;
    let before = repo::webhook(app.db.read(), account, id).await?;
    let Checked { name, url, events, link_ids } = check(app, account, &change, before.as_ref()).await?;
    let tx = app.begin(act).await?;
    let Some(mut webhook) = repo::lock_webhook(&tx, account, id).await? else { return Err(Code::NotFound.into()) };
    expected.check(webhook.updated_at)?;
    let stored_before = webhook.clone();
    let before: Vec<EventKind> = webhook.events.split(' ').filter_map(EventKind::parse).collect();
    let after = events.as_ref().unwrap_or(&before);
    let is_moved = url.as_ref().is_some_and(|url| *url != webhook.url);
    let is_refiltered = link_ids.as_ref().is_some_and(|ids| *ids != webhook.link_ids)
        || change.exclude_bots.is_some_and(|exclude| exclude != webhook.exclude_bots);
    let is_shown = |event: &EventKind| is_moved || !before.contains(event) || (is_refiltered && event.is_about_link());
    let shown = after.iter().copied().filter(is_shown);
    check_permissions(&call.caller, shown)?;
    let activated = change.is_active == Some(true) && !webhook.is_active;
    if activated || is_moved {
        (webhook.failing_since, webhook.failures) = (None, 0);
    }
    webhook.name = name.unwrap_or(webhook.name);
    webhook.url = url.unwrap_or(webhook.url);
    webhook.events = events.map_or(webhook.events, |events| stored(&events));
    webhook.batch = change.batch.unwrap_or(webhook.batch);
    webhook.link_ids = link_ids.unwrap_or(webhook.link_ids);
    webhook.exclude_bots = change.exclude_bots.unwrap_or(webhook.exclude_bots);
    webhook.is_active = change.is_active.unwrap_or(webhook.is_active);
    webhook.updated_at = version::next(webhook.updated_at, app.clock.now());
    if activated {
        (webhook.disabled_at, webhook.disabled_reason) = (None, None);
        webhook.next_due_at = first_due(&tx, id.0).await?;
    }
    if !webhook.is_active {
        webhook.next_due_at = None;
    }
    let webhook = repo::update(&tx, webhook).await?;
    tx.deliver();
    tx.commit([Fact::changed(&stored_before, &webhook)]).await?;
    Ok(webhook)
}

/// Deletes a webhook; its deliveries go in small batches.
pub(crate) async fn delete(app: &App, act: &Act, id: WebhookId) -> Result<(), ApiError> {
    let account = act.account;
    let tx = app.begin(act).await?;
    let Some(webhook) = repo::lock_webhook(&tx, account, id).await? else { return Err(Code::NotFound.into()) };
    repo::delete(&tx, account, id).await?;
    tx.enqueue(PurgeDeliveries { webhooks: vec![id.0] }.stored()?, account, app.clock.now()).await?;
    tx.commit([Fact::deleted(&webhook)]).await?;
    Ok(())
}

/// Deletes the webhooks of an account that is deleted, and enqueues the deletion of their deliveries.
pub(crate) async fn release_account(tx: &Change<'_>, account: AccountId, now: UnixMillis) -> Result<(), DbErr> {
    let webhooks = repo::ids(tx, account).await?;
    for webhooks in webhooks.chunks(100) {
        tx.enqueue(PurgeDeliveries { webhooks: webhooks.to_vec() }.stored()?, account, now).await?;
    }
    repo::delete_all(tx, account).await
}

/// Gives the webhook a new secret. The one before signs too for a day.
pub(crate) async fn rotate_secret(app: &App, act: &Act, id: WebhookId) -> Result<webhook::Model, ApiError> {
    let account = act.account;
    let now = app.clock.now();
    let tx = app.begin(act).await?;
    let Some(mut webhook) = repo::lock_webhook(&tx, account, id).await? else { return Err(Code::NotFound.into()) };
    let before = webhook.clone();
    webhook.old_secret = Some(std::mem::replace(&mut webhook.secret, new_secret()?));
    webhook.old_secret_until = Some(now + OLD_SECRET_LIFETIME);
    webhook.updated_at = version::next(webhook.updated_at, now);
    let webhook = repo::update(&tx, webhook).await?;
    tx.commit([Fact::changed(&before, &webhook)]).await?;
    Ok(webhook)
}

/// Disables a webhook, records the event, and enqueues a mail to each user of the account.
pub(crate) async fn disable(
    tx: &Change<'_>,
    webhook: webhook::Model,
    reason: DisabledReason,
    now: UnixMillis,
) -> Result<(), ApiError> {
    let updated_at = version::next(webhook.updated_at, now);
    repo::disable(tx, webhook.id, reason, now, updated_at).await?;
    let webhook = webhook::Model {
        is_active: false,
        disabled_at: Some(now),
        disabled_reason: Some(reason.as_str().to_owned()),
        updated_at,
        ..webhook
    };
    let account = AccountId(webhook.account_id);
    outbox::record(tx, account, [event(EventKind::WebhookDisabled, &webhook)?], now).await?;
    for user in memberships::repo::with_roles(tx, account, &[Role::Owner, Role::Admin], MAX_TOLD).await? {
        tx.enqueue(WebhookDisabledMail { webhook: webhook.id, user: user.id }.stored()?, account, now).await?;
    }
    tracing::info!(webhook.id = %webhook.id, reason = reason.as_str(), "A webhook was disabled");
    Ok(())
}
