//! Queries on slugs of deleted accounts: a printed short link must not lead where somebody else wants.

use entity::{link, retired_slug};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, ExprTrait, QueryFilter, QuerySelect, QueryTrait,
    sea_query::{Expr, OnConflict, Query},
};
use uuid::Uuid;

use crate::base::clock::{DAY, Millis, UnixMillis};

/// How long nobody gets the slug of a deleted account on the service's own host.
pub(crate) const RETIRED: Millis = 90 * DAY;
/// Rows deleted at once.
const SWEEP_BATCH: u64 = 5_000;

/// Retires the slugs that these links, which are about to be deleted, have on the service's own host.
pub(crate) async fn retire(
    tx: &impl ConnectionTrait,
    links: impl Iterator<Item = Uuid>,
    now: UnixMillis,
) -> Result<(), DbErr> {
    let slugs = link::Entity::find()
        .select_only()
        .column(link::Column::Slug)
        .expr(Expr::value(now))
        .filter(link::Column::Host.eq(""))
        .filter(link::Column::Id.is_in(links));
    let again =
        OnConflict::column(retired_slug::Column::Slug).update_column(retired_slug::Column::RetiredAt).to_owned();
    let mut insert = Query::insert();
    insert.into_table(retired_slug::Entity).columns([retired_slug::Column::Slug, retired_slug::Column::RetiredAt]);
    insert.select_from(slugs.into_query()).map_err(|error| DbErr::Custom(error.to_string()))?.on_conflict(again);
    tx.execute(&insert).await?;
    Ok(())
}

/// The condition that this slug is retired.
pub(crate) fn is_retired(slug: &Expr, now: UnixMillis) -> Expr {
    among(now, |retired| retired.eq(slug.clone()))
}

/// The condition that one of these slugs is retired.
pub(crate) fn is_any_retired(slugs: Vec<&str>, now: UnixMillis) -> Expr {
    among(now, |retired| retired.is_in(slugs))
}

fn among(now: UnixMillis, slugs: impl FnOnce(Expr) -> Expr) -> Expr {
    let slug = Expr::col((retired_slug::Entity, retired_slug::Column::Slug));
    let retired = Query::select()
        .expr(Expr::value(1))
        .from(retired_slug::Entity)
        .and_where(slugs(slug))
        .and_where(Expr::col((retired_slug::Entity, retired_slug::Column::RetiredAt)).gt(now - RETIRED))
        .take();
    Expr::exists(retired)
}

/// Whether this slug is retired.
pub(crate) async fn holds(db: &impl ConnectionTrait, slug: &str, now: UnixMillis) -> Result<bool, DbErr> {
    let retired = retired_slug::Entity::find_by_id(slug).filter(retired_slug::Column::RetiredAt.gt(now - RETIRED));
    Ok(retired.one(db).await?.is_some())
}

/// Deletes slugs that are free again.
pub(crate) async fn sweep(db: &impl ConnectionTrait, now: UnixMillis) -> Result<(), DbErr> {
    use retired_slug::{Column, Entity};
    loop {
        let old = Entity::find().select_only().column(Column::Slug).filter(Column::RetiredAt.lte(now - RETIRED));
        let these = Column::Slug.in_subquery(old.limit(SWEEP_BATCH).into_query());
        if Entity::delete_many().filter(these).exec(db).await?.rows_affected < SWEEP_BATCH {
            return Ok(());
        }
    }
}
