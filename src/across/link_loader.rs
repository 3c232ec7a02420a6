//! Resources that links name, each kind in one query for all links of a request.

use std::{collections::HashMap, sync::Arc};

use ::dataloader::BatchFn;
use entity::tag;

use crate::{
    app::App,
    base::{error::ApiError, ids::AccountId},
    features::subdomains,
    graphql::load::{Loaded, answer, load_keys},
    records::{
        domains::repo::{self, ShownDomain},
        subdomains::repo::ShownSubdomain,
        tags,
    },
};

/// A tag, by its [key](tags::name::key).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TagKey(pub(crate) String);

/// A custom domain, by its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DomainKey(pub(crate) String);

/// The account's subdomain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SubdomainKey;

/// Loads resources of one account.
pub(crate) struct NamedBatch {
    app: Arc<App>,
    account: AccountId,
}

load_keys! {
    NamedBatch:
    TagKey => Option<Arc<tag::Model>>
    DomainKey => Option<Arc<ShownDomain>>
    SubdomainKey => Option<Arc<ShownSubdomain>>
}

impl BatchFn<TagKey, Loaded<Option<Arc<tag::Model>>>> for NamedBatch {
    async fn load(&mut self, keys: &[TagKey]) -> HashMap<TagKey, Loaded<Option<Arc<tag::Model>>>> {
        let wanted = keys.iter().map(|key| key.0.clone()).collect();
        let found = tags::repo::by_keys(self.app.db.read(), self.account, wanted).await.map_err(ApiError::from);
        let by_key = |tag: tag::Model| (TagKey(tag.key.clone()), Some(Arc::new(tag)));
        answer(keys, found.map(|found| found.into_iter().map(by_key).collect()), &None)
    }
}

impl BatchFn<DomainKey, Loaded<Option<Arc<ShownDomain>>>> for NamedBatch {
    async fn load(&mut self, keys: &[DomainKey]) -> HashMap<DomainKey, Loaded<Option<Arc<ShownDomain>>>> {
        let wanted = keys.iter().map(|key| key.0.clone()).collect();
        let found = repo::named(self.app.db.read(), self.account, wanted).await.map_err(ApiError::from);
        let by_name = |shown: ShownDomain| (DomainKey(shown.domain.name.clone()), Some(Arc::new(shown)));
        answer(keys, found.map(|found| found.into_iter().map(by_name).collect()), &None)
    }
}

impl BatchFn<SubdomainKey, Loaded<Option<Arc<ShownSubdomain>>>> for NamedBatch {
    async fn load(&mut self, keys: &[SubdomainKey]) -> HashMap<SubdomainKey, Loaded<Option<Arc<ShownSubdomain>>>> {
        let found = subdomains::ops::subdomain(&self.app, self.account).await;
        answer(keys, found.map(|found| HashMap::from([(SubdomainKey, found.map(Arc::new))])), &None)
    }
}
