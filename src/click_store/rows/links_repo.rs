//! Queries on the links whose clicks are read.

use std::collections::HashMap;

use entity::{link, link_activity, link_tag, tag};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseBackend, DbErr, EntityTrait, JoinType, QueryFilter, QueryOrder, QuerySelect,
    RelationTrait,
    sea_query::{Expr, ExprTrait, LockType},
};
use uuid::Uuid;

use crate::{
    base::{
        clock::UnixMillis,
        ids::{AccountId, LinkId},
    },
    click_store::question::LinkFacts,
    platform::db::{ROWS_PER_STATEMENT, filled_up},
};

/// When a link was clicked last, and its id: how far a list of links is read.
pub(crate) type LastClick = (UnixMillis, Uuid);

/// Links of the account with a click at this time or later, after the place at which the last page ended.
pub(crate) async fn clicked_since(
    db: &impl ConnectionTrait,
    account: AccountId,
    since: UnixMillis,
    after: Option<LastClick>,
    limit: u64,
) -> Result<Vec<LastClick>, DbErr> {
    use link_activity::Column::{AccountId, LastClickedAt, LinkId};
    let (at, id) = after.unwrap_or((since, Uuid::nil()));
    let place = Expr::tuple([Expr::col(LastClickedAt), Expr::col(LinkId)]);
    link_activity::Entity::find()
        .select_only()
        .columns([LastClickedAt, LinkId])
        .filter(AccountId.eq(account.0))
        .filter(LastClickedAt.gte(at))
        .filter(place.gt(Expr::tuple([Expr::value(at), Expr::value(id)])))
        .order_by_asc(LastClickedAt)
        .order_by_asc(LinkId)
        .limit(limit)
        .into_tuple()
        .all(db)
        .await
}

/// Locks a link against others that count its clicks or move them. Returns whether it still exists.
pub(crate) async fn lock_link(tx: &impl ConnectionTrait, link: Uuid) -> Result<bool, DbErr> {
    let mut row = link::Entity::find().select_only().column(link::Column::Id).filter(link::Column::Id.eq(link));
    if tx.get_database_backend() == DatabaseBackend::Postgres {
        row = row.lock(LockType::NoKeyUpdate);
    }
    Ok(row.into_tuple::<Uuid>().one(tx).await?.is_some())
}

/// These links of the account, with their tags if somebody asks for them.
pub(crate) async fn facts(
    db: &impl ConnectionTrait,
    account: AccountId,
    links: &[Uuid],
    with_tags: bool,
) -> Result<Vec<LinkFacts>, DbErr> {
    let mut found = Vec::with_capacity(links.len());
    for links in links.chunks(ROWS_PER_STATEMENT) {
        let rows: Vec<(Uuid, String, String, i64, i64)> = link::Entity::find()
            .select_only()
            .columns([link::Column::Id, link::Column::Host, link::Column::Slug])
            .columns([link::Column::ClickCount, link::Column::ExpiredClicks])
            .filter(link::Column::AccountId.eq(account.0))
            .filter(link::Column::Id.is_in(filled_up(links.to_vec())))
            .into_tuple()
            .all(db)
            .await?;
        let mut tags = if with_tags { tags(db, links).await? } else { HashMap::new() };
        found.extend(rows.into_iter().map(|(id, host, slug, clicks, expired)| LinkFacts {
            id: LinkId(id),
            host,
            slug,
            tags: tags.remove(&id).unwrap_or_default(),
            clicks: clicks.unsigned_abs(),
            expired: expired.unsigned_abs(),
        }));
    }
    Ok(found)
}

async fn tags(db: &impl ConnectionTrait, links: &[Uuid]) -> Result<HashMap<Uuid, Vec<String>>, DbErr> {
    let named: Vec<(Uuid, String)> = link_tag::Entity::find()
        .select_only()
        .column(link_tag::Column::LinkId)
        .column(tag::Column::Name)
        .join(JoinType::InnerJoin, link_tag::Relation::Tag.def())
        .filter(link_tag::Column::LinkId.is_in(filled_up(links.to_vec())))
        .into_tuple()
        .all(db)
        .await?;
    let mut tags: HashMap<Uuid, Vec<String>> = HashMap::new();
    for (link, name) in named {
        tags.entry(link).or_default().push(name);
    }
    Ok(tags)
}
