//! Queries on links.

use entity::{link, link_activity, link_limit};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DatabaseBackend, DbErr, EntityTrait, ExprTrait,
    FromQueryResult, Iterable, JoinType, Order, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, RelationTrait,
    Select,
    sea_query::{Expr, LikeExpr, OnConflict, extension::postgres::PgExpr},
};
use uuid::Uuid;

use crate::{
    clock::UnixMillis,
    ids::{AccountId, LinkId},
    links::sort::LinkSort,
    page::PageArgs,
    redirect::target::Limit,
};

/// A link as the API shows it.
#[derive(Clone, Debug, PartialEq, Eq, FromQueryResult)]
pub(crate) struct ShownLink {
    #[sea_orm(nested)]
    pub(crate) link: link::Model,
    /// When it was followed last, if it ever was.
    pub(crate) last_clicked_at: Option<UnixMillis>,
    /// Redirects that its limit allows. `None`: it has no limit.
    pub(crate) max_clicks: Option<i64>,
    /// Of these, redirects that were answered. `None`: it has no limit.
    pub(crate) used_clicks: Option<i64>,
}

impl ShownLink {
    /// The limit of its redirects.
    pub(crate) fn limit(&self) -> Option<Limit> {
        self.max_clicks.zip(self.used_clicks).map(|(max, used)| Limit { max, used })
    }
}

/// Name of the column beside those of `links`, as [`ShownLink`] has it.
const LAST_CLICKED_AT: &str = "last_clicked_at";

/// The time of the last click in `link_activity`, where 0 stands for none.
fn last_clicked_at() -> Expr {
    Expr::cust("NULLIF(link_activity.last_clicked_at, 0)")
}

/// The links of a query with the columns beside those of `links` that [`ShownLink`] has. `link_activity` is joined by the caller.
fn shown_columns<E: EntityTrait>(links: Select<E>) -> Select<E> {
    links
        .join(JoinType::LeftJoin, link::Relation::Limit.def())
        .column_as(last_clicked_at(), LAST_CLICKED_AT)
        .column(link_limit::Column::MaxClicks)
        .column(link_limit::Column::UsedClicks)
}

/// These links, which the caller chose, as the API shows them.
pub(crate) async fn as_shown(db: &impl ConnectionTrait, links: Select<link::Entity>) -> Result<Vec<ShownLink>, DbErr> {
    shown_columns(links.left_join(link_activity::Entity)).into_model().all(db).await
}

/// Which links of an account to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LinkFilter {
    /// Substring of slug or destination, in any case.
    pub(crate) search: Option<String>,
    /// Only active, or only inactive ones.
    pub(crate) is_active: Option<bool>,
    /// Only those of this host, as it is stored.
    pub(crate) host: Option<String>,
    /// Only those created at this time or later.
    pub(crate) created_from: Option<UnixMillis>,
    /// Only those created before this time.
    pub(crate) created_to: Option<UnixMillis>,
    /// Only archived, or only others.
    pub(crate) is_archived: Option<bool>,
}

impl LinkFilter {
    /// Whether it leaves out more than archived links.
    pub(crate) fn narrows(&self) -> bool {
        let unarchived = LinkFilter { is_archived: Some(false), ..LinkFilter::default() };
        *self != unarchived && *self != LinkFilter::default()
    }
}

fn in_account(account: AccountId) -> Select<link::Entity> {
    link::Entity::find().filter(link::Column::AccountId.eq(account.0))
}

fn passes(filter: &LinkFilter, backend: DatabaseBackend) -> Condition {
    let mut passes = Condition::all()
        .add_option(filter.is_active.map(|is_active| link::Column::IsActive.eq(is_active)))
        .add_option(filter.host.as_deref().map(|host| link::Column::Host.eq(host)))
        .add_option(filter.created_from.map(|from| link::Column::CreatedAt.gte(from)))
        .add_option(filter.created_to.map(|to| link::Column::CreatedAt.lt(to)))
        .add_option(filter.is_archived.map(|is_archived| match is_archived {
            true => link::Column::ArchivedAt.is_not_null(),
            false => link::Column::ArchivedAt.is_null(),
        }));
    if let Some(search) = filter.search.as_deref().filter(|search| !search.is_empty()) {
        // `%` and `_` stand for themselves.
        let pattern = search.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        let like = || LikeExpr::new(format!("%{pattern}%"));
        let contains = |column: link::Column| match backend {
            // Only this form is served by the trigram index. What is stored is ASCII, so cases fold alike. `\` is
            // PostgreSQL's escape by itself; written out here, sea-query brackets it into a syntax error.
            DatabaseBackend::Postgres => Expr::col((link::Entity, column)).ilike(like()),
            _ => Expr::col((link::Entity, column)).like(like().escape('\\')),
        };
        passes =
            passes.add(Condition::any().add(contains(link::Column::Slug)).add(contains(link::Column::DestinationUrl)));
    }
    passes
}

