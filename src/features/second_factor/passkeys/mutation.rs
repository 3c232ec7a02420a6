//! Mutations of passkeys.

use async_graphql::{Context, ID, Object};

use super::{
    check, ops,
    types::{AddPasskeyInput, AddPasskeyPayload, PasskeyChallengePayload, PasskeyInput, StartPasskeyLoginInput},
};
use crate::{
    base::error::{ApiError, Code},
    features::accounts::{
        login::{issue_token, selected},
        types::AuthPayload,
    },
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, example, rest},
    },
    platform::auth::access::{Credential, Depth, access, creates},
};

/// See [`crate::api::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct PasskeyMutation;

#[Object]
impl PasskeyMutation {
    /// Asks for a new passkey, which `addPasskey` takes. Fails with CONFLICT when there are 20, with FORBIDDEN and the reason PROOF_REQUIRED
    /// when the login was more than ten minutes ago, and with the reason PASSKEYS_OFF where the service's host is an address.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Post, "/me/passkeys/start".into(), 200, None)
    )]
    async fn start_passkey(&self, ctx: &Context<'_>) -> Result<PasskeyChallengePayload, ApiError> {
        Ok(ops::start(ctx.app()?, &ctx.act()?).await?.into())
    }

    /// Adds a passkey: from now on it logs its user in, and `login` fails with SECOND_FACTOR_REQUIRED. Fails with UNAUTHENTICATED when the
    /// challenge is unknown or older than five minutes, with INVALID_CREDENTIALS when the answer does not fit it, or was used, and with
    /// CONFLICT when the passkey is there already.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = creates::apply(None),
        directive = rest::apply(HttpMethod::Post, "/me/passkeys".into(), 200, None)
    )]
    async fn add_passkey(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The new passkey.")] input: AddPasskeyInput,
    ) -> Result<AddPasskeyPayload, ApiError> {
        let AddPasskeyInput { challenge, credential, name } = input;
        let (added, recovery_codes) = ops::add(ctx.app()?, &ctx.act()?, &challenge, &credential, name).await?;
        Ok(AddPasskeyPayload { passkey: added.into(), recovery_codes })
    }

    /// Removes a passkey of the user who calls, and answers its id; with the last second factor the recovery codes go, too. Fails with
    /// NOT_FOUND when the user has none with this id, and with FORBIDDEN and the reason PROOF_REQUIRED without a fresh proof.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Delete, "/me/passkeys/{passkeyId}".into(), 204, None)
    )]
    async fn remove_passkey(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The passkey's id.",
            directive = example::apply("019aa1c2-d4f9-7c20-ae35-7b9d1f305c26".into())
        )]
        id: ID,
    ) -> Result<ID, ApiError> {
        let passkey = id.parse().map_err(|_| Code::NotFound)?;
        ops::remove(ctx.app()?, &ctx.act()?, passkey).await?;
        Ok(id)
    }

    /// Asks for a passkey that logs its user in, by `loginWithPasskey`: alone, or as the second step of a login. Fails with UNAUTHENTICATED
    /// when the challenge of the login is unknown or older than five minutes, with NOT_FOUND when its user has no passkey, and with FORBIDDEN
    /// and the reason PASSWORD_LOGIN_OFF where a passkey is a second factor alone, or PASSKEYS_OFF where the service's host is an address.
    /// Ten a minute per client address.
    #[graphql(
        directive = access::apply(Credential::Public, None, None, None),
        directive = creates::apply(None),
        directive = rest::apply(HttpMethod::Post, "/auth/passkey/start".into(), 200, None)
    )]
    async fn start_passkey_login(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The login.")] input: StartPasskeyLoginInput,
    ) -> Result<PasskeyChallengePayload, ApiError> {
        Ok(ops::start_login(ctx.app()?, input.challenge.as_deref()).await?.into())
    }

    /// Logs a user in with a passkey, which is both factors, since the authenticator verifies its user. Fails with UNAUTHENTICATED when the
    /// challenge is unknown or older than five minutes, with INVALID_CREDENTIALS, in the same words, for an unknown passkey and a wrong or
    /// used answer, and with FORBIDDEN when the account is suspended. Ten a minute per client address.
    #[graphql(
        directive = access::apply(Credential::Public, None, None, None),
        directive = rest::apply(HttpMethod::Post, "/auth/passkey".into(), 200, None)
    )]
    async fn login_with_passkey(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What the passkey answered to `startPasskeyLogin`.")] input: PasskeyInput,
    ) -> Result<AuthPayload, ApiError> {
        let app = ctx.app()?;
        let user = check::log_in(app, &input.challenge, &input.credential, ctx.call()?.client).await?;
        let membership = selected(app.db.read(), &user, None).await?;
        Ok(issue_token(app, user, &membership, None, app.clock.now())?.into())
    }

    /// Asks for a passkey of the user who calls, which `confirmAccess` takes as a fresh proof. Fails with NOT_FOUND when there is none.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Post, "/me/confirm-access/passkey".into(), 200, None)
    )]
    async fn start_passkey_proof(&self, ctx: &Context<'_>) -> Result<PasskeyChallengePayload, ApiError> {
        Ok(ops::start_proof(ctx.app()?, &ctx.act()?).await?.into())
    }
}
