//! Batched reads of one execution: values that its fields load at the same time are read together. Callers share no loaded
//! values.

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

use crate::{
    app::App,
    base::{error::ApiError, ids::AccountId},
};

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

/// Attempts to load a value.
const MAX_TRIES: usize = 20;

/// The loaders of one execution, by the type of their keys. A subscription renews them for each of its events, which must show
/// the rows of its time.
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

    /// Drops the loaders with their values.
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

/// Loads a value. A field that fails drops its siblings, and with them a batch that one of these loads for other fields, too:
/// these get an error from the crate, and try again.
pub(crate) async fn load<K: LoadKey>(ctx: &Context<'_>, key: K) -> Loaded<K::Value> {
    let loaders = ctx.data_opt::<Arc<Loaders>>().ok_or_else(|| ApiError::internal("the request has no loaders"))?;
    let loader = loaders.of::<K>();
    let mut failure = String::new();
    // An attempt fails only if another field of the request was dropped, which is rare.
    for _ in 0..MAX_TRIES {
        match loader.try_load(key.clone()).await {
            Ok(loaded) => return loaded,
            Err(error) => failure = error.to_string(),
        }
    }
    Err(ApiError::internal(failure))
}

/// Declares what the keys of a batch load, each as `Key => Value`. The batch has the fields `app` and `account`.
macro_rules! load_keys {
    ($batch:ident: $($key:ty => $value:ty)*) => {$(
        impl $crate::graphql::load::LoadKey for $key {
            type Value = $value;
            type Batch = $batch;

            fn batch(app: &Arc<App>, account: AccountId) -> $batch {
                $batch { app: Arc::clone(app), account }
            }
        }
    )*};
}
pub(crate) use load_keys;

/// The answer of a batch for every key: what was found for it, or the one error.
pub(crate) fn answer<K: Hash + Eq + Clone, V: Clone>(
    keys: &[K],
    found: Result<HashMap<K, V>, ApiError>,
    missing: &V,
) -> HashMap<K, Loaded<V>> {
    match found {
        Ok(mut found) => {
            keys.iter().map(|key| (key.clone(), Ok(found.remove(key).unwrap_or_else(|| missing.clone())))).collect()
        }
        Err(error) => keys.iter().map(|key| (key.clone(), Err(error.clone()))).collect(),
    }
}

/// Forgets what was loaded: each message shows the rows of its time.
pub(crate) fn renewed(ctx: &Context<'_>) -> impl Fn() + Send + use<> {
    let loaders = ctx.data_opt::<Arc<Loaders>>().map(Arc::clone);
    move || {
        if let Some(loaders) = &loaders {
            loaders.renew();
        }
    }
}
