//! Links by id, in one query for all that a request needs.

use std::{collections::HashMap, sync::Arc};

use ::dataloader::BatchFn;

use crate::{
    app::App,
    graphql::loaders::Loaded,
    ids::{AccountId, LinkId},
    links::repo,
};

/// Loads links of one account.
pub struct LinkBatch {
    /// What everything shares.
    pub app: Arc<App>,
    /// Whose links.
    pub account: AccountId,
}

impl BatchFn<LinkId, Loaded<Option<Arc<entity::link::Model>>>> for LinkBatch {
    async fn load(&mut self, keys: &[LinkId]) -> HashMap<LinkId, Loaded<Option<Arc<entity::link::Model>>>> {
        match repo::links(self.app.db.read(), self.account, keys).await {
            Ok(links) => {
                let mut found: HashMap<LinkId, _> =
                    links.into_iter().map(|link| (LinkId(link.id), Arc::new(link))).collect();
                keys.iter().map(|key| (*key, Ok(found.remove(key)))).collect()
            }
            Err(error) => {
                let error = crate::error::ApiError::from(error);
                keys.iter().map(|key| (*key, Err(error.clone()))).collect()
            }
        }
    }
}
