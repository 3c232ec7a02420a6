//! Mutations of second factors.

use async_graphql::{Context, Object};

use super::{
    check, ops,
    types::{ConfirmAccessInput, ConfirmSecondFactorInput, ConfirmTotpInput, RecoveryCodesPayload, StartTotpPayload},
};
use crate::{
    base::error::ApiError,
    features::accounts::{
        login::{issue_token, selected},
        types::{AuthPayload, MessagePayload},
    },
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, rest},
    },
    platform::auth::access::{Credential, Depth, access},
};

/// See [`crate::api::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct SecondFactorMutation;

#[Object]
impl SecondFactorMutation {
    /// Logs a user in who has a second factor, with the challenge that `login` answered. Fails with INVALID_CREDENTIALS when the code is
    /// wrong or was used, and with UNAUTHENTICATED when the challenge is unknown or older than five minutes. Ten a minute per client
    /// address; after 20 wrong codes in a day RATE_LIMITED for the user, but for recovery codes.
    #[graphql(
        directive = access::apply(Credential::Public, None, None, None),
        directive = rest::apply(HttpMethod::Post, "/auth/second-factor".into(), 200, None)
    )]
    async fn confirm_second_factor(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The challenge and a code.")] input: ConfirmSecondFactorInput,
    ) -> Result<AuthPayload, ApiError> {
        let app = ctx.app()?;
        let user = check::confirm(app, &input.challenge, &input.code).await?;
        let membership = selected(app.db.read(), &user, None).await?;
        Ok(issue_token(app, user, &membership, None, app.clock.now())?.into())
    }

    /// Begins to set up an authenticator app. Logins need its codes once `confirmTotp` had one; until then this begins anew. Fails with
    /// CONFLICT when there is one already, and with FORBIDDEN and the reason PROOF_REQUIRED when the login was more than ten minutes ago.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Post, "/me/totp".into(), 200, None)
    )]
    async fn start_totp(&self, ctx: &Context<'_>) -> Result<StartTotpPayload, ApiError> {
        let (secret, uri) = ops::start(ctx.app()?, &ctx.act()?).await?;
        Ok(StartTotpPayload { secret, uri })
    }

    /// Confirms the new authenticator app by one of its codes: from now on `login` fails with SECOND_FACTOR_REQUIRED. Answers recovery codes
    /// if it is the first second factor. Fails with
    /// INVALID_CREDENTIALS when the code is wrong, and with NOT_FOUND when no app waits to be confirmed.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Post, "/me/totp/confirm".into(), 200, None)
    )]
    async fn confirm_totp(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "A code of the app.")] input: ConfirmTotpInput,
    ) -> Result<RecoveryCodesPayload, ApiError> {
        let recovery_codes = ops::confirm(ctx.app()?, &ctx.act()?, &input.code).await?;
        Ok(RecoveryCodesPayload { recovery_codes })
    }

    /// Removes the authenticator app; with the last second factor the recovery codes go, too, and logins need the password alone. Fails with NOT_FOUND when there is none, and
    /// with FORBIDDEN and the reason PROOF_REQUIRED without a fresh proof.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Delete, "/me/totp".into(), 200, None)
    )]
    async fn remove_totp(&self, ctx: &Context<'_>) -> Result<MessagePayload, ApiError> {
        ops::remove(ctx.app()?, &ctx.act()?).await?;
        Ok(MessagePayload { message: "The authenticator app is removed.".to_owned() })
    }

    /// Makes ten new recovery codes; those before are void. Fails with NOT_FOUND when there is no second factor, and with FORBIDDEN and
    /// the reason PROOF_REQUIRED without a fresh proof.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Post, "/me/recovery-codes".into(), 200, None)
    )]
    async fn renew_recovery_codes(&self, ctx: &Context<'_>) -> Result<RecoveryCodesPayload, ApiError> {
        let recovery_codes = ops::renew_codes(ctx.app()?, &ctx.act()?).await?;
        Ok(RecoveryCodesPayload { recovery_codes })
    }

    /// Proves again that the user who calls is the user, and answers a fresh token: for ten minutes it may do what needs a fresh proof, as
    /// the tokens of its session may. Takes a `code` or a `passkey` of who has a second factor, and `currentPassword` of all
    /// others; a wrong one is INVALID_CREDENTIALS, and counts as in a login.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Post, "/me/confirm-access".into(), 200, None)
    )]
    async fn confirm_access(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The proof.")] input: ConfirmAccessInput,
    ) -> Result<AuthPayload, ApiError> {
        let ConfirmAccessInput { current_password, code, passkey } = input;
        let passkey = passkey.as_ref().map(|passkey| (passkey.challenge.as_str(), passkey.credential.as_str()));
        let (password, code) = (current_password.as_deref(), code.as_deref());
        let login = ops::confirm_access(ctx.app()?, &ctx.act()?, password, code, passkey).await?;
        Ok(login.into())
    }
}
