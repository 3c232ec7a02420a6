//! Slugs that become paths of the API.

use sea_orm::Statement;

use crate::prelude::*;

/// Fails while a link on the service's own host has the slug, in any case: the link would be dead from now on, without a word.
pub(crate) async fn refuse_used_slug(manager: &SchemaManager<'_>, slug: &str) -> Result<(), DbErr> {
    let used = format!("SELECT destination_url FROM links WHERE host = '' AND lower(slug) = '{slug}' LIMIT 1");
    let used = Statement::from_string(manager.get_database_backend(), used);
    if let Some(row) = manager.get_connection().query_one_raw(used).await? {
        let destination: String = row.try_get("", "destination_url")?;
        return Err(DbErr::Custom(format!(
            "/{slug} becomes a path of the API: give the link to {destination} another slug than {slug} first"
        )));
    }
    Ok(())
}
