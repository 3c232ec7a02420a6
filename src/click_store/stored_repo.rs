//! Lists and counts of clicks, be they rows or in blocks. The links must have been read for the account.
//!
//! A click may become part of a block between two statements: rows are read first, so that none is missed, and one that was read twice is
//! listed once. Counts need a snapshot.

use std::collections::{BTreeMap, HashMap};

use entity::{click, click_block, link};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect,
    sea_query::{Expr, Query},
};
use uuid::Uuid;

use super::{
    blocks::{
        block::{BlockClick, MOST},
        repo::{self as blocks, END, Wanted, unreadable},
    },
    rows::{
        ClickFilter, CountedClick, Found, New, ShownClick, SplitDay, repo as rows, scan_repo, slot_repo, split_repo,
    },
};
use crate::{
    base::{
        clock::{UnixMillis, day},
        ids::{AccountId, LinkId},
        page::PageArgs,
    },
    clicks::day_document::Counts,
    platform::db::packed::Packed,
};

/// Blocks that are read at once: some 20 KB each, and 1 MB if every click has other texts, all as long as can be.
const AT_ONCE: u64 = 32;

/// The place of a click in a list: its time and id.
type Place = (UnixMillis, Uuid);

/// A click in a list.
trait Listed: From<click::Model> + Send {
    fn place(&self) -> Place;
}

impl Listed for click::Model {
    fn place(&self) -> Place {
        (self.clicked_at, self.id)
    }
}

impl Listed for ShownClick {
    fn place(&self) -> Place {
        (self.clicked_at, self.id)
    }
}

fn range(filter: ClickFilter) -> (UnixMillis, UnixMillis) {
    (filter.from.unwrap_or(UnixMillis::MIN), filter.to.unwrap_or(UnixMillis::MAX))
}

/// The blocks that may have clicks which belong before the last of those found, of which `most` are listed.
fn wanted<T: Listed>(link: Uuid, filter: ClickFilter, found: &[T], most: usize) -> Wanted {
    let (from, to) = range(filter);
    let oldest = found.last().filter(|_| found.len() >= most).map_or(from, |click| click.place().0);
    Wanted { link, before: END, range: (from.max(oldest), to) }
}

/// Adds the clicks of blocks to the newest rows of each link, the newest first, until there are `most`.
async fn add_blocks<T: Listed>(
    db: &impl ConnectionTrait,
    filter: ClickFilter,
    after: Option<Place>,
    most: usize,
    found: &mut HashMap<Uuid, Vec<T>>,
) -> Result<(), DbErr> {
    let filter = ClickFilter { to: after.map(|(time, _)| time.saturating_add(1)).or(filter.to), ..filter };
    let mut asked: Vec<Wanted> = found.iter().map(|(link, clicks)| wanted(*link, filter, clicks, most)).collect();
    let at_once = (most / MOST + 1) as u64;
    while !asked.is_empty() {
        let mut read: HashMap<Uuid, Vec<click_block::Model>> = HashMap::new();
        for block in blocks::newest(db, &asked, at_once.min(AT_ONCE)).await? {
            read.entry(block.link_id).or_default().push(block);
        }
        asked.clear();
        for (link, blocks) in read {
            let clicks = found.entry(link).or_default();
            let Some(before) = blocks.iter().map(|block| (block.last_at, block.last_id)).min() else { continue };
            for block in &blocks {
                add(block, filter, after, clicks)?;
            }
            clicks.sort_unstable_by_key(|click| std::cmp::Reverse(click.place()));
            clicks.dedup_by_key(|click| click.place());
            clicks.truncate(most);
            asked.push(Wanted { before, ..wanted(link, filter, clicks, most) });
        }
    }
    Ok(())
}

fn add<T: Listed>(
    block: &click_block::Model,
    filter: ClickFilter,
    after: Option<Place>,
    clicks: &mut Vec<T>,
) -> Result<(), DbErr> {
    let (from, to) = range(filter);
    for click in blocks::clicks(&block.bytes)? {
        let click = click.map_err(unreadable)?;
        let is_listed = (from..to).contains(&click.clicked_at)
            && !(filter.humans_only && click.is_bot)
            && after.is_none_or(|after| (click.clicked_at, click.id) < after);
        if is_listed {
            clicks.push(T::from(click.to_row(block.link_id)));
        }
    }
    Ok(())
}

