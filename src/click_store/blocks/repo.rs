//! Queries on blocks of clicks. The links must have been read for the account.

use entity::click_block::{self, Column};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder,
    QuerySelect, QueryTrait,
    sea_query::{Expr, ExprTrait, Query, SelectStatement, SimpleExpr, UnionType},
};
use uuid::Uuid;

use super::block::{Block, BlockClick, Unreadable};
use crate::{
    base::clock::UnixMillis,
    platform::db::{
        ROWS_PER_STATEMENT, filled_up,
        packed::{self, Packed, packed},
    },
};

/// Time and id of the newest click of a block: blocks of a link stand in this order.
pub(crate) type Place = (UnixMillis, Uuid);

/// Blocks that a check reads at once, some 20 KB each.
const CHECKED_AT_ONCE: u64 = 100;

/// Behind all clicks.
pub(crate) const END: Place = (UnixMillis::MAX, Uuid::max());

/// Reads the clicks of a block.
pub(crate) fn clicks(bytes: &[u8]) -> Result<Block<'_>, DbErr> {
    Block::read(bytes).map_err(unreadable)
}

/// All clicks of a block.
pub(crate) fn all(bytes: &[u8]) -> Result<Vec<BlockClick<'_>>, DbErr> {
    clicks(bytes)?.collect::<Result<_, _>>().map_err(unreadable)
}

pub(crate) fn unreadable(error: Unreadable) -> DbErr {
    DbErr::Type(error.to_string())
}

/// Whether a block has clicks in a range, as far as its ends tell.
fn overlaps((from, to): (UnixMillis, UnixMillis)) -> SimpleExpr {
    Column::LastAt.gte(from).and(Column::FirstAt.lt(to))
}

