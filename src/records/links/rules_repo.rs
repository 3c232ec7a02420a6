//! Queries on rules and splits of links, and on the destinations that they lead to. The links must have been read for their account.

use entity::{link_destination, link_rules};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, sea_query::OnConflict,
};
use uuid::Uuid;

use crate::platform::db::filled_up;

/// Whether a link of a statement has rules or a split.
pub(crate) const HAS_RULES: &str = "\
    EXISTS (SELECT 1 FROM link_rules WHERE link_rules.link_id = links.id AND (link_rules.rules <> '[]' OR link_rules.split IS NOT NULL))";

/// The row of a link. `None`: it never had rules or a split.
pub(crate) async fn row(db: &impl ConnectionTrait, link: Uuid) -> Result<Option<link_rules::Model>, DbErr> {
    link_rules::Entity::find_by_id(link).one(db).await
}

/// The rows of those of the links that have, or had, rules or a split.
pub(crate) async fn rows(db: &impl ConnectionTrait, links: &[Uuid]) -> Result<Vec<link_rules::Model>, DbErr> {
    if links.is_empty() {
        return Ok(Vec::new());
    }
    let links = filled_up(links.to_vec());
    link_rules::Entity::find().filter(link_rules::Column::LinkId.is_in(links)).all(db).await
}

/// The destinations of links, by number; those that nothing leads to any more, too.
pub(crate) async fn destinations(
    db: &impl ConnectionTrait,
    links: &[Uuid],
) -> Result<Vec<link_destination::Model>, DbErr> {
    if links.is_empty() {
        return Ok(Vec::new());
    }
    let links = filled_up(links.to_vec());
    let found = link_destination::Entity::find().filter(link_destination::Column::LinkId.is_in(links));
    found.order_by_asc(link_destination::Column::Number).all(db).await
}

/// Stores the row of a link in the place of the one that it has.
pub(crate) async fn set(tx: &impl ConnectionTrait, row: link_rules::Model) -> Result<(), DbErr> {
    use link_rules::Column::{LinkId, NextNumber, Rules, RulesSetAt, Split, SplitSetAt, SplitStopsAt};
    let replace = OnConflict::column(LinkId)
        .update_columns([Rules, Split, SplitStopsAt, RulesSetAt, SplitSetAt, NextNumber])
        .to_owned();
    let row = link_rules::ActiveModel::from(row).reset_all();
    link_rules::Entity::insert(row).on_conflict(replace).exec_without_returning(tx).await?;
    Ok(())
}

/// Stores destinations: new ones, and labels and ends of those that are known.
pub(crate) async fn set_destinations(
    tx: &impl ConnectionTrait,
    destinations: Vec<link_destination::Model>,
) -> Result<(), DbErr> {
    use link_destination::Column::{Label, LinkId, Number, RetiredAt};
    if destinations.is_empty() {
        return Ok(());
    }
    let replace = OnConflict::columns([LinkId, Number]).update_columns([Label, RetiredAt]).to_owned();
    let rows = destinations.into_iter().map(|row| link_destination::ActiveModel::from(row).reset_all());
    link_destination::Entity::insert_many(rows).on_conflict(replace).exec_without_returning(tx).await?;
    Ok(())
}

/// Forgets destinations of a link, whose numbers no other one gets.
pub(crate) async fn forget_destinations(tx: &impl ConnectionTrait, link: Uuid, numbers: Vec<i64>) -> Result<(), DbErr> {
    if numbers.is_empty() {
        return Ok(());
    }
    let of_link = link_destination::Column::LinkId.eq(link);
    let forgotten = link_destination::Entity::delete_many().filter(of_link);
    forgotten.filter(link_destination::Column::Number.is_in(numbers)).exec(tx).await?;
    Ok(())
}