/// One page of the account's links. Those that pass the filter are found and sorted, or read in their order until the page is
/// full: the better, the fewer or the more of them there are.
pub(crate) async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    filter: &LinkFilter,
    (sort, is_sorted): (LinkSort, bool),
    page: PageArgs,
) -> Result<Vec<ShownLink>, DbErr> {
    let passes = passes(filter, db.get_database_backend());
    let (order, by) = match sort {
        LinkSort::Newest => (Order::Desc, None),
        LinkSort::Oldest => (Order::Asc, None),
        LinkSort::MostClicked => (Order::Desc, Some(link_activity::Column::ClickCount)),
        LinkSort::LastClicked => (Order::Desc, Some(link_activity::Column::LastClickedAt)),
    };
    if let Some(by) = by {
        let activity = link_activity::Entity::find().filter(link_activity::Column::AccountId.eq(account.0));
        let activity = activity.order_by(by, order.clone()).order_by(link_activity::Column::LinkId, order);
        let activity = activity.offset(page.offset()).limit(page.limit()).left_join(link::Entity);
        let mut links = shown_columns(activity.select_only().columns(link::Column::iter())).filter(passes);
        if is_sorted {
            // Lets the indexes of `links` find them.
            links = links.filter(link::Column::AccountId.eq(account.0));
        }
        return links.into_model().all(db).await;
    }
    let mut links = in_account(account).filter(passes);
    if filter.created_from.is_some() || filter.created_to.is_some() {
        // The order of the index that finds them. Ids are made in that order too.
        links = links.order_by(link::Column::CreatedAt, order.clone());
    }
    let links = links.order_by(link::Column::Id, order).offset(page.offset()).limit(page.limit());
    as_shown(db, links).await
}

/// The links of this account, in no order.
pub(crate) async fn shown(
    db: &impl ConnectionTrait,
    account: AccountId,
    ids: &[LinkId],
) -> Result<Vec<ShownLink>, DbErr> {
    let links = in_account(account).filter(link::Column::Id.is_in(ids.iter().map(|id| id.0)));
    as_shown(db, links).await
}

/// Number of the account's archived links.
pub(crate) async fn count_archived(db: &impl ConnectionTrait, account: AccountId) -> Result<i64, DbErr> {
    let archived = in_account(account).filter(link::Column::ArchivedAt.is_not_null()).count(db).await?;
    Ok(i64::try_from(archived).unwrap_or(i64::MAX))
}

/// Number of the account's links that pass the filter.
pub(crate) async fn count(db: &impl ConnectionTrait, account: AccountId, filter: &LinkFilter) -> Result<i64, DbErr> {
    let number = in_account(account).filter(passes(filter, db.get_database_backend())).count(db).await?;
    Ok(i64::try_from(number).unwrap_or(i64::MAX))
}

/// The link of this account.
pub(crate) async fn link(
    db: &impl ConnectionTrait,
    account: AccountId,
    id: LinkId,
) -> Result<Option<link::Model>, DbErr> {
    in_account(account).filter(link::Column::Id.eq(id.0)).one(db).await
}

/// The link of this account, locked until the transaction ends: what is written back is what was read.
pub(crate) async fn lock_link(
    tx: &impl ConnectionTrait,
    account: AccountId,
    id: LinkId,
) -> Result<Option<link::Model>, DbErr> {
    in_account(account).filter(link::Column::Id.eq(id.0)).lock_exclusive().one(tx).await
}

/// The links of this account, in no order.
pub(crate) async fn links(
    db: &impl ConnectionTrait,
    account: AccountId,
    ids: &[LinkId],
) -> Result<Vec<link::Model>, DbErr> {
    in_account(account).filter(link::Column::Id.is_in(ids.iter().map(|id| id.0))).all(db).await
}

/// The activity of some of the account's links that were followed since, those first that were followed last.
pub(crate) async fn followed_since(
    db: &impl ConnectionTrait,
    account: AccountId,
    since: UnixMillis,
    limit: u64,
) -> Result<Vec<link_activity::Model>, DbErr> {
    link_activity::Entity::find()
        .filter(link_activity::Column::AccountId.eq(account.0))
        .filter(link_activity::Column::LastClickedAt.gte(since))
        .order_by_desc(link_activity::Column::LastClickedAt)
        .limit(limit)
        .all(db)
        .await
}

