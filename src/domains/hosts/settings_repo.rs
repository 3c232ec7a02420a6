//! Queries on what accounts have set for their hosts.

use std::collections::{BTreeSet, HashSet};

use entity::host_setting;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect, sea_query::OnConflict,
};

use crate::ids::AccountId;

/// What the account has set for a host. `None`: nothing.
pub(crate) async fn settings(
    db: &impl ConnectionTrait,
    account: AccountId,
    host: &str,
) -> Result<Option<host_setting::Model>, DbErr> {
    host_setting::Entity::find_by_id((host.to_owned(), account.0)).one(db).await
}

/// Those of the account's hosts on which slugs are found in any case.
pub(crate) async fn ignoring_case(
    db: &impl ConnectionTrait,
    account: AccountId,
    hosts: BTreeSet<&str>,
) -> Result<HashSet<String>, DbErr> {
    if hosts.is_empty() {
        return Ok(HashSet::new());
    }
    let found = host_setting::Entity::find()
        .select_only()
        .column(host_setting::Column::Host)
        .filter(host_setting::Column::Host.is_in(hosts))
        .filter(host_setting::Column::AccountId.eq(account.0))
        .filter(host_setting::Column::IgnoresCase.eq(true));
    Ok(found.into_tuple().all(db).await?.into_iter().collect())
}

/// Stores what the account has set for a host.
pub(crate) async fn store(tx: &impl ConnectionTrait, settings: host_setting::Model) -> Result<(), DbErr> {
    use host_setting::Column::{AccountId, ExpiredUrl, ForwardsQuery, Host, IgnoresCase, NotFoundUrl, RootUrl};
    let replace = OnConflict::columns([Host, AccountId])
        .update_columns([RootUrl, NotFoundUrl, ExpiredUrl, IgnoresCase, ForwardsQuery])
        .to_owned();
    let row = host_setting::ActiveModel::from(settings).reset_all();
    host_setting::Entity::insert(row).on_conflict(replace).exec_without_returning(tx).await?;
    Ok(())
}

/// Forgets what the account has set for a host.
pub(crate) async fn delete(tx: &impl ConnectionTrait, account: AccountId, host: &str) -> Result<(), DbErr> {
    host_setting::Entity::delete_by_id((host.to_owned(), account.0)).exec(tx).await?;
    Ok(())
}
