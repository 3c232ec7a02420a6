//! Tags given to links, which make the tags that an account does not have yet.

use std::collections::{BTreeSet, HashMap};

use entity::tag;
use sea_orm::{ConnectionTrait, DbErr};
use uuid::Uuid;

use crate::{
    base::{clock::UnixMillis, error::ApiError, ids::AccountId},
    features::tags::ops::MAX_TAGS,
    records::tags::{TagId, name::key, repo},
};

/// The account's tags that a change names, by key: those that are stored, and those that it makes. The account's row is locked.
pub(crate) struct Tags {
    account: AccountId,
    known: HashMap<String, tag::Model>,
    new: HashMap<String, tag::Model>,
    /// Number of the account's tags with the new ones; read when the first one is new.
    count: Option<i64>,
}

impl Tags {
    /// Looks for the tags with these names.
    pub(crate) async fn find(
        tx: &impl ConnectionTrait,
        account: AccountId,
        names: Vec<&String>,
    ) -> Result<Self, DbErr> {
        let keys: BTreeSet<String> = names.into_iter().map(|name| key(name)).collect();
        let number = keys.len();
        let known = repo::by_keys(tx, account, keys.into_iter().collect()).await?;
        let known: HashMap<_, _> = known.into_iter().map(|tag| (tag.key.clone(), tag)).collect();
        let count = if known.len() < number { Some(repo::count(tx, account, "").await?) } else { None };
        Ok(Tags { account, known, new: HashMap::new(), count })
    }

    /// Names of these tags as the account writes them, in their order and each once. Fails with PLAN_LIMIT_REACHED when the account
    /// may have no more tags.
    pub(crate) fn names(&mut self, names: &[String], now: UnixMillis) -> Result<Vec<String>, ApiError> {
        let mut found = Vec::with_capacity(names.len());
        for name in names {
            let key = key(name);
            if !self.known.contains_key(&key) && !self.new.contains_key(&key) {
                let count = self.count.unwrap_or_default();
                if count >= MAX_TAGS {
                    return Err(ApiError::plan_limit(MAX_TAGS, count, "tags"));
                }
                self.count = Some(count + 1);
                let (id, name) = (TagId::new().0, name.trim_end().to_owned());
                let tag = tag::Model {
                    id,
                    account_id: self.account.0,
                    name,
                    key: key.clone(),
                    link_count: 0,
                    created_at: now,
                    updated_at: now,
                };
                self.new.insert(key.clone(), tag);
            }
            found.extend(self.known.get(&key).or_else(|| self.new.get(&key)).map(|tag| (key, tag.name.clone())));
        }
        found.sort_unstable();
        found.dedup();
        Ok(found.into_iter().map(|(_, name)| name).collect())
    }

    /// Stores which tags these links get, and which they lose, by name. New tags that no link gets are not stored.
    pub(crate) async fn store(
        &self,
        tx: &impl ConnectionTrait,
        added: Vec<(Uuid, String)>,
        removed: Vec<(Uuid, String)>,
    ) -> Result<(), DbErr> {
        let pairs = |changes: Vec<(Uuid, String)>| -> Vec<(Uuid, Uuid)> {
            let tag_of = |name: &str| {
                let key = key(name);
                self.known.get(&key).or_else(|| self.new.get(&key)).map(|tag| tag.id)
            };
            changes.iter().filter_map(|(link, name)| Some((tag_of(name)?, *link))).collect()
        };
        let (added, removed) = (pairs(added), pairs(removed));
        let new: Vec<tag::Model> =
            self.new.values().filter(|new| added.iter().any(|(tag, _)| *tag == new.id)).cloned().collect();
        repo::insert(tx, new).await?;
        repo::add(tx, added).await?;
        repo::remove(tx, removed).await
    }
}
