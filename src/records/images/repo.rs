//! Queries on images.

use entity::image;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, Select, sea_query::Expr,
};
use uuid::Uuid;

use crate::{
    base::{ids::AccountId, page::PageArgs},
    records::images::ImageId,
};

/// An image without its content.
#[derive(Clone, Debug, FromQueryResult)]
pub(crate) struct ImageFacts {
    pub(crate) id: Uuid,
    pub(crate) media_type: String,
    pub(crate) width: i32,
    pub(crate) height: i32,
    /// Bytes.
    pub(crate) size: i32,
    pub(crate) created_at: i64,
}

impl From<&image::Model> for ImageFacts {
    fn from(image: &image::Model) -> Self {
        let image::Model { id, width, height, size, created_at, .. } = *image;
        ImageFacts { id, media_type: image.media_type.clone(), width, height, size, created_at }
    }
}

/// Rows of images that an account has, and their bytes.
#[derive(Clone, Copy, Debug, FromQueryResult)]
pub(crate) struct Used {
    pub(crate) number: i64,
    pub(crate) bytes: i64,
}

fn in_account(account: AccountId) -> Select<image::Entity> {
    image::Entity::find().filter(image::Column::AccountId.eq(account.0))
}

fn facts(images: Select<image::Entity>) -> Select<image::Entity> {
    use image::Column::{CreatedAt, Height, Id, MediaType, Size, Width};
    images.select_only().columns([Id, MediaType, Width, Height, Size, CreatedAt])
}

/// One page of the account's images, newest first.
pub(crate) async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    page: PageArgs,
) -> Result<Vec<ImageFacts>, DbErr> {
    let images = facts(in_account(account)).order_by_desc(image::Column::Id);
    images.offset(page.offset()).limit(page.limit()).into_model().all(db).await
}

/// Number of the account's images.
pub(crate) async fn count(db: &impl ConnectionTrait, account: AccountId) -> Result<i64, DbErr> {
    Ok(i64::try_from(in_account(account).count(db).await?).unwrap_or(i64::MAX))
}

/// How many images the account has, and how many bytes these have.
pub(crate) async fn used(db: &impl ConnectionTrait, account: AccountId) -> Result<Used, DbErr> {
    let sums = in_account(account)
        .select_only()
        .expr_as(Expr::cust("COUNT(*)"), "number")
        .expr_as(Expr::cust("COALESCE(SUM(size), 0)"), "bytes");
    Ok(sums.into_model().one(db).await?.unwrap_or(Used { number: 0, bytes: 0 }))
}

/// The account's image of this file, by the file's SHA-256.
pub(crate) async fn of_file(
    db: &impl ConnectionTrait,
    account: AccountId,
    sha256: &[u8],
) -> Result<Option<ImageFacts>, DbErr> {
    facts(in_account(account)).filter(image::Column::Sha256.eq(sha256)).into_model().one(db).await
}

/// The account's image.
pub(crate) async fn of_id(
    db: &impl ConnectionTrait,
    account: AccountId,
    id: ImageId,
) -> Result<Option<ImageFacts>, DbErr> {
    facts(in_account(account)).filter(image::Column::Id.eq(id.0)).into_model().one(db).await
}

/// The account's image, with its content.
pub(crate) async fn image(
    db: &impl ConnectionTrait,
    account: AccountId,
    id: ImageId,
) -> Result<Option<image::Model>, DbErr> {
    in_account(account).filter(image::Column::Id.eq(id.0)).one(db).await
}

/// An image of any account, for everybody who has its URL.
pub(crate) async fn public(db: &impl ConnectionTrait, id: ImageId) -> Result<Option<image::Model>, DbErr> {
    image::Entity::find_by_id(id.0).one(db).await
}

/// Stores a new image. The same file twice violates a unique index.
pub(crate) async fn insert(tx: &impl ConnectionTrait, image: image::Model) -> Result<(), DbErr> {
    image::Entity::insert(image::ActiveModel::from(image).reset_all()).exec_without_returning(tx).await?;
    Ok(())
}

/// Deletes an image of the account.
pub(crate) async fn delete(tx: &impl ConnectionTrait, account: AccountId, id: ImageId) -> Result<(), DbErr> {
    let of_account = image::Column::AccountId.eq(account.0);
    image::Entity::delete_by_id(id.0).filter(of_account).exec(tx).await?;
    Ok(())
}

/// Deletes all images of an account.
pub(crate) async fn delete_all(tx: &impl ConnectionTrait, account: AccountId) -> Result<(), DbErr> {
    image::Entity::delete_many().filter(image::Column::AccountId.eq(account.0)).exec(tx).await?;
    Ok(())
}
