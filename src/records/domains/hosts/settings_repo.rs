//! Queries on what accounts have set for their hosts.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use entity::{host_app, host_page, host_setting};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect};

use crate::{
    base::{clock::UnixMillis, ids::AccountId, version},
    platform::db,
    records::tags::name::key,
};

/// The account's settings for a host. `None`: the account has set nothing.
pub(crate) async fn settings(
    db: &impl ConnectionTrait,
    account: AccountId,
    host: &str,
) -> Result<Option<host_setting::Model>, DbErr> {
    host_setting::Entity::find_by_id((host.to_owned(), account.0)).one(db).await
}

/// The account's hosts on which slugs are found in any case.
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

/// Names of the tags that new links get on a host.
pub(crate) fn tag_names(settings: &host_setting::Model) -> Vec<String> {
    settings.default_tags.iter().flat_map(|names| names.split(',')).map(str::to_owned).collect()
}

/// Names of tags as a host has them: in their order, and each once.
pub(crate) fn stored_tags(names: &[String]) -> Option<String> {
    let names: BTreeMap<String, &str> = names.iter().map(|name| (key(name), name.trim_end())).collect();
    let names: Vec<&str> = names.into_values().collect();
    (!names.is_empty()).then(|| names.join(","))
}

/// Names of the tags that new links get on these hosts, by host.
pub(crate) async fn default_tags(
    db: &impl ConnectionTrait,
    account: AccountId,
    hosts: BTreeSet<&str>,
) -> Result<HashMap<String, Vec<String>>, DbErr> {
    if hosts.is_empty() {
        return Ok(HashMap::new());
    }
    let found = host_setting::Entity::find()
        .filter(host_setting::Column::Host.is_in(hosts))
        .filter(host_setting::Column::AccountId.eq(account.0))
        .filter(host_setting::Column::DefaultTags.is_not_null());
    let names = |settings: host_setting::Model| (settings.host.clone(), tag_names(&settings));
    Ok(found.all(db).await?.into_iter().map(names).collect())
}

/// Renames a default tag on all hosts of the account, or removes it if `new` is `None`.
pub(crate) async fn replace_tag(
    tx: &impl ConnectionTrait,
    account: AccountId,
    old: &str,
    new: Option<&str>,
    now: UnixMillis,
) -> Result<(), DbErr> {
    let with_tags = host_setting::Entity::find()
        .filter(host_setting::Column::AccountId.eq(account.0))
        .filter(host_setting::Column::DefaultTags.is_not_null());
    for settings in with_tags.all(tx).await? {
        let names = tag_names(&settings);
        let replaced = |name: &String| if key(name) == key(old) { new.map(str::to_owned) } else { Some(name.clone()) };
        let default_tags = stored_tags(&names.iter().filter_map(replaced).collect::<Vec<_>>());
        if default_tags != settings.default_tags {
            let updated_at = version::next(settings.updated_at, now);
            store(tx, host_setting::Model { default_tags, updated_at, ..settings }).await?;
        }
    }
    Ok(())
}

/// Stores what the account has set for a host.
pub(crate) async fn store(tx: &impl ConnectionTrait, settings: host_setting::Model) -> Result<(), DbErr> {
    db::replace::<host_setting::ActiveModel>(tx, settings).await
}

/// Deletes what the account has set for a host: settings, apps and pages.
pub(crate) async fn delete(tx: &impl ConnectionTrait, account: AccountId, host: &str) -> Result<(), DbErr> {
    host_app::Entity::delete_by_id((host.to_owned(), account.0)).exec(tx).await?;
    host_page::Entity::delete_by_id((host.to_owned(), account.0)).exec(tx).await?;
    host_setting::Entity::delete_by_id((host.to_owned(), account.0)).exec(tx).await?;
    Ok(())
}
