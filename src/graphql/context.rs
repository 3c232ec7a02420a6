//! What resolvers find in their context.

use std::sync::Arc;

use async_graphql::Context;

use crate::{
    app::App,
    auth::caller::Call,
    error::ApiError,
    graphql::loaders::{CurrentLoaders, Loaders},
};

/// Shortcuts to a request's data.
pub trait ContextExt {
    /// What everything shares.
    fn app(&self) -> Result<&Arc<App>, ApiError>;
    /// Who calls.
    fn call(&self) -> Result<&Arc<Call>, ApiError>;
    /// This request's batched reads.
    fn loaders(&self) -> Result<Arc<Loaders>, ApiError>;
}

impl ContextExt for Context<'_> {
    fn app(&self) -> Result<&Arc<App>, ApiError> {
        self.data_opt().ok_or_else(|| ApiError::internal("the schema was built without the app"))
    }

    fn call(&self) -> Result<&Arc<Call>, ApiError> {
        self.data_opt().ok_or_else(|| ApiError::internal("the request has no caller"))
    }

    fn loaders(&self) -> Result<Arc<Loaders>, ApiError> {
        let current = self.data_opt::<Arc<CurrentLoaders>>();
        Ok(current.ok_or_else(|| ApiError::internal("the request has no loaders"))?.get())
    }
}
