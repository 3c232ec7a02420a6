//! Queries on annotations.

use entity::annotation;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, Select,
};

use crate::{
    base::{
        clock::UnixMillis,
        ids::{AccountId, LinkId},
        page::PageArgs,
    },
    records::annotations::AnnotationId,
};

/// The annotations that are listed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AnnotationFilter {
    /// The link whose annotations are listed, with those about all links. `None`: all annotations.
    pub(crate) link: Option<LinkId>,
    /// Start of the range, in Unix milliseconds.
    pub(crate) from: Option<UnixMillis>,
    /// End of the range (exclusive), in Unix milliseconds.
    pub(crate) to: Option<UnixMillis>,
}

fn in_account(account: AccountId) -> Select<annotation::Entity> {
    annotation::Entity::find().filter(annotation::Column::AccountId.eq(account.0))
}

fn filtered(account: AccountId, AnnotationFilter { link, from, to }: AnnotationFilter) -> Select<annotation::Entity> {
    use annotation::Column::{LinkId, OccurredAt};
    let mut annotations = in_account(account);
    if let Some(link) = link {
        annotations = annotations.filter(Condition::any().add(LinkId.is_null()).add(LinkId.eq(link.0)));
    }
    if let Some(from) = from {
        annotations = annotations.filter(OccurredAt.gte(from));
    }
    if let Some(to) = to {
        annotations = annotations.filter(OccurredAt.lt(to));
    }
    annotations
}

/// One page of the account's annotations, the latest first.
pub(crate) async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    filter: AnnotationFilter,
    page: PageArgs,
) -> Result<Vec<annotation::Model>, DbErr> {
    let annotations = filtered(account, filter);
    let annotations = annotations.order_by_desc(annotation::Column::OccurredAt).order_by_desc(annotation::Column::Id);
    annotations.offset(page.offset()).limit(page.limit()).all(db).await
}

/// Number of the account's annotations that pass the filter.
pub(crate) async fn count(
    db: &impl ConnectionTrait,
    account: AccountId,
    filter: AnnotationFilter,
) -> Result<i64, DbErr> {
    Ok(i64::try_from(filtered(account, filter).count(db).await?).unwrap_or(i64::MAX))
}

/// The annotation of this account.
pub(crate) async fn annotation(
    db: &impl ConnectionTrait,
    account: AccountId,
    id: AnnotationId,
) -> Result<Option<annotation::Model>, DbErr> {
    in_account(account).filter(annotation::Column::Id.eq(id.0)).one(db).await
}

/// Stores a new annotation.
pub(crate) async fn insert(tx: &impl ConnectionTrait, annotation: annotation::Model) -> Result<(), DbErr> {
    let row = annotation::ActiveModel::from(annotation).reset_all();
    annotation::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Stores an annotation as it is now.
pub(crate) async fn update(tx: &impl ConnectionTrait, annotation: annotation::Model) -> Result<(), DbErr> {
    annotation::ActiveModel::from(annotation).reset_all().update(tx).await?;
    Ok(())
}

/// Deletes an annotation of the account.
pub(crate) async fn delete(tx: &impl ConnectionTrait, account: AccountId, id: AnnotationId) -> Result<(), DbErr> {
    let of_account = annotation::Column::AccountId.eq(account.0);
    annotation::Entity::delete_by_id(id.0).filter(of_account).exec(tx).await?;
    Ok(())
}
