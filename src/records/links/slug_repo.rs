//! Queries on slugs where case is ignored. The index that finds them has no links of the service's own host.

use sea_orm::{ConnectionTrait, DatabaseBackend, DbErr, FromQueryResult, Statement};
use uuid::Uuid;

use crate::{
    base::ids::AccountId,
    platform::db::{filled_up, on_rows},
    redirect::lookups::lower_slug,
};

/// A link at a place where case is ignored.
#[derive(Debug, FromQueryResult)]
pub(crate) struct Taken {
    pub(crate) id: Uuid,
    pub(crate) host: String,
    pub(crate) slug: String,
}

/// The account's links at these places, which are hosts, none of them the service's own, and slugs in lower case.
pub(crate) async fn taken(
    db: &impl ConnectionTrait,
    account: AccountId,
    places: impl Iterator<Item = (&str, &str)>,
) -> Result<Vec<Taken>, DbErr> {
    let backend = db.get_database_backend();
    let rows = places.map(|(host, slug)| [host.into(), slug.into(), account.0.into()]).collect();
    let statements = on_rows(backend, ["text", "text", "uuid"], filled_up(rows), |wanted| {
        format!(
            "SELECT links.id, links.host, links.slug FROM {wanted} AS wanted JOIN links ON links.host = wanted.column1 \
             AND links.host <> '' AND {} = wanted.column2 AND links.account_id = wanted.column3",
            lower_slug(backend)
        )
    });
    let mut taken = Vec::new();
    for statement in statements {
        taken.extend(Taken::find_by_statement(statement).all(db).await?);
    }
    Ok(taken)
}

/// Slugs of the account's links on this host, which is not the service's own, that differ from another's in case alone, or from that
/// of a blocked link; the first in the order of the alphabet, and so many at most.
pub(crate) async fn clashes(
    db: &impl ConnectionTrait,
    account: AccountId,
    host: &str,
    limit: u64,
) -> Result<Vec<String>, DbErr> {
    let backend = db.get_database_backend();
    let lower = lower_slug(backend);
    let (first, second, third) = match backend {
        DatabaseBackend::Postgres => ("$1", "$2", "$3"),
        _ => ("?1", "?2", "?3"),
    };
    let of_host = format!("links.host = {first} AND links.host <> '' AND links.account_id = {second}");
    // The order of the joins is the one that the index of slugs is for.
    let sql = format!(
        "SELECT links.slug FROM (SELECT {lower} AS lower_slug FROM links WHERE {of_host} GROUP BY {lower} \
         HAVING count(*) > 1 ORDER BY {lower} LIMIT {third}) AS clashing \
         CROSS JOIN links WHERE {of_host} AND {lower} = clashing.lower_slug \
         UNION SELECT links.slug FROM blocked_links CROSS JOIN links WHERE {of_host} AND {lower} = {} \
         AND links.slug <> blocked_links.slug AND blocked_links.host = {first} AND blocked_links.account_id = {second} \
         ORDER BY 1 LIMIT {third}",
        lower.replace("links.", "blocked_links.")
    );
    let values = [host.into(), account.0.into(), i64::try_from(limit).unwrap_or(i64::MAX).into()];
    let rows = db.query_all_raw(Statement::from_sql_and_values(backend, sql, values)).await?;
    rows.iter().map(|row| row.try_get_by_index(0)).collect()
}
