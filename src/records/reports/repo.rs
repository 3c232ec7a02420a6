//! Queries on reports.

use entity::report;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select,
};

use crate::{
    base::{
        ids::{AccountId, LinkId},
        page::PageArgs,
    },
    records::reports::ReportId,
};

/// The account's reports; with a link, those about it.
fn filtered(account: AccountId, link: Option<LinkId>) -> Select<report::Entity> {
    let reports = report::Entity::find().filter(report::Column::AccountId.eq(account.0));
    match link {
        Some(link) => reports.filter(report::Column::LinkId.eq(link.0)),
        None => reports,
    }
}

/// One page of the account's reports, the newest first.
pub(crate) async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    link: Option<LinkId>,
    page: PageArgs,
) -> Result<Vec<report::Model>, DbErr> {
    let newest_first = filtered(account, link).order_by_desc(report::Column::Id);
    newest_first.offset(page.offset()).limit(page.limit()).all(db).await
}

/// Number of the account's reports; with a link, of those about it.
pub(crate) async fn count(db: &impl ConnectionTrait, account: AccountId, link: Option<LinkId>) -> Result<i64, DbErr> {
    Ok(i64::try_from(filtered(account, link).count(db).await?).unwrap_or(i64::MAX))
}

/// The report of this account.
pub(crate) async fn report(
    db: &impl ConnectionTrait,
    account: AccountId,
    id: ReportId,
) -> Result<Option<report::Model>, DbErr> {
    filtered(account, None).filter(report::Column::Id.eq(id.0)).one(db).await
}

/// The report whose page has this token, whoever's it is.
pub(crate) async fn shared(db: &impl ConnectionTrait, token: &str) -> Result<Option<report::Model>, DbErr> {
    report::Entity::find().filter(report::Column::Token.eq(token)).one(db).await
}

/// Stores a new report.
pub(crate) async fn insert(tx: &impl ConnectionTrait, report: report::Model) -> Result<(), DbErr> {
    let row = report::ActiveModel::from(report).reset_all();
    report::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Stores a report as it is now.
pub(crate) async fn update(tx: &impl ConnectionTrait, report: report::Model) -> Result<(), DbErr> {
    report::ActiveModel::from(report).reset_all().update(tx).await?;
    Ok(())
}

/// Deletes all reports of the account.
pub(crate) async fn delete_all(tx: &impl ConnectionTrait, account: AccountId) -> Result<(), DbErr> {
    report::Entity::delete_many().filter(report::Column::AccountId.eq(account.0)).exec(tx).await?;
    Ok(())
}

/// Deletes a report of the account.
pub(crate) async fn delete(tx: &impl ConnectionTrait, account: AccountId, id: ReportId) -> Result<(), DbErr> {
    let of_account = report::Column::AccountId.eq(account.0);
    report::Entity::delete_by_id(id.0).filter(of_account).exec(tx).await?;
    Ok(())
}
