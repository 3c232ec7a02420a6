//! What became of each row of an import, stored with the links: some rows in one value, compressed.

use std::io::{self, Read, Write};

use entity::{import, import_row};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    base::{error::ApiError, ids::AccountId},
    records::imports::ImportId,
};

/// Rows of an import whose outcomes are kept: ten times the largest campaign.
pub(crate) const MAX_ROWS: i64 = 1_000_000;
/// Rows of one value at most, those of a transaction that takes rows.
const MAX_TOGETHER: i64 = 256;

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Became {
    Created,
    Skipped,
    Failed,
}

/// A row of an import, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// Its number in the file.
    pub(crate) row: i64,
    pub(crate) became: Became,
    /// As the file has it. `None`: it can't be read.
    pub(crate) destination_url: Option<String>,
    /// `None`: it failed, or its slug would be generated.
    pub(crate) short_url: Option<String>,
    /// The code of an error of the API. `None`: it did not fail.
    pub(crate) code: Option<String>,
    /// The column as the file has it. `None`: it did not fail, or the error is about the whole row.
    pub(crate) column: Option<String>,
    pub(crate) message: Option<String>,
}

/// Stores rows of an import that follow `first` rows.
pub(crate) async fn insert(
    tx: &impl ConnectionTrait,
    import: ImportId,
    first: i64,
    rows: &[Outcome],
) -> Result<(), ApiError> {
    if rows.is_empty() {
        return Ok(());
    }
    let data = compressed(rows).map_err(ApiError::internal)?;
    let rows = i32::try_from(rows.len()).map_err(ApiError::internal)?;
    let row = import_row::Model { import_id: import.0, first, rows, data };
    let row = import_row::ActiveModel::from(row).reset_all();
    Ok(import_row::Entity::insert(row).exec_without_returning(tx).await.map(drop)?)
}

fn compressed(rows: &[Outcome]) -> io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&serde_json::to_vec(rows)?)?;
    encoder.finish()
}

fn read(model: &import_row::Model) -> Result<Vec<Outcome>, ApiError> {
    let mut text = Vec::new();
    DeflateDecoder::new(&*model.data).read_to_end(&mut text).map_err(ApiError::internal)?;
    serde_json::from_slice(&text).map_err(ApiError::internal)
}

/// Rows of an import from the one that follows `first` others, at least one and at most `limit`, if there are any. The import is the account's.
pub(crate) async fn rows(
    db: &impl ConnectionTrait,
    import: ImportId,
    first: i64,
    limit: u64,
) -> Result<Vec<Outcome>, ApiError> {
    let last = first.saturating_add(i64::try_from(limit).unwrap_or(i64::MAX));
    let models = import_row::Entity::find()
        .filter(import_row::Column::ImportId.eq(import.0))
        .filter(import_row::Column::First.gt(first - MAX_TOGETHER))
        .filter(import_row::Column::First.lt(last))
        .order_by_asc(import_row::Column::First)
        .all(db)
        .await?;
    let mut found = Vec::new();
    for model in &models {
        let number = (model.first..).zip(read(model)?);
        found.extend(number.filter(|(number, _)| (first..last).contains(number)).map(|(_, row)| row));
    }
    Ok(found)
}

/// Deletes what became of the import's rows.
pub(crate) async fn delete(tx: &impl ConnectionTrait, import: ImportId) -> Result<(), DbErr> {
    import_row::Entity::delete_many().filter(import_row::Column::ImportId.eq(import.0)).exec(tx).await.map(drop)
}

/// Deletes what became of the rows of the account's oldest imports, but keeps that of so many.
pub(crate) async fn delete_beyond(tx: &impl ConnectionTrait, account: AccountId, kept: u64) -> Result<(), DbErr> {
    let old = import::Entity::find().filter(import::Column::AccountId.eq(account.0));
    let old = old.filter(import::Column::ResultRows.gt(0)).select_only().column(import::Column::Id);
    // SQLite knows an offset only beside a limit. More than one is left only if the bound was lowered.
    let old = old.order_by_desc(import::Column::Id).offset(kept).limit(100);
    let old: Vec<Uuid> = old.into_tuple().all(tx).await?;
    if old.is_empty() {
        return Ok(());
    }
    import_row::Entity::delete_many().filter(import_row::Column::ImportId.is_in(old.clone())).exec(tx).await?;
    let none =
        import::Entity::update_many().col_expr(import::Column::ResultRows, sea_orm::sea_query::Expr::value(0_i64));
    none.filter(import::Column::Id.is_in(old)).exec(tx).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_were_stored() {
        let row = |row| Outcome {
            row,
            became: Became::Failed,
            destination_url: Some(format!("https://acme.example/{row}")),
            short_url: None,
            code: Some("CONFLICT".to_owned()),
            column: None,
            message: Some("The slug is taken on this domain.".to_owned()),
        };
        let rows: Vec<Outcome> = (0..MAX_TOGETHER).map(row).collect();
        let data = compressed(&rows).unwrap();
        assert!(data.len() < 4_000, "{} bytes", data.len());
        let model = import_row::Model { import_id: Uuid::nil(), first: 0, rows: 256, data };
        assert_eq!(read(&model).unwrap(), rows);
    }
}
