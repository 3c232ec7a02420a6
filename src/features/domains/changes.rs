//! Changes of custom domains.

use std::time::Duration;

use sea_orm::DbErr;
use uuid::Uuid;

use crate::{
    base::{clock::UnixMillis, ids::DomainId},
    platform::{db::Db, live::topics::Subject},
    records::domains::repo::{self, ShownDomain},
};

/// A domain, told as it is after each change.
pub struct DomainChanges;

impl Subject for DomainChanges {
    /// The domain at the last poll. `None`: it did not exist.
    type Seen = Option<ShownDomain>;
    type Told = ShownDomain;
    const INTERVAL: Duration = Duration::from_millis(250);

    async fn look(db: &Db, _: UnixMillis, key: Uuid, seen: &mut Self::Seen) -> Result<Option<Vec<Self::Told>>, DbErr> {
        let Some(domain) = repo::of_any_account(db.read(), DomainId(key)).await? else { return Ok(None) };
        if seen.as_ref() == Some(&domain) {
            return Ok(Some(Vec::new()));
        }
        *seen = Some(domain.clone());
        Ok(Some(vec![domain]))
    }
}