/// Some of a link's clicks, newest first.
pub(crate) async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    link: LinkId,
    filter: ClickFilter,
    (offset, limit): (u64, u64),
) -> Result<Vec<click::Model>, DbErr> {
    let page = rows::page(db, account, link, filter, (offset, limit)).await?;
    if blocks::newest(db, &[wanted(link.0, filter, &page, size(limit))], 1).await?.is_empty() {
        return Ok(page);
    }
    let most = offset.saturating_add(limit);
    let clicks = rows::page_after(db, account, link, filter, None, most).await?;
    let mut found = HashMap::from([(link.0, clicks)]);
    add_blocks(db, filter, None, size(most), &mut found).await?;
    Ok(found.remove(&link.0).unwrap_or_default().into_iter().skip(size(offset)).collect())
}

fn size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Clicks of a link, newest first, that come after the one of this time and id: however many came before, as many are read
/// as are answered.
pub(crate) async fn page_after(
    db: &impl ConnectionTrait,
    account: AccountId,
    link: LinkId,
    filter: ClickFilter,
    after: Option<Place>,
    limit: u64,
) -> Result<Vec<click::Model>, DbErr> {
    let clicks = rows::page_after(db, account, link, filter, after, limit).await?;
    let mut found = HashMap::from([(link.0, clicks)]);
    add_blocks(db, filter, after, size(limit), &mut found).await?;
    Ok(found.remove(&link.0).unwrap_or_default())
}

/// The same page of the clicks of several links of the account, newest first, each link with the number of its clicks; each is read alone:
/// that number does not matter.
pub(crate) async fn pages(
    db: &impl ConnectionTrait,
    links: &HashMap<LinkId, i64>,
    page: PageArgs,
) -> Result<HashMap<Uuid, Vec<ShownClick>>, DbErr> {
    let (offset, limit) = (page.offset(), page.limit());
    let ids: Vec<LinkId> = links.keys().copied().collect();
    let mut pages = rows::pages(db, &ids, (offset, limit)).await?;
    let filter = ClickFilter::default();
    let page_of = |link: &LinkId| pages.get(&link.0).map_or(&[][..], Vec::as_slice);
    // The others have no click that is not on the page.
    let has_more = |(link, number): &(&LinkId, &i64)| offset + (page_of(link).len() as u64) < number.unsigned_abs();
    let asked: Vec<Wanted> =
        links.iter().filter(has_more).map(|(link, _)| wanted(link.0, filter, page_of(link), size(limit))).collect();
    let blocks = blocks::newest(db, &asked, 1).await?;
    let in_blocks: Vec<LinkId> = blocks.iter().map(|block| LinkId(block.link_id)).collect();
    if in_blocks.is_empty() {
        return Ok(pages);
    }
    let most = offset.saturating_add(limit);
    let mut found = rows::pages(db, &in_blocks, (0, most)).await?;
    in_blocks.iter().for_each(|link| _ = found.entry(link.0).or_default());
    add_blocks(db, filter, None, size(most), &mut found).await?;
    pages.extend(found.into_iter().map(|(link, clicks)| (link, clicks.into_iter().skip(size(offset)).collect())));
    Ok(pages)
}

/// When the oldest stored click on the link was.
pub(crate) async fn first(
    db: &impl ConnectionTrait,
    account: AccountId,
    link: LinkId,
) -> Result<Option<UnixMillis>, DbErr> {
    let row = rows::first(db, account, link).await?;
    Ok(row.into_iter().chain(blocks::first(db, link.0).await?).min())
}

/// Number of a link's clicks that pass the filter, in a snapshot.
pub(crate) async fn count(
    db: &impl ConnectionTrait,
    account: AccountId,
    link: LinkId,
    filter: ClickFilter,
) -> Result<u64, DbErr> {
    let in_blocks = blocks::count(db, link.0, range(filter), filter.humans_only).await?;
    Ok(rows::count(db, account, link, filter).await? + in_blocks)
}

