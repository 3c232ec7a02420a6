//! The batched reads of one request. They live as long as it: nothing loaded for one caller is seen by another.

use std::sync::Arc;

use ::dataloader::cached::Loader;

use crate::{
    analytics::loader::{ClickPageBatch, ClickPageKey, Clicks},
    app::App,
    error::ApiError,
    ids::{AccountId, LinkId},
    links::loader::LinkBatch,
};

/// A batch's answer for one key. Every key is answered: the crate treats a missing one as a fault.
pub type Loaded<T> = Result<T, ApiError>;

/// All loaders.
pub struct Loaders {
    /// Links by id.
    pub links: Loader<LinkId, Loaded<Option<Arc<entity::link::Model>>>, LinkBatch>,
    /// Pages of clicks by link.
    pub clicks: Loader<ClickPageKey, Loaded<Clicks>, ClickPageBatch>,
}

impl Loaders {
    /// For a caller of this account.
    pub fn new(app: &Arc<App>, account: AccountId) -> Self {
        Loaders {
            links: Loader::new(LinkBatch { app: Arc::clone(app), account }),
            clicks: Loader::new(ClickPageBatch { app: Arc::clone(app), account }),
        }
    }
}

/// A loader's own failure: it promises a value for every key it was given.
pub fn lost(error: &std::io::Error) -> ApiError {
    ApiError::internal(error)
}