/// Shows each click in a range of these links, with its link, in no order. At once, so that they must be few.
pub(crate) async fn within(
    db: &impl ConnectionTrait,
    links: &[Uuid],
    range: (UnixMillis, UnixMillis),
    show: &mut (dyn FnMut(Uuid, BlockClick<'_>) + Send),
) -> Result<(), DbErr> {
    let mut show_each = |link, block: Block<'_>| {
        for click in block {
            let click = click.map_err(unreadable)?;
            if (range.0..range.1).contains(&click.clicked_at) {
                show(link, click);
            }
        }
        Ok(())
    };
    blocks_within(db, links, range, &mut show_each).await
}

/// Shows each block of these links that may have clicks in a range, as [`within`].
pub(crate) async fn blocks_within(
    db: &impl ConnectionTrait,
    links: &[Uuid],
    range: (UnixMillis, UnixMillis),
    show: &mut (dyn FnMut(Uuid, Block<'_>) -> Result<(), DbErr> + Send),
) -> Result<(), DbErr> {
    let backend = db.get_database_backend();
    for links in links.chunks(ROWS_PER_STATEMENT) {
        let blocks = click_block::Entity::find()
            .select_only()
            .columns([Column::LinkId, Column::LastAt, Column::Bytes])
            .filter(Column::LinkId.is_in(filled_up(links.to_vec())))
            .filter(overlaps(range));
        let found = packed(backend, "last_at", [&*packed::uuid(backend, "link_id"), "bytes"]);
        let found = Query::select().expr(Expr::cust(found)).from_subquery(blocks.into_query(), "blocks").take();
        for (_, [link, bytes]) in Packed::query(db, backend.build(&found)).await?.rows()? {
            let link = Uuid::from_slice(link).map_err(|error| DbErr::Type(error.to_string()))?;
            show(link, clicks(bytes)?)?;
        }
    }
    Ok(())
}

/// Blocks of a link with clicks in a range, behind a place, the oldest first.
pub(crate) async fn after(
    db: &impl ConnectionTrait,
    link: Uuid,
    range: (UnixMillis, UnixMillis),
    (last_at, last_id): Place,
    most: u64,
) -> Result<Vec<click_block::Model>, DbErr> {
    let place = Expr::tuple([Expr::col(Column::LastAt), Expr::col(Column::LastId)]);
    click_block::Entity::find()
        .filter(Column::LinkId.eq(link))
        .filter(overlaps(range))
        .filter(place.gt(Expr::tuple([Expr::value(last_at), Expr::value(last_id)])))
        .order_by_asc(Column::LastAt)
        .order_by_asc(Column::LastId)
        .limit(most)
        .all(db)
        .await
}

/// The part of a link's clicks whose newest blocks are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) link: Uuid,
    /// Blocks before this one.
    pub(crate) before: Place,
    /// The range in which they have clicks.
    pub(crate) range: (UnixMillis, UnixMillis),
}

/// The newest blocks of each link, `most` at most.
pub(crate) async fn newest(
    db: &impl ConnectionTrait,
    wanted: &[Wanted],
    most: u64,
) -> Result<Vec<click_block::Model>, DbErr> {
    let newest_of = |wanted: &Wanted| {
        let place = Expr::tuple([Expr::col(Column::LastAt), Expr::col(Column::LastId)]);
        let (last_at, last_id) = wanted.before;
        click_block::Entity::find()
            .filter(Column::LinkId.eq(wanted.link))
            .filter(overlaps(wanted.range))
            .filter(place.lt(Expr::tuple([Expr::value(last_at), Expr::value(last_id)])))
            .order_by_desc(Column::LastAt)
            .order_by_desc(Column::LastId)
            .limit(most)
            .into_query()
    };
    // A part of a union can be ordered only as a subquery.
    let whole = |part: SelectStatement| Query::select().expr(Expr::cust("*")).from_subquery(part, "part").take();
    let parts = wanted.iter().map(newest_of).map(whole);
    let Some(all) = parts.reduce(|mut union, part| union.union(UnionType::All, part).take()) else {
        return Ok(Vec::new());
    };
    click_block::Model::find_by_statement(db.get_database_backend().build(&all)).all(db).await
}

/// The number of a link's clicks in a range, without bots on wish.
pub(crate) async fn count(
    db: &impl ConnectionTrait,
    link: Uuid,
    (from, to): (UnixMillis, UnixMillis),
    humans_only: bool,
) -> Result<u64, DbErr> {
    let is_whole = || Column::FirstAt.gte(from).and(Column::LastAt.lt(to));
    let of_link = || click_block::Entity::find().filter(Column::LinkId.eq(link));
    let number = if humans_only { "sum(clicks - bots)" } else { "sum(clicks)" };
    let number = Expr::cust(format!("CAST(coalesce({number}, 0) AS bigint)"));
    let whole = of_link().select_only().expr(number).filter(is_whole());
    let mut count = whole.into_tuple::<i64>().one(db).await?.unwrap_or_default().unsigned_abs();
    for block in of_link().filter(overlaps((from, to))).filter(is_whole().not()).all(db).await? {
        for click in clicks(&block.bytes)? {
            let click = click.map_err(unreadable)?;
            count += u64::from((from..to).contains(&click.clicked_at) && !(humans_only && click.is_bot));
        }
    }
    Ok(count)
}

/// When the oldest click on the link was.
pub(crate) async fn first(db: &impl ConnectionTrait, link: Uuid) -> Result<Option<UnixMillis>, DbErr> {
    let first = click_block::Entity::find().select_only().column(Column::FirstAt).filter(Column::LinkId.eq(link));
    first.order_by_asc(Column::FirstAt).limit(1).into_tuple().one(db).await
}

/// The oldest block of a link whose clicks are all before a time: its place, and the number of its clicks. Its bytes are not read.
pub(crate) async fn ended_before(
    db: &impl ConnectionTrait,
    link: Uuid,
    before: UnixMillis,
) -> Result<Option<(Place, u64)>, DbErr> {
    let oldest: Option<(UnixMillis, Uuid, i32)> = click_block::Entity::find()
        .select_only()
        .columns([Column::LastAt, Column::LastId, Column::Clicks])
        .filter(Column::LinkId.eq(link))
        .filter(Column::LastAt.lt(before))
        .order_by_asc(Column::LastAt)
        .order_by_asc(Column::LastId)
        .limit(1)
        .into_tuple()
        .one(db)
        .await?;
    Ok(oldest.map(|(last_at, last_id, clicks)| ((last_at, last_id), clicks.unsigned_abs().into())))
}

/// Blocks of a link with clicks before a time and others.
pub(crate) async fn around(
    db: &impl ConnectionTrait,
    link: Uuid,
    time: UnixMillis,
) -> Result<Vec<click_block::Model>, DbErr> {
    let blocks = click_block::Entity::find().filter(Column::LinkId.eq(link));
    blocks.filter(Column::FirstAt.lt(time)).filter(Column::LastAt.gte(time)).all(db).await
}

/// Blocks that can't be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Damaged {
    pub(crate) blocks: u64,
    /// The clicks that they had.
    pub(crate) clicks: u64,
    /// The link of the first of them.
    pub(crate) link: Option<Uuid>,
}

/// Reads all blocks, and counts those that are damaged.
pub(crate) async fn damaged(db: &impl ConnectionTrait) -> Result<Damaged, DbErr> {
    let mut damaged = Damaged::default();
    let mut after = (Uuid::nil(), UnixMillis::MIN, Uuid::nil());
    loop {
        let place = Expr::tuple([Column::LinkId, Column::LastAt, Column::LastId].map(Expr::col));
        let (link, last_at, last_id) = after;
        let blocks = click_block::Entity::find()
            .filter(place.gt(Expr::tuple([Expr::value(link), Expr::value(last_at), Expr::value(last_id)])))
            .order_by_asc(Column::LinkId)
            .order_by_asc(Column::LastAt)
            .order_by_asc(Column::LastId)
            .limit(CHECKED_AT_ONCE)
            .all(db)
            .await?;
        for block in &blocks {
            if Block::read(&block.bytes).is_err() {
                damaged.blocks += 1;
                damaged.clicks += u64::from(block.clicks.unsigned_abs());
                damaged.link = damaged.link.or(Some(block.link_id));
            }
        }
        let Some(last) = blocks.last() else { return Ok(damaged) };
        after = (last.link_id, last.last_at, last.last_id);
    }
}

/// Deletes a block.
pub(crate) async fn delete(db: &impl ConnectionTrait, link: Uuid, (last_at, last_id): Place) -> Result<(), DbErr> {
    click_block::Entity::delete_by_id((link, last_at, last_id)).exec(db).await.map(drop)
}

/// Stores clicks on a link, which are in the order of time, as a block, unless there are none.
pub(crate) async fn insert(db: &impl ConnectionTrait, link: Uuid, clicks: &[BlockClick<'_>]) -> Result<(), DbErr> {
    let (Some(first), Some(last)) = (clicks.first(), clicks.last()) else { return Ok(()) };
    let number = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
    let block = click_block::Model {
        link_id: link,
        last_at: last.clicked_at,
        last_id: last.id,
        first_at: first.clicked_at,
        clicks: number(clicks.len()),
        bots: number(clicks.iter().filter(|click| click.is_bot).count()),
        bytes: super::block::encode(clicks),
    };
    let row = click_block::ActiveModel::from(block).reset_all();
    click_block::Entity::insert(row).exec_without_returning(db).await.map(drop)
}
