//! Mutations of identities.

use async_graphql::{Context, ID, Object};

use super::ops;
use crate::{
    base::error::{ApiError, Code},
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, example, rest},
    },
    platform::auth::access::{Credential, Depth, access},
};

/// See [`crate::api::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct IdentityMutation;

#[Object]
impl IdentityMutation {
    /// Disconnects a sign-in by the company's identity provider from the user who calls, and answers its id. A later sign-in connects it again if
    /// both sides have proved the e-mail address. Fails with NOT_FOUND when the user has none with this id, and with FORBIDDEN and the reason
    /// PROOF_REQUIRED when the user has a second factor and proved it more than ten minutes ago.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Delete, "/me/identities/{identityId}".into(), 204, None)
    )]
    async fn remove_identity(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The identity's id.",
            directive = example::apply("019aa1c2-c3e8-7b1f-9d24-6a8c0e2f4b15".into())
        )]
        id: ID,
    ) -> Result<ID, ApiError> {
        let identity = id.parse().map_err(|_| Code::NotFound)?;
        ops::remove(ctx.app()?, &ctx.act()?, identity).await?;
        Ok(id)
    }
}
