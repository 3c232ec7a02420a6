//! Queries on accounts.

use async_graphql::{Context, Object};

use crate::{
    base::error::ApiError,
    features::accounts::{owner, types::User},
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, rest},
    },
    platform::auth::access::{Credential, Depth, access},
};

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct AccountQuery;

#[Object]
impl AccountQuery {
    /// The user who calls, or who created the API key that does.
    #[graphql(
        directive = access::apply(Credential::Any, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Get, "/me".into(), 200, None)
    )]
    async fn me(&self, ctx: &Context<'_>) -> Result<User, ApiError> {
        let call = ctx.call()?;
        let account = call.account()?;
        Ok(User::new(owner::user(ctx.app()?, account, call.user()?).await?, account, None))
    }
}
