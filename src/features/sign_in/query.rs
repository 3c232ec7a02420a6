//! Queries on identities.

use async_graphql::{Context, Object};

use super::{
    ops,
    types::{Identity, IdentityListResult},
};
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
pub(crate) struct IdentityQuery;

#[Object]
impl IdentityQuery {
    /// The sign-ins by the company's identity provider, or by the proxy in front of the service, that are connected with the user who calls.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Get, "/me/identities".into(), 200, None)
    )]
    async fn identities(&self, ctx: &Context<'_>) -> Result<IdentityListResult, ApiError> {
        let app = ctx.app()?;
        let found = ops::list(app, ctx.call()?.user()?).await?;
        Ok(IdentityListResult { identities: found.into_iter().map(|it| Identity::new(&app.config, it)).collect() })
    }
}
