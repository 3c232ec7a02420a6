//! Queries on clicks. Clicks belong to an account through their link, so each query takes links that were read for the
//! account, or joins them.

use std::collections::HashMap;

use entity::{click, link};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, ExprTrait, FromQueryResult, JoinType, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect, QueryTrait, RelationDef, Select, sea_query::Expr,
};
use uuid::Uuid;

use crate::{
    clock::Millis,
    db::union_all,
    ids::{AccountId, LinkId},
    page::PageArgs,
};

/// Which clicks to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClickFilter {
    /// Not before.
    pub from: Option<Millis>,
    /// Before.
    pub to: Option<Millis>,
    /// Without bots.
    pub humans_only: bool,
}

fn to_link() -> RelationDef {
    click::Entity::belongs_to(link::Entity).from(click::Column::LinkId).to(link::Column::Id).into()
}

fn of_link(account: AccountId, link: LinkId, filter: ClickFilter) -> Select<click::Entity> {
    let mut clicks = click::Entity::find()
        .join(JoinType::InnerJoin, to_link())
        .filter(link::Column::AccountId.eq(account.0))
        .filter(click::Column::LinkId.eq(link.0));
    if let Some(from) = filter.from {
        clicks = clicks.filter(click::Column::ClickedAt.gte(from));
    }
    if let Some(to) = filter.to {
        clicks = clicks.filter(click::Column::ClickedAt.lt(to));
    }
    if filter.humans_only {
        clicks = clicks.filter(click::Column::IsBot.eq(false));
    }
    clicks
}

/// One page of a link's clicks, newest first.
pub async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    link: LinkId,
    filter: ClickFilter,
    page: PageArgs,
) -> Result<Vec<click::Model>, DbErr> {
    of_link(account, link, filter)
        .order_by_desc(click::Column::ClickedAt)
        .order_by_desc(click::Column::Id)
        .offset(page.offset())
        .limit(page.limit())
        .all(db)
        .await
}

/// Clicks of a link, newest first, that come after the one of this time and id: however many came before, as many are read
/// as are answered.
pub async fn page_after(
    db: &impl ConnectionTrait,
    account: AccountId,
    link: LinkId,
    filter: ClickFilter,
    after: Option<(Millis, Uuid)>,
    limit: u64,
) -> Result<Vec<click::Model>, DbErr> {
    let mut clicks = of_link(account, link, filter);
    if let Some((clicked_at, id)) = after {
        let place = Expr::tuple([
            Expr::col((click::Entity, click::Column::ClickedAt)),
            Expr::col((click::Entity, click::Column::Id)),
        ]);
        clicks = clicks.filter(place.lt(Expr::tuple([Expr::value(clicked_at), Expr::value(id)])));
    }
    clicks.order_by_desc(click::Column::ClickedAt).order_by_desc(click::Column::Id).limit(limit).all(db).await
}

/// Number of a link's clicks that pass the filter.
pub async fn count(
    db: &impl ConnectionTrait,
    account: AccountId,
    link: LinkId,
    filter: ClickFilter,
) -> Result<u64, DbErr> {
    of_link(account, link, filter).count(db).await
}

/// The same page of the clicks of several links of the account, in one statement of which each part reads its page alone
/// from the index: the number of a link's clicks does not matter. The links must have been read for the account.
pub async fn pages(
    db: &impl ConnectionTrait,
    links: &[LinkId],
    page: PageArgs,
) -> Result<HashMap<Uuid, Vec<click::Model>>, DbErr> {
    let parts = links.iter().map(|link| {
        click::Entity::find()
            .filter(click::Column::LinkId.eq(link.0))
            .order_by_desc(click::Column::ClickedAt)
            .order_by_desc(click::Column::Id)
            .offset(page.offset())
            .limit(page.limit())
            .into_query()
    });
    let Some(union) = union_all(parts) else { return Ok(HashMap::new()) };
    let statement = db.get_database_backend().build(&union);
    let mut pages: HashMap<Uuid, Vec<click::Model>> = HashMap::new();
    for click in click::Model::find_by_statement(statement).all(db).await? {
        pages.entry(click.link_id).or_default().push(click);
    }
    for page in pages.values_mut() {
        page.sort_unstable_by_key(|click| std::cmp::Reverse((click.clicked_at, click.id)));
    }
    Ok(pages)
}

/// Deletes some clicks of these links; answers how many. Not scoped to an account: the links are gone, and only the
/// purging job calls it.
pub async fn purge(db: &impl ConnectionTrait, links: &[Uuid], limit: u64) -> Result<u64, DbErr> {
    let ids: Vec<Uuid> = click::Entity::find()
        .select_only()
        .column(click::Column::Id)
        .filter(click::Column::LinkId.is_in(links.iter().copied()))
        .limit(limit)
        .into_tuple()
        .all(db)
        .await?;
    if ids.is_empty() {
        return Ok(0);
    }
    Ok(click::Entity::delete_many().filter(click::Column::Id.is_in(ids)).exec(db).await?.rows_affected)
}