/// Stores the links whose slug is free on their host, and answers their ids.
pub(crate) async fn insert_free(tx: &impl ConnectionTrait, links: Vec<link::Model>) -> Result<Vec<Uuid>, DbErr> {
    if links.is_empty() {
        return Ok(Vec::new());
    }
    let rows = links.into_iter().map(|link| link::ActiveModel::from(link).reset_all());
    // The index that refuses a slug is on an expression, which has no name as a target.
    let taken = OnConflict::new().do_nothing().to_owned();
    let inserted = link::Entity::insert_many(rows).on_conflict(taken).exec_with_returning(tx).await?;
    Ok(inserted.into_iter().map(|link| link.id).collect())
}

/// Stores the changed link. A taken slug violates a unique index.
pub(crate) async fn update(tx: &impl ConnectionTrait, link: link::Model) -> Result<link::Model, DbErr> {
    use sea_orm::ActiveValue::{NotSet, Set, Unchanged};
    // The click count is ingest's: writing back what was read would lose clicks.
    let row = link::ActiveModel {
        id: Unchanged(link.id),
        slug: Set(link.slug),
        destination_url: Set(link.destination_url),
        is_active: Set(link.is_active),
        updated_at: Set(link.updated_at),
        starts_at: Set(link.starts_at),
        expires_at: Set(link.expires_at),
        expired_url: Set(link.expired_url),
        archived_at: Set(link.archived_at),
        account_id: NotSet,
        host: NotSet,
        click_count: NotSet,
        expired_clicks: NotSet,
        created_at: NotSet,
    };
    row.update(tx).await
}

/// Stores limits of these links: how many redirects are allowed. What was answered so far stays.
pub(crate) async fn set_limits(tx: &impl ConnectionTrait, limits: Vec<(Uuid, i64)>) -> Result<(), DbErr> {
    if limits.is_empty() {
        return Ok(());
    }
    let rows = limits.into_iter().map(|(link_id, max_clicks)| {
        link_limit::ActiveModel::from(link_limit::Model { link_id, max_clicks, used_clicks: 0 }).reset_all()
    });
    let replace =
        OnConflict::column(link_limit::Column::LinkId).update_column(link_limit::Column::MaxClicks).to_owned();
    link_limit::Entity::insert_many(rows).on_conflict(replace).exec_without_returning(tx).await?;
    Ok(())
}

/// Takes its limit from a link.
pub(crate) async fn delete_limit(tx: &impl ConnectionTrait, id: LinkId) -> Result<(), DbErr> {
    link_limit::Entity::delete_by_id(id.0).exec(tx).await?;
    Ok(())
}

/// Links of all accounts that expire after this moment and link, and not later than at the end, in the order of their expiry.
pub(crate) async fn expired_between(
    db: &impl ConnectionTrait,
    (after, link): (UnixMillis, Uuid),
    until: UnixMillis,
    limit: u64,
) -> Result<Vec<ShownLink>, DbErr> {
    let later = Condition::any()
        .add(link::Column::ExpiresAt.gt(after))
        .add(Condition::all().add(link::Column::ExpiresAt.eq(after)).add(link::Column::Id.gt(link)));
    let links = link::Entity::find()
        .filter(link::Column::ExpiresAt.gte(after))
        .filter(link::Column::ExpiresAt.lte(until))
        .filter(later);
    let links = links.order_by_asc(link::Column::ExpiresAt).order_by_asc(link::Column::Id).limit(limit);
    as_shown(db, links).await
}

/// When the next link expires after this moment. `None`: none does.
pub(crate) async fn next_expiry(db: &impl ConnectionTrait, after: UnixMillis) -> Result<Option<UnixMillis>, DbErr> {
    let next = link::Entity::find().select_only().column(link::Column::ExpiresAt);
    let next = next.filter(link::Column::ExpiresAt.gt(after)).order_by_asc(link::Column::ExpiresAt).limit(1);
    next.into_tuple().one(db).await
}

pub(crate) async fn delete(tx: &impl ConnectionTrait, account: AccountId, id: LinkId) -> Result<(), DbErr> {
    link::Entity::delete_by_id(id.0).filter(link::Column::AccountId.eq(account.0)).exec(tx).await?;
    Ok(())
}

/// Ids of all links of the account, locked until the transaction ends, in the order in which ingest locks them.
pub(crate) async fn lock_ids(tx: &impl ConnectionTrait, account: AccountId) -> Result<Vec<Uuid>, DbErr> {
    let ids = in_account(account).select_only().column(link::Column::Id).order_by_asc(link::Column::Id);
    ids.lock_exclusive().into_tuple().all(tx).await
}
