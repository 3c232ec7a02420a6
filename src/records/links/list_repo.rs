//! Queries for lists of links.

use entity::{link, link_activity, link_tag};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DatabaseBackend, DbErr, EntityTrait, ExprTrait, Iterable, Order,
    PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::{Expr, LikeExpr, extension::postgres::PgExpr},
};
use uuid::Uuid;

use crate::{
    base::{clock::UnixMillis, ids::AccountId, page::PageArgs},
    platform::db::{ROWS_PER_STATEMENT, filled_up},
    records::links::{
        repo::{SEARCH_TEXT, ShownLink, as_shown, in_account, is_in_state, shown_columns},
        sort::LinkSort,
        state::LinkState,
    },
};

/// A word of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// The text, in lower case, which slug, destination, title or notes contain in any case.
    pub(crate) text: String,
    /// Tags whose names contain it. A link that has one of them is found too.
    pub(crate) tags: Vec<Uuid>,
}

/// Which links of an account to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LinkFilter {
    /// Words, each of which is found in some field of the link.
    pub(crate) words: Vec<Word>,
    /// Only those that have all these tags.
    pub(crate) tags: Vec<Uuid>,
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
    /// Only those whose state this is at this time.
    pub(crate) state: Option<(LinkState, UnixMillis)>,
    /// Only those to this destination, as it is stored.
    pub(crate) destination_url: Option<String>,
    /// Only the one with this id in another system.
    pub(crate) external_id: Option<String>,
}

impl LinkFilter {
    /// Whether it leaves out more than archived links.
    pub(crate) fn narrows(&self) -> bool {
        let unarchived = LinkFilter { is_archived: Some(false), ..LinkFilter::default() };
        *self != unarchived && *self != LinkFilter::default()
    }
}

/// Which links a statement looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Among {
    /// All of an account.
    All,
    /// Some, which it names.
    Few,
}

/// Whether a link has one of these tags.
fn has_tag(tags: impl IntoIterator<Item = Uuid>, among: Among) -> Expr {
    let links = link_tag::Entity::find().filter(link_tag::Column::TagId.is_in(tags)).select_only();
    match among {
        Among::All => link::Column::Id.in_subquery(links.column(link_tag::Column::LinkId).into_query()),
        Among::Few => {
            let of_link =
                Expr::col((link_tag::Entity, link_tag::Column::LinkId)).equals((link::Entity, link::Column::Id));
            Expr::exists(links.expr(Expr::val(1)).filter(of_link).into_query())
        }
    }
}

