//! Links by id, in one query for all that a request needs.

use std::{collections::HashMap, sync::Arc};

use ::dataloader::BatchFn;

use crate::{
    app::App,
    base::{
        error::ApiError,
        ids::{AccountId, LinkId},
    },
    graphql::load::{Loaded, answer, load_keys},
    records::links::repo::{self, ShownLink},
};

/// Loads links of one account.
pub(crate) struct LinkBatch {
    /// The application state that all components share.
    pub(crate) app: Arc<App>,
    /// The account whose links are loaded.
    pub(crate) account: AccountId,
}

load_keys! {
    LinkBatch:
    LinkId => Option<Arc<ShownLink>>
}

impl BatchFn<LinkId, Loaded<Option<Arc<ShownLink>>>> for LinkBatch {
    async fn load(&mut self, keys: &[LinkId]) -> HashMap<LinkId, Loaded<Option<Arc<ShownLink>>>> {
        let found = repo::shown(self.app.db.read(), self.account, keys).await.map_err(ApiError::from);
        let by_id = |shown: ShownLink| (LinkId(shown.link.id), Some(Arc::new(shown)));
        answer(keys, found.map(|found| found.into_iter().map(by_id).collect()), &None)
    }
}
