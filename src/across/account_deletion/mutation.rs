//! The operation that deletes the user who calls.

use async_graphql::{Context, ID, Object};

use crate::{
    across::account_deletion::ops::delete_user,
    base::error::ApiError,
    features::accounts::types::DeleteMeInput,
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, rest},
    },
    platform::auth::access::{Credential, Depth, access},
};

#[derive(Default)]
pub(crate) struct DeletionMutation;

#[Object]
impl DeletionMutation {
    /// Deletes the user who calls. With its last member goes an account, and everything that it owns: its links stop
    /// redirecting at once, and no other account gets their slugs on the service's own host for 90 days. Fails with
    /// INVALID_CREDENTIALS when `currentPassword` is wrong, which counts as a failed login does, up to RATE_LIMITED, and with CONFLICT when
    /// the user is the only owner of an account that has other members.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Delete, "/me".into(), 204, None)
    )]
    async fn delete_me(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The proof that it is the user.")] input: DeleteMeInput,
    ) -> Result<ID, ApiError> {
        let user = delete_user(ctx.app()?, &ctx.act()?, &input.current_password).await?;
        Ok(user.0.into())
    }
}
