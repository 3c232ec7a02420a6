//! Queries on second factors.

use async_graphql::{Context, Object};

use super::{ops, types::Security};
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
pub(crate) struct SecondFactorQuery;

#[Object]
impl SecondFactorQuery {
    /// How the user who calls proves to be the user.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Get, "/me/security".into(), 200, None)
    )]
    async fn security(&self, ctx: &Context<'_>) -> Result<Security, ApiError> {
        Ok(ops::security(ctx.app()?, ctx.call()?).await?.into())
    }
}
