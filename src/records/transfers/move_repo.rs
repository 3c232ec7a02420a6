//! Queries that give what belongs to one account to another. Both accounts' rows are locked.

use entity::{
    annotation, blocked_link, domain, host_app, host_page, host_setting, link, link_activity, link_tag, report,
};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    Select,
    sea_query::{Expr, ExprTrait, Query},
};
use uuid::Uuid;

use crate::base::{clock::UnixMillis, ids::AccountId};

/// Gives links of an account to another, without their tags, annotations and reports. Their clicks stay with them.
pub(crate) async fn give_links(
    tx: &impl ConnectionTrait,
    from: AccountId,
    to: AccountId,
    links: &[Uuid],
    now: UnixMillis,
) -> Result<(), DbErr> {
    use link::{Column, Entity};
    let ids = || links.iter().copied();
    // Triggers note a changed link for its new account only.
    let indexed = Query::select()
        .columns([(Entity, Column::AccountId), (Entity, Column::Id)])
        .from(Entity)
        .inner_join(
            entity::link_index::Entity,
            Expr::col((entity::link_index::Entity, entity::link_index::Column::AccountId))
                .equals((Entity, Column::AccountId)),
        )
        .and_where(Expr::col((Entity, Column::AccountId)).eq(from.0))
        .and_where(Expr::col((Entity, Column::Id)).is_in(ids()))
        .take();
    let mut note = Query::insert();
    note.into_table(entity::link_change::Entity)
        .columns([entity::link_change::Column::AccountId, entity::link_change::Column::LinkId]);
    note.select_from(indexed).map_err(|error| DbErr::Custom(error.to_string()))?;
    tx.execute(&note).await?;
    link_tag::Entity::delete_many().filter(link_tag::Column::LinkId.is_in(ids())).exec(tx).await?;
    annotation::Entity::delete_many().filter(annotation::Column::LinkId.is_in(ids())).exec(tx).await?;
    report::Entity::delete_many().filter(report::Column::LinkId.is_in(ids())).exec(tx).await?;
    let updated_at = Expr::col(Column::UpdatedAt);
    let version = Expr::case(updated_at.clone().gte(now), updated_at.add(1)).finally(now);
    Entity::update_many()
        .col_expr(Column::AccountId, Expr::value(to.0))
        // Which the triggers look for.
        .col_expr(Column::Host, Expr::col(Column::Host))
        .col_expr(Column::UpdatedAt, version.into())
        .filter(Column::AccountId.eq(from.0))
        .filter(Column::Id.is_in(ids()))
        .exec(tx)
        .await?;
    link_activity::Entity::update_many()
        .col_expr(link_activity::Column::AccountId, Expr::value(to.0))
        .filter(link_activity::Column::LinkId.is_in(ids()))
        .exec(tx)
        .await?;
    Ok(())
}

fn on_host(account: AccountId, host: &str) -> Select<link::Entity> {
    link::Entity::find().filter(link::Column::Host.eq(host)).filter(link::Column::AccountId.eq(account.0))
}

/// Number of the account's links on a host.
pub(crate) async fn count_on_host(db: &impl ConnectionTrait, account: AccountId, host: &str) -> Result<u64, DbErr> {
    on_host(account, host).count(db).await
}

/// Some of the account's links on a host whose slugs come after this one, in their order, each with its slug.
pub(crate) async fn some_on_host(
    tx: &impl ConnectionTrait,
    account: AccountId,
    host: &str,
    after: &str,
    limit: u64,
) -> Result<Vec<(Uuid, String)>, DbErr> {
    let links = on_host(account, host).filter(link::Column::Slug.gt(after)).select_only();
    let links = links.columns([link::Column::Id, link::Column::Slug]).order_by_asc(link::Column::Slug);
    links.limit(limit).into_tuple().all(tx).await
}

/// External ids that links have which another account would get, and that links of the other account have, too: some of them.
pub(crate) async fn shared_external_ids(
    db: &impl ConnectionTrait,
    from: AccountId,
    to: AccountId,
    of: &Given<'_>,
    limit: u64,
) -> Result<Vec<String>, DbErr> {
    use link::{Column, Entity};
    let of_other = Query::select()
        .column(Column::ExternalId)
        .from(Entity)
        .and_where(Column::AccountId.eq(to.0))
        .and_where(Column::ExternalId.is_not_null())
        .take();
    let given = match of {
        Given::Links(ids) => Entity::find().filter(Column::AccountId.eq(from.0)).filter(Column::Id.is_in(ids.to_vec())),
        Given::Host(host) => on_host(from, host),
    };
    let shared = given.filter(Column::ExternalId.in_subquery(of_other)).select_only().column(Column::ExternalId);
    shared.limit(limit).into_tuple().all(db).await
}

/// What is given.
pub(crate) enum Given<'a> {
    /// These links.
    Links(&'a [Uuid]),
    /// All links on a host.
    Host(&'a str),
}

/// Gives a custom domain to another account, with its settings, its apps, and the links on it that the operator has blocked.
pub(crate) async fn give_domain(
    tx: &impl ConnectionTrait,
    from: AccountId,
    to: AccountId,
    domain: &domain::Model,
) -> Result<(), DbErr> {
    domain::Entity::update_many()
        .col_expr(domain::Column::AccountId, Expr::value(to.0))
        .filter(domain::Column::Id.eq(domain.id))
        .filter(domain::Column::AccountId.eq(from.0))
        .exec(tx)
        .await?;
    host_setting::Entity::update_many()
        .col_expr(host_setting::Column::AccountId, Expr::value(to.0))
        .filter(host_setting::Column::Host.eq(&*domain.name))
        .filter(host_setting::Column::AccountId.eq(from.0))
        .exec(tx)
        .await?;
    host_app::Entity::update_many()
        .col_expr(host_app::Column::AccountId, Expr::value(to.0))
        .filter(host_app::Column::Host.eq(&*domain.name))
        .filter(host_app::Column::AccountId.eq(from.0))
        .exec(tx)
        .await?;
    // The image of a logo stays with its account.
    host_page::Entity::update_many()
        .col_expr(host_page::Column::Logo, Expr::value(None::<String>))
        .col_expr(host_page::Column::AccountId, Expr::value(to.0))
        .filter(host_page::Column::Host.eq(&*domain.name))
        .filter(host_page::Column::AccountId.eq(from.0))
        .exec(tx)
        .await?;
    let blocked = |account: AccountId| {
        Condition::all()
            .add(blocked_link::Column::Host.eq(&*domain.name))
            .add(blocked_link::Column::AccountId.eq(account.0))
    };
    let slugs =
        Query::select().column(blocked_link::Column::Slug).from(blocked_link::Entity).cond_where(blocked(from)).take();
    let twice = blocked_link::Entity::delete_many().filter(blocked(to));
    twice.filter(blocked_link::Column::Slug.in_subquery(slugs)).exec(tx).await?;
    blocked_link::Entity::update_many()
        .col_expr(blocked_link::Column::AccountId, Expr::value(to.0))
        .filter(blocked(from))
        .exec(tx)
        .await?;
    Ok(())
}
