//! Mutations of sessions.

use async_graphql::{Context, ID, Object};

use crate::{
    base::error::{ApiError, Code},
    features::sessions::{ops, types::EndOtherSessionsPayload},
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, example, rest},
    },
    platform::auth::access::{Credential, Depth, access},
};

/// See [`crate::api::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct SessionMutation;

#[Object]
impl SessionMutation {
    /// Ends a session of the user who calls, and answers its id. Its tokens are refused within a second on every node, and the
    /// sockets that they opened are closed. Fails with NOT_FOUND when the user has no such session.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Delete, "/me/sessions/{sessionId}".into(), 204, None)
    )]
    async fn end_session(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The session's id.",
            directive = example::apply("019aa1c2-b0d4-7a2e-8f61-2c5d9e7f4a13".into())
        )]
        id: ID,
    ) -> Result<ID, ApiError> {
        let session = id.parse().map_err(|_| Code::NotFound)?;
        ops::end(ctx.app()?, &ctx.act()?, session).await?;
        Ok(id)
    }

    /// Ends all sessions of the user who calls but the one of this request: all, if its token is of none.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Delete, "/me/sessions".into(), 200, None)
    )]
    async fn end_other_sessions(&self, ctx: &Context<'_>) -> Result<EndOtherSessionsPayload, ApiError> {
        let ended = ops::end_others(ctx.app()?, &ctx.act()?).await?;
        Ok(EndOtherSessionsPayload { ended_count: i32::try_from(ended).unwrap_or(i32::MAX) })
    }
}
