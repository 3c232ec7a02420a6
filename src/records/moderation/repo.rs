//! Queries on what operators forbid. They see all accounts.

use std::collections::HashSet;

use entity::{account, blocked_host, blocked_link, host_setting, link, link_destination, operator_action, user};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, ExprTrait, QueryFilter, QueryOrder,
    QuerySelect,
    sea_query::{Expr, IntoColumnRef, LikeExpr, OnConflict, Query},
};
use uuid::Uuid;

use crate::{
    base::{
        clock::UnixMillis,
        ids::{AccountId, LinkId},
    },
    redirect::lookups::lower_slug,
};

/// Stores since when the account is suspended (Unix milliseconds). `None` restores it.
pub(crate) async fn set_suspended(
    tx: &impl ConnectionTrait,
    account: AccountId,
    suspended_at: Option<UnixMillis>,
) -> Result<(), DbErr> {
    account::Entity::update_many()
        .col_expr(account::Column::SuspendedAt, Expr::value(suspended_at))
        .filter(account::Column::Id.eq(account.0))
        .exec(tx)
        .await?;
    Ok(())
}

/// The links with this slug on this host: beyond the service's own host, of any account, and in any case where the account has case
/// ignored.
pub(crate) async fn links_at(db: &impl ConnectionTrait, host: &str, slug: &str) -> Result<Vec<link::Model>, DbErr> {
    let links = link::Entity::find().filter(link::Column::Host.eq(host));
    let ignoring = ignoring_case(db, host).await?;
    if ignoring.is_empty() {
        return links.filter(link::Column::Slug.eq(slug)).all(db).await;
    }
    let lower = Expr::cust(lower_slug(db.get_database_backend())).eq(slug.to_ascii_lowercase());
    let links = links.filter(link::Column::Host.ne("")).filter(lower).order_by_asc(link::Column::Id).all(db).await?;
    Ok(links.into_iter().filter(|link| link.slug == slug || ignoring.contains(&link.account_id)).collect())
}

/// The accounts that have case ignored on this host.
async fn ignoring_case(db: &impl ConnectionTrait, host: &str) -> Result<HashSet<Uuid>, DbErr> {
    let ignoring = host_setting::Entity::find().select_only().column(host_setting::Column::AccountId);
    let ignoring =
        ignoring.filter(host_setting::Column::Host.eq(host)).filter(host_setting::Column::IgnoresCase.eq(true));
    Ok(ignoring.into_tuple().all(db).await?.into_iter().collect())
}

/// Links after this one, by id, of which a destination or the URL for after the end contains the text. There is no index for it.
pub(crate) async fn links_with(
    db: &impl ConnectionTrait,
    text: &str,
    after: LinkId,
    limit: u64,
) -> Result<Vec<link::Model>, DbErr> {
    let pattern = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    fn contains(column: impl IntoColumnRef, pattern: &str) -> Expr {
        Expr::col(column).like(LikeExpr::new(format!("%{pattern}%")).escape('\\'))
    }
    let by_rules = Query::select()
        .column(link_destination::Column::LinkId)
        .from(link_destination::Entity)
        .and_where(link_destination::Column::RetiredAt.is_null())
        .and_where(contains((link_destination::Entity, link_destination::Column::Url), &pattern))
        .take();
    let leads = Condition::any()
        .add(contains((link::Entity, link::Column::DestinationUrl), &pattern))
        .add(contains((link::Entity, link::Column::ExpiredUrl), &pattern))
        .add(link::Column::Id.in_subquery(by_rules));
    link::Entity::find()
        .filter(leads)
        .filter(link::Column::Id.gt(after.0))
        .order_by_asc(link::Column::Id)
        .limit(limit)
        .all(db)
        .await
}

