//! The batched reads of one execution: what its fields ask for at the same time is loaded together. Nothing loaded for one caller
//! is seen by another.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    fmt::Debug,
    hash::Hash,
    sync::Arc,
};

use ::dataloader::{BatchFn, cached::Loader};
use async_graphql::Context;
use parking_lot::Mutex;

use crate::{app::App, error::ApiError, ids::AccountId};

/// A batch's answer for one key. Every key is answered: the crate treats a missing one as a fault.
pub(crate) type Loaded<T> = Result<T, ApiError>;

/// A key by which values are loaded.
pub(crate) trait LoadKey: Clone + Debug + Eq + Hash + Send + Sync + 'static {
    /// The value of a key.
    type Value: Clone + Send + 'static;
    /// The read of many keys.
    type Batch: BatchFn<Self, Loaded<Self::Value>> + Send + 'static;

    /// The read for a caller of this account.
    fn batch(app: &Arc<App>, account: AccountId) -> Self::Batch;
}

type LoaderOf<K> = Loader<K, Loaded<<K as LoadKey>::Value>, <K as LoadKey>::Batch>;

/// How often a value is asked for.
const MAX_TRIES: usize = 20;

/// The loaders of one execution, by the type of their keys. A subscription is executed for each of its events, and each is to
/// see the rows of its time.
pub(crate) struct Loaders {
    app: Arc<App>,
    account: AccountId,
    by_key: Mutex<HashMap<TypeId, Box<dyn Any + Send + Sync>>>,
}

impl Loaders {
    /// For a caller of this account.
    pub(crate) fn new(app: &Arc<App>, account: AccountId) -> Arc<Self> {
        Arc::new(Loaders { app: Arc::clone(app), account, by_key: Mutex::default() })
    }

    /// Forgets what was loaded.
    pub(crate) fn renew(&self) {
        self.by_key.lock().clear();
    }

    fn of<K: LoadKey>(&self) -> LoaderOf<K> {
        let mut by_key = self.by_key.lock();
        if let Some(known) = by_key.get(&TypeId::of::<K>()).and_then(|known| known.downcast_ref::<LoaderOf<K>>()) {
            return known.clone();
        }
        let loader = LoaderOf::<K>::new(K::batch(&self.app, self.account));
        by_key.insert(TypeId::of::<K>(), Box::new(loader.clone()));
        loader
    }
}

/// Loads a value. When a field fails, its siblings are dropped, and with them the batch that one of them was loading for
/// all: the crate then has nothing for the others, and they ask again.
pub(crate) async fn load<K: LoadKey>(ctx: &Context<'_>, key: K) -> Loaded<K::Value> {
    let loaders = ctx.data_opt::<Arc<Loaders>>().ok_or_else(|| ApiError::internal("the request has no loaders"))?;
    let loader = loaders.of::<K>();
    let mut failure = String::new();
    // Each time somebody else must have been dropped: of one request's fields, not often.
    for _ in 0..MAX_TRIES {
        match loader.try_load(key.clone()).await {
            Ok(loaded) => return loaded,
            Err(error) => failure = error.to_string(),
        }
    }
    Err(ApiError::internal(failure))
}