/// These clicks on links of the account, newest first.
pub(crate) async fn these(
    db: &impl ConnectionTrait,
    account: AccountId,
    asked: impl IntoIterator<Item = Found>,
) -> Result<Vec<click::Model>, DbErr> {
    let asked: Vec<Found> = asked.into_iter().collect();
    let mut clicks = scan_repo::these(db, account, asked.iter().copied()).await?;
    let is_row = |asked: &&Found| {
        let place = (asked.clicked_at, asked.id);
        // Newest first.
        clicks.binary_search_by(|click| place.cmp(&click.place())).is_ok()
    };
    let mut in_blocks: BTreeMap<Uuid, Vec<Place>> = BTreeMap::new();
    for click in asked.iter().filter(|asked| !is_row(asked)) {
        in_blocks.entry(click.link).or_default().push((click.clicked_at, click.id));
    }
    for (link, mut places) in in_blocks {
        places.sort_unstable();
        let (Some((first, _)), Some((last, _))) = (places.first(), places.last()) else { continue };
        let mut pages = Pages { db, link, range: (*first, last.saturating_add(1)), after: None };
        while let Some(read) = pages.next().await? {
            for block in &read {
                for click in blocks::clicks(&block.bytes)? {
                    let click = click.map_err(unreadable)?;
                    if places.binary_search(&(click.clicked_at, click.id)).is_ok() {
                        clicks.push(click.to_row(link));
                    }
                }
            }
        }
    }
    clicks.sort_unstable_by_key(|click| std::cmp::Reverse(click.place()));
    Ok(clicks)
}

/// The blocks of a link with clicks in a range, the oldest first, some at a time.
pub(super) struct Pages<'a, C> {
    pub(super) db: &'a C,
    pub(super) link: Uuid,
    pub(super) range: (UnixMillis, UnixMillis),
    /// The last block that was read.
    pub(super) after: Option<Place>,
}

impl<C: ConnectionTrait> Pages<'_, C> {
    /// The next blocks. `None`: there are no more.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<click_block::Model>>, DbErr> {
        let after = self.after.unwrap_or((UnixMillis::MIN, Uuid::nil()));
        let blocks = blocks::after(self.db, self.link, self.range, after, AT_ONCE).await?;
        self.after = blocks.last().map(|block| (block.last_at, block.last_id));
        Ok((!blocks.is_empty()).then_some(blocks))
    }
}

/// Clicks of people since a time that this rule of the link led (`None`: no rule) elsewhere than to its own destination, by day and
/// destination, oldest first; in a snapshot.
pub(crate) async fn split_days(
    db: &impl ConnectionTrait,
    account: AccountId,
    link: LinkId,
    rule: Option<&str>,
    since: UnixMillis,
) -> Result<Vec<SplitDay>, DbErr> {
    let mut days: BTreeMap<(i64, String), (i64, i64)> = BTreeMap::new();
    for of_day in split_repo::split_days(db, account, link, rule, since).await? {
        days.insert((of_day.day, of_day.destination), (of_day.clicks, of_day.visitors));
    }
    let mut pages = Pages { db, link: link.0, range: (since, UnixMillis::MAX), after: None };
    while let Some(read) = pages.next().await? {
        for block in &read {
            for click in blocks::clicks(&block.bytes)? {
                let click = click.map_err(unreadable)?;
                let [_, destination, led_by, _] = click.way;
                let Some(destination) = destination.filter(|_| led_by == rule && !click.is_bot) else { continue };
                if click.clicked_at >= since {
                    let key = (i64::from(day(click.clicked_at)), destination.to_owned());
                    let (clicks, visitors) = days.entry(key).or_default();
                    (*clicks, *visitors) = (*clicks + 1, *visitors + i64::from(click.is_new_to_link));
                }
            }
        }
    }
    let day = |((day, destination), (clicks, visitors))| SplitDay { day, destination, clicks, visitors };
    Ok(days.into_iter().map(day).collect())
}