/// Settings of hosts with a URL that contains the text.
pub(crate) async fn host_settings_with(
    db: &impl ConnectionTrait,
    text: &str,
) -> Result<Vec<host_setting::Model>, DbErr> {
    use host_setting::Column::{ExpiredUrl, NotFoundUrl, RootUrl};
    let pattern = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    let contains = |column| Expr::col(column).like(LikeExpr::new(format!("%{pattern}%")).escape('\\'));
    let leads =
        [RootUrl, NotFoundUrl, ExpiredUrl].into_iter().fold(Condition::any(), |any, url| any.add(contains(url)));
    host_setting::Entity::find().filter(leads).all(db).await
}

/// Stores the address of a blocked link. Answers whether it was not blocked yet.
pub(crate) async fn insert_blocked_link(tx: &impl ConnectionTrait, link: blocked_link::Model) -> Result<bool, DbErr> {
    let row = blocked_link::ActiveModel::from(link).reset_all();
    let known = OnConflict::new().do_nothing().to_owned();
    Ok(blocked_link::Entity::insert(row).on_conflict(known).exec_without_returning(tx).await? > 0)
}

/// Takes the block off this address, in any case where the account has case ignored. Answers the accounts whose links it concerned.
pub(crate) async fn delete_blocked_links(
    tx: &impl ConnectionTrait,
    host: &str,
    slug: &str,
) -> Result<Vec<Uuid>, DbErr> {
    let ignoring = ignoring_case(tx, host).await?;
    let of_host = blocked_link::Entity::find().filter(blocked_link::Column::Host.eq(host));
    let blocked = match ignoring.is_empty() {
        true => of_host.filter(blocked_link::Column::Slug.eq(slug)).all(tx).await?,
        false => of_host.all(tx).await?,
    };
    let is_meant = |link: &blocked_link::Model| {
        link.slug == slug || (link.slug.eq_ignore_ascii_case(slug) && ignoring.contains(&link.account_id))
    };
    let mut accounts = Vec::new();
    for link in blocked.into_iter().filter(is_meant) {
        accounts.push(link.account_id);
        blocked_link::Entity::delete_by_id((link.host, link.slug, link.account_id)).exec(tx).await?;
    }
    Ok(accounts)
}

/// Stores a blocked host. Answers whether it was not blocked yet.
pub(crate) async fn insert_blocked_host(tx: &impl ConnectionTrait, host: blocked_host::Model) -> Result<bool, DbErr> {
    let row = blocked_host::ActiveModel::from(host).reset_all();
    let known = OnConflict::new().do_nothing().to_owned();
    Ok(blocked_host::Entity::insert(row).on_conflict(known).exec_without_returning(tx).await? > 0)
}

/// Takes the block off a host. Answers whether it was blocked.
pub(crate) async fn delete_blocked_host(tx: &impl ConnectionTrait, name: &str) -> Result<bool, DbErr> {
    Ok(blocked_host::Entity::delete_by_id(name).exec(tx).await?.rows_affected > 0)
}

/// Records what an operator did.
pub(crate) async fn insert_action(tx: &impl ConnectionTrait, action: operator_action::Model) -> Result<(), DbErr> {
    let row = operator_action::ActiveModel::from(action).reset_all();
    operator_action::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Acts of operators, newest first.
pub(crate) async fn actions(db: &impl ConnectionTrait, limit: u64) -> Result<Vec<operator_action::Model>, DbErr> {
    operator_action::Entity::find().order_by_desc(operator_action::Column::Id).limit(limit).all(db).await
}

pub(crate) async fn users_of(db: &impl ConnectionTrait, accounts: Vec<Uuid>) -> Result<Vec<user::Model>, DbErr> {
    user::Entity::find().filter(user::Column::AccountId.is_in(accounts)).order_by_asc(user::Column::Id).all(db).await
}

/// Users after this one, in the order in which they registered, with their accounts.
pub(crate) async fn users_after(
    db: &impl ConnectionTrait,
    after: Uuid,
    limit: u64,
) -> Result<Vec<(user::Model, Option<account::Model>)>, DbErr> {
    user::Entity::find()
        .find_also_related(account::Entity)
        .filter(user::Column::Id.gt(after))
        .order_by_asc(user::Column::Id)
        .limit(limit)
        .all(db)
        .await
}
