//! Queries on UTM templates.

use entity::utm_template;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select,
};

use crate::{
    base::{ids::AccountId, page::PageArgs},
    records::utm_templates::UtmTemplateId,
};

fn in_account(account: AccountId) -> Select<utm_template::Entity> {
    utm_template::Entity::find().filter(utm_template::Column::AccountId.eq(account.0))
}

/// One page of the account's templates, by name.
pub(crate) async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    page: PageArgs,
) -> Result<Vec<utm_template::Model>, DbErr> {
    let templates = in_account(account).order_by_asc(utm_template::Column::Key);
    templates.offset(page.offset()).limit(page.limit()).all(db).await
}

/// Number of the account's templates.
pub(crate) async fn count(db: &impl ConnectionTrait, account: AccountId) -> Result<i64, DbErr> {
    Ok(i64::try_from(in_account(account).count(db).await?).unwrap_or(i64::MAX))
}

/// The template of this account.
pub(crate) async fn template(
    db: &impl ConnectionTrait,
    account: AccountId,
    id: UtmTemplateId,
) -> Result<Option<utm_template::Model>, DbErr> {
    in_account(account).filter(utm_template::Column::Id.eq(id.0)).one(db).await
}

/// Stores a new template. A taken name violates a unique index.
pub(crate) async fn insert(tx: &impl ConnectionTrait, template: utm_template::Model) -> Result<(), DbErr> {
    let row = utm_template::ActiveModel::from(template).reset_all();
    utm_template::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Stores a template as it is now. A taken name violates a unique index.
pub(crate) async fn update(tx: &impl ConnectionTrait, template: utm_template::Model) -> Result<(), DbErr> {
    utm_template::ActiveModel::from(template).reset_all().update(tx).await?;
    Ok(())
}

/// Deletes a template. Answers whether it was there.
pub(crate) async fn delete(tx: &impl ConnectionTrait, account: AccountId, id: UtmTemplateId) -> Result<bool, DbErr> {
    let of_account = utm_template::Column::AccountId.eq(account.0);
    let deleted = utm_template::Entity::delete_by_id(id.0).filter(of_account).exec(tx).await?;
    Ok(deleted.rows_affected > 0)
}
