//! Rules of analytics.

use entity::click;
use uuid::Uuid;

use crate::{
    analytics::repo::{self, ClickFilter},
    app::App,
    db::ROWS_PER_STATEMENT,
    error::ApiError,
    ids::{AccountId, LinkId},
    links,
    page::PageArgs,
};

/// One page of a link's clicks, and their number; each only if wanted.
pub async fn list(
    app: &App,
    account: AccountId,
    link: LinkId,
    filter: ClickFilter,
    page: PageArgs,
    (data, total): (bool, bool),
) -> Result<(Vec<click::Model>, i64), ApiError> {
    let link_row = links::ops::link(app, account, link).await?;
    let db = app.db.read();
    let clicks = if data { repo::page(db, account, link, filter, page).await? } else { Vec::new() };
    let total = match total {
        false => 0,
        // Kept by ingest in the transaction that stores the clicks.
        true if filter == ClickFilter::default() => link_row.click_count - link_row.expired_clicks,
        true => i64::try_from(repo::count(db, account, link, filter).await?).unwrap_or(i64::MAX),
    };
    Ok((clicks, total))
}

/// Deletes the clicks of links that are gone, in batches that hold the writer briefly.
pub async fn purge_clicks(app: &App, links: &[Uuid]) -> Result<(), ApiError> {
    while repo::purge(app.db.write(), links, ROWS_PER_STATEMENT as u64).await? > 0 {}
    Ok(())
}