/// The clicks on these links in a range that the roll-ups count, as rows of [`CountedClick`]s; in a snapshot.
pub(crate) async fn counted_clicks(
    db: &impl ConnectionTrait,
    links: &[Uuid],
    range: (UnixMillis, UnixMillis),
    new: New,
) -> Result<Vec<Packed>, DbErr> {
    let mut found = slot_repo::clicks(db, links, range, new).await?;
    let mut of_blocks = Packed::default();
    blocks::within(db, links, range, &mut |link, click| of_blocks.push(CountedClick::row(&click, &link, new))).await?;
    found.push(of_blocks);
    Ok(found)
}

/// The number of clicks that [`counted_clicks`] returns.
pub(crate) async fn counts(
    db: &impl ConnectionTrait,
    links: &[Uuid],
    range: (UnixMillis, UnixMillis),
    new: New,
) -> Result<Counts, DbErr> {
    let mut sum = slot_repo::counts(db, links, range, new).await?;
    let mut count = |_, click: BlockClick<'_>| sum += Counts::one(click.is_bot, new.is_of(&click));
    blocks::within(db, links, range, &mut count).await?;
    Ok(sum)
}

/// Deletes up to `limit` clicks on the link before a time, and whole blocks of them, oldest first, and returns their number: less than
/// `limit` if these were all. In a transaction. Not scoped to an account: only jobs call it, for deleted links and expired clicks.
pub(crate) async fn delete_some(
    db: &impl ConnectionTrait,
    link: Uuid,
    before: UnixMillis,
    limit: u64,
) -> Result<u64, DbErr> {
    let mut deleted = rows::delete_some(db, link, before, limit).await?;
    while deleted < limit {
        let Some((block, clicks)) = blocks::ended_before(db, link, before).await? else {
            return Ok(deleted + delete_parts(db, link, before).await?);
        };
        blocks::delete(db, link, block).await?;
        deleted += clicks;
    }
    Ok(deleted)
}

/// Deletes the clicks before a time of blocks that have others, and returns their number. Those of a damaged block go with its last click: an
/// error would keep all other links waiting.
async fn delete_parts(db: &impl ConnectionTrait, link: Uuid, before: UnixMillis) -> Result<u64, DbErr> {
    let mut deleted = 0;
    for block in blocks::around(db, link, before).await? {
        let Ok(clicks) = blocks::all(&block.bytes) else {
            tracing::error!(%link, "A block of old clicks is damaged: those that are no longer kept are deleted with the last of it");
            continue;
        };
        let (gone, kept) = clicks.split_at(clicks.partition_point(|click| click.clicked_at < before));
        blocks::delete(db, link, (block.last_at, block.last_id)).await?;
        blocks::insert(db, link, kept).await?;
        deleted += gone.len() as u64;
    }
    Ok(deleted)
}

/// Filters the account's links to those that have a click before this time: two index lookups for each.
pub(crate) async fn with_clicks_before(
    db: &impl ConnectionTrait,
    account: AccountId,
    links: &[Uuid],
    before: UnixMillis,
) -> Result<Vec<Uuid>, DbErr> {
    use sea_orm::sea_query::ExprTrait;
    let of_link = |column: Expr| column.equals((link::Entity, link::Column::Id));
    let old = Query::select()
        .expr(Expr::value(1))
        .from(click::Entity)
        .and_where(of_link(Expr::col((click::Entity, click::Column::LinkId))))
        .and_where(Expr::col((click::Entity, click::Column::ClickedAt)).lt(before))
        .take();
    let old_block = Query::select()
        .expr(Expr::value(1))
        .from(click_block::Entity)
        .and_where(of_link(Expr::col((click_block::Entity, click_block::Column::LinkId))))
        .and_where(Expr::col((click_block::Entity, click_block::Column::FirstAt)).lt(before))
        .take();
    link::Entity::find()
        .select_only()
        .column(link::Column::Id)
        .filter(link::Column::AccountId.eq(account.0))
        .filter(link::Column::Id.is_in(links.iter().copied()))
        .filter(Condition::any().add(Expr::exists(old)).add(Expr::exists(old_block)))
        .into_tuple()
        .all(db)
        .await
}
