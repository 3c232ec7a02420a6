//! Changes of custom domains.

use std::{sync::Arc, time::Duration};

use entity::domain;
use sea_orm::DbErr;
use uuid::Uuid;

use super::topics::{Subject, Topics};
use crate::{app::App, domains::repo, ids::DomainId};

/// A domain, told as it is after each change.
pub struct DomainChanges;

impl Subject for DomainChanges {
    type Seen = domain::Model;
    type Told = domain::Model;
    const INTERVAL: Duration = Duration::from_millis(250);

    fn topics(app: &App) -> &Arc<Topics<Self>> {
        &app.live.domains
    }

    async fn look(app: &App, key: Uuid, seen: &mut Self::Seen) -> Result<Option<Vec<Self::Told>>, DbErr> {
        let Some(domain) = repo::of_any_account(app.db.read(), DomainId(key)).await? else { return Ok(None) };
        if domain == *seen {
            return Ok(Some(Vec::new()));
        }
        *seen = domain.clone();
        Ok(Some(vec![domain]))
    }
}
