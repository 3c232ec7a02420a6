//! Makes blocks of clicks that are days old.

use entity::{click, click_block, link};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Statement,
    sea_query::{Expr, ExprTrait, Query, SelectStatement},
};
use uuid::Uuid;

use super::{
    blocks::{
        block::{BlockClick, MOST},
        repo::{self as blocks, END, Wanted},
    },
    rows::lock_link,
};
use crate::base::clock::{DAY, Millis, UnixMillis, day};

/// UTC days for which clicks stay rows at least: ingest may note of clicks so old that they are not the first of their visitors.
const DAYS_AS_ROWS: i32 = 8;
/// Clicks of a link of which blocks are made; fewer wait for more.
const FEW: u64 = 64;
/// Time after which the few are in a block, too, and of the clicks of a block at most: retention writes a block anew each day as long as a
/// part of it is kept.
const SPAN: Millis = 32 * DAY;
/// Clicks that are put into blocks at once.
const AT_ONCE: u64 = 4 * MOST as u64;

/// The time before which clicks don't change any more: no visitor of their days is known.
pub(crate) async fn settled_before(db: &impl ConnectionTrait, now: UnixMillis) -> Result<UnixMillis, DbErr> {
    let first = Statement::from_string(db.get_database_backend(), "SELECT min(day) FROM click_visitors");
    let row = db.query_one_raw(first).await?;
    let first: Option<i32> = row.map(|row| row.try_get_by_index(0)).transpose()?.flatten();
    let settled = day(now).saturating_sub(DAYS_AS_ROWS);
    Ok(i64::from(first.map_or(settled, |first| Ord::min(first, settled))) * DAY)
}

/// The next links, by id, that ever had a click which is not deleted. Not scoped to an account: the job looks at all.
pub(crate) async fn links_after(
    db: &impl ConnectionTrait,
    after: Option<Uuid>,
    limit: u64,
) -> Result<Vec<Uuid>, DbErr> {
    link::Entity::find()
        .select_only()
        .column(link::Column::Id)
        .filter(link::Column::Id.gt(after.unwrap_or_default()))
        .filter(Expr::col(link::Column::ClickCount).gt(Expr::col(link::Column::ExpiredClicks)))
        .order_by_asc(link::Column::Id)
        .limit(limit)
        .into_tuple()
        .all(db)
        .await
}

/// Filters links to those that have enough clicks before a time to make blocks of: two index lookups for each.
pub(crate) async fn with_enough(
    db: &impl ConnectionTrait,
    links: &[Uuid],
    before: UnixMillis,
    now: UnixMillis,
) -> Result<Vec<Uuid>, DbErr> {
    let clicks = |before: UnixMillis| -> SelectStatement {
        Query::select()
            .expr(Expr::value(1))
            .from(click::Entity)
            .and_where(Expr::col((click::Entity, click::Column::LinkId)).equals((link::Entity, link::Column::Id)))
            .and_where(Expr::col((click::Entity, click::Column::ClickedAt)).lt(before))
            .take()
    };
    let many = Expr::exists(clicks(before).limit(1).offset(FEW - 1).take());
    let old = Expr::exists(clicks(Ord::min(before, now - SPAN)));
    link::Entity::find()
        .select_only()
        .column(link::Column::Id)
        .filter(link::Column::Id.is_in(links.iter().copied()))
        .filter(many.or(old))
        .into_tuple()
        .all(db)
        .await
}

/// Puts the oldest clicks of a link before a time into blocks, in a transaction. Returns whether there may be more.
pub(crate) async fn compact(tx: &impl ConnectionTrait, link: Uuid, before: UnixMillis) -> Result<bool, DbErr> {
    // As ingest does, so that no click is added meanwhile.
    if !lock_link(tx, link).await? {
        return Ok(false);
    }
    let of_link = click::Column::LinkId.eq(link).and(click::Column::ClickedAt.lt(before));
    let rows = click::Entity::find()
        .filter(of_link.clone())
        .filter(click::Column::NewToLink.is_not_null())
        .order_by_asc(click::Column::ClickedAt)
        .order_by_asc(click::Column::Id)
        .limit(AT_ONCE)
        .all(tx)
        .await?;
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Ok(false) };
    let mut clicks: Vec<BlockClick<'_>> = rows.iter().map(BlockClick::of).collect();
    // The newest block has room as long as it is small and recent.
    let has_room = |block: &&click_block::Model| {
        (block.clicks.unsigned_abs() as usize) < MOST / 2 && block.first_at + SPAN > first.clicked_at
    };
    let range = (UnixMillis::MIN, UnixMillis::MAX);
    let newest = blocks::newest(tx, &[Wanted { link, before: END, range }], 1).await?;
    // A damaged one stays as it is: an error would keep all other links waiting.
    if let Some(block) = newest.first().filter(has_room)
        && let Ok(known) = blocks::all(&block.bytes)
    {
        clicks.extend(known);
        blocks::delete(tx, link, (block.last_at, block.last_id)).await?;
    }
    clicks.sort_unstable_by_key(|click| (click.clicked_at, click.id));
    let mut rest = &clicks[..];
    while let Some(first) = rest.first() {
        let within = rest.partition_point(|click| click.clicked_at < first.clicked_at + SPAN);
        let (block, later) = rest.split_at(within.min(MOST));
        blocks::insert(tx, link, block).await?;
        rest = later;
    }
    let place = Expr::tuple([click::Column::ClickedAt, click::Column::Id].map(Expr::col));
    let deleted = click::Entity::delete_many()
        .filter(of_link)
        .filter(click::Column::NewToLink.is_not_null())
        .filter(click::Column::ClickedAt.lte(last.clicked_at))
        .filter(place.lte(Expr::tuple([Expr::value(last.clicked_at), Expr::value(last.id)])))
        .exec(tx)
        .await?;
    if deleted.rows_affected != rows.len() as u64 {
        return Err(DbErr::Custom("clicks of a link changed while blocks were made of them".to_owned()));
    }
    Ok(rows.len() as u64 == AT_ONCE)
}