/// Whether the word is found in some field of a link.
fn is_found(word: &Word, backend: DatabaseBackend, among: Among) -> Condition {
    // `%` and `_` stand for themselves.
    let pattern = format!("%{}%", word.text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"));
    let contains = |column: Expr| match backend {
        // Only this form is served by the trigram index. Destinations are ASCII, and slugs beyond it are
        // in the text to search, so cases fold alike. `\` is
        // PostgreSQL's escape by itself; written out here, sea-query brackets it into a syntax error.
        DatabaseBackend::Postgres => column.ilike(LikeExpr::new(&pattern)),
        _ => column.like(LikeExpr::new(&pattern).escape('\\')),
    };
    Condition::any()
        .add(contains(Expr::col((link::Entity, link::Column::Slug))))
        .add(contains(Expr::col((link::Entity, link::Column::DestinationUrl))))
        .add(contains(Expr::col((link::Entity, SEARCH_TEXT))))
        .add_option((!word.tags.is_empty()).then(|| has_tag(word.tags.iter().copied(), among)))
}

fn passes(filter: &LinkFilter, backend: DatabaseBackend, among: Among) -> Condition {
    let mut passes = Condition::all()
        .add_option(filter.is_active.map(|is_active| link::Column::IsActive.eq(is_active)))
        .add_option(filter.host.as_deref().map(|host| link::Column::Host.eq(host)))
        .add_option(filter.created_from.map(|from| link::Column::CreatedAt.gte(from)))
        .add_option(filter.created_to.map(|to| link::Column::CreatedAt.lt(to)))
        .add_option(filter.is_archived.map(|is_archived| match is_archived {
            true => link::Column::ArchivedAt.is_not_null(),
            false => link::Column::ArchivedAt.is_null(),
        }))
        .add_option(filter.state.map(|(state, now)| is_in_state(state, now)))
        .add_option(filter.destination_url.as_deref().map(|url| link::Column::DestinationUrl.eq(url)))
        .add_option((!filter.tags.is_empty()).then(|| {
            let each = filter.tags.iter().map(|tag| has_tag([*tag], among));
            each.fold(Condition::all(), |all, has_tag| all.add(has_tag))
        }))
        .add_option(filter.external_id.as_deref().map(|id| link::Column::ExternalId.eq(id)));
    for word in &filter.words {
        passes = passes.add(is_found(word, backend, among));
    }
    passes
}

/// The column that has the order. `None`: it is that of age.
pub(crate) fn activity(sort: LinkSort) -> Option<link_activity::Column> {
    match sort {
        LinkSort::Newest | LinkSort::Oldest => None,
        LinkSort::MostClicked => Some(link_activity::Column::ClickCount),
        LinkSort::LastClicked => Some(link_activity::Column::LastClickedAt),
    }
}

/// One page of the account's links. With `is_sorted`, links that pass the filter are looked up and then sorted, which is fast if few
/// pass. Otherwise, links are read in order until the page is full, which is fast if many pass.
pub(crate) async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    filter: &LinkFilter,
    (sort, is_sorted): (LinkSort, bool),
    page: PageArgs,
) -> Result<Vec<ShownLink>, DbErr> {
    let passes = passes(filter, db.get_database_backend(), Among::All);
    let order = if sort == LinkSort::Oldest { Order::Asc } else { Order::Desc };
    if let Some(by) = activity(sort) {
        let activity = link_activity::Entity::find().filter(link_activity::Column::AccountId.eq(account.0));
        let activity = activity.order_by(by, order.clone()).order_by(link_activity::Column::LinkId, order);
        let activity = activity.offset(page.offset()).limit(page.limit()).left_join(link::Entity);
        let mut links = shown_columns(activity.select_only().columns(link::Column::iter()), db.get_database_backend())
            .filter(passes);
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

/// Some of the account's links that pass the filter, in the order of their age, after this one.
pub(crate) async fn after(
    db: &impl ConnectionTrait,
    account: AccountId,
    filter: &LinkFilter,
    (order, after): (Order, Option<Uuid>),
    limit: u64,
) -> Result<Vec<ShownLink>, DbErr> {
    let later = after.map(|after| match order {
        Order::Desc => link::Column::Id.lt(after),
        _ => link::Column::Id.gt(after),
    });
    let links = in_account(account).filter(passes(filter, db.get_database_backend(), Among::All));
    let links = links.filter(Condition::all().add_option(later)).order_by(link::Column::Id, order).limit(limit);
    as_shown(db, links).await
}

/// Those of these links that pass the filter, in the order of their ids. The caller knows that they are of one account.
pub(crate) async fn passing(
    db: &impl ConnectionTrait,
    filter: &LinkFilter,
    links: &[Uuid],
) -> Result<Vec<Uuid>, DbErr> {
    let mut passing = Vec::new();
    for links in links.chunks(ROWS_PER_STATEMENT) {
        let named = link::Entity::find().filter(link::Column::Id.is_in(filled_up(links.to_vec())));
        let named = named.filter(passes(filter, db.get_database_backend(), Among::Few));
        passing.extend(named.select_only().column(link::Column::Id).into_tuple::<Uuid>().all(db).await?);
    }
    passing.sort_unstable();
    Ok(passing)
}

/// The page of these links in an order by activity.
pub(crate) async fn by_activity(
    db: &impl ConnectionTrait,
    links: &[Uuid],
    by: link_activity::Column,
    page: PageArgs,
) -> Result<Vec<Uuid>, DbErr> {
    let mut first: Vec<(i64, Uuid)> = Vec::new();
    for links in links.chunks(ROWS_PER_STATEMENT) {
        let activity =
            link_activity::Entity::find().filter(link_activity::Column::LinkId.is_in(filled_up(links.to_vec())));
        let activity = activity.select_only().columns([by, link_activity::Column::LinkId]);
        let activity = activity.order_by_desc(by).order_by_desc(link_activity::Column::LinkId);
        first.extend(activity.limit(page.offset() + page.limit()).into_tuple::<(i64, Uuid)>().all(db).await?);
    }
    first.sort_unstable_by(|one, other| other.cmp(one));
    let skipped = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let limit = usize::try_from(page.limit()).unwrap_or(usize::MAX);
    Ok(first.into_iter().skip(skipped).take(limit).map(|(_, link)| link).collect())
}

/// Number of the account's archived links.
pub(crate) async fn count_archived(db: &impl ConnectionTrait, account: AccountId) -> Result<i64, DbErr> {
    let archived = in_account(account).filter(link::Column::ArchivedAt.is_not_null()).count(db).await?;
    Ok(i64::try_from(archived).unwrap_or(i64::MAX))
}

/// Number of the account's links that pass the filter.
pub(crate) async fn count(db: &impl ConnectionTrait, account: AccountId, filter: &LinkFilter) -> Result<i64, DbErr> {
    let number = in_account(account).filter(passes(filter, db.get_database_backend(), Among::All)).count(db).await?;
    Ok(i64::try_from(number).unwrap_or(i64::MAX))
}
