//! Links by id, in one query for all that a request needs.

use std::{collections::HashMap, sync::Arc};

use ::dataloader::BatchFn;

use crate::{
    app::App,
    base::ids::{AccountId, LinkId},
    graphql::load::{LoadKey, Loaded},
    records::links::repo::{self, ShownLink},
};

/// Loads links of one account.
pub(crate) struct LinkBatch {
    /// The application state that all components share.
    pub(crate) app: Arc<App>,
    /// The account whose links are loaded.
    pub(crate) account: AccountId,
}

impl LoadKey for LinkId {
    type Value = Option<Arc<ShownLink>>;
    type Batch = LinkBatch;

    fn batch(app: &Arc<App>, account: AccountId) -> LinkBatch {
        LinkBatch { app: Arc::clone(app), account }
    }
}

impl BatchFn<LinkId, Loaded<Option<Arc<ShownLink>>>> for LinkBatch {
    async fn load(&mut self, keys: &[LinkId]) -> HashMap<LinkId, Loaded<Option<Arc<ShownLink>>>> {
        match repo::shown(self.app.db.read(), self.account, keys).await {
            Ok(links) => {
                let mut found: HashMap<LinkId, _> =
                    links.into_iter().map(|shown| (LinkId(shown.link.id), Arc::new(shown))).collect();
                keys.iter().map(|key| (*key, Ok(found.remove(key)))).collect()
            }
            Err(error) => {
                let error = crate::base::error::ApiError::from(error);
                keys.iter().map(|key| (*key, Err(error.clone()))).collect()
            }
        }
    }
}
