//! Rules and splits by link, in one read for all that a request needs.

use std::{collections::HashMap, sync::Arc};

use ::dataloader::BatchFn;

use super::ops::{self, ShownRoutes};
use crate::{
    app::App,
    base::ids::{AccountId, LinkId},
    graphql::load::{Loaded, answer, load_keys},
};

/// A link whose rules and split are loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RoutesKey(pub(crate) LinkId);

/// Loads rules and splits of one account's links.
pub(crate) struct RoutesBatch {
    app: Arc<App>,
    account: AccountId,
}

load_keys! {
    RoutesBatch:
    RoutesKey => Option<Arc<ShownRoutes>>
}

impl BatchFn<RoutesKey, Loaded<Option<Arc<ShownRoutes>>>> for RoutesBatch {
    async fn load(&mut self, keys: &[RoutesKey]) -> HashMap<RoutesKey, Loaded<Option<Arc<ShownRoutes>>>> {
        let ids: Vec<LinkId> = keys.iter().map(|key| key.0).collect();
        let found = ops::many(&self.app, self.account, &ids).await;
        let by_key = |(id, shown)| (RoutesKey(id), Some(shown));
        answer(keys, found.map(|found| found.into_iter().map(by_key).collect()), &None)
    }
}
