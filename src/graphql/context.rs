//! Access to the request data in the context of resolvers.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use async_graphql::Context;

use crate::{
    app::App,
    base::{error::ApiError, version::Expected},
    graphql::scalars::Timestamp,
    platform::{auth::caller::Call, idempotency::once::Once, work::audit::Act},
};

/// Shortcuts to a request's data.
pub(crate) trait ContextExt {
    /// The shared application state.
    fn app(&self) -> Result<&Arc<App>, ApiError>;
    /// The current call: its caller and client.
    fn call(&self) -> Result<&Arc<Call>, ApiError>;
    /// The mutation that is executed. Fails with UNAUTHENTICATED when its caller has no account.
    fn act(&self) -> Result<Act, ApiError>;
    /// The versions of the resource that the request expects: by its input and, over REST, by `If-Match`.
    fn expected(&self, updated_at: Option<Timestamp>) -> Expected;
    /// Notes that what the request was to create existed, and is answered in place of it.
    fn note_existing(&self);
}

/// Whether a request that creates something is answered with what existed: REST tells by the status.
#[derive(Debug, Default)]
pub(crate) struct Existing(AtomicBool);

impl Existing {
    pub(crate) fn is_noted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl ContextExt for Context<'_> {
    fn app(&self) -> Result<&Arc<App>, ApiError> {
        self.data_opt().ok_or_else(|| ApiError::internal("the schema was built without the app"))
    }

    fn call(&self) -> Result<&Arc<Call>, ApiError> {
        self.data_opt().ok_or_else(|| ApiError::internal("the request has no caller"))
    }

    fn act(&self) -> Result<Act, ApiError> {
        let once = self.data_opt::<Arc<Once>>().cloned();
        Act::new(self.call()?, once, self.field().name())
    }

    fn expected(&self, updated_at: Option<Timestamp>) -> Expected {
        let expected = self.data_opt::<Expected>().cloned().unwrap_or_default();
        updated_at.into_iter().fold(expected, |expected, Timestamp(version)| expected.and(vec![version]))
    }

    fn note_existing(&self) {
        if let Some(existing) = self.data_opt::<Arc<Existing>>() {
            existing.0.store(true, Ordering::Relaxed);
        }
    }
}
