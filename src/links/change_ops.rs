//! Rules of changing and deleting links.

use entity::link;
use sea_orm::SqlErr;

use crate::{
    accounts,
    app::App,
    error::{ApiError, Code, Violations},
    ids::{AccountId, LinkId},
    links::{
        announcements,
        checks::{chosen_slug, destination, served},
        event::event,
        life::Life,
        place::{self, site},
        repo::{self, ShownLink},
        state::LinkField,
    },
    work::{event_kind::EventKind, jobs::Job, outbox},
};

/// The fields of a link that a request changes. `None`: the field stays as it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkChange {
    pub(crate) destination_url: Option<String>,
    pub(crate) slug: Option<String>,
    /// Whether it redirects.
    pub(crate) is_active: Option<bool>,
    /// When it begins and ends.
    pub(crate) life: Life,
    /// Whether lists leave it out.
    pub(crate) is_archived: Option<bool>,
    /// Fields to take away.
    pub(crate) clear: Vec<LinkField>,
}
/// Changes a link. The next redirect on this node follows it; on others, after a moment.
pub(crate) async fn update(
    app: &App,
    account: AccountId,
    id: LinkId,
    change: LinkChange,
) -> Result<ShownLink, ApiError> {
    let LinkChange { destination_url, slug, is_active, life, is_archived, clear } = change;
    let urls = [&destination_url, &life.expired_url];
    let served = served(app, urls.into_iter().filter_map(Option::as_deref)).await?;
    let now = app.clock.now();
    let tx = app.begin().await?;
    let Some(before) = repo::lock_link(&tx, account, id).await? else { return Err(Code::NotFound.into()) };
    let mut violations = Violations::default();
    let mut url =
        |path: &str, text: Option<&str>| text.and_then(|text| violations.take(path, destination(app, text, &served)));
    let destination_url = url("destinationUrl", destination_url.as_deref());
    let expired_url = url("expiredUrl", life.expired_url.as_deref());
    // A link may have got its slug before that was reserved.
    let chosen = slug.filter(|text| *text != before.slug);
    let slug = chosen.and_then(|text| violations.take("slug", chosen_slug(app, before.host.is_empty(), &text)));
    life.check_limit(&mut violations);
    life.check_clear(&clear, &mut violations);
    let kept = |field: LinkField| !clear.contains(&field);
    let after = link::Model {
        destination_url: destination_url.unwrap_or_else(|| before.destination_url.clone()),
        slug: slug.clone().unwrap_or_else(|| before.slug.clone()),
        is_active: is_active.unwrap_or(before.is_active),
        starts_at: life.starts_at.or(before.starts_at).filter(|_| kept(LinkField::StartsAt)),
        expires_at: life.expires_at.or(before.expires_at).filter(|_| kept(LinkField::ExpiresAt)),
        expired_url: expired_url.or_else(|| before.expired_url.clone()).filter(|_| kept(LinkField::ExpiredUrl)),
        archived_at: match is_archived {
            Some(true) => before.archived_at.or(Some(now)),
            Some(false) => None,
            None => before.archived_at,
        },
        updated_at: now,
        ..before.clone()
    };
    life.check_window(&after, &mut violations);
    violations.finish()?;
    if let Some(slug) = &slug {
        // Else the address would be free, and could lead there again.
        place::check(app, site(&before), &before.slug)?;
        place::check(app, site(&before), slug)?;
    }
    repo::update(&tx, after).await.map_err(|error| match error.sql_err() {
        Some(SqlErr::UniqueConstraintViolation(_)) => place::slug_taken(),
        _ => error.into(),
    })?;
    if !kept(LinkField::MaxClicks) {
        repo::delete_limit(&tx, id).await?;
    } else if let Some(max) = life.max_clicks {
        repo::set_limits(&tx, vec![(id.0, max.into())]).await?;
    }
    let Some(shown) = repo::shown(&tx, account, &[id]).await?.pop() else { return Err(Code::NotFound.into()) };
    outbox::record(&tx, account, [event(EventKind::LinkUpdated, &shown, app)?], now).await?;
    announcements::expect(&tx, life.expires_at.into_iter(), now).await?;
    tx.evict([place::stale(&before), place::stale(&shown.link)]);
    tx.commit().await?;
    Ok(shown)
}

/// Deletes a link. It stops redirecting at once; its clicks go in small batches.
pub(crate) async fn delete(app: &App, account: AccountId, id: LinkId) -> Result<(), ApiError> {
    let now = app.clock.now();
    let tx = app.begin().await?;
    // The account's row first, as when creating: the order of locks is the same everywhere.
    accounts::repo::lock_account(&tx, account).await?;
    repo::lock_link(&tx, account, id).await?;
    let Some(shown) = repo::shown(&tx, account, &[id]).await?.pop() else { return Err(Code::NotFound.into()) };
    repo::delete(&tx, account, id).await?;
    accounts::repo::add_links(&tx, account, -1).await?;
    outbox::record(&tx, account, [event(EventKind::LinkDeleted, &shown, app)?], now).await?;
    tx.enqueue(&Job::purge_clicks([id]), now).await?;
    tx.evict([place::stale(&shown.link)]);
    tx.commit().await?;
    Ok(())
}
