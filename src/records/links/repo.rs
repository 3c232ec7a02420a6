//! Queries on links.

use std::collections::{HashMap, HashSet};

use entity::{link, link_activity, link_limit};
use sea_orm::{
    ActiveModelTrait, ActiveValue, ColumnTrait, Condition, ConnectionTrait, DatabaseBackend, DbErr, EntityTrait,
    ExprTrait, FromQueryResult, IdenStatic, Iterable, JoinType, QueryFilter, QueryOrder, QuerySelect, RelationTrait,
    Select, Value,
    sea_query::{Expr, Func, OnConflict, Query, ValueTuple},
};
use uuid::Uuid;

use crate::{
    base::{
        clock::UnixMillis,
        ids::{AccountId, LinkId},
    },
    platform::db::{filled_up, on_rows},
    records::links::{retired_repo, rules_repo::HAS_RULES, state::LinkState},
    redirect::{lookups::NOT_DELETED, target::Limit},
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
    /// Redirects of `max_clicks` that were answered. `None`: it has no limit.
    pub(crate) used_clicks: Option<i64>,
    /// Names of its tags in their order, with commas between them, which no name has. `None`: it has no tags.
    pub(crate) tags: Option<String>,
}

impl ShownLink {
    /// Names of its tags, in their order.
    pub(crate) fn tag_names(&self) -> Vec<String> {
        self.tags.iter().flat_map(|names| names.split(',')).map(str::to_owned).collect()
    }

    /// The limit of its redirects.
    pub(crate) fn limit(&self) -> Option<Limit> {
        self.max_clicks.zip(self.used_clicks).map(|(max, used)| Limit { max, used })
    }
}

/// Column of `links` that has title and notes as searches compare them. No list reads it.
pub(crate) const SEARCH_TEXT: &str = "search_text";
/// Whether the operator has blocked a link. Links of the service's own host are blocked for all accounts, by the nil UUID.
pub(crate) const IS_BLOCKED: &str = "\
    EXISTS (SELECT 1 FROM blocked_links WHERE blocked_links.host = links.host AND blocked_links.slug = links.slug \
    AND (links.host = '' OR blocked_links.account_id = links.account_id))";
/// Whether a link has a limit that is used up.
pub(crate) const IS_USED_UP: &str = "\
    EXISTS (SELECT 1 FROM link_limits WHERE link_limits.link_id = links.id AND link_limits.used_clicks >= link_limits.max_clicks)";
/// Name of the column beside those of `links`, as [`ShownLink`] has it.
const LAST_CLICKED_AT: &str = "last_clicked_at";

/// The time of the last click in `link_activity`, where 0 stands for none.
fn last_clicked_at() -> Expr {
    Expr::cust("NULLIF(link_activity.last_clicked_at, 0)")
}

/// Names of a link's tags, in one text: a statement of their own would cost lists a round trip.
fn tag_names(backend: DatabaseBackend) -> Expr {
    Expr::cust(match backend {
        DatabaseBackend::Postgres => {
            "(SELECT string_agg(tags.name, ',' ORDER BY tags.key) FROM link_tags JOIN tags ON tags.id = link_tags.tag_id \
             WHERE link_tags.link_id = links.id)"
        }
        _ => {
            "(SELECT group_concat(name, ',') FROM (SELECT tags.name AS name FROM link_tags JOIN tags ON tags.id = link_tags.tag_id \
             WHERE link_tags.link_id = links.id ORDER BY tags.key))"
        }
    })
}

/// The links of a query with the columns beside those of `links` that [`ShownLink`] has. `link_activity` is joined by the caller.
pub(crate) fn shown_columns<E: EntityTrait>(links: Select<E>, backend: DatabaseBackend) -> Select<E> {
    links
        .join(JoinType::LeftJoin, link::Relation::Limit.def())
        .column_as(last_clicked_at(), LAST_CLICKED_AT)
        .column(link_limit::Column::MaxClicks)
        .column(link_limit::Column::UsedClicks)
        .column_as(tag_names(backend), "tags")
}

/// These links, which the caller chose, as the API shows them.
pub(crate) async fn as_shown(db: &impl ConnectionTrait, links: Select<link::Entity>) -> Result<Vec<ShownLink>, DbErr> {
    shown_columns(links.left_join(link_activity::Entity), db.get_database_backend()).into_model().all(db).await
}

/// The links of this account.
pub(crate) fn in_account(account: AccountId) -> Select<link::Entity> {
    link::Entity::find().filter(link::Column::AccountId.eq(account.0))
}

