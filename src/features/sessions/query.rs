//! Queries on sessions.

use async_graphql::{Context, Object};

use crate::{
    base::error::ApiError,
    features::sessions::{
        ops,
        types::{Session, SessionListResult},
    },
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, rest},
    },
    platform::auth::access::{Credential, Depth, access},
};

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct SessionQuery;

#[Object]
impl SessionQuery {
    /// The browsers in which the user who calls is logged in, the one used last first. Logins by `login`, whose tokens expire
    /// after 24 hours, are not among them.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Get, "/me/sessions".into(), 200, None)
    )]
    async fn sessions(&self, ctx: &Context<'_>) -> Result<SessionListResult, ApiError> {
        let call = ctx.call()?;
        let sessions = ops::list(ctx.app()?, call.user()?).await?;
        let sessions = sessions.into_iter().map(|session| Session::new(session, call.session())).collect();
        Ok(SessionListResult { sessions })
    }
}
