//! Queries on passkeys.

use async_graphql::{Context, Object};

use super::{ops, types::PasskeyListResult};
use crate::{
    base::error::ApiError,
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, rest},
    },
    platform::auth::access::{Credential, Depth, access},
};

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct PasskeyQuery;

#[Object]
impl PasskeyQuery {
    /// The passkeys of the user who calls.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Get, "/me/passkeys".into(), 200, None)
    )]
    async fn passkeys(&self, ctx: &Context<'_>) -> Result<PasskeyListResult, ApiError> {
        let found = ops::list(ctx.app()?, ctx.call()?.user()?).await?;
        Ok(PasskeyListResult { passkeys: found.into_iter().map(Into::into).collect() })
    }
}