/// Whether the state of a link is this one at this time: [`LinkState::of`] in SQL.
pub(crate) fn is_in_state(state: LinkState, now: UnixMillis) -> Condition {
    let ordered = [
        (LinkState::Blocked, Condition::all().add(Expr::cust(IS_BLOCKED))),
        (LinkState::Inactive, Condition::all().add(link::Column::IsActive.eq(false))),
        (LinkState::Scheduled, Condition::all().add(link::Column::StartsAt.gt(now))),
        (LinkState::Expired, Condition::all().add(link::Column::ExpiresAt.lte(now))),
        (LinkState::UsedUp, Condition::all().add(Expr::cust(IS_USED_UP))),
    ];
    let mut is_in = Condition::all();
    for (earlier, condition) in ordered {
        if earlier == state {
            return is_in.add(condition);
        }
        // A comparison with NULL is neither true nor false.
        is_in = is_in.add(Expr::from(Func::coalesce([Expr::from(condition), Expr::value(false)])).not());
    }
    is_in
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

/// The link of this account.
pub(crate) async fn link(
    db: &impl ConnectionTrait,
    account: AccountId,
    id: LinkId,
) -> Result<Option<link::Model>, DbErr> {
    in_account(account).filter(link::Column::Id.eq(id.0)).one(db).await
}

/// The links of this account, locked until the transaction ends, in the order in which ingest locks them: what is written back is
/// what was read.
pub(crate) async fn lock_links(
    tx: &impl ConnectionTrait,
    account: AccountId,
    ids: &[LinkId],
) -> Result<Vec<link::Model>, DbErr> {
    let links = in_account(account).filter(link::Column::Id.is_in(ids.iter().map(|id| id.0)));
    links.order_by_asc(link::Column::Id).lock_exclusive().all(tx).await
}

/// The links of this account, in no order.
pub(crate) async fn links(
    db: &impl ConnectionTrait,
    account: AccountId,
    ids: &[LinkId],
) -> Result<Vec<link::Model>, DbErr> {
    in_account(account).filter(link::Column::Id.is_in(ids.iter().map(|id| id.0))).all(db).await
}

/// The activity of some of the account's links that were followed since, those first that were followed last; of its clicks without those
/// before an import.
pub(crate) async fn followed_since(
    db: &impl ConnectionTrait,
    account: AccountId,
    since: UnixMillis,
    limit: u64,
) -> Result<Vec<link_activity::Model>, DbErr> {
    use link_activity::{Column, Entity};
    Entity::find()
        .select_only()
        .columns([Column::LinkId, Column::AccountId, Column::LastClickedAt])
        .column_as(link::Column::ClickCount, Column::ClickCount)
        .inner_join(link::Entity)
        .filter(Column::AccountId.eq(account.0))
        .filter(Column::LastClickedAt.gte(since))
        .order_by_desc(Column::LastClickedAt)
        .limit(limit)
        .into_model()
        .all(db)
        .await
}

/// Stores the links whose slug is free on their host and not retired, and answers their ids.
pub(crate) async fn insert_free(
    tx: &impl ConnectionTrait,
    links: Vec<link::Model>,
    now: UnixMillis,
) -> Result<Vec<Uuid>, DbErr> {
    if links.is_empty() {
        return Ok(Vec::new());
    }
    let columns = link::Column::iter;
    let rows = links.into_iter().map(|link| {
        let mut row = link::ActiveModel::from(link).reset_all();
        ValueTuple::Many(columns().filter_map(|column| row.take(column).into_value()).collect())
    });
    let new = |column: link::Column| {
        let place = columns().position(|it| it.as_str() == column.as_str()).unwrap_or_default();
        Expr::col(("new", format!("column{}", place + 1)))
    };
    let is_retired = retired_repo::is_retired(&new(link::Column::Slug), now);
    let free = Query::select()
        .exprs(columns().map(new))
        .from_values(rows, "new")
        .and_where(new(link::Column::Host).eq("").and(is_retired).not())
        .take();
    let mut insert = Query::insert();
    insert.into_table(link::Entity).columns(columns());
    insert.select_from(free).map_err(|error| DbErr::Custom(error.to_string()))?;
    // The index that refuses a slug is on an expression, which has no name as a target.
    insert.on_conflict(OnConflict::new().do_nothing().to_owned()).returning_col(link::Column::Id);
    let stored = tx.query_all(&insert).await?;
    stored.iter().map(|row| row.try_get_by_index(0)).collect()
}

/// The link at an address where case matters, of whatever account.
pub(crate) async fn holder(db: &impl ConnectionTrait, host: &str, slug: &str) -> Result<Option<Uuid>, DbErr> {
    let links = link::Entity::find().select_only().column(link::Column::Id);
    links.filter(link::Column::Host.eq(host)).filter(link::Column::Slug.eq(slug)).into_tuple().one(db).await
}

/// Stores changed links, given as they were and as they are, by one statement for those with the same change. It names only columns
/// that change, since SQLite writes each index anew whose column a statement names, and never the click count: only ingest does, and
/// writing back the value that was read would lose clicks. A taken slug violates a unique index.
pub(crate) async fn update(tx: &impl ConnectionTrait, links: &[(link::Model, link::Model)]) -> Result<(), DbErr> {
    let mut alike: Vec<(link::ActiveModel, Vec<Uuid>)> = Vec::new();
    for (before, after) in links {
        let change = difference(before, after);
        match alike.iter_mut().find(|(of_others, _)| *of_others == change) {
            Some((_, ids)) => ids.push(after.id),
            None => alike.push((change, vec![after.id])),
        }
    }
    for (change, ids) in alike {
        link::Entity::update_many().set(change).filter(link::Column::Id.is_in(filled_up(ids))).exec(tx).await?;
    }
    Ok(())
}

/// The columns that a change sets.
fn difference(before: &link::Model, after: &link::Model) -> link::ActiveModel {
    fn changed<T: Clone + PartialEq + Into<Value>>(before: &T, after: &T) -> ActiveValue<T> {
        if before == after { ActiveValue::NotSet } else { ActiveValue::Set(after.clone()) }
    }
    link::ActiveModel {
        host: changed(&before.host, &after.host),
        slug: changed(&before.slug, &after.slug),
        destination_url: changed(&before.destination_url, &after.destination_url),
        is_active: changed(&before.is_active, &after.is_active),
        updated_at: ActiveValue::Set(after.updated_at),
        starts_at: changed(&before.starts_at, &after.starts_at),
        expires_at: changed(&before.expires_at, &after.expires_at),
        expired_url: changed(&before.expired_url, &after.expired_url),
        archived_at: changed(&before.archived_at, &after.archived_at),
        title: changed(&before.title, &after.title),
        notes: changed(&before.notes, &after.notes),
        external_id: changed(&before.external_id, &after.external_id),
        forwards_query: changed(&before.forwards_query, &after.forwards_query),
        password_hash: changed(&before.password_hash, &after.password_hash),
        asks_first: changed(&before.asks_first, &after.asks_first),
        notice: changed(&before.notice, &after.notice),
        card: changed(&before.card, &after.card),
        app: changed(&before.app, &after.app),
        ..Default::default()
    }
}

/// Stores the texts of links in the form that searches compare.
pub(crate) async fn set_search_texts(
    tx: &impl ConnectionTrait,
    texts: impl Iterator<Item = (Uuid, Option<String>)>,
) -> Result<(), DbErr> {
    let rows = texts.map(|(id, text)| [Value::from(id), text.unwrap_or_default().into()]).collect();
    let sql = |rows: &str| {
        format!(
            "UPDATE links SET {SEARCH_TEXT} = NULLIF(texts.column2, '') FROM {rows} AS texts WHERE links.id = texts.column1"
        )
    };
    for statement in on_rows(tx.get_database_backend(), ["uuid", "text"], rows, sql) {
        tx.execute_raw(statement).await?;
    }
    Ok(())
}

/// The external ids, of those given, that links of the account have.
pub(crate) async fn known_external_ids(
    db: &impl ConnectionTrait,
    account: AccountId,
    ids: Vec<&str>,
) -> Result<HashSet<String>, DbErr> {
    if ids.is_empty() {
        return Ok(HashSet::new());
    }
    let known = in_account(account).filter(link::Column::ExternalId.is_in(ids));
    let known: Vec<String> = known.select_only().column(link::Column::ExternalId).into_tuple().all(db).await?;
    Ok(known.into_iter().collect())
}

/// The oldest active link of the account to this destination on this host, with this slug if one is given, that has neither an expiry
/// nor a limit, rules, a split, a card or an app, and asks its visitors for nothing.
pub(crate) async fn like(
    db: &impl ConnectionTrait,
    account: AccountId,
    (host, slug): (&str, Option<&str>),
    destination_url: &str,
    now: UnixMillis,
) -> Result<Option<ShownLink>, DbErr> {
    let links = in_account(account)
        .filter(link::Column::DestinationUrl.eq(destination_url))
        .filter(link::Column::Host.eq(host))
        .filter(link::Column::ExpiresAt.is_null())
        .filter(link::Column::PasswordHash.is_null())
        .filter(link::Column::AsksFirst.eq(false))
        .filter(link::Column::Notice.is_null())
        .filter(link::Column::Card.is_null())
        .filter(link::Column::App.is_null())
        .filter(is_in_state(LinkState::Active, now))
        .filter(Condition::all().add_option(slug.map(|slug| link::Column::Slug.eq(slug))))
        .filter(Expr::cust("NOT EXISTS (SELECT 1 FROM link_limits WHERE link_limits.link_id = links.id)"))
        .filter(Expr::cust(HAS_RULES).not());
    Ok(as_shown(db, links.order_by_asc(link::Column::Id).limit(1)).await?.pop())
}

/// Stores limits of links. An existing limit keeps its number of used redirects.
pub(crate) async fn set_limits(tx: &impl ConnectionTrait, limits: Vec<(Uuid, Limit)>) -> Result<(), DbErr> {
    if limits.is_empty() {
        return Ok(());
    }
    let rows = limits.into_iter().map(|(link_id, Limit { max, used })| {
        let limit = link_limit::Model { link_id, max_clicks: max, used_clicks: used };
        link_limit::ActiveModel::from(limit).reset_all()
    });
    let replace =
        OnConflict::column(link_limit::Column::LinkId).update_column(link_limit::Column::MaxClicks).to_owned();
    link_limit::Entity::insert_many(rows).on_conflict(replace).exec_without_returning(tx).await?;
    Ok(())
}

/// The destinations of the account's links at these places: hosts and slugs.
pub(crate) async fn destinations_at(
    db: &impl ConnectionTrait,
    account: AccountId,
    places: Vec<(String, String)>,
) -> Result<HashMap<(String, String), String>, DbErr> {
    let rows = places.into_iter().map(|(host, slug)| [Value::from(account.0), host.into(), slug.into()]).collect();
    let sql = |rows: &str| {
        format!(
            "SELECT links.host, links.slug, links.destination_url FROM {rows} AS places JOIN links \
             ON links.host = places.column2 AND links.slug = places.column3 AND links.account_id = places.column1"
        )
    };
    let mut found = HashMap::new();
    for statement in on_rows(db.get_database_backend(), ["uuid", "text", "text"], rows, sql) {
        for row in db.query_all_raw(statement).await? {
            let text = |column: &str| row.try_get::<String>("", column);
            found.insert((text("host")?, text("slug")?), text("destination_url")?);
        }
    }
    Ok(found)
}

/// Hosts and slugs of the account's links with these external ids.
pub(crate) async fn places_of(
    db: &impl ConnectionTrait,
    account: AccountId,
    ids: Vec<String>,
) -> Result<HashMap<String, (String, String)>, DbErr> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let known = in_account(account).filter(link::Column::ExternalId.is_in(ids)).select_only();
    let known = known.columns([link::Column::ExternalId, link::Column::Host, link::Column::Slug]);
    let known: Vec<(String, String, String)> = known.into_tuple().all(db).await?;
    Ok(known.into_iter().map(|(id, host, slug)| (id, (host, slug))).collect())
}

/// Deletes the limits of links.
pub(crate) async fn delete_limits(tx: &impl ConnectionTrait, ids: &[LinkId]) -> Result<(), DbErr> {
    let limits = link_limit::Entity::delete_many();
    limits.filter(link_limit::Column::LinkId.is_in(ids.iter().map(|id| id.0))).exec(tx).await?;
    Ok(())
}

/// Links of accounts that are not deleted, which expire after `after` (or then, with an id after `link`) and not later than `until`, in the
/// order of expiry and id.
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
        .filter(later)
        .filter(Expr::cust(NOT_DELETED));
    let links = links.order_by_asc(link::Column::ExpiresAt).order_by_asc(link::Column::Id).limit(limit);
    as_shown(db, links).await
}

/// When the next link expires after this moment. `None`: none does.
pub(crate) async fn next_expiry(db: &impl ConnectionTrait, after: UnixMillis) -> Result<Option<UnixMillis>, DbErr> {
    let next = link::Entity::find().select_only().column(link::Column::ExpiresAt);
    let next = next.filter(link::Column::ExpiresAt.gt(after)).order_by_asc(link::Column::ExpiresAt).limit(1);
    next.into_tuple().one(db).await
}

/// Deletes links of this account.
pub(crate) async fn delete(tx: &impl ConnectionTrait, account: AccountId, ids: &[LinkId]) -> Result<(), DbErr> {
    let links = link::Entity::delete_many().filter(link::Column::AccountId.eq(account.0));
    links.filter(link::Column::Id.is_in(ids.iter().map(|id| id.0))).exec(tx).await?;
    Ok(())
}

/// Locks links of the account with ids above `after` until the transaction ends, in the order in which ingest locks them, and returns their
/// ids.
pub(crate) async fn lock_ids(
    tx: &impl ConnectionTrait,
    account: AccountId,
    after: LinkId,
    limit: u64,
) -> Result<Vec<Uuid>, DbErr> {
    let ids = in_account(account).select_only().column(link::Column::Id).filter(link::Column::Id.gt(after.0));
    ids.order_by_asc(link::Column::Id).limit(limit).lock_exclusive().into_tuple().all(tx).await
}
